"""The page of a result: one file that needs nothing else, drawn from the same object as the terminal's report and in its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...check.result import ModelFile, Result
from ...runs.trace import Trace
from ..words import commands, verdict_block
from ..words.entries import Typed
from ..words.lesson import lesson
from ..words.steps import Told, told_runs
from .chart import Chart, chart
from .figure import Figure, figure
from .model_text import listing
from .state_graph import StateGraphSection
from .templates import Group, grouped, page

UNFOLDED = 1  # counterexamples whose run is seen at once


@dataclass(frozen=True)
class CounterexampleSection:
    """What is told of a counterexample, and its run; None where it is that of another above."""

    run: Told
    anchor: str
    same_anchor: str
    shown: Figure | None
    folded: bool
    above: tuple[Group, ...]
    below: tuple[Group, ...]
    again: tuple[Group, ...]


def document(result: Result, graph: StateGraphSection | None = None) -> str:
    """The whole report; with the state graph, where there is one."""
    told = counterexamples(told_runs(result), result.files)
    improbable = [
        figure(found.trace, f"improbable-{number}", found.name, found.note)
        for number, found in enumerate(result.properties, 1)
        if found.verdict == "holds" and found.trace is not None
    ]
    messages = _messages(result) if result.error is None else None
    error = None if result.error is None else lesson(result.error)
    head = verdict_block.headline(result)
    rests_on, assumed = grouped(verdict_block.entries(result)), verdict_block.assumptions(result)
    shown = {
        "error": error.kind.lower() if error else "",
        "run-1": ("counterexample" if len(told) == 1 else f"{len(told)} counterexamples") if told else "",
        "checked": "verdict" if rests_on else "",
        "properties": "properties" if result.properties else "",
        "messages": "messages" if messages else "",
        "states": "states" if graph else "",
        "unchecked": "not checked" if assumed else "",
        "again": "reproduce",
    }
    return page(
        "report.html",
        title="  ".join([head.verdict, ", ".join(head.subjects), head.system]),
        result=result,
        head=head,
        lead=lead(result),
        about=result.title,
        subject=verdict_block.undecided(result) if error else ", ".join(head.subjects) or result.model,
        undecided=verdict_block.undecided(result),
        error=error,
        error_groups=grouped(error.entries) if error else (),
        contents=[(anchor, words) for anchor, words in shown.items() if words],
        runs_told=told,
        anchors={one.run.name: one.anchor for one in told} | {one.name: f"{one.id}-of" for one in improbable},
        improbable=improbable,
        block_groups=rests_on,
        idle=lambda found: verdict_block.idle([found]),
        chart=messages,
        graph=graph,
        assumptions=assumed,
        reproduce=_reproduce(result, told),
        listings=[(file, listing(file, result.never_ran)) for file in result.files],
    )


def run_page(trace: Trace, heading: str) -> str:
    """A page of one run alone: its diagram, and each moment."""
    shown = figure(trace, "run", violated=bool(trace.reason))
    return page("one_run.html", title=heading, world=str(trace.world), shown=shown, reason=trace.reason)


# --- what stands where -------------------------------------------------------------------------------------------


def lead(result: Result) -> str:
    """The one sentence to take away."""
    if result.error is not None:
        return ""
    runs = told_runs(result)
    if runs:
        return runs[0].trace.reason
    return verdict_block.guarantee(result) if result.verdict == "HOLDS" else result.judgement.reason


def counterexamples(runs: list[Told], files: Sequence[ModelFile] = ()) -> list[CounterexampleSection]:
    anchors = {run.name: f"run-{number}" for number, run in enumerate(runs, 1)}
    found = []
    drawn = 0
    for run in runs:
        anchor = anchors[run.name]
        shown = None if run.same else figure(run.trace, f"{anchor}-at", run.name, files=files)
        drawn += shown is not None
        folded = shown is not None and drawn > UNFOLDED
        groups = (grouped(entries) for entries in (run.above, run.below, (Typed("again", run.again),)))
        found.append(CounterexampleSection(run, anchor, anchors.get(run.same, ""), shown, folded, *groups))
    return found


def _messages(result: Result) -> Chart | None:
    counted = [(f"n={n}", "", numbers) for n, numbers in result.messages.items()]
    return chart(counted) if counted else None


def _reproduce(result: Result, told: list[CounterexampleSection]) -> list[tuple[str, str]]:
    if not result.asked:  # the model could not even be read
        return []
    found = [("this run", commands.this(result))]
    found += [(one.run.name, one.run.again) for one in told]
    first = next((found for found in result.properties if told and found.name == told[0].run.name), None)
    if first is not None and (beside := commands.beside(result, first)):
        found.append(("beside the mended protocol", beside))
    following = commands.following(result)
    return [*found, ("next", following)] if following else found
