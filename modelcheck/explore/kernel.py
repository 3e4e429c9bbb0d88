"""The hot loop: exploring one world by table look-ups alone.

A state is `slots` small integers, packed `per_word` to a 64-bit word, W words a state:

    without an environment     component_0 | component_1 | ... | component_{n-1}
    with one                   environment | component_0 | ... | component_{n-1}

What a step does is read off tables that Python fills, an entry at a time, when it is first asked for (tables.py):

    outcomes of a component   span[c] = first, end            rows of the outcome table; -1: not tabulated yet
      (with an environment    a hash table from environment and component to the same two numbers)
      row r                   rows[r, BECOMES]                the component afterwards
                              rows[r, TURNS]                  the environment afterwards
                              rows[r, FLAGS]                  1 fault, 2 assertion, 4 exception, 8 unspecified reception
                              rows[r, SENDS] .. of r + 1      rows of the send table: out-port, message
    delivery                  event[message, in_port]         a number for the pair; -1: none yet
                              push[c, event]                  the component after it; -1: not tabulated yet
    links of the world        target[process, out_port], arrival[process, out_port]

What is read together lies together: one cache line for a component's outcomes, one for all deliveries to it.

What properties see of a state is a vector of small integers, one for each process in the order in which they see them
(`seen[c]`), and the environment's: the observation. Verdicts are remembered for each distinct observation; a step that changes no part of it costs nothing.

States are numbered in breadth-first order, exactly as the reference engine numbers them: successors are generated into
a batch, their places in the visited set prefetched, and inserted in the order of generation. The visited set is
open-addressing over state numbers and compares whole states: a tag in the entry only saves most of the comparisons.
Nothing is allocated here. When an entry is missing, or an array is full, `search` puts back what it had done of the current
state and returns the reason; called again it goes on there. The same functions run uncompiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

# Why search returned.
(
    DONE,
    NO_OUTCOMES,
    NO_DELIVERY,
    NO_OBSERVATION,
    NO_PAIR,
    FULL,
    MANY_TERMINALS,
    MANY_TARGETS,
    STALE,
    PAUSE,
    MANY_CHANGES,
) = range(11)

# Places in the array of counters that search reads and updates.
CURSOR, STATES, TRANSITIONS, LEVEL_END, DEPTH, TERMINALS, TARGETS, NOT_FORWARD, ASK_A, ASK_B, MOST = range(11)
COUNTERS = 11

# Columns of the outcome table.
BECOMES, TURNS, FLAGS, SENDS = range(4)
FAULT = 1
FAILURES = 2 | 4 | 8
BATCH = 512

_A, _B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_32, _29 = np.uint64(32), np.uint64(29)
_1 = np.uint64(1)
_LOW = np.uint64(0xFFFFFFFF)


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
            pointer = cgutils.get_item_pointer(context, builder, kind, view, [arguments[1]], wraparound=False)
            byte_pointer = ir.IntType(8).as_pointer()
            i32 = ir.IntType(32)
            function_type = ir.FunctionType(ir.VoidType(), [byte_pointer, i32, i32, i32])
            function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0")
            builder.call(function, [builder.bitcast(pointer, byte_pointer), i32(1), i32(3), i32(1)])
            return context.get_dummy_value()

        return types.void(array, index), generate


@njit(cache=True, nogil=True, inline="always")
def mix(h: Any, word: Any) -> Any:
    """One word more into a hash (multiply, xor, shift: after SplitMix64, Steele et al. 2014)."""
    h = (h ^ word) * _A
    h ^= h >> _32
    h *= _B
    return h ^ (h >> _29)


if config.DISABLE_JIT:
    mix = np.errstate(over="ignore")(mix)  # products modulo 2^64 are what is meant


@njit(cache=True, nogil=True, inline="always")
def find_pair(keys: Any, a: Any, b: Any) -> Any:
    """Where the pair stands in an open-addressing table of pairs, or the empty place (key 0) where it would."""
    key = ((np.uint64(a) << _32) | np.uint64(b)) + _1
    wrap = np.uint64(len(keys) - 1)
    at = mix(_1, key) & wrap
    while keys[at] != 0 and keys[at] != key:
        at = (at + _1) & wrap
    return at


@njit(cache=True, nogil=True, inline="always")
def hash_vector(vector: Any) -> Any:
    """A hash of small integers."""
    h = _1
    for k in range(len(vector)):
        h = mix(h, np.uint64(vector[k]))
    return h


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def enter_observation(index: Any, vector: Any, number: Any) -> None:
    """Puts the number of a new observation into the index."""
    wrap = np.uint64(len(index) - 1)
    at = hash_vector(vector) & wrap
    while index[at] != 0:
        at = (at + _1) & wrap
    index[at] = number + 1


@njit(cache=True, nogil=True, inline="always")
def place_of(width: Any, states: Any, visited: Any, words: Any, k: Any, h: Any) -> Any:
    """Where state words[k] stands in the visited set, or the empty place (0) where it would. States are compared whole."""
    wrap = np.uint64(len(visited) - 1)
    at = h & wrap
    tag = h >> _32
    while visited[at] != 0:
        if visited[at] >> _32 == tag:
            number = np.int64(visited[at] & _LOW) - 1
            same = True
            for w in range(len(width)):
                same &= states[number, w] == words[k, w]
            if same:
                return at
        at = (at + _1) & wrap
    return at


@njit(cache=True, nogil=True)
def insert(width: Any, states: Any, visited: Any, words: Any, k: Any, h: Any, next_number: Any) -> Any:
    """The number of state words[k]; next_number if it is new, and then it is stored."""
    at = place_of(width, states, visited, words, k, h)
    if visited[at] != 0:
        return np.int64(visited[at] & _LOW) - 1
    visited[at] = ((h >> _32) << _32) | np.uint64(next_number + 1)
    for w in range(len(width)):
        states[next_number, w] = words[k, w]
    return next_number


@njit(cache=True, nogil=True)
def rehash(width: Any, states: Any, count: Any, visited: Any) -> None:
    """Fills an empty visited set with the states known so far."""
    for k in range(count):
        h = np.uint64(0)
        for w in range(len(width)):
            h = mix(h, states[k, w])
        visited[place_of(width, states, visited, states, k, h)] = ((h >> _32) << _32) | np.uint64(k + 1)


@njit(cache=True, nogil=True, inline="always")
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


@njit(cache=True, nogil=True)
def flush(width: Any, filled: Any, counters: Any, store: Any, visited: Any, batch: Any, wrong_of: Any, firsts: Any,
          records: Any, targets: Any) -> None:  # fmt: skip
    """Inserts the first `filled` states of the batch. All their sources stand on one level of the breadth-first order,
    so a target known before the end of that level leads no deeper: only then can there be a cycle."""
    states, parents, observed = store
    words, hashes, sources, visible, places = batch
    for k in range(filled):
        number = insert(width, states, visited, words, k, hashes[k], counters[STATES])
        if number == counters[STATES]:
            parents[number] = sources[k]
            observed[number] = visible[k]
            counters[STATES] += 1
            wrong = wrong_of[visible[k]]
            if wrong:
                note(firsts, wrong, number, -1)
        elif number < counters[LEVEL_END]:
            counters[NOT_FORWARD] += 1
        if records:
            targets[places[k]] = number


@njit(cache=True, nogil=True)
def has_cycle(begin: Any, targets: Any, count: Any, degree: Any, ready: Any) -> bool:
    """Whether the recorded transitions have a cycle: states that nothing leads to are taken away, again and again, and
    a cycle is what would be left (Kahn 1962). `degree` and `ready` have room for a number a state."""
    degree[:count] = 0
    for k in range(begin[count]):
        degree[targets[k]] += 1
    end = 0
    for k in range(count):
        if degree[k] == 0:
            ready[end] = k
            end += 1
    at = 0
    while at < end:
        source = ready[at]
        at += 1
        for k in range(begin[source], begin[source + 1]):
            target = targets[k]
            degree[target] -= 1
            if degree[target] == 0:
                ready[end] = target
                end += 1
    return bool(end < count)


@njit(cache=True, nogil=True)
def search(
    width: Any, shape: Any, known: Any, packing: Any, counters: Any, links: Any, store: Any, edges: Any, visited: Any, table: Any, push: Any,
    sight: Any, batch: Any, scratch: Any, terminals: Any, firsts: Any, budget: Any,
) -> int:  # fmt: skip
    """Explores until everything is visited or something is missing; returns which.

    width    a tuple as long as a state has words, so that the compiler knows
    shape    n, P, has environment, records targets, watches steps
    known    rows, sends, components, environments: what these arrays were made for. Another thread may have tabulated
             more since; whatever leads beyond is STALE, and search is called again with the arrays of now
    packing  word_of[slot], shift_of[slot], the mask of a slot
    store    states[number, word], parents[number], observed[number]
    edges    targets, and where those of each state begin
    budget   how many states to expand before returning PAUSE

    counters[MOST] is the limit on states: no state is expanded once more are known, exactly as in the reference engine.
    """
    n, ports, has_environment, records, watches = shape
    known_rows, known_sends, known_components, known_environments = known
    word_of, shift_of, mask = packing
    target_of, arrival_of, presented = links
    states, parents, observed = store
    targets, edges_begin = edges
    span, pair_key, pair_span, rows, sent, event_of = table
    seen, seen_environment, obs_index, obs_vectors, obs_wrong, step_key, step_wrong = sight
    words, hashes, sources, visibles, places = batch
    slot, touched, before, vector = scratch
    slots = len(word_of)
    offset = slots - n
    wrap = np.uint64(len(visited) - 1)
    room = len(hashes)
    filled = 0
    most, given = counters[MOST], budget
    if counters[STATES] + room > len(parents):  # each return may have inserted some
        return FULL

    while True:
        # --- at the end of a level, with a full batch, or near the limit: insert what was generated
        if (
            counters[CURSOR] == counters[LEVEL_END]
            or filled + filled >= room
            or budget <= 0
            or counters[STATES] + filled > most
        ):
            flush(width, filled, counters, store, visited, batch, obs_wrong, firsts, records, targets)
            filled = 0
            if counters[CURSOR] == counters[STATES]:
                return DONE
            if counters[CURSOR] == counters[LEVEL_END]:
                counters[LEVEL_END] = counters[STATES]
                counters[DEPTH] += 1
            if budget <= 0 or (counters[STATES] > most and budget < given):  # a state once begun is expanded to its end
                return PAUSE
            if counters[STATES] + room > len(parents):
                return FULL

        # --- unpack the next state
        source = counters[CURSOR]
        for s in range(slots):
            slot[s] = np.int64((states[source, word_of[s]] >> shift_of[s]) & mask)
        environment = slot[0] if has_environment else 0
        seen_here = observed[source]
        kept = filled  # of the batch belongs to the states before
        place = counters[TARGETS]
        ordinal = 0
        terminal = True
        missing = DONE

        # --- every outcome of every process
        for process in range(n):
            here = process + offset
            component = slot[here]
            if has_environment:
                at = find_pair(pair_key, environment, component)
                row = np.int64(pair_span[at, 0]) if pair_key[at] != 0 else -1
                end = np.int64(pair_span[at, 1])
            else:
                row, end = np.int64(span[component, 0]), np.int64(span[component, 1])
            if row < 0:
                counters[ASK_A], counters[ASK_B] = environment, component
                missing = NO_OUTCOMES
                break
            if end > known_rows or rows[end, SENDS] > known_sends:
                missing = STALE
                break
            while row < end and missing == DONE:
                flags = rows[row, FLAGS]
                if flags & FAILURES:
                    note(firsts, np.int64(flags & FAILURES) << 56, source, ordinal)
                    terminal = False
                    ordinal += 1
                    row += 1
                    continue

                # the state afterwards: replace, then deliver in the order of sending
                sent_from, sent_to = np.int64(rows[row, SENDS]), np.int64(rows[row + 1, SENDS])
                if sent_to - sent_from + 2 > len(touched):
                    counters[ASK_A] = sent_to - sent_from + 2
                    missing = MANY_CHANGES
                    break
                becomes, turns = np.int64(rows[row, BECOMES]), np.int64(rows[row, TURNS])
                if becomes >= known_components or turns >= known_environments:
                    missing = STALE
                    break
                for w in range(len(width)):
                    words[filled, w] = states[source, w]
                changes = 0
                if has_environment and turns != environment:
                    words[filled, word_of[0]] ^= np.uint64(environment ^ turns) << shift_of[0]
                    touched[0], before[0] = 0, environment
                    slot[0] = turns
                    changes = 1
                if becomes != component:
                    words[filled, word_of[here]] ^= np.uint64(component ^ becomes) << shift_of[here]
                    touched[changes], before[changes] = here, component
                    slot[here] = becomes
                    changes += 1
                for s in range(sent_from, sent_to):
                    port, message = sent[s, 0], sent[s, 1]
                    there = target_of[process, port] + offset
                    in_port = arrival_of[process, port]
                    old = slot[there]
                    event = event_of[message, in_port] if message < len(event_of) else -1
                    new = np.int64(push[old, event]) if 0 <= event < push.shape[1] else -1
                    if new < 0:
                        counters[ASK_A], counters[ASK_B] = old, message * ports + in_port
                        missing = NO_DELIVERY
                        break
                    if new >= known_components:
                        missing = STALE
                        break
                    if new != old:
                        words[filled, word_of[there]] ^= np.uint64(old ^ new) << shift_of[there]
                        touched[changes], before[changes] = there, old
                        slot[there] = new
                        changes += 1
                if missing != DONE:
                    break

                # what properties see of it
                moved = False
                for k in range(changes):
                    if has_environment and touched[k] == 0:
                        moved |= seen_environment[before[k]] != seen_environment[slot[0]]
                    else:
                        moved |= seen[before[k]] != seen[slot[touched[k]]]
                visible = np.int64(seen_here)
                if moved:
                    for p in range(n):
                        vector[p] = seen[slot[presented[p]]]
                    vector[n] = seen_environment[slot[0]] if has_environment else 0
                    visible = find_observation(obs_index, obs_vectors, vector)
                    if visible < 0:
                        missing = NO_OBSERVATION
                        break
                    if watches and visible != seen_here:
                        at = find_pair(step_key, seen_here, visible)
                        if step_key[at] == 0:
                            missing = NO_PAIR
                            break
                        if step_wrong[at, 0]:
                            note(firsts, step_wrong[at, 0], source, ordinal)

                # into the batch, unless nothing changed
                different = False
                for w in range(len(width)):
                    different |= words[filled, w] != states[source, w]
                if different:
                    if not flags & FAULT:
                        terminal = False
                    if records and place == len(targets):
                        missing = MANY_TARGETS
                        break
                    h = np.uint64(0)
                    for w in range(len(width)):
                        h = mix(h, words[filled, w])
                    hashes[filled], sources[filled], visibles[filled], places[filled] = h, source, visible, place
                    prefetch(visited, h & wrap)
                    filled += 1
                    place += 1
                for k in range(changes - 1, -1, -1):
                    slot[touched[k]] = before[k]
                ordinal += 1
                row += 1
                if filled == room:  # one state with more successors than the batch holds
                    flush(width, filled, counters, store, visited, batch, obs_wrong, firsts, records, targets)
                    filled = kept = 0
                    if counters[STATES] + room > len(parents):
                        missing = FULL
            if missing != DONE:
                break

        # --- done with this state, or something is missing: then it is expanded again from the start
        if missing == DONE and terminal and counters[TERMINALS] == len(terminals):
            missing = MANY_TERMINALS
        if missing != DONE:
            flush(width, kept, counters, store, visited, batch, obs_wrong, firsts, records, targets)
            return missing
        if terminal:
            terminals[counters[TERMINALS]] = source
            counters[TERMINALS] += 1
        if records:
            edges_begin[source] = counters[TARGETS]
        counters[TRANSITIONS] += ordinal
        counters[TARGETS] = place
        counters[CURSOR] += 1
        budget -= 1
