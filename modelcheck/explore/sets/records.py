"""What the engine works on: tuples of arrays, and what stands in them. Beside each field: shape, dtype, meaning.

L levels (the environment, where it can change, then the processes in some order, then the network where it can split), M members of all
levels, N nodes of the forest, K edges, R rows, E events, D deliveries.
"""

from __future__ import annotations

from typing import Any, NamedTuple

NONE = 0xFFFFFFFF  # no such entry yet
PLAIN, READING, FIRST = 0, 1, 2  # blocks of rows: see Alphabet
EMPTY, TRUE = 0, 1  # the node of no vector, and the node below the last level


class Forest(NamedTuple):
    """Nodes, each the set of vectors that its paths spell. A node is a list of edges in the order of their labels, written once; equal nodes
    are one node, so equal sets have equal numbers. A node's children have smaller numbers than it has."""

    first: Any  # (N + 2,) int64: where the edges of a node begin; those of the next node end them
    level: Any  # (N,) int32
    digest: Any  # (N,) uint32: of its edges
    closed: Any  # (N,) uint8: whether it is known to be a fixpoint, it and all that it leads to
    label: Any  # (K,) uint32: the member that an edge stands for
    child: Any  # (K,) uint32: the node that it leads to
    table: (
        Any  # (places,) uint32, open-addressing, a power of two: the nodes by what they are; 0 where a place is empty
    )
    nodes: Any  # (1,) int64: how many there are


class Cache(NamedTuple):
    """What was computed before, by two numbers. A place holds what came there last: what was lost is computed again."""

    entry: (
        Any  # (2 * places,) uint64, a power of two: the two numbers, 0 where a place is empty; and beside them the node
    )
    lost: Any  # (1,) int64: how often something was lost


class Alphabet(NamedTuple):
    """What the members do, as of now. The block PLAIN has the rows that are the same under every environment, FIRST + k those that can be
    taken under environment k alone, or change it. READING is for whoever reads a diagram."""

    span: Any  # (blocks, M, 2) uint32: of a member, its first row and the one behind its last; NONE: not tabulated
    row: Any  # (R, 2) uint32: what is done beyond the member (0: nothing), and the member afterwards
    event_of: Any  # (L, deeds) uint32: the event of the process at a level that does so; NONE: not tabulated
    event: Any  # (E, EVENT) int32: see below
    delivery: Any  # (E, L) uint32: what comes to a level; 0: nothing
    push: Any  # (D, M) uint32: the member after a delivery; NONE: not tabulated
    chain: Any  # (L + blocks,) uint32: the first event whose highest level this is, of a process further down; then those of each block
    environments: int  # 1 if the first level is the environment, else 0


# Columns of `event`: the level of the process, the highest and the lowest level that it touches, what is done, the block of its rows, the
# environment afterwards, the next event of the same chain (0: none, for event 0 is none), and 1 + the environment before, where only one will do.
AT, TOP, BOTTOM, DEED, BLOCK, TURNS, NEXT, FROM, EVENT = 0, 1, 2, 3, 4, 5, 6, 7, 8


class Workspace(NamedTuple):
    """What is under way: one operation a level, for those that it waits for are further down. And the node that it is making: the
    children that its members have so far."""

    frame: Any  # (L + 1, FRAME) int64: see below
    child: Any  # (L, M) uint32: by member; 0 for those that the node does not have
    members: Any  # (L, M) uint32: those that it has, in no order; the first frame[COUNT] of them
    other: Any  # (L, M) uint32: their children, in a union
    queue: Any  # (L, M + 1) uint32: those that are still to be looked at: a ring
    queued: Any  # (L, M) uint8: whether a member stands in it
    now: Any  # (NOW,) int64: see below


# Columns of `frame`: the operation, its stage, and its two operands; how many members the node has that it makes; begin and end of the
# queue; and what the operation is at.
KIND, STAGE, A, B, COUNT, HEAD, TAIL, EDGE, EDGE_2, LABEL, BELOW, ROW, GOAL, FOUND, FRAME = *range(14), 16
# Operations: the union of two nodes; what an event makes of a node; and then its fixpoint under the events that begin at its level.
UNION, FIRE, CLOSE = 0, 1, 2
# Places in `now`: the level under way and the one it began at, what came back to it, whether nodes are brought to their
# fixpoint; and what is asked for.
LEVEL, BASE, ANSWER, CLOSES, ASK_A, ASK_B, ASK_C, NOW = 0, 1, 2, 3, 4, 5, 6, 7

# Why it returned. The first two are also what one operation says to the loop; an answer is a node, and not negative.
CALL, DONE, PAUSE, FULL, NO_ROWS, NO_EVENT, NO_PUSH = -1, -2, -3, -4, -5, -6, -7
