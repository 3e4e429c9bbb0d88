"""Numbers as charts. Numbers of messages: a row for each size (and type), from the least number to the greatest.

The rows are those of a table, so that whoever does not see the bars reads the numbers. Places are given in percent: the bars are as
wide as there is room for, and the words beside them keep their size. A distribution: a curve in steps, of the least and of the greatest probability.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...chance.result import Expectation
from ...count.ranges import Range
from ..words.expected import SHARES, at_most
from ..words.numbers import amount, mean

WIDTH, WITHOUT_BOUND = (
    96.0,
    72.0,
)  # percent of the room for the scale; then there is room for the arrow of what has no bound
TICKS = 5  # at most


@dataclass(frozen=True)
class Bar:
    """One row. Places are percentages; None where there is none."""

    label: str
    kind: str  # of message; nothing where all are counted together
    least: str
    mean: str
    greatest: str
    low: float | None
    high: float | None  # None where it is unbounded
    mean_low: float | None
    mean_high: float | None

    @property
    def ends(self) -> bool:
        """Whether any run ends: else there is no least number."""
        return self.low is not None


@dataclass(frozen=True)
class Chart:
    """Rows over one scale; `ticks` are (place in percent, number)."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    kinds: bool  # whether rows have types of messages

    @property
    def spread(self) -> bool:
        """Whether any mean depends on the schedule."""
        return any(bar.mean_low != bar.mean_high for bar in self.bars)


def chart(counted: Sequence[tuple[str, str, Range]]) -> Chart:
    """The chart of what was counted: (label, type of message, numbers)."""
    numbers = [float(n) for _, _, c in counted for n in (c.least, c.greatest, *_means(c)) if n not in (None, math.inf)]
    step = _step(max([1.0, *numbers]))
    width = WIDTH if all(c.greatest != math.inf for _, _, c in counted) else WITHOUT_BOUND
    scale = width / (step * math.ceil(max([1.0, *numbers]) / step))
    bars = tuple(_bar(label, kind, each, scale) for label, kind, each in counted)
    ticks = tuple((round(k * step * scale, 2), f"{k * step:,}") for k in range(int(width / (step * scale) + 0.5) + 1))
    return Chart(bars, ticks, any(kind for _, kind, _ in counted))


def _bar(label: str, kind: str, counted: Range, scale: float) -> Bar:
    def place(number: float | Fraction | None) -> float | None:
        return None if number is None or number == math.inf else round(float(number) * scale, 2)

    least = "no run ends" if counted.least == math.inf else amount(counted.least)
    low, high = map(place, _means(counted))
    return Bar(
        label, kind, least, mean(counted), amount(counted.greatest),
        place(counted.least), place(counted.greatest), low, high,
    )  # fmt: skip


def _means(counted: Range) -> tuple[Fraction | None, Fraction | None]:
    return counted.mean_least, counted.mean_greatest


def _step(greatest: float) -> int:
    """A round distance between ticks."""
    for power in range(20):
        for digit in (1, 2, 5):
            if greatest / (digit * 10**power) <= TICKS:
                return int(digit * 10**power)
    return int(greatest)


# --- a distribution --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Curve:
    """The probability of at most k messages, from `first` to `last`. `lines` are paths in percent of room to the right and downwards,
    that of the greatest first; `band` lies between them, where they differ. `shares` has for each size how many messages the parts in
    `heads` of its runs come by with."""

    n: int
    first: int
    last: int
    lines: tuple[str, ...]
    band: str
    ticks: tuple[tuple[float, str], ...]
    heights: tuple[tuple[float, str], ...]
    heads: tuple[str, ...]
    shares: tuple[tuple[int, tuple[str, ...]], ...]


def curve(sizes: Sequence[Expectation]) -> Curve | None:
    """That of the greatest size; None where it is not known."""
    drawn = sizes[-1].distribution if sizes else None
    if drawn is None:
        return None
    last = max(len(drawn.least) - 1, 1)
    first = max(next((k for k, chance in enumerate(drawn.greatest) if chance > 0), 0) - 1, 0)
    last = max(last, first + 1)
    corners = [_corners(chances, first, last) for chances in (drawn.greatest, drawn.least)]
    differ = drawn.greatest != drawn.least
    step = _step(last - first)
    ticks = [(k, f"{k:,}") for k in range(-(-first // step) * step, last + 1, step)]
    heads = tuple(words for words, _ in SHARES)
    shares = tuple((size.n, tuple(dict(at_most(size)).get(words, "") for words in heads)) for size in sizes)
    return Curve(
        n=sizes[-1].n,
        first=first,
        last=last,
        lines=tuple(_path(corner) for corner in (corners if differ else corners[:1])),
        band=_path([*corners[0], *reversed(corners[1])]) + "Z" if differ else "",
        ticks=tuple((round(100 * (k - first) / (last - first), 2), word) for k, word in ticks),
        heights=tuple((100 - percent, f"{percent / 100:g}") for percent in (0, 25, 50, 75, 100)),
        heads=heads,
        shares=tuple((n, numbers) for n, numbers in shares if any(numbers)),
    )


def _corners(chances: Sequence[float], first: int, last: int) -> list[tuple[float, float]]:
    """Where steps begin and end: only where the probability grows."""
    found = [(0.0, 100 - 100 * chances[min(first, len(chances) - 1)])]
    for k in range(first + 1, min(last, len(chances) - 1) + 1):
        height = 100 - 100 * chances[k]
        if height != found[-1][1]:
            place = 100 * (k - first) / (last - first)
            found += [(place, found[-1][1]), (place, height)]
    return [*found, (100.0, found[-1][1])]


def _path(corners: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{round(x, 2):g} {round(y, 2):g}" for x, y in corners)
