"""Counterexamples: a run, step by step, replayed before anyone sees it.

A trace is data that outlives the search: what people read as texts, and the values of each state as plain data beside them
(plain.py), so that it can be written to a file, read back and converted without the model. Replay takes nothing from the search but the labels
of the steps: it builds a new System, looks each step up by its label, applies it and compares the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, ClassVar

from ..errors import ReplayError, StepError
from ..language.faults import DEEDS, Deed
from ..language.messages import DETECTOR_MESSAGES, Cut, Down, Up
from ..language.properties import Property
from ..language.values import Port, show
from ..properties.view import Reason, StateView, reason_against
from ..pulse import attended
from ..semantics.components import Component, State
from ..semantics.lines import Line
from ..semantics.lockstep import Round, system_for
from ..semantics.network import is_cut
from ..semantics.partitions import Network, named
from ..semantics.system import Start, System, Transition
from ..semantics.verification import blame_the_model
from ..semantics.worlds import World
from .looking import shared_reads
from .plain import Plain, plain

DETECTOR = tuple(f"{kind.__name__}()" for kind in (Down, Up))  # its words


@dataclass(frozen=True)
class Send:
    """One message sent by a step; `target` is the process it goes to, `across` its fate ("lost", "held") over a cut, or on
    a link that is full."""

    port: str
    message: str
    target: str
    across: str = ""


@dataclass(frozen=True)
class Waiting:
    """One message that waits for a process, at which of its ports and from whom; `held` until a cut heals. `value` is the
    message as plain data."""

    message: str
    port: str
    source: str
    held: bool = False
    value: Plain = None

    def __str__(self) -> str:
        return self.message + (" (held)" if self.held else "")


@dataclass(frozen=True)
class ProcessState:
    """One process in one state: its local variables (of a crashed process those that are stable) and what waits for it, per
    port in order. `values` are those of the variables as plain data, in their order."""

    process: str
    crashed: bool
    fields: tuple[tuple[str, str], ...]
    waiting: tuple[Waiting, ...]
    values: tuple[Plain, ...] = ()

    @property
    def described(self) -> str:
        """'awake=True, leader=None; waiting: Election(1)', or 'crashed, term=2'."""
        parts = ["crashed"] if self.crashed else []
        text = ", ".join(parts + [f"{name}={value}" for name, value in self.fields])
        return text + ("; waiting: " + ", ".join(map(str, self.waiting)) if self.waiting else "")

    def __str__(self) -> str:
        return f"{self.process}: {self.described}"


@dataclass(frozen=True)
class Snapshot:
    """One state: every process, the shared variables by name, and the blocks ('p1 p3 | p2') of a network that can split.
    `shared_values` are those of the shared variables as plain data, in their order."""

    processes: tuple[ProcessState, ...]
    shared: tuple[tuple[str, str], ...]
    blocks: str = ""
    shared_values: tuple[Plain, ...] = ()


@dataclass(frozen=True)
class TraceStep:
    """One step: who, which step, what was received (or lost, duplicated), what changed, what was sent.

    Of the `choices` the last `draws` were drawn, left to chance; the others were chosen. `chances` are the probabilities of these draws
    ('1/3'), as far as they are known: no file of an earlier version has them. `reads` are the shared variables
    whose values it looked at, those it had written itself left out; None where that is not known. `ran` are the lines of the
    model's files that ran in it, where somebody has looked (code.py); no file keeps them.
    Where the step failed, `failure` says how, `where` in which line of the model, and `traceback` shows the model's frames.
    """

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
    state: Snapshot  # after the step, in lock-step after its round
    where: str = ""
    traceback: tuple[str, ...] = ()
    round: int | None = None  # in lock-step
    draws: int = 0
    chances: tuple[str, ...] = ()
    reads: tuple[str, ...] | None = None
    ran: tuple[Line, ...] = field(default=(), compare=False)

    @property
    def deed(self) -> Deed | None:
        """What a fault does in it; None of a step of the protocol."""
        return DEEDS.get(self.kind)

    @property
    def only_read(self) -> tuple[str, ...]:
        """The shared variables that it read and left as they are."""
        changed = [name for name, _, _ in self.changed]
        return tuple(name for name in self.reads or () if name not in changed)

    @property
    def decided(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What it "chooses" and what it "draws", each where there is any: a step chooses first. A draw is told with its probability:
        '2 (1/3)'."""
        first = len(self.choices) - self.draws
        drawn = self.choices[first:]
        if len(self.chances) == len(drawn):
            drawn = tuple(f"{value} ({chance})" for value, chance in zip(drawn, self.chances, strict=True))
        found = ("chooses", self.choices[:first]), ("draws", drawn)
        return tuple((verb, values) for verb, values in found if values)


