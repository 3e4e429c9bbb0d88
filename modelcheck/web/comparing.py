"""The run on the page beside the same schedule in the mended protocol, in a variation, or under another value of a parameter."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from .. import catalog
from ..errors import UsageError
from ..report.html import beside
from ..report.words.beside import Side, compared
from ..runs.following import follow
from . import faces
from .judging import ended, reason_at
from .opening import options_of
from .paths import WrittenRun
from .subject import Subject, subject_of


@dataclass(frozen=True)
class Other:
    """Another protocol that the same schedule can be taken in: a model, or the same one under a value of a parameter. `name` is what it is
    called in an address: 'chang_roberts' or 'elects=min'."""

    name: str
    said: str
    reference: str
    parameters: tuple[tuple[str, Any], ...]


def others(subject: Subject) -> list[Other]:
    """The protocol of which the model is a variation first, then variations, then each parameter at its other values, the default first."""
    request, model = subject.request, subject.request.model
    file = request.reference.rpartition(":")[0] if ":" in request.reference else request.reference
    given = dict(subject.settings.parameters)
    found = []
    protocol = model
    if model.protocol and ":" in request.reference:
        reference = file + "".join(model.protocol.partition(":")[1:])
        protocol = catalog.find_model(reference)
        found.append(Other(protocol.name, f"the protocol itself, {protocol.name}", reference, ()))
    for cls in protocol.variations:
        if cls is not model.definition.cls:
            name = f"{file}:{cls.__name__}"
            found.append(Other(name, f"the variation {cls.__name__}", name, ()))
    for key, parameter in model.definition.parameters.items():
        known = parameter.among or ((False, True) if isinstance(parameter.default, bool) else ())
        values = dict.fromkeys((parameter.default, *known))
        for value in values:
            if value != given.get(key, parameter.default):
                mended = " (the default)" if value == parameter.default else ""
                found.append(Other(f"{key}={value}", f"{key}={value}{mended}", request.reference, ((key, value),)))
    return found


def offered(subject: Subject) -> dict[str, Any]:
    """What can stand beside a run: how it is asked for, and in words."""
    return {"beside": [[other.name, other.said] for other in others(subject)]}


def page(subject: Subject, run: WrittenRun, name: str) -> str:
    """Both runs on a page, the first difference marked. Raises UsageError where there is no such other."""
    known = {other.name: other for other in others(subject)}
    if name not in known:
        raise UsageError(f"beside it can stand {', '.join(known) or 'nothing'}, not {name[:60]!r}")
    other = known[name]
    trace, reason = faces.told(subject, run, run.failure is None and ended(subject, run))
    ends = reason or ("the end" if ended(subject, run) else "as far as it was taken")
    one = Side("A", subject.request.model.name, replace(trace, reason=reason), ends)
    return beside.document(compared(one, _followed(subject, run, other, trace)))


def _followed(subject: Subject, run: WrittenRun, other: Other, trace: Any) -> Side:
    definition = catalog.find_model(other.reference).definition
    kept = {key: value for key, value in subject.settings.parameters if key in definition.parameters}
    options = options_of(subject.settings, run.world, {**kept, **dict(other.parameters)}, subject.request.spec)
    there = subject_of(other.reference, graph=subject.request.graph, **options)
    came = follow(there.system, trace)
    taken = WrittenRun(run.choice, run.world, 0, came.start, came.transitions, "", None, "", "")
    over = taken.failure is None and ended(there, taken)
    shown, reason = faces.told(there, taken, over)
    broken = {prop.name for prop in subject.request.properties if reason_at(subject, run, prop) is not None}
    still = [
        prop.name for prop in there.request.properties if prop.name in broken and reason_at(there, taken, prop) is None
    ]
    said = [f"the schedule ends here: {came.stopped}" if came.stopped else "followed to its end"]
    said += [reason] if reason else [f"{', '.join(still)} does not fail here"] if still else []
    title = f"the same schedule in {there.request.model.name}" + "".join(
        f" with {key}={value}" for key, value in other.parameters
    )
    return Side("B", title, replace(shown, reason=reason), "; ".join(said))
