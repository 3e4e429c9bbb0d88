"""The rooted spanning tree (handbook G1)."""

import networkx as nx
import pytest

from modelcheck import check
from modelcheck.language.topology import any_graph

from .counting import message_counts


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_it_builds_a_tree_on_every_connected_graph(n: int) -> None:
    result = check("spanning_tree", n=n)
    assert result.verdict == "HOLDS"
    assert result.sizes[0].represented == n * [1, 1, 2, 6][n - 1]  # roots times connected graphs (OEIS A001349)


@pytest.mark.parametrize("network", ["fifo", "bag"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_messages_are_exactly_those_of_the_formula_on_every_graph_and_schedule(n: int, network: str) -> None:
    _counts_are_exact(n, network)


@pytest.mark.thorough
def test_messages_are_exactly_those_of_the_formula_for_four_processes() -> None:
    _counts_are_exact(4, "fifo")


def _counts_are_exact(n: int, network: str) -> None:
    # 2 (2m - n + 1) [derived, checked on all graphs n<=4 in the handbook].
    for world, least, greatest in message_counts("spanning_tree", n, network=network):
        m = len(world.shape.links) // 2
        assert least == greatest == 2 * (2 * m - n + 1), world


@pytest.mark.parametrize(
    ("graph", "n", "messages"),
    [("complete", n, k) for n, k in [(2, 2), (3, 8), (4, 18)]]
    + [("two_way_ring", n, k) for n, k in [(3, 8), (4, 10), (5, 12), (6, 14)]],
)
def test_messages_on_complete_graphs_and_rings(graph: str, n: int, messages: int) -> None:
    # Handbook G2, table. A run is the root's start and one reception for each message.
    assert check("spanning_tree", graph=graph, n=n).depth == 1 + messages


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_some_schedule_builds_every_spanning_tree_there_is(n: int) -> None:
    # Handbook G1: the shape depends on the schedule. A terminal state is a root and a tree, and Kirchhoff's theorem counts those.
    result = check("spanning_tree", n=n, symmetry=False)
    trees = sum(round(nx.number_of_spanning_trees(shape.graph())) for shape in any_graph.shapes(n))
    assert result.terminal_states == n * trees


def test_some_schedule_builds_every_spanning_tree_of_a_ring() -> None:
    # Leave out any one of six edges, from any of six roots.
    assert check("spanning_tree", graph="two_way_ring", n=6).terminal_states == 36


def test_a_leaf_that_never_tests_its_counter_waits_for_ever() -> None:
    # Catalogue L 6: n=2, Invite, Accept; the leaf is not done. The root's start is the third step.
    result = check("spanning_tree:AsPrinted", n=2)
    assert result.exit_code == 11
    trace = result.property("everyone_is_done").trace
    assert trace is not None
    assert [step.step for step in trace.steps] == ["begin", "join_or_reject", "adopt"]


@pytest.mark.parametrize("graph", ["star", "line", "two_way_ring", "complete", "hypercube"])
def test_it_takes_any_named_graph(graph: str) -> None:
    assert check("spanning_tree", n=4, graph=graph).verdict == "HOLDS"