@dataclass(frozen=True)
class Trace:
    """A run that breaks a property.

    `loop` is the number of steps after which the part begins that repeats for ever; None for a finite run. `starts` are
    the starting steps taken before the run begins (start simultaneous). `length` counts the steps of the run, in
    lock-step the rounds. `final`: the last state is known to be a terminal one, so what waits there is never taken.
    `about` are the processes that the reason names, as the steps name who takes them.
    """

    world: World
    starts: tuple[TraceStep, ...]
    steps: tuple[TraceStep, ...]
    initial: Snapshot
    reason: str
    loop: int | None = None
    final: bool = False
    about: tuple[str, ...] = ()

    picture: ClassVar[Callable[[Trace], str] | None] = None  # as SVG: faces.py, above, knows how

    @property
    def length(self) -> int:
        return self.rounds or len(self.steps)

    @property
    def rounds(self) -> int | None:
        """How many rounds the run has; None where it is not in lock-step, or has no step."""
        return self.steps[-1].round if self.steps else None

    @property
    def unit(self) -> str:
        """What `length` counts."""
        return "round" if self.rounds else "step"

    def _repr_svg_(self) -> str | None:
        """How a notebook shows it."""
        return None if Trace.picture is None else Trace.picture(self)


def sender(message: str, source: str | None) -> str:
    """Who has sent a message, without the identifier: 'p2', or 'the failure detector on p2'."""
    who = (source or "").split(" (")[0]
    return f"the failure detector on {who}" if message in DETECTOR else who


def build(
    system: System,
    world: World,
    start: Start,
    transitions: Sequence[Transition],
    reason: str,
    loop: int | None = None,
    *,
    final: bool = False,
    about: Iterable[int] = (),
) -> Trace:
    """The trace of a run that was just found; `replay` it before showing it. The reason is `about` the processes of these numbers."""
    steps = _steps(system, world, start.state, transitions)
    if loop is not None:  # where rounds are of several steps
        loop = sum(step.round <= loop if step.round is not None else k < loop for k, step in enumerate(steps))
    return Trace(
        world=world,
        starts=tuple(_steps(system, world, start.before, start.steps)),
        steps=tuple(steps),
        initial=snapshot(system, world, start.state),
        reason=reason,
        loop=loop,
        final=final,
        about=tuple(map(world.label, about)),
    )


def lines(trace: Trace) -> tuple[str, ...]:
    """The world of a run and its steps, in a line each, for the report of a model's error."""
    steps = (f"{step.process} {step.step}" + (f" {step.received}" if step.received else "") for step in trace.steps)
    return (str(trace.world), *steps)


def _steps(system: System, world: World, state: State, transitions: Sequence[Transition]) -> list[TraceStep]:
    steps: list[TraceStep] = []
    for number, transition in attended(enumerate(transitions, 1)):
        steps += steps_of(system, world, state, transition, number)
        state = transition.after if transition.after is not None else state
    return steps


def steps_of(system: System, world: World, before: State, taken: Transition, number: int = 1) -> list[TraceStep]:
    """The transition `number` of a run as its trace shows it: one step, or those of a round."""
    if isinstance(taken, Round):
        return list(_in_round(system, world, before, taken, number))
    return [_step(system, world, before, taken)]


