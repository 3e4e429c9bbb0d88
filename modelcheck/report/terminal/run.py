"""The terminal's face of a result: the verdict block, then every counterexample, then the next command worth typing."""

from __future__ import annotations

import io

from rich.text import Text

from ...check.result import Result
from ..words import commands, verdict_block
from ..words.steps import told_runs
from .page import Page, SteadyConsole
from .writing import write_entries, write_error, write_told, write_why

COLOURS = {"HOLDS": "bold green", "VIOLATED": "bold red", "INCONCLUSIVE": "bold yellow"}


def text(result: Result) -> str:
    """The same without colours, and without the end of the last line."""
    file = io.StringIO()
    write(result, Page(SteadyConsole(file=file, highlight=False, force_terminal=False, no_color=True)))
    return file.getvalue().rstrip("\n")


def write(result: Result, page: Page, *, why: bool = False) -> None:
    """The whole report of a run; with `why` each counterexample is told from its end back to its roots as well."""
    if result.error is not None:
        write_error(result.error, page)
        page.blank()
        verdict = (result.verdict, COLOURS[result.verdict])
        page.line(Text.assemble(verdict, f"  {verdict_block.undecided(result)}"), hang=len(result.verdict) + 2)
        write_entries(verdict_block.entries(result), page)
        return
    headline(result, page)
    write_entries(verdict_block.entries(result), page)
    runs = told_runs(result)
    for told in runs:
        page.blank()
        write_told(told, page)
        if why and not told.same:
            write_why(told.trace, page)
    if runs and (command := commands.following(result, told=why)):
        page.blank()
        page.command("next", command)


def headline(result: Result, page: Page) -> None:
    """The first line: the verdict, what it is about, and the circumstances."""
    line = verdict_block.headline(result)
    names = ", ".join(line.subjects)
    words = Text.assemble((line.verdict, COLOURS[line.verdict]), "  ", (names, "bold"))
    if page.width is None or words.cell_len + 6 + len(line.system) <= page.width:
        page.line(words + ("      " if names else "") + line.system)
    else:
        page.line(words, hang=len(line.verdict) + 2)
        page.line(line.system, indent=len(line.verdict) + 2)
