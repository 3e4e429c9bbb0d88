"""Partial-order reduction: in a state only the steps of some processes are explored, where those of the others can wait.

On links that deliver in the order of sending, what a process p does next depends on others in one way alone: while one of its
in-ports is empty, the process at the other end may yet bring p something to receive. So of a set of processes that contains, with
each process, the senders of all its empty in-ports, no step is enabled or disabled by what the others do, and none is
hurried by it: sends go to the tails of channels, receptions take from the heads. Such a set is closed, and the steps of its
processes are a strong stubborn set (Valmari 1991, 1998; as persistent sets, Godefroid 1996).

A search that expands one closed set in each state, with a process in it that can act, loses no way for a run to end: every run is in it
with independent steps in another order. So it finds the same terminal states, the same local steps (and failures), the same numbers of
messages and the same lengths of runs. No proviso for ignored steps is needed, where the reduced graph has no cycle; whether it has one is
as in the full graph, and then the world is explored in full. States between, and the depths of those found, are other ones.

For what properties see on the way, a closed set must also not contain a step that shows, unless it is all that can be done: then what they
see changes in the same order in both graphs. A step shows where it changes a field that they look at, or sends or receives a message of a
type that they look at: that does not depend on the state in which it is taken, as it must not. The guide (topic "partial_order") has the proofs.
"""

from __future__ import annotations

from collections.abc import Callable

from ..semantics.components import Component, Environment, State
from ..semantics.system import Outcome, System
from ..semantics.worlds import World

MOST = 62  # processes, or in-ports of one: a set of them is a mask in 64 bits
Shows = Callable[[Component, Outcome], bool]


def refusal(system: System) -> str:
    """Why runs of this protocol under these settings are not reduced; nothing where they may be."""
    settings = system.settings
    if not system.stutters:
        return "in lock-step a round is a step of all processes"
    if system.definition.shared:
        return "steps of different processes meet in the shared variables"
    if settings.partitions:
        return "a split of the network concerns all processes"
    if not settings.links.ordered:
        return f"on links of the kind {settings.links.name} a message that comes later can be received sooner"
    return ""


def allows(world: World) -> bool:
    """Whether this world is reduced, where its protocol is. A process that sends to itself brings itself something to receive."""
    shape = world.shape
    few = world.n <= MOST and all(len(ports) <= MOST for ports in shape.in_ports)
    return few and all(link.source != link.target for link in shape.links)


def is_spent(environment: Environment) -> bool:
    """Whether no fault is left, which could come to any process at any time."""
    return not any(environment.budgets)


class Stubborn:
    """Chooses, in each state of a world, whose steps are explored. `shows(component, outcome)` tells whether properties may see that the
    component takes this step, in whatever state."""

    def __init__(self, system: System, world: World, shows: Shows) -> None:
        self._system, self._shows = system, shows
        self._senders = [[senders[port] for port in world.shape.in_ports[i]] for i, senders in enumerate(world.sender)]
        self._everyone = (1 << world.n) - 1

    def chosen(self, state: State) -> int:
        """The processes, as a mask: bit i for process i. The closed set with the fewest steps, of those the one found first, that hides
        what properties see; everyone where there is none."""
        environment, *components = state
        if not is_spent(environment):
            return self._everyone
        steps, shows = [], 0  # of each process, how many; whether one of them is seen
        for process, component in enumerate(components):
            count = 0
            for outcome in self._system.outcomes(environment, component):
                if outcome.failure or outcome.component is not component:
                    count += 1
                    if not outcome.failure and self._shows(component, outcome):
                        shows |= 1 << process
                elif outcome.sends:
                    return self._everyone  # it changes others alone, or nothing: whether it does depends on them
            steps.append(count)
        needs = [self._needs(process, component) for process, component in enumerate(components)]
        best, fewest = self._everyone, sum(steps)
        for process, count in enumerate(steps):
            if count:
                closed = closure(process, needs)
                total = sum(count for i, count in enumerate(steps) if closed >> i & 1)
                if total < fewest and not closed & shows:
                    best, fewest = closed, total
        return best

    def _needs(self, process: int, component: Component) -> int:
        """The processes that may yet bring this one something to receive where it has nothing; one that is down receives nothing."""
        if component.crashed:
            return 0
        return sum(
            {
                1 << sender
                for sender, channel in zip(self._senders[process], component.inbox, strict=True)
                if not channel
            }
        )


def closure(process: int, needs: list[int]) -> int:
    """The least set, as a mask, that contains the process and with each process those it needs."""
    closed, new = 0, 1 << process
    while new:
        one = (new & -new).bit_length() - 1
        closed |= 1 << one
        new = (new | needs[one]) & ~closed
    return closed
