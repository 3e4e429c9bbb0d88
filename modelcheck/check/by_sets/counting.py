"""The least and the greatest number of messages in each world of a size, and what these come to over all of them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...count.census import Census, Kind
from ...count.extremes import NEVER
from ...count.ranges import Range
from ...explore.sets import passes
from ...explore.sets.alphabet import AlphabetTables, Array
from ...explore.sets.beginning import Beginnings
from ...explore.sets.reading import TooManyError
from ...explore.sets.records import EMPTY, TRUE
from ...pulse import attended
from .ending import goes_in_circles, undecidable
from .sending import Sending, Told

MOST_PAIRS = 50_000_000  # of a node and a world
TOO_MANY = "there are too many worlds to tell apart where messages are counted"


class Amounts(NamedTuple):
    """Numbers of messages by world.

    least      (worlds,) int64: of the runs that end; NEVER where none does
    greatest   (worlds,) int64: of all runs
    at_an_end  (worlds,) int64: the greatest of those that end; -1 where none does
    weights    (worlds,) object: how many assignments each world stands for, in Python's own integers
    """

    least: Array
    greatest: Array
    at_an_end: Array
    weights: Array

    def in_all(self) -> Range:
        """What they range over."""
        return self.over(np.arange(len(self.weights)))

    def over(self, chosen: Array) -> Range:
        """What they range over in some of the worlds."""
        weights, least, greatest = self.weights[chosen], self.least[chosen], self.greatest[chosen]
        sums: list[float] = [int((weights * amounts).sum()) for amounts in (least, greatest)]
        if (least >= NEVER).any():
            sums[0] = math.inf
        lowest = int(least.min())
        return Range(lowest if lowest < NEVER else math.inf, int(greatest.max()), int(weights.sum()), *sums)


class Assignments:
    """Numbers for the worlds of a size, by which their states in any diagram tell them apart."""

    def __init__(self, begins: Beginnings) -> None:
        """Raises TooManyError where there are not as many numbers."""
        tables = begins.tables
        self._kinds: dict[object, int] = {}
        of = self._of_members(tables)
        base = len(self._kinds) + 1
        if base**tables.levels >= 1 << 62:
            raise TooManyError(TOO_MANY)
        self._scale = [base ** (tables.levels - 1 - level) for level in range(tables.levels)]
        self._weights = np.array([world.weight for world in begins.worlds], object)
        self._numbers = np.zeros(len(begins.worlds), np.int64)  # worlds in which nobody can tell a difference share one
        levels = range(tables.environments, tables.levels)
        self._numbers[begins.world] = sum(of[begins.vectors[:, level]] * self._scale[level] for level in levels)

    def _of_members(self, tables: AlphabetTables) -> Array:
        members = tables.members.by_number
        kinds = (self._kinds.setdefault((m.component.profile, m.wires), len(self._kinds)) for m in members)
        return np.fromiter(kinds, np.int64, len(members))

    def amounts(self, sending: Sending, all_end: bool) -> Amounts:
        """What is sent in each world. Raises TooManyError where that is more than is worth it."""
        least, at_an_end = self._least_and_greatest(sending, sending.terminal)
        greatest = at_an_end if all_end else self._least_and_greatest(sending, sending.reachable)[1]
        return Amounts(least, greatest, at_an_end, self._weights)

    def _least_and_greatest(self, sending: Sending, root: int) -> tuple[Array, Array]:
        """By world, the least and the greatest sum of the numbers in a state of a set; NEVER and -1 where it has none of the world."""
        least, greatest = np.full(len(self._numbers), NEVER, np.int64), np.full(len(self._numbers), -1, np.int64)
        if root == EMPTY:
            return least, greatest
        numbers, low, high = self._by_number(sending, root)
        places = np.minimum(np.searchsorted(numbers, self._numbers), len(numbers) - 1)
        known = numbers[places] == self._numbers
        least[known], greatest[known] = low[places[known]], high[places[known]]
        return least, greatest

    def _by_number(self, sending: Sending, root: int) -> tuple[Array, Array, Array]:
        """The same of the worlds that a set has states of, by their numbers in order."""
        reader, tables, f = sending.reader, sending.tables, sending.reader.diagram.forest
        kind, history = self._of_members(tables), sending.history
        marks = np.zeros(root + 1, np.uint8)
        passes.mark(f, root, marks)
        nothing = np.zeros(1, np.int64)
        known: dict[int, tuple[Array, Array, Array]] = {TRUE: (nothing, nothing, nothing)}
        pairs = 0
        for node in attended(np.flatnonzero(marks)[2 if marks[0] else 1 :].tolist()):
            level = int(f.level[node])
            is_member = level >= tables.environments
            parts = []
            for label, child in reader.edges(node):
                numbers, low, high = known[child]
                add, more = (kind[label] * self._scale[level], history[label]) if is_member else (0, 0)
                parts.append((numbers + add, low + more, high + more))
            numbers, low, high = (np.concatenate(part) for part in zip(*parts, strict=True))
            order = np.argsort(numbers, kind="stable")
            numbers = numbers[order]
            begins = np.flatnonzero(np.concatenate([[True], numbers[1:] != numbers[:-1]]))
            known[node] = (
                numbers[begins], np.minimum.reduceat(low[order], begins), np.maximum.reduceat(high[order], begins),
            )  # fmt: skip
            pairs += len(begins)
            if pairs > MOST_PAIRS:
                raise TooManyError(TOO_MANY)
        return known[root]


def count(begins: Beginnings, census: Census, first: int, told: Told) -> Range:
    """Adds to a census what is sent in the worlds of a size, by column: the first of them has the order `first`. With the first world that attains an
    extreme of the total goes a shortest run that does. Returns the range of the total.

    There is a diagram for each column, and never two at a time. Raises EndlessError and TooManyError.
    """
    columns, assignments = census.columns, Assignments(begins)
    sending = Sending(begins, columns, 0, told)
    all_end = not undecidable(begins.system) and not goes_in_circles(sending.tables)
    total, used = assignments.amounts(sending, all_end), sending.used - {0}
    for which, amounts in (("least", total.least), ("greatest", total.greatest)):
        place = int(amounts.argmin() if which == "least" else amounts.argmax())
        amount = int(amounts[place])
        if amount < NEVER:
            is_end = which == "least" or amount == total.at_an_end[place]
            census.keep(0, which, sending.run(begins.worlds[place], first + place, amount, is_end))
    found = [total]
    del sending
    for column in range(1, len(columns)):
        if used == {column}:
            found.append(total)
        elif column in used:
            found.append(assignments.amounts(Sending(begins, columns, column, told), all_end))
        else:
            nothing = np.zeros_like(total.greatest)
            found.append(total._replace(least=np.where(total.least < NEVER, 0, NEVER), greatest=nothing))
    places: dict[Kind, list[int]] = {}
    for place, world in enumerate(attended(begins.worlds, 100)):
        places.setdefault(census.kind_of(world), []).append(place)
    for kind, chosen in places.items():
        census.add_ranges(begins.tables.n, kind, [amounts.over(np.array(chosen)) for amounts in found])
    return total.in_all()
