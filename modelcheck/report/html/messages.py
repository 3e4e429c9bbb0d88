"""The page of what `modelcheck messages` counted: the numbers as a chart, the formulas, the runs that attain the extremes."""

from __future__ import annotations

from ...check.counting import MessagesResult
from ..terminal import messages
from ..words import commands, numbers, verdict_block
from ..words.lesson import lesson
from ..words.steps import told_runs
from .chart import chart
from .figure import Figure, figure
from .model_text import listing
from .run import counterexamples
from .templates import grouped, page


def document(result: MessagesResult) -> str:
    """The report of what was counted, with the runs that send the most and the least."""
    search = result.search
    error = None if search.error is None else lesson(search.error)
    told = counterexamples(told_runs(search))
    counted = [
        (f"n={count.n}", count.names[column] if len(messages.columns(count)) > 1 else "", count.over(column))
        for count in result.counts
        for column in messages.columns(count)
    ]
    shown = _extremes(result)
    head = verdict_block.Headline(result.verdict, (messages.subject(result),), verdict_block.described_system(search))
    formulas, assumed = messages.judged(result), verdict_block.assumptions(search)
    following = messages.following(result, None)
    rests_on = [] if error else [*messages.entries_above(result), *messages.entries_below(result)]
    parts = {
        "error": error.kind.lower() if error else "",
        "numbers": "numbers" if counted else "",
        "formulas": "formulas" if formulas else "",
        **{f"{run.id}-of": run.name for run in shown},
        "checked": "verdict" if rests_on else "",
        "unchecked": "not checked" if assumed else "",
        "again": "reproduce",
    }
    return page(
        "counted.html",
        title="  ".join([head.verdict, *head.subjects, head.system]),
        result=search,
        head=head,
        lead="" if error else result.reason,
        about=search.title,
        subject=messages.uncounted(result) if error else messages.subject(result),
        undecided=messages.uncounted(result),
        error=error,
        error_groups=grouped(error.entries) if error else (),
        contents=[(anchor, words) for anchor, words in parts.items() if words],
        chart=chart(counted) if counted else None,
        not_counted=f"messages {messages.NOT_COUNTED}" if told else "",
        formulas=formulas,
        shown=shown,
        runs_told=told,
        block_groups=grouped(rests_on),
        assumptions=assumed,
        reproduce=[("this run", commands.messages(search)), *([("next", following)] if following else [])] if search.asked else [],
        listings=[(file, listing(file, search.never_ran)) for file in search.files],
    )  # fmt: skip


def _extremes(result: MessagesResult) -> list[Figure]:
    """The runs that attain the extremes for the greatest size, that with the most messages first."""
    n = result.counts[-1].n if result.counts else 0
    found = []
    for which in ("greatest", "least"):
        run = result.traces.get((n, which))
        if run is not None:
            amount = numbers.amount(result.counts[-1].extremes[0, which].amount)
            found.append(figure(run, which, f"the {which} number of messages", f"{amount} for n={n}", violated=False))
    return found
