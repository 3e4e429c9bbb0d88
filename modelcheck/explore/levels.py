"""What the breadth-first order of a world says once it was explored: depths, and whether there is a cycle."""

from __future__ import annotations

from typing import Any

from .jit import jit


@jit()
def fill_depths(parents: Any, depths: Any) -> None:
    """The depth of each state: one more than its parent's; initial states have negative parents."""
    for k in range(len(parents)):
        depths[k] = 0 if parents[k] < 0 else depths[parents[k]] + 1


@jit()
def has_cycle(begin: Any, targets: Any, count: Any, degree: Any, ready: Any) -> bool:
    """Whether the recorded transitions have a cycle: states that nothing leads to are taken away, again and again, and
    a cycle is what would be left (Kahn 1962). `degree` and `ready` have room for a number a state."""
    degree[:count] = 0
    for k in range(begin[count]):
        degree[targets[k]] += 1
    end = 0
    for k in range(count):
        if degree[k] == 0:
            ready[end] = k
            end += 1
    at = 0
    while at < end:
        source = ready[at]
        at += 1
        for k in range(begin[source], begin[source + 1]):
            target = targets[k]
            degree[target] -= 1
            if degree[target] == 0:
                ready[end] = target
                end += 1
    return bool(end < count)
