"""What caused what in a run: the flight of every message, vector clocks, the causal past of a step.

An event is a step of the trace, counted from 0, the starting steps first. One event happened before another if it is an
earlier event of the same process, or sent the message that the other received, or both follow from these (L. Lamport, Time,
Clocks, and the Ordering of Events in a Distributed System, 1978). Whoever writes a shared variable is taken to have
influenced everyone who comes later, and so is a split of the network: more is kept than need be, never less.

Messages that are equal cannot be told apart; the one sent first is taken to arrive first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from .trace import Snapshot, Trace, TraceStep, Waiting

NETWORK = "the network"
INITIAL = "initial"  # the origin of a message that waited when the run began
Clock = tuple[int, ...]  # one number for each process, then one for the network
Place = tuple[str, str]  # a process, and one of its in-ports


@dataclass(frozen=True)
class Flight:
    """One message on its way, from the event `sent` that sent it.

    received   the events that received it: none, one, or several on a network that keeps messages
    ended      the event by which it was gone without having been received; None where it arrived or still waits
    fate       "received", "waiting", "held" (by a cut), "lost" (by the network, a cut or a crash, or as a newer one took
               its place), "ignored" (the process was down) or "merged" (with an equal one that waited)
    origin     "protocol"; "copy", where `sent` duplicated it; "detector" for its word on a process
    """

    message: str
    source: str
    target: str
    port: str  # the target's
    sent: int
    received: tuple[int, ...] = ()
    ended: int | None = None
    fate: str = "waiting"
    origin: str = "protocol"


def events(trace: Trace) -> tuple[TraceStep, ...]:
    """Every event of the run: the starting steps, then the steps."""
    return (*trace.starts, *trace.steps)


def flights(trace: Trace) -> tuple[Flight, ...]:
    """Every message of the run, in the order of sending; those left out that waited at first, which nobody has sent."""
    return tuple(flight for flight in all_flights(trace) if flight.origin != INITIAL)


def all_flights(trace: Trace) -> tuple[Flight, ...]:
    """The same with those that waited at first, which were sent by event -1."""
    return tuple(_Flights(trace).all)


def queues(trace: Trace) -> tuple[dict[Place, tuple[int, ...]], ...]:
    """Which flights wait at which port, by their numbers among all: at first, then after each step, in lock-step after each round.
    What is received next on a fifo link stands first."""
    return tuple(_Flights(trace).queues)


def clocks(trace: Trace) -> tuple[Clock, ...]:
    """The vector clock of each event, after it. One event happened before another if it is nowhere above it."""
    ranks = {trace.world.label(process): process for process in range(trace.world.n + 1)}
    current = [[0] * len(ranks) for _ in ranks]
    causes = _causes(flights(trace))
    influence = [0] * len(ranks)
    done: list[Clock] = []
    for number, event in enumerate(events(trace)):
        clock = current[ranks[event.process]]
        for earlier in (influence, *(done[cause] for cause in causes.get(number, ()))):
            clock[:] = map(max, clock, earlier)
        clock[ranks[event.process]] += 1
        done.append(tuple(clock))
        if _reaches_everyone(event, trace):
            influence[:] = map(max, influence, clock)
    return tuple(done)


def past(trace: Trace, number: int) -> frozenset[int]:
    """The events that happened before event `number`, and itself."""
    known = clocks(trace)
    return frozenset(k for k, clock in enumerate(known) if k == number or _before(clock, known[number]))


def concerned(trace: Trace) -> tuple[str, ...]:
    """The processes that the violation is about: those its reason names, else who took the last step, or a step in the last
    round."""
    taken = events(trace)
    if trace.about or not taken:
        return trace.about
    names = [trace.world.label(process) for process in range(trace.world.n)]
    together = {event.process for event in taken if event.round is not None and event.round == taken[-1].round}
    return tuple(name for name in names if name in together) or (taken[-1].process,)


def relevant(trace: Trace) -> frozenset[int]:
    """The causal past of the violation: of its ends."""
    return frozenset().union(*(past(trace, end) for end in ends(trace)))


def ends(trace: Trace) -> tuple[int, ...]:
    """The events that the violation follows from directly: the last step, the last event of every process concerned, and whatever
    sent messages that wait at the end and are named in the reason."""
    taken = events(trace)
    if not taken:
        return ()
    last = {event.process: number for number, event in enumerate(taken)}
    found = {len(taken) - 1, *(last[name] for name in concerned(trace) if name in last)}
    waiting = (flight for flight in flights(trace) if flight.fate in ("waiting", "held"))
    found |= {flight.sent for flight in waiting if re.search(rf"\b{flight.message.split('(')[0]}\b", trace.reason)}
    return tuple(sorted(found))


def overwritten(trace: Trace) -> dict[int, tuple[tuple[str, str], ...]]:
    """The lost updates: events that write a shared variable over what another process has written, and which theirs has not
    looked at since; each such variable, and that other process. None where the trace does not say what was read."""
    shared = {name for name, _ in trace.initial.shared}
    writers: dict[str, str] = {}
    current: set[tuple[str, str]] = set()  # a process and a variable of which it knows the value
    found: dict[int, tuple[tuple[str, str], ...]] = {}
    for number, event in enumerate(events(trace)):
        if event.reads is None:
            return {}
        written = [name for name, _, _ in event.changed if name in shared]
        current |= {(event.process, name) for name in event.reads}
        unseen = [name for name in written if (event.process, name) not in current]
        over = tuple((name, writers[name]) for name in unseen if writers.get(name, event.process) != event.process)
        if over:
            found[number] = over
        writers |= dict.fromkeys(written, event.process)
        current -= {known for known in current if known[1] in written}
        current |= {(event.process, name) for name in written}
    return found


def all_needed(trace: Trace) -> bool:
    """Whether the violation, or else the last step, follows from every step of the run."""
    return len(relevant(trace)) == len(events(trace))


def _causes(known: tuple[Flight, ...]) -> dict[int, list[int]]:
    """For each event those that sent what it received, or what was lost or duplicated in it."""
    causes: dict[int, list[int]] = {}
    for number, flight in enumerate(known):
        for reception in flight.received:
            causes.setdefault(reception, []).append(flight.sent)
        if flight.ended is not None and flight.ended != flight.sent:
            causes.setdefault(flight.ended, []).append(flight.sent)
        if flight.origin == "copy":
            same = (flight.message, flight.target, flight.port)
            originals = (f.sent for f in known[:number] if (f.message, f.target, f.port) == same)
            causes.setdefault(flight.sent, []).extend(originals)
    return causes


def _before(one: Clock, other: Clock) -> bool:
    return one != other and all(a <= b for a, b in zip(one, other, strict=True))


def _reaches_everyone(event: TraceStep, trace: Trace) -> bool:
    shared = {name for name, _ in trace.initial.shared}
    return event.process == NETWORK or any(name in shared for name, _, _ in event.changed)


class _Flights:
    """Follows what waits at every port from state to state, and says of each message where it came from and what became of it."""

    def __init__(self, trace: Trace) -> None:
        self.all: list[Flight] = []
        self._waiting: dict[Place, list[int]] = {}  # numbers of flights, the oldest first
        self._in_port = {
            (trace.world.label(process), str(port)): str(in_port)
            for process, ports in enumerate(trace.world.route)
            for port, (_, in_port) in ports.items()
        }
        self.queues: list[dict[Place, tuple[int, ...]]] = []
        self._starts = len(trace.starts)
        for place, there in _places(trace.initial).items() if not trace.starts else ():
            self._waiting[place] = [self._appeared(place, waiting.message, there, -1, INITIAL) for waiting in there]
        number = 0
        for run in (trace.starts, trace.steps):
            for batch in _together(run):
                self._advance([(number + k, event) for k, event in enumerate(batch)])
                number += len(batch)
                if run is trace.steps:
                    self.queues.append(self._queued(batch[-1].state))
            if run is trace.starts:
                self.queues.append(self._queued(trace.initial))
        self._still_held(events(trace)[-1].state if number else trace.initial)

    def _advance(self, batch: list[tuple[int, TraceStep]]) -> None:
        """One step, or the steps of one round: they share the state after it."""
        consumed = self._consumed(batch)
        arriving = self._arriving(batch)
        state = batch[-1][1].state
        after = _places(state)
        for place in dict.fromkeys([*self._waiting, *arriving, *after]):
            wanted = Counter(waiting.message for waiting in after.get(place, ()))
            before, fresh = self._waiting.get(place, []), arriving.get(place, [])
            kept = {flight for flight in (*before, *fresh) if flight not in consumed and self._claims(flight, wanted)}
            # what was received waits on where the network keeps messages, or the step failed
            kept |= {flight for flight in before if flight in consumed and self._claims(flight, wanted)}
            for flight in before:
                if flight not in kept and flight not in consumed:
                    self._end(flight, batch[-1][0], "lost")
            for flight in fresh:
                if flight not in kept and self.all[flight].fate == "waiting":
                    waits = any(waiting.message == self.all[flight].message for waiting in after.get(place, ()))
                    fate = "ignored" if _is_down(state, place[0]) else "merged" if waits else "lost"
                    self._end(flight, self.all[flight].sent, fate)
            number, event = batch[-1]
            copied = event.deed and event.deed.copies
            origin = INITIAL if number < self._starts else "copy" if copied else "detector"
            there = after.get(place, [])
            appeared = [self._appeared(place, message, there, number, origin) for message in wanted.elements()]
            self._waiting[place] = [flight for flight in (*before, *fresh) if flight in kept] + appeared

    def _claims(self, flight: int, wanted: Counter[str]) -> bool:
        """Whether one of the messages that wait is this one; then it is no other."""
        message = self.all[flight].message
        found = wanted[message] > 0 and self.all[flight].fate != "lost"
        wanted[message] -= found
        return found

    def _consumed(self, batch: list[tuple[int, TraceStep]]) -> set[int]:
        """The flights that end in these steps by being received."""
        consumed: set[int] = set()
        for number, event in batch:
            if event.kind != "receive":
                continue
            for flight in self._waiting.get((event.process, event.port or ""), ()):
                if self.all[flight].message == event.received and flight not in consumed:
                    received = (*self.all[flight].received, number)
                    self.all[flight] = replace(self.all[flight], received=received, fate="received")
                    consumed.add(flight)
                    break
        return consumed

    def _arriving(self, batch: list[tuple[int, TraceStep]]) -> dict[Place, list[int]]:
        arriving: dict[Place, list[int]] = {}
        for number, event in batch:
            for send in event.sent if not event.failure else ():
                port = self._in_port[event.process, send.port]
                flight = Flight(send.message, event.process, send.target, port, number)
                arriving.setdefault((send.target, port), []).append(len(self.all))
                self.all.append(flight)
                if send.across == "lost":
                    self._end(len(self.all) - 1, number, "lost")
        return arriving

    def _appeared(self, place: Place, message: str, there: list[Waiting], number: int, origin: str) -> int:
        """A message that no step of the protocol has sent: a copy, the detector's word, or one that waited at first."""
        source = next(waiting.source for waiting in there if waiting.message == message)
        self.all.append(Flight(message, source, place[0], place[1], number, origin=origin))
        return len(self.all) - 1

    def _end(self, flight: int, number: int, fate: str) -> None:
        if self.all[flight].received:  # it waited on, and what arrived has arrived
            return
        self.all[flight] = replace(self.all[flight], ended=number, fate=fate)

    def _queued(self, state: Snapshot) -> dict[Place, tuple[int, ...]]:
        """The flights that wait, in the order of the messages in the state."""
        found = {}
        for place, there in _places(state).items():
            left = list(self._waiting.get(place, ()))
            queue = []
            for waiting in there:
                flight = next((flight for flight in left if self.all[flight].message == waiting.message), None)
                if flight is not None:
                    left.remove(flight)
                    queue.append(flight)
            found[place] = tuple(queue)
        return found

    def _still_held(self, state: Snapshot) -> None:
        for place, there in _places(state).items():
            held = Counter(waiting.message for waiting in there if waiting.held)
            for flight in reversed(self._waiting.get(place, [])):  # the last sent stand behind the cut
                if held[self.all[flight].message] > 0:
                    held[self.all[flight].message] -= 1
                    self.all[flight] = replace(self.all[flight], fate="held")


def _together(run: Sequence[TraceStep]) -> Iterator[list[TraceStep]]:
    """Each step by itself, in lock-step those of a round."""
    for number, steps in groupby(run, lambda step: step.round):
        if number is None:
            yield from ([step] for step in steps)
        else:
            yield list(steps)


def _places(state: Snapshot) -> dict[Place, list[Waiting]]:
    found: dict[Place, list[Waiting]] = {}
    for process in state.processes:
        for waiting in process.waiting:
            found.setdefault((process.process, waiting.port), []).append(waiting)
    return found


def _is_down(state: Snapshot, name: str) -> bool:
    return any(process.crashed for process in state.processes if process.process == name)
