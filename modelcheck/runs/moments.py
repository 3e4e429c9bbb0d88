"""A run as moments at which one can stop: what has just happened, and the state that this has led to.

Moment 0 is the state at first, after the starting steps where there are any. Each step leads to the next moment, in lock-step
each round.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby

from .trace import ProcessState, Snapshot, Trace, TraceStep, Waiting

SHARED, NETWORK = "shared variables", "the network"


@dataclass(frozen=True)
class Moment:
    """`events` led here, by their numbers in `causality.events`; `done` have happened by now. `repeats`: within the loop."""

    number: int
    place: str  # "at first", "step 3", "round 2"
    events: tuple[int, ...]
    steps: tuple[TraceStep, ...]
    done: int
    state: Snapshot
    repeats: bool = False


@dataclass(frozen=True)
class FieldThen:
    """A local variable; `fresh` where it has just changed."""

    name: str
    value: str
    fresh: bool


@dataclass(frozen=True)
class Arrival:
    """A message that waits; `fresh` where it has just been sent."""

    waiting: Waiting
    fresh: bool


@dataclass(frozen=True)
class Version:
    """What a process is from one moment to another, both included."""

    first: int
    last: int
    crashed: bool
    turned: bool  # it has just crashed or recovered
    fields: tuple[FieldThen, ...]
    inbox: tuple[Arrival, ...]


@dataclass(frozen=True)
class Life:
    """All that one process is in a run, or the shared variables, or the network; these have no inbox."""

    name: str
    versions: tuple[Version, ...]


def moments(trace: Trace) -> tuple[Moment, ...]:
    """Every moment of a run, the first first."""
    started = len(trace.starts)
    found = [Moment(0, "at first", tuple(range(started)), trace.starts, started, trace.initial)]
    done = started
    for _, group in groupby(enumerate(trace.steps), lambda item: item[1].round or -item[0]):
        taken = list(group)
        numbers = tuple(started + number for number, _ in taken)
        done += len(taken)
        repeats = trace.loop is not None and taken[0][0] >= trace.loop
        steps = tuple(step for _, step in taken)
        place = f"{trace.unit} {len(found)}"
        found.append(Moment(len(found), place, numbers, steps, done, steps[-1].state, repeats))
    return tuple(found)


def lives(trace: Trace) -> tuple[Life, ...]:
    """How each process fares from moment to moment, then the shared variables and the network where they play a part."""
    states = [moment.state for moment in moments(trace)]
    found = [
        Life(process.process, _versions([state.processes[place] for state in states]))
        for place, process in enumerate(trace.initial.processes)
    ]
    if trace.initial.shared:
        found.append(Life(SHARED, _versions([ProcessState(SHARED, False, state.shared, ()) for state in states])))
    if any("|" in state.blocks for state in states):
        blocks = [ProcessState(NETWORK, False, (("parts", state.blocks),), ()) for state in states]
        found.append(Life(NETWORK, _versions(blocks)))
    return tuple(found)


def _versions(states: list[ProcessState]) -> tuple[Version, ...]:
    found: list[Version] = []
    before: ProcessState | None = None
    for state, group in groupby(enumerate(states), lambda item: item[1]):
        numbers = [number for number, _ in group]
        found.append(_version(before, state, numbers[0], numbers[-1]))
        before = state
    return tuple(found)


def _version(before: ProcessState | None, state: ProcessState, first: int, last: int) -> Version:
    """What changed is seen against the state before; at first nothing has changed."""
    old = state if before is None else before
    was = dict(old.fields)
    known = Counter(old.waiting)
    arrivals = []
    for waiting in state.waiting:
        arrivals.append(Arrival(waiting, not known[waiting]))
        known[waiting] -= known[waiting] > 0
    fields = tuple(FieldThen(name, value, was.get(name) != value) for name, value in state.fields)
    return Version(first, last, state.crashed, state.crashed != old.crashed, fields, tuple(arrivals))
