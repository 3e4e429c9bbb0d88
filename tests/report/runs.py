"""Runs of any length for tests of pictures and pages: simulated ones, of models as they come."""

from __future__ import annotations

import random
from typing import Any

from modelcheck import catalog
from modelcheck.runs import trace
from modelcheck.runs.trace import Trace
from modelcheck.semantics.lockstep import system_for
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.system import Transition
from modelcheck.semantics.worlds import Policy, Worlds


def simulated(model: str, n: int, length: int, *, seed: int = 1, reason: str = "p1 says no", **settings: Any) -> Trace:
    """A run of at most so many steps, in which a step is taken at random among those that change anything."""
    definition = catalog.find_model(model).definition
    parameters = tuple(definition.parameter_values({}).items())
    system = system_for(
        definition, Settings(**{"network": definition.networks[0], "parameters": parameters} | settings)
    )
    world = next(iter(Worlds(definition, definition.topologies[0], n, Policy(definition.identifiers))))
    start = next(iter(system.starts(world)))
    dice, state = random.Random(seed), start.state
    taken: list[Transition] = []
    while len(taken) < length:
        enabled = [step for step in system.successors(world, state) if step.after not in (None, state)]
        if not enabled:
            break
        taken.append(dice.choice(enabled))
        state = taken[-1].after
    return trace.build(system, world, start, taken, reason)
