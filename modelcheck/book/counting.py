"""Counting messages for the book: world by world, so that a formula may speak of who starts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..check.request import Request
from ..check.search import Search
from ..check.verdict import Ledger, all_explored
from ..count.census import Census, measures
from ..count.extremes import NEVER, TOTAL, Values, begins
from ..count.ranges import Amount, Range
from ..count.tally import Tally
from ..errors import UsageError, nearest
from ..explore.exploration import Exploration
from ..explore.limits import Meter
from ..language.definition import Definition
from ..language.formulas import Number, close, less, measured
from ..semantics.lockstep import system_for
from ..semantics.settings import Settings
from ..semantics.system import System
from ..semantics.worlds import World
from .formulas import BookFormula, shown


@dataclass(frozen=True)
class WorldCount:
    """One world: the least and the greatest number of messages on its runs, by type; "total" is of all of them."""

    world: World
    amounts: Mapping[str, tuple[Amount, Amount]]

    def of(self, kind: str) -> tuple[Amount, Amount]:
        """The least and the greatest number of messages of a type. Raises UsageError for a type that nobody sends."""
        if kind not in self.amounts:
            raise UsageError(f"there are no messages of the type {kind!r}; {nearest(kind, self.amounts)}")
        return self.amounts[kind]


class _ByWorld(Census):
    """A census that keeps worlds apart."""

    def __init__(self, definition: Definition, settings: Settings) -> None:
        super().__init__(definition, settings)
        self.found: dict[int, WorldCount] = {}

    def add_counted(self, world: World, order: int, messages: Sequence[int]) -> Range:
        pairs = zip(messages[::2], messages[1::2], strict=True)
        self.found[order] = WorldCount(world, dict(zip(self.columns.names, pairs, strict=True)))
        return Range()

    def add(self, system: System, found: Exploration, order: int, values: Iterable[Values]) -> None:
        already = [
            (number, [self.columns.sent(step.outcome) for step in start.steps])
            for start, number in begins(system, found)
        ]
        if not already:  # every starting step fails
            return
        amounts: dict[str, tuple[Amount, Amount]] = {}
        for value in values:
            lows, highs = [], []
            for number, starts in already:
                sent = sum(start[value.column] for start in starts)
                lows.append(sent + int(value.least[number]))
                highs.append(sent + int(value.greatest[number]))
            low, high = min(lows), max(highs)
            name = self.columns.names[value.column]
            amounts[name] = (low if low < NEVER else math.inf, math.inf if value.endless else high)
        self.found[order] = WorldCount(found.world, amounts)


def count_messages(request: Request, meter: Meter, workers: int) -> list[WorldCount]:
    """The messages of each world of a request, until the meter says stop."""
    system = system_for(request.model.definition, request.settings)
    census = _ByWorld(request.model.definition, request.settings)
    search = Search(system, (), meter, "auto", workers, census=census)
    tallies: list[Tally] = []
    search.run_all(request, tallies)
    all_explored(Ledger(stopped=meter.reached, missing=[tally.missing for tally in tallies if tally.missing]))
    return [census.found[order] for order in sorted(census.found)]


def variables(world: World) -> dict[str, int]:
    """What the letters of a formula mean in one world.

    n processes, m links (one for both directions), the diameter d, k initiators; where there is one, i is its identifier.
    """
    links, diameter = measures(world.shape)
    found = {"n": world.n, "m": links, "d": diameter, "k": len(world.initiators)}
    if len(world.initiators) == 1 and None not in world.identifiers:
        [starter] = world.initiators
        found["i"] = world.identifiers[starter] or 0
    return found


def faults(formulas: Mapping[str, BookFormula], counts: Sequence[WorldCount], n: int) -> list[str]:
    """Where formulas such as "worst of Election" are wrong about worlds of size n."""
    found = []
    for key, formula in formulas.items():
        bound, _, kind = measured(key)
        ranges = [(count.world, *count.of(kind or TOTAL)) for count in counts]
        if bound in ("best", "worst", "mean"):
            value, wanted = _overall(bound, ranges), formula(n=n)
            if value is None or not close(value, wanted):
                found.append(
                    f"{key} is {shown(value) if value is not None else 'unbounded'} at n={n}, not {shown(wanted)}"
                )
        elif wrong := next(filter(None, (_fault(key, formula, *each) for each in ranges)), ""):
            found.append(wrong)
    return found


def _fault(key: str, formula: BookFormula, world: World, low: Amount, high: Amount) -> str:
    wanted = formula(**variables(world))
    least, greatest = (None if amount == math.inf else Fraction(int(amount)) for amount in (low, high))
    bound, _, _ = measured(key)
    holds = {
        "least": least is not None and close(least, wanted),
        "greatest": greatest is not None and close(greatest, wanted),
        "at least": least is None or not less(least, wanted),
        "at most": greatest is not None and not less(wanted, greatest),
    }
    holds["exactly"] = holds["least"] and holds["greatest"]
    if holds[bound]:
        return ""
    many = f"{low}" if low == high else f"{low} to {high}"
    return f"{key} {shown(wanted)} is wanted, and {many} are sent: {world}"


def _overall(bound: str, ranges: Sequence[tuple[World, Amount, Amount]]) -> Number | None:
    """None where it is unbounded. Raises UsageError for a mean where the schedule makes a difference."""
    if bound == "mean" and any(low != high for _, low, high in ranges):
        raise UsageError("there is no mean where the schedule makes a difference")
    if bound == "mean":
        total = sum(int(low) * world.weight for world, low, _ in ranges)
        return Fraction(total, sum(world.weight for world, _, _ in ranges))
    extreme = min(low for _, low, _ in ranges) if bound == "best" else max(high for *_, high in ranges)
    return None if extreme == math.inf else Fraction(int(extreme))
