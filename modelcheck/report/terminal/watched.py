"""The terminal's face of `modelcheck watch`: what a check finds otherwise than the one before, and the runs that are new."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from ...check.result import Result
from ...desk.changes import changes, fresh
from ..words import commands
from ..words.steps import told_runs
from . import run
from .page import Page
from .writing import write_error, write_told, write_why

COLOURS = {"better": "green", "worse": "red", "": ""}


def write_saved(files: Sequence[Path], page: Page) -> None:
    """Which files were saved."""
    page.blank()
    page.entry("saved", ", ".join(file.name for file in files))


def write_changes(before: Result | None, result: Result, page: Page, *, why: bool = False) -> None:
    """What this check finds; the whole report where there was none before it that came to a verdict."""
    if result.error is not None:
        write_error(result.error, page)
        return
    if before is None:
        run.write(result, page, why=why)
        return
    run.headline(result, page)
    found = changes(before, result)
    for change in found:
        page.entry(change.label, Text(change.words, style=COLOURS[change.kind]))
    if not found:
        page.entry("changed", "nothing: the same verdicts, and as many states and steps")
    new = fresh(before, result)
    for told in told_runs(result):
        if told.name in new:
            page.blank()
            write_told(told, page)
            if why and not told.same:
                write_why(told.trace, page)
    if result.verdict == "HOLDS" != before.verdict and (command := commands.following(result)):
        page.command("next", command)


def write_waiting(files: Sequence[Path], page: Page) -> None:
    """What is watched now. Editors take this line for the end of a check."""
    names = [file.name for file in files]
    more = f" and {len(names) - 1} more file{'s' if len(names) > 2 else ''}" if len(names) > 1 else ""
    page.entry("watching", f"{names[0]}{more}; Ctrl-C ends it")
