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

from ...catalog import Model, first_line
from ...check.request import claimed
from ...language.definition import Definition, Step, spelled, stated
from ...language.networks import NETWORKS
from ...language.process import KNOWLEDGE, Parameter, Process
from .page import Page

_ELECTS = {"max": "the greatest identifier", "min": "the least identifier", "any": "any one process"}


def write_list(files: Mapping[str, Path], page: Page) -> None:
    """Name and title of each model, and its variations, grouped by topology."""
    width = max((len(name) for name in files), default=0)
    for number, folder in enumerate(dict.fromkeys(path.parent.name for path in files.values())):
        if number:
            page.blank()
        page.line(Text(folder, style="bold cyan"))
        for name, path in files.items():
            if path.parent.name == folder:
                title, variations = _read(path)
                page.line(Text.assemble((name.ljust(width), "bold"), f"  {title}"), indent=2, hang=width + 4)
                if variations:
                    page.line(
                        Text(f"variations: {', '.join(variations)}", style="dim"), indent=width + 4, hang=width + 6
                    )
    if page.width is not None and files:
        page.blank()
        page.command("next", f"modelcheck show {next(iter(files))}")


def _read(path: Path) -> tuple[str, list[str]]:
    """The first line of a file's docstring, and the variations of its protocol, read without running the file."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return "(cannot be read)", []
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    bases_of = {name: {ast.unparse(base) for base in node.bases} for name, node in classes.items()}
    imported = _imported(tree)
    with_steps = {name for name, node in classes.items() if any(map(_is_step, node.body)) or bases_of[name] & imported}
    variations = []
    for name, bases in bases_of.items():  # a base stands before what derives from it
        if any(base in with_steps and not base.startswith("_") for base in bases):
            with_steps.add(name)
            variations.append(name)
    return first_line(ast.get_docstring(tree)), variations


def _imported(tree: ast.Module) -> set[str]:
    """What a file takes from bundled models. Whatever derives from one of these is taken for a protocol."""
    nodes = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    models = [node for node in nodes if node.module and node.module.startswith("modelcheck.models.")]
    return {alias.asname or alias.name for node in models for alias in node.names}


def _is_step(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        ast.unparse(decorator).split("(")[0] in ("initiate", "step", "receive", "recover")
        for decorator in node.decorator_list
    )


def write_card(model: Model, reference: str, page: Page) -> None:
    """The card, then the code: of a variation what it says and does in another way."""
    definition = model.definition
    page.line(Text.assemble((model.name, "bold cyan"), "  ", (model.title, "bold")), hang=len(model.name) + 2)
    if model.protocol:
        page.entry("variation", f"of {model.protocol}, derived from {definition.cls.__mro__[1].__name__}")
        page.table("differs", _differences(definition))
    page.table("variations", [_variation(cls) for cls in model.variations])
    if definition.cls.source:
        page.entry("source", str(definition.cls.source))
    _assumptions(definition, page)
    page.table("parameters", [_parameter(definition, name) for name in definition.parameters])
    steps = [*definition.steps, *([definition.recovery] if definition.recovery else [])]
    page.table("steps", [_step(step) for step in steps])
    page.table("messages", [(name, str(formula)) for name, formula in stated(definition.cls).items()])
    page.entry("specs", ", ".join(definition.specs) or "none")
    page.table("properties", [(p.name, p.kind, p.claim) for p in claimed(model)])
    page.command("next", f"modelcheck run {reference} --n 4")
    page.blank()
    _code(Path(definition.file), page, only=definition.cls if model.protocol else None)


def _variation(cls: type[Process]) -> tuple[str, ...]:
    """Its name, its sentence, and its source where it has one of its own."""
    source = vars(cls).get("source")
    return (cls.__name__, first_line(vars(cls).get("__doc__")) + (f"  ({source})" if source else ""))


def _differences(definition: Definition) -> list[tuple[str, str]]:
    """What a variation has of its own: steps, fields, declarations."""
    above = definition.cls.__mro__[1]
    steps = {step.name for step in (*definition.steps, definition.recovery) if step is not None}
    fields = {field.name for field in (*definition.fields, *definition.shared)}
    kinds = {name: "step" if name in steps else "field" if name in fields else "" for name in vars(definition.cls)}
    found = []
    for name, kind in kinds.items():
        if name.startswith("__") or name in ("source", "_abc_impl"):
            continue
        what = kind or ("method" if callable(vars(definition.cls)[name]) else "declaration")
        found.append((name, f"{'another' if hasattr(above, name) else 'a'} {what}"))
    return found


def _assumptions(definition: Definition, page: Page) -> None:
    elects = _elects(definition)
    if elects:
        page.entry("elects", elects)
    page.table("topology", [(str(topology), topology.summary) for topology in definition.topologies])
    page.table("networks", [(name, NETWORKS[name].sentence) for name in definition.networks])
    if definition.schedule == "lockstep":
        page.entry("schedule", "lockstep: all processes step at once, round after round")
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


def _code(path: Path, page: Page, only: type | None) -> None:
    """The text of the file, or of one class of it."""
    content = path.read_bytes()
    encoding, _ = tokenize.detect_encoding(BytesIO(content).readline)
    text = content.decode(encoding, errors="replace") if only is None else inspect.getsource(only)
    page.line(Text(str(path), style="dim"))
    page.blank()
    if page.width is None:
        for line in text.splitlines():
            page.line(line)
        return
    from rich.syntax import Syntax

    page.console.print(Syntax(text, "python", theme="ansi_dark", background_color="default", word_wrap=True))
