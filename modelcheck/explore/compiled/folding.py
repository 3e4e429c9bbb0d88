"""The numbers of count/extremes.py, computed on what the compiled engine has explored: the same passes, over its tables and its states.

A transition's messages are those of its outcome row. Which rows the recorded transitions of a state belong to is found by going
through its steps once more (steps.py) and leaving out those that change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from ...count.extremes import NEVER, Array, Columns, Values, returning
from ...pulse import StoppedError, make_room
from ..exploration import Exploration
from ..limits import Meter
from . import cycles
from .jit import jit
from .layout import DecodedStates
from .records import ROW, SENDS
from .steps import CHANGES, STUTTERS, Transitions, fill, tables_for
from .tables import Tables

SLICE = 500_000  # states between two looks at the limits
TOGETHER = 1 << 25  # values that are computed in one pass


class Graph(NamedTuple):
    """A world that was explored: its states, the transitions out of each that change it. `sends` has the messages of each outcome
    row, `columns` numbers a row."""

    states: Any
    first: Any
    targets: Any
    sends: Any
    columns: int


class Room(NamedTuple):
    """Arrays to work in: for the transitions of one state, all as long as any state has transitions (steps.Transitions), and a state; and for
    each column the first state in which a step sends and changes nothing, or -1."""

    source: Any
    slot: Any
    row: Any
    kind: Any
    words: Any
    idle: Any


@jit()
def rows_of(shape: Any, table: Any, graph: Any, source: Any, room: Any) -> int:
    """Leaves in room.row the rows of a state's recorded transitions, in their order; returns how many. Notes steps that send in vain."""
    count = fill(
        shape, table, graph.states, source, source + 1, room.words, room.source, room.slot, room.row, room.kind
    )
    recorded = 0
    for k in range(count):
        row = room.row[k]
        if room.kind[k] == CHANGES:
            room.row[recorded] = row
            recorded += 1
        elif room.kind[k] == STUTTERS:
            for column in range(graph.columns):
                if graph.sends[row * graph.columns + column] and (room.idle[column] < 0 or source < room.idle[column]):
                    room.idle[column] = source
    return recorded


@jit()
def fold(
    shape: Any, table: Any, graph: Any, room: Any, order: Any, begin: Any, end: Any, column: Any, width: Any, bounded: Any,
    low: Any, high: Any,
) -> int:  # fmt: skip
    """One pass over the states numbered order[begin:end] (begin:end where there is no order), the last first: the least and the
    greatest of `width` columns from `column` on, out of those of the targets; the greatest only where it is `bounded`.

    Returns how many changed; -1 where the graph does not fit the tables.
    """
    changed = 0
    for k in range(end - 1, begin - 1, -1):
        source = np.int64(order[k]) if len(order) else k
        edge = graph.first[source]
        count = rows_of(shape, table, graph, source, room)
        if count != graph.first[source + 1] - edge:
            return -1
        for j in range(count):
            cost = room.row[j] * graph.columns + column
            there = np.int64(graph.targets[edge + j]) * width
            for c in range(width):
                sent = graph.sends[cost + c]
                lower, higher = sent + low[there + c], sent + high[there + c]
                if lower < low[source * width + c]:
                    low[source * width + c] = lower
                    changed += 1
                if higher > high[source * width + c] and bounded[column + c]:
                    high[source * width + c] = higher
                    changed += 1
    return changed


@jit()
def first_on_cycle(
    shape: Any, table: Any, graph: Any, room: Any, inside: Any, begin: Any, end: Any, endless: Any
) -> None:
    """For each column the first transition that sends and is `inside` a cycle: endless[2 * column] = state, ordinal."""
    for source in range(begin, end):
        edge = graph.first[source]
        count = rows_of(shape, table, graph, source, room)
        for j in range(count):
            if inside[edge + j]:
                for column in range(graph.columns):
                    if endless[2 * column] < 0 and graph.sends[room.row[j] * graph.columns + column]:
                        endless[2 * column], endless[2 * column + 1] = source, j


@jit()
def leads_onwards(first: Any, targets: Any) -> bool:
    """Whether every transition leads to a state of greater number."""
    for source in range(len(first) - 1):
        for k in range(first[source], first[source + 1]):
            if targets[k] <= source:
                return False
    return True


_AS_NUMBERED: Array = np.zeros(0, np.int32)


