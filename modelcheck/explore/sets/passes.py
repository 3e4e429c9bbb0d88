"""Passes over the nodes of a diagram, from the last to the first or from the first to the last: children have smaller numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiled.jit import jit
from .making import has_room
from .nodes import make
from .records import ANSWER, BASE, BELOW, COUNT, FOUND, KIND, LEVEL, UNION, A, B

_32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@jit(counts=False)
def mark_below(forest: Any, marks: Any) -> None:
    """Marks all nodes that marked ones lead to: (nodes,) uint8."""
    for node in range(len(marks) - 1, 1, -1):
        if marks[node]:
            for k in range(forest.first[node], forest.first[node + 1]):
                marks[forest.child[k]] = 1


@jit(counts=False)
def mark_work(work: Any, marks: Any) -> None:
    """Marks the nodes that what is under way still needs."""
    for level in range(work.now[BASE], work.now[LEVEL] + 1):
        frame = work.frame[level]
        marks[frame[B]] = 1
        if frame[KIND] == UNION:
            marks[frame[A]] = 1
        else:
            marks[frame[BELOW]] = 1
            marks[frame[FOUND]] = 1
        for k in range(frame[COUNT]):
            marks[work.child[level, work.members[level, k]]] = 1
            if frame[KIND] == UNION:
                marks[work.other[level, k]] = 1
    if work.now[ANSWER] >= 0:
        marks[work.now[ANSWER]] = 1


@jit(counts=False)
def squeeze(forest: Any, marks: Any) -> None:
    """Takes the edges of nodes that are not marked, and closes up those of the others."""
    to = forest.first[2]
    begin = to
    for node in range(2, len(marks)):
        end = forest.first[node + 1]
        forest.first[node] = to
        if marks[node]:
            for k in range(begin, end):
                forest.label[to], forest.child[to] = forest.label[k], forest.child[k]
                to += 1
        begin = end
    forest.first[len(marks)] = to


@jit(counts=False)
def forget(cache: Any, marks: Any) -> None:
    """Forgets whatever came to a node that is not marked."""
    for at in range(0, len(cache.entry), 2):
        if cache.entry[at] != 0 and marks[cache.entry[at + 1]] == 0:
            cache.entry[at] = 0
    cache.lost[0] = 0


@jit(counts=False)
def mark(forest: Any, root: Any, marks: Any) -> Any:
    """Marks the nodes of a set: (root + 1,) uint8. Returns how many they are, and how many edges they have; the two lowest do not count."""
    marks[root] = 1
    nodes, edges = 0, 0
    for node in range(root, 1, -1):
        if marks[node]:
            nodes += 1
            edges += forest.first[node + 1] - forest.first[node]
            for k in range(forest.first[node], forest.first[node + 1]):
                marks[forest.child[k]] = 1
    return nodes, edges


@jit(counts=False)
def labels_of(forest: Any, marks: Any, present: Any) -> None:
    """Notes which labels stand at each level of the marked nodes: (L, M) uint8."""
    for node in range(2, len(marks)):
        if marks[node]:
            level = forest.level[node]
            for k in range(forest.first[node], forest.first[node + 1]):
                present[level, forest.label[k]] = 1


@jit(counts=False)
def add_up(forest: Any, marks: Any, weights: Any, below: Any, weighed: Any) -> None:
    """For each marked node the number of its vectors, and the sum of the weights of all their members: numbers of (parts,) uint64, each
    part with 32 bits, the lowest first. `weights` are (M,) uint64, below 2^20."""
    parts = below.shape[1]
    below[1, 0] = 1
    for node in range(2, len(marks)):
        if marks[node] == 0:
            continue
        for k in range(forest.first[node], forest.first[node + 1]):
            child, weight = forest.child[k], weights[forest.label[k]]
            for part in range(parts):
                below[node, part] += below[child, part]
                weighed[node, part] += weight * below[child, part] + weighed[child, part]
        for part in range(parts - 1):
            below[node, part + 1] += below[node, part] >> _32
            below[node, part] &= _LOW
            weighed[node, part + 1] += weighed[node, part] >> _32
            weighed[node, part] &= _LOW


@jit(counts=False)
def restrict(forest: Any, begin: Any, marks: Any, allowed: Any, new: Any, labels: Any, children: Any) -> Any:
    """What is left of each marked node where a level has only the members that are allowed there: (L, M) uint8. From the node `begin` on;
    returns the first that there was no room for, or the number behind the last."""
    new[1] = 1
    for node in range(begin, len(marks)):
        if marks[node] == 0:
            continue
        level, count = forest.level[node], 0
        for k in range(forest.first[node], forest.first[node + 1]):
            child = new[forest.child[k]]
            if child != 0 and allowed[level, forest.label[k]] != 0:
                labels[count], children[count] = forest.label[k], child
                count += 1
        if not has_room(forest, count):
            return node
        new[node] = make(forest, level, labels, children, count)
    return len(marks)


@jit(counts=False)
def least_and_greatest(forest: Any, marks: Any, weights: Any, environments: Any, least: Any, greatest: Any) -> None:
    """For each marked node the least and the greatest sum of the weights of the members in its vectors: (root + 1,) int64."""
    least[1], greatest[1] = 0, 0
    for node in range(2, len(marks)):
        if marks[node] == 0:
            continue
        low, high = np.int64(1) << np.int64(60), np.int64(-1)
        for k in range(forest.first[node], forest.first[node + 1]):
            child, weight = forest.child[k], weights[forest.label[k]] if forest.level[node] >= environments else 0
            low, high = min(low, weight + least[child]), max(high, weight + greatest[child])
        least[node], greatest[node] = low, high
