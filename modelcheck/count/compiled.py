"""The numbers of extremes.py, computed on what the compiled engine has explored: the same passes, over its
tables and its states (explore/compiled/folding.py)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np

from ..explore.compiled import cycles
from ..explore.compiled.exploration import CompiledExploration
from ..explore.compiled.folding import Graph, Room, first_on_cycle, fold, leads_onwards
from ..explore.compiled.records import ROW, SENDS
from ..explore.compiled.steps import Transitions, tables_for
from ..explore.compiled.tables import Tables
from ..explore.limits import Meter
from ..pulse import StoppedError, make_room
from .extremes import NEVER, Array, Columns, Values, returning

SLICE = 500_000  # states between two looks at the limits
TOGETHER = 1 << 25  # values that are computed in one pass
_AS_NUMBERED: Array = np.zeros(0, np.int32)


class Counter:
    """Counts in the worlds of one system, one after another, in arrays of its own."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self._sends: Array = np.zeros(0, np.int32)
        self._tables: Tables | None = None  # whose rows these are, and how many of them
        self._rows = 0
        self._place_of: list[int] = []  # of each message, its column; -1 where it is not counted
        self._low: Array = np.zeros(0, np.int32)
        self._high: Array = np.zeros(0, np.int32)

    def count(self, found: CompiledExploration, meter: Meter, most: int | None = None) -> Iterator[Values]:
        """The values of each column in turn, or of the first `most`; they are valid until the next world is counted in.

        Raises StoppedError where the meter says so.
        """
        decoded = found.packed
        layout, tables, states = decoded.layout, decoded.tables, len(decoded)
        with tables.lock:
            table, sends = tables_for(decoded), self.sends_of(tables)
            steps = layout.record.actors * tables.most_outcomes  # of a state, at most
        graph = Graph(decoded.words, found.chosen, found.first, found.targets, sends, len(self.columns))
        room = Room(
            *Transitions.of(steps),
            np.zeros(len(layout.record.width), np.uint64),
            np.full(len(self.columns), -1, np.int64),
        )
        view = layout.record, table, graph, room
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

    def sends_of(self, tables: Tables) -> Array:
        """How many messages of each column each outcome row sends, as far as there are rows by now."""
        columns, rows = len(self.columns), tables.rows.length - 1
        if self._tables is not tables:
            self._tables, self._rows, self._place_of = tables, 0, []
        if rows > self._rows:
            self._append(tables, rows)
        return self._sends[: rows * columns]

    def _append(self, tables: Tables, rows: int) -> None:
        """Goes on with the rows that came since: those that there were do not change."""
        columns, before = len(self.columns), self._rows
        if rows * columns > len(self._sends):
            make_room(8 * rows * columns)
            grown = np.zeros(2 * rows * columns, np.int32)
            grown[: before * columns] = self._sends[: before * columns]
            self._sends = grown
        for message in tables.messages.by_number[len(self._place_of) :]:
            own = self.columns.place(message)
            self._place_of.append(-1 if own is None else own)
        ends = tables.rows.array.reshape(-1, ROW)[before : rows + 1, SENDS].astype(np.int64)
        kinds = tables.sent.array.reshape(-1, 2)[ends[0] : ends[-1], 1]
        place = np.array(self._place_of, np.int64)[kinds] if len(kinds) else np.zeros(0, np.int64)
        new = self._sends[before * columns : rows * columns].reshape(-1, columns)
        for column in range(columns):
            counted = place >= 0 if column == 0 else place == column
            until = np.concatenate(([0], np.cumsum(counted)))
            new[:, column] = until[ends[1:] - ends[0]] - until[ends[:-1] - ends[0]]
        self._rows = rows


def _look(meter: Meter, states: int) -> None:
    if meter.stop(states):
        raise StoppedError
