"""The terminal's face of a result: the verdict block, then every counterexample, then the next command worth typing."""

from __future__ import annotations

from rich.text import Text

from ..check.result import Result
from . import block, commands
from .entries import write_entries
from .lesson import write_error
from .page import Page
from .run import told_runs, write_told

COLOURS = {"HOLDS": "bold green", "VIOLATED": "bold red", "INCONCLUSIVE": "bold yellow"}


def write(result: Result, page: Page) -> None:
    """The whole report of a run."""
    if result.error is not None:
        write_error(result.error, page)
        page.blank()
        verdict = (result.verdict, COLOURS[result.verdict])
        page.line(Text.assemble(verdict, f"  {block.undecided(result)}"), hang=len(result.verdict) + 2)
        write_entries(block.entries(result), page)
        return
    _headline(result, page)
    write_entries(block.entries(result), page)
    runs = told_runs(result)
    for told in runs:
        page.blank()
        write_told(told, page)
    if runs and (command := commands.following(result)):
        page.blank()
        page.command("next", command)


def _headline(result: Result, page: Page) -> None:
    line = block.headline(result)
    names = ", ".join(line.subjects)
    words = Text.assemble((line.verdict, COLOURS[line.verdict]), "  ", (names, "bold"))
    if page.width is None or words.cell_len + 6 + len(line.system) <= page.width:
        page.line(words + ("      " if names else "") + line.system)
    else:
        page.line(words, hang=len(line.verdict) + 2)
        page.line(line.system, indent=len(line.verdict) + 2)
