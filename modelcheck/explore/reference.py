"""The reference engine: breadth-first search in a page of plain Python. This is the definition of correct.

A faster engine must find the same states, transitions, terminal states and depths, and the same shortest paths.
"""

from __future__ import annotations

from ..semantics.components import State
from ..semantics.system import System
from .exploration import Exploration, Meter, Observer


def explore(system: System, found: Exploration, observer: Observer, meter: Meter, patience: int | None = None) -> None:
    """Visits every reachable state of `found.world`, filling `found` and telling the observer.

    Stops early, with `found.complete` left False, when the meter says so, or when there are more states than it has
    `patience` for. Every state that was expanded was expanded entirely. Raises StepError where the model's code breaks a rule of the language.
    """
    world = found.world
    numbers: dict[State, int] = {}

    def discover(state: State, parent: int, depth: int) -> int:
        number = numbers.setdefault(state, len(numbers))
        if number == len(found.states):
            found.states.append(state)
            found.parents.append(parent)
            found.depths.append(depth)
            observer.on_state(number, state)
        return number

    for start in system.starts(world):
        if start.steps and start.steps[-1].after is None:
            found.starts.append(start)
            observer.on_failure(-len(found.starts), start.steps[-1])
        elif start.state not in numbers:
            found.starts.append(start)
            discover(start.state, -len(found.starts), 0)

    for source, state in enumerate(found.states):  # grows while it is walked along
        if meter.stop(len(found.states)) or (patience is not None and len(found.states) > patience):
            return
        terminal = True
        for transition in system.successors(world, state):
            found.transitions += 1
            if transition.after is None:
                terminal = False
                observer.on_failure(source, transition)
                continue
            target = discover(transition.after, source, found.depths[source] + 1)
            found.targets.append(target)
            observer.on_step(source, state, transition)
            if target != source and found.depths[target] <= found.depths[source]:
                found.acyclic = False  # as far as is known: where every step leads deeper there is no cycle
            if target != source and not transition.outcome.is_fault:
                terminal = False
        found.first.append(len(found.targets))
        if terminal:
            found.terminals.append(source)
            observer.on_terminal(source, state)
    found.complete = True
