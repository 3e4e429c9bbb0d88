"""Least and greatest expected rewards: found with floating-point numbers, and then proved in whole numbers.

What is asked is first made a *plain* question, in which every scheduler worth a thought comes to its goal with probability 1
(`greatest`, `least`, `least_of_ending`). A plain question is answered by policy iteration (Howard 1960): each round solves the
equations of one policy with a sparse factorisation, and goes over to better rows. The same factorisation, applied again and again
to what the equations still lack, computed in whole numbers, gives as many binary digits of the solution as are wanted (Wan, An algorithm
to solve integer linear systems exactly using numerical methods, 2006). From these the fractions are read off that have small
denominators, and certifying.py says whether they are the answer. (Where floating point is not good enough, as where 10^19 steps are
expected, equations that are few are solved by elimination instead.) If a row is better than the policy after all, it is taken.

Where a question has more than MOST_EXACT states, or fractions are too long, two bounds are proved instead. From an estimate v and
w, the steps to the goal, at most, by rows about as good as the best, they are v - e w and v + e w, with an e that grows until the
inequalities hold: at each of these rows such a step leaves a room of e, and at the others there is room enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from ..later import Later
from ..pulse import beat, make_room
from . import certifying
from .decisions import NO_ROW, Array, Decisions, almost_surely, attracted, end_components, kept_for_ever
from .values import INFINITE, Value

if TYPE_CHECKING:
    from scipy import sparse
    from scipy.sparse import linalg
else:
    sparse, linalg = Later("scipy.sparse"), Later("scipy.sparse.linalg")

MOST_EXACT = 400_000  # states of a question that is answered by fractions
MOST_DIGITS = 6_000  # binary ones of a value, and of their common denominator
SWEEPS = 400  # before the first policy is taken
MOST_ELIMINATED = 1_500  # states whose equations are solved by fractions alone, if need be
TOLERANCE = 1e-10
CLOSE = 1e-6
FRACTION = 40  # binary digits behind the point of a bound


@dataclass(frozen=True)
class StateValues:
    """Those of all states. `endless` are the states in which it is infinite, and `seeds` those among them where that is decided: they
    are in an end component that pays, or, where a run is to end, cannot be made to do so for sure."""

    numerators: tuple[Array, Array]
    denominator: int
    endless: Array
    seeds: Array

    def of(self, state: int) -> Value:
        if self.endless[state]:
            return INFINITE
        low, high = (Fraction(int(side[state]), self.denominator) for side in self.numerators)
        return Value(low, high)


# --- three questions -------------------------------------------------------------------------------------------------


def greatest(decisions: Decisions, reward: Array, idle: Array | None = None) -> StateValues:
    """What schedulers can get at most. Infinite from where an end component with a reward, or one of the `idle` states, can be reached.

    Where every end component pays nothing, those in one of them can get to each other for nothing, so they are made one state; and
    staying there for ever is getting nothing, which is no more than leaving it.
    """
    labels, kept = end_components(decisions)
    seeds = np.zeros(decisions.states, np.bool_) if idle is None else idle.copy()
    paying = np.zeros(int(labels.max(initial=0)) + 1, np.bool_)
    paying[labels[decisions.owner[kept & (reward > 0)]]] = True
    seeds |= (labels >= 0) & paying[labels]
    endless, _ = attracted(decisions, seeds)
    finite = ~endless
    rows = np.flatnonzero(finite[decisions.owner] & ~kept)
    return _answered(decisions, reward, labels, finite, rows, None, seeds, least=False)


def least(decisions: Decisions, reward: Array) -> StateValues:
    """What schedulers must get at least, whether or not they let the run end. They can do with nothing where they can go on for ever, or
    until the end, by rows without a reward. Infinite where they cannot get there with probability 1."""
    ends = np.zeros(decisions.states, np.bool_)
    ends[decisions.end] = True
    nothing = kept_for_ever(decisions, reward == 0, ends)
    return _least(decisions, reward, nothing)


def least_of_ending(decisions: Decisions, reward: Array) -> StateValues:
    """What schedulers must get at least that let the run end with probability 1. Infinite where there are none."""
    ends = np.zeros(decisions.states, np.bool_)
    ends[decisions.end] = True
    return _least(decisions, reward, ends)


def _least(decisions: Decisions, reward: Array, goal: Array) -> StateValues:
    """Those in an end component without a reward get to each other for nothing: they are made one state, which must be left."""
    among, allowed = almost_surely(decisions, goal)
    allowed &= among[decisions.owner] & ~goal[decisions.owner]
    labels, kept = end_components(decisions, allowed & (reward == 0))
    rows = np.flatnonzero(allowed & ~kept)
    return _answered(decisions, reward, labels, among, rows, goal, ~among, least=True)


def _answered(
    decisions: Decisions, reward: Array, labels: Array, finite: Array, rows: Array, goal: Array | None, seeds: Array, *, least: bool
) -> StateValues:  # fmt: skip
    """The answer on the finite states, after those of one label are made one; without a goal it is where nothing more can be got."""
    states = decisions.states
    named = np.where(labels >= 0, labels + states, np.arange(states))  # of one label, one name
    if goal is not None:
        named = np.where(goal, decisions.end, named)
    named = np.where(finite, named, decisions.end)
    _, into = np.unique(named, return_inverse=True)
    into = into.reshape(-1).astype(np.int64)
    plain, stem = decisions.merged(into, int(into.max()) + 1, rows)
    plain_reward = reward[stem]
    done = plain.first[1:] == plain.first[:-1]
    low, high, denominator = _solve(plain, plain_reward, done, least=least)
    return StateValues((low[into], high[into]), denominator, ~finite, seeds)


# --- a plain question --------------------------------------------------------------------------------------------------


def _solve(decisions: Decisions, reward: Array, goal: Array, *, least: bool) -> tuple[Array, Array, int]:
    """Two bounds for each state, over a common denominator: equal ones, if possible. Raises AssertionError for what cannot be proved."""
    assert certifying.adds_up(decisions), "the probabilities of a row do not add up to 1"
    assert not end_components(decisions, reward == 0 if least else None)[1].any(), "an end component is left"
    if not decisions.rows:
        nothing = np.zeros(decisions.states, np.int64)
        return nothing, nothing, 1
    policy, nearer = attracted(decisions, goal)
    assert policy.all(), "a state has no way to the goal"
    iteration = _Iteration(decisions, reward, goal, nearer, least)
    exact = iteration.proved() if decisions.states <= MOST_EXACT else None
    return exact or iteration.enclosed()


class _Iteration:
    """Policy iteration. `policy` has a row for each state outside the goal, and reaches that."""

    def __init__(self, decisions: Decisions, reward: Array, goal: Array, policy: Array, least: bool) -> None:
        self.decisions, self.reward, self.goal, self.policy, self.least = decisions, reward, goal, policy, least
        self.sign = 1.0 if least else -1.0
        make_room(24 * len(decisions.target))
        self._open = np.flatnonzero(~goal)
        probability = decisions.weight / decisions.total[decisions.row_of]
        shape = (decisions.rows, decisions.states)
        self._ahead = sparse.csr_array((probability, decisions.target, decisions.begin), shape=shape)
        self._now = reward / decisions.total
        self._rows_first = decisions.first[self._open]

    def _worth(self, values: Array) -> Array:
        """Of each row, as seen from these values."""
        return np.asarray(self._now + self._ahead @ values)

    def _best(self, worth: Array) -> Array:
        """The best of each state outside the goal."""
        choose = np.minimum if self.least else np.maximum
        return np.asarray(choose.reduceat(worth, self._rows_first))

    def _improve(self, worth: Array, margin: Any) -> bool:
        """Goes over to rows that are better than those of the policy by more than the margin."""
        best = self._best(worth)
        better = self.sign * (worth[self.policy[self._open]] - best) > margin
        if not better.any():
            return False
        owner = self.decisions.owner
        wanted = np.full(self.decisions.states, np.nan)
        wanted[self._open[better]] = best[better]
        rows = np.flatnonzero(worth == wanted[owner])
        states, where = np.unique(owner[rows], return_index=True)
        self.policy[states] = rows[where]
        return True

    def found(self) -> Array:
        """The values of the best policy, in floating point."""
        values = self._values()
        for _ in range(SWEEPS):
            beat()
            worth = self._worth(values)
            following = values.copy()
            following[self._open] = self._best(worth)
            change = np.abs(following - values).max(initial=0.0)
            values = following
            if change < TOLERANCE:
                break
        before = self.policy.copy()
        self._improve(self._worth(values), TOLERANCE * (1 + np.abs(values[self._open])))
        if not certifying.reaches(self.decisions, self.policy, self.goal):
            self.policy = before  # a rounding error that would lead nowhere
        while True:
            beat()
            values = self._values()
            if not self._improve(self._worth(values), TOLERANCE * (1 + np.abs(values[self._open]))):
                return values

    def _factorised(self) -> Any:
        """The equations of the policy, each times its total: their matrix in whole numbers, and its factors."""
        d, rows = self.decisions, self.policy[self._open]
        place = np.full(d.states, NO_ROW, np.int64)
        place[self._open] = np.arange(len(self._open))
        ways = d.ways_of(rows)
        counts = d.begin[rows + 1] - d.begin[rows]
        line, column = np.repeat(np.arange(len(rows)), counts), place[d.target[ways]]
        inside = column >= 0
        size = (len(rows), len(rows))
        taken = sparse.csc_array((d.weight[ways][inside], (line[inside], column[inside])), shape=size, dtype=np.int64)
        whole = sparse.csc_array(sparse.diags_array(d.total[rows], dtype=np.int64) - taken)
        scaled = sparse.csc_array(sparse.diags_array(1.0 / d.total[rows]) @ whole.astype(np.float64))
        make_room(200 * whole.nnz)
        return whole.tocsr(), linalg.splu(scaled), d.total[rows]

    def _values(self) -> Array:
        """Those of the policy, in floating point."""
        _, factors, total = self._factorised()
        values = np.zeros(self.decisions.states)
        values[self._open] = factors.solve(self.reward[self.policy[self._open]] / total)
        return values

    def proved(self) -> tuple[Array, Array, int] | None:
        """The exact values, with a proof; None where their fractions are too long."""
        self.found()
        while True:
            beat()
            solved = self._fractions() or (self._eliminated() if len(self._open) <= MOST_ELIMINATED else None)
            if solved is None:
                return None
            numerators, denominator = solved
            d, given = self.decisions, (self.policy, self.goal, numerators, denominator)
            if certifying.is_value(d, self.reward, *given, least=self.least):
                return numerators, numerators, denominator
            gap = certifying.Scales(d, self.reward, numerators, denominator).gap()
            better = np.flatnonzero(gap < 0 if self.least else gap > 0)
            assert len(better), "what a policy is worth was not found"
            states, where = np.unique(d.owner[better], return_index=True)
            self.policy[states] = better[where]

    def _fractions(self) -> tuple[Array, int] | None:
        """What the policy is worth, exactly: numerators and their common denominator."""
        whole, factors, total = self._factorised()
        left = self.reward[self.policy[self._open]].astype(np.int64)
        digits, known = 0, np.zeros(len(left), object)
        wanted = 60
        while digits < MOST_DIGITS:
            beat()
            more = factors.solve(left / total)
            # as many digits as leave whole numbers of 64 bits, and the next remainder small
            largest = max(1.0, float(np.abs(more).max(initial=0.0)), float(np.abs(left).max(initial=0)))
            shift = min(26, 60 - int(np.log2(largest)) - int(total.max(initial=1)).bit_length() - 2)
            if shift < 4:
                return None
            rounded = np.rint(np.ldexp(more, shift)).astype(np.int64)
            left = np.left_shift(left, shift) - whole @ rounded
            known = known * (1 << shift) + rounded
            digits += shift
            if digits >= wanted:
                fractions = self._read_off(known, digits)
                if fractions is not None:
                    return fractions
                wanted *= 2
        return None

    def _read_off(self, known: Array, digits: int) -> tuple[Array, int] | None:
        """The fractions of small denominators that have these binary digits; None unless they solve the equations."""
        most, scale = 1 << (digits // 2 - 8), 1 << digits
        read: dict[int, Fraction] = {}
        for number in known:
            if number not in read:
                beat()
                read[number] = Fraction(number, scale).limit_denominator(most)
        denominator = 1
        for value in read.values():
            denominator = lcm(denominator, value.denominator)
            if denominator.bit_length() > MOST_DIGITS:
                return None
        numerators = np.zeros(self.decisions.states, object)
        whole = {number: value.numerator * (denominator // value.denominator) for number, value in read.items()}
        numerators[self._open] = [whole[number] for number in known]
        gap = certifying.Scales(self.decisions, self.reward, numerators, denominator).gap()
        return (numerators, denominator) if not gap[self.policy[self._open]].any() else None

    def _eliminated(self) -> tuple[Array, int]:
        """The same where floating point is not good enough for it: by elimination, with fractions, from the last state to the first."""
        d = self.decisions
        fixed: dict[int, Fraction] = {}
        terms: dict[int, dict[int, Fraction]] = {}
        for state in map(int, self._open):
            row = int(self.policy[state])
            total = int(d.total[row])
            fixed[state], terms[state] = Fraction(int(self.reward[row]), total), {}
            for way in range(int(d.begin[row]), int(d.begin[row + 1])):
                target = int(d.target[way])
                if not self.goal[target]:
                    terms[state][target] = terms[state].get(target, Fraction(0)) + Fraction(int(d.weight[way]), total)
        for state in reversed(fixed):
            beat()
            leaves = 1 - terms[state].pop(state, Fraction(0))
            fixed[state] /= leaves
            terms[state] = {target: share / leaves for target, share in terms[state].items()}
            for user in fixed:
                if user == state:
                    break
                share = terms[user].pop(state, None)
                if share is not None:
                    fixed[user] += share * fixed[state]
                    for target, other in terms[state].items():
                        terms[user][target] = terms[user].get(target, Fraction(0)) + share * other
        for state in fixed:
            fixed[state] += sum((share * fixed[target] for target, share in terms[state].items()), Fraction(0))
        denominator = lcm(*(value.denominator for value in fixed.values()))
        numerators = np.zeros(d.states, object)
        for state, value in fixed.items():
            numerators[state] = value.numerator * (denominator // value.denominator)
        return numerators, denominator

    # --- bounds

    def enclosed(self) -> tuple[Array, Array, int]:
        """Two bounds around each value, with a proof."""
        values = self.found()
        steps = self._steps(values)
        scale = 1 << FRACTION
        margin = 2.0**-30
        while margin < 2.0**80:
            beat()
            low, high = (
                np.rint(np.ldexp(values + side * margin * steps, FRACTION)).astype(object) for side in (-1.0, 1.0)
            )
            low = np.array([int(number) for number in low], object)
            high = np.array([max(0, int(number)) for number in high], object)
            low[self.goal], high[self.goal] = 0, 0
            if certifying.is_enclosed(
                self.decisions, self.reward, self.policy, self.goal, low, high, scale, least=self.least
            ):
                return low, high, scale
            margin *= 16
        raise AssertionError("no bounds were found")

    def _steps(self, values: Array) -> Array:
        """How many steps it takes to the goal, at most, by rows that are about as good as those of the policy. The others are so much worse
        that their inequalities hold anyway."""
        d = self.decisions
        slack = self.sign * (self._worth(values) - values[d.owner])
        rows = slack < CLOSE * (1 + np.abs(values[d.owner]))
        rows[self.policy[self._open]] = True
        own, stem = d.merged(np.arange(d.states), d.states, np.flatnonzero(rows))
        place = np.full(d.rows, NO_ROW, np.int64)
        place[stem] = np.arange(own.rows)
        policy = np.where(self.policy == NO_ROW, NO_ROW, place[self.policy])
        return _Iteration(own, own.total, self.goal, policy, False).found()
