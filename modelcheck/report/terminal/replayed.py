"""Runs from a file as the terminal shows them, and what came of taking them again."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from ...check.retaking import ChangedError, Retraced, Steps
from ...runs.trace import Snapshot, Trace
from ..files.tracefile import Recorded
from ..words.steps import in_a_line, told_alone
from .page import Page
from .writing import write_steps, write_told, write_why

MOST_SHOWN = 8  # things that a model can do instead


def write_kept(runs: Sequence[tuple[Recorded, Retraced | None]], model: str, page: Page, *, why: bool = False) -> None:
    """Every run, each with what came of its replay where there was one."""
    before: dict[str, Trace] = {}
    for number, (run, replayed) in enumerate(runs):
        if number:
            page.blank()
        if run.violates:
            write_told(told_alone(run.found, run.again, before), page)
            before[run.found.name] = run.trace
        else:
            _write_plain(run, page)
        if why:
            write_why(run.trace, page)
        if replayed is not None:
            page.entry("replayed", judgement(run, replayed, model))


def _write_plain(run: Recorded, page: Page) -> None:
    """A run that violates nothing."""
    length = f"{run.trace.length} {run.trace.unit}" + ("" if run.trace.length == 1 else "s")
    page.line(Text.assemble((run.found.claim, "bold"), f"  {length}"))
    page.entry("world", str(run.trace.world))
    write_steps(run.trace, page)
    if run.again:
        page.command("again", run.again)


def judgement(run: Recorded, replayed: Retraced, model: str) -> Text:
    """What came of a replay that fits."""
    fits = Text(f"every step fits {model} as it is now")
    if replayed.violated is None:
        return fits
    if replayed.violated:
        return fits + Text("; ") + Text(f"{run.found.name} is still violated", style="bold")
    return fits + Text("; ") + Text(f"{run.found.name} is no longer violated: {replayed.because}", style="bold yellow")


def write_changed(run: Recorded, error: ChangedError, model: str, page: Page) -> None:
    """Where a run does not fit its model any more: what the file says, and what the model does now."""
    page.line(Text.assemble(("CHANGED", "bold red"), "  ", (run.found.name, "bold"), f"  {error.place} no longer fits {model}"))  # fmt: skip
    page.entry("because", error.why)
    if not error.said:
        return
    _block("file", _lines(error.said, error.now), page)
    now = [line for instead in error.now for line in _lines(instead, [error.said])]
    more = len(now) - MOST_SHOWN
    _block("model now", now if more <= 1 else [*now[:MOST_SHOWN], Text(f"and {more} more")], page)


def _block(label: str, lines: list[Text], page: Page) -> None:
    for number, line in enumerate(lines or [Text("nothing in its place")]):
        page.entry("" if number else label, line)


def _lines(said: Snapshot | Steps, others: Sequence[Snapshot | Steps]) -> list[Text]:
    """Steps, a line each; of states, whatever is not the same in all of the others. Where steps look the same, the states
    after them."""
    if isinstance(said, Snapshot):
        states = [other for other in others if isinstance(other, Snapshot)]
        return _differing(said, states)
    lines = [in_a_line(step) for step in said]
    alike = [steps for steps in others if not isinstance(steps, Snapshot) and _look(steps) == _look(said)]
    if said and alike:
        lines += [Text("then ") + line for line in _differing(said[-1].state, [steps[-1].state for steps in alike])]
    return lines


def _look(steps: Steps) -> list[str]:
    return [in_a_line(step).plain for step in steps]


def _differing(state: Snapshot, others: Sequence[Snapshot]) -> list[Text]:
    """The processes and shared variables that are otherwise in some of the others."""
    lines = [
        Text(str(process))
        for number, process in enumerate(state.processes)
        if any(process != other.processes[number] for other in others)
    ]
    if any(state.shared != other.shared for other in others):
        lines += [Text(f"shared {name}={value}") for name, value in state.shared]
    if any(state.blocks != other.blocks for other in others):
        lines.append(Text(f"split {state.blocks}"))
    return lines
