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
from ...explore.sets.records import EMPTY, NONE, PLAIN

MOST_PAIRS = 5_000_000  # of a node and a world, where means are counted


def goes_in_circles(tables: AlphabetTables) -> bool:
    """Whether some process can change again and again while nobody sends: steps that receive nothing and send nothing lead round."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    for block, number in tables.taken:
        if block != PLAIN:  # a fault, and there is an end to them
            continue
        begin, end = tables.span[block, number].tolist()
        component = tables.members.by_number[number].component
        for deed, after in tables.row[begin:end].tolist() if begin != NONE else ():
            later = tables.members.by_number[after].component
            if not tables.deeds.by_number[deed].sends and sum(map(len, later.inbox)) >= sum(map(len, component.inbox)):
                graph.add_edge(number, after)
    return not nx.is_directed_acyclic_graph(graph)


def least_and_greatest(reader: SetReader, root: int) -> tuple[Array, Array, Array] | None:
    """Of each world in a set of terminal states a number that tells it from the others, and the least and the greatest sum of histories:
    sorted by the numbers. None where they are too many."""
    tables, f = reader.tables, reader.diagram.forest
    profiles: dict[object, int] = {}
    of_member = np.array(
        [profiles.setdefault((m.component.profile, m.wires), len(profiles)) for m in tables.members.by_number], np.int64
    )
    history = np.array([m.history for m in tables.members.by_number], np.int64)
    base = len(profiles) + 1
    if root == EMPTY or base**tables.levels >= 1 << 62:
        return None
    marks = np.zeros(root + 1, np.uint8)
    passes.mark(f, root, marks)
    known: dict[int, tuple[Array, Array, Array]] = {
        1: (np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64))
    }
    pairs = 0
    for node in np.flatnonzero(marks).tolist():
        if node < 2:
            continue
        level = int(f.level[node])
        scale = base ** (tables.levels - 1 - level)
        keys, low, high = [], [], []
        for label, child in reader.edges(node):
            below = known[child]
            if level < tables.environments:
                add, more = 0, 0
            else:
                add, more = int(of_member[label]) * scale, int(history[label])
            keys.append(below[0] + add)
            low.append(below[1] + more)
            high.append(below[2] + more)
        together = np.concatenate(keys)
        order = np.argsort(together, kind="stable")
        together = together[order]
        begins = np.flatnonzero(np.concatenate([[True], together[1:] != together[:-1]]))
        least = np.minimum.reduceat(np.concatenate(low)[order], begins)
        greatest = np.maximum.reduceat(np.concatenate(high)[order], begins)
        known[node] = together[begins], least, greatest
        pairs += len(begins)
        if pairs > MOST_PAIRS:
            return None
    return known[root]


def code(reader: SetReader, vectors: Array) -> Array:
    """The numbers of the worlds that these vectors are of."""
    tables = reader.tables
    profiles: dict[object, int] = {}
    of_member = np.array(
        [profiles.setdefault((m.component.profile, m.wires), len(profiles)) for m in tables.members.by_number], np.int64
    )
    base, found = len(profiles) + 1, np.zeros(len(vectors), np.int64)
    for level in range(tables.environments, tables.levels):
        found += of_member[vectors[:, level]] * base ** (tables.levels - 1 - level)
    return found
