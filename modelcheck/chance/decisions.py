"""A Markov decision process in arrays, and what can be said of it by looking at its graph alone.

In each state a scheduler takes one of the rows; chance then takes one of the row's ways, each with its probability. One
state is the end, and has no rows.

    rows of state s     first[s] : first[s + 1]
    ways of row r       begin[r] : begin[r + 1]; way k leads to target[k], with the probability weight[k] / total[r]

A reward is an array of integers by row, of which reward[r] / total[r] is expected when row r is taken; none is negative.

An *end component* is a set of states, with some rows of each, that chance never leaves while these rows are taken, and in
which each state leads to each other: what a run that never ends does from some moment on, with probability 1, whatever the
scheduler is (Baier and Katoen, Principles of Model Checking, theorem 10.120).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..explore.strong_components import sources_of, strong_components
from ..pulse import beat, make_room

Array = NDArray[Any]
NO_ROW = -1


@dataclass(frozen=True)
class Decisions:
    """See above. All arrays are of int64; the probabilities of each row add up to 1."""

    first: Array
    begin: Array
    target: Array
    weight: Array
    total: Array
    end: int

    @property
    def states(self) -> int:
        return len(self.first) - 1

    @property
    def rows(self) -> int:
        return len(self.total)

    @cached_property
    def owner(self) -> Array:
        """The state that each row belongs to."""
        return sources_of(self.first)

    @cached_property
    def row_of(self) -> Array:
        """The row that each way belongs to."""
        return sources_of(self.begin)

    def all_within(self, states: Array) -> Array:
        """The mask of the rows that lead nowhere but into these states (a mask)."""
        return ~self.some_within(~states)

    def some_within(self, states: Array) -> Array:
        """The mask of the rows of which some way leads into these states (a mask)."""
        found = np.zeros(self.rows, np.bool_)
        found[self.row_of[states[self.target]]] = True
        return found

    def ways_of(self, rows: Array) -> Array:
        """The ways of these rows, in their order."""
        counts = self.begin[rows + 1] - self.begin[rows]
        ends = np.cumsum(counts)
        return np.asarray(
            np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(self.begin[rows] - ends + counts, counts)
        )

    def merged(self, into: Array, states: int, rows: Array) -> tuple[Decisions, Array]:
        """What is left when each state s becomes into[s], of so many, and of the rows only these stay. Also the rows that the new ones
        stem from, in order."""
        owner = into[self.owner[rows]]
        order = np.argsort(owner, kind="stable")
        rows = rows[order]
        make_room(32 * len(rows))
        ways = self.ways_of(rows)
        first = np.searchsorted(owner[order], np.arange(states + 1))
        begin = np.concatenate(([0], np.cumsum(self.begin[rows + 1] - self.begin[rows])))
        return Decisions(
            first, begin, into[self.target[ways]], self.weight[ways], self.total[rows], int(into[self.end])
        ), rows


def attracted(decisions: Decisions, goal: Array, rows: Array | None = None) -> tuple[Array, Array]:
    """The mask of the states from which some scheduler that takes these rows (a mask) reaches the goal (a mask) with some probability, and
    for each of them the row that leads nearer; NO_ROW in the goal and where there is none."""
    reached, nearer = goal.copy(), np.full(decisions.states, NO_ROW, np.int64)
    by_target = np.argsort(decisions.target, kind="stable")
    starts = np.searchsorted(decisions.target[by_target], np.arange(decisions.states + 1))
    layer = np.flatnonzero(goal)
    while len(layer):
        beat()
        counts = starts[layer + 1] - starts[layer]
        ends = np.cumsum(counts)
        places = np.arange(int(ends[-1])) + np.repeat(starts[layer] - ends + counts, counts)
        leading = np.unique(decisions.row_of[by_target[places]])
        if rows is not None:
            leading = leading[rows[leading]]
        leading = leading[~reached[decisions.owner[leading]]]
        layer, where = np.unique(decisions.owner[leading], return_index=True)
        nearer[layer] = leading[where]
        reached[layer] = True
    return reached, nearer


def almost_surely(decisions: Decisions, goal: Array) -> tuple[Array, Array]:
    """The masks of the states from which some scheduler reaches the goal with probability 1, and of the rows it may take there.

    Whoever takes only rows that stay among states that can reach the goal, and takes each sooner or later, gets there. (Algorithm 45
    of Baier and Katoen.)
    """
    among = np.ones(decisions.states, np.bool_)
    while True:
        rows = decisions.all_within(among)
        reached, _ = attracted(decisions, goal, rows)
        reached &= among
        if reached.sum() == among.sum():
            return among, rows
        among = reached


def kept_for_ever(decisions: Decisions, rows: Array, ends: Array) -> Array:
    """The mask of the states from which a scheduler can surely go on for ever by these rows (a mask), or until one of the `ends` (a mask)."""
    kept = np.ones(decisions.states, np.bool_)
    while True:
        stays = rows & decisions.all_within(kept)
        some = ends.copy()
        some[decisions.owner[stays]] = True
        some &= kept
        if some.sum() == kept.sum():
            return kept
        kept = some


def end_components(decisions: Decisions, rows: Array | None = None) -> tuple[Array, Array]:
    """The maximal end components of these rows (a mask): a label for each state, NO_ROW for those in none, and the mask of their rows."""
    kept = np.ones(decisions.rows, np.bool_) if rows is None else rows.copy()
    while True:
        beat()
        ways = kept[decisions.row_of]
        source, target = decisions.owner[decisions.row_of[ways]], decisions.target[ways]
        make_room(16 * len(source))
        labels = strong_components(np.searchsorted(source, np.arange(decisions.states + 1)), target).astype(np.int64)
        leaves = np.zeros(decisions.rows, np.bool_)
        leaves[decisions.row_of[ways][labels[source] != labels[target]]] = True
        leaves &= kept
        if not leaves.any():
            break
        kept &= ~leaves
    inside = np.zeros(decisions.states, np.bool_)
    inside[decisions.owner[kept]] = True
    return np.where(inside, labels, NO_ROW), kept
