"""The faces of what `modelcheck expect` computed: terminal, JSON, a curve."""

from __future__ import annotations

import io
from typing import Any

from rich.text import Text

from ...chance.result import Expectation, ExpectResult, Extent, JudgedExpectation
from ...chance.values import Value
from ...errors import UsageError
from ..files import as_json
from ..files.plots import figure_to_plot, save_plot
from ..words import expected as words
from ..words import formulas
from ..words.verdict_block import described_system
from .page import Page, SteadyConsole
from .run import COLOURS
from .writing import write_entries, write_error, write_formulas, write_run, write_steps

# --- terminal ------------------------------------------------------------------------------------------------------


def text(result: ExpectResult) -> str:
    """The same without colours, and without the end of the last line."""
    file = io.StringIO()
    write(result, Page(SteadyConsole(file=file, highlight=False, force_terminal=False, no_color=True)))
    return file.getvalue().rstrip("\n")


def write(result: ExpectResult, page: Page) -> None:
    """The whole report."""
    search = result.search
    if search.error is not None:
        write_error(search.error, page)
        page.blank()
        page.line(Text.assemble((result.verdict, COLOURS[result.verdict]), f"  {words.uncomputed(result)}"))
        return
    headline = Text.assemble((result.verdict, COLOURS[result.verdict]), "  ", (words.subject(result), "bold"))
    page.line(headline + "      " + described_system(search), hang=len(result.verdict) + 2)
    write_entries(words.entries_above(result), page)
    if search.verdict == "VIOLATED":
        page.entry("expected", words.NOT_COMPUTED)
    _table(result, page)
    write_entries(words.entries_beside(result), page)
    write_formulas(words.judged(result), page)
    write_entries(words.entries_below(result), page)
    for found in search.properties:
        if found.verdict == "violated":
            page.blank()
            write_run(search, found, page)
    _endless(result, page)
    if command := words.following(result):
        page.command("next", command)


def _table(result: ExpectResult, page: Page) -> None:
    rows = words.rows(result)
    if not rows:
        return
    alike, several = words.alike(result), any(row.mean for row in rows)
    names = ["n", "", *(["of each run"] if alike else ["least", "greatest"]), *(["mean"] if several else [])]
    shown, n = [], 0
    for row in rows:
        values = [words.shown(value) for value in ((row.least,) if alike else (row.least, row.greatest))]
        mean = [" to ".join(map(words.shown, row.mean))] if several else []
        shown.append(["" if row.n == n else f"{row.n}", "  " * row.part + row.name, *values, *mean])
        n = row.n
    page.entry("expected", words.whose(result))
    page.columns([names, *shown], indent=13, right=[k for k in range(len(names)) if k != 1])


def _endless(result: ExpectResult, page: Page) -> None:
    if (found := words.keeps_going(result)) is None:
        return
    trace, because = found
    page.blank()
    page.line(Text.assemble(("a run that keeps going", "bold"), f"  {because}"))
    page.entry("world", str(trace.world))
    write_steps(trace, page)


# --- JSON ----------------------------------------------------------------------------------------------------------


def document(result: ExpectResult) -> dict[str, Any]:
    """The JSON face: what a run's has, with what is expected, the formulas and the runs that keep going."""
    data = as_json.document(result.search)
    data |= {
        "verdict": result.verdict.lower(),
        "exit_code": result.exit_code,
        "reason": result.reason,
        "until": result.until,
        "next": words.following(result) or None,
        "expected_values": [_size(size) for size in result.sizes],
        "formulas": [_judged(one) for one in result.judged],
        "endless_runs": [{"n": n, "of": name, "run": as_json.run(found)} for (n, name), found in result.traces.items()],
    }
    return data


def _size(size: Expectation) -> dict[str, Any]:
    curve = size.distribution
    return {
        "n": size.n,
        "quantities": {name: _spread(size.over(name)) for name in size.names},
        "messages_at_most": None
        if curve is None
        else [
            {"messages": k, "least": round(low, 9), "greatest": round(high, 9)}
            for k, (low, high) in enumerate(zip(curve.least, curve.greatest, strict=True))
        ],
    }


def _spread(spread: Extent) -> dict[str, Any]:
    names = ("least", "greatest", "mean_least", "mean_greatest")
    return {name: _value(getattr(spread, name)) for name in names}


def _value(value: Value) -> dict[str, Any]:
    """The fraction as text; as a number; where it is known between bounds these, as text; where it is infinite nothing of this."""
    low, high, exact = value.low, value.high, value.exact
    return {
        "exact": None if exact is None else str(exact),
        "value": None if low is None or high is None else float((low + high) / 2),
        "bounds": None if exact is not None or low is None else [str(low), str(high)],
        "infinite": value.infinite,
    }


def _judged(one: JudgedExpectation) -> dict[str, Any]:
    return {**formulas.as_data(one), "expected": None if one.found is None else _spread(one.found)}


# --- a curve -------------------------------------------------------------------------------------------------------


def plot(result: ExpectResult, file: str) -> None:
    """Draws the probability of at most k messages, for the greatest size. Raises UsageError where there is none."""
    size = result.sizes[-1]
    curve = size.distribution
    if curve is None:
        raise UsageError(f"--plot {file}: the distribution for n={size.n} is not computed")
    drawn = figure_to_plot()
    axes = drawn.subplots()
    numbers = range(len(curve.least))
    axes.step(numbers, curve.greatest, where="post", label="greatest")
    if curve.least != curve.greatest:
        axes.step(numbers, curve.least, where="post", label="least")
        axes.fill_between(numbers, curve.least, curve.greatest, step="post", alpha=0.2)
        axes.legend()
    axes.set_xlabel("k")
    axes.set_ylabel("probability of at most k messages")
    axes.set_ylim(0, 1.02)
    axes.set_title(f"{result.search.model}, n={size.n}")
    save_plot(drawn, file)
