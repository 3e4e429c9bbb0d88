"""The states in which the runs of a world begin."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

from ...language.definition import Definition
from ...pulse import attended, beat
from .. import partitions
from ..components import CommonProfile, Component, Environment, Profile, State
from ..outcomes import Outcome, Start, Transition
from ..partitions import Network, NetworkProfile
from ..settings import Settings
from ..worlds import World


class Begins(Protocol):
    """What a System has that the beginning of a run needs."""

    definition: Definition
    settings: Settings

    def outcomes(self, environment: Environment, component: Component) -> tuple[Outcome, ...]: ...
    def apply(self, world: World, state: State, process: int, outcome: Outcome) -> State: ...
    def _initial(self, profile: Profile) -> Iterator[Component]: ...
    def _environment(self, *values: Any) -> Environment: ...
    def _network(self, profile: NetworkProfile, *fields: Any) -> Network: ...


def initial_states(system: Begins, world: World) -> Iterator[Start]:
    """One, or several where `initially` or the starting steps choose."""
    settings = system.settings
    shared = system.definition.shared
    profiles = world.profiles(system.definition.knows)
    common = system._initial(CommonProfile.of(profiles[0])) if shared else ()
    around = [system._environment(component.fields, *settings.faults().values()) for component in common]
    around = around or [system._environment((), *settings.faults().values())]
    own = [tuple(system._initial(profile)) for profile in attended(profiles)]
    begun = ((environment, components) for environment in around for components in itertools.product(*own))
    for environment, components in attended(begun):
        state: State = (environment, *components)
        if settings.partitions:
            state = (*state, _whole(system, world, components))
        start = Start(state, state)
        if settings.start == "simultaneous":
            everyone = tuple(range(world.n))
            # steps that write shared variables notice who was first
            for order in attended(itertools.permutations(everyone) if shared else (everyone,)):
                yield from _all_started(system, world, start, order)
        else:
            yield start


def _all_started(system: Begins, world: World, begun: Start, order: tuple[int, ...]) -> Iterator[Start]:
    """Every way for the initiators, in this order, to take their first enabled @initiate step."""
    pending = [(begun, 0)]  # so many of them had their turn
    while pending:
        beat()
        start, turns = pending.pop()
        if turns == len(order):
            yield start
            continue
        process = order[turns]
        environment, component = start.state[0], start.state[process + 1]
        enabled = [o for o in system.outcomes(environment, component) if o.kind == "initiate"]
        first = [o for o in enabled if o.step == enabled[0].step]
        ways = [] if first else [(start, turns + 1)]
        for outcome in first:
            if outcome.failure:
                ways.append((replace(start, steps=(*start.steps, Transition(process, outcome, None))), len(order)))
            else:
                after = system.apply(world, start.state, process, outcome)
                taken = (*start.steps, Transition(process, outcome, after))
                ways.append((Start(start.before, after, taken), turns + 1))
        pending += reversed(ways)


def _whole(system: Begins, world: World, components: tuple[Component, ...]) -> Network:
    """A network as a run begins: everyone reaches everyone."""
    everyone = tuple(range(world.n))
    down = frozenset(process for process in everyone if components[process].crashed)
    settings = system.settings
    return system._network(partitions.profile(world), (everyone,), settings.partitions, settings.heals, down)
