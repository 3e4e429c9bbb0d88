"""What the breadth-first order of a world says once it was explored: depths, and whether there is a cycle."""

from __future__ import annotations

from typing import Any

from ...pulse import beat
from .jit import jit


@jit(counts=False)
def fill_depths(parents: Any, depths: Any) -> None:
    """The depth of each state: one more than its parent's; initial states have negative parents."""
    for k in range(len(parents)):
        depths[k] = 0 if parents[k] < 0 else depths[parents[k]] + 1


SLICE = 10_000_000  # transitions between two looks at the limits


def has_cycle(begin: Any, targets: Any, count: int, degree: Any, ready: Any) -> bool:
    """Whether the recorded transitions have a cycle: states that nothing leads to are taken away, again and again, and
    a cycle is what would be left (Kahn 1962). `degree` and `ready` have room for a number a state.

    Raises StoppedError where a limit is reached.
    """
    degree[:count] = 0
    edges = int(begin[count])
    for first in range(0, edges, SLICE):
        beat()
        count_in(targets, first, min(first + SLICE, edges), degree)
    at, end = 0, int(without_any(degree, count, ready))
    while at < end:
        beat()
        at, end = map(int, peel(begin, targets, degree, ready, at, end, SLICE))
    return end < count


@jit(counts=False)
def count_in(targets: Any, first: Any, last: Any, degree: Any) -> None:
    """Counts for each state the transitions to it, of those numbered first:last."""
    for k in range(first, last):
        degree[targets[k]] += 1


@jit(counts=False)
def without_any(degree: Any, count: Any, ready: Any) -> int:
    """Writes down the states that no transition leads to; returns how many."""
    end = 0
    for k in range(count):
        if degree[k] == 0:
            ready[end] = k
            end += 1
    return end


@jit(counts=False)
def peel(begin: Any, targets: Any, degree: Any, ready: Any, at: Any, end: Any, budget: Any) -> Any:
    """Takes away the states ready[at:end], and those that nothing leads to any more after that, until no more than `budget`
    transitions are gone; returns the new `at` and `end`."""
    while at < end and budget > 0:
        source = ready[at]
        at += 1
        budget -= 1 + begin[source + 1] - begin[source]
        for k in range(begin[source], begin[source + 1]):
            target = targets[k]
            degree[target] -= 1
            if degree[target] == 0:
                ready[end] = target
                end += 1
    return at, end
