"""How the number of messages is distributed: the probability that a run ends with at most k, at least and at most over all schedulers.

With k messages left, a row that sends m of them leads to states with k - m left: so k = 0, 1, 2, ... is gone through, and for each the
rows that send nothing until nothing changes any more. In floating point; as the probabilities are sums of products of some tens
of factors, twelve decimals are right.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ..explore.strong_components import strong_components
from ..pulse import beat
from .building import Lotteries
from .decisions import Array, Decisions
from .values import Distribution

ENOUGH = 0.9999  # the probability up to which it is looked at
MOST_MESSAGES = 600
MOST_WAYS = 400_000


def distribution(found: Lotteries) -> Distribution | None:
    """None where steps that send nothing may go on for ever, or where there are too many ways to go through again and again."""
    d, sent = found.decisions, found.sent[:, 0]
    if len(sent) > MOST_WAYS or not d.rows:
        return None
    if _goes_round(d, sent):
        return None
    probability = d.weight / d.total[d.row_of]
    shape = (d.rows, d.states)
    by_number = [
        sparse.csr_array((probability[ways], (d.row_of[ways], d.target[ways])), shape=shape)
        for ways in (np.flatnonzero(sent == number) for number in range(int(sent.max(initial=0)) + 1))
    ]
    owned = np.flatnonzero(d.first[1:] > d.first[:-1])
    curves = []
    for choose in (np.minimum, np.maximum):
        before: list[Array] = []  # the values for k - 1, k - 2, ...
        curve: list[float] = []
        while len(curve) <= MOST_MESSAGES and not (curve and curve[-1] >= ENOUGH):
            beat()
            fixed = np.zeros(d.rows)
            for matrix, values in zip(by_number[1:], before, strict=False):
                fixed += matrix @ values
            now = np.zeros(d.states)
            now[d.end] = 1.0
            while True:
                following = now.copy()
                following[owned] = choose.reduceat(fixed + by_number[0] @ now, d.first[owned])
                if np.array_equal(following, now):
                    break
                now = following
            before = [now, *before[: len(by_number) - 2]]
            curve.append(float(now[found.start]))
        curves.append(curve)
    length = max(map(len, curves))
    least, greatest = (tuple(curve + [curve[-1]] * (length - len(curve))) for curve in curves)
    return Distribution(least, greatest)


def _goes_round(d: Decisions, sent: Array) -> bool:
    """Whether ways that send nothing lead around a cycle."""
    ways = np.flatnonzero(sent == 0)
    source, target = d.owner[d.row_of[ways]], d.target[ways]
    labels = strong_components(np.searchsorted(source, np.arange(d.states + 1)), target)
    return bool((labels[source] == labels[target]).any())
