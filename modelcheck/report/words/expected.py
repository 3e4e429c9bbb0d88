"""What is to be expected, in words: the rows of the table, and the lines around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from rich.text import Text

from ...chance.result import Expectation, ExpectResult, JudgedExpectation
from ...chance.values import ENDS, ENDS_WELL, MESSAGES, Distribution, Value, of_type
from ...count.extremes import OTHERS
from ...runs.trace import Trace
from . import commands, formulas
from .entries import Entry, Said, Typed
from .numbers import decimal
from .verdict_block import counts

LONGEST = 16  # characters of a fraction that is printed
BOUND = 10**6  # of a bound so many parts of 1 are printed
SHARES = (("half of the runs", 0.5), ("9 of 10", 0.9), ("99 of 100", 0.99))
NEARLY = 1e-9  # what is lacking of a probability in floating point
NOT_COMPUTED = "not computed: runs end where a step fails"


@dataclass(frozen=True)
class QuantityRow:
    """A quantity of one size. `mean` has those of the least and of the greatest values, where they say more; `part` tells that it
    counts some of what the row above counts."""

    n: int
    name: str
    part: bool
    least: Value
    greatest: Value
    mean: tuple[Value, ...]


def rows(result: ExpectResult) -> list[QuantityRow]:
    """Those worth a line, in order."""
    return [row for size in result.sizes for row in _rows(size, result.until)]


def _rows(size: Expectation, until: str | None) -> Iterator[QuantityRow]:
    for name in quantities(size):
        if until is not None and name == ENDS_WELL:
            continue
        spread = size.over(name)
        mean: tuple[Value, ...] = ()
        if spread.mean_least != spread.least or spread.mean_greatest != spread.greatest:
            mean = tuple(dict.fromkeys((spread.mean_least, spread.mean_greatest)))
        part = name.startswith(f"{MESSAGES} of ")
        yield QuantityRow(size.n, _named(name, until), part, spread.least, spread.greatest, mean)


def quantities(size: Expectation) -> list[str]:
    """Those worth a line: types of messages only where there are several."""
    names = [name for name in size.names if name != of_type(OTHERS) or size.over(name).greatest.high != 0]
    types = [name for name in names if name.startswith(f"{MESSAGES} of ")]
    return [name for name in names if len(types) > 1 or name not in types]


def _named(name: str, until: str | None) -> str:
    return f"P({until or name})" if name in (ENDS, ENDS_WELL) else name.removeprefix(f"{MESSAGES} ")


def alike(result: ExpectResult) -> bool:
    """Whether schedulers make no difference."""
    return all(size.over(name).least == size.over(name).greatest for size in result.sizes for name in size.names)


def whose(result: ExpectResult) -> str:
    """Over which schedulers."""
    return "whoever schedules" if alike(result) else "over all schedulers"


# --- values --------------------------------------------------------------------------------------------------------


def parts(value: Value, longest: int = LONGEST) -> tuple[str, str]:
    """The value, and where it is a fraction its decimals: ('59/4', '14.75'), ('20', ''), ('240/7', '34.2857..'); ('infinite', ''); of
    bounds, which are rounded away from each other, ('between 34.28571 and 34.28572', ''). A fraction that is too long to print is left to JSON: ('', '0.3333..')."""
    if value.infinite or value.low is None or value.high is None:
        return "infinite", ""
    if value.exact is None:
        low, high = Fraction(floor(value.low * BOUND), BOUND), Fraction(ceil(value.high * BOUND), BOUND)
        return f"{_six(low)} to {_six(high)}", ""
    if value.exact.denominator == 1:
        return f"{value.exact.numerator:,}", ""
    text, short = str(value.exact), decimal(value.exact)
    if len(text) > longest:
        return "", f"{short}.."
    whole = Fraction(short.replace(",", "")) == value.exact
    return text, short + ("" if whole else "..")


def _six(bound: Fraction) -> str:
    """Six decimals, exactly."""
    whole, rest = divmod(bound.numerator * (BOUND // bound.denominator), BOUND)
    return f"{whole:,}.{rest:06}"


def shown(value: Value) -> str:
    """'59/4 = 14.75', '20', '240/7 = 34.2857..', 'infinite'; of bounds both: '34.285713 to 34.285715'."""
    return " = ".join(part for part in parts(value) if part)


# --- around the table ------------------------------------------------------------------------------------------------


def subject(result: ExpectResult) -> str:
    """What the verdict is about."""
    refuted = list(dict.fromkeys(one.formula.key for one in result.refuted))
    if refuted:
        return "; ".join(refuted)
    if result.verdict != "HOLDS":
        return "what to expect"
    exact = all(size.over(name).exact for size in result.sizes for name in size.names)
    return "what to expect, exactly" if exact else "what to expect, between bounds"


def uncomputed(result: ExpectResult) -> str:
    """What an error leaves."""
    return f"nothing is computed of {result.search.model}"


def entries_above(result: ExpectResult) -> list[Entry]:
    """What stands above the numbers."""
    found = [] if result.verdict == "HOLDS" else [Said("because", result.reason)]
    if result.until is not None:
        found.append(Said("until", f"{result.until} holds: that is the end of a run here"))
    return [*found, *counts(result.search)]


def entries_beside(result: ExpectResult) -> list[Entry]:
    """What the table says in words."""
    found: list[Entry] = []
    if any(not size.over(name).exact for size in result.sizes for name in size.names):
        found.append(
            Said("bounds", "an enclosure, proved: the value lies between the two, which are rounded away from it")
        )
    if result.sizes and (told := at_most(result.sizes[-1])):
        first, *others = [
            f"{number}{unit} in {part}" for (part, number), unit in zip(told, (" messages", "", ""), strict=False)
        ]
        found.append(Said("at most", "; ".join([f"n={result.sizes[-1].n}: {first}", *others])))
    for size in result.sizes:
        least = size.over(ENDS).least
        if least.low is not None and least.low < 1 and result.until is None:
            said = f"n={size.n}: one that is unfair may keep a run from ending; whether a fair one can is said by"
            return [*found, Said("schedulers", said), Typed("", f"modelcheck run {result.search.reference}")]
    return found


def entries_below(result: ExpectResult) -> list[Entry]:
    """What stands below the numbers and the formulas."""
    search = result.search
    unchecked = [Said("not checked", "; ".join(search.unchecked))] if search.unchecked else []
    return [*unchecked, *(Said("broken", Text(broken, style="yellow")) for broken in search.broken)]


def at_most(size: Expectation) -> list[tuple[str, str]]:
    """('half of the runs', '32'), ...: how many messages such a part of the runs comes by with, as far as that is known."""
    curve = size.distribution
    told = [] if curve is None else [(words, _share(curve, share)) for words, share in SHARES]
    return [(words, number) for words, number in told if number]


def _share(curve: Distribution, share: float) -> str:
    low, high = (
        next((k for k, chance in enumerate(chances) if chance >= share - NEARLY), None)
        for chances in (curve.greatest, curve.least)
    )
    if low is None or high is None:
        return ""
    return f"{low}" if low == high else f"{low} to {high}"


def judged(result: ExpectResult) -> list[tuple[str, str, Text]]:
    """The model's own formulas: what for, the formula, and whether it agrees."""
    return formulas.told(dict.fromkeys(one.formula for one in result.judged), result.judged, _difference)


