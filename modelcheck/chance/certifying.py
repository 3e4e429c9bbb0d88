"""Proofs, in whole numbers, that a value is what it is said to be: of every state at once, and of every scheduler.

A value is given for each state as a numerator over one common denominator. Nothing here is rounded, and nothing here depends on
how the values were found. With r(s, a) the reward of row a of state s, and E the expectation over its ways:

    never more     v(s) >= r(s, a) + E v    for every row, and v >= 0. Then whatever a scheduler does, it gets no more than v: after k steps
                   it has got at most v(s) - E v(where it is), by induction, so at most v(s).
    never less     v(s) <= r(s, a) + E v    for every row, and v = 0 in the goal. Then a scheduler that reaches the goal with probability 1
                   gets at least v: after k steps at least v(s) - E v(where it is), and the latter goes to 0, v being bounded.
    attained       v(s) = r(s, p(s)) + E v  along a policy p by which every state reaches the goal, where v = 0. Then p gets there with
                   probability 1, for there are finitely many states, and its value is the only solution: exactly v.

A bound asks for less: of a policy, that it gets at least u where u <= r + E u along it, and at most u where u >= r + E u >= 0.

(Bellman's inequalities; Bertsekas and Tsitsiklis, An analysis of stochastic shortest path problems, 1991.)
"""

from __future__ import annotations

import numpy as np

from .decisions import NO_ROW, Array, Decisions, attracted

SAFE = 1 << 62  # whole numbers of this size are held by int64


class Scales:
    """Both sides of Bellman's inequalities for values over a common denominator, row by row, in whole numbers."""

    def __init__(self, decisions: Decisions, reward: Array, numerators: Array, denominator: int) -> None:
        largest = max((abs(int(number)) for number in numerators), default=0)
        sums = np.add.reduceat(decisions.weight, decisions.begin[:-1]) if decisions.rows else decisions.total
        factor = max(int(decisions.total.max(initial=1)), int(sums.max(initial=1)))
        fits = (
            largest * factor + denominator * int(reward.max(initial=0)) < SAFE
        )  # else whole numbers of any size are taken
        kind = np.int64 if fits else object
        values, weight = numerators.astype(kind), decisions.weight.astype(kind)
        self.left = decisions.total.astype(kind) * values[decisions.owner]
        ahead = weight * values[decisions.target]
        self.right = reward.astype(kind) * denominator
        if decisions.rows:
            self.right = self.right + np.add.reduceat(ahead, decisions.begin[:-1])
        self.smallest = min((int(number) for number in numerators), default=0)

    def gap(self) -> Array:
        """Of each row by how much the right side is greater."""
        return np.asarray(self.right - self.left)


def adds_up(decisions: Decisions) -> bool:
    """Whether the probabilities of each row do."""
    return bool(
        decisions.weight.min(initial=1) > 0
        and (not decisions.rows or (np.add.reduceat(decisions.weight, decisions.begin[:-1]) == decisions.total).all())
    )


def reaches(decisions: Decisions, policy: Array, goal: Array) -> bool:
    """Whether along the policy every state can reach the goal: then it does, with probability 1."""
    rows = np.zeros(decisions.rows, np.bool_)
    rows[policy[policy != NO_ROW]] = True
    return bool(attracted(decisions, goal, rows)[0].all())


def is_value(
    decisions: Decisions,
    reward: Array,
    policy: Array,
    goal: Array,
    numerators: Array,
    denominator: int,
    *,
    least: bool,
) -> bool:
    """Whether these are the least (greatest) expected rewards of all schedulers that reach the goal with probability 1 (of all
    schedulers), attained by the policy."""
    scales = Scales(decisions, reward, numerators, denominator)
    gap = scales.gap()
    along = policy[policy != NO_ROW]
    return bool(
        (gap >= 0 if least else gap <= 0).all()
        and (gap[along] == 0).all()
        and len(along) == (~goal).sum()
        and (numerators[goal] == 0).all()
        and (policy[goal] == NO_ROW).all()
        and (least or scales.smallest >= 0)
        and reaches(decisions, policy, goal)
    )


def is_enclosed(
    decisions: Decisions,
    reward: Array,
    policy: Array,
    goal: Array,
    low: Array,
    high: Array,
    denominator: int,
    *,
    least: bool,
) -> bool:
    """Whether the least (greatest) expected rewards lie between these."""
    below, above = (Scales(decisions, reward, numerators, denominator) for numerators in (low, high))
    along = policy[policy != NO_ROW]
    low_holds = below.gap() >= 0 if least else below.gap()[along] >= 0
    high_holds = above.gap()[along] <= 0 if least else above.gap() <= 0
    return bool(
        low_holds.all()
        and high_holds.all()
        and len(along) == (~goal).sum()
        and (policy[goal] == NO_ROW).all()
        and (low[goal] <= 0).all()
        and above.smallest >= 0
        and reaches(decisions, policy, goal)
    )
