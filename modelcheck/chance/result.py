"""What `expect` comes to: over the worlds of each size, with the formulas, and a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from ..check.result import Judged, Judging
from ..count.census import Kind
from ..runs.trace import Trace
from .values import Distribution, Endless, Quantity, Value


@dataclass
class Extent:
    """A quantity over some worlds: its extremes, and the sums of the least and of the greatest values over `weight` assignments."""

    least: Value
    greatest: Value
    sum_least: Value
    sum_greatest: Value
    weight: int

    @classmethod
    def of(cls, quantity: Quantity, weight: int) -> Extent:
        least, greatest = quantity.least, quantity.greatest
        return cls(least, greatest, least.times(weight), greatest.times(weight), weight)

    def and_of(self, other: Extent) -> Extent:
        """That over both."""
        return Extent(
            self.least.least_of(other.least),
            self.greatest.greatest_of(other.greatest),
            self.sum_least.plus(other.sum_least),
            self.sum_greatest.plus(other.sum_greatest),
            self.weight + other.weight,
        )

    def times(self, factor: Fraction) -> Extent:
        parts = (value.times(factor) for value in (self.least, self.greatest, self.sum_least, self.sum_greatest))
        least, greatest, sum_least, sum_greatest = parts
        return Extent(least, greatest, sum_least, sum_greatest, self.weight)

    @property
    def mean_least(self) -> Value:
        return self.sum_least.times(Fraction(1, self.weight))

    @property
    def mean_greatest(self) -> Value:
        return self.sum_greatest.times(Fraction(1, self.weight))

    @property
    def exact(self) -> bool:
        """Whether all of it is known exactly."""
        values = (self.least, self.greatest, self.sum_least, self.sum_greatest)
        return all(value.infinite or value.exact is not None for value in values)


@dataclass
class Expectation:
    """What to expect of one size. `quantities` are by name, as far as they are known for every world of a kind; `endless` are the runs that
    keep going, by what is infinite because of them."""

    n: int
    kinds: dict[Kind, dict[str, Extent]] = field(default_factory=dict)
    curves: list[Distribution | None] = field(default_factory=list)
    endless: dict[str, Endless] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return list(next(iter(self.kinds.values()), {}))

    def over(self, name: str, chosen: Iterable[Kind] | None = None) -> Extent:
        """A quantity over all worlds, or over those of the chosen kinds."""
        first, *others = [self.kinds[kind][name] for kind in (self.kinds if chosen is None else chosen)]
        for other in others:
            first = first.and_of(other)
        return first

    @property
    def distribution(self) -> Distribution | None:
        """Of the number of messages, over all worlds; None where it is not known for all."""
        curves = [curve for curve in self.curves if curve is not None]
        if not curves or len(curves) < len(self.curves):
            return None
        length = max(len(curve.least) for curve in curves)

        def at(curve: tuple[float, ...], k: int) -> float:
            return curve[min(k, len(curve) - 1)]

        low = tuple(min(at(curve.least, k) for curve in curves) for k in range(length))
        return Distribution(low, tuple(max(at(curve.greatest, k) for curve in curves) for k in range(length)))


JudgedExpectation = Judged[Extent | None]


class ExpectFaces:
    """How a result looks where it is printed: a line, until those who stand above it say more (faces.py)."""

    def text(self, result: ExpectResult) -> str:
        """The report for a terminal."""
        return repr(result)


@dataclass(frozen=True, kw_only=True, repr=False)
class ExpectResult(Judging[Extent | None]):
    """What is to be expected. `traces` are the runs that keep going, by size and by what is infinite because of them; `until` is the property
    that runs go on to, where they do not go on to their end."""

    faces: ClassVar[ExpectFaces] = ExpectFaces()
    DONE: ClassVar[str] = "every run was weighed"
    DISAGREES: ClassVar[str] = "a formula of the model disagrees with what is to be expected"

    sizes: tuple[Expectation, ...] = ()
    traces: Mapping[tuple[int, str], Trace] = field(default_factory=dict)
    until: str | None = None

    def __repr__(self) -> str:
        return f"<{self.verdict} what to expect of {self.search.model}: {len(self.sizes)} sizes>"

    def __str__(self) -> str:
        """The report, as `modelcheck expect` prints it where nobody sees colours."""
        return ExpectResult.faces.text(self)
