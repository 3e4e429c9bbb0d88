"""Flooding (handbook G2)."""

import pytest

from modelcheck import check

from .counting import message_counts


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
def test_everyone_on_every_connected_graph_is_informed(network: str) -> None:
    result = check("flooding", n=[1, 2, 3, 4], network=network)
    assert result.verdict == "HOLDS"
    assert [size.represented for size in result.sizes] == [1, 2, 6, 24]  # roots times connected graphs (OEIS A001349)


def test_both_engines_agree() -> None:
    reference, compiled = (check("flooding", n=3, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_messages_do_not_depend_on_the_schedule(n: int) -> None:
    # 2m - n + 1: everyone sends on all its ports (2m in all), but not back to whom it has the message from (n - 1 do not).
    for world, least, greatest in message_counts("flooding", n):
        m = len(world.shape.links) // 2
        assert least == greatest == 2 * m - n + 1, world


@pytest.mark.parametrize(
    ("graph", "n", "messages"),
    [("complete", n, k) for n, k in [(2, 1), (3, 4), (4, 9), (5, 16)]]
    + [("two_way_ring", n, k) for n, k in [(3, 4), (4, 5), (5, 6), (6, 7)]],
)
def test_messages_on_complete_graphs_and_rings(graph: str, n: int, messages: int) -> None:
    # Handbook G2, table. A run is the root's start and one reception for each message.
    assert check("flooding", graph=graph, n=n).depth == 1 + messages


def test_duplicates_do_no_harm() -> None:
    assert check("flooding", n=3, duplications=2).verdict == "HOLDS"


def test_one_lost_message_leaves_somebody_uninformed_only_across_a_bridge() -> None:
    assert check("flooding", n=3, graph="line", losses=1).property("everyone_is_informed").verdict == "violated"
    assert check("flooding", n=4, graph="two_way_ring", losses=1).verdict == "HOLDS"
