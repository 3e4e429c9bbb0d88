"""The page of what `modelcheck expect` computed: the table, the distribution, the formulas, the run that keeps going."""

from __future__ import annotations

from functools import partial

from ...chance.result import ExpectResult
from ..words import commands, verdict_block
from ..words import expected as words
from ..words.lesson import lesson
from ..words.steps import told_runs
from .chart import curve
from .figure import figure
from .model_text import listing
from .run import counterexamples
from .templates import grouped, page

LONGEST = 60  # characters of a fraction that is printed here


def document(result: ExpectResult) -> str:
    """The report of what is to be expected, with the numbers and the words of the terminal's."""
    search = result.search
    error = None if search.error is None else lesson(search.error)
    told = counterexamples(told_runs(search))
    head = verdict_block.Headline(result.verdict, (words.subject(result),), verdict_block.described_system(search))
    rows, drawn, formulas = words.rows(result), curve(result.sizes), words.judged(result)
    assumed = verdict_block.assumptions(search)
    endless = words.keeps_going(result)
    going = figure(endless[0], "going", "a run that keeps going", violated=False) if endless else None
    rests_on = [] if error else [*words.entries_above(result), *words.entries_below(result)]
    following = words.following(result)
    anchors = {
        "error": error.kind.lower() if error else "",
        "numbers": "numbers" if rows else "",
        "distribution": "distribution" if drawn else "",
        "formulas": "formulas" if formulas else "",
        "going-of": "a run that keeps going" if going else "",
        "checked": "verdict" if rests_on else "",
        "unchecked": "not checked" if assumed else "",
        "again": "reproduce",
    }
    until = ["--until", result.until] if result.until is not None else []
    return page(
        "expected.html",
        title="  ".join([head.verdict, *head.subjects, head.system]),
        result=search,
        head=head,
        lead="" if error else result.reason,
        about=search.title,
        subject=words.uncomputed(result) if error else words.subject(result),
        undecided=words.uncomputed(result),
        error=error,
        error_groups=grouped(error.entries) if error else (),
        contents=[(anchor, said) for anchor, said in anchors.items() if said],
        rows=rows,
        alike=words.alike(result),
        several=any(row.mean for row in rows),
        whose=words.whose(result),
        parts_of=partial(words.parts, longest=LONGEST),
        beside_groups=grouped(words.entries_beside(result)),
        not_computed=f"what to expect is {words.NOT_COMPUTED}" if told else "",
        curve=drawn,
        formulas=formulas,
        going=going,
        because=endless[1][:1].upper() + endless[1][1:] if endless else "",
        runs_told=told,
        block_groups=grouped(rests_on),
        assumptions=assumed,
        reproduce=[("this run", commands.expect(search, *until)), *([("next", following)] if following else [])] if search.asked else [],
        listings=[(file, listing(file, search.never_ran)) for file in search.files],
    )  # fmt: skip
