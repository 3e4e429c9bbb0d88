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

Where processes hear from several others, or links deliver in any order, smaller sets are looked for, of some steps of some processes
(independence.py). A world is reduced in one of the two ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from ..semantics.components import Component, Environment, State
from ..semantics.system import Outcome, System
from ..semantics.worlds import World
from .independence import Event, Independence, Seen, Shows, event_of, waiting

MOST = 62  # processes, in-ports of one, or outcomes in a state: a set of them is a mask in 64 bits
EVERYTHING = -1  # as a mask of outcomes


def refusal(system: System) -> str:
    """Why runs of this protocol under these settings are not reduced; nothing where they may be."""
    settings = system.settings
    if not system.stutters:
        return "in lock-step a round is a step of all processes"
    if system.definition.shared:
        return "steps of different processes meet in the shared variables"
    if settings.partitions:
        return "a split of the network concerns all processes"
    if settings.links.replaces:
        return f"on links of the kind {settings.links.name} what is sent takes the place of what waits"
    if settings.capacity:
        return "on a link of bounded capacity a message is lost or not, as what it is sent after was received or not"
    if settings.taken_back:
        return "the detector takes its suspicions back at any time"
    if settings.links.merges or (not settings.links.ordered and any(settings.faults().values())):
        also = "" if settings.links.merges else ", and there are faults"
        return f"on links of the kind {settings.links.name} a message that comes later can be received sooner{also}"
    return ""


def allows(world: World) -> bool:
    """Whether this world is reduced, where its protocol is. A process that sends to itself brings itself something to receive."""
    shape = world.shape
    few = world.n <= MOST and all(len(ports) <= MOST for ports in shape.in_ports)
    return few and all(link.source != link.target for link in shape.links)


def is_spent(environment: Environment) -> bool:
    """Whether no fault is left, which could come to any process at any time."""
    return not any(environment.budgets)


class Chooses(Protocol):
    """What is explored in a state, as a mask: of processes, or in a world with `independence` of outcomes (Exploration.chosen)."""

    def chosen(self, state: State) -> int: ...


class Stubborn:
    """Chooses, in each state of a world, whose steps are explored. `shows(component, outcome)` tells whether properties may see that the
    component takes this step, in whatever state."""

    def __init__(self, system: System, world: World, shows: Callable[[Component, Outcome], bool]) -> None:
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


class StubbornWithin:
    """Chooses, in each state of a world of which the independence is known, which of the steps are explored; `claims` tell what properties see."""

    def __init__(self, system: System, independence: Independence, claims: Shows) -> None:
        self._system, self._brought = system, independence.brought
        self._seen = independence.seen_by(claims)

    def chosen(self, state: State) -> int:
        """The outcomes, as a mask: bit i for the i-th in the order of System.successors. Those of the stubborn set with the fewest, of those
        sets the one whose mask is least, that hides what properties see; EVERYTHING where there is none, or outcomes are too many for
        a mask."""
        environment, *components = state
        lanes: list[tuple[int, int] | None] = []  # of each outcome the process and the lane; None where it does nothing
        now = [Now(*of) for of in zip(self._seen, components, strict=True)]
        for process, (own, component) in enumerate(zip(now, components, strict=True)):
            for outcome in self._system.outcomes(environment, component):
                if outcome.failure or outcome.component is not component:
                    lanes.append((process, own.can_be_taken(outcome)))
                elif outcome.sends:
                    return EVERYTHING  # as above
                else:
                    lanes.append(None)
            for event in waiting(self._system, component) if not component.crashed else ():
                own.waits |= 1 << own.lane_of(event)
        everything = sum(sum(own.ways.values()) for own in now), 0
        best = everything
        for seed in {lane for lane in lanes if lane is not None} if len(lanes) <= MOST else ():
            stubborn = self._closure(now, *seed)
            mask = sum(1 << k for k, lane in enumerate(lanes) if lane is not None and stubborn[lane[0]] >> lane[1] & 1)
            hidden = not any(lanes & own.shown for own, lanes in zip(now, stubborn, strict=True))
            if hidden and mask.bit_count() < everything[0]:
                best = min(best, (mask.bit_count(), mask))
        return EVERYTHING if best == everything else best[1]

    def _closure(self, now: list[Now], process: int, lane: int) -> list[int]:
        """The least stubborn set that contains a lane: of each process a mask of lanes."""
        found, new = [0] * len(now), [0] * len(now)
        new[process] = 1 << lane
        while any(new):
            process = next(number for number, mask in enumerate(new) if mask)
            own, lane = now[process], next(bits(new[process]))
            found[process] |= 1 << lane
            target, more = process, 0
            brought = self._brought[process][lane]
            if own.down:
                pass  # it never steps
            elif own.able >> lane & 1:
                more = own.meets(lane)
            elif brought is None or own.waits >> lane & 1:
                more = own.ever
            else:
                target, more = brought[0], now[brought[0]].brings(brought[1])
            new[target] |= more
            new[process] &= ~found[process]
            new[target] &= ~found[target]
        return found


class Now:
    """A process of a world as it is in one state: whether it is down, its fields, what waits in its lanes, which of them can be taken, by which
    event and in how many ways, and in which of them properties may see that. Sets of lanes are masks."""

    def __init__(self, seen: Seen, component: Component) -> None:
        self._seen, self._component, self.down = seen, component, component.crashed
        self._field = -1 if self.down else seen.process.field_of(component)
        self.waits = self.able = self.shown = 0
        self._event: dict[int, int] = {}
        self.ways: dict[int, int] = {}

    def lane_of(self, event: Event) -> int:
        return self._seen.process.lane[self._seen.process.event_of(event)]

    def can_be_taken(self, outcome: Outcome) -> int:
        """Notes an outcome, and returns its lane."""
        event = self._seen.process.event_of(event_of(outcome, self._component.profile))
        lane = self._seen.process.lane[event]
        self._event[lane] = event
        self.able |= 1 << lane
        self.shown |= (self._seen.shows[self._field] >> event & 1) << lane
        self.ways[lane] = self.ways.get(lane, 0) + 1
        return lane

    def meets(self, lane: int) -> int:
        """What the event meets that can be taken in a lane."""
        return self._seen.meets[self._field][self._event[lane]]

    @property
    def ever(self) -> int:
        """The lanes that may yet be taken."""
        return self._seen.process.ever[self._field]

    def brings(self, outlet: int) -> int:
        """The lanes by which it may yet send something there."""
        return 0 if self.down or outlet < 0 else self._seen.process.brings[self._field][outlet]


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, the lowest first."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
