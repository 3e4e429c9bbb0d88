"""Saturation of a tree, on which the elections in a tree are built."""

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
def test_two_neighbours_are_saturated_whoever_starts(network: str) -> None:
    assert check("saturation", n=(1, 2, 3), network=network, initiators="each").verdict == "HOLDS"


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("k", [1, 2])
def test_messages(n: int, k: int) -> None:
    # Santoro: a wake-up each way over each link, less one for each that is woken, and a report of each: 2(n-1) - (n-k) + n.
    policy = Policy(initiators=tuple(range(1, k + 1)))
    for _, least, greatest in message_counts("saturation", n, policy=policy, start="simultaneous"):
        assert least == greatest == 2 * n + k - 2
