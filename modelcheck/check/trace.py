"""Counterexamples: a run, step by step, replayed before anyone sees it.

A trace is data that outlives the search: plain values and strings. Replay takes nothing from the search but the labels
of the steps: it builds a new System, looks each step up by its label, applies it and compares the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import ReplayError
from ..language.messages import DETECTOR_MESSAGES
from ..language.properties import Because, Property
from ..language.values import show
from ..semantics.components import Component, State
from ..semantics.system import Start, System, Transition
from ..semantics.worlds import World
from .view import StateView, evaluate


@dataclass(frozen=True)
class Send:
    """One message sent by a step; `target` is the process it goes to."""

    port: str
    message: str
    target: str


@dataclass(frozen=True)
class TraceStep:
    """One step: who, which step, what was received (or lost, duplicated), what changed, what was sent."""

    process: str
    step: str
    kind: str
    received: str | None
    port: str | None
    source: str | None  # who sent what was received
    changed: tuple[tuple[str, str, str], ...]  # name, before, after
    sent: tuple[Send, ...]
    choices: tuple[str, ...]
    failure: str | None
    state: tuple[str, ...]  # every process after the step


@dataclass(frozen=True)
class Trace:
    """A run that breaks a property.

    `loop` is the number of steps after which the part begins that repeats for ever; None for a finite run. `starts` are
    the starting steps taken before the run begins (start simultaneous). `length` counts the steps of the run.
    """

    world: World
    starts: tuple[TraceStep, ...]
    steps: tuple[TraceStep, ...]
    initial: tuple[str, ...]
    reason: str
    loop: int | None = None

    @property
    def length(self) -> int:
        return len(self.steps)


def build(
    system: System, world: World, start: Start, transitions: Sequence[Transition], reason: str, loop: int | None = None
) -> Trace:
    """The trace of a run that was just found; `replay` it before showing it."""
    return Trace(
        world=world,
        starts=tuple(_steps(system, world, start.before, start.steps)),
        steps=tuple(_steps(system, world, start.state, transitions)),
        initial=_describe(system, world, start.state),
        reason=reason,
        loop=loop,
    )


def _steps(system: System, world: World, state: State, transitions: Sequence[Transition]) -> list[TraceStep]:
    steps = []
    for transition in transitions:
        steps.append(_step(system, world, state, transition))
        state = transition.after if transition.after is not None else state
    return steps


def _step(system: System, world: World, before: State, transition: Transition) -> TraceStep:
    outcome, process = transition.outcome, transition.process
    received = port = source = None
    if outcome.received is not None:
        port = str(outcome.received[0])
        if outcome.received[1] is not None:
            received = repr(outcome.received[1])
            source = world.label(world.sender[process][outcome.received[0]])
        else:
            source = world.label(world.route[process][outcome.received[0]][0])
    return TraceStep(
        process=world.label(process),
        step=outcome.step,
        kind=outcome.kind,
        received=received,
        port=port,
        source=source,
        changed=() if transition.after is None else _changes(system, before, transition),
        sent=tuple(
            Send(str(out), repr(message), world.label(world.route[process][out][0]))
            for out, message in outcome.sends
            if not isinstance(message, DETECTOR_MESSAGES)
        ),
        choices=tuple(show(choice.value) for choice in outcome.choices),
        failure=outcome.failure.sentence if outcome.failure else None,
        state=_describe(system, world, transition.after if transition.after is not None else before),
    )


def _changes(system: System, before: State, transition: Transition) -> tuple[tuple[str, str, str], ...]:
    outcome = transition.outcome
    old: Component = before[transition.process + 1]
    changes = []
    if not outcome.component.crashed and not old.crashed:
        was, now = system.fields_of(old), system.fields_of(outcome.component)
        changes += [(name, show(was[name]), show(now[name])) for name in was if was[name] != now[name]]
    names = system._shared_names
    for name, was_shared, now_shared in zip(names, before[0].shared, outcome.environment.shared, strict=True):
        if was_shared != now_shared:
            changes.append((name, show(was_shared), show(now_shared)))
    return tuple(changes)


def _describe(system: System, world: World, state: State) -> tuple[str, ...]:
    """One line for each process: its fields and what waits for it."""
    lines = []
    for process, component in enumerate(state[1:]):
        waiting = ", ".join(repr(message) for channel in component.inbox for message in channel)
        text = "crashed" if component.crashed else system.describe(component)
        lines.append(f"{world.label(process)}: {text}" + (f"; waiting: {waiting}" if waiting else ""))
    names = system._shared_names
    lines += [f"shared {name} = {show(value)}" for name, value in zip(names, state[0].shared, strict=True)]
    return tuple(lines)


# --- replay ------------------------------------------------------------------------------------------------------


def replay(system: System, world: World, start: Start, transitions: Sequence[Transition]) -> State:
    """Takes the run again, through a System of its own, and returns the last state of that.

    Raises ReplayError with the first step that does not fit.
    """
    fresh = System(system.definition, system.settings)
    for candidate in fresh.starts(world):
        if values(candidate.state) == values(start.state) and _labels(candidate.steps) == _labels(start.steps):
            state = candidate.state
            break
    else:
        raise ReplayError("the initial state of the counterexample is none")
    for number, transition in enumerate(transitions, 1):
        wanted = (transition.process, transition.outcome.label())
        for again in fresh.successors(world, state):
            if (again.process, again.outcome.label()) == wanted and _fits(again, transition):
                break
        else:
            raise ReplayError(f"step {number} of the counterexample ({transition.outcome.step}) cannot be taken")
        if again.after is not None:
            state = again.after
    return state


def confirm(system: System, world: World, prop: Property, states: tuple[State, ...]) -> bool | Because:
    """What the property says of these states, evaluated afresh."""
    return evaluate(prop, tuple(StateView(system, world, state) for state in states))


def _fits(again: Transition, transition: Transition) -> bool:
    if again.after is None or transition.after is None:
        return again.after is transition.after
    return values(again.after) == values(transition.after)


def _labels(steps: Sequence[Transition]) -> list[Any]:
    return [(t.process, t.outcome.label()) for t in steps]


def values(state: State) -> list[Any]:
    """A state by value, to compare across Systems."""
    return [state[0].values(), *((c.profile, c.crashed, c.fields, c.inbox) for c in state[1:])]
