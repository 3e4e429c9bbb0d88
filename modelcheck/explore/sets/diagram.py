"""One diagram for all worlds of a size: who supplies the hot loop with tables and room, and asks it for what is wanted."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...pulse import beat, make_room
from . import nodes, passes
from .alphabet import AlphabetTables, longer
from .making import union
from .records import (
    ANSWER,
    ASK_A,
    ASK_B,
    ASK_C,
    BASE,
    CLOSES,
    DONE,
    EMPTY,
    FRAME,
    FULL,
    HEAD,
    LEVEL,
    NO_EVENT,
    NO_ROWS,
    NOW,
    PAUSE,
    TAIL,
    TRUE,
    Cache,
    Forest,
    Workspace,
)  # fmt: skip
from .saturation import fire, saturate

Array = NDArray[Any]
BEAT = 100_000  # steps of the loop between two looks at the limits
FEWEST, MOST = 1 << 16, 1 << 26  # places in a cache
EDGES, MANY = 1 << 14, 1 << 25  # at first, and when nodes are swept away


class Diagram:
    """Sets of vectors of members, as nodes of one forest. Sets are node numbers: equal sets have equal numbers."""

    def __init__(
        self,
        tables: AlphabetTables,
        told: Callable[[Diagram], None] | None = None,
        *,
        caches: int = MOST,
        sweep_at: int = MANY,
    ) -> None:
        """With so many places in a cache at most. Nodes of no more use are swept away when there would be so many edges. Now and then the number
        of nodes is `told`."""
        self.tables, self._told, self._most, self._sweep_at = tables, told, caches, sweep_at
        self._kept: tuple[int, ...] = ()
        self.levels = tables.levels
        self.forest = Forest(
            np.zeros(1 << 12, np.int64), np.zeros(1 << 12, np.int32), np.zeros(1 << 12, np.uint32), np.zeros(1 << 12, np.uint8),
            np.zeros(EDGES, np.uint32), np.zeros(EDGES, np.uint32), np.zeros(1 << 13, np.uint32), np.array([2], np.int64),
        )  # fmt: skip
        self.forest.level[:2], self.forest.closed[:2] = self.levels, 1
        self.unions, self.fires = _cache(min(FEWEST, caches)), _cache(min(FEWEST, caches))
        self._work(tables.room)

    def _work(self, room: int) -> None:
        levels = self.levels
        old = getattr(self, "work", None)
        self.work = Workspace(
            np.zeros((levels + 1, FRAME), np.int64), np.zeros((levels + 1, room), np.uint32), np.zeros((levels + 1, room), np.uint32),
            np.zeros((levels + 1, room), np.uint32), np.zeros((levels + 1, room + 1), np.uint32), np.zeros((levels + 1, room), np.uint8),
            np.zeros(NOW, np.int64),
        )  # fmt: skip
        if old is None:
            return
        self.work.frame[:], self.work.now[:] = old.frame, old.now
        had = old.child.shape[1]
        for name in ("child", "members", "other", "queued"):
            getattr(self.work, name)[:, :had] = getattr(old, name)
        for level in range(levels + 1):  # the rings are laid out anew
            head, tail = int(old.frame[level, HEAD]), int(old.frame[level, TAIL])
            ring = old.queue[level]
            waiting = ring[head:tail] if head <= tail else np.concatenate([ring[head:], ring[:tail]])
            self.work.queue[level, : len(waiting)] = waiting
            self.work.frame[level, HEAD], self.work.frame[level, TAIL] = 0, len(waiting)

    @property
    def size(self) -> int:
        """Nodes in the forest, also those that are of no more use."""
        return int(self.forest.nodes[0]) - 2

    # --- sets

    def of_vectors(self, vectors: Array) -> int:
        """The set of these vectors: (number, L), no two alike, in any order."""
        if not len(vectors):
            return EMPTY
        order = np.lexsort(vectors.T[::-1])
        vectors = np.ascontiguousarray(vectors[order], np.uint32)
        levels = self.levels
        found = np.full(len(vectors), TRUE, np.uint32)  # the node of each row's suffix
        for level in range(levels - 1, -1, -1):
            new = np.ones(len(vectors), bool)
            if level:
                new[1:] = (vectors[1:, :level] != vectors[:-1, :level]).any(axis=1)
            else:
                new[1:] = False
            begins = [*np.flatnonzero(new).tolist(), len(vectors)]
            labels = np.ascontiguousarray(vectors[:, level])
            kept = np.zeros(len(begins) - 1, np.uint32)
            for k, (begin, end) in enumerate(itertools.pairwise(begins)):
                kept[k] = self.node(level, labels[begin:end], found[begin:end])
            vectors, found = vectors[new], kept
        return int(found[0])

    def node(self, level: int, labels: Array, children: Array) -> int:
        """The node with these edges."""
        labels, children = np.asarray(labels, np.uint32), np.asarray(children, np.uint32)
        while not self._has_room(len(labels)):
            self.grow()
        return int(nodes.make(self.forest, level, labels, children, len(labels)))

    def saturated(self, node: int, kept: Sequence[int] = ()) -> int:
        """All that is reachable from a set of vectors. Raises what the model's code raises, EndlessError and StoppedError. Sets that are neither
        this nor `kept` may be swept away."""
        self._kept = (node, *kept)
        try:
            return self._run(lambda: fire(self.fires, self.tables.record(), self.work, 0, 0, node), closes=True)
        finally:
            self._kept = ()

    def image(self, event: int, node: int) -> int:
        """What an event makes of the vectors of a node."""
        return self._run(lambda: fire(self.fires, self.tables.record(), self.work, 0, event, node), closes=False)

    def union(self, a: int, b: int, level: int = 0) -> int:
        return self._run(lambda: union(self.unions, self.work, level, a, b), level=level)

    def _run(self, begin: Callable[[], int], *, closes: bool | None = None, level: int = 0) -> int:
        """Has an operation begun, and goes on with it until it has its answer. `closes` says whether what is fired is brought to its
        fixpoint; None where nothing is fired."""
        now = self.work.now
        if closes is not None and bool(now[CLOSES]) != closes:
            now[CLOSES] = closes
            self.fires.entry[:] = 0
        answer = begin()
        if answer >= 0:
            return int(answer)
        now[LEVEL] = now[BASE] = level
        while True:
            why = saturate(self.forest, self.unions, self.fires, self.tables.record(), self.work, BEAT)
            now = self.work.now
            self._remember_more()
            if why == DONE:
                return int(now[ANSWER])
            if self._told is not None:
                self._told(self)
            if why == PAUSE:
                beat()
            elif why == FULL:
                self.grow()
            else:
                self._supply(why, int(now[ASK_A]), int(now[ASK_B]), int(now[ASK_C]))

    def _supply(self, what: int, a: int, b: int, c: int) -> None:
        tables = self.tables
        if what == NO_ROWS:
            tables.fill_rows(a, b)
        elif what == NO_EVENT:
            tables.fill_event(a, b)
        else:
            first = self.forest.first
            beside = self.forest.label[first[c] : first[c + 1]] if c >= 0 else ()
            tables.fill_push(a, np.array([b, *beside], np.int64))
        if tables.room > self.work.child.shape[1]:
            self._work(tables.room)

    # --- room

    def _has_room(self, edges: int) -> bool:
        f = self.forest
        count = int(f.nodes[0])
        return count + 2 < len(f.first) and f.first[count] + edges <= len(f.label) and 2 * (count + 1) < len(f.table)

    def grow(self) -> None:
        """Makes more room for nodes or edges, whatever is short."""
        f, count = self.forest, int(self.forest.nodes[0])
        first, level, digest, closed, label, child, table = f[:7]
        if count + 3 >= len(first):
            make_room(17 * 2 * len(first))
            first, level, digest, closed = (longer(array, 2 * len(first)) for array in (first, level, digest, closed))
        room = self.work.child.shape[1]  # for the largest node that there can be
        enough = int(first[count]) + room <= len(label)
        if not enough and self._kept and first[count] >= self._sweep_at:
            self._sweep()
            enough = 2 * int(first[count]) + room <= len(label)  # else it would soon be swept again
        if not enough:
            edges = max(2 * len(label), int(first[count]) + room)
            make_room(8 * edges)
            label, child = longer(label, edges), longer(child, edges)
        if 2 * (count + 2) >= len(table):
            make_room(8 * len(table))
            table = np.zeros(2 * len(table), np.uint32)
        grown = Forest(first, level, digest, closed, label, child, table, f.nodes)
        if table is not f.table:
            nodes.enter_all(grown, table)
        self.forest = grown

    def _sweep(self) -> None:
        """Takes the edges of nodes that are of no more use. These keep their numbers, which no other node gets."""
        forest, work = self.forest, self.work
        marks = np.zeros(int(forest.nodes[0]), np.uint8)
        marks[list(self._kept)] = 1
        passes.mark_work(work, marks)
        passes.mark_below(forest, marks)
        passes.squeeze(forest, marks)
        forest.table[:] = 0
        nodes.enter_all(forest, forest.table)
        for cache in (self.unions, self.fires):
            passes.forget(cache, marks)

    def _remember_more(self) -> None:
        """Makes caches larger of which much was lost."""
        self.unions, self.fires = (self._larger(cache) for cache in (self.unions, self.fires))

    def _larger(self, cache: Cache) -> Cache:
        places = len(cache.entry) // 2
        if cache.lost[0] < places // 4 or 2 * places > self._most:
            return cache
        make_room(32 * places)
        larger = _cache(2 * places)
        nodes.rehash(cache, larger)
        return larger


def _cache(places: int) -> Cache:
    return Cache(np.zeros(2 * places, np.uint64), np.zeros(1, np.int64))
