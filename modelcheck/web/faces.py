"""All that the page shows of a run, as plain data for JSON: the state, what is enabled, and whether the properties hold here."""

from __future__ import annotations

import itertools
from typing import Any

from ..check.findings import FAILURES
from ..errors import ModelError
from ..pictures.diagram import diagram
from ..pictures.stage.drawing import stage
from ..pictures.style import stylesheet
from ..pictures.telling import short
from ..properties.view import Reason
from ..report.words.why import explained
from ..runs.beliefs import leads
from ..runs.causality import NETWORK
from ..runs.trace import Trace, TraceStep, build, sender, steps_of
from ..semantics.components import State
from ..semantics.system import Transition
from . import paths
from .code import where_of
from .judging import ended, judged, reason_at, verdict_at
from .meaning import message_types
from .paths import WrittenRun
from .subject import MOST_GRAPHS, Subject, WorldChoice

MOST_ENABLED = 500  # steps that are listed; lock-step rounds with many draws can be more
MOST_STARTS = 200
LOOKED_AHEAD = 150  # steps of which it is said at once what they break
Data = dict[str, Any]


def model(subject: Subject) -> Data:
    """What does not depend on the run."""
    request, definition, settings = subject.request, subject.definition, subject.settings
    return {
        "name": request.model.name,
        "title": request.model.title,
        "about": request.model.doc,
        "command": "modelcheck explore " + " ".join(subject.command),
        "check": " ".join(["modelcheck run", *subject.command]),
        "n": subject.n,
        "network": settings.network,
        "faults": {name: budget for name, budget in settings.budgets().items() if budget},
        "parameters": {name: str(value) for name, value in settings.parameters},
        "broken": list(request.broken.values()),
        "lockstep": settings.schedule == "lockstep",
        "fields": [field.name for field in definition.fields],
        "shared": [field.name for field in definition.shared],
        "messages": message_types(subject.system),
        "examples": examples(subject),
        "anonymous": subject.anonymous,
        "rooted": subject.rooted,
        "initiators": subject.starts_by_itself,
        "graphs": len(subject.shapes),
        "graphs_cut": len(subject.shapes) == MOST_GRAPHS,
        "any_port_names": subject.any_port_names,
        "start": paths.base(subject, subject.usual()),
    }


def examples(subject: Subject) -> list[str]:
    """Conditions that make sense of this model, to begin with."""
    fields = {field.name: field for field in subject.definition.fields}
    found = []
    if {"leader", "status"} & fields.keys():
        found.append("leaders >= 2")
    if "leader" in fields and not subject.anonymous:
        found.append(f"count(leader == {subject.n}) >= {max(1, subject.n // 2)}")
    flags = [name for name, field in fields.items() if field.annotation is bool]
    if flags:
        found.append(f"p1.{flags[0]} and not p{min(2, subject.n)}.{flags[0]}")
    types = message_types(subject.system)
    if types:
        found.append(f"in_transit({types[0]}) >= {min(3, subject.n)}")
    found.append("ended")
    return found[:4]


def world(subject: Subject, choice: WorldChoice) -> Data:
    """A world that was chosen, and the path to its first initial state."""
    built = subject.world(choice)
    return {
        "path": paths.base(subject, choice),
        "written": subject.written(choice),
        "text": str(built),
        "identifiers": list(choice.identifiers),
        "initiators": list(choice.initiators),
        "root": choice.root,
        "graph": choice.graph,
        "ports": subject.written(choice).partition("ports=")[2],
        "shape": built.shape.name,
        "links": sorted({(link.source, link.target) for link in built.shape.links}),
        "broken": _broken(subject, choice),
    }


def _broken(subject: Subject, choice: WorldChoice) -> str:
    """What this world breaks of the model's assumptions."""
    repeated = len(set(choice.identifiers)) < len(choice.identifiers) and None not in choice.identifiers
    if repeated and subject.definition.identifiers == "unique":
        return "The model is written for unique identifiers, and here some are equal."
    return ""


