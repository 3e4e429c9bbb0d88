"""Who leads in the end? Every run from a state is followed to its end, as long as no fault happens."""

from __future__ import annotations

from dataclasses import dataclass

from ..explore.limits import Meter
from ..runs.beliefs import LEADER, STATUS, leads
from ..runs.trace import snapshot
from ..semantics.components import State
from ..semantics.system import System
from ..semantics.worlds import World

NOBODY, SEVERAL, DEPENDS, FAILS, NEVER = "nobody", "several", "it depends", "a step fails", "no run ends"


@dataclass(frozen=True)
class Endings:
    """How the runs from a state end. `leaders` are who leads there ('p2', 'nobody', 'p1, p3'), each with a shortest run to such an end
    as the numbers of its steps. `complete` where all runs were followed, and not cut off by a limit; `endless` where some can go round for ever."""

    leaders: dict[str, tuple[int, ...]]
    states: int
    complete: bool
    endless: bool

    @property
    def truth(self) -> str:
        """The answer to the question, one of `answers`."""
        if len(self.leaders) != 1:
            return DEPENDS if self.leaders else NEVER
        (who,) = self.leaders
        return SEVERAL if "," in who else who

    @property
    def said(self) -> str:
        """The whole answer, in a sentence."""
        many = f"{self.states:,} state" + ("" if self.states == 1 else "s")
        if not self.complete:
            return f"not known: more than {many} can be reached from here"
        if not self.leaders:
            return f"No run from here comes to an end ({many})."
        ends = [who if who == FAILS else f"{who} lead{'' if ',' in who else 's'}" for who in self.leaders]
        sentence = (
            f"In every run that ends {ends[0]}"
            if len(ends) == 1
            else f"It depends on what happens: {' or '.join(ends)}"
        )
        return f"{sentence} ({many}).{' Some runs can also go round and round.' if self.endless else ''}"


def can_be_asked(system: System) -> bool:
    """Whether the protocol says of anybody that it leads."""
    return bool({LEADER, STATUS} & {field.name for field in system.definition.fields})


def answers(world: World) -> tuple[str, ...]:
    """What can be said in answer to the question."""
    return (*(f"p{number}" for number in range(1, world.n + 1)), NOBODY, SEVERAL, DEPENDS, FAILS, NEVER)


def endings(system: System, world: World, state: State, meter: Meter) -> Endings:
    """Breadth-first over all that can be reached from here without a fault, until the meter says stop."""
    places = {state: 0}
    queue: list[State] = [state]
    parents: list[tuple[int, int]] = [(-1, -1)]
    edges: list[list[int]] = []
    leaders: dict[str, tuple[int, ...]] = {}
    for at, current in enumerate(queue):  # which grows meanwhile
        if meter.stop(len(queue)):
            return Endings({}, len(queue), False, False)
        onward: list[int] = []
        moves = False
        for number, transition in enumerate(system.successors(world, current)):
            if transition.outcome.is_fault or transition.after == current:
                continue
            moves = True
            if transition.after is None:
                leaders.setdefault(FAILS, (*_way(parents, at), number))
                continue
            place = places.setdefault(transition.after, len(queue))
            if place == len(queue):
                queue.append(transition.after)
                parents.append((at, number))
            onward.append(place)
        edges.append(onward)
        if not moves:
            leaders.setdefault(_leading(system, world, current), _way(parents, at))
    return Endings(leaders, len(queue), True, _has_a_cycle(edges))


def _leading(system: System, world: World, state: State) -> str:
    """'p2', 'p1, p3' or 'nobody'."""
    processes = snapshot(system, world, state).processes
    who = [f"p{k + 1}" for k, process in enumerate(processes) if leads(process, world.identifiers[k])]
    return ", ".join(who) or NOBODY


def _way(parents: list[tuple[int, int]], at: int) -> tuple[int, ...]:
    steps = []
    while parents[at][0] >= 0:
        at, number = parents[at]
        steps.append(number)
    return tuple(reversed(steps))


def _has_a_cycle(edges: list[list[int]]) -> bool:
    """Whether not all states can be put in an order in which every edge leads forwards (Kahn 1962)."""
    incoming = [0] * len(edges)
    for onward in edges:
        for place in onward:
            incoming[place] += 1
    ready = [place for place, number in enumerate(incoming) if not number]
    for place in ready:  # which grows meanwhile
        for target in edges[place]:
            incoming[target] -= 1
            if not incoming[target]:
                ready.append(target)
    return len(ready) < len(edges)
