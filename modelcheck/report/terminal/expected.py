"""The faces of what `modelcheck expect` computed: terminal, JSON, a curve."""

from __future__ import annotations

import io
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rich.text import Text

from ...chance.result import Expectation, ExpectResult, Extent, JudgedExpectation
from ...chance.values import ENDS, ENDS_WELL, MESSAGES, Distribution, Value, of_type
from ...check.request import ranges
from ...count.extremes import OTHERS
from ...errors import UsageError
from ...runs.trace import Trace
from ..files import as_json
from ..words import commands
from ..words.numbers import decimal
from ..words.verdict_block import counts, described_system
from .messages import check_plot as check_plot
from .messages import figure_to_plot
from .page import Page, SteadyConsole
from .run import COLOURS
from .writing import write_entries, write_error, write_run, write_steps

LONGEST = 16  # characters of a fraction that is printed
SHARES = (("half of the runs", 0.5), ("9 runs in 10", 0.9), ("99 in 100", 0.99))
NEARLY = 1e-9  # what is lacking of a probability in floating point

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
        page.line(Text.assemble((result.verdict, COLOURS[result.verdict]), f"  nothing is computed of {search.model}"))
        return
    headline = Text.assemble((result.verdict, COLOURS[result.verdict]), "  ", (subject(result), "bold"))
    page.line(headline + "      " + described_system(search), hang=len(result.verdict) + 2)
    if result.verdict != "HOLDS":
        page.entry("because", result.reason)
    if result.until is not None:
        page.entry("until", f"{result.until} holds: that is the end of a run here")
    write_entries(counts(search), page)
    if search.verdict == "VIOLATED":
        page.entry("expected", "not computed: runs end where a step fails")
    rows = [row for size in result.sizes for row in _rows(size, result.until)]
    if rows:
        several, alike = any(row[4] for row in rows), _alike(result)
        names = [
            "n",
            "",
            "of each run" if alike else "least",
            *([] if alike else ["greatest"]),
            *(["mean"] if several else []),
        ]
        page.entry("expected", "whoever schedules" if alike else "over all schedulers")
        shown_cells = [[*row[:3], *([] if alike else [row[3]]), *([row[4]] if several else [])] for row in rows]
        page.columns([names, *shown_cells], indent=13, right=[k for k in range(len(names)) if k != 1])
    for label, words in _sentences(result):
        page.entry(label, words)
    label = "formulas"
    for key, text, outcome in formulas(result):
        page.entry(label, Text(f"{key}  {text}  ") + outcome)
        label = ""
    if search.unchecked:
        page.entry("not checked", "; ".join(search.unchecked))
    for broken in search.broken:
        page.entry("broken", Text(broken, style="yellow"))
    for found in search.properties:
        if found.verdict == "violated":
            page.blank()
            write_run(search, found, page)
    _endless(result, page)
    if command := following(result):
        page.command("next", command)


def subject(result: ExpectResult) -> str:
    """What the verdict is about."""
    refuted = list(dict.fromkeys(one.formula.key for one in result.refuted))
    if refuted:
        return "; ".join(refuted)
    if result.verdict != "HOLDS":
        return "what to expect"
    exact = all(size.over(name).exact for size in result.sizes for name in size.names)
    return "what to expect, exactly" if exact else "what to expect, between bounds"


def shown(value: Value) -> str:
    """'59/4 = 14.75', '20', '240/7 = 34.2857..', 'infinite'; of bounds both: '34.28571 to 34.28572'."""
    if value.infinite or value.low is None or value.high is None:
        return "infinite"
    if value.exact is None:
        return f"{float(value.low):,.6f} to {float(value.high):,.6f}"
    if value.exact.denominator == 1:
        return f"{value.exact.numerator:,}"
    text, short = str(value.exact), decimal(value.exact)
    if len(text) > LONGEST:
        return f"{short}.."
    whole = Fraction(short.replace(",", "")) == value.exact
    return f"{text} = {short}" + ("" if whole else "..")


def quantities(size: Expectation) -> list[str]:
    """Those worth a line: types of messages only where there are several."""
    names = [name for name in size.names if name != of_type(OTHERS) or size.over(name).greatest.high != 0]
    types = [name for name in names if name.startswith(f"{MESSAGES} of ")]
    return [name for name in names if len(types) > 1 or name not in types]


def _rows(size: Expectation, until: str | None) -> Iterator[tuple[str, ...]]:
    n = f"{size.n}"
    for name in quantities(size):
        if until is not None and name == ENDS_WELL:
            continue
        spread = size.over(name)
        mean = ""
        if spread.mean_least != spread.least or spread.mean_greatest != spread.greatest:
            both = (shown(spread.mean_least), shown(spread.mean_greatest))
            mean = both[0] if both[0] == both[1] else " to ".join(both)
        yield n, _named(name, until), shown(spread.least), shown(spread.greatest), mean
        n = ""


