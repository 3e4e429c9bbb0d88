"""Printing what a report says: entries, what is wrong with a model, runs step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.text import Text

from ...check.result import PropertyResult, Result
from ...errors import ModelcheckError
from ...runs.rounds import together
from ...runs.trace import Snapshot, Trace
from ..words.entries import Entry, Figures, Said, Table, Typed
from ..words.lesson import OF_THE_MODEL, lesson
from ..words.steps import Told, cells, last_state, loop, loop_entry, lost_updates, ports, told
from ..words.why import explained, unneeded
from .page import LABEL, Page


def write_entries(entries: Iterable[Entry], page: Page) -> None:
    """Prints them, one below the other."""
    for entry in entries:
        match entry:
            case Said(label, words):
                page.entry(label, words)
            case Figures(label, parts):
                page.parts(label, parts)
            case Table(rows):
                page.columns(rows, indent=LABEL + 2, right=range(len(rows[0])))
            case Typed(label, command):
                page.command(label, command)


def write_formulas(rows: Sequence[tuple[str, str, Text]], page: Page) -> None:
    """What each is for, the formula, and how it came out."""
    widths = [max((len(row[k]) for row in rows), default=0) for k in (0, 1)]
    label = "formulas"
    for key, text, outcome in rows:
        page.entry(label, Text(f"{key:<{widths[0]}}  {text:<{widths[1]}}  ") + outcome)
        label = ""


def write_error(error: ModelcheckError, page: Page) -> None:
    """The lesson, one labelled line each."""
    told = lesson(error)
    page.line(Text.assemble((told.kind, "bold red"), "  ", (told.what, "bold")), hang=len(told.kind) + 2)
    write_entries(told.entries, page)
    write_traceback(told.traceback, page)


def write_traceback(lines: tuple[str, ...], page: Page) -> None:
    """The frames of the model's own code."""
    if lines:
        page.entry("traceback", OF_THE_MODEL)
        for line in lines:
            page.line(line, indent=4, hang=8)


def write_run(result: Result, found: PropertyResult, page: Page, shown: Mapping[str, Trace] | None = None) -> None:
    """The counterexample to a violated property; `shown` are the traces above it by property."""
    write_told(told(result, found, shown), page)


def write_told(run: Told, page: Page) -> None:
    """A counterexample, step by step."""
    page.line(Text.assemble(("VIOLATED", "bold red"), "  ", (run.name, "bold"), f"  ({run.kind})  {run.after}"))
    write_entries(run.above, page)
    if run.same:
        page.entry("run", f"the same as for {run.same}, above")
    else:
        write_steps(run.trace, page)
    write_entries(run.below, page)
    write_traceback(run.traceback, page)
    if run.again:
        page.command("again", run.again)


def write_why(trace: Trace, page: Page) -> None:
    """From the end of a run back to its roots, a sentence for each step."""
    page.entry("why", trace.reason or "what the last state follows from, step by step:")
    rows: list[list[Text | str]] = [
        [Text(one.place.split(" ")[-1], style="dim"), one.sentence] for one in explained(trace)
    ]
    page.columns(rows, indent=2, right=(0,))
    if idle := unneeded(trace):
        page.entry("", Text(idle, style="dim"))


def write_steps(trace: Trace, page: Page) -> None:
    """A run from its first state to its last, step by step."""
    if routes := ports(trace):
        page.parts("ports", routes)
    _snapshot("at first", trace.initial, page)
    _steps(trace, page)
    _snapshot("at last" if trace.loop is None else "and again", last_state(trace), page)


def _snapshot(label: str, state: Snapshot, page: Page) -> None:
    """Every process; those that look alike share a line."""
    alike: dict[str, list[str]] = {}
    for process in state.processes:
        alike.setdefault(process.described or "no local variables", []).append(process.process)
    for described, names in alike.items():
        who = "every process" if len(names) == len(state.processes) > 1 else ", ".join(names)
        page.entry(label, Text(who + ": ") + described)
        label = ""
    for name, value in state.shared:
        page.entry(label, f"shared {name}={value}")
        label = ""
    if "|" in state.blocks:
        page.entry(label, f"split {state.blocks}")


def _steps(trace: Trace, page: Page) -> None:
    rows: list[list[Text | str]] = []
    lost = lost_updates(trace)
    for number, step in enumerate(trace.starts):
        rows.append([Text("start", style="dim"), *cells(step, lost.get(number, ""))])
    entry = loop_entry(trace)
    before = 0
    for number, step in enumerate(together(trace), 1):
        place = step.round or number
        mark = Text(f"{place}", style="dim") if not entry or place < entry else Text(f"* {place}", style="yellow")
        rows.append([mark if place > before else "", *cells(step, lost.get(len(trace.starts) + number - 1, ""))])
        before = place
    if page.width is not None and page.columns_width(rows, indent=2) > page.width:
        rows = [[*row[:-2], _together(row[-2], row[-1])] for row in rows]
    page.columns(rows, indent=2, right=(0,))
    if repeated := loop(trace):
        page.entry("loop", repeated)


def _together(received: Text | str, effects: Text | str) -> Text:
    """The last two columns as one, where the terminal is too narrow for both."""
    first, then = Text() + received, Text() + effects
    return first + ": " + then if first and then else first + then