def run(subject: Subject, found: WrittenRun) -> Data:
    """The run, its last state, and what can happen next."""
    properties = list(judged(subject, found))
    enabled, trouble, more = _enabled(subject, found, properties)
    over = found.failure is None and not trouble and ended(subject, found)
    trace, failing = told(subject, found, over)
    last = trace.steps[-1] if trace.steps else None
    return {
        "path": found.path,
        "base": found.base,
        "steps": found.steps,
        "loop": found.loop,
        "length": len(found.transitions),
        "unit": trace.unit,
        "world": world(subject, found.choice),
        "starts": starts(subject, found),
        "told": _told_steps(trace),
        "last": None if last is None else step_data(last),
        "processes": _processes(found, trace),
        "shared": _shared(trace),
        "blocks": _state(trace).blocks,
        "enabled": enabled,
        "more": more,
        "trouble": trouble,
        "ended": over,
        "failure": _failure(trace, found),
        "properties": properties,
        "reason": failing,
        "why": [[one.moment, one.sentence] for one in explained(trace)] if failing else [],
        "first_events": _first_events(trace),
        "svg": drawn(trace, bool(failing)),
        "stage": stage(trace, violated=bool(failing)),
    }


def told(subject: Subject, found: WrittenRun, over: bool) -> tuple[Trace, str]:
    """The run as a trace, `over` or not, and the sentence that says what is wrong at its end, if anything is."""
    system = subject.system
    reason = Reason(found.failure.sentence if found.failure is not None else "")
    if not reason.sentence:
        against = (reason_at(subject, found, prop) for prop in subject.request.properties)
        reason = next(filter(None, against), reason)
    if found.loop is not None and not reason.sentence:
        reason = Reason("These steps can repeat for ever.")
    said, about = reason
    return build(system, found.world, found.start, found.transitions, said, found.loop, final=over, about=about), said


def drawn(trace: Trace, violated: bool) -> str:
    """The diagram without its stylesheet, which the page has from /diagram.css: it allows no style of anything inside it."""
    return diagram(trace, violated=violated).replace(f"<style>{stylesheet()}</style>", "")


def starts(subject: Subject, found: WrittenRun) -> Data:
    """The initial states to choose from, where there are several."""
    described = []
    for start in itertools.islice(subject.system.starts(found.world), MOST_STARTS + 1):
        taken = [f"{short(found.world.label(t.process))} {t.outcome.step}" for t in start.steps]
        if taken:
            described.append(", ".join(taken))
        else:
            fields = (subject.system.describe(component.fields) for component in start.state[1 : found.world.n + 1])
            described.append("; ".join(f"p{k}: {text}" for k, text in enumerate(fields, 1)))
    return {"chosen": found.first, "described": described[:MOST_STARTS], "more": len(described) > MOST_STARTS}


# --- steps -----------------------------------------------------------------------------------------------------------


def step_data(step: TraceStep) -> Data:
    return {
        "process": short(step.process),
        "label": step.process,
        "step": step.step,
        "kind": step.kind,
        "fault": step.deed is not None,
        "said": _said(step),
        "received": step.received,
        "port": step.port,
        "source": sender(step.received or "", step.source) if step.source else None,
        "sent": [{"message": s.message, "to": short(s.target), "port": s.port, "across": s.across} for s in step.sent],
        "changed": [list(change) for change in step.changed],
        "decided": [[verb, list(values)] for verb, values in step.decided],
        "reads": list(step.only_read),
        "failure": step.failure,
        "where": step.where,
        "traceback": list(step.traceback),
    }


def _said(step: TraceStep) -> str:
    """What a fault does: 'crashes', 'is lost', 'the network splits'; the name of a step of the model."""
    said = step.deed.said.get(step.step) if step.deed else None
    if step.deed is None or said is None:
        return step.step
    return {"message": f"is {said}", "network": f"{NETWORK} {said}"}.get(step.deed.about, said)


def _enabled(subject: Subject, found: WrittenRun, here: list[Data]) -> tuple[list[Data], Data | None, bool]:
    """Every enabled step with what it does; what is wrong with the model, where it can no longer be run; whether there are
    more."""
    if found.failure is not None or found.loop is not None:
        return [], None, False
    steps: list[Data] = []
    holding = {prop["name"] for prop in here if prop["here"] != "fails"}
    state = found.state
    successors = subject.system.successors(found.world, state)
    try:
        for number, transition in enumerate(successors):
            if number == MOST_ENABLED:
                return steps, None, True
            steps.append(_offered(subject, found, state, number, transition, holding))
    except ModelError as error:
        return steps, _trouble(error), False
    except MemoryError as error:
        return steps, {"what": str(error), "cause": "", "remedy": "", "where": "", "traceback": []}, False
    return steps, None, False


