"""Where in the text of a model something went wrong: a file and a line, for editors and for servers that show them beside the code."""

from __future__ import annotations

import linecache
import re
from dataclasses import dataclass
from pathlib import Path

from ...check.result import PropertyResult, Result
from ...errors import ModelcheckError, ModelError
from ...language.definition import Definition
from ...loading import files_of, text_of
from ...runs.trace import Trace, TraceStep
from ...text.visible import visible
from .lesson import lesson

_BREAKS_AT_ONCE = ("always", "every step")  # the last step of the run is the one that breaks it


@dataclass(frozen=True)
class CodeLine:
    """A line of a file, counted from 1."""

    file: str
    line: int

    def shown(self, folder: Path) -> str:
        """'mine.py:12': seen from this folder where the file lies in it."""
        return f"{self.named(folder)}:{self.line}"

    def named(self, folder: Path) -> str:
        """The file as it is named in this folder; its whole path where it lies elsewhere."""
        path = Path(self.file)
        inside = path.is_absolute() and path.is_relative_to(folder)
        return path.relative_to(folder).as_posix() if inside else path.as_posix()


def problems(result: Result, folder: Path) -> list[str]:
    """A line for each violation, and for what is wrong with the model, as compilers print them: 'mine.py:12: VIOLATED agreement: ...'. Editors read it."""
    found = []
    if result.error is not None:
        kind, what = lesson(result.error).kind, lesson(result.error).what
        found.append((of_error(result.error, result), f"{kind} {what}"))
    for one in result.properties:
        if one.verdict == "violated":
            reason = f"{one.trace.reason} (after {_steps(one.trace)})" if one.trace is not None else one.claim
            found.append((of_violation(result, one), f"VIOLATED {one.name}: {reason}"))
    here = folder.resolve()
    return [
        " ".join(visible(f"{place.shown(here) if place else result.reference}: {said}").split("\n"))
        for place, said in found
    ]


def _steps(trace: Trace) -> str:
    return f"{trace.length} {trace.unit}" + ("" if trace.length == 1 else "s")


def of_violation(result: Result, found: PropertyResult) -> CodeLine | None:
    """The line at which a violated property fails: the line of the model that raised or whose assertion is false; the step after which a
    property of states is false; for what is claimed of whole runs and their ends the property, where it stands in a file of the model.
    Failing all of these it is the line where the class of the protocol begins; None where the model has no text."""
    if result.request is None:
        return None
    definition = result.request.model.definition
    trace = found.trace
    if trace is not None:
        taken = (*trace.starts, *trace.steps)
        failing = next((step for step in taken if step.failure), None)
        if failing is not None and (place := _read(failing.where)):
            return place
        if (
            (failing is not None or found.kind in _BREAKS_AT_ONCE)
            and taken
            and (place := of_step(definition, taken[-1]))
        ):
            return place
    claim = of_property(result, found)
    return claim if claim is not None and claim.file in files_of_model(definition) else of_class(definition)


def files_of_model(definition: Definition) -> set[str]:
    """The files of a model, those that it imports among them."""
    imported = filter(None, map(text_of, files_of(definition.cls.__module__)))
    return {*definition.files, *(path for path, _ in imported)}


def of_property(result: Result, found: PropertyResult) -> CodeLine | None:
    """Where a property is written; None for those that are checked of every model."""
    request = result.request
    stated = next((prop for prop in request.properties if prop.name == found.name), None) if request else None
    return _read(stated.where) if stated else None


def of_step(definition: Definition, step: TraceStep) -> CodeLine | None:
    """The `def` of the step that was taken; None for what a fault did."""
    steps = (*definition.steps, *((definition.recovery,) if definition.recovery else ()))
    declared = next((one for one in steps if one.name == step.step), None)
    if declared is None or (step.deed is not None and not step.deed.runs_code):
        return None
    code = declared.function.__code__
    return _def_of(CodeLine(code.co_filename, code.co_firstlineno))


def of_class(definition: Definition) -> CodeLine | None:
    """Where the protocol's class begins."""
    lines = enumerate(linecache.getlines(definition.file), 1)
    line = next((number for number, text in lines if re.match(rf"\s*class {definition.name}\b", text)), None)
    return CodeLine(definition.file, line) if line else None


def of_error(error: ModelcheckError, result: Result) -> CodeLine | None:
    """What is wrong with a model; the beginning of its file where nothing more is known."""
    if isinstance(error, ModelError) and (place := _read(error.where)):
        return place
    if result.request is not None:
        return of_class(result.request.model.definition)
    file = result.reference.partition(".py")[0] + ".py"
    return CodeLine(str(Path(file).resolve()), 1) if Path(file).is_file() else None


def _read(where: str) -> CodeLine | None:
    """'/home/me/mine.py:12  self.leader = 3', as errors and properties say it."""
    found = re.match(r"(.+?\.py):(\d+)\b", where)
    if found:
        return _def_of(CodeLine(found[1], int(found[2])))
    return CodeLine(where, 1) if where.endswith(".py") else None


def _def_of(place: CodeLine) -> CodeLine:
    """The line of `def`, where that of its first decorator was given."""
    lines = linecache.getlines(place.file)[place.line - 1 :]
    if not lines or not lines[0].lstrip().startswith("@"):
        return place
    further = next((k for k, text in enumerate(lines) if re.match(r"\s*(async )?def ", text)), 0)
    return CodeLine(place.file, place.line + further)
