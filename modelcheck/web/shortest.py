"""The shortest run to a state that is wanted: breadth-first, and honest about how far it came."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..explore.limits import Meter
from ..semantics.components import State
from ..semantics.system import System
from ..semantics.worlds import World


@dataclass
class Found:
    """What a search came to. `steps` are the numbers of the steps from the state it began at, `first` that state's number; None
    where no such state was met. `exhausted` where there is no state left to look at.

    states  how many states were met
    depth   all runs of so many steps were tried
    """

    first: int = 0
    steps: tuple[int, ...] | None = None
    exhausted: bool = False
    states: int = 0
    depth: int = 0


def shortest(
    system: System, world: World, begin: list[State], wanted: Callable[[State], bool], meter: Meter, found: Found
) -> None:
    """Looks for the nearest state that is wanted, from any of those to begin with, until the meter says stop."""
    parents: list[tuple[int, int]] = []  # of each state met: the state before it, and the number of the step
    queue: list[State] = []
    known: set[State] = set()

    def met(state: State, parent: int, number: int) -> bool:
        """Whether the search is over."""
        if state in known:
            return False
        known.add(state)
        parents.append((parent, number))
        queue.append(state)
        found.states = len(queue)
        if not wanted(state):
            return False
        steps = []
        at = len(queue) - 1
        while parents[at][0] >= 0:
            at, number = parents[at]
            steps.append(number)
        found.first, found.steps = parents[at][1], tuple(reversed(steps))
        return True

    for number, state in enumerate(begin):
        if met(state, -1, number):
            return
    at, end_of_level = 0, len(queue)
    while at < len(queue):
        if meter.stop(len(queue)):
            return
        if at == end_of_level:
            found.depth += 1
            end_of_level = len(queue)
        for number, transition in enumerate(system.successors(world, queue[at])):
            if transition.after is not None and met(transition.after, at, number):
                return
        at += 1
    found.exhausted = True
