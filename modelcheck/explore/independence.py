"""Partial-order reduction within a process: which of its steps can change places, as far as its own code tells.

stubborn.py takes it that all steps of a process meet. Where a process hears from several others, or links deliver in any order, that leaves
little to choose. Here more is looked at: what steps do. Before a world is explored, a superset of everything that its
processes can do is computed, each process by itself, as if any message that anybody may ever send could come at any time, any number of
times (an abstraction: Cartesian, for it forgets how what one process is and what another is belong together):

    the least sets of fields of each process, and of messages that come to each in-port, such that the initial fields are among the first, and
    with fields and a message among them also what a step makes of the fields, and what it sends

An *event* of a process is a spontaneous step, or the reception of one message at one in-port. What the network decides the order of is
one *lane*: on links that deliver in the order of sending all receptions at an in-port; elsewhere each event is a lane by itself.

Two events *meet* at fields at which both can be taken, if one fails there, if one changes in which ways the other can be taken, or if what
comes of the two, one after the other, depends on the order: the fields, or what is sent on a link (in order, where the link keeps it).
Two that do not meet at the fields that a process has, nor at any that it may come to, can change places for good.

A set of lanes is stubborn in a state if for each lane in it that
    can be taken    it contains all lanes of the process that meet the event which can be taken, now or later
    is empty        it contains all lanes of the sender whose steps may bring something, now or later
    is barred       (all steps refuse, or none is there) it contains all other lanes of the process that may be taken, now or later
The guide (topic "partial_order") has the proof that the steps of such a set suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from ..errors import SearchError, StepError
from ..language.messages import Message
from ..language.values import Port
from ..semantics import network
from ..semantics.components import Component, Environment, Profile
from ..semantics.system import Outcome, System
from ..semantics.worlds import World
from .interned import Interned

MOST_FIELDS, MOST_STEPS = (
    1_000,
    10_000,
)  # looked through for one world: fields, and events with each of them, of all processes together
MOST_LANES = 62  # of one process: a set of them is a mask in 64 bits
FAILED = -1  # instead of the fields after a step
Event = str | tuple[int, Message]  # a spontaneous step by its name; the place of an in-port, and the message
Fields = tuple[Any, ...]


class Shows(Protocol):
    """What tells whether properties see a step; the answers of one generation are the same in all worlds."""

    @property
    def generation(self) -> Hashable: ...
    def shows(self, before: Component, outcome: Outcome) -> bool: ...


class TooMuchError(Exception):
    """There is more to look through than is worth it, or something that cannot be."""


class Taken(NamedTuple):
    """One way in which an event is taken: by numbers, the fields afterwards or FAILED, and what is sent on which port."""

    label: tuple[Any, ...]
    becomes: int
    sends: tuple[tuple[Port, int], ...]
    outcome: Outcome


def wanted(system: System, world: World) -> bool:
    """Whether to look for independence within the processes of a world: not where each hears from one other, in order."""
    if any(system.settings.faults().values()):
        return False
    return not system.settings.links.ordered or any(len(ports) > 1 for ports in world.shape.in_ports)


def event_of(outcome: Outcome, profile: Profile) -> Event:
    """What is taken with an outcome that is no fault."""
    if outcome.received is None:
        return outcome.step
    port, message = outcome.received
    assert message is not None
    return profile.in_ports.index(port), message


def waiting(system: System, component: Component) -> Iterable[Event]:
    """The receptions that the network allows now."""
    for place, channel in enumerate(component.inbox):
        for message, _ in network.receivable(system.settings.links, channel):
            yield place, message


class Behaviour:
    """What a process of one profile does by itself: an event at a time, tabulated when first asked for, for all worlds. Fields, messages and
    events go by numbers; a reception is the place of an in-port and the number of a message."""

    def __init__(self, system: System, profile: Profile, messages: Interned[Message]) -> None:
        self._system, self.profile, self.messages = system, profile, messages
        self.fields: Interned[Fields] = Interned()
        self.events: Interned[str | tuple[int, int]] = Interned()
        self._deeds: dict[tuple[int, int], tuple[Taken, ...]] = {}
        self._meets: dict[tuple[int, int, int], bool] = {}
        own = (step for step in system.definition.steps if step.kind == "step" or profile.initiator)
        self.spontaneous = [self.events[step.name] for step in own if step.kind in ("initiate", "step")]

    def event(self, number: int) -> Event:
        """By what it takes."""
        event = self.events.by_number[number]
        return event if isinstance(event, str) else (event[0], self.messages.by_number[event[1]])

    def deeds(self, field: int, event: int) -> tuple[Taken, ...]:
        """The ways in which the event can be taken at these fields; none where it cannot. Raises StepError where the model's code breaks
        a rule of the language."""
        found = self._deeds.get((field, event))
        if found is None:
            found = self._deeds[field, event] = tuple(self._taken(field, event))
        return found

    def component(self, field: int, event: int) -> Component:
        """A process with these fields, to which nothing has come but what the event takes."""
        inbox: list[network.Channel] = [()] * len(self.profile.in_ports)
        taken = self.event(event)
        if not isinstance(taken, str):
            inbox[taken[0]] = (taken[1],)
        return self._system._intern(self.profile, False, self.fields.by_number[field], tuple(inbox))

    def _taken(self, field: int, event: int) -> Iterable[Taken]:
        component, what = self.component(field, event), self.event(event)
        for outcome in self._system.outcomes(only_environment(self._system), component):
            if event_of(outcome, self.profile) != what:
                continue
            if outcome.failure:
                yield Taken(outcome.label(), FAILED, (), outcome)
            elif outcome.component is not component or outcome.sends:
                sends = tuple((port, self.messages[message]) for port, message in outcome.sends)
                yield Taken(outcome.label(), self.fields[outcome.component.fields], sends, outcome)

    def meets(self, field: int, a: int, b: int) -> bool:
        """Whether two events meet at these fields."""
        key = (field, a, b) if a < b else (field, b, a)
        found = self._meets.get(key)
        if found is None:
            found = self._meets[key] = self._do_meet(*key)
        return found

    def _do_meet(self, field: int, a: int, b: int) -> bool:
        first, second = self.deeds(field, a), self.deeds(field, b)
        if not first or not second:
            return False
        one, other = self._results(first, b, second), self._results(second, a, first)
        return one is None or other is None or one != {(y, x): result for (x, y), result in other.items()}

    def _results(self, first: Sequence[Taken], event: int, expected: Sequence[Taken]) -> dict[Any, Any] | None:
        """What comes of taking the event after each of the first; None where either fails, or the event can be taken in other ways than
        those that are expected."""
        found = {}
        for before in (*first, *expected):
            if before.becomes == FAILED:
                return None
        for before in first:
            after = self.deeds(before.becomes, event)
            if [taken.label for taken in after] != [taken.label for taken in expected]:
                return None
            for taken in after:
                if taken.becomes == FAILED:
                    return None
                found[before.label, taken.label] = taken.becomes, self._sent((*before.sends, *taken.sends))
        return found

    def _sent(self, sends: tuple[tuple[Port, int], ...]) -> Any:
        """What receivers can tell of what was sent: by port, in order where links keep it."""
        if self._system.settings.links.ordered:
            return sorted(sends, key=lambda send: int(send[0]))
        return sorted((int(port), message) for port, message in sends)


def only_environment(system: System) -> Environment:
    """That of a protocol without shared variables, where no fault can happen."""
    return system._environment((), *system.settings.faults().values())


class Behaviours:
    """Those of all profiles of one protocol, for one thread. The model's code is run in a system of its own: it may be run on
    what never happens, and nobody is to take that for a step of the protocol."""

    def __init__(self, system: System) -> None:
        self.system = System(system.definition, system.settings, twice=False)
        self.messages: Interned[Message] = Interned()
        self._known: dict[Profile, Behaviour] = {}
        self._alone: dict[tuple[Behaviour, frozenset[int], frozenset[int]], Alone] = {}
        self._generation: Hashable = None
        self._seen: dict[Alone, Seen] = {}
        self._showing: dict[tuple[Behaviour, int, int], bool] = {}

    def of(self, profile: Profile) -> Behaviour:
        found = self._known.get(profile)
        if found is None:
            found = self._known[profile] = Behaviour(self.system, profile, self.messages)
        return found

    def alone(self, behaviour: Behaviour, first: frozenset[int], events: frozenset[int]) -> Alone:
        """A process that begins with one of these fields and to which these events can happen."""
        key = behaviour, first, events
        found = self._alone.get(key)
        if found is None:
            found = self._alone[key] = Alone(behaviour, first, events, ordered=self.system.settings.links.ordered)
        return found

    def independence(self, world: World) -> Independence | None:
        """That of the processes of a world; None where there is too much to look through."""
        try:
            return Independence(self, world)
        except (TooMuchError, StepError):  # of a step on what may never happen: if it does, it is found where it does
            return None

    def seen(self, processes: Sequence[Alone], claims: Shows) -> list[Seen]:
        """What properties make of each process."""
        if self._generation != claims.generation:
            self._generation = claims.generation
            self._seen, self._showing = {}, {}
        for process in processes:
            if process not in self._seen:
                self._seen[process] = Seen(process, lambda *what: self._shows(claims, *what))
        return [self._seen[process] for process in processes]

    def _shows(self, claims: Shows, behaviour: Behaviour, field: int, event: int) -> bool:
        """Whether properties may see the event, taken with these fields."""
        known, key = self._showing, (behaviour, field, event)
        if key not in known:
            before = behaviour.component(field, event)
            taken = (one.outcome for one in behaviour.deeds(field, event) if one.becomes != FAILED)
            known[key] = any(claims.shows(before, outcome) for outcome in taken)
        return known[key]


class Alone:
    """One process, as far as it can come from the `first` fields by these events. Its fields, events and lanes are numbered anew; a set of
    lanes is a mask.

    lane[e]       the lane of an event
    lanes         by in-port, or by in-port and message, or by the name of a spontaneous step
    sends         what it may send: the port and the message
    outlets       by port, or by port and message, the number of what others know as one lane
    meets[f]      for each event in turn the lanes that it meets, now or later: with these fields or any that come after
    ever[f]       the lanes that can be taken, now or later
    brings[f][k]  the lanes by which it may send something to its k-th outlet, now or later
    """

    def __init__(self, behaviour: Behaviour, first: frozenset[int], events: frozenset[int], *, ordered: bool) -> None:
        self.behaviour, self._ordered = behaviour, ordered
        self.event = {event: number for number, event in enumerate(sorted(events))}
        self.sends: set[tuple[Port, int]] = set()
        self._after: list[set[int]] = []  # the fields that can come next
        self.field: dict[int, int] = {}
        fields = dict.fromkeys(sorted(first))
        todo = list(fields)
        while todo:
            field = todo.pop(0)
            self.field[field] = len(self.field)
            self.check_size(len(fields), len(fields) * len(events))
            after = set[int]()
            for event in self.event:
                for taken in behaviour.deeds(field, event):
                    if taken.becomes != FAILED:
                        after.add(taken.becomes)
                        self.sends.update(taken.sends)
            self._after.append(after)
            new = sorted(after.difference(fields))
            fields.update(dict.fromkeys(new))
            todo += new
        self.lanes: Interned[Hashable] = Interned()
        self.lane = [self.lanes[self._lane(behaviour.events.by_number[event])] for event in self.event]
        if len(self.lanes) > MOST_LANES:
            raise TooMuchError

    def _lane(self, event: str | tuple[int, int]) -> Hashable:
        return event if isinstance(event, str) or not self._ordered else event[0]

    @staticmethod
    def check_size(fields: int, steps: int) -> None:
        """Raises TooMuchError where so many are too many."""
        if fields > MOST_FIELDS or steps > MOST_STEPS:
            raise TooMuchError

    def field_of(self, component: Component) -> int:
        """The number of its fields. Raises SearchError where they are not in the superset."""
        number = self.behaviour.fields.get(component.fields, -1)
        if number not in self.field:
            raise SearchError(f"{component} was not foreseen")
        return self.field[number]

    def event_of(self, event: Event) -> int:
        """The number of an event, by what it takes. Raises SearchError where it is not in the superset."""
        known = event if isinstance(event, str) else (event[0], self.behaviour.messages.get(event[1], -1))
        number = self.behaviour.events.get(known, -1)
        if number not in self.event:
            raise SearchError(f"{event} was not foreseen")
        return self.event[number]

    def able(self, field: int) -> list[tuple[int, int]]:
        """The events that can be taken with these fields: by the behaviour's numbers, and by those here."""
        return [pair for pair in self.event.items() if self.behaviour.deeds(field, pair[0])]

    def onwards(self, here: list[int]) -> list[int]:
        """For each fields the union of what is here with them and with all that come after; of sets as masks."""
        found = list(here)
        changed = True
        while changed:
            changed = False
            for field in reversed(range(len(found))):
                union = found[field]
                for other in self._after[field]:
                    union |= found[self.field[other]]
                if union != found[field]:
                    found[field], changed = union, True
        return found

    @cached_property
    def meets(self) -> list[int]:
        own, width, here = self.behaviour, len(self.lanes), [0] * len(self.field)
        for field, f in self.field.items():
            able = self.able(field)
            for event, e in able:
                for other, its in able:
                    if self.lane[e] != self.lane[its] and own.meets(field, event, other):
                        here[f] |= 1 << (width * e + self.lane[its])
        return self.onwards(here)

    @cached_property
    def ever(self) -> list[int]:
        return self.onwards([sum({1 << self.lane[e] for _, e in self.able(field)}) for field in self.field])

    def outlet(self, port: Port, message: int) -> Hashable:
        """What is sent on a port, or a message that is, which comes to one lane of another process."""
        return port if self._ordered else (port, message)

    @cached_property
    def outlets(self) -> dict[Hashable, int]:
        names = dict.fromkeys(
            self.outlet(*send) for send in sorted(self.sends, key=lambda send: (int(send[0]), send[1]))
        )
        return {name: number for number, name in enumerate(names)}

    @cached_property
    def brings(self) -> list[list[int]]:
        width, here = len(self.lanes), [0] * len(self.field)
        for field, f in self.field.items():
            for event, e in self.able(field):
                for taken in self.behaviour.deeds(field, event):
                    for send in taken.sends:
                        here[f] |= 1 << (width * self.outlets[self.outlet(*send)] + self.lane[e])
        return [split(row, width, len(self.outlets)) for row in self.onwards(here)]


