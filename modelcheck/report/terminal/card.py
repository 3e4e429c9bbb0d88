"""What is known of a model without running it: the card of `show`, and the lines of `list`."""

from __future__ import annotations

import ast
import inspect
import tokenize
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from rich.text import Text

from ...catalog import Model
from ...check.request import claimed
from ...language.definition import Definition, Step, spelled
from ...language.networks import NETWORKS
from ...language.process import KNOWLEDGE, Parameter
from .page import Page

_ELECTS = {"max": "the greatest identifier", "min": "the least identifier", "any": "any one process"}


def write_list(files: Mapping[str, Path], page: Page) -> None:
    """Name and title of each model, grouped by topology."""
    width = max((len(name) for name in files), default=0)
    for number, folder in enumerate(dict.fromkeys(path.parent.name for path in files.values())):
        if number:
            page.blank()
        page.line(Text(folder, style="bold cyan"))
        for name, path in files.items():
            if path.parent.name == folder:
                page.line(Text.assemble((name.ljust(width), "bold"), f"  {_title(path)}"), indent=2, hang=width + 4)
    if page.width is not None and files:
        page.blank()
        page.command("next", f"modelcheck show {next(iter(files))}")


def _title(path: Path) -> str:
    """The first line of a file's docstring, read without running the file."""
    try:
        text = ast.get_docstring(ast.parse(path.read_bytes()))
    except (OSError, SyntaxError, ValueError):
        return "(cannot be read)"
    return (text or "").split("\n")[0]


def write_card(model: Model, reference: str, page: Page) -> None:
    """The card, then the code."""
    definition = model.definition
    page.line(Text.assemble((model.name, "bold cyan"), "  ", (model.title, "bold")), hang=len(model.name) + 2)
    if definition.cls.source:
        page.entry("source", str(definition.cls.source))
    _assumptions(definition, page)
    page.table("parameters", [_parameter(definition, name) for name in definition.parameters])
    steps = [*definition.steps, *([definition.recovery] if definition.recovery else [])]
    page.table("steps", [_step(step) for step in steps])
    page.table("messages", [(name, str(formula)) for name, formula in definition.cls.complexity.items()])
    page.entry("specs", ", ".join(definition.specs) or "none")
    page.table("properties", [(p.name, p.kind, p.claim) for p in claimed(model)])
    page.command("next", f"modelcheck run {reference} --n 4")
    page.blank()
    _code(Path(definition.file), page)


def _assumptions(definition: Definition, page: Page) -> None:
    elects = _elects(definition)
    if elects:
        page.entry("elects", elects)
    page.table("topology", [(str(topology), topology.summary) for topology in definition.topologies])
    page.table("networks", [(name, NETWORKS[name].sentence) for name in definition.networks])
    page.entry("identifiers", definition.identifiers)
    known = [(word, KNOWLEDGE[word]) for word in KNOWLEDGE if word in definition.knows]
    page.table("knows", known or [("nothing beyond its identifier and its ports",)])
    page.entry("tolerates", ", ".join(sorted(definition.tolerates)) or "no faults")


def _elects(definition: Definition) -> str:
    """What the protocol promises; where a parameter decides, that is said."""
    value: Any = getattr(definition.cls, "elects", None)
    if value is None:
        return ""
    if isinstance(value, str):
        return f"{value}: {_ELECTS[value]}" if value in _ELECTS else value
    if isinstance(value, Parameter):
        return f"as the parameter says, by default {spelled(value.default)}"
    return "depends on the parameters"


def _parameter(definition: Definition, name: str) -> tuple[str, ...]:
    parameter = definition.parameters[name]
    admissible = "|".join(map(spelled, parameter.among))
    return (name, admissible, f"default {spelled(parameter.default)}", parameter.meaning)


def _step(step: Step) -> tuple[str, ...]:
    takes = " ".join(["receive", ", ".join(m.__name__ for m in step.messages)]) if step.messages else step.kind
    return (step.name, takes, (inspect.getdoc(step.function) or "").split("\n")[0])


def _code(path: Path, page: Page) -> None:
    content = path.read_bytes()
    encoding, _ = tokenize.detect_encoding(BytesIO(content).readline)
    text = content.decode(encoding, errors="replace")
    page.line(Text(str(path), style="dim"))
    page.blank()
    if page.width is None:
        for line in text.splitlines():
            page.line(line)
        return
    from rich.syntax import Syntax

    page.console.print(Syntax(text, "python", theme="ansi_dark", background_color="default", word_wrap=True))
