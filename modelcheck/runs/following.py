"""The same schedule in another system: the mended protocol, or the same under another value of a parameter, as far as it goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from ..semantics.components import State
from ..semantics.system import Start, System, Transition
from ..semantics.worlds import World
from .trace import Snapshot, Trace, TraceStep, steps_of


@dataclass(frozen=True)
class Followed:
    """How far the schedule could be followed: the states passed through and the transitions between them. `stopped` says why it
    could be followed no further; nothing where it could to its end."""

    start: Start
    states: tuple[State, ...]
    transitions: tuple[Transition, ...]
    stopped: str


def follow(system: System, trace: Trace) -> Followed:
    """Takes the steps of a run in another system: at each the transition that has most in common with it, of the same process, the
    same step, what is received and what is chosen, and then what comes of it. A step of the same name by the same port is one that takes another message;
    what has another name is not the same step."""
    world = trace.world
    start = max(system.starts(world), key=lambda other: _starts_alike(system, world, other, trace), default=None)
    assert start is not None, "every world has an initial state"
    states, taken, stopped = [start.state], list[Transition](), ""
    for number, (_, group) in enumerate(groupby(enumerate(trace.steps), lambda item: item[1].round or -item[0]), 1):
        wanted = [step for _, step in group]
        best: tuple[tuple[int, int], Transition] | None = None
        for transition in system.successors(world, states[-1]):
            offered = steps_of(system, world, states[-1], transition, number)
            alike = _alike(wanted, offered), _come_to(wanted[-1].state, offered[-1].state)
            if alike[0] and (best is None or alike > best[0]):
                best = alike, transition
        if best is None:
            received = f" with {wanted[0].received}" if wanted[0].received else ""
            stopped = f"at {trace.unit} {number} {wanted[0].process} cannot take {wanted[0].step}{received}"
            break
        taken.append(best[1])
        if best[1].after is None:
            stopped = f"{trace.unit} {number} fails" if number < trace.length else ""
            break
        states.append(best[1].after)
    return Followed(start, tuple(states), tuple(taken), stopped)


def _alike(wanted: Sequence[TraceStep], offered: Sequence[TraceStep]) -> int:
    """How much a transition has in common with what was done: nothing, where it is another step or that of another process."""
    if wanted[0].round is not None:
        both = sum(_name(one) == _name(other) for one, other in zip(wanted, offered, strict=False))
        return 1 + 10 * both + sum(one.choices == other.choices for one, other in zip(wanted, offered, strict=False))
    (one,), (other,) = wanted, offered
    if _name(one) != _name(other) or one.port != other.port:
        return 0
    return 1 + 4 * (one.received == other.received) + 2 * (one.choices == other.choices) + (one.source == other.source)


def _come_to(wanted: Snapshot, offered: Snapshot) -> int:
    """How many processes are the same afterwards, and how many have the same waiting for them: which of equal messages was lost, and what of a
    crashed process got out, is told by nothing else."""
    pairs = list(zip(wanted.processes, offered.processes, strict=True))
    return sum((one.fields == other.fields) + (one.waiting == other.waiting) for one, other in pairs)


def _name(step: TraceStep) -> tuple[str, str, str]:
    return step.process, step.step, step.kind


def _starts_alike(system: System, world: World, start: Start, trace: Trace) -> int:
    state, shown = start.before, list[TraceStep]()
    for transition in start.steps:
        shown += steps_of(system, world, state, transition)
        state = state if transition.after is None else transition.after
    return sum(one.choices == other.choices for one, other in zip(trace.starts, shown, strict=False))
