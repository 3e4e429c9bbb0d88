"""Why a run goes wrong: from the failure back to its roots, each step with those that it follows from directly.

A step follows from the step that sent what it receives, from its process's own step before it, and from whoever last wrote a shared
variable that it read. What a fault does to a message follows from its sending as well. All that is reached so belongs to the causal
past of the failure (causality.py), which for shared variables is told no more exactly than it is known.
"""

from __future__ import annotations

from dataclasses import dataclass

from .causality import ends, events, flights
from .trace import Trace


@dataclass(frozen=True)
class Cause:
    """What a step follows from. `kind` is "message" (`about` is the message that was sent), "before" (the process's own step before
    it), "shared" (`about` is the variable that was written) or "copied" (the message that was duplicated)."""

    kind: str
    event: int
    about: str = ""


@dataclass(frozen=True)
class Follows:
    """One step on the way back: an event by its number in `causality.events`, its direct causes, and the messages it sent that led
    on to others; `past` is all that it follows from, itself included."""

    event: int
    causes: tuple[Cause, ...]
    led_on: tuple[int, ...]  # flights
    past: frozenset[int]


def why(trace: Trace) -> tuple[Follows, ...]:
    """Every step that the failure, or the last state of a run that goes against nothing, follows from: the last first."""
    causes = direct(trace)
    wanted = set(ends(trace))
    for event in range(len(events(trace)) - 1, -1, -1):
        if event in wanted:
            wanted |= {cause.event for cause in causes[event]}
    known = flights(trace)
    pasts: list[frozenset[int]] = []
    for event, found in enumerate(causes):
        pasts.append(frozenset({event}).union(*(pasts[cause.event] for cause in found)))
    told = []
    for event in sorted(wanted, reverse=True):
        led_on = (n for n, flight in enumerate(known) if flight.sent == event and _matters(trace, n, wanted))
        told.append(Follows(event, causes[event], tuple(led_on), pasts[event]))
    return tuple(told)


def direct(trace: Trace) -> list[tuple[Cause, ...]]:
    """The direct causes of every event."""
    taken = events(trace)
    found: list[list[Cause]] = [[] for _ in taken]
    known = flights(trace)
    for number, flight in enumerate(known):
        for reception in flight.received:
            found[reception].append(Cause("message", flight.sent, flight.message))
        if flight.ended is not None and flight.ended != flight.sent:
            found[flight.ended].append(Cause("message", flight.sent, flight.message))
        if flight.origin == "copy":
            same = (flight.message, flight.target, flight.port)
            original = [f for f in known[:number] if (f.message, f.target, f.port) == same]
            found[flight.sent] += [Cause("copied", f.sent, f.message) for f in original[-1:]]
    last: dict[str, int] = {}
    writers: dict[str, int] = {}
    shared = {name for name, _ in trace.initial.shared}
    before = dict(last)
    for number, event in enumerate(taken):
        if number == 0 or event.round is None or event.round != taken[number - 1].round:
            before = dict(writers)
        reads = event.reads if event.reads is not None else tuple(writers)  # not known: whatever was written before
        for name in reads:
            if name in before and before[name] != number:
                found[number].append(Cause("shared", before[name], name))
        if event.process in last:
            found[number].append(Cause("before", last[event.process]))
        last[event.process] = number
        writers |= {name: number for name, _, _ in event.changed if name in shared}
    return [tuple(dict.fromkeys(causes)) for causes in found]


def _matters(trace: Trace, number: int, wanted: set[int]) -> bool:
    """Whether a message led to one of these events, or waits at the end and is what the failure is about."""
    flight = flights(trace)[number]
    if any(event in wanted for event in (*flight.received, flight.ended)):
        return True
    return flight.fate in ("waiting", "held") and flight.message.split("(")[0] in trace.reason
