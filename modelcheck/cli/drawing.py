"""`--diagram`: runs drawn to files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import UsageError
from .running import check_writable

if TYPE_CHECKING:
    from ..check.counting import MessagesResult
    from ..check.result import Result
    from ..runs.trace import Trace


def check_diagram(file: str) -> None:
    """Refuses what cannot be drawn or written, before a long search rather than after it."""
    from ..pictures.files import check_picture

    check_writable("--diagram", file)
    try:
        check_picture(Path(file))
    except UsageError as error:
        raise UsageError(f"--diagram {error}") from None


def check_causal(causal: bool, file: str | None) -> None:
    if causal and file is None:
        raise UsageError("--causal says how a diagram is drawn: give --diagram FILE as well")


def draw_counterexample(result: Result, file: str, *, causal: bool) -> None:
    """Draws the shortest counterexample, and says which it is where there are several."""
    found = [(p.trace.length, p.name, p.trace) for p in result.properties if p.verdict == "violated" and p.trace]
    if not found:
        say_unwritten(result, file)
        return
    _, name, trace = min(found, key=lambda one: one[0])
    draw(trace, f"{result.model} violates {name}", file, causal=causal, violated=True)
    if len(found) > 1:
        click.echo(f"{file} shows the run against {name}, the shortest of {len(found)}", err=True)


def say_unwritten(result: Result, file: str) -> None:
    """Why there is no file of counterexamples: nothing is violated, or what was searched has shown none."""
    why = (
        "nothing is violated"
        if result.verdict == "HOLDS"
        else "no violation was found, and not everything was searched"
    )
    click.echo(f"{why}: {file} was not written", err=True)


def draw_messages(result: MessagesResult, which: str, file: str, *, causal: bool) -> None:
    """Draws the run of the greatest size that sends the least or the greatest number of messages."""
    count = result.counts[-1] if result.counts else None
    trace = result.traces.get((count.n, which)) if count else None
    if trace is None:
        click.echo(f"there is no run to draw: {file} was not written", err=True)
        return
    words = "fewest" if which == "least" else "most"
    draw(trace, f"{result.search.model}: a run with the {words} messages", file, causal=causal, violated=False)


def draw(trace: Trace, heading: str, file: str, *, causal: bool = False, violated: bool) -> None:
    """Draws one run; says so where there is nothing to grey."""
    from ..pictures.diagram import diagram
    from ..pictures.files import write_picture
    from ..runs.causality import all_needed

    try:
        write_picture(diagram(trace, heading=heading, causal=causal, violated=violated), Path(file))
    except UsageError as error:
        raise UsageError(f"--diagram {error}") from None
    if causal and all_needed(trace):
        click.echo(f"{file}: every step is needed, so none is grey", err=True)
