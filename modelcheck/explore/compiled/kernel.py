"""The hot loop: exploring one world by table look-ups alone.

A state is `slots` small integers, packed into W words of 64 bits, as many slots to a word as there is room for:

    without an environment     component_0 | component_1 | ... | component_{n-1}
    with one                   environment | component_0 | ... | component_{n-1}

and behind these the network, where it can split (semantics/partitions.py): a component that takes steps like the others.

Components are numbered within their family, those of one profile: a process never leaves its family, so that a slot needs few
bits. Where a slot lies in a state, and the rows of its family in the tables, says slots[SLOT * slot + ...].

What a step does is read off tables that Python fills, an entry at a time, when it is first asked for (tables.py). With c = the
base of a slot + the number in it:

    outcomes of a component   span[2 * c] = first, end        rows of the outcome table; NONE: not tabulated yet
      (with an environment    a hash table from environment and family + number to the same two numbers)
      row r                   rows[ROW * r + BECOMES]         the component afterwards
                              rows[ROW * r + TURNS]           the environment afterwards
                              rows[ROW * r + FLAGS]           1 fault, 2 assertion, 4 exception, 8 unspecified reception
                              rows[ROW * r + SENDS]           up to that of the next row: sent[2 * s] = out-port, message
    links of the world        links[2 * (process * ports + out-port)] = slot it leads to, in-port there
    delivery                  event[message * ports + in-port] = e, a number for the pair; 0: none yet
                              push[c * events + e]            the component after it; NONE: not tabulated yet

What is read together lies together: one cache line for a component's outcomes, one for all deliveries to it. The tables are
flat and unsigned, so that an index costs neither a multiplication by a length nor a test for counting from the end.

The search goes back and forth between two functions. `expand` writes successors into a batch, each with its hash. `insert`
takes them in the same order, so that states are numbered in breadth-first order, exactly as the reference engine numbers them.
The visited set is open-addressing over state numbers and compares whole states: a tag in the entry only saves most of the
comparisons. Memory is slower than all of this: while one successor is inserted, the place of a later one in the visited set is
asked for, and the state that stands at the place of one not quite so late.

In a world with symmetries of its own (semantics/symmetry.py) the visited set compares keys instead: the key of a state is the least
of its twins, packed. The states themselves are kept beside them, each as it was first met. Elsewhere keys and states are
the same array.

In a world that is reduced (explore/stubborn.py) only the steps of some processes are explored in each state: which ones is read off
the same tables, and a mask for each component of its empty in-ports. Or only some outcomes are (explore/independence.py): then tables of
the world say which can change places.

What properties see of a state is a vector of small integers, one for each process in the order in which they see them
(`seen[c]`), the network's, and the environment's: the observation. Verdicts are remembered for each distinct observation; a step that
changes no part of it costs a comparison.

Nothing is allocated here. Where an entry is missing or an array is full the search returns and says which; called again it
goes on there. The same functions run uncompiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from .calls import (
    ALL_STATES,
    ALL_TERMINALS,
    ALL_TRANSITIONS,
    ASK_A,
    ASK_B,
    ASK_C,
    CURSOR,
    DEPTH,
    DONE,
    FILLED,
    INSERTED,
    LEVEL_END,
    MANY_STATES,
    MANY_SUCCESSORS,
    MANY_TARGETS,
    MANY_TERMINALS,
    MOST,
    NO_DELIVERY,
    NO_OBSERVATION,
    NO_OUTCOMES,
    NO_PAIR,
    NOT_FORWARD,
    PAUSE,
    STALE,
    STATES,
    TARGETS,
    TERMINALS,
    TRANSITIONS,
)  # fmt: skip
from .choosing import EVERYONE, by_outcome, closed_set, which_steps
from .jit import jit
from .packed import change, find_pair, hash_of, mix, number_in, rows_at
from .records import BASE, BECOMES, FAILURES, FAULT, FLAGS, LIMIT, NONE, ROW, SENDS, SLOT, TURNS

BATCH = 2048  # successors; fewer, and going back and forth shows; more, and they leave the cache
FAR, NEAR = 24, 8  # how much later: whose place in the visited set is asked for, whose stored twin

_32 = np.uint64(32)
_1 = np.uint64(1)
LOW = np.uint64(0xFFFFFFFF)


if config.DISABLE_JIT:

    def prefetch(array: Any, index: Any) -> None:
        """Nothing to fetch ahead of an interpreter."""

else:

    @intrinsic
    def prefetch(_: Any, array: Any, index: Any) -> Any:
        """Asks for the cache line of array[index], for reading and writing soon."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = signature.args[0]
            view = context.make_array(kind)(context, builder, arguments[0])
            byte_pointer = ir.IntType(8).as_pointer()
            i32 = ir.IntType(32)
            offset = builder.mul(arguments[1], cgutils.unpack_tuple(builder, view.strides)[0])
            pointer = builder.gep(builder.bitcast(view.data, byte_pointer), [offset])
            function_type = ir.FunctionType(ir.VoidType(), [byte_pointer, i32, i32, i32])
            function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0")
            builder.call(function, [pointer, i32(1), i32(3), i32(1)])
            return context.get_dummy_value()

        return types.void(array, index), generate


