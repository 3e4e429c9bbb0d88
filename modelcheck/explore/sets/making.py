"""The node that an operation makes: its edges are collected by member, joined where there are some already, and the node is made at the end."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiled.jit import jit
from .nodes import keep, look_up, make, recall
from .records import (
    CALL,
    CLOSE,
    COUNT,
    EDGE,
    EDGE_2,
    EMPTY,
    FULL,
    HEAD,
    KIND,
    STAGE,
    TAIL,
    UNION,
    A,
    B,
)  # fmt: skip

NEW = -1  # in place of a node: that there is none yet, or that it is not known to be a fixpoint
NEXT_EDGE, JOINED = 0, 1  # stages of a union


# --- union -----------------------------------------------------------------------------------------------------------


@jit(counts=False)
def union(unions: Any, work: Any, level: Any, a: Any, b: Any) -> Any:
    """The union of two nodes of this level, where it is known; else CALL, and it is begun."""
    if a == b or b == EMPTY:
        return np.int64(a)
    if a == EMPTY:
        return np.int64(b)
    if a > b:
        a, b = b, a
    known = recall(unions, a, b)
    if known >= 0:
        return known
    frame = work.frame[level]
    frame[KIND], frame[STAGE], frame[A], frame[B], frame[COUNT], frame[EDGE], frame[EDGE_2] = (
        UNION, NEXT_EDGE, a, b, 0, 0, 0,
    )  # fmt: skip
    return np.int64(CALL)


@jit(counts=False)
def unite_on(forest: Any, unions: Any, work: Any, level: Any, answer: Any) -> Any:
    """Goes on with a union: the edges of both, in order; where both have one, the union of what they lead to."""
    frame, labels, children = work.frame[level], work.members[level], work.other[level]
    a, b = frame[A], frame[B]
    begin, end = forest.first[a], forest.first[a + 1]
    begin_2, end_2 = forest.first[b], forest.first[b + 1]
    while True:
        count = frame[COUNT]
        k, k_2 = begin + frame[EDGE], begin_2 + frame[EDGE_2]
        if frame[STAGE] == JOINED:
            labels[count], children[count] = forest.label[k], answer
            frame[STAGE] = NEXT_EDGE
            frame[COUNT], frame[EDGE], frame[EDGE_2] = count + 1, frame[EDGE] + 1, frame[EDGE_2] + 1
            continue
        if k == end and k_2 == end_2:
            break
        if k_2 == end_2 or (k < end and forest.label[k] < forest.label[k_2]):
            labels[count], children[count] = forest.label[k], forest.child[k]
            frame[COUNT], frame[EDGE] = count + 1, frame[EDGE] + 1
        elif k == end or forest.label[k_2] < forest.label[k]:
            labels[count], children[count] = forest.label[k_2], forest.child[k_2]
            frame[COUNT], frame[EDGE_2] = count + 1, frame[EDGE_2] + 1
        else:
            frame[STAGE] = JOINED
            answer = union(unions, work, level + 1, np.int64(forest.child[k]), np.int64(forest.child[k_2]))
            if answer < 0:
                return answer
    if not has_room(forest, frame[COUNT]):
        return np.int64(FULL)
    node = make(forest, level, labels, children, frame[COUNT])
    forest.closed[node] |= forest.closed[a] & forest.closed[b]
    keep(unions, a, b, node)
    return node


@jit(inline="always", counts=False)
def has_room(forest: Any, edges: Any) -> Any:
    """Whether there is room for a node with so many edges."""
    nodes = forest.nodes[0]
    return (
        nodes + 2 < len(forest.first)
        and forest.first[nodes] + edges <= len(forest.label)
        and 2 * (nodes + 1) < len(forest.table)
    )


# --- the node that is being made ---------------------------------------------------------------------------------------


@jit(counts=False)
def put(unions: Any, work: Any, level: Any, member: Any, below: Any) -> Any:
    """Joins what is below a member of the node with what it leads to already. Returns 0; CALL where the union is yet to be made."""
    old = np.int64(work.child[level, member])
    if old == below:
        return np.int64(0)
    joined = union(unions, work, level + 1, old, below)
    if joined < 0:
        return joined
    settle(work, level, member, joined)
    return np.int64(0)


@jit(counts=False)
def settle(work: Any, level: Any, member: Any, joined: Any) -> None:
    """The same, where the union is made. In a fixpoint the member is to be looked at once more, if this is news."""
    old = work.child[level, member]
    if old == joined:
        return
    frame = work.frame[level]
    if old == EMPTY:
        work.members[level, frame[COUNT]] = member
        frame[COUNT] += 1
    work.child[level, member] = joined
    if frame[KIND] == CLOSE and work.queued[level, member] == 0:
        work.queued[level, member] = 1
        work.queue[level, frame[TAIL]] = member
        frame[TAIL] += 1
        if frame[TAIL] == work.queue.shape[1]:
            frame[TAIL] = 0


@jit(counts=False)
def finished(forest: Any, work: Any, level: Any) -> Any:
    """The node, with its members in order. Returns FULL where there is no room for it."""
    count = work.frame[level, COUNT]
    if not has_room(forest, count):
        return np.int64(FULL)
    list_edges(work, level)
    clear(work, level)
    return make(forest, level, work.members[level], work.other[level], count)


@jit(counts=False)
def list_edges(work: Any, level: Any) -> None:
    """Lists the edges of the node in the order of their members: `members`, and beside them `other`."""
    members, children = work.members[level], work.other[level]
    count = work.frame[level, COUNT]
    in_order(members, count)
    for k in range(count):
        children[k] = work.child[level, members[k]]


@jit(counts=False)
def clear(work: Any, level: Any) -> None:
    """Makes room for the next node."""
    for k in range(work.frame[level, COUNT]):
        work.child[level, work.members[level, k]] = EMPTY


@jit(counts=False)
def closed_already(forest: Any, work: Any, level: Any) -> Any:
    """The node, if it is one that is known and known to be a fixpoint, as three of four are; else NEW."""
    count = work.frame[level, COUNT]
    list_edges(work, level)
    if count == 0:
        return np.int64(EMPTY)
    at, _ = look_up(forest, level, work.members[level], work.other[level], count)
    node = np.int64(forest.table[at])
    if node == 0 or forest.closed[node] == 0:
        return np.int64(NEW)
    clear(work, level)
    return node


@jit(counts=False)
def queue_all(work: Any, level: Any) -> None:
    """All members of the node are to be looked at."""
    frame = work.frame[level]
    for k in range(frame[COUNT]):
        member = work.members[level, k]
        work.queue[level, k], work.queued[level, member] = member, 1
    frame[HEAD], frame[TAIL] = 0, frame[COUNT]


@jit(counts=False)
def in_order(numbers: Any, count: Any) -> None:
    """Sorts the first `count` numbers, most of which are in order: what is merged is what is out of order."""
    for k in range(1, count):
        number = numbers[k]
        if numbers[k - 1] > number:
            low, high = 0, k
            while low < high:
                middle = (low + high) >> 1
                if numbers[middle] > number:
                    high = middle
                else:
                    low = middle + 1
            for at in range(k, low, -1):
                numbers[at] = numbers[at - 1]
            numbers[low] = number
