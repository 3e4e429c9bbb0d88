"""Broadcast in a rooted tree (handbook F3)."""

import pytest

from modelcheck import check

from .counting import message_counts


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
def test_everyone_in_every_tree_is_informed(network: str) -> None:
    result = check("tree_broadcast", n=[1, 2, 3, 4, 5, 6], network=network)
    assert result.verdict == "HOLDS"
    assert [size.represented for size in result.sizes] == [1, 2, 3, 8, 15, 36]  # roots times trees (OEIS A000055)


def test_both_engines_agree() -> None:
    reference, compiled = (check("tree_broadcast", n=4, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_it_takes_one_message_an_edge(n: int) -> None:
    # n - 1 [handbook F3].
    for world, least, greatest in message_counts("tree_broadcast", n):
        assert least == greatest == n - 1, world


def test_a_lost_message_leaves_somebody_uninformed() -> None:
    # Two processes, one message: begin, lose.
    found = check("tree_broadcast", n=2, losses=1).property("everyone_is_informed")
    assert found.verdict == "violated"
    assert found.trace is not None
    assert found.trace.length == 2