@jit(inline="always", counts=False)
def hash_vector(vector: Any) -> Any:
    """A hash of small integers."""
    h = _1
    for k in range(len(vector)):
        h = mix(h, np.uint64(vector[k]))
    return h


@jit(counts=False)
def find_observation(index: Any, vectors: Any, vector: Any) -> Any:
    """The number of an observation, or -1. `index` is open-addressing over numbers + 1."""
    wrap = np.uint64(len(index) - 1)
    at = hash_vector(vector) & wrap
    while index[at] != 0:
        number = index[at] - 1
        same = True
        for k in range(len(vector)):
            same &= vectors[number, k] == vector[k]
        if same:
            return number
        at = (at + _1) & wrap
    return -1


@jit(counts=False)
def enter_observation(index: Any, vector: Any, number: Any) -> None:
    """Puts the number of a new observation into the index."""
    wrap = np.uint64(len(index) - 1)
    at = hash_vector(vector) & wrap
    while index[at] != 0:
        at = (at + _1) & wrap
    index[at] = number + 1


@jit(inline="always", counts=False)
def place_of(width: Any, keys: Any, visited: Any, words: Any, k: Any, h: Any) -> Any:
    """Where key k of `words` stands in the visited set, or the empty place (0) where it would. Keys are compared whole."""
    wrap = np.uint64(len(visited) - 1)
    at = h & wrap
    tag = h >> _32
    while visited[at] != 0:
        if visited[at] >> _32 == tag:
            number = np.int64(visited[at] & LOW) - 1
            same = True
            for w in range(len(width)):
                same &= keys[np.uint64(number * len(width) + w)] == words[np.uint64(k * len(width) + w)]
            if same:
                return at
        at = (at + _1) & wrap
    return at


@jit(inline="always", counts=False)
def store_at(width: Any, states: Any, visited: Any, at: Any, words: Any, k: Any, h: Any, number: Any) -> None:
    """Puts state k of `words` into the empty place of the visited set, under this number."""
    visited[at] = ((h >> _32) << _32) | np.uint64(number + 1)
    for w in range(len(width)):
        states[np.uint64(number * len(width) + w)] = words[np.uint64(k * len(width) + w)]


@jit(counts=False)
def rehash(width: Any, keys: Any, count: Any, visited: Any) -> None:
    """Fills an empty visited set with the keys of the states known so far."""
    for k in range(count):
        h = hash_of(width, keys, k * len(width))
        visited[place_of(width, keys, visited, keys, k, h)] = ((h >> _32) << _32) | np.uint64(k + 1)


@jit(inline="always", counts=False)
def note(firsts: Any, wrong: Any, number: Any, ordinal: Any) -> None:
    """Keeps where each property in the mask `wrong` failed first: the state, and the transition out of it or -1."""
    fresh = wrong & ~firsts[0, 0]
    firsts[0, 0] |= fresh
    bit = 0
    while fresh:
        if fresh & 1:
            firsts[bit + 1, 0], firsts[bit + 1, 1] = number, ordinal
        fresh >>= 1
        bit += 1


