"""Numbers of messages as they are printed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...count.ranges import Amount, Range
from ...language.formulas import Number

DECIMALS = 4  # decimals of a mean


def amount(value: Amount) -> str:
    return "unbounded" if value == math.inf else f"{value:,}"


def mean(counted: Range) -> str:
    """'16.4167', or '14.2 to 17.3' where the schedule matters."""
    low, high = counted.mean_least, counted.mean_greatest
    first = "" if low is None else decimal(low)
    last = "unbounded" if high is None else decimal(high)
    return last if first == last else f"{first or 'no end'} to {last}"


def decimal(value: Number) -> str:
    """At most four decimals; a number that is no longer than that is shown whole."""
    text = f"{float(value):,.{DECIMALS}f}".rstrip("0").rstrip(".")
    return text or "0"


def in_a_line(counted: Range, types: Sequence[str]) -> list[str]:
    """'least 14', 'mean 16.4167', 'greatest 20', '(Election + Leader)': for the verdict block of a run."""
    least = "no run ends" if counted.least == math.inf else f"least {counted.least:,}"
    named = [f"({' + '.join(types)})"] if types else []
    return [least, f"mean {mean(counted)}", f"greatest {amount(counted.greatest)}", *named]