def _in_round(system: System, world: World, state: State, taken: Round, number: int) -> Iterator[TraceStep]:
    after = snapshot(system, world, taken.after if taken.after is not None else state)
    for before, transition in attended(taken.singly(state)):
        yield replace(_step(system, world, before, transition), state=after, round=number)


def _step(system: System, world: World, before: State, transition: Transition) -> TraceStep:
    outcome, process = transition.outcome, transition.process
    if isinstance(outcome.component, Network):
        assert transition.after is not None
        changed = ("blocks", named(before[-1].blocks), named(outcome.component.blocks))
        state = snapshot(system, world, transition.after)
        return TraceStep(
            world.label(process), outcome.step, outcome.kind, None, None, None, (changed,), (), (), None, state
        )
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
        sent=tuple(_sends(system, world, before, transition)),
        choices=tuple(show(choice.value) for choice in outcome.choices),
        failure=outcome.failure.sentence if outcome.failure else None,
        state=snapshot(system, world, transition.after if transition.after is not None else before),
        where=outcome.failure.where if outcome.failure else "",
        traceback=outcome.failure.traceback if outcome.failure else (),
        draws=sum(choice.random for choice in outcome.choices),
        chances=tuple(str(choice.probability) for choice in outcome.choices if choice.random),
        reads=shared_reads(system, before, transition),
    )


def _sends(system: System, world: World, before: State, transition: Transition) -> Iterator[Send]:
    """What a step sends, in order."""
    process, outcome = transition.process, transition.outcome
    current: list[Component] = [*before[1 : world.n + 1]]
    current[process] = outcome.component
    for out, message in outcome.sends:
        if not isinstance(message, DETECTOR_MESSAGES):
            target, in_port = world.route[process][out]
            fate = _fate(system, current[target], in_port)
            yield Send(str(out), repr(message), world.label(target), fate)
            current[target] = system.deliver(current[target], in_port, message)


def _fate(system: System, target: Component, in_port: Port) -> str:
    """What becomes of a message that is sent over a cut, or on a link that is full; nothing of any other."""
    channel = target.inbox[target.profile.in_ports.index(in_port)]
    if target.crashed or not (is_cut(channel) or system.links.is_full(channel)):
        return ""
    return system.settings.across if is_cut(channel) else "lost"


def _changes(system: System, before: State, transition: Transition) -> tuple[tuple[str, str, str], ...]:
    """By name what was and what is. A variable that a crash takes away is None until the process recovers; then what the
    recovery made of those that were left comes first."""
    outcome = transition.outcome
    old: Component = before[transition.process + 1]
    was, now = system.fields_of(old), system.fields_of(outcome.component)
    names = sorted(was, key=lambda name: not system.keeps(name)) if old.crashed else list(was)
    changes = [(name, show(was[name]), show(now[name])) for name in names if was[name] != now[name]]
    shared = system._shared_names
    for name, was_shared, now_shared in zip(shared, before[0].shared, outcome.environment.shared, strict=True):
        if was_shared != now_shared:
            changes.append((name, show(was_shared), show(now_shared)))
    return tuple(changes)


def snapshot(system: System, world: World, state: State) -> Snapshot:
    """One state as a trace shows it."""
    processes = tuple(_process(system, world, number, state[number + 1]) for number in range(world.n))
    shared = zip(system._shared_names, state[0].shared, strict=True)
    blocks = named(state[-1].blocks) if isinstance(state[-1], Network) else ""
    return Snapshot(
        processes, tuple((name, show(value)) for name, value in shared), blocks, tuple(map(plain, state[0].shared))
    )