@jit(counts=False)
def least_twin(world: Any, slots: Any, words: Any, keys: Any, spare: Any, k: Any) -> Any:
    """Writes the least of the twins of state k of `words`, as a tuple of words, into `keys` at k. Returns its hash."""
    width = len(world.width)
    begin = k * width
    for w in range(width):
        keys[begin + w] = words[begin + w]
    for g in range(1, world.turns.shape[0]):
        for w in range(width):
            spare[w] = 0
        for slot in range(world.turns.shape[1]):
            change(spare, 0, slots, slot, number_in(words, begin, slots, world.turns[g, slot]))
        for w in range(width):
            if spare[w] != keys[begin + w]:
                if spare[w] < keys[begin + w]:
                    for v in range(w, width):
                        keys[begin + v] = spare[v]
                break
    return hash_of(world.width, keys, begin)


@jit(counts=False)
def twins(world: Any, slots: Any, words: Any, k: Any) -> Any:
    """How many states are in the orbit of state k of `words`: by the orbit-stabiliser theorem, as many as there are
    permutations for each one that leaves it as it is."""
    begin = k * len(world.width)
    keeping = 0
    for g in range(world.turns.shape[0]):
        same = True
        for slot in range(world.turns.shape[1]):
            same &= number_in(words, begin, slots, slot) == number_in(words, begin, slots, world.turns[g, slot])
        keeping += same
    return world.turns.shape[0] // keeping


