"""Which steps are explored in a packed state of a world that is reduced: explore/stubborn.py, read off the tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from .calls import ASK_A, ASK_B, ASK_C, NO_OUTCOMES, STALE, UNFORESEEN
from .jit import jit
from .packed import lowest_bit, number_in, rows_at
from .records import (
    ABLE,
    ACTOR,
    BASE,
    BECOMES,
    BRINGS,
    BRINGS_AT,
    EVENTS,
    EVENTS_AT,
    EVER,
    EVER_AT,
    FAILURES,
    FIELDS,
    FIELDS_AT,
    FLAGS,
    FOUND,
    FULL,
    ITS_EVENTS,
    KNOWN,
    LANES,
    LANES_AT,
    LEFT,
    LIMIT,
    MEETS_AT,
    NEW,
    NONE,
    NOW,
    OUTCOMES,
    OUTLETS,
    RECEIVED,
    ROW,
    SENDS,
    SHOWS,
    SLOT,
    TRIED,
    VAIN,
    WEIGHT,
)

EVERYONE = -1  # as a mask, of processes or of outcomes; what is missing is told by numbers below it
MOST = 62  # outcomes in a mask, as in stubborn.py


@jit(counts=False)
def weigh(
    world: Any, table: Any, observations: Any, states: Any, here: Any, slot: Any, environment: Any, counters: Any
) -> Any:
    """What a slot of the state at states[here] can do: how many OUTCOMES it has, how many of them change something, times WEIGHT, and KNOWN,
    SHOWS where properties may see one, VAIN where one sends and changes nothing else. Kept where no environment has a say. What is missing, with the sign turned, where
    something is."""
    slots, rows, seen, watched = table.slots, table.rows, observations.seen, observations.watched
    component, row, end = rows_at(world, table, states, here, slot, environment)
    c = np.int64(slots[SLOT * slot + BASE]) + component
    if row == NONE or end == NONE:
        counters[ASK_A], counters[ASK_B], counters[ASK_C] = slot, component, environment
        return np.int64(-NO_OUTCOMES)
    steps, found = np.int64(0), np.int64(KNOWN) + OUTCOMES * (end - row)
    while row < end:
        becomes = np.int64(rows[ROW * row + BECOMES])
        if becomes >= slots[SLOT * slot + LIMIT]:
            return np.int64(-STALE)
        flags = np.int64(rows[ROW * row + FLAGS])
        if flags & FAILURES:
            steps += 1
        elif becomes != component:
            steps += 1
            show = seen[c] != seen[c - component + becomes]
            received = flags >> RECEIVED
            if received > len(watched):
                return np.int64(-STALE)
            show |= received > 0 and watched[received - 1] != 0
            for s in range(np.int64(rows[ROW * row + SENDS]), np.int64(rows[ROW * row + ROW + SENDS])):
                message = np.int64(table.sent[2 * s + 1])
                if message >= len(watched):
                    return np.int64(-STALE)
                show |= watched[message] != 0
            if show:
                found |= SHOWS
        elif rows[ROW * row + SENDS] != rows[ROW * row + ROW + SENDS]:
            found |= VAIN
        row += 1
    found += WEIGHT * steps
    if not len(world.environment):
        observations.weights[c] = found
    return found


@jit(counts=False)
def chosen_processes(
    world: Any, table: Any, observations: Any, states: Any, here: Any, environment: Any, batch: Any, counters: Any
) -> Any:
    """Whose steps are explored in the state at states[here], as a mask: stubborn.Stubborn.chosen, read off the tables. What is missing,
    with the sign turned, where something is."""
    everyone = (np.int64(1) << world.actors) - 1
    if len(world.environment) and not table.spent[environment]:
        return everyone
    for actor in range(world.actors):
        weight = weigh(world, table, observations, states, here, actor + len(world.environment), environment, counters)
        if weight < 0:
            return weight
        if weight & VAIN:
            return everyone  # it changes others alone, or nothing: whether it does depends on them
        batch.weights[actor] = weight
    return closed_set(
        world.actors, len(world.environment), world.ports, world.senders, table.slots, table.empty, batch.weights[:0],
        states, here, batch.weights, batch.before, batch.needs,
    )  # fmt: skip


@jit(counts=False)
def closed_set(
    actors: Any, offset: Any, ports: Any, senders: Any, slots: Any, empty_ports: Any, known: Any, states: Any, here: Any,
    weights: Any, before: Any, needs: Any,
) -> Any:  # fmt: skip
    """The same, for actors of these `weights`; or where these are `known` of each component. EVERYONE where one is not known yet, or VAIN.

    It is given the arrays that it needs, and not all there are: that costs more than what it does."""
    acts = shows = fewest = outcomes = np.int64(0)
    for actor in range(actors):
        slot = actor + offset
        c = np.int64(slots[SLOT * slot + BASE]) + number_in(states, here, slots, slot)
        weight = np.int64(weights[actor])
        if len(known):
            weight = weights[actor] = np.int64(known[c])
            if not weight or weight & VAIN:
                return np.int64(EVERYONE)
        before[actor] = outcomes
        outcomes += weight // OUTCOMES
        steps = weight % OUTCOMES // WEIGHT
        fewest += steps
        acts |= np.int64(steps > 0) << actor
        shows |= np.int64(weight & SHOWS != 0) << actor
        brings = np.int64(0)
        empty = np.int64(empty_ports[c])
        while empty:
            brings |= np.int64(1) << senders[actor * ports + lowest_bit(empty)]
            empty &= empty - 1
        needs[actor] = brings

    best = (np.int64(1) << actors) - 1
    while acts and fewest > 1:
        closed = new = acts & -acts
        acts ^= new
        steps = np.int64(0)
        while new:  # given up where it is of no use
            other = lowest_bit(new)
            new &= new - 1
            steps += weights[other] % OUTCOMES // WEIGHT
            if shows >> other & 1 or steps >= fewest:
                steps = fewest
                break
            new |= needs[other] & ~closed
            closed |= needs[other]
        if steps < fewest:
            best, fewest = closed, steps
    return best


@jit(inline="always", counts=False)
def by_outcome(world: Any) -> Any:
    """Whether outcomes are chosen in this world, and not processes."""
    return len(world.within.lane) > 0


@jit(counts=False)
def chosen_outcomes(world: Any, table: Any, states: Any, here: Any, batch: Any, counters: Any) -> Any:
    """Which outcomes are explored in the state at states[here], as a mask: stubborn.StubbornWithin.chosen, read off the tables. What is
    missing, with the sign turned, where something is."""
    actors, field_numbers, event_numbers = world.within.actors, world.within.field, world.within.event
    lane_of, shows, meets = world.within.lane, world.within.shows, world.within.meets
    brought, ever, brings = world.within.brought, world.within.ever, world.within.brings
    rows, slots, now, steps, offers = table.rows, table.slots, batch.now, batch.lanes, batch.offers
    taken, waits, waiting, field = table.taken, table.waits, table.waiting, table.field
    fewest = offered = 0
    for actor in range(world.actors):
        component, row, end = rows_at(world, table, states, here, actor, 0)
        c = np.int64(slots[SLOT * actor + BASE]) + component
        if row == NONE or end == NONE:
            counters[ASK_A], counters[ASK_B], counters[ASK_C] = actor, component, 0
            return -NO_OUTCOMES
        at = ACTOR * actor
        f = np.int64(-1)
        if field[c] != NONE:
            f = number_of(field_numbers, actors[at + FIELDS_AT], actors[at + FIELDS], field[c])
            if f < 0:
                return -UNFORESEEN
        able = empty = np.int64(0)
        while row < end:
            becomes = np.int64(rows[ROW * row + BECOMES])
            if becomes >= slots[SLOT * actor + LIMIT]:
                return -STALE
            offer = -1
            if np.int64(rows[ROW * row + FLAGS]) & FAILURES or becomes != component:
                event = number_of(event_numbers, actors[at + EVENTS_AT], actors[at + EVENTS], taken[row])
                if event < 0:
                    return -UNFORESEEN
                lane = lane_of[actors[at + LANES_AT] + event]
                offer = LANES * actor + lane
                if not able >> lane & 1:
                    able |= np.int64(1) << lane
                    entry = actors[at + MEETS_AT] + actors[at + ITS_EVENTS] * f + event
                    steps[3 * offer], steps[3 * offer + 1], steps[3 * offer + 2] = 0, shows[entry], meets[entry]
                steps[3 * offer] += 1
                fewest += 1
            elif rows[ROW * row + SENDS] != rows[ROW * row + ROW + SENDS]:
                return EVERYONE  # it changes others alone, or nothing: whether it does depends on them
            if offered < MOST:
                offers[offered] = offer
            offered += 1
            row += 1
        for k in range(np.int64(waits[2 * c]), np.int64(waits[2 * c + 1])):
            event = number_of(event_numbers, actors[at + EVENTS_AT], actors[at + EVENTS], waiting[k])
            if event < 0:
                return -UNFORESEEN
            empty |= np.int64(1) << lane_of[actors[at + LANES_AT] + event]
        at = NOW * actor
        now[at + ABLE], now[at + FULL], now[at + TRIED], now[at + LEFT] = able, empty, 0, 0
        now[at + EVER] = ever[actors[ACTOR * actor + EVER_AT] + f] if f >= 0 else 0
        now[at + BRINGS] = actors[ACTOR * actor + BRINGS_AT] + actors[ACTOR * actor + OUTLETS] * f if f >= 0 else -1
    if offered > MOST:
        return EVERYONE

    best, least = fewest, np.int64(0)
    for k in range(offered if fewest > 1 else 0):
        if offers[k] < 0:
            continue
        actor, seed = offers[k] // LANES, np.int64(1) << offers[k] % LANES
        if (now[NOW * actor + TRIED] | now[NOW * actor + LEFT]) & seed:
            continue
        count = closure(world.actors, brought, brings, steps, now, actor, seed, best)
        if count < 0:
            now[NOW * actor + LEFT] |= seed
            continue
        now[NOW * actor + TRIED] |= seed
        if count <= best and count < fewest:
            chosen = np.int64(0)
            for j in range(offered):
                if offers[j] >= 0 and now[NOW * (offers[j] // LANES) + FOUND] >> offers[j] % LANES & 1:
                    chosen |= np.int64(1) << j
            if count < best or chosen < least:
                best, least = count, chosen
            if count == 1:
                break
    return least if best < fewest else np.int64(EVERYONE)


@jit(inline="always", counts=False)
def number_of(numbers: Any, begin: Any, count: Any, theirs: Any) -> Any:
    """The number in this world of what has another one in its family; -1 where it was not foreseen."""
    if np.int64(theirs) >= count:
        return np.int64(-1)
    return numbers[begin + np.int64(theirs)]


@jit(counts=False)
def closure(actors: Any, brought: Any, brings: Any, steps: Any, now: Any, actor: Any, seed: Any, most: Any) -> Any:
    """Leaves in FOUND of each actor its lanes in the least stubborn set that contains one of an actor, `seed` as a mask. Returns how many
    outcomes it has; more than `most` where it is of no use: it has more, or properties may see one. Less than 0 where it contains a
    lane that is still to be tried: what contains that has no fewer outcomes.

    Nor has what contains a lane that was tried fewer than that came to. Of lanes that contain each other the last is tried to its end."""
    for other in range(actors):
        now[NOW * other + FOUND] = now[NOW * other + NEW] = 0
    now[NOW * actor + NEW] = seed
    count, pending = 0, np.int64(1) << actor
    while pending:
        p = lowest_bit(pending)
        at = NOW * p
        if now[at + BRINGS] < 0:
            now[at + NEW] = 0  # it is down
        while now[at + NEW]:
            one = now[at + NEW] & -now[at + NEW]
            lane = LANES * p + lowest_bit(one)
            now[at + FOUND] |= one
            target, more = p, np.int64(0)
            if now[at + ABLE] & one:
                if p != actor or one != seed:
                    if now[at + TRIED] & one:
                        return most + 1
                    if not now[at + LEFT] & one:
                        return -1
                count += steps[3 * lane]
                if count > most or steps[3 * lane + 1]:
                    return most + 1
                more = steps[3 * lane + 2]
            elif brought[2 * lane] < 0 or now[at + FULL] & one:
                more = now[at + EVER]
            else:
                target = brought[2 * lane]
                its = NOW * target
                if brought[2 * lane + 1] >= 0 and now[its + BRINGS] >= 0:
                    more = brings[now[its + BRINGS] + brought[2 * lane + 1]]
            now[at + NEW] ^= one
            now[NOW * target + NEW] |= more & ~now[NOW * target + FOUND]
            if now[NOW * target + NEW]:
                pending |= np.int64(1) << target
        pending &= ~(np.int64(1) << p)
    return count


@jit(counts=False)
def chosen_steps(
    world: Any, table: Any, observations: Any, states: Any, here: Any, environment: Any, batch: Any, counters: Any
) -> Any:
    """In one way or the other."""
    if by_outcome(world):
        return chosen_outcomes(world, table, states, here, batch, counters)
    return chosen_processes(world, table, observations, states, here, environment, batch, counters)


def which_steps(
    world: Any, table: Any, observations: Any, states: Any, here: Any, environment: Any, batch: Any, counters: Any
) -> Any:
    """The same where the world is reduced; else EVERYONE."""
    if not len(world.reduced):
        return EVERYONE
    return chosen_steps(world, table, observations, states, here, environment, batch, counters)


@overload(which_steps, strict=False)
def _which_steps(world: Any, *_: Any) -> Any:
    """Told by the type of the world: what is not called need not be compiled."""
    if len(world.types[world.fields.index("reduced")]):
        return lambda *what: chosen_steps(*what)
    return lambda *what: EVERYONE  # noqa: ARG005 (called with the same)
