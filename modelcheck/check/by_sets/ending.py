"""Whether all runs end, and how many messages they send.

Every process gets a number that says how many messages it has sent: history, which changes nothing of what it does. The set that is reachable
then is finite if and only if no run sends without end. Where messages are used up when they are received, a run without end receives no more
from some moment on, and then takes nothing but steps of which nobody else notices anything: some process goes in a circle by these alone. So
where there is no such circle either, all runs end, under whatever scheduler.
"""

from __future__ import annotations

import networkx as nx
import numpy as np

from ...explore.sets import passes
from ...explore.sets.alphabet import AlphabetTables, Array
from ...explore.sets.reading import SetReader
from ...explore.sets.records import EMPTY, NONE, PLAIN, TRUE
from ...pulse import attended

MOST_PAIRS = 50_000_000  # of a node and a world, where means are counted


def goes_in_circles(tables: AlphabetTables) -> bool:
    """Whether some process can change again and again while nobody sends: steps that receive nothing and send nothing lead round."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    for block, number in tables.taken:
        if block != PLAIN:  # a fault, and there is an end to them
            continue
        begin, end = tables.span[block, number].tolist()
        component = tables.members.by_number[number].component
        for deed, after in tables.row[begin:end].tolist() if begin != NONE else ():
            if after == number:  # nothing changes
                continue
            later = tables.members.by_number[after].component
            if not tables.deeds.by_number[deed].sends and sum(map(len, later.inbox)) >= sum(map(len, component.inbox)):
                graph.add_edge(number, after)
    return not nx.is_directed_acyclic_graph(graph)


class Assignments:
    """Numbers for the worlds of a size, by which their states in any diagram tell them apart."""

    def __init__(self, tables: AlphabetTables) -> None:
        """With the tables in which all their initial states have been numbered."""
        self._kinds: dict[object, int] = {}
        self._scale = [1] * tables.levels
        of = self._of_members(tables)
        self.many = (len(self._kinds) + 1) ** tables.levels >= 1 << 62  # more than fit a number
        if not self.many:
            self._scale = [(len(self._kinds) + 1) ** (tables.levels - 1 - level) for level in range(tables.levels)]
        self._first = tables.environments, of

    def _of_members(self, tables: AlphabetTables) -> Array:
        members = tables.members.by_number
        kinds = (self._kinds.setdefault((m.component.profile, m.wires), len(self._kinds)) for m in members)
        return np.fromiter(kinds, np.int64, len(members))

    def numbers(self, vectors: Array) -> Array:
        """Those of the worlds of these vectors of the first tables."""
        environments, of = self._first
        levels = range(environments, vectors.shape[1])
        return sum((of[vectors[:, level]] * self._scale[level] for level in levels), np.zeros(len(vectors), np.int64))

    def least_and_greatest(self, reader: SetReader, root: int) -> tuple[Array, Array, Array] | None:
        """The numbers of all worlds of a set of terminal states, sorted, and in each the least and the greatest sum of the histories. None where
        they are too many."""
        tables, f = reader.tables, reader.diagram.forest
        if root == EMPTY or self.many:
            return None
        kind = self._of_members(tables)
        history = np.array([member.history for member in tables.members.by_number], np.int64)
        marks = np.zeros(root + 1, np.uint8)
        passes.mark(f, root, marks)
        nothing = np.zeros(1, np.int64)
        known: dict[int, tuple[Array, Array, Array]] = {TRUE: (nothing, nothing, nothing)}
        pairs = 0
        for node in attended(np.flatnonzero(marks)[2 if marks[0] else 1 :].tolist()):
            level = int(f.level[node])
            is_member = level >= tables.environments
            parts = []
            for label, child in reader.edges(node):
                numbers, low, high = known[child]
                add, more = (kind[label] * self._scale[level], history[label]) if is_member else (0, 0)
                parts.append((numbers + add, low + more, high + more))
            numbers, low, high = (np.concatenate(part) for part in zip(*parts, strict=True))
            order = np.argsort(numbers, kind="stable")
            numbers = numbers[order]
            begins = np.flatnonzero(np.concatenate([[True], numbers[1:] != numbers[:-1]]))
            known[node] = (
                numbers[begins], np.minimum.reduceat(low[order], begins), np.maximum.reduceat(high[order], begins),
            )  # fmt: skip
            pairs += len(begins)
            if pairs > MOST_PAIRS:
                return None
        return known[root]
