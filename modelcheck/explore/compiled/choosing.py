"""Which steps are explored in a packed state of a world that is reduced: explore/stubborn.py, read off the tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from .calls import ASK_A, ASK_B, ASK_C, NO_OUTCOMES, STALE, UNFORESEEN
from .jit import jit
from .packed import rows_at
from .records import (
    ACTOR,
    BASE,
    BECOMES,
    BRINGS_AT,
    EVENTS,
    EVENTS_AT,
    EVER_AT,
    FAILURES,
    FIELDS,
    FIELDS_AT,
    FLAGS,
    ITS_EVENTS,
    LANES,
    LANES_AT,
    LIMIT,
    MEETS_AT,
    NONE,
    OUTLETS,
    RECEIVED,
    ROW,
    SENDS,
    SLOT,
)

EVERYONE = -1  # as a mask, of processes or of outcomes; what is missing is told by numbers below it
MOST = 62  # outcomes in a mask, as in stubborn.py


@jit()
def chosen_processes(
    world: Any, table: Any, observations: Any, states: Any, here: Any, environment: Any, batch: Any, counters: Any
) -> Any:
    """Whose steps are explored in the state at states[here], as a mask: stubborn.Stubborn.chosen, read off the tables. What is missing,
    with the sign turned, where something is."""
    slots, rows, seen, watched, actors = table.slots, table.rows, observations.seen, observations.watched, world.actors
    offset = len(world.environment)
    everyone = (np.int64(1) << actors) - 1
    if offset and not table.spent[environment]:
        return everyone
    shows = np.int64(0)
    fewest = 0
    for actor in range(actors):
        slot = actor + offset
        component, row, end = rows_at(world, table, states, here, slot, environment)
        c = np.int64(slots[SLOT * slot + BASE]) + component
        if row == NONE or end == NONE:
            counters[ASK_A], counters[ASK_B], counters[ASK_C] = slot, component, environment
            return -NO_OUTCOMES
        steps = 0
        while row < end:
            becomes = np.int64(rows[ROW * row + BECOMES])
            if becomes >= slots[SLOT * slot + LIMIT]:
                return -STALE
            flags = np.int64(rows[ROW * row + FLAGS])
            if flags & FAILURES:
                steps += 1
            elif becomes != component:
                steps += 1
                show = seen[c] != seen[c - component + becomes]
                received = flags >> RECEIVED
                if received > len(watched):
                    return -STALE
                show |= received > 0 and watched[received - 1] != 0
                for s in range(np.int64(rows[ROW * row + SENDS]), np.int64(rows[ROW * row + ROW + SENDS])):
                    message = np.int64(table.sent[2 * s + 1])
                    if message >= len(watched):
                        return -STALE
                    show |= watched[message] != 0
                if show:
                    shows |= np.int64(1) << actor
            elif rows[ROW * row + SENDS] != rows[ROW * row + ROW + SENDS]:
                return everyone  # it changes others alone, or nothing: whether it does depends on them
            row += 1
        batch.steps[actor] = steps
        fewest += steps
        needs = np.int64(0)
        empty = np.int64(table.empty[c])
        port = 0
        while empty:
            if empty & 1:
                needs |= np.int64(1) << world.senders[actor * world.ports + port]
            empty >>= 1
            port += 1
        batch.needs[actor] = needs

    best = everyone
    for actor in range(actors):
        if batch.steps[actor] == 0 or fewest <= 1:
            continue
        closed = new = np.int64(1) << actor
        while new:
            more = np.int64(0)
            for other in range(actors):
                if new >> other & 1:
                    more |= batch.needs[other]
            new = more & ~closed
            closed |= more
        if closed & shows:
            continue
        steps = 0
        for other in range(actors):
            if closed >> other & 1:
                steps += batch.steps[other]
        if steps < fewest:
            best, fewest = closed, steps
    return best


@jit(inline="always")
def by_outcome(world: Any) -> Any:
    """Whether outcomes are chosen in this world, and not processes."""
    return len(world.within.lane) > 0


@jit()
def chosen_outcomes(world: Any, table: Any, states: Any, here: Any, batch: Any, counters: Any) -> Any:
    """Which outcomes are explored in the state at states[here], as a mask: stubborn.StubbornWithin.chosen, read off the tables. What is
    missing, with the sign turned, where something is."""
    rows, within, ways, events, offers = table.rows, world.within, batch.lanes, batch.events, batch.offers
    field, able, waits, found, _, tried, left = batch.masks
    fewest = offered = 0
    for actor in range(world.actors):
        component, row, end = rows_at(world, table, states, here, actor, 0)
        c = np.int64(table.slots[SLOT * actor + BASE]) + component
        if row == NONE or end == NONE:
            counters[ASK_A], counters[ASK_B], counters[ASK_C] = actor, component, 0
            return -NO_OUTCOMES
        at = ACTOR * actor
        field[actor], able[actor], waits[actor], tried[actor], left[actor] = -1, 0, 0, 0, 0
        if table.field[c] != NONE:
            number = np.int64(table.field[c])
            if number >= within.actors[at + FIELDS] or within.field[within.actors[at + FIELDS_AT] + number] < 0:
                return -UNFORESEEN
            field[actor] = within.field[within.actors[at + FIELDS_AT] + number]
        while row < end:
            becomes = np.int64(rows[ROW * row + BECOMES])
            if becomes >= table.slots[SLOT * actor + LIMIT]:
                return -STALE
            failed = np.int64(rows[ROW * row + FLAGS]) & FAILURES
            lane = -1
            if failed or becomes != component:
                event = event_in(within, at, table.taken[row])
                if event < 0:
                    return -UNFORESEEN
                lane = within.lane[within.actors[at + LANES_AT] + event]
                if not able[actor] >> lane & 1:
                    able[actor] |= np.int64(1) << lane
                    ways[LANES * actor + lane] = 0
                    events[LANES * actor + lane] = event
                ways[LANES * actor + lane] += 1
                fewest += 1
            elif rows[ROW * row + SENDS] != rows[ROW * row + ROW + SENDS]:
                return EVERYONE  # it changes others alone, or nothing: whether it does depends on them
            if offered < MOST:
                offers[offered] = LANES * actor + lane if lane >= 0 else -1
            offered += 1
            row += 1
        for k in range(np.int64(table.waits[2 * c]), np.int64(table.waits[2 * c + 1])):
            event = event_in(within, at, table.waiting[k])
            if event < 0:
                return -UNFORESEEN
            waits[actor] |= np.int64(1) << within.lane[within.actors[at + LANES_AT] + event]
    if offered > MOST:
        return EVERYONE

    best, lowest = fewest, np.int64(0)
    for k in range(offered):
        if offers[k] < 0 or (k and offers[k] == offers[k - 1]):
            continue
        actor, one = offers[k] // LANES, np.int64(1) << offers[k] % LANES
        if (tried[actor] | left[actor]) & one:
            continue
        steps = closure(world, batch, actor, one, best)
        if steps < 0:
            left[actor] |= one
            continue
        tried[actor] |= one
        if steps <= best and steps < fewest:
            chosen = np.int64(0)
            for j in range(offered):
                if offers[j] >= 0 and found[offers[j] // LANES] >> (offers[j] % LANES) & 1:
                    chosen |= np.int64(1) << j
            if steps < best or chosen < lowest:
                best, lowest = steps, chosen
            if steps == 1:
                break
    return lowest if best < fewest else np.int64(EVERYONE)


@jit(inline="always")
def event_in(within: Any, at: Any, number: Any) -> Any:
    """The number in this world of an event of a family; -1 where it was not foreseen."""
    if number >= within.actors[at + EVENTS]:
        return -1
    return within.event[within.actors[at + EVENTS_AT] + np.int64(number)]


@jit()
def closure(world: Any, batch: Any, actor: Any, seed: Any, most: Any) -> Any:
    """Leaves in `found` the least stubborn set that contains a lane of an actor, `seed` as a mask. Returns how many outcomes it has; more than
    `most` where it is of no use: it has more, or properties may see one. Less than 0 where it contains a lane that is still to be tried:
    what contains that has no more outcomes.

    What contains a lane that was tried is no better than what that came to. Of lanes that contain each other the last is tried to its end."""
    within = world.within
    field, able, waits, found, new, tried, left = batch.masks
    for other in range(world.actors):
        found[other] = new[other] = 0
    new[actor] = seed
    steps, pending = 0, np.int64(1) << actor
    while pending:
        p = lowest_bit(pending)
        if field[p] < 0:
            new[p] = 0  # it is down
        at, f = ACTOR * p, field[p]
        while new[p]:
            one = new[p] & -new[p]
            k = lowest_bit(one)
            found[p] |= one
            target, more = p, np.int64(0)
            sender = within.brought[2 * (LANES * p + k)]
            if able[p] & one:
                if p != actor or one != seed:
                    if tried[p] & one:
                        return most + 1
                    if not left[p] & one:
                        return -1
                steps += batch.lanes[LANES * p + k]
                event = batch.events[LANES * p + k]
                entry = within.actors[at + MEETS_AT] + within.actors[at + ITS_EVENTS] * f + event
                if steps > most or within.shows[entry]:
                    return most + 1
                more = within.meets[entry]
            elif sender < 0 or waits[p] & one:
                more = within.ever[within.actors[at + EVER_AT] + f]
            else:
                target = sender
                outlet = within.brought[2 * (LANES * p + k) + 1]
                its = ACTOR * sender
                if outlet >= 0 and field[sender] >= 0:
                    entry = within.actors[its + BRINGS_AT] + within.actors[its + OUTLETS] * field[sender] + outlet
                    more = within.brings[entry]
            new[p] ^= one
            new[target] |= more & ~found[target]
            if new[target]:
                pending |= np.int64(1) << target
        pending &= ~(np.int64(1) << p)
    return steps


@jit(inline="always")
def lowest_bit(mask: Any) -> Any:
    """The number of the lowest bit of a mask that is set; there is one."""
    k = 0
    while not mask & 0xFF:
        mask >>= 8
        k += 8
    while not mask & 1:
        mask >>= 1
        k += 1
    return k


@jit()
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