def _named(name: str, until: str | None) -> str:
    if name in (ENDS, ENDS_WELL):
        return f"P({until or name})"
    return name.replace(f"{MESSAGES} of ", "  of ")


def _alike(result: ExpectResult) -> bool:
    """Whether schedulers make no difference."""
    return all(size.over(name).least == size.over(name).greatest for size in result.sizes for name in size.names)


def _sentences(result: ExpectResult) -> Iterator[tuple[str, str]]:
    """What the table says in words."""
    if result.sizes and (curve := result.sizes[-1].distribution) is not None:
        parts = [part for part in (_share(curve, words, share) for words, share in SHARES) if part]
        if parts:
            yield "at most", f"n={result.sizes[-1].n}: " + "; ".join(parts)
    for size in result.sizes:
        least = size.over(ENDS).least
        if least.low is not None and least.low < 1 and result.until is None:
            command = f"modelcheck run {result.search.reference}"
            yield (
                "schedulers",
                f"n={size.n}: one that is unfair may keep a run from ending; {command} says whether a fair one can",
            )
            return


def _share(curve: Distribution, words: str, share: float) -> str:
    """How many messages so large a part of the runs comes by with."""
    low, high = (
        next((k for k, chance in enumerate(chances) if chance >= share - NEARLY), None)
        for chances in (curve.greatest, curve.least)
    )
    if low is None or high is None:
        return ""
    return f"{words} {low}" if low == high else f"{words} {low} to {high}"


def formulas(result: ExpectResult) -> list[tuple[str, str, Text]]:
    """The model's own formulas: what for, the formula, and whether it agrees."""
    found = []
    for formula in dict.fromkeys(one.formula for one in result.judged):
        judged = [one for one in result.judged if one.formula is formula]
        refuted = [one for one in judged if one.agrees is False]
        if refuted:
            outcome = Text("VIOLATED: " + "; ".join(map(_difference, refuted[:3])), style="bold red")
        else:
            agreeing = [one.n for one in judged if one.agrees]
            notes = "; ".join(dict.fromkeys(one.note for one in judged if one.agrees is None))
            words = "agrees" + (f" for n={ranges(sorted(set(agreeing)))}" if notes else "") if agreeing else ""
            outcome = Text.assemble(
                (words, "green"), (f" ({notes})" if words else f"({notes})", "dim") if notes else ""
            )
        found.append((formula.key, formula.text, outcome))
    return found


def _difference(one: JudgedExpectation) -> str:
    assert one.expected is not None
    sides = list(dict.fromkeys(map(shown, (one.expected.least, one.expected.greatest))))
    wanted = str(one.value) if isinstance(one.value, Fraction) else decimal(one.value or Fraction(0))
    return f"n={one.n}: {' to '.join(sides)} is expected, {wanted} by the formula"


def _endless(result: ExpectResult, page: Page) -> None:
    """The run that keeps going, of the greatest size that has one: one of all that is infinite."""
    if not result.traces:
        return
    n = max(size for size, _ in result.traces)
    names = [name for size, name in result.traces if size == n]
    name = names[0]
    found: Trace = result.traces[n, name]
    page.blank()
    also = f", as is that of {' and '.join(names[1:])}" if names[1:] else ""
    page.line(
        Text.assemble(("a run that keeps going", "bold"), f"  the greatest expected number of {name} is infinite{also}")
    )
    page.entry("world", str(found.world))
    write_steps(found, page)


def following(result: ExpectResult) -> str:
    """The next command worth typing."""
    until = ["--until", result.until] if result.until is not None else []
    if result.verdict == "INCONCLUSIVE":
        words = commands.raised(result.search).replace("modelcheck run", "modelcheck expect", 1)
        return " ".join([words, *until])
    if result.verdict == "VIOLATED" or not result.sizes or 60 * result.search.states > 400_000:
        return ""
    return commands.expect(result.search, *until, larger=True)


# --- JSON ----------------------------------------------------------------------------------------------------------


def document(result: ExpectResult) -> dict[str, Any]:
    """The JSON face: what a run's has, with what is expected, the formulas and the runs that keep going."""
    data = as_json.document(result.search)
    data |= {
        "verdict": result.verdict.lower(),
        "exit_code": result.exit_code,
        "reason": result.reason,
        "until": result.until,
        "next": following(result) or None,
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
    return {
        "n": one.n,
        "key": one.formula.key,
        "formula": one.formula.text,
        "value": None if one.value is None else float(one.value),
        "value_exact": str(one.value) if isinstance(one.value, Fraction) else None,
        "agrees": one.agrees,
        "note": one.note or None,
        "expected": None if one.expected is None else _spread(one.expected),
    }


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
    try:
        drawn.savefig(file)
    except (OSError, ValueError) as error:
        raise UsageError(f"--plot {file}: {error}") from None
