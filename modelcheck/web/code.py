"""The model's code behind a step: where it stands, and which of its lines ran."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from ..errors import ModelError
from ..language.definition import Definition
from ..runs.looking import OneByOne
from ..semantics.lockstep import Round
from ..semantics.system import Transition
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
    return _snippets(subject.definition, last.outcome.step, lines_that_ran(subject, last, before))


def lines_that_ran(subject: Subject, transition: Transition, before: tuple[Any, ...]) -> set[int]:
    """The lines of the model's file that this very step executed; empty where that cannot be told."""
    outcome = transition.outcome
    if _function(subject.definition, outcome.step) is None:
        return set()
    watched = _Watched(subject.definition, subject.settings, twice=True)
    component = watched._intern(
        *(getattr(before[transition.process + 1], name) for name in ("profile", "crashed", "fields", "inbox"))
    )
    environment = watched._environment(*before[0].values())
    try:
        for other in watched._outcomes(environment, component):
            if other.label() == outcome.label():
                return watched.ran
    except ModelError:
        pass
    return set()


class _Watched(OneByOne):
    """A System that knows of the outcome it has just given which lines ran for it."""

    ran: set[int] = set()

    def _run(self, *arguments: Any, **named: Any) -> Any:
        watched = self.runner.watched
        watched.begin_again()
        for outcome in super()._run(*arguments, **named):
            self.ran = set(watched.noted)
            yield outcome
            watched.begin_again()


def _function(definition: Definition, name: str) -> Any:
    steps = (*definition.steps, *([definition.recovery] if definition.recovery else []))
    found = next((step.function for step in steps if step.name == name), None)
    return inspect.unwrap(found) if found is not None else None


def _snippets(definition: Definition, name: str, ran: set[int]) -> list[dict[str, Any]]:
    function = _function(definition, name)
    if function is None:
        return []
    shown = [_snippet(function, ran)]
    own = range(function.__code__.co_firstlineno, function.__code__.co_firstlineno + len(shown[0]["lines"]))
    others: dict[str, Any] = {}
    for base in definition.cls.__mro__:
        for other, value in vars(base).items():
            code = getattr(value, "__code__", None)
            if code is not None and code.co_filename == definition.file and other != name:
                others.setdefault(other, value)
    for value in others.values():
        lines = {line for _, _, line in value.__code__.co_lines() if line}
        first = value.__code__.co_firstlineno
        if any(line in ran and line not in own and line > first for line in lines):
            shown.append(_snippet(value, ran))
    return shown


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
