"""Two runs side by side, and protocols over n, as the terminal shows them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from ...check.counting import MessagesResult
from ...runs.moments import Moment
from ...runs.rounds import in_one_round
from ..files.plots import figure_to_plot, save_plot
from ..words.beside import Side, TwoRuns
from ..words.numbers import amount
from ..words.steps import in_a_line
from .page import Page


def write(found: TwoRuns, page: Page) -> None:
    """Both runs: what they share once, what differs one below the other, the first difference marked."""
    for side in (found.one, found.other):
        page.entry(side.letter, side.of)
        page.entry("", side.ends)
    rows: list[list[Text | str]] = []
    for number, pair in enumerate(found.pairs):
        mark = Text("\u2260" if number == found.first else "", style="bold red")
        if pair.same and pair.one is not None:
            rows += [[mark, "", *row] for row in _lines(pair.one, found.one)]
            continue
        for side, moment in ((found.one, pair.one), (found.other, pair.other)):
            for row in _lines(moment, side) if moment is not None else ():
                rows.append([mark, Text(side.letter, style="bold"), *row])
                mark = Text("")
    page.columns(rows, indent=2, right=(2,))
    if found.first is None:
        page.entry("difference", "none: the runs are the same")
    else:
        page.entry("difference", Text(found.difference, style="bold"))


def _lines(moment: Moment, side: Side) -> list[list[Text | str]]:
    """A line for each step; those that do the same in a round share one."""
    steps = moment.steps if moment.number else ()
    if side.trace.rounds is not None and steps:
        steps = tuple(in_one_round(steps, len(side.trace.initial.processes)))
    return [[Text(str(moment.number), style="dim"), in_a_line(step)] for step in steps]


# --- protocols over n --------------------------------------------------------------------------------------------


def write_protocols(results: Sequence[MessagesResult], page: Page) -> None:
    """What runs of each protocol send, and how many states there are, by size."""
    for title, rows in tables(results):
        page.line(Text(title, style="bold"))
        page.columns(rows, indent=2, right=range(len(rows[0])))
    for result in results:
        if result.verdict != "HOLDS":
            page.entry(result.search.model, f"{result.verdict}: {result.reason}")


def tables(results: Sequence[MessagesResult]) -> list[tuple[str, list[list[str]]]]:
    """For each figure a table: a row for each size, a column for each protocol."""
    sizes = sorted({count.n for result in results for count in result.counts})
    ranges = [{count.n: count.over(0) for count in result.counts} for result in results]
    states = [{tally.n: tally.states for tally in result.search.sizes} for result in results]
    head = ["n", *(result.search.model for result in results)]
    figures = {
        "most messages": [{n: amount(sent.greatest) for n, sent in of.items()} for of in ranges],
        "fewest messages": [{n: amount(sent.least) for n, sent in of.items()} for of in ranges],
        "states explored": [{n: f"{number:,}" for n, number in of.items()} for of in states],
    }
    return [
        (title, [head, *([str(n), *(of.get(n, "") for of in columns)] for n in sizes)])
        for title, columns in figures.items()
    ]


def plot_protocols(results: Sequence[MessagesResult], file: str) -> None:
    """Draws the most messages of each protocol over n, and the fewest below them. Raises UsageError."""
    figure = figure_to_plot()
    axes = figure.subplots()
    for number, result in enumerate(results):
        sizes = [count.n for count in result.counts]
        colour = _COLOURS[number % len(_COLOURS)]
        most, least = ([getattr(count.over(0), name) for count in result.counts] for name in ("greatest", "least"))
        axes.plot(sizes, most, marker="os^Dv"[number % 5], color=colour, label=result.search.model)
        if least != most:
            axes.plot(sizes, least, linestyle=":", color=colour)
    axes.set_xlabel("n")
    axes.set_ylabel("messages: most, and dotted fewest")
    axes.set_xticks(sorted({count.n for result in results for count in result.counts}))
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    save_plot(figure, file)


_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # after Okabe and Ito (2008)
