"""Taking a run again that was kept in a file, through the model as it is now.

The model is run by the plain semantics alone. At each step of the file every transition out of the state is written down as
a trace would show it; one that shows just what the file says is taken. So nothing of the file is trusted, and the first step
that no longer fits is found. Lines of code and tracebacks are not compared: they move whenever a model is edited.

States that a trace cannot tell apart are followed side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ..catalog import Model
from ..errors import ModelcheckError, UsageError
from ..language.properties import LASTING, OF_WHOLE_RUNS, Property
from ..properties.whole_runs import breach
from ..runs.trace import Snapshot, Trace, TraceStep, confirm, snapshot, steps_of
from ..semantics.components import State
from ..semantics.lockstep import system_for
from ..semantics.partitions import MOST_TO_SPLIT
from ..semantics.settings import Settings
from ..semantics.system import Start, System, Transition
from ..semantics.worlds import World
from .findings import FAILURES
from .request import claimed_of

Steps = tuple[TraceStep, ...]  # one, or those of a round


@dataclass(frozen=True, eq=False)
class Run:
    """A run that was taken again: the states passed through, and the transitions between them. After a step that fails there
    is the state before it."""

    start: Start
    states: tuple[State, ...]
    transitions: tuple[Transition, ...] = ()

    @property
    def everything(self) -> tuple[Transition, ...]:
        return (*self.start.steps, *self.transitions)


class ChangedError(ModelcheckError):
    """A run that was kept no longer fits its model: `place` is where, `said` what was kept, `now` what the model does instead."""

    exit_code = 1

    def __init__(self, place: str, why: str, said: Snapshot | Steps, now: Sequence[Snapshot | Steps]) -> None:
        super().__init__(f"{place} does not fit the model any more: {why}")
        self.place, self.why, self.said, self.now = place, why, said, tuple(now)


@dataclass(frozen=True)
class Retraced:
    """A run that fits. `violated` says whether it still breaks its property, None where it is not about one; `because` why,
    or why not."""

    violated: bool | None
    because: str


def retrace(model: Model, settings: Settings, spec: str | None, name: str, kind: str, trace: Trace) -> Retraced:
    """Takes the run again and judges its property, `name`, at its end. `settings` have parameters as they are typed.

    Raises ChangedError with the first step that does not fit, UsageError for more processes than can split, and StepError
    where the model's code is at fault.
    """
    try:
        parameters = model.definition.parameter_values(dict(settings.parameters))
        settings = replace(settings, parameters=tuple(parameters.items()))
        settings.check(model.definition)
    except UsageError as error:
        raise ChangedError("what was asked", str(error), (), ()) from None
    if settings.partitions and trace.world.n > MOST_TO_SPLIT:
        raise UsageError(f"{trace.world.n} processes split in more ways than can be gone through")
    system = system_for(model.definition, settings)
    runs = taken_again(system, trace)
    if kind == "messages":
        return Retraced(None, "")
    verdicts = [judged(system, model, spec, name, trace, run) for run in runs]
    return next((found for found in verdicts if found.violated), verdicts[0])


def taken_again(system: System, trace: Trace) -> list[Run]:
    """Every run that looks as the trace says, to different states; at least one.

    Raises ChangedError with the first step that does not fit.
    """
    runs = _begun(system, trace)
    for number, steps in enumerate(transitions(trace), 1):
        runs = _continued(system, trace.world, runs, number, steps)
    return runs


def transitions(trace: Trace) -> list[Steps]:
    """The steps of the run, in lock-step those of each round together."""
    if trace.rounds is None:
        return [(step,) for step in trace.steps]
    return [tuple(steps) for _, steps in groupby(trace.steps, lambda step: step.round)]


# --- taking the run again ------------------------------------------------------------------------------------------


def _begun(system: System, trace: Trace) -> list[Run]:
    """The initial states that look as the file says, after starting steps that do."""
    world = trace.world
    found: list[Run] = []
    others: dict[Snapshot, None] = {}
    differing: dict[Steps, None] = {}
    for start in system.starts(world):
        taken: list[TraceStep] = []
        state = start.before
        for transition in start.steps:
            taken += steps_of(system, world, state, transition, 1)
            state = state if transition.after is None else transition.after
        here = snapshot(system, world, start.state)
        if _same(taken, trace.starts) and here == trace.initial:
            found.append(Run(start, (start.state,)))
        elif not _same(taken, trace.starts):
            differing[_first_different(taken, trace.starts)] = None
        else:
            others[here] = None
    if found:
        return _distinct(found)
    if others or not trace.starts:
        raise ChangedError("the initial state", "it is another one now", trace.initial, list(others))
    raise ChangedError("a starting step", "the processes start otherwise now", trace.starts, list(differing))


def _continued(system: System, world: World, runs: list[Run], number: int, steps: Steps) -> list[Run]:
    """The same runs with one more transition, that shows these steps."""
    found: list[Run] = []
    now: dict[Steps, None] = {}
    for run in runs:
        before = run.states[-1]
        for transition in system.successors(world, before):
            shown = tuple(steps_of(system, world, before, transition, number))
            if _same(shown, steps):
                after = before if transition.after is None else transition.after
                found.append(Run(run.start, (*run.states, after), (*run.transitions, transition)))
            else:
                now[shown] = None
    if found:
        return _distinct(found)
    unit = "step" if steps[0].round is None else "round"
    raise ChangedError(f"{unit} {number}", _why(steps, list(now)), steps, _alternatives(steps, list(now)))


def _distinct(runs: Iterable[Run]) -> list[Run]:
    """Of runs to the same state the first."""
    first: dict[State, Run] = {}
    for run in runs:
        first.setdefault(run.states[-1], run)
    return list(first.values())


def _same(some: Sequence[TraceStep], others: Sequence[TraceStep]) -> bool:
    return [_compared(step) for step in some] == [_compared(step) for step in others]


def _compared(step: TraceStep) -> TraceStep:
    return replace(step, where="", traceback=())


def _first_different(taken: Sequence[TraceStep], said: Steps) -> Steps:
    """What is done in place of the first starting step that differs; nothing where there is none."""
    for number, step in enumerate(taken):
        if number >= len(said) or _compared(step) != _compared(said[number]):
            return (step,)
    return ()


# --- what does not fit ---------------------------------------------------------------------------------------------


def _why(said: Steps, now: list[Steps]) -> str:
    """In a few words what is wrong with a step."""
    first = said[0]
    if first.round is not None:
        return "another round follows" if now else "no round follows: nobody does anything"
    own = [steps[0] for steps in now if steps[0].process == first.process]
    same = [step for step in own if (step.step, step.kind) == (first.step, first.kind)]
    if any(label(step) == label(first) for step in same):
        return "it has another effect now"
    received = f" with {first.received}" if first.received is not None else ""
    if same:
        return f"{first.process} can take {first.step}, but not{received or ' with this choice'}"
    return f"{first.process} cannot take {first.step}{received} here"


def label(step: TraceStep) -> tuple[object, ...]:
    return (step.process, step.step, step.kind, step.received, step.port, step.source, step.choices)


def _alternatives(said: Steps, now: list[Steps]) -> list[Steps]:
    """What the model does instead: this step where it has another effect, else all that the process can do."""
    first = said[0]
    if first.round is not None:
        return now
    labelled = [steps for steps in now if label(steps[0]) == label(first)]
    return labelled or [steps for steps in now if steps[0].process == first.process]


# --- the property --------------------------------------------------------------------------------------------------


def judged(system: System, model: Model, spec: str | None, name: str, trace: Trace, run: Run) -> Retraced:
    """Whether a run breaks this property; `trace` is the run that did."""
    if name in FAILURES.values():
        failures = [FAILURES[t.outcome.failure.kind] for t in run.everything if t.outcome.failure]
        return Retraced(True, trace.reason) if name in failures else Retraced(False, "no step fails in this way")
    try:
        prop = claimed_of(model, spec, name, system)
    except UsageError as error:
        return Retraced(False, str(error))
    if prop.kind not in OF_WHOLE_RUNS or (prop.kind in LASTING and trace.loop is None):
        return _confirmed(system, prop, trace.world, run)
    if breach(prop, system, trace.world, run.states, _entry(trace)) is None and prop.kind != "terminates":
        return Retraced(False, _KEPT[prop.kind])
    if trace.loop is not None:
        return _repeats(system, trace, run)
    if prop.kind != "terminates" and _is_terminal(system, trace.world, run.states[-1]):
        return Retraced(True, trace.reason)
    return Retraced(False, "the run can go on from its last state")


_KEPT = {
    "eventually": "it holds in a state of this run",
    "always eventually": "it holds in a state of the loop",
    "eventually always": "it holds in every state of the loop",
    "leads to": "whenever that is so which leads to it, it holds then or later",
}


def _entry(trace: Trace) -> int | None:
    """The place of the state, among those between transitions, with which the loop begins."""
    if trace.loop is None:
        return None
    first = trace.steps[trace.loop].round
    return trace.loop if first is None else first - 1


def _confirmed(system: System, prop: Property, world: World, run: Run) -> Retraced:
    """A property of the last state, or of the last step."""
    if prop.kind == "every step" and not run.transitions:
        return Retraced(False, "the run has no step")
    if prop.kind in ("at the end", *LASTING) and not _is_terminal(system, world, run.states[-1]):
        return Retraced(False, "the last state is no terminal state")
    reason = confirm(system, world, prop, run.states[-2 if prop.kind == "every step" else -1 :])
    if reason is None:
        return Retraced(False, "it holds at the end of this run")
    return Retraced(True, reason.sentence)


def _is_terminal(system: System, world: World, state: State) -> bool:
    """Whether no step but a fault changes the state, and none fails."""
    return not any(_changes(system, state, transition) for transition in system.successors(world, state))


def _changes(system: System, state: State, transition: Transition) -> bool:
    return not transition.outcome.is_fault and (transition.after != state or not system.stutters)


def _repeats(system: System, trace: Trace, run: Run) -> Retraced:
    """A lasso: it returns to where its loop begins, and the loop is fair: no step that could be taken throughout is
    never taken."""
    entry = _entry(trace)
    assert entry is not None
    if run.states[entry] != run.states[-1]:
        return Retraced(False, "the loop does not return to where it begins")
    owed = [
        {
            (t.process, t.outcome.action): t.outcome.step
            for t in system.successors(trace.world, state)
            if _changes(system, state, t)
        }
        for state in run.states[entry:-1]
    ]
    taken = {(t.process, t.outcome.action) for t in run.transitions[entry:]}
    for action, step in owed[0].items():
        if action not in taken and all(action in others for others in owed):
            who = trace.world.label(action[0])
            return Retraced(False, f"the loop is not fair: {who} could take {step} all the time and never does")
    return Retraced(True, trace.reason)
