"""What a run of a file can be turned into. Nothing but the file is needed for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from ..semantics.worlds import World
from ..text.visible import visible
from .files.tracefile import Recorded, TraceFile

Conversion = Callable[[Recorded, str], str]
Kind = TypeVar("Kind")
Anything = TypeVar("Anything")

SUFFIXES = {
    ".txt": "text", ".svg": "svg", ".png": "svg", ".pdf": "svg", ".tex": "svg", ".tikz": "svg", ".html": "html", ".log": "shiviz", ".json": "itf",
    ".mmd": "mermaid",
}  # fmt: skip


def heading(file: TraceFile, run: Recorded) -> str:
    """'chang_roberts: agreement is violated'."""
    return f"{file.model}: {run.found.name} is violated" if run.violates else f"{file.model}: {run.found.claim}"


def shown(run: Recorded) -> Recorded:
    """The run with every text of it made visible: it comes from outside."""
    trace = all_visible(run.trace)
    world = run.trace.world
    assert trace.world == world
    return replace(run, found=replace(all_visible(run.found), trace=trace), trace=trace, again=all_visible(run.again))


def svg(run: Recorded, title: str, *, causal: bool = False) -> str:
    """The run drawn; with `causal` what its end does not follow from is grey."""
    from ..pictures.diagram import diagram

    return diagram(run.trace, heading=title, causal=causal, violated=run.violates)


def _html(run: Recorded, title: str) -> str:
    from .html.run import run_page

    # a page takes a reason for what went wrong
    return run_page(run.trace if run.violates else replace(run.trace, reason=""), title)


def _shiviz(run: Recorded, _: str) -> str:
    from .files.shiviz import shiviz

    return shiviz(run.trace)


def _itf(run: Recorded, title: str) -> str:
    from .files.itf import itf

    return itf(run.trace, title)


def _mermaid(run: Recorded, title: str) -> str:
    from .files.mermaid import mermaid

    return mermaid(run.trace, title, violated=run.violates)


CONVERSIONS: dict[str, Conversion] = {
    "svg": svg,
    "html": _html,
    "shiviz": _shiviz,
    "itf": _itf,
    "mermaid": _mermaid,
}


def all_visible(value: Anything) -> Anything:
    """The same of every text in a trace."""
    shown: Any = value
    if isinstance(value, str):
        shown = visible(value)
    elif isinstance(value, tuple):
        shown = tuple(map(all_visible, value))
    elif is_dataclass(value) and not isinstance(value, (type, World)):
        inner = {field.name: getattr(value, field.name) for field in fields(value)}
        changed = {name: new for name, old in inner.items() if (new := all_visible(old)) != old}
        shown = replace(value, **changed) if changed else value
    return shown  # type: ignore[no-any-return]