def _process(system: System, world: World, number: int, component: Component) -> ProcessState:
    variables = system.fields_of(component)
    if component.crashed:
        variables = {name: value for name, value in variables.items() if system.keeps(name)}
    silent = {
        field.name: field.initial for field in system.definition.fields if field.name in system.definition.unnamed
    }
    variables = {name: value for name, value in variables.items() if name not in silent or value != silent[name]}
    waiting = tuple(
        Waiting(
            repr(message), str(port), world.label(world.sender[number][port]), is_cut(channel[:place]), plain(message)
        )
        for port, channel in zip(component.profile.in_ports, component.inbox, strict=True)
        for place, message in enumerate(channel)
        if not isinstance(message, Cut)
    )
    fields = tuple((name, show(value)) for name, value in variables.items())
    return ProcessState(world.label(number), component.crashed, fields, waiting, tuple(map(plain, variables.values())))


# --- replay ------------------------------------------------------------------------------------------------------


def replay(system: System, world: World, start: Start, transitions: Sequence[Transition]) -> State:
    """Takes the run again, through a System of its own, and returns the last state of that.

    Raises StepError where that is the model's fault, which does now one thing and now another, and ReplayError with the first step that
    does not fit for another reason.
    """
    fresh = system_for(system.definition, system.settings)
    try:
        try:
            return _replayed(fresh, world, start, transitions)
        except ReplayError:
            blame_the_model(system, fresh)
            raise
    except StepError as error:
        error.trace = error.trace or lines(build(system, world, start, transitions, ""))
        raise


def _replayed(fresh: System, world: World, start: Start, transitions: Sequence[Transition]) -> State:
    for candidate in fresh.starts(world):
        if values(candidate.state) == values(start.state) and _labels(candidate.steps) == _labels(start.steps):
            state = candidate.state
            break
    else:
        raise ReplayError("the initial state of the counterexample is none")
    for number, transition in attended(enumerate(transitions, 1)):
        wanted = (transition.process, transition.outcome.label())
        for again in fresh.successors(world, state):
            if (again.process, again.outcome.label()) == wanted and _fits(again, transition):
                break
        else:
            raise ReplayError(f"step {number} of the counterexample ({transition.outcome.step}) cannot be taken")
        if again.after is not None:
            state = again.after
    return state


def numbered(
    system: System, world: World, start: Start, transitions: Sequence[Transition]
) -> tuple[int, tuple[int, ...]]:
    """Which of the world's starts it is, and at each state which of the transitions out of it: enough to `retake` the run."""
    known = (
        other.state == start.state and _labels(other.steps) == _labels(start.steps) for other in system.starts(world)
    )
    first = list(known).index(True)
    taken = []
    state = start.state
    for transition in transitions:
        candidates = system.successors(world, state)
        (label,) = _labels([transition])
        same = (_labels([other]) == [label] and other.after == transition.after for other in candidates)
        taken.append(list(same).index(True))
        state = state if transition.after is None else transition.after
    return first, tuple(taken)


def retake(system: System, world: World, first: int, taken: Sequence[int]) -> tuple[Start, list[Transition]]:
    """The run that `numbered` has described. Raises ReplayError where there is none."""
    start = next(islice(system.starts(world), first, None), None)
    state: State | None = start.state if start else None
    transitions: list[Transition] = []
    for number in taken:
        after = iter(()) if state is None else system.successors(world, state)
        transition = next(islice(after, number, None), None)
        if transition is None:
            break
        transitions.append(transition)
        state = transition.after
    if start is None or len(transitions) < len(taken):
        raise ReplayError(f"step {len(transitions) + 1} of a counterexample that was kept does not exist")
    return start, transitions


def confirm(system: System, world: World, prop: Property, states: tuple[State, ...]) -> Reason | None:
    """What the property, evaluated afresh, says against these states; None where it holds."""
    return reason_against(prop, tuple(StateView(system, world, state) for state in states))


def _fits(again: Transition, transition: Transition) -> bool:
    if again.after is None or transition.after is None:
        return again.after is transition.after
    return values(again.after) == values(transition.after)


def _labels(steps: Sequence[Transition]) -> list[Any]:
    return [(t.process, t.outcome.label()) for t in steps]


def values(state: State) -> list[Any]:
    """A state by value, to compare across Systems."""
    return [state[0].values(), *((c.profile, c.crashed, c.fields, c.inbox) for c in state[1:])]
