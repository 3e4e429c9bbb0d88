"""Numbers of messages as a chart: a row for each size (and type), from the least number to the greatest.

The rows are those of a table, so that whoever does not see the bars reads the numbers. Places are given in percent: the bars are as
wide as there is room for, and the words beside them keep their size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...count.ranges import Range
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
