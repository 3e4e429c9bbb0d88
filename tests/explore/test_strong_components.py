"""Components are those of two other algorithms, and a cycle that is left out is noticed."""

from __future__ import annotations

from random import Random

import networkx as nx
import numpy as np
import pytest

from modelcheck.count.extremes import returning
from modelcheck.explore.strong_components import has_cycle, no_cycle_through_several, sources_of, strong_components


def multigraph(random: Random) -> tuple[list[int], list[int]]:
    """Edges as the engines keep them: repeated, to themselves, in any order."""
    nodes = random.randint(1, 12)
    first, targets = [0], list[int]()
    for _ in range(nodes):
        targets += [random.randrange(nodes) for _ in range(random.choice((0, 0, 1, 1, 2, 3, 6)))]
        first.append(len(targets))
    return first, targets


def reachable(first: list[int], targets: list[int]) -> list[set[int]]:
    """For each node those that a way leads to, itself included: by going there."""
    found = []
    for begin in range(len(first) - 1):
        met, waiting = {begin}, [begin]
        while waiting:
            node = waiting.pop()
            new = set(targets[first[node] : first[node + 1]]) - met
            met |= new
            waiting += new
        found.append(met)
    return found


def classes(labels: object) -> set[frozenset[int]]:
    values = np.asarray(labels)
    return {frozenset(np.flatnonzero(values == label).tolist()) for label in set(values.tolist())}


@pytest.mark.parametrize("seed", range(200))
def test_components_of_multigraphs_are_those_of_networkx_and_of_walking_about(seed: int) -> None:
    first, targets = multigraph(Random(seed))
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(len(first) - 1))
    sources = sources_of(np.array(first)).tolist()
    graph.add_edges_from(zip(sources, targets, strict=True))
    reach = reachable(first, targets)
    walked = {frozenset(other for other in reach[node] if node in reach[other]) for node in range(len(reach))}
    arrays = np.array(first), np.array(targets, np.int32)
    before = [array.copy() for array in arrays]
    found = classes(strong_components(*arrays))
    assert found == walked == {frozenset(c) for c in nx.strongly_connected_components(graph)}
    assert all(np.array_equal(a, b) for a, b in zip(arrays, before, strict=True))
    assert has_cycle(first, targets) == any(len(component) > 1 for component in walked)
    back = [source in reach[target] for source, target in zip(sources, targets, strict=True)]
    assert returning(*arrays).tolist() == back


@pytest.mark.parametrize("seed", range(100))
def test_classes_leave_out_no_cycle_exactly_if_all_nodes_of_each_cycle_are_in_one(seed: int) -> None:
    random = Random(seed)
    first, targets = multigraph(random)
    labels = np.array([random.randrange(random.randint(1, 12)) for _ in range(len(first) - 1)])
    sources = sources_of(np.array(first))
    joined = nx.DiGraph()
    joined.add_edges_from((int(labels[a]), int(labels[b])) for a, b in zip(sources, targets, strict=True))
    joined.remove_edges_from(list(nx.selfloop_edges(joined)))
    expected = nx.is_directed_acyclic_graph(joined)
    assert no_cycle_through_several(labels, sources, np.array(targets, np.int32)) == expected


def test_components_that_leave_out_a_cycle_are_never_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """0 and 1 lead to each other; each for itself, they would be on no cycle."""
    monkeypatch.setattr("scipy.sparse.csgraph.connected_components", lambda *_, **__: (2, np.array([0, 1])))
    with pytest.raises(AssertionError, match="leave out a cycle"):
        strong_components(np.array([0, 1, 2]), np.array([1, 0]))
