"""What comes out for one world: values, and what they are of."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..count.extremes import TOTAL
from ..semantics.outcomes import Start, Transition
from ..semantics.worlds import World

ENDS, ENDS_WELL, MESSAGES, STEPS, ROUNDS = "ends", "ends well", "messages", "steps", "rounds"


def of_type(name: str) -> str:
    """The quantity that counts messages of a type."""
    return MESSAGES if name == TOTAL else f"{MESSAGES} of {name}"


@dataclass(frozen=True)
class Value:
    """An expected reward: between two fractions, which are equal where it is known exactly; or infinite."""

    low: Fraction | None
    high: Fraction | None

    @property
    def exact(self) -> Fraction | None:
        return self.low if self.low == self.high else None

    @property
    def infinite(self) -> bool:
        return self.low is None

    def times(self, factor: int | Fraction) -> Value:
        """The value times a number greater than 0."""
        return Value(*(None if end is None else end * factor for end in (self.low, self.high)))

    def plus(self, other: Value) -> Value:
        """The sum of two, which is infinite if one is."""
        if self.low is None or self.high is None or other.low is None or other.high is None:
            return INFINITE
        return Value(self.low + other.low, self.high + other.high)

    def least_of(self, other: Value) -> Value:
        """The lesser of two."""
        if self.low is None or self.high is None or other.low is None or other.high is None:
            return other if self.infinite else self
        return Value(min(self.low, other.low), min(self.high, other.high))

    def greatest_of(self, other: Value) -> Value:
        """The greater of two."""
        if self.low is None or self.high is None or other.low is None or other.high is None:
            return INFINITE
        return Value(max(self.low, other.low), max(self.high, other.high))


INFINITE = Value(None, None)


@dataclass(frozen=True)
class Quantity:
    """Over all schedulers."""

    least: Value
    greatest: Value


@dataclass(frozen=True)
class Distribution:
    """least[k] and greatest[k] are those of the probability that a run ends with at most k messages."""

    least: tuple[float, ...]
    greatest: tuple[float, ...]


@dataclass(frozen=True)
class Endless:
    """A run whose steps from the `loop`-th on repeat for ever, in the world of this order."""

    order: int
    world: World
    start: Start
    transitions: tuple[Transition, ...]
    loop: int
