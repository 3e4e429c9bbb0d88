"""The steps of a packed state: which rows of the outcome table its transitions belong to, and what each does.

The kernel goes through them as it explores; here they are gone through again, by whoever counts or lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...semantics.components import Component
from ...semantics.system import Outcome, System
from .choosing import by_outcome
from .jit import jit
from .layout import DecodedStates, StateLayout
from .packed import change, deliver, number_in, rows_at
from .records import BASE, BECOMES, FAILURES, FLAGS, NONE, ROW, SENDS, SLOT, TURNS, TablesRecord
from .tables import SECOND, WITHIN, Array, Family, Tables

CHANGES, STUTTERS, FAILS = 0, 1, 2  # the state, or nothing, or there is none after it


class Outcomes(NamedTuple):
    """The outcomes the rows stand for: that of row r is `outcomes[number[r]]`."""

    outcomes: list[Outcome]
    number: Array


@jit(inline="always", counts=False)
def changes(world: Any, table: Any, states: Any, here: Any, slot: Any, row: Any, words: Any) -> Any:
    """Whether the outcome in this row changes the state at states[here]."""
    offset = len(world.environment)
    slots, rows = table.slots, table.rows
    component = number_in(states, here, slots, slot)
    becomes = np.int64(rows[ROW * row + BECOMES])
    differs = component != becomes
    environment: Any = 0
    turns: Any = 0
    if offset:
        environment = number_in(states, here, slots, 0)
        turns = np.int64(rows[ROW * row + TURNS])
        differs |= environment != turns
    begin, end = np.int64(rows[ROW * row + SENDS]), np.int64(rows[ROW * row + ROW + SENDS])
    to_itself = False
    for s in range(begin, end):
        link = 2 * ((slot - offset) * world.ports + np.int64(table.sent[2 * s]))
        to_itself |= world.links[link] == slot
    if begin == end or (differs and not to_itself):
        return differs
    width = len(world.width)
    for w in range(width):
        words[w] = states[here + w]
    change(words, 0, slots, slot, component ^ becomes)
    if offset:
        change(words, 0, slots, 0, environment ^ turns)
    deliver(world, table, words, slot, row)  # nothing is missing: the kernel has taken this transition
    differs = False
    for w in range(width):
        differs |= words[w] != states[here + w]
    return differs


@jit(counts=False)
def fill(
    world: Any, table: Any, states: Any, chosen: Any, begin: Any, end: Any, words: Any, source: Any, slot: Any, row: Any, kind: Any
) -> int:  # fmt: skip
    """Writes down the transitions explored of the states begin:end, in order, as far as there is room; returns how many there are."""
    offset = len(world.environment)
    count = 0
    environment = 0
    for number in range(begin, end):
        here = number * len(world.width)
        if offset:
            environment = number_in(states, here, table.slots, 0)
        ordinal = 0
        for place in range(offset, offset + world.actors):
            if len(world.reduced) and not by_outcome(world) and not np.int64(chosen[number]) >> (place - offset) & 1:
                continue
            _, r, last = rows_at(world, table, states, here, place, environment)
            while r < last:
                ordinal += 1
                if (
                    len(world.reduced)
                    and by_outcome(world)
                    and not np.int64(chosen[number]) >> min(ordinal - 1, 62) & 1
                ):
                    r += 1
                    continue
                if count < len(row):
                    source[count], slot[count], row[count] = number, place, r
                    if np.int64(table.rows[ROW * r + FLAGS]) & FAILURES:
                        kind[count] = FAILS
                    elif changes(world, table, states, here, place, r, words):
                        kind[count] = CHANGES
                    else:
                        kind[count] = STUTTERS
                count += 1
                r += 1
    return count


class Transitions(NamedTuple):
    """Arrays for transitions, all of one length: int64, and int8 for the kinds."""

    source: Array  # numbers of states
    slot: Array  # which step
    row: Array  # of the outcome table
    kind: Array  # CHANGES, STUTTERS or FAILS

    @classmethod
    def of(cls, length: int) -> Transitions:
        return cls(*(np.zeros(length, kind) for kind in (np.int64, np.int64, np.int64, np.int8)))


def tables_for(states: DecodedStates) -> TablesRecord:
    """The tables as of now, for the slots of these states."""
    layout, tables = states.layout, states.tables
    with tables.lock:
        slots = layout.slots.reshape(-1, SLOT).copy()
        slots[layout.offset :, BASE] = [family.base for family in layout.families]
        return tables.as_of_now(slots.reshape(-1))


def listed(states: DecodedStates, chosen: Array, begin: int, end: int) -> Transitions:
    """Every transition explored out of the states begin:end, in order."""
    world, table = states.layout.record, tables_for(states)
    words = np.zeros(len(world.width), np.uint64)
    count = fill(world, table, states.words, chosen, begin, end, words, *Transitions.of(0))
    room = Transitions.of(count)
    fill(world, table, states.words, chosen, begin, end, words, *room)
    return room


def outcomes(system: System, layout: StateLayout, tables: Tables) -> Outcomes:
    """The outcomes that the rows of these slots' components were filled with, as far as they are by now: other threads fill more."""
    families = {family.key: family for family in layout.families}
    with tables.lock:
        filled = list(_filled(families, tables))
        number = np.zeros(tables.rows.length, np.int64)
    found: list[Outcome] = []
    for environment, component, begin in filled:
        these = system.outcomes(tables.environments.by_number[environment], component)
        number[begin : begin + len(these)] = range(len(found), len(found) + len(these))
        found.extend(these)
    return Outcomes(found, number)


def _filled(families: dict[int, Family], tables: Tables) -> Iterator[tuple[int, Component, int]]:
    """The components that have rows, each with the number of its environment, and the first of these rows."""
    if not tables.has_environment:
        for family in families.values():
            spans = tables.span.array.reshape(-1, 2)[family.base : family.base + len(family.members)]
            for place in np.flatnonzero((spans[:, 0] != NONE) & (spans[:, 0] < spans[:, 1])):
                yield 0, family.members[place], int(spans[place, 0])
        return
    for at in np.flatnonzero(tables.pairs.keys):
        environment, where = divmod(int(tables.pairs.keys[at]) - 1, 1 << SECOND)
        of = families.get(where >> WITHIN << WITHIN)
        if of is not None:
            yield environment, of.members[where & ((1 << WITHIN) - 1)], int(tables.pairs.rows[at][0])