class Seen:
    """What properties make of a process. Sets of lanes, and of events, are masks.

    shows[f]      the events that they may see, taken with these fields
    meets[f][e]   the lanes that the event meets, now or later, or by which it may become one that they see
    """

    def __init__(self, process: Alone, shows: Callable[[Behaviour, int, int], bool]) -> None:
        self.process = process
        own, width = process.behaviour, len(process.lanes)
        self.shows, alters = ([0] * len(process.field) for _ in range(2))
        for field, f in process.field.items():
            able = process.able(field)
            for event, e in able:
                if shows(own, field, event):
                    self.shows[f] |= 1 << e
                    continue
                for other, its in able:
                    after = (taken.becomes for taken in own.deeds(field, other) if taken.becomes != FAILED)
                    if other != event and any(shows(own, later, event) for later in after):
                        alters[f] |= 1 << (width * e + process.lane[its])
        rows = (meets | more for meets, more in zip(process.meets, process.onwards(alters), strict=True))
        self.meets = [split(row, width, len(process.event)) for row in rows]


class Independence:
    """Which events of the processes of one world meet, and who may bring what to whom: brought[p][k] is the sender to lane k of process p, and its
    outlet there (-1: nothing is ever sent), or None for a spontaneous step."""

    def __init__(self, behaviours: Behaviours, world: World) -> None:
        self._behaviours, self.system = behaviours, behaviours.system
        self.processes = self._superset(world)
        Alone.check_size(
            sum(len(process.field) for process in self.processes),
            sum(len(process.field) * len(process.event) for process in self.processes),
        )
        self.brought: list[list[tuple[int, int] | None]] = []
        back = [{} for _ in self.processes]  # type: list[dict[int, tuple[int, Port]]]
        for link in world.shape.links:
            back[link.target][world.shape.in_ports[link.target].index(link.in_port)] = link.source, link.out_port
        for process, senders in zip(self.processes, back, strict=True):
            self.brought.append([self._sender(lane, senders) for lane in process.lanes])

    def _sender(self, lane: Hashable, senders: dict[int, tuple[int, Port]]) -> tuple[int, int] | None:
        if isinstance(lane, str):
            return None
        place, message = lane if isinstance(lane, tuple) else (lane, 0)
        sender, port = senders[place]
        process = self.processes[sender]
        return sender, process.outlets.get(process.outlet(port, message), -1)

    def _superset(self, world: World) -> list[Alone]:
        """All that the processes can come to, each alone, and as if any message that is sent could come at any time."""
        known = [self._behaviours.of(profile) for profile in world.profiles(self.system.definition.knows)]
        first: list[set[int]] = [set() for _ in known]
        events = [set(behaviour.spontaneous) for behaviour in known]
        for start in self.system.starts(world):
            for behaviour, fields, its, component in zip(known, first, events, start.state[1:], strict=True):
                if not component.crashed:  # then it never takes a step
                    fields.add(behaviour.fields[component.fields])
                    for place, message in (
                        (place, message) for place, channel in enumerate(component.inbox) for message in channel
                    ):
                        its.add(behaviour.events[place, self._behaviours.messages[message]])
        places = [{port: place for place, port in enumerate(ports)} for ports in world.shape.in_ports]
        leads = [{port: (to, places[to][at]) for port, (to, at) in ways.items()} for ways in world.route]
        found: list[Alone | None] = [None] * len(known)
        todo = list(range(len(known)))
        while todo:
            number = todo.pop(0)
            process = self._behaviours.alone(known[number], frozenset(first[number]), frozenset(events[number]))
            if process is found[number]:
                continue
            found[number] = process
            for port, message in process.sends:
                target, place = leads[number][port]
                event = known[target].events[place, message]
                if event not in events[target]:
                    events[target].add(event)
                    todo.append(target)
        return [process for process in found if process is not None]

    def seen_by(self, claims: Shows) -> list[Seen]:
        """Of each process what properties make of it."""
        return self._behaviours.seen(self.processes, claims)


def split(row: int, width: int, count: int) -> list[int]:
    """So many masks of so many bits, the first in the lowest."""
    return [row >> width * k & ((1 << width) - 1) for k in range(count)]
