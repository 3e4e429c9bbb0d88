"""`--diagram` and `--animate`: runs drawn to files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import UsageError
from .running import check_writable, write_file

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


def check_animation(file: str | None) -> None:
    """Refuses what cannot move or be written, before a long search rather than after it."""
    if file is None:
        return
    from ..pictures.files import check_moving, is_folder

    check_writable("--animate", file.rstrip("/") or "/" if not Path(file).is_dir() else f"{file.rstrip('/')}/000.svg")
    try:
        if not is_folder(file):
            check_moving(file)
    except UsageError as error:
        raise UsageError(f"--animate {error}") from None


def check_causal(causal: bool, file: str | None) -> None:
    if causal and file is None:
        raise UsageError("--causal says how a diagram is drawn: give --diagram FILE as well")


def draw_counterexample(result: Result, file: str, *, causal: bool) -> None:
    """Draws the shortest counterexample, and says which it is where there are several."""
    shortest = _shortest(result, file)
    if shortest is not None:
        name, trace = shortest
        draw(trace, f"{result.model} violates {name}", file, causal=causal, violated=True)


def animate_counterexample(result: Result, file: str) -> None:
    """Lets the shortest counterexample move, and says which it is where there are several."""
    shortest = _shortest(result, file)
    if shortest is not None:
        name, trace = shortest
        animate(trace, f"{result.model} violates {name}", file, violated=True)


def _shortest(result: Result, file: str) -> tuple[str, Trace] | None:
    """The run for a file; says which it is, or that there is none."""
    found = [(p.trace.length, p.name, p.trace) for p in result.properties if p.verdict == "violated" and p.trace]
    if not found:
        say_unwritten(result, file)
        return None
    _, name, trace = min(found, key=lambda one: one[0])
    if len(found) > 1:
        click.echo(f"{file} shows the run against {name}, the shortest of {len(found)}", err=True)
    return name, trace


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
    for trace, heading in _extreme(result, which, file):
        draw(trace, heading, file, causal=causal, violated=False)


def animate_messages(result: MessagesResult, which: str, file: str) -> None:
    """Lets that run move."""
    for trace, heading in _extreme(result, which, file):
        animate(trace, heading, file, violated=False)


def _extreme(result: MessagesResult, which: str, file: str) -> Iterator[tuple[Trace, str]]:
    """The run and its heading; says so where there is none."""
    count = result.counts[-1] if result.counts else None
    trace = result.traces.get((count.n, which)) if count else None
    if trace is None:
        click.echo(f"there is no run to draw: {file} was not written", err=True)
        return
    words = "fewest" if which == "least" else "most"
    yield trace, f"{result.search.model}: a run with the {words} messages"


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


def animate(trace: Trace, heading: str, file: str, *, violated: bool) -> None:
    """Writes one run as a picture of the system that moves: .svg, .gif, or a folder of frames."""
    from ..pictures.files import is_folder, write_frames, write_gif
    from ..pictures.stage.moving import PACE, animated, frames

    if not is_folder(file) and not file.lower().endswith(".gif"):
        write_file("--animate", file, animated(trace, heading, violated=violated))
        return
    try:
        if is_folder(file):
            number = write_frames(frames(trace, heading, violated=violated), Path(file))
            click.echo(f"{file}: {number} frames", err=True)
        else:
            write_gif(frames(trace, heading, violated=violated), Path(file), PACE)
    except UsageError as error:
        raise UsageError(f"--animate {error}") from None
