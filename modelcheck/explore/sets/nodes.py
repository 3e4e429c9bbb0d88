"""Nodes: made once, found again; and the memory of what was computed of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiled.jit import jit
from ..compiled.packed import mix
from .records import EMPTY

_32, _1 = np.uint64(32), np.uint64(1)


@jit(inline="always", counts=False)
def packed(a: Any, b: Any) -> Any:
    """Two numbers below 2^32 as one word."""
    return (np.uint64(a) << _32) | np.uint64(b)


@jit(inline="always", counts=False)
def recall(cache: Any, a: Any, b: Any) -> Any:
    """What was kept under these two numbers; -1 where nothing is, or no more."""
    key = packed(a, b)
    at = (mix(_1, key) << _1) & np.uint64(len(cache.entry) - 1)
    return np.int64(cache.entry[at + _1]) if cache.entry[at] == key else np.int64(-1)


@jit(inline="always", counts=False)
def keep(cache: Any, a: Any, b: Any, value: Any) -> None:
    """Keeps a node under two numbers, not both 0."""
    key = packed(a, b)
    at = (mix(_1, key) << _1) & np.uint64(len(cache.entry) - 1)
    if cache.entry[at] != 0:
        cache.lost[0] += 1
    cache.entry[at], cache.entry[at + _1] = key, value


@jit(counts=False)
def look_up(forest: Any, level: Any, labels: Any, children: Any, count: Any) -> Any:
    """Where the node with these edges stands in the table, or would stand; and the digest of the edges."""
    h = np.uint64(level + 1)
    for k in range(count):
        h = mix(h, packed(labels[k], children[k]))
    digest = np.uint32(h >> _32)
    wrap = np.uint64(len(forest.table) - 1)
    at = np.uint64(digest) & wrap
    while forest.table[at] != 0:
        node = np.int64(forest.table[at])
        if forest.digest[node] == digest and forest.level[node] == level:
            begin = forest.first[node]
            if forest.first[node + 1] - begin == count:
                same = True
                for k in range(count):
                    if forest.label[begin + k] != labels[k] or forest.child[begin + k] != children[k]:
                        same = False
                        break
                if same:
                    break
        at = (at + _1) & wrap
    return at, digest


@jit(counts=False)
def make(forest: Any, level: Any, labels: Any, children: Any, count: Any) -> Any:
    """The node with these edges, in the order of their labels; the first `count` of the arrays. There is room for it."""
    if count == 0:
        return np.int64(EMPTY)
    at, digest = look_up(forest, level, labels, children, count)
    if forest.table[at] != 0:
        return np.int64(forest.table[at])
    node = forest.nodes[0]
    begin = forest.first[node]
    for k in range(count):
        forest.label[begin + k] = labels[k]
        forest.child[begin + k] = children[k]
    forest.first[node + 1] = begin + count
    forest.level[node] = level
    forest.digest[node] = digest
    forest.closed[node] = 0
    forest.table[at] = node
    forest.nodes[0] = node + 1
    return node


@jit(counts=False)
def enter_all(forest: Any, table: Any) -> None:
    """Fills an empty table with all nodes that have edges."""
    wrap = np.uint64(len(table) - 1)
    for node in range(2, forest.nodes[0]):
        if forest.first[node] == forest.first[node + 1]:
            continue
        at = np.uint64(forest.digest[node]) & wrap
        while table[at] != 0:
            at = (at + _1) & wrap
        table[at] = node


@jit(counts=False)
def rehash(old: Any, new: Any) -> None:
    """Takes what is in one cache over to a larger one."""
    wrap = np.uint64(len(new.entry) - 1)
    for k in range(0, len(old.entry), 2):
        if old.entry[k] != 0:
            at = (mix(_1, old.entry[k]) << _1) & wrap
            new.entry[at], new.entry[at + _1] = old.entry[k], old.entry[k + 1]
