"""What a run of a file can be turned into. Nothing but the file is needed for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from ...visible import all_visible
from .tracefile import Recorded, TraceFile

Conversion = Callable[[Recorded, str], str]
Kind = TypeVar("Kind")

SUFFIXES = {
    ".txt": "text", ".svg": "svg", ".png": "svg", ".pdf": "svg", ".html": "html", ".log": "shiviz", ".json": "itf",
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
    from ...pictures.diagram import diagram

    return diagram(run.trace, heading=title, causal=causal, violated=run.violates)


def _html(run: Recorded, title: str) -> str:
    from ..html.run import run_page

    # a page takes a reason for what went wrong
    return run_page(run.trace if run.violates else replace(run.trace, reason=""), title)


def _shiviz(run: Recorded, _: str) -> str:
    from .shiviz import shiviz

    return shiviz(run.trace)


def _itf(run: Recorded, title: str) -> str:
    from .itf import itf

    return itf(run.trace, title)


def _mermaid(run: Recorded, title: str) -> str:
    from .mermaid import mermaid

    return mermaid(run.trace, title, violated=run.violates)


CONVERSIONS: dict[str, Conversion] = {
    "svg": svg,
    "html": _html,
    "shiviz": _shiviz,
    "itf": _itf,
    "mermaid": _mermaid,
}
