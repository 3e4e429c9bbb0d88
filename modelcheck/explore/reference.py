"""The reference engine: breadth-first search in a page of plain Python. This is the definition of correct.

A faster engine must find the same states, transitions, terminal states and depths, and the same shortest paths.
"""

from __future__ import annotations

from collections.abc import Callable

from ..semantics.components import State
from ..semantics.symmetry import Orbits
from ..semantics.system import System
from .exploration import Observer, PlainExploration
from .limits import Meter
from .stubborn import Chooses


def explore(
    system: System,
    found: PlainExploration,
    observer: Observer,
    meter: Meter,
    enough: Callable[[int], bool] = lambda _: False,
    stubborn: Chooses | None = None,
) -> None:
    """Visits every reachable state of `found.world`, or of each orbit of `found.group` one, filling `found` and telling the
    observer. With `stubborn` sets the world is reduced to what they choose.

    Stops early, with `found.complete` left False, when the meter says so, or when so many states are
    `enough`. Every state that was expanded, but perhaps the last one, was expanded entirely. Raises StepError where the model's code breaks a rule of the language.
    """
    world = found.world
    numbers: dict[State, int] = {}
    orbits = Orbits(found.group)

    def discover(state: State, parent: int, depth: int) -> int:
        number = numbers.setdefault(orbits.representative(state), len(numbers))
        if number == len(found.states):
            found.all_states += orbits.size(state)
            found.states.append(state)
            found.parents.append(parent)
            found.depths.append(depth)
            observer.on_state(number, state)
        return number

    for start in system.starts(world):
        if found.states and meter.stop(len(found.states)):
            return
        if start.steps and start.steps[-1].after is None:
            found.starts.append(start)
            observer.on_failure(-len(found.starts), start.steps[-1])
        elif orbits.representative(start.state) not in numbers:
            found.starts.append(start)
            discover(start.state, -len(found.starts), 0)

    for source, state in enumerate(found.states):  # grows while it is walked along
        if meter.stop(len(found.states)) or enough(len(found.states)):
            return
        terminal, twins = True, orbits.size(state)
        if stubborn is not None:
            found.chosen.append(stubborn.chosen(state))
        for ordinal, transition in enumerate(system.successors(world, state)):
            if not found.explores(source, transition.process, ordinal):
                continue
            if found.transitions % 64 == 63 and meter.stop():  # a large system takes its time for a single state
                return
            found.transitions += 1
            found.all_transitions += twins
            if transition.after is None:
                terminal = False
                observer.on_failure(source, transition)
                continue
            changed = transition.after != state
            target = discover(transition.after, source, found.depths[source] + 1) if changed else source
            if changed or not found.group:
                found.targets.append(target)
            observer.on_step(source, state, transition)
            changes = changed or not system.stutters
            if changes and found.depths[target] <= found.depths[source]:
                found.acyclic = False  # as far as is known: where every step leads deeper there is no cycle
            if changes and not transition.outcome.is_fault:
                terminal = False
        found.first.append(len(found.targets))
        if terminal:
            found.terminals.append(source)
            found.all_terminals += twins
            observer.on_terminal(source, state)
    found.complete = True
