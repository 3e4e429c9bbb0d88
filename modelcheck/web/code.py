"""The model's code behind a step: where it stands, and which of its lines ran."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from ..language.definition import Definition
from ..runs.code import lines_that_ran
from ..semantics.lines import Line
from ..semantics.lockstep import Round
from .paths import WrittenRun
from .subject import Subject


def where_of(definition: Definition, name: str) -> str:
    """'chang_roberts.py:57', the line of the step's `def`; nothing for a fault, which is no code of the model."""
    function = _function(definition, name)
    if function is None:
        return ""
    lines, first = inspect.getsourcelines(function)
    return f"{Path(inspect.getsourcefile(function) or '').name}:{first + _decorators(lines)}"


def code_of(subject: Subject, found: WrittenRun) -> list[dict[str, Any]]:
    """What the model's code did in the last step of this run, in lock-step in each step of the round: file, lines of the step with
    those that ran marked, and the same of every other method of the model that it called."""
    if not found.transitions:
        return []
    last, before = found.transitions[-1], found.states[-2]
    if found.transitions[-1].after is None:
        before = found.state
    if isinstance(last, Round):
        names = dict.fromkeys(step.step for turn in last.turns for step in turn.steps)
        return [part for name in names for part in _snippets(subject.definition, name, set())]
    return _snippets(subject.definition, last.outcome.step, lines_that_ran(subject.system, last, before))


def _function(definition: Definition, name: str) -> Any:
    steps = (*definition.steps, *([definition.recovery] if definition.recovery else []))
    found = next((step.function for step in steps if step.name == name), None)
    return inspect.unwrap(found) if found is not None else None


def _snippets(definition: Definition, name: str, ran: set[Line]) -> list[dict[str, Any]]:
    function = _function(definition, name)
    if function is None:
        return []
    shown = [_snippet(function, _in_file(definition, function, ran))]
    methods = [value for base in definition.cls.__mro__ for value in vars(base).values()]
    for value in dict.fromkeys(method for method in methods if inspect.isfunction(method)):
        code, here = value.__code__, _in_file(definition, value, ran)
        if value is not function and any(line in here and line > code.co_firstlineno for _, _, line in code.co_lines()):
            shown.append(_snippet(value, here))
    return shown


def _in_file(definition: Definition, function: Any, ran: set[Line]) -> set[int]:
    """Of these lines those of the file that the function stands in."""
    file = function.__code__.co_filename
    return {line for number, line in ran if definition.files[number] == file}


def _snippet(function: Any, ran: set[int]) -> dict[str, Any]:
    lines, first = inspect.getsourcelines(function)
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return {
        "name": function.__name__,
        "file": Path(inspect.getsourcefile(function) or "").name,
        "first": first,
        "line": first + _decorators(lines),
        "lines": [
            {"number": number, "text": line.rstrip("\n")[indent:], "ran": number in ran}
            for number, line in enumerate(lines, first)
        ],
    }


def _decorators(lines: list[str]) -> int:
    """How many lines stand before the `def`."""
    return next((k for k, line in enumerate(lines) if line.lstrip().startswith("def ")), 0)
