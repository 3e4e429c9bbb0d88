"""Many small worlds one after another, without coming back to Python for each.

Worlds of one graph differ in who stands where: in the families of their processes. What else the kernel wants to know of a world follows
from these. So it is handed a whole fleet of worlds, as a matrix of families; it enters each, explores it (kernel.search), sees to its
terminal states, to whether it has a cycle and to its messages, and writes down what it counted. It comes back where something is missing
from the tables, as from any world, and goes on there.

A world in which anything else is met (a property fails, a cycle, several initial states, ...) is left aside: it is UNUSUAL, and is explored by
itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import calls, kernel
from .calls import (
    ASK_A,
    ASK_B,
    ASK_C,
    DEPTH,
    DONE,
    LEVEL_END,
    MOST,
    NOT_FORWARD,
    STATES,
    TARGETS,
    TERMINALS,
    TRANSITIONS,
)
from .cycles import count_in, peel, without_any
from .folding import LATER, fold, leads_onwards
from .jit import jit
from .packed import change, deliver, hash_of, number_in, rows_at
from .records import BASE, BECOMES, FAILURES, FLAGS, LIMIT, MASK, NONE, ROW, SLOT, STARTS

# Why sweep returned, beside what search returns; and why a world did not come to an end by itself.
NO_END, UNUSUAL = calls.MANY_TERMINALS + 1, calls.MANY_TERMINALS + 2
# Places in the array of counters, behind those of search: the world that it is at, what is to be done there, the states of the worlds
# that are done since sweep was called.
AT, STAGE, LANDED = calls.COUNTERS, calls.COUNTERS + 1, calls.COUNTERS + 2
COUNTERS = calls.COUNTERS + 3
ENTER, SEARCH, FINISH = range(3)
# Columns of the results; behind them for each column of messages the least and the greatest.
STATUS, RESULTS = 0, 5
DIFFERENT, COUNTED = 1, 2  # of STATUS: it is to be explored by itself; it is done
NEVER = np.int32(1 << 30)  # as in count/extremes.py


class FleetRecord(NamedTuple):
    """K worlds of A processes, of F families. C columns of messages are counted; none where C is 0."""

    families: Any  # (K, A) int64: the family of each process
    presented: Any  # (K, A) int64: the processes in the order in which properties see them
    base: Any  # (F,) int64: where the rows of a family begin
    count: Any  # (F,) int64: how many of them the tables of now have
    initial: Any  # (F,) int64: the component that a process of this family is at first; -1 where there are several
    started: Any  # (C,) int64: room for the messages of starting steps
    results: Any  # (K, RESULTS + 2 * C) int64: STATUS, states, transitions, terminal states, depth, messages
    simultaneous: bool  # whether all take their first starting step before anything else
    columns: int  # C


class FoldRecord(NamedTuple):
    """Where messages are counted and cycles looked for: arrays as long as there is room for states."""

    graph: Any  # folding.Graph
    room: Any  # folding.Room
    low: Any  # (N * C,) int32
    high: Any  # (N * C,) int32
    degree: Any  # (N,) int32
    order: Any  # (N,) int32
    bounded: Any  # (C,) bool: all of them


@jit(counts=False)
def take(world: Any, table: Any, words: Any, slot: Any, row: Any, counters: Any) -> int:
    """Changes the state at words[0] to the one after an outcome row of this slot. Returns DONE, or what is missing."""
    slots, rows = table.slots, table.rows
    component = number_in(words, 0, slots, slot)
    becomes = np.int64(rows[ROW * row + BECOMES])
    if becomes >= slots[SLOT * slot + LIMIT]:
        return calls.STALE
    change(words, 0, slots, slot, component ^ becomes)
    missing, counters[ASK_A], counters[ASK_B], counters[ASK_C] = deliver(world, table, words, slot, row)
    return int(missing)


@jit(counts=False)
def enter(
    world: Any, table: Any, observations: Any, store: Any, batch: Any, fleet: Any, fold_in: Any, counters: Any
) -> int:
    """Puts the initial state of the next world where the search begins. Returns DONE, or what is missing."""
    slots, words, at = table.slots, batch.words, counters[AT]
    width = len(world.width)
    for slot in range(world.actors):
        family = fleet.families[at, slot]
        slots[SLOT * slot + BASE] = fleet.base[family]
        slots[SLOT * slot + LIMIT] = min(fleet.count[family], np.int64(slots[SLOT * slot + MASK]) + 1)
        world.presented[slot] = fleet.presented[at, slot]
    most = counters[MOST]
    for place in range(calls.COUNTERS):
        counters[place] = 0
    counters[MOST] = most
    store.firsts[0, 0] = 0
    fleet.started[:] = 0
    for w in range(width):
        words[w] = 0
    for slot in range(world.actors):
        first = fleet.initial[fleet.families[at, slot]]
        if first < 0:
            return UNUSUAL
        if first >= slots[SLOT * slot + LIMIT]:
            return calls.STALE
        change(words, 0, slots, slot, first)
    for slot in range(world.actors if fleet.simultaneous else 0):
        component, row, end = rows_at(world, table, words, 0, slot, 0)
        if row == NONE or end == NONE:
            counters[ASK_A], counters[ASK_B], counters[ASK_C] = slot, component, 0
            return calls.NO_OUTCOMES
        taken = -1
        while row < end:
            flags = np.int64(table.rows[ROW * row + FLAGS])
            if flags & STARTS:
                if taken >= 0 or flags & FAILURES:
                    return UNUSUAL
                taken = row
            row += 1
        if taken >= 0:
            missing = take(world, table, words, slot, taken, counters)
            if missing != DONE:
                return missing
            if fleet.columns and (taken + 1) * fold_in.graph.columns > len(fold_in.graph.sends):
                return calls.STALE
            for column in range(fleet.columns):
                fleet.started[column] += fold_in.graph.sends[taken * fold_in.graph.columns + column]

    kernel.look(world, slots, observations, words, 0, batch.vector)
    observed = kernel.find_observation(observations.index, observations.vectors, batch.vector)
    if observed < 0:
        return calls.NO_OBSERVATION
    h = hash_of(world.width, words, 0)
    kernel.store_at(world.width, store.states, store.visited, h & np.uint64(len(store.visited) - 1), words, 0, h, 0)
    store.parents[0] = -1
    store.observed[0] = observed
    if observations.wrong[observed]:
        return UNUSUAL
    counters[STATES] = counters[LEVEL_END] = 1
    return DONE


@jit(counts=False)
def forget(world: Any, store: Any, count: Any) -> None:
    """Empties the visited set of the keys of so many states: each lies in a run of places that are taken, behind where its hash points."""
    wrap = np.uint64(len(store.visited) - 1)
    width = len(world.width)
    for k in range(count):
        at = hash_of(world.width, store.states, k * width) & wrap
        while store.visited[at] != 0:
            store.visited[at] = 0
            at = (at + np.uint64(1)) & wrap


@jit(counts=False)
def finish(world: Any, table: Any, ends: Any, store: Any, batch: Any, fleet: Any, fold_in: Any, counters: Any) -> int:
    """Sees to the terminal states, cycles and messages of the world that was explored. Returns DONE, NO_END, STALE or UNUSUAL."""
    count, width = counters[STATES], len(world.width)
    store.edges_begin[count] = counters[TARGETS]
    if store.firsts[0, 0]:
        return UNUSUAL
    for t in range(counters[TERMINALS]):
        kernel.look(world, table.slots, ends, store.states, np.int64(store.terminals[t]) * width, batch.vector)
        found = kernel.find_observation(ends.index, ends.vectors, batch.vector)
        if found < 0:
            counters[ASK_A] = store.terminals[t]
            return NO_END
        if ends.wrong[found]:
            return UNUSUAL
    if not store.keeps_targets:
        return DONE
    first, targets = store.edges_begin[: count + 1], store.targets
    order = fold_in.order[:0]
    if counters[NOT_FORWARD] and not leads_onwards(first, targets):
        fold_in.degree[:count] = 0
        count_in(targets, 0, counters[TARGETS], fold_in.degree)
        end = without_any(fold_in.degree, count, fold_in.order)
        _, end = peel(first, targets, fold_in.degree, fold_in.order, 0, end, counters[TARGETS] + count + 1)
        if end < count:
            return UNUSUAL
        order = fold_in.order[:count]
    columns = fleet.columns
    if columns == 0:
        return DONE
    low, high = fold_in.low, fold_in.high
    low[: count * columns] = NEVER
    high[: count * columns] = 0
    for t in range(counters[TERMINALS]):
        for column in range(columns):
            low[np.int64(store.terminals[t]) * columns + column] = 0
    fold_in.room.idle[:] = -1
    folded = fold(world, table, fold_in.graph, fold_in.room, order, 0, count, 0, columns, fold_in.bounded, low, high)
    if folded < 0:
        return calls.STALE if folded == LATER else UNUSUAL
    for column in range(columns):
        if fold_in.room.idle[column] >= 0 or low[column] >= NEVER:
            return UNUSUAL
        at = RESULTS + 2 * column
        fleet.results[counters[AT], at] = fleet.started[column] + low[column]
        fleet.results[counters[AT], at + 1] = fleet.started[column] + high[column]
    for k in range(count * columns):
        if high[k] >= NEVER:
            return UNUSUAL
    return DONE


@jit(counts=False)
def sweep(
    world: Any, table: Any, observations: Any, ends: Any, store: Any, batch: Any, fleet: Any, fold_in: Any, counters: Any, budget: Any
) -> int:  # fmt: skip
    """Explores world after world, from counters[AT] on. Returns DONE when the last one is done, PAUSE after about `budget` states, or
    what is missing."""
    counters[LANDED] = 0
    while counters[AT] < len(fleet.families):
        if counters[LANDED] > budget:
            return calls.PAUSE
        missing = DONE
        if counters[STAGE] == ENTER:
            missing = enter(world, table, observations, store, batch, fleet, fold_in, counters)
            if missing == DONE:
                counters[STAGE] = SEARCH
        if counters[STAGE] == SEARCH:
            missing = kernel.search(world, table, observations, store, batch, counters, budget)
            if missing == DONE:
                counters[STAGE] = FINISH
        if counters[STAGE] == FINISH:
            missing = finish(world, table, ends, store, batch, fleet, fold_in, counters)
        if missing != DONE and missing != UNUSUAL:
            return missing
        at, count = counters[AT], counters[STATES]
        fleet.results[at, STATUS] = DIFFERENT if missing == UNUSUAL else COUNTED
        fleet.results[at, 1] = count
        fleet.results[at, 2] = counters[TRANSITIONS]
        fleet.results[at, 3] = counters[TERMINALS]
        fleet.results[at, 4] = counters[DEPTH]
        forget(world, store, max(count, 1))
        if missing == DONE:
            counters[LANDED] += count
            counters[MOST] -= count
        counters[AT] += 1
        counters[STAGE] = ENTER
        counters[STATES] = 0
    return DONE
