"""Two runs side by side, in words."""

from __future__ import annotations

from dataclasses import dataclass

from ...runs.beside import Pair, beside, first_difference
from ...runs.trace import Trace


@dataclass(frozen=True)
class Side:
    """One of two runs: what it is called, what it is a run of, and how it ends."""

    letter: str
    of: str
    trace: Trace
    ends: str


@dataclass(frozen=True)
class TwoRuns:
    """Two runs: their moments in pairs, the first pair that differs, and how it does."""

    one: Side
    other: Side
    pairs: tuple[Pair, ...]
    first: int | None
    difference: str


def compared(one: Side, other: Side) -> TwoRuns:
    pairs = beside(one.trace, other.trace)
    first = first_difference(pairs)
    return TwoRuns(one, other, pairs, first, "" if first is None else _difference(pairs[first], one, other))


def _difference(pair: Pair, one: Side, other: Side) -> str:
    """Half a sentence."""
    if pair.one is None or pair.other is None:
        there, side = (pair.other, other) if pair.one is None else (pair.one, one)
        assert there is not None
        return f"{there.place} of {side.letter} has nothing beside it"
    if pair.one.number == 0:
        return "they begin in different states"
    found = []
    for a, b in zip(pair.one.steps, pair.other.steps, strict=True):
        if a.received != b.received:
            found.append(f"{a.process} receives {a.received} in {one.letter} and {b.received} in {other.letter}")
        elif a.changed != b.changed or a.sent != b.sent or a.failure != b.failure:
            found.append(f"{a.process} does otherwise in {a.step}")
        elif a.choices != b.choices:
            found.append(f"{a.process} decides otherwise in {a.step}")
    return f"{pair.one.place}: {'; '.join(found) or 'the states after it differ'}"
