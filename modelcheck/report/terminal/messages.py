"""The faces of what `modelcheck messages` counted: terminal, JSON, curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rich.text import Text

from ...check.counting import JudgedCount, MessagesResult
from ...count.census import Count
from ...count.extremes import OTHERS, ROUNDS
from ...runs.trace import Trace
from ..files import as_json
from ..files.plots import figure_to_plot, save_plot
from ..words import commands, formulas
from ..words.entries import Entry, Said, Typed
from ..words.numbers import amount, decimal, mean
from ..words.verdict_block import counts, described_system
from .page import Page
from .run import COLOURS
from .writing import write_entries, write_error, write_formulas, write_run, write_steps

NOT_COUNTED = "not counted: runs end where a step fails"

# --- terminal ------------------------------------------------------------------------------------------------------


def subject(result: MessagesResult) -> str:
    """What the verdict is about."""
    refuted = list(dict.fromkeys(one.formula.key for one in result.refuted))
    if refuted:
        return "; ".join(refuted)
    return "exact numbers of messages" if result.verdict == "HOLDS" else "messages"


def entries_above(result: MessagesResult) -> list[Entry]:
    """What stands above the numbers."""
    because = [] if result.verdict == "HOLDS" else [Said("because", result.reason)]
    return [*because, *counts(result.search)]


def entries_below(result: MessagesResult) -> list[Entry]:
    """What stands below the numbers and the formulas."""
    search = result.search
    found = [_arrangement(result, which) for which in ("least", "greatest")]
    said = [entry for entry in found if entry is not None]
    endless = result.traces.get((result.counts[-1].n, "greatest")) if result.counts else None
    if endless is not None and endless.loop is not None and any(step.draws for step in endless.steps[endless.loop :]):
        said.append(Typed("expect", commands.expect(search)))
    if search.unchecked:
        said.append(Said("not checked", "; ".join(search.unchecked)))
    return [*said, *(Said("broken", Text(broken, style="yellow")) for broken in search.broken)]


def write(result: MessagesResult, page: Page, show: str | None = None) -> None:
    """The whole report; with `show` ("least" or "greatest") the run that attains this extreme for the greatest size."""
    search = result.search
    if search.error is not None:
        write_error(search.error, page)
        page.blank()
        page.line(Text.assemble((result.verdict, COLOURS[result.verdict]), f"  {uncounted(result)}"))
        return
    headline = Text.assemble((result.verdict, COLOURS[result.verdict]), "  ", (subject(result), "bold"))
    page.line(headline + "      " + described_system(search), hang=len(result.verdict) + 2)
    write_entries(entries_above(result), page)
    for count in result.counts:
        _table(count, result.counts, page)
    if search.verdict == "VIOLATED":
        page.entry("messages", NOT_COUNTED)
    _formulas(result, page)
    write_entries(entries_below(result), page)
    for found in search.properties:
        if found.verdict == "violated":
            page.blank()
            write_run(search, found, page)
    if show is not None:
        _run(result, show, page)
    if command := following(result, show):
        if show is not None or search.verdict == "VIOLATED":
            page.blank()
        page.command("next", command)


def uncounted(result: MessagesResult) -> str:
    """What an error leaves."""
    return f"nothing is counted of {result.search.model}"


def _table(count: Count, counts: Sequence[Count], page: Page) -> None:
    """The rows of one size, below those of the smaller ones: as wide as all need."""
    rows = _rows(count)
    cells = [row for one in counts for row in _rows(one)]
    widest = [max(len(row[k]) + 2 for row in cells) for k in (1, 2, 3)]
    widths = [max(len(name) for name in (*count.names, OTHERS)), *map(max, (11, 22, 10), widest)]
    if count is counts[0]:
        page.entry("messages", _cells(("n", "", "least", "mean", "greatest"), widths))
    for number, row in enumerate(rows):
        page.entry("", _cells((f"{count.n}" if number == 0 else "", *row), widths))


def _rows(count: Count) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for place in columns(count):
        counted = count.over(place)
        least = "no run ends" if counted.least == math.inf else amount(counted.least)
        rows.append((count.names[place], least, mean(counted), amount(counted.greatest)))
    return rows


def _cells(row: tuple[str, ...], widths: list[int]) -> str:
    n, name, *numbers = row
    return f"{n:>2}  {name:<{widths[0]}}" + "".join(f"{cell:>{w}}" for cell, w in zip(numbers, widths[1:], strict=True))


def columns(count: Count) -> list[int]:
    """The columns worth a line: the total, and the types unless there is only one."""
    present = [k for k, name in enumerate(count.names) if k and (name != OTHERS or count.over(k).greatest)]
    return [0, *present] if len(present) > 1 else [0]


def _formulas(result: MessagesResult, page: Page) -> None:
    write_formulas(judged(result), page)


def judged(result: MessagesResult) -> list[tuple[str, str, Text]]:
    """The model's own formulas: what for, the formula, and whether it agrees with what was counted."""
    return formulas.told(result.formulas, result.judged, _difference) if result.counts else []


def _difference(one: JudgedCount) -> str:
    counted = one.found
    word = one.formula.word
    if word in ("best", "at least"):
        number = "no run ends" if counted.least == math.inf else f"{counted.least:,} counted"
    elif word in ("worst", "at most"):
        number = f"{amount(counted.greatest)} counted"
    elif word == "mean":
        number = f"{mean(counted)} counted"
    else:
        span = {amount(counted.least), amount(counted.greatest)}
        number = f"{' to '.join(sorted(span, key=len)) if len(span) > 1 else span.pop()} counted"
    return f"n={one.n}: {number}, {decimal(one.value or Fraction(0))} by the formula"


