"""Whose steps are explored in a packed state of a world that is reduced: explore/stubborn.py, read off the tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from .calls import ASK_A, ASK_B, ASK_C, NO_OUTCOMES, STALE
from .jit import jit
from .packed import rows_at
from .records import BASE, BECOMES, FAILURES, FLAGS, LIMIT, NONE, RECEIVED, ROW, SENDS, SLOT

EVERYONE = -1  # as a mask; what is missing is told by numbers below it


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


def whose_steps(
    world: Any, table: Any, observations: Any, states: Any, here: Any, environment: Any, batch: Any, counters: Any
) -> Any:
    """The same where the world is reduced; else EVERYONE."""
    if not len(world.reduced):
        return EVERYONE
    return chosen_processes(world, table, observations, states, here, environment, batch, counters)


@overload(whose_steps, strict=False)
def _whose_steps(world: Any, *_: Any) -> Any:
    """Told by the type of the world: what is not called need not be compiled."""
    if len(world.types[world.fields.index("reduced")]):
        return lambda *what: chosen_processes(*what)
    return lambda *what: EVERYONE  # noqa: ARG005 (called with the same)