def _offered(
    subject: Subject, found: WrittenRun, state: State, number: int, transition: Transition, holding: set[str]
) -> Data:
    outcome = transition.outcome
    parts = [step_data(step) for step in steps_of(subject.system, found.world, state, transition)]
    breaks = []
    if number < LOOKED_AHEAD and transition.after is not None:
        states = [*found.states, transition.after]
        for prop in subject.request.properties:
            if prop.kind in ("always", "every step") and prop.name in holding:
                verdict = verdict_at(subject, found, prop, states, len(states) - 1)
                if verdict is not None and not verdict:
                    breaks.append(prop.name)
    return {
        "take": paths.following(found, number, transition),
        "process": short(found.world.label(transition.process)) if transition.process >= 0 else "",
        "label": found.world.label(transition.process) if transition.process >= 0 else "",
        "fault": outcome.is_fault,
        "random": any(choice.random for choice in outcome.choices),
        "fails": transition.after is None,
        "same": transition.after is not None and transition.after == state,
        "breaks": breaks,
        "parts": parts,
        "code": where_of(subject.definition, outcome.step) if outcome.step != "round" else "",
    }


def _told_steps(trace: Trace) -> list[list[Data]]:
    """The steps of the trace, those of a round together."""
    if trace.rounds is None:
        return [[step_data(step)] for step in trace.steps]
    rounds = itertools.groupby(trace.steps, lambda step: step.round)
    return [[step_data(step) for step in steps] for _, steps in rounds]


def _first_events(trace: Trace) -> list[int]:
    """For each event of the diagram after how many steps of the path it has happened; 0 for the starting steps."""
    return [0] * len(trace.starts) + [step.round or number for number, step in enumerate(trace.steps, 1)]


# --- the state -------------------------------------------------------------------------------------------------------


def _state(trace: Trace) -> Any:
    return trace.steps[-1].state if trace.steps else trace.initial


def _before(trace: Trace) -> Any:
    """The state before the last step, or the last round."""
    earlier = [step for step in trace.steps if step.round is None or step.round != trace.steps[-1].round]
    if trace.rounds is None:
        earlier = list(trace.steps[:-1])
    return earlier[-1].state if earlier else trace.initial


def _processes(found: WrittenRun, trace: Trace) -> list[Data]:
    after, before = _state(trace), _before(trace)
    acting = {step.process for step in trace.steps if not trace.rounds and step is trace.steps[-1]}
    world = found.world
    shown = []
    for number, (now, was) in enumerate(zip(after.processes, before.processes, strict=True)):
        earlier = dict(was.fields)
        component = found.state[number + 1]
        shown.append(
            {
                "name": short(now.process),
                "id": world.identifiers[number],
                "crashed": now.crashed,
                "root": world.root == number,
                "initiator": number in world.initiators,
                "acted": now.process in acting,
                "leads": leads(now, world.identifiers[number]),
                "fields": [[name, value, earlier.get(name, value) != value] for name, value in now.fields],
                "waiting": [
                    {"message": w.message, "port": w.port, "from": sender(w.message, w.source), "held": w.held}
                    for w in now.waiting
                ],
                "ports": [
                    {"port": str(port), "from": short(world.label(world.sender[number][port]))}
                    for port in component.profile.in_ports
                ],
            }
        )
    return shown


def _shared(trace: Trace) -> list[list[Any]]:
    before = dict(_before(trace).shared)
    return [[name, value, before.get(name) != value] for name, value in _state(trace).shared]


def _failure(trace: Trace, found: WrittenRun) -> Data | None:
    if found.failure is None:
        return None
    failed = next((s for s in reversed((*trace.starts, *trace.steps)) if s.failure), None)
    return {
        "sentence": found.failure.sentence,
        "kind": found.failure.kind,
        "property": FAILURES[found.failure.kind],
        "where": found.failure.where,
        "traceback": list(found.failure.traceback),
        "step": failed.step if failed else "",
        "process": short(failed.process) if failed else "",
    }


def _trouble(error: ModelError) -> Data:
    names = ("what", "cause", "remedy", "where", "step", "process", "state")
    return {**{name: getattr(error, name) for name in names}, "traceback": list(error.traceback)}