def _arrangement(result: MessagesResult, which: str) -> Entry | None:
    """The first world in which the greatest size attains an extreme."""
    extreme = result.counts[-1].extremes.get((0, which)) if result.counts else None
    if extreme is None:
        return None
    length, unit = len(extreme.transitions), "round" if ROUNDS in result.counts[-1].names else "step"
    steps = f"{length} {unit}{'' if length == 1 else 's'}"
    if extreme.loop is not None:
        steps = f"a cycle that sends, after {extreme.loop} of {steps}"
    return Said(which, f"{amount(extreme.amount)}: {extreme.world}; {steps}")


def _run(result: MessagesResult, which: str, page: Page) -> None:
    count = result.counts[-1] if result.counts else None
    found = result.traces.get((count.n, which)) if count else None
    page.blank()
    if count is None or found is None:
        page.line(f"there is no run to show: {result.reason if count is None else 'no run ends'}")
        return
    extreme = count.extremes[0, which]
    name = "the least number" if which == "least" else "the greatest number"
    length = f"{found.length} {found.unit}" + ("" if found.length == 1 else "s")
    page.line(Text.assemble((f"{name} of messages", "bold"), f"  {amount(extreme.amount)}  in {length}"))
    page.entry("world", str(found.world))
    write_steps(found, page)
    if found.loop is None:
        page.entry("sent", _by_type(found))


def _by_type(found: Trace) -> str:
    counts: dict[str, int] = {}
    for step in (*found.starts, *found.steps):
        for send in step.sent:
            name = send.message.partition("(")[0]
            counts[name] = counts.get(name, 0) + 1
    return ", ".join(f"{name} {number:,}" for name, number in counts.items()) or "nothing"


def following(result: MessagesResult, show: str | None) -> str:
    """The next command worth typing."""
    if result.verdict == "INCONCLUSIVE":
        return commands.messages(result.search, raise_limit=True)
    if show is None and result.traces:
        return commands.messages(result.search, "--show", "worst")
    return "" if show is None else commands.messages(result.search, larger=True)


# --- JSON ----------------------------------------------------------------------------------------------------------


def document(result: MessagesResult) -> dict[str, Any]:
    """The JSON face: what a run's has, with the numbers by type, the formulas and the runs."""
    data = as_json.document(result.search)
    data |= {
        "verdict": result.verdict.lower(),
        "exit_code": result.exit_code,
        "reason": result.reason,
        "start": result.start,
        "next": following(result, None) or None,
        "messages": [_count(result, count) for count in result.counts],
        "formulas": [_judged(one) for one in result.judged],
    }
    return data


def traces(result: MessagesResult, which: str, show: str) -> dict[str, Any] | None:
    """What `--trace` writes: the run that --show names, which attains "least" or "greatest" for the greatest size; None
    where there is none."""
    found = result.traces.get((result.counts[-1].n, which)) if result.counts else None
    if found is None:
        return None
    return as_json.runs(result.search, [(which, found, commands.messages(result.search, "--show", show))])


def _count(result: MessagesResult, count: Count) -> dict[str, Any]:
    data: dict[str, Any] = {"n": count.n, **as_json.amounts(count.over(0))}
    data["types"] = {count.names[k]: as_json.amounts(count.over(k)) for k in range(1, count.names.index(OTHERS))}
    if ROUNDS in count.names:
        data["rounds"] = as_json.amounts(count.over(count.names.index(ROUNDS)))
    for which in ("least", "greatest"):
        found = result.traces.get((count.n, which))
        data[f"{which}_run"] = as_json.run(found) if found else None
    return data


def _judged(one: JudgedCount) -> dict[str, Any]:
    return {**formulas.as_data(one), "counted": as_json.amounts(one.found)}


# --- curves --------------------------------------------------------------------------------------------------------


def plot(result: MessagesResult, file: str) -> None:
    """Draws the totals over n, with the formulas for them. Raises UsageError where there is nothing to draw it with."""
    figure = figure_to_plot()
    axes = figure.subplots()
    sizes = [count.n for count in result.counts]
    ranges = [count.over(0) for count in result.counts]
    for name, marker, numbers in (
        ("greatest", "^", [r.greatest for r in ranges]),
        ("mean of the greatest", "o", [_drawn(r.mean_greatest) for r in ranges]),
        ("mean of the least", "o", [_drawn(r.mean_least) for r in ranges]),
        ("least", "v", [r.least for r in ranges]),
    ):
        axes.plot(sizes, numbers, marker=marker, linestyle="none", label=name, markersize=7)
    for formula in result.formulas:
        drawn = [one for one in result.judged if one.formula is formula and one.value is not None]
        if formula.message is None and drawn:
            axes.plot(
                [o.n for o in drawn], [float(o.value or 0) for o in drawn], label=f"{formula.key}: {formula.text}"
            )
    axes.set_xlabel("n")
    axes.set_ylabel("messages")
    axes.set_xticks(sizes)
    axes.set_title(f"{result.search.model}: messages")
    axes.legend()
    save_plot(figure, file)


def _drawn(value: Fraction | None) -> float:
    return math.nan if value is None else float(value)
