"""What a census has counted (count/census.py), as plain data: so that what is counted in several processes can be put together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..check.memory import Route
from ..count.census import Census, Count, Extreme
from ..count.ranges import Amount, Range
from ..runs import trace
from ..semantics.system import System
from ..semantics.worlds import World

Kind = tuple[int, int, int]  # links, diameter, initiators


@dataclass
class Counted:
    """By size and kind of world the range of each column; by size, column and "least" or "greatest", the extreme and the run that attains it."""

    ranges: dict[tuple[int, Kind], list[Range]] = field(default_factory=dict)
    extremes: dict[tuple[int, int, str], tuple[Amount, Route]] = field(default_factory=dict)

    @staticmethod
    def of(census: Census, system: System) -> Counted:
        found = Counted()
        for n, count in census.counts.items():
            found.ranges |= {(n, kind): ranges for kind, ranges in count.ranges.items()}
            for (column, which), run in count.extremes.items():
                first, taken = trace.numbered(system, run.world, run.start, run.transitions)
                found.extremes[n, column, which] = run.amount, Route(run.order, first, taken, "", run.loop)
        return found

    def merge(self, other: Counted) -> None:
        """Takes in what was counted in other worlds. Of several runs that attain an extreme the first in the order of worlds is kept."""
        for key, ranges in other.ranges.items():
            for one, more in zip(self.ranges.setdefault(key, [Range() for _ in ranges]), ranges, strict=True):
                one.add(more)
        for place, (amount, route) in other.extremes.items():
            known = self.extremes.get(place)
            if known is None or _rank(place[2], amount, route) < _rank(place[2], *known):
                self.extremes[place] = amount, route

    def recall(self, census: Census, system: System, worlds: Iterable[World]) -> None:
        """Hands all of it to a census that has counted nothing, given all worlds in their order: the runs are taken again."""
        for (n, kind), ranges in self.ranges.items():
            census.counts.setdefault(n, Count(n, census.columns.names)).ranges[kind] = ranges
        wanted: dict[int, list[tuple[int, int, str]]] = {}
        for place, (_, route) in self.extremes.items():
            wanted.setdefault(route.order, []).append(place)
        for order, world in enumerate(worlds, 1) if wanted else ():
            for n, column, which in wanted.pop(order, ()):
                amount, route = self.extremes[n, column, which]
                start, transitions = trace.retake(system, world, route.start, route.taken)
                run = Extreme(amount, order, world, start, tuple(transitions), route.loop)
                census.counts[n].extremes[column, which] = run
            if not wanted:
                return


def _rank(which: str, amount: Amount, route: Route) -> tuple[Amount, int]:
    return (amount if which == "least" else -amount, route.order)