def _difference(one: JudgedExpectation) -> str:
    assert one.found is not None
    sides = list(dict.fromkeys(map(shown, (one.found.least, one.found.greatest))))
    wanted = str(one.value) if isinstance(one.value, Fraction) else decimal(one.value or Fraction(0))
    return f"n={one.n}: {' to '.join(sides)} is expected, {wanted} by the formula"


def keeps_going(result: ExpectResult) -> tuple[Trace, str] | None:
    """The run that keeps going, of the greatest size that has one, and what is infinite because of it; one of all that is infinite."""
    if not result.traces:
        return None
    n = max(size for size, _ in result.traces)
    names = [name for size, name in result.traces if size == n]
    also = f", as is that of {' and '.join(names[1:])}" if names[1:] else ""
    return result.traces[n, names[0]], f"the greatest expected number of {names[0]} is infinite{also}"


def following(result: ExpectResult) -> str:
    """The next command worth typing."""
    until = ["--until", result.until] if result.until is not None else []
    if result.verdict == "INCONCLUSIVE":
        words = commands.raised(result.search).replace("modelcheck run", "modelcheck expect", 1)
        return " ".join([words, *until])
    if result.verdict == "VIOLATED" or not result.sizes or 60 * result.search.states > 400_000:
        return ""
    return commands.expect(result.search, *until, larger=True)