class Counter:
    """Counts in the worlds of one system, one after another, in arrays of its own."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self._sends: Array = np.zeros(0, np.int32)
        self._tables: Tables | None = None  # whose rows these are
        self._low: Array = np.zeros(0, np.int32)
        self._high: Array = np.zeros(0, np.int32)

    def count(self, found: Exploration, meter: Meter, most: int | None = None) -> Iterator[Values]:
        """The values of each column in turn, or of the first `most`; they are valid until the next world is counted in.

        Raises StoppedError where the meter says so.
        """
        decoded: Any = found.states
        assert isinstance(decoded, DecodedStates)
        layout, tables, states = decoded.layout, decoded.tables, len(decoded)
        with tables.lock:
            table, sends = tables_for(decoded), self._sends_of(tables)
            steps = layout.shape.actors * tables.most_outcomes  # of a state, at most
        graph = Graph(decoded.words, np.asarray(found.first), np.asarray(found.targets), sends, len(self.columns))
        room = Room(
            *Transitions.of(steps),
            np.zeros(len(layout.shape.width), np.uint64),
            np.full(len(self.columns), -1, np.int64),
        )
        view = layout.shape, table, graph, room
        order, endless = _AS_NUMBERED, np.full(2 * len(self.columns), -1, np.int64)
        if not leads_onwards(graph.first, graph.targets):
            if found.acyclic:
                make_room(8 * states)
                order, degree = np.zeros(states, np.int32), np.zeros(states, np.int32)
                cycles.has_cycle(graph.first, graph.targets, states, degree, order)
            else:
                inside = returning(graph.first, graph.targets)
                for begin in range(0, states, SLICE):
                    first_on_cycle(*view, inside, begin, min(begin + SLICE, states), endless)
                    _look(meter, states)
        bounded = endless[::2] < 0
        wanted = most or len(self.columns)
        width = wanted if states * wanted <= TOGETHER else 1
        for column in range(0, wanted, width):
            low, high = self._room(states * width)
            low.reshape(-1, width)[found.terminals] = 0
            changed = 1
            while changed:
                changed = 0
                for end in range(states, 0, -SLICE):
                    more = fold(*view, order, max(0, end - SLICE), end, column, width, bounded, low, high)
                    assert more >= 0, "the recorded transitions do not fit the tables"
                    changed += more
                    _look(meter, states)
                changed *= not found.acyclic  # in the right order one pass is all
            if high.max(initial=0) >= NEVER:  # a sum that has left its 32 bits came from one of these
                raise MemoryError(f"some run sends more than {NEVER - 1:,} messages, and no more are counted")
            for c in range(width):
                why = (int(room.idle[column + c]), -1) if room.idle[column + c] >= 0 else None
                if why is None and not bounded[column + c]:
                    why = int(endless[2 * (column + c)]), int(endless[2 * (column + c) + 1])
                least, greatest = cast(Sequence[int], low[c::width]), cast(Sequence[int], high[c::width])
                yield Values(column + c, least, greatest, why)

    def _room(self, size: int) -> tuple[Array, Array]:
        if len(self._low) < size:
            make_room(16 * size)
            self._low, self._high = np.zeros(2 * size, np.int32), np.zeros(2 * size, np.int32)
        low, high = self._low[:size], self._high[:size]
        low.fill(NEVER)
        high.fill(0)
        return low, high

    def _sends_of(self, tables: Tables) -> Array:
        """How many messages of each column each outcome row sends."""
        columns, rows = len(self.columns), tables.rows.length - 1
        if self._tables is tables and len(self._sends) >= rows * columns:
            return self._sends
        places = [self.columns.place(message) for message in tables.messages.by_number]
        ends = tables.rows.array.reshape(-1, ROW)[: rows + 1, SENDS].astype(np.int64)
        kinds = tables.sent.array.reshape(-1, 2)[: tables.sent.length, 1]
        place_of = np.array([-1 if place is None else place for place in places], np.int64)
        place = place_of[kinds] if len(kinds) else np.zeros(0, np.int64)
        make_room(4 * rows * columns)
        found = np.zeros((rows, columns), np.int32)
        for column in range(columns):
            counted = place >= 0 if column == 0 else place == column
            before = np.concatenate(([0], np.cumsum(counted)))
            found[:, column] = before[ends[1:]] - before[ends[:-1]]
        self._sends, self._tables = found.reshape(-1), tables
        return self._sends


def _look(meter: Meter, states: int) -> None:
    if meter.stop(states):
        raise StoppedError
