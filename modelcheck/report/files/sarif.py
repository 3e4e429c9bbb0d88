"""A result as SARIF 2.1.0 (OASIS standard, 27 March 2020), as code scanning and editors read it: each violation at its line of the model,
with the run that shows it as a code flow.

What holds is a rule without a result, for readers of SARIF show every result as something to look at. What is undecided is a result of the kind
"open" (section 3.27.9), so that no file without results comes from a search that stopped early.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ...check.result import PropertyResult, Result
from ...errors import AssumptionError
from ...runs.trace import Trace, TraceStep
from ...version import __version__
from ..words import commands, places, verdict_block
from ..words.places import CodeLine
from ..words.steps import in_a_line, short

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
BASE = "%SRCROOT%"  # by custom the folder that the paths are relative to
ERRORS = {
    "model-error": "The model's own code is at fault.",
    "assumption": "The system is one that the model was written for.",
}


def sarif(result: Result, folder: Path | None = None) -> str:
    """One run of the tool. Files in `folder` (by default the working directory) are named as they are seen from there, others by their whole
    address."""
    here = (folder or Path.cwd()).resolve()
    run = {
        "tool": {"driver": _driver(result)},
        "invocations": [_invocation(result)],
        "results": list(_results(result, here)),
        "properties": {
            "verdict": result.verdict,
            "reason": result.judgement.reason,
            "system": verdict_block.headline(result).system if result.error is None else result.model,
            "guarantee": verdict_block.guarantee(result) if result.sizes else "none",
            "holds": [found.name for found in result.properties if found.verdict == "holds" and result.error is None],
            "notChecked": list(result.unchecked),
        },
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _driver(result: Result) -> dict[str, Any]:
    rules = [{"id": found.name, "shortDescription": {"text": found.claim}} for found in result.properties]
    if result.error is not None:
        name = _kind(result)
        rules.append({"id": name, "shortDescription": {"text": ERRORS[name]}})
    return {"name": "modelcheck", "version": __version__, "semanticVersion": __version__, "rules": rules}


def _invocation(result: Result) -> dict[str, Any]:
    """Whether the search came to its end: then there is nothing else to say."""
    ended = result.verdict != "INCONCLUSIVE" and result.error is None
    found: dict[str, Any] = {"executionSuccessful": ended, "exitCode": result.exit_code}
    if result.request is not None:
        found["commandLine"] = commands.this(result)
    if not ended:
        why = str(result.stopped or result.judgement.reason) if result.error is None else str(result.error)
        found["toolExecutionNotifications"] = [{"level": "error", "message": {"text": f"{result.verdict}: {why}"}}]
    return found


def _results(result: Result, here: Path) -> Iterator[dict[str, Any]]:
    if result.error is not None:
        place = places.of_error(result.error, result)
        yield _result(result, _kind(result), str(result.error), place, here)
    for found in result.properties:
        if found.verdict == "violated":
            yield _violation(result, found, here)
        elif found.verdict != "holds" and result.error is None:
            definition = result.request.model.definition if result.request else None
            place = places.of_class(definition) if definition else None
            why = found.note or result.stopped or result.judgement.reason
            said = f"undecided: {found.name}: {found.claim} ({why})"
            yield _result(result, found.name, said, place, here) | {"kind": "open", "level": "none"}


def _violation(result: Result, found: PropertyResult, here: Path) -> dict[str, Any]:
    place, trace = places.of_violation(result, found), found.trace
    one = _result(result, found.name, trace.reason if trace is not None else found.claim, place, here)
    claim = places.of_property(result, found)
    if claim is not None and claim != place:
        one["relatedLocations"] = [{"id": 1, "message": {"text": found.claim}, **_location(claim, here)}]
    if trace is not None:
        one["codeFlows"] = [_flow(result, trace, here)]
    return one


def _result(result: Result, rule: str, said: str, place: CodeLine | None, here: Path) -> dict[str, Any]:
    rules = [one["id"] for one in _driver(result)["rules"]]
    found: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": rules.index(rule),
        "kind": "fail",
        "level": "error",
        "message": {"text": said},
    }
    if place is not None:
        found["locations"] = [_location(place, here)]
    return found


def _flow(result: Result, trace: Trace, here: Path) -> dict[str, Any]:
    """The run as one thread, whose locations are its steps in order; the world of it first."""
    assert result.request is not None
    definition = result.request.model.definition
    first = _step(None, str(trace.world), places.of_class(definition), here, 0)
    taken = (*trace.starts, *trace.steps)
    steps = [
        _step(step, in_a_line(step).plain, places.of_step(definition, step), here, number)
        for number, step in enumerate(taken, 1)
    ]
    return {"message": {"text": trace.reason}, "threadFlows": [{"locations": [first, *steps]}]}


def _step(step: TraceStep | None, said: str, place: CodeLine | None, here: Path, number: int) -> dict[str, Any]:
    location: dict[str, Any] = {"message": {"text": said}, **(_location(place, here) if place is not None else {})}
    found: dict[str, Any] = {"location": location, "executionOrder": number}
    if step is not None and step.changed:
        found["state"] = {f"{short(step.process)}.{name}": {"text": after} for name, _, after in step.changed}
    return found


def _location(place: CodeLine, here: Path) -> dict[str, Any]:
    path = Path(place.file)
    if path.is_absolute() and path.is_relative_to(here):
        artifact = {"uri": quote(path.relative_to(here).as_posix()), "uriBaseId": BASE}
    else:
        artifact = {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}
    return {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": place.line}}}


def _kind(result: Result) -> str:
    return "assumption" if isinstance(result.error, AssumptionError) else "model-error"
