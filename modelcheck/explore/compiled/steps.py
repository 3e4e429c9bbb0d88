"""Which rows of the outcome table the transitions of a compiled exploration belong to."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...semantics.system import Outcome, System
from .engine import DecodedStates, Layout
from .folding import changes
from .jit import jit
from .kernel import BASE, FAILURES, FLAGS, NONE, ROW, SLOT, find_pair, number_in
from .tables import SECOND, WITHIN, Array, Tables

CHANGES, STUTTERS, FAILS = 0, 1, 2  # the state, or nothing, or there is none after it


class Outcomes(NamedTuple):
    """The outcomes the rows stand for: that of row r is `outcomes[number[r]]`."""

    outcomes: list[Outcome]
    number: Array


@jit()
def fill(
    shape: Any, table: Any, states: Any, begin: Any, end: Any, words: Any, writes: Any, source: Any, slot: Any, row: Any, kind: Any
) -> int:  # fmt: skip
    """Goes through the rows of the states begin:end in order; returns how many there are, and writes them down if `writes`."""
    offset = len(shape.environment)
    slots = table.slots
    count = 0
    environment = 0
    for number in range(begin, end):
        here = number * len(shape.width)
        if offset:
            environment = number_in(states, here, slots, 0)
        for place in range(offset, offset + shape.actors):
            component = number_in(states, here, slots, place)
            if offset:
                at = find_pair(table.pair_key, environment, shape.family[place] + component)
                r, last = np.int64(table.pair_span[at, 0]), np.int64(table.pair_span[at, 1])
            else:
                c = np.int64(slots[SLOT * place + BASE]) + component
                r, last = np.int64(table.span[2 * c]), np.int64(table.span[2 * c + 1])
            while r < last:
                if writes:
                    if np.int64(table.rows[ROW * r + FLAGS]) & FAILURES:
                        kind[count] = 2
                    elif changes(shape, table, states, here, place, r, words):
                        kind[count] = 0
                    else:
                        kind[count] = 1
                    source[count], slot[count], row[count] = number, place, r
                count += 1
                r += 1
    return count


def listed(states: DecodedStates, begin: int, end: int) -> tuple[Array, Array, Array, Array]:
    """Of every transition out of the states begin:end, in order: its source, the slot that steps, its row, its kind."""
    layout, tables = states.layout, states.tables
    with tables.lock:
        slots = layout.slots.reshape(-1, SLOT).copy()
        slots[layout.offset :, BASE] = [family.base for family in layout.families]
        table = tables.as_of_now(slots.reshape(-1))
    words = np.zeros(len(layout.shape.width), np.uint64)
    room = [np.zeros(0, kind) for kind in (np.int64, np.int64, np.int64, np.int8)]
    count = fill(layout.shape, table, states.words, begin, end, words, False, *room)
    room = [np.zeros(count, kind) for kind in (np.int64, np.int64, np.int64, np.int8)]
    fill(layout.shape, table, states.words, begin, end, words, True, *room)
    source, slot, row, kind = room
    return source, slot, row, kind


def outcomes(system: System, layout: Layout, tables: Tables) -> Outcomes:
    """The outcomes that the rows of these slots' components were filled with."""
    found: list[Outcome] = []
    number = np.zeros(tables.rows.length, np.int64)

    def keep(environment: int, component: Any, begin: int) -> None:
        these = system.outcomes(tables.environments.by_number[environment], component)
        number[begin : begin + len(these)] = range(len(found), len(found) + len(these))
        found.extend(these)

    families = {family.key: family for family in layout.families}
    if not tables.has_environment:
        for family in families.values():
            for place, component in enumerate(family.members):
                begin, end = (int(value) for value in tables.span[family.base + place])
                if begin != NONE and begin < end:
                    keep(0, component, begin)
        return Outcomes(found, number)
    for at in np.flatnonzero(tables.pairs.keys):
        environment, where = divmod(int(tables.pairs.keys[at]) - 1, 1 << SECOND)
        family_of = families.get(where >> WITHIN << WITHIN)
        if family_of is not None:
            keep(environment, family_of.members[where & ((1 << WITHIN) - 1)], int(tables.pairs.rows[at][0]))
    return Outcomes(found, number)
