"""Whether recorded transitions have a cycle, against networkx, however many are looked at in one go."""

from __future__ import annotations

from unittest.mock import patch

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelcheck.explore.compiled import cycles

GRAPHS = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=3), min_size=n, max_size=n)
)


def has_cycle(successors: list[list[int]]) -> bool:
    count = len(successors)
    begin = np.cumsum([0, *map(len, successors)])
    targets = np.array([target for row in successors for target in row], np.int32)
    return bool(cycles.has_cycle(begin, targets, count, np.zeros(count, np.int32), np.zeros(count, np.int32)))


@pytest.mark.parametrize("at_once", [1, 2, 1000])
@settings(max_examples=100, deadline=None)
@given(GRAPHS)
def test_there_is_a_cycle_where_a_walk_can_come_back(at_once: int, successors: list[list[int]]) -> None:
    edges = [(source, target) for source, row in enumerate(successors) for target in row]
    with patch.object(cycles, "SLICE", at_once):
        assert has_cycle(successors) == (not nx.is_directed_acyclic_graph(nx.MultiDiGraph(edges)))


def test_a_single_state_that_leads_to_a_twin_of_itself_is_a_cycle() -> None:
    assert has_cycle([[1], [1]])
    assert not has_cycle([[1], []])
