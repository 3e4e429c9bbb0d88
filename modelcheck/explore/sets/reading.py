"""What is read off a diagram: how many vectors a set has, which are terminal, what they look like to somebody. No state is visited."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from ...pulse import beat, make_room
from . import passes
from .alphabet import CHANGES, Array
from .diagram import Diagram
from .records import AT, EMPTY, FIRST, PLAIN, TRUE

Vector = tuple[int, ...]


class TooManyError(Exception):
    """There are more different ones than are looked at one by one."""


class SetReader:
    """Reads sets of states, which are nodes of the first level of a diagram."""

    def __init__(self, diagram: Diagram) -> None:
        self.diagram, self.tables = diagram, diagram.tables

    # --- numbers

    def size(self, root: int) -> tuple[int, int]:
        """How many nodes and edges a set has."""
        nodes, edges = passes.mark(self.diagram.forest, root, np.zeros(root + 1, np.uint8))
        return int(nodes), int(edges)

    def states(self, root: int) -> int:
        """How many states there are in a set."""
        return self._added_up(root, np.zeros(self.tables.room, np.uint64))[0]

    def transitions(self, root: int) -> int:
        """How many transitions lead out of the states of a set: all outcomes of all steps."""
        taken, total = self.tables.taken, 0
        for block, below in self._by_block(root):
            blocks = {PLAIN, block}
            weights = [sum(taken.get((b, number), 0) for b in blocks) for number in range(self.tables.room)]
            total += self._added_up(below, np.array(weights, np.uint64))[1]
        return total

    def _by_block(self, root: int) -> Iterator[tuple[int, int]]:
        """A set by the environments: the block of each, and what is below it; where none can change block 0, and all of it."""
        if not self.tables.environments:
            yield PLAIN, root
            return
        for label, child in self.edges(root):
            yield FIRST + label, child

    def edges(self, node: int) -> list[tuple[int, int]]:
        """The edges of a node: label and child."""
        f = self.diagram.forest
        begin, end = int(f.first[node]), int(f.first[node + 1])
        return list(zip(f.label[begin:end].tolist(), f.child[begin:end].tolist(), strict=True))

    def _added_up(self, root: int, weights: Array) -> tuple[int, int]:
        """How many vectors a node has, and the sum of the weights of all their members."""
        if root == EMPTY:
            return 0, 0
        marks = self._marks(root)
        bits = self.diagram.levels * math.log2(len(self.tables.members) + 2) + 32
        parts = int(bits / 32) + 2
        make_room(16 * parts * (root + 1))
        below, weighed = np.zeros((root + 1, parts), np.uint64), np.zeros((root + 1, parts), np.uint64)
        passes.add_up(self.diagram.forest, marks, weights, below, weighed)
        return tuple(sum(int(part) << (32 * k) for k, part in enumerate(number[root])) for number in (below, weighed))  # type: ignore[return-value]

    def _marks(self, root: int) -> Array:
        marks = np.zeros(root + 1, np.uint8)
        passes.mark(self.diagram.forest, root, marks)
        return marks

    def present(self, root: int) -> Array:
        """Which members stand at each level: (L, M) uint8."""
        found = np.zeros((self.diagram.levels, self.tables.room), np.uint8)
        if root != EMPTY:
            passes.labels_of(self.diagram.forest, self._marks(root), found)
        return found

    def members_at(self, root: int) -> list[list[int]]:
        """The same as lists, by level."""
        return [np.flatnonzero(row).tolist() for row in self.present(root)]

    # --- parts

    def restricted(self, root: int, allowed: Array) -> int:
        """The states in which each level has a member that is allowed there: (L, M) uint8."""
        if root == EMPTY:
            return EMPTY
        diagram, marks, at = self.diagram, self._marks(root), 2
        new = np.zeros(root + 1, np.uint32)
        labels, children = np.zeros(self.tables.room, np.uint32), np.zeros(self.tables.room, np.uint32)
        while True:
            at = int(passes.restrict(diagram.forest, at, marks, allowed, new, labels, children))
            if at == root + 1:
                return int(new[root])
            diagram.grow()
            beat()

    def only(self, allowed: Mapping[int, Iterable[int]]) -> Array:
        """For `restricted`: at these levels these members alone."""
        found = np.ones((self.diagram.levels, self.tables.room), np.uint8)
        for level, numbers in allowed.items():
            found[level] = 0
            found[level, list(numbers)] = 1
        return found

    def terminal(self, root: int) -> int:
        """The states of a set in which no process can change anything, faults aside, and no step fails."""
        found = EMPTY
        for block, below in self._by_block(root):
            part = root if block == PLAIN else self.diagram.node(0, np.array([block - FIRST]), np.array([below]))
            found = self.diagram.union(found, self._terminal(part, block))
        return found

    def _terminal(self, root: int, block: int) -> int:
        """The same of states that have the environment of the block."""
        tables = self.tables
        blocks = {PLAIN, block}
        moving = {
            number: set().union(*(tables.moving.get((b, number), set()) for b in blocks))
            for number in range(len(tables.members))
        }
        quiet = [number for number, deeds in moving.items() if CHANGES not in deeds]
        levels = range(tables.environments, self.diagram.levels)
        found = self.restricted(root, self.only(dict.fromkeys(levels, quiet)))
        for level in levels:
            for deed in sorted({deed for number in quiet for deed in moving[number]}):
                doing = [number for number in quiet if deed in moving[number]]
                found = self._unless_it_changes(found, level, deed, doing)
        return found

    def _unless_it_changes(self, root: int, level: int, deed: int, doing: Sequence[int]) -> int:
        """Without the states in which one of these members stands at this level and what it sends changes somebody."""
        if root == EMPTY or not self.present(root)[level, list(doing)].any():
            return root
        event = int(self.tables.event_of[level, deed])
        assert self.tables.event[event, AT] == level
        stays: dict[int, list[int]] = {}
        for to, numbers in enumerate(self.members_at(root)):
            delivery = int(self.tables.delivery[event, to])
            if delivery and to != level:  # what it sends to itself was looked at
                self.tables.fill_push(delivery, numbers)
                stays[to] = [number for number in numbers if self.tables.push[delivery, number] == number]
        others = self.only({})
        others[level, list(doing)] = 0
        return self.diagram.union(
            self.restricted(root, others), self.restricted(root, self.only({**stays, level: doing}))
        )

    # --- what somebody sees

    def seen(self, root: int, class_of: Array, environment_of: Array) -> int:
        """The set with every member replaced by that of its class that stands for it: (members,) and (environments,)."""
        return self.diagram.image(self.tables.relabelling(class_of, environment_of), root)

    def spelled(
        self, root: int, key: Callable[[int, int], tuple[int, Hashable]], width: int, most: int
    ) -> dict[tuple[Hashable, ...], Vector]:
        """The vectors of a set as somebody sees them, each with one that looks so. `key` says of a level and a label in which of `width`
        places it is seen, and as what. Raises TooManyError where on the way there are more than `most` that differ."""
        nothing: tuple[Hashable, ...] = (None,) * width
        front: dict[int, dict[tuple[Hashable, ...], Vector]] = {root: {nothing: ()}} if root != EMPTY else {}
        for level in range(self.diagram.levels):
            after: dict[int, dict[tuple[Hashable, ...], Vector]] = {}
            keys: dict[int, tuple[int, Hashable]] = {}
            count = 0
            for node, views in front.items():
                beat()
                for label, child in self.edges(node):
                    if label not in keys:
                        keys[label] = key(level, label)
                    place, what = keys[label]
                    known = after.setdefault(child, {})
                    before = len(known)
                    for view, vector in views.items():
                        more = (*view[:place], what, *view[place + 1 :])
                        if more not in known:
                            known[more] = (*vector, label)
                    count += len(known) - before
                    if count > most:
                        raise TooManyError(f"there are more than {most:,} ways in which states look to it")
            front = after
        return front.get(TRUE, {})

    def some_vector(self, root: int) -> Vector:
        """The first vector of a set that is not empty."""
        found = []
        for _ in range(self.diagram.levels):
            label, root = self.edges(root)[0]
            found.append(label)
        return tuple(found)

    def has(self, root: int, vector: Sequence[int]) -> bool:
        """Whether a vector is in a set."""
        for label in vector:
            root = dict(self.edges(root)).get(label, EMPTY)
            if root == EMPTY:
                return False
        return True
