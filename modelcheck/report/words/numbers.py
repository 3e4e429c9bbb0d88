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
    """'16.4167', or '14.2 to 17.3' where the schedule matters; 'at most 17.3' where in some world no run ends."""
    low, high = counted.mean_least, counted.mean_greatest
    if high is None:
        return "unbounded" if low is None else f"{decimal(low)} to unbounded"
    if low is None:
        return f"at most {decimal(high)}"
    return decimal(low) if decimal(low) == decimal(high) else f"{decimal(low)} to {decimal(high)}"


def decimal(value: Number) -> str:
    """At most four decimals; a number that is no longer than that is shown whole."""
    text = f"{float(value):,.{DECIMALS}f}".rstrip("0").rstrip(".")
    return text or "0"


def in_a_line(counted: Range, types: Sequence[str]) -> list[str]:
    """'least 14', 'mean 16.4167', 'greatest 20', '(Election + Leader)': for the verdict block of a run. Where no run ends, 'at most 20 are sent'."""
    named = [f"({' + '.join(types)})"] if types else []
    if counted.least == math.inf:
        most = "more and more" if counted.greatest == math.inf else f"at most {counted.greatest:,}"
        return ["no run ends", f"{most} are sent", *named]
    return [f"least {counted.least:,}", f"mean {mean(counted)}", f"greatest {amount(counted.greatest)}", *named]