@jit(counts=False)
def expand(world: Any, table: Any, observations: Any, store: Any, batch: Any, counters: Any, last: Any) -> int:
    """Writes the successors of the states from counters[CURSOR] on, but not of `last`, into the batch, until it is half full.

    Returns DONE, or what is missing: then nothing of that state stays in the batch, and it is to be expanded again.
    """
    width = len(world.width)
    offset = len(world.environment)
    slots, rows, seen, states, words = table.slots, table.rows, observations.seen, store.states, batch.words
    room = len(batch.hashes)
    filled = counters[FILLED]
    already = counters[TARGETS] - filled
    most = min(room // 2, counters[MOST] - counters[STATES])  # enough in the batch to reach the limit
    environment = 0
    missing = DONE

    for source in range(counters[CURSOR], last):
        if filled > most:
            break
        here = source * width
        if offset:
            environment = number_in(states, here, slots, 0)
        begin = filled
        ordinal = taken = 0
        terminal = True
        chosen = np.int64(EVERYONE)
        if len(world.reduced) and not (offset or by_outcome(world)):
            chosen = closed_set(
                world.actors, 0, world.ports, world.senders, slots, table.empty, observations.weights, states, here,
                batch.weights, batch.before, batch.needs,
            )  # fmt: skip
        if len(world.reduced) and chosen == EVERYONE:
            chosen = np.int64(which_steps(world, table, observations, states, here, environment, batch, counters))
        if chosen < EVERYONE:
            missing = -int(chosen)
            break
        if len(world.reduced):
            store.chosen[source] = chosen
        some = len(world.reduced) > 0 and not by_outcome(world) and chosen != (np.int64(1) << world.actors) - 1

        for slot in range(offset, offset + world.actors):
            if some:
                if not chosen >> (slot - offset) & 1:
                    continue
                ordinal = batch.before[slot - offset]
            component, row, end = rows_at(world, table, states, here, slot, environment)
            c = np.int64(slots[SLOT * slot + BASE]) + component
            if row == NONE or end == NONE:
                counters[ASK_A], counters[ASK_B], counters[ASK_C] = slot, component, environment
                missing = NO_OUTCOMES
                break
            while row < end:
                if len(world.reduced) and by_outcome(world) and not chosen >> min(ordinal, 62) & 1:
                    ordinal += 1
                    row += 1
                    continue
                taken += 1
                flags = np.int64(rows[ROW * row + FLAGS])
                if flags & FAILURES:
                    note(store.firsts, (flags & FAILURES) << 56, source, ordinal)
                    terminal = False
                    ordinal += 1
                    row += 1
                    continue
                if filled == room:
                    missing = MANY_SUCCESSORS
                    break

                # the state afterwards: replace, then deliver in the order of sending
                there = filled * width
                for w in range(width):
                    words[np.uint64(there + w)] = states[np.uint64(here + w)]
                becomes = np.int64(rows[ROW * row + BECOMES])
                if becomes >= slots[SLOT * slot + LIMIT]:
                    missing = STALE
                    break
                change(words, there, slots, slot, component ^ becomes)
                moved = seen[c] != seen[c - component + becomes]
                if offset:
                    turns = np.int64(rows[ROW * row + TURNS])
                    if turns >= slots[LIMIT]:
                        missing = STALE
                        break
                    change(words, there, slots, 0, environment ^ turns)
                    moved |= observations.seen_environment[environment] != observations.seen_environment[turns]
                for s in range(np.int64(rows[ROW * row + SENDS]), np.int64(rows[ROW * row + ROW + SENDS])):
                    port, message = np.int64(table.sent[2 * s]), np.int64(table.sent[2 * s + 1])
                    link = 2 * ((slot - offset) * world.ports + port)
                    to, in_port = np.int64(world.links[np.uint64(link)]), np.int64(world.links[np.uint64(link + 1)])
                    old = number_in(words, there, slots, to)
                    d = np.int64(slots[SLOT * to + BASE]) + old
                    event = np.int64(table.event[np.uint64(message * world.ports + in_port)])
                    new = np.int64(table.push[np.uint64(d * table.events + event)])
                    if new >= slots[SLOT * to + LIMIT]:
                        counters[ASK_A], counters[ASK_B], counters[ASK_C] = to, old, message * world.ports + in_port
                        missing = NO_DELIVERY if new == NONE else STALE
                        break
                    change(words, there, slots, to, old ^ new)
                    moved |= seen[d] != seen[d - old + new]
                if missing != DONE:
                    break

                # into the batch, unless nothing changed
                different = False
                h = np.uint64(0)
                for w in range(width):
                    word = words[np.uint64(there + w)]
                    different |= word != states[np.uint64(here + w)]
                    h = mix(h, word)
                if different:
                    terminal &= (flags & FAULT) != 0
                    if len(world.symmetric):
                        h = least_twin(world, slots, words, batch.keys, batch.spare, filled)
                    batch.hashes[np.uint64(filled)] = h
                    batch.sources[np.uint64(filled)] = source
                    batch.marks[np.uint64(filled)] = ordinal + ordinal + moved
                    filled += 1
                ordinal += 1
                row += 1
            if missing != DONE:
                break

        if missing == DONE and terminal and counters[TERMINALS] == len(store.terminals):
            missing = MANY_TERMINALS
        if missing != DONE:
            filled = begin
            break
        if terminal:
            store.terminals[counters[TERMINALS]] = source
            counters[TERMINALS] += 1
        store.edges_begin[source] = already + begin
        counters[TRANSITIONS] += taken
        if len(world.symmetric):
            count = twins(world, slots, states, source)
            counters[ALL_TRANSITIONS] += taken * count
            counters[ALL_TERMINALS] += terminal * count
        counters[CURSOR] += 1

    counters[FILLED] = filled
    counters[TARGETS] = already + filled
    return missing


@jit(counts=False)
def insert(world: Any, slots: Any, observations: Any, store: Any, batch: Any, counters: Any) -> int:
    """Inserts what waits in the batch, in the order of generation. Returns DONE, or what is missing.

    All sources in a batch stand on one level of the breadth-first order, so a target known before the end of that level leads
    no deeper: only then can there be a cycle.
    """
    states, keys, observed, visited, words = store.states, store.keys, store.observed, store.visited, batch.words
    filled, count, level_end = counters[FILLED], counters[STATES], counters[LEVEL_END]
    first_target = counters[TARGETS] - filled
    wrap = np.uint64(len(visited) - 1)
    not_forward = 0
    missing = DONE
    if count + filled - counters[INSERTED] > len(store.parents):
        return MANY_STATES
    if store.keeps_targets and counters[TARGETS] > len(store.targets):
        return MANY_TARGETS

    k = counters[INSERTED]
    while k < filled:
        if k + FAR < filled:
            prefetch(visited, batch.hashes[np.uint64(k + FAR)] & wrap)
        if k + NEAR < filled:
            entry = visited[batch.hashes[np.uint64(k + NEAR)] & wrap] & LOW
            if entry:
                prefetch(keys, (np.int64(entry) - 1) * len(world.width))
        h = batch.hashes[np.uint64(k)]
        at = place_of(world.width, keys, visited, batch.keys, k, h)
        new = visited[at] == 0
        number = count if new else np.int64(visited[at] & LOW) - 1
        source = np.int64(batch.sources[np.uint64(k)])
        visible = np.int64(observed[source])
        mark = np.int64(batch.marks[np.uint64(k)])
        if mark & 1:
            before = visible
            if new or (
                len(world.symmetric) and observations.watches_steps
            ):  # what is known may be a twin, and look otherwise
                look(world, slots, observations, words, k * len(world.width), batch.vector)
                visible = find_observation(observations.index, observations.vectors, batch.vector)
                if visible < 0:
                    missing = NO_OBSERVATION
                    break
            else:
                visible = np.int64(observed[np.uint64(number)])
            if observations.watches_steps and visible != before:
                pair = find_pair(observations.pair_key, before, visible)
                if observations.pair_key[pair] == 0:
                    counters[ASK_A], counters[ASK_B] = before, visible
                    missing = NO_PAIR
                    break
                if observations.pair_wrong[pair, 0]:
                    note(store.firsts, observations.pair_wrong[pair, 0], source, mark >> 1)
        if new:
            store_at(world.width, states, visited, at, words, k, h, number)
            if len(world.symmetric):
                for w in range(len(world.width)):
                    keys[number * len(world.width) + w] = batch.keys[k * len(world.width) + w]
                counters[ALL_STATES] += twins(world, slots, words, k)
            store.parents[np.uint64(number)] = source
            observed[np.uint64(number)] = visible
            count += 1
            if observations.wrong[np.uint64(visible)]:
                note(store.firsts, observations.wrong[visible], number, -1)
        not_forward += number < level_end
        if store.keeps_targets:
            store.targets[np.uint64(first_target + k)] = number
        k += 1

    counters[STATES] = count
    counters[INSERTED] = k
    counters[NOT_FORWARD] += not_forward
    if missing == DONE:
        counters[FILLED] = counters[INSERTED] = 0
    return missing


@jit(counts=False)
def look(world: Any, slots: Any, observations: Any, words: Any, begin: Any, vector: Any) -> None:
    """Writes what properties see of the state at words[begin] into the vector."""
    for p in range(world.actors):
        slot = world.presented[p]
        c = np.int64(slots[SLOT * slot + BASE]) + number_in(words, begin, slots, slot)
        vector[p] = observations.seen[c]
    vector[world.actors] = 0
    if len(world.environment):
        vector[world.actors] = observations.seen_environment[number_in(words, begin, slots, 0)]


@jit(counts=False)
def search(world: Any, table: Any, observations: Any, store: Any, batch: Any, counters: Any, budget: Any) -> int:
    """Explores until everything is visited or something is missing; returns which. PAUSE after `budget` states."""
    pause = counters[CURSOR] + budget
    while True:
        missing = insert(world, table.slots, observations, store, batch, counters)
        if missing != DONE:
            return missing
        if counters[CURSOR] == counters[STATES]:
            return DONE
        if counters[CURSOR] == counters[LEVEL_END]:
            counters[LEVEL_END] = counters[STATES]
            counters[DEPTH] += 1
        if counters[CURSOR] == pause or counters[STATES] > counters[MOST]:
            return PAUSE
        last = min(counters[LEVEL_END], pause)
        missing = expand(world, table, observations, store, batch, counters, last)
        if missing != DONE and not (missing == MANY_SUCCESSORS and counters[FILLED]):
            return missing
