"""Strongly connected components of a graph in arrays, with a proof that no cycle was missed.

The edges of node k lead to targets[first[k]:first[k + 1]]; there may be several to one target, in any order.

That there is no cycle is soon told in a small graph. Else SciPy finds the components. Before version 1.15 it found wrong ones, or never ended, where edges are repeated or out of order, so they are
put in order first. That everything holds may rest on there being no more cycles than it says. So its answer is checked: where no cycle
leads through several of the classes that it names, every cycle lies within one. (That the nodes of a class do lead to each other shows
in the run that is reported: it is taken again step by step.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..later import Later
from ..pulse import attended

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]
else:
    np, Array = Later("numpy"), Any

FEW = 20_000  # edges, between which a cycle is sooner looked for in Python than SciPy is imported


def has_cycle(first: Sequence[int] | Array, targets: Sequence[int] | Array) -> bool:
    """Whether a cycle leads through several nodes, told without SciPy and in plain Python: nodes are taken away once nothing leads to
    them but they themselves (Kahn 1962)."""
    nodes = range(len(first) - 1)
    led_to = [0] * len(nodes)
    for source in attended(nodes):
        for target in targets[first[source] : first[source + 1]]:
            led_to[target] += target != source
    free = [node for node in nodes if not led_to[node]]
    for source in attended(free):  # grows while it is walked along
        for target in targets[first[source] : first[source + 1]]:
            led_to[target] -= target != source
            if not led_to[target] and target != source:
                free.append(target)
    return len(free) < len(nodes)


def strong_components(first: Array, targets: Array) -> Array:
    """For each node the number of its component. Raises AssertionError where SciPy's leave out a cycle."""
    from scipy.sparse import csr_array  # which takes a while to import
    from scipy.sparse.csgraph import connected_components

    count = len(first) - 1
    graph = csr_array((np.ones(len(targets), np.bool_), targets, first), shape=(count, count), copy=True)
    graph.sum_duplicates()  # in order, and in place
    _, labels = connected_components(graph, directed=True, connection="strong")
    if not no_cycle_through_several(labels, sources_of(first), targets):
        raise AssertionError("the components leave out a cycle")
    return np.asarray(labels)


def sources_of(first: Array) -> Array:
    """The node that each edge leads from."""
    return np.repeat(np.arange(len(first) - 1), np.diff(first))


def no_cycle_through_several(labels: Array, sources: Array, targets: Array) -> bool:
    """Whether every cycle lies within one class of nodes, the nodes of one label: whether the classes, each taken for one node, have
    none. Classes to which no other leads are taken away, all at once, until none is left (Kahn 1962)."""
    begin, end = labels[sources], labels[targets]
    if np.all(begin >= end):  # as SciPy numbers them, and then there is no way back
        return True
    between = begin != end
    begin, end = begin[between], end[between]
    while len(begin):
        led_to = np.zeros(int(labels.max()) + 1, np.bool_)
        led_to[end] = True
        left = led_to[begin]
        if left.all():
            return False
        begin, end = begin[left], end[left]
    return True
