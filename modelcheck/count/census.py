"""Numbers of messages over all worlds: what each world adds, and the runs that attain the extremes.

A world stands for `weight` assignments, which is how it counts in a mean. Worlds are kept apart by what a formula can speak
of: the number of links, the diameter, the number of initiators.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..explore.exploration import Exploration
from ..language.definition import Definition
from ..language.topology import Shape
from ..semantics.settings import Settings
from ..semantics.system import Start, System, Transition
from ..semantics.worlds import World
from .extremes import NEVER, Columns, Values, attaining, begins, endless_run
from .ranges import Amount, Range

if TYPE_CHECKING:
    from .tally import Tally

Kind = tuple[int, int, int]  # the links, the diameter and the initiators of a world

AFFORDABLE = 200_000  # states of one size whose messages are counted in passing, by a run that asks for something else


@dataclass(frozen=True)
class Extreme:
    """A run that attains an extreme: the first, in the order of worlds. `loop` as in a trace."""

    amount: Amount
    order: int
    world: World
    start: Start
    transitions: tuple[Transition, ...]
    loop: int | None = None


@dataclass
class Count:
    """The messages of the worlds of one size. `ranges` are lists by column, for each (links, diameter, initiators); `extremes`
    are by column and "least" or "greatest"."""

    n: int
    names: tuple[str, ...]
    ranges: dict[Kind, list[Range]] = field(default_factory=dict)
    extremes: dict[tuple[int, str], Extreme] = field(default_factory=dict)

    def over(self, column: int, chosen: Iterable[Kind] | None = None) -> Range:
        """The range of a column over all worlds, or over those of the chosen kinds."""
        found = Range()
        for kind in self.ranges if chosen is None else chosen:
            found.add(self.ranges[kind][column])
        return found


class Census:
    """Collects what worlds add, by any thread. With `only_total` types are not told apart and no runs are kept.

    Sizes that have more than `most` states are given up: counting takes about half as long as exploring.
    """

    def __init__(
        self, definition: Definition, settings: Settings, *, only_total: bool = False, most: int | None = None
    ) -> None:
        self.columns = Columns.of(definition, in_rounds=settings.schedule == "lockstep")
        self.only_total = only_total
        self.most = most
        self.counts: dict[int, Count] = {}
        self._tallies: list[Tally] = []
        self._shapes: dict[int, tuple[Shape, tuple[int, int]]] = {}
        self._lock = threading.Lock()

    @property
    def width(self) -> int:
        """How many columns are counted."""
        return 1 if self.only_total else len(self.columns)

    def begin(self, tally: Tally) -> None:
        """The worlds that come are of this size; the tally says how many states they have had so far."""
        self._tallies.append(tally)

    def wants(self, states: int = 0) -> bool:
        """Whether the messages of a world of so many states are worth counting."""
        return self.most is None or self._tallies[-1].states + states <= self.most

    def complete(self) -> list[Tally]:
        """The sizes in all of whose worlds messages were counted."""
        return [
            tally for tally in self._tallies if tally.sent.weight == tally.to_represent and not self._gave_up(tally)
        ]

    def given_up(self) -> tuple[int, ...]:
        """The sizes with more states than are wanted."""
        return tuple(tally.n for tally in self._tallies if self._gave_up(tally))

    def _gave_up(self, tally: Tally) -> bool:
        return (
            self.most is not None and tally.states > self.most and not tally.nodes
        )  # sets of states are counted whatever their size

    def add(self, system: System, found: Exploration, order: int, values: Iterable[Values]) -> Range | None:
        """Takes in a world that was explored to the end, `order` in the order of worlds. Returns the range of the total; None
        where nobody can start."""
        world = found.world
        starts = [(start, number, self._already(start)) for start, number in begins(system, found)]
        if not starts:  # every starting step fails
            return None
        ranges = []
        for column in values:
            least = min(
                (sent[column.column] + int(column.least[number]), place)
                for place, (_, number, sent) in enumerate(starts)
            )
            greatest = max(
                (sent[column.column] + int(column.greatest[number]), -place)
                for place, (_, number, sent) in enumerate(starts)
            )
            low: Amount = least[0] if least[0] < NEVER else math.inf
            high: Amount = math.inf if column.endless else greatest[0]
            ranges.append(Range(low, high, world.weight, low * world.weight, high * world.weight))
            if self.only_total:
                continue
            begin, number, _ = starts[least[1]]
            if low < math.inf and self._wants(world.n, column.column, "least", low, order):
                run = attaining(system, found, self.columns, column.column, column.least, number)
                self.keep(column.column, "least", Extreme(low, order, world, begin, tuple(run)))
            if self._wants(world.n, column.column, "greatest", high, order):
                if column.endless:
                    begin, run, loop = endless_run(system, found, self.columns, column)
                    self.keep(column.column, "greatest", Extreme(high, order, world, begin, tuple(run), loop))
                else:
                    begin, number, _ = starts[-greatest[1]]
                    run = attaining(system, found, self.columns, column.column, column.greatest, number)
                    self.keep(column.column, "greatest", Extreme(high, order, world, begin, tuple(run)))
        if not self.only_total:
            self.add_ranges(world.n, self.kind_of(world), ranges)
        return ranges[0]

    def add_counted(self, world: World, order: int, messages: Sequence[int]) -> Range | None:
        """Takes in a world in which the least and the greatest of each column are known already. None where a run is to be found that
        attains one of them, and nothing is taken in."""
        weight = world.weight
        ranges = [
            Range(low, high, weight, low * weight, high * weight)
            for low, high in zip(messages[::2], messages[1::2], strict=True)
        ]
        if not self.only_total:
            for column, one in enumerate(ranges):
                least, greatest = (
                    self._wants(world.n, column, which, amount, order)
                    for which, amount in (("least", one.least), ("greatest", one.greatest))
                )
                if least or greatest:
                    return None
            self.add_ranges(world.n, self.kind_of(world), ranges)
        return ranges[0]

    def add_ranges(self, n: int, kind: Kind, ranges: Sequence[Range]) -> None:
        """Takes in worlds of a size and a kind, by column."""
        with self._lock:
            known = self._count(n).ranges.setdefault(kind, [Range() for _ in ranges])
            for one, more in zip(known, ranges, strict=True):
                one.add(more)

    def kind_of(self, world: World) -> Kind:
        """What a formula can speak of: the number of links, the diameter, the number of initiators."""
        with self._lock:
            return *self._links_and_diameter(world.shape), len(world.initiators)

    def _already(self, start: Start) -> list[int]:
        """What the starting steps have sent, by column."""
        sent = [self.columns.sent(step.outcome) for step in start.steps]
        return [sum(amounts) for amounts in zip(*sent, strict=True)] if sent else [0] * len(self.columns)

    def _count(self, n: int) -> Count:
        return self.counts.setdefault(n, Count(n, self.columns.names))

    def _wants(self, n: int, column: int, which: str, amount: Amount, order: int) -> bool:
        with self._lock:
            known = self._count(n).extremes.get((column, which))
        return known is None or _rank(which, amount, order) < _rank(which, known.amount, known.order)

    def keep(self, column: int, which: str, extreme: Extreme) -> None:
        """Takes in a run that attains the "least" or "greatest" of a column, if none does that comes before it."""
        with self._lock:
            extremes = self._count(extreme.world.n).extremes
            known = extremes.get((column, which))
            if known is None or _rank(which, extreme.amount, extreme.order) < _rank(which, known.amount, known.order):
                extremes[column, which] = extreme

    def _links_and_diameter(self, shape: Shape) -> tuple[int, int]:
        known = self._shapes.get(id(shape))
        if known is None or known[0] is not shape:
            known = self._shapes[id(shape)] = shape, measures(shape)
        return known[1]


def _rank(which: str, amount: Amount, order: int) -> tuple[Amount, int]:
    return (amount if which == "least" else -amount, order)


def measures(shape: Shape) -> tuple[int, int]:
    """The number of links, those both ways counted once, and the diameter."""
    ends = {(link.source, link.out_port): (link.target, link.in_port) for link in shape.links}
    both_ways = sum(ends.get((target, port)) == source for source, (target, port) in ends.items())
    return len(ends) - both_ways // 2, max(_farthest(shape, process) for process in range(shape.n))


def _farthest(shape: Shape, start: int) -> int:
    """How many links away from a process the last one is that it reaches."""
    reached, frontier, distance = {start}, {start}, -1
    while frontier:
        frontier = {link.target for link in shape.links if link.source in frontier} - reached
        reached |= frontier
        distance += 1
    return distance


def variables(n: int, kind: Kind) -> Mapping[str, int]:
    """What the letters of a formula stand for in worlds of this kind."""
    links, diameter, initiators = kind
    return {"n": n, "m": links, "d": diameter, "k": initiators}
