"""The run that keeps going, where something is expected to be infinite: to an end component, and around in it, past a step that counts.

Chance cannot lead out of it, so a scheduler may go around again and again: what it draws on the way may differ, and where it is then it can go
on to where the run shown goes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import numpy as np

from ..explore.exploration import Exploration
from ..pulse import beat
from ..semantics.components import State
from ..semantics.outcomes import Outcome
from ..semantics.symmetry import Orbits
from ..semantics.system import System, Transition
from .building import chosen
from .decisions import Decisions, end_components
from .values import Endless


def endless(
    system: System, found: Exploration, decisions: Decisions, seed: int, order: int, counts: Callable[[Outcome], bool]
) -> Endless:
    """A run through the state `seed`, which is in an end component, that goes round past a step that counts."""
    labels, _ = end_components(decisions)
    orbits = Orbits(found.group)
    members = np.flatnonzero(labels[: len(found.states)] == labels[seed]) if labels[seed] >= 0 else [seed]
    inside = {orbits.representative(found.states[int(number)]) for number in members}
    start, stem = found.path(system, seed)
    begin = stem[-1].after if stem else start.state
    assert begin is not None

    def within(state: State | None) -> bool:
        return state is not None and orbits.representative(state) in inside

    def onwards(state: State) -> Iterator[Transition]:
        """The steps that chance does not lead out of it by."""
        taken = list(system.successors(found.world, state))
        keys = [(t.process, t.outcome.action, chosen(t.outcome.choices)) for t in taken]
        leaving = {key for key, t in zip(keys, taken, strict=True) if not within(t.after)}
        yield from (t for key, t in zip(keys, taken, strict=True) if key not in leaving)

    came: dict[tuple[State, bool], tuple[tuple[State, bool], Transition] | None] = {(begin, False): None}
    waiting = deque([(begin, False)])
    while waiting:
        beat()
        node = waiting.popleft()
        for t in onwards(node[0]):
            assert t.after is not None
            following = (t.after, node[1] or counts(t.outcome))
            if following == (begin, True):
                loop, at = [t], node
                while (step := came[at]) is not None:
                    at, t = step
                    loop.append(t)
                return Endless(order, found.world, start, (*stem, *loop[::-1]), len(stem))
            if following not in came and (t.after != node[0] or not system.stutters):
                came[following] = (node, t)
                waiting.append(following)
    raise AssertionError("nothing leads round an end component")
