"""Passes over a world that was explored, for whoever counts messages (count/compiled.py).

A transition's messages are those of its outcome row. Which rows the recorded transitions of a state belong to is found by going
through its steps once more (steps.py) and leaving out those that change nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .jit import jit
from .steps import CHANGES, STUTTERS, fill

LATER = -2  # less than any number


class Graph(NamedTuple):
    """A world that was explored: its states, whose steps were explored in each where it is reduced, the transitions out of each that change
    it. `sends` has the messages of each outcome
    row, `columns` numbers a row."""

    states: Any
    chosen: Any
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


@jit(counts=False)
def rows_of(world: Any, table: Any, graph: Any, source: Any, room: Any) -> int:
    """Leaves in room.row the rows of a state's recorded transitions, in their order; returns how many. Notes steps that send in vain. LATER
    where a row came after the messages were counted that rows send."""
    count = fill(
        world,
        table,
        graph.states,
        graph.chosen,
        source,
        source + 1,
        room.words,
        room.source,
        room.slot,
        room.row,
        room.kind,
    )
    recorded = 0
    for k in range(count):
        row = room.row[k]
        if (row + 1) * graph.columns > len(graph.sends):
            return LATER
        if room.kind[k] == CHANGES:
            room.row[recorded] = row
            recorded += 1
        elif room.kind[k] == STUTTERS:
            for column in range(graph.columns):
                if graph.sends[row * graph.columns + column] and (room.idle[column] < 0 or source < room.idle[column]):
                    room.idle[column] = source
    return recorded


@jit(counts=False)
def fold(
    world: Any, table: Any, graph: Any, room: Any, order: Any, begin: Any, end: Any, column: Any, width: Any, bounded: Any,
    low: Any, high: Any,
) -> int:  # fmt: skip
    """One pass over the states numbered order[begin:end] (begin:end where there is no order), the last first: the least and the
    greatest of `width` columns from `column` on, out of those of the targets; the greatest only where it is `bounded`.

    Returns how many changed; -1 where the graph does not fit the tables; LATER.
    """
    changed = 0
    for k in range(end - 1, begin - 1, -1):
        source = np.int64(order[k]) if len(order) else k
        edge = graph.first[source]
        count = rows_of(world, table, graph, source, room)
        if count == LATER:
            return LATER
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


@jit(counts=False)
def first_on_cycle(
    world: Any, table: Any, graph: Any, room: Any, inside: Any, begin: Any, end: Any, endless: Any
) -> None:
    """For each column the first transition that sends and is `inside` a cycle: endless[2 * column] = state, ordinal."""
    for source in range(begin, end):
        edge = graph.first[source]
        count = rows_of(world, table, graph, source, room)
        for j in range(count):
            if inside[edge + j]:
                for column in range(graph.columns):
                    if endless[2 * column] < 0 and graph.sends[room.row[j] * graph.columns + column]:
                        endless[2 * column], endless[2 * column + 1] = source, j


@jit(counts=False)
def leads_onwards(first: Any, targets: Any) -> bool:
    """Whether every transition leads to a state of greater number."""
    for source in range(len(first) - 1):
        for k in range(first[source], first[source + 1]):
            if targets[k] <= source:
                return False
    return True
