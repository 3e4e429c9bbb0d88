"""Numbers of messages, and what they range over."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

Amount = int | float  # a number of messages; math.inf where it is unbounded, or where no run ends
DIGITS = 30  # of a number that is written out


def big(number: int) -> str:
    """'5,040'; of a number with more digits than anybody reads, such as 2000!, 'about 3.3 x 10^5735'. (Python itself refuses to write
    more than 4,300 digits.)"""
    if abs(number) < 10**DIGITS:
        return f"{number:,}"
    power, rest = divmod(Fraction(math.log10(abs(number))), 1)
    leading = f"{10 ** float(rest):.1f}"
    if leading == "10.0":
        leading, power = "1.0", power + 1
    return f"about {'-' if number < 0 else ''}{leading} x 10^{power}"


@dataclass
class Range:
    """The least and the greatest number over some worlds and all their schedules, and the means over the worlds."""

    least: Amount = math.inf
    greatest: Amount = 0
    weight: int = 0
    sum_least: Amount = 0
    sum_greatest: Amount = 0

    def add(self, other: Range) -> None:
        """Takes in the worlds of another range."""
        self.least, self.greatest = min(self.least, other.least), max(self.greatest, other.greatest)
        self.weight += other.weight
        self.sum_least += other.sum_least
        self.sum_greatest += other.sum_greatest

    def data(self) -> list[int | None]:
        """As it is written to a file."""
        amounts = (self.least, self.greatest, self.weight, self.sum_least, self.sum_greatest)
        return [None if amount == math.inf else int(amount) for amount in amounts]

    @staticmethod
    def read(data: list[int | None]) -> Range:
        """The range that was written. Raises ValueError for anything else."""
        if len(data) != 5 or any(type(n) is not int and n is not None for n in data) or any((n or 0) < 0 for n in data):
            raise ValueError(f"{data!r} is no range")
        least, greatest, weight, sum_least, sum_greatest = (math.inf if n is None else n for n in data)
        return Range(least, greatest, int(weight), sum_least, sum_greatest)

    @property
    def mean_least(self) -> Fraction | None:
        """The mean over the assignments of the least number; None where some world has no run that ends."""
        return _mean(self.sum_least, self.weight)

    @property
    def mean_greatest(self) -> Fraction | None:
        """The mean over the assignments of the greatest number; None where it is unbounded in some world."""
        return _mean(self.sum_greatest, self.weight)


def _mean(total: Amount, weight: int) -> Fraction | None:
    return Fraction(int(total), weight) if weight and total != math.inf else None
