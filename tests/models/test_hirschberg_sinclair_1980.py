"""Hirschberg and Sinclair as published: with the no that is sent back, and with early defeat."""

from collections.abc import Sequence
from itertools import permutations
from math import ceil, log2

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts


def most(ids: Sequence[int]) -> int:
    """With everyone started, if nobody begins a phase before all have ended the last: then nobody loses to what passes by before
    its own echoes say so. A probe and its echo go min(2^k, the distance to the next greater) far, an own probe all the way round."""
    n = total = len(ids)
    for i, own in enumerate(ids):
        free = [next((d for d in range(1, n) if ids[(i + way * d) % n] > own), n) for way in (1, -1)]
        reach = 1
        while True:
            total += sum(n if d == n <= reach else 2 * min(reach, d) for d in free)
            if min(free) <= reach:
                break
            reach *= 2
    return total


def of_the_winner(n: int) -> int:
    """What the greatest alone causes: 2^k far and back both ways as long as 2^k < n, then all the way round, and Leader."""
    return sum(4 * 2**k for k in range(n) if 2**k < n) + 2 * n + n


@pytest.mark.parametrize(
    ("n", "network"),
    [(1, "fifo"), (2, "fifo"), (3, "fifo"), (2, "set"), (2, "bag"), pytest.param(3, "bag", marks=pytest.mark.thorough)],
)
def test_it_is_correct_for_every_naming_of_the_ports(n: int, network: str) -> None:
    result = check("hirschberg_sinclair_1980", n=n, network=network)
    assert result.verdict == "HOLDS"
    assert result.represented == [1, 2, 6][n - 1] * 2**n


@pytest.mark.thorough
def test_it_is_correct_on_a_ring_of_four() -> None:
    assert check("hirschberg_sinclair_1980", n=4, graph="two_way_ring").verdict == "HOLDS"


def test_it_is_correct_whoever_starts() -> None:
    result = check("hirschberg_sinclair_1980", n=3, graph="two_way_ring", initiators="each")
    assert result.verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (
        check("hirschberg_sinclair_1980", n=2, engine=engine) for engine in ("reference", "compiled")
    )
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize("arrangement", ["unique", pytest.param((4, 1, 3, 2), marks=pytest.mark.thorough)])
def test_greatest_numbers_of_messages_when_all_start_first(arrangement: str | tuple[int, ...]) -> None:
    # The bound of the paper, without the announcement: its 8n + 8 ceil(n lg n) holds of every arrangement.
    n = 3 if arrangement == "unique" else 4
    worlds = message_counts("hirschberg_sinclair_1980", n, policy=Policy(arrangement), start="simultaneous")
    for world, _, greatest in worlds:
        ids = [identifier or 0 for identifier in world.identifiers]
        assert greatest == most(ids), world
        assert greatest - n <= 8 * n + 8 * ceil(n * log2(n))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_fewest_messages_where_those_who_sleep_are_beaten_first(n: int) -> None:
    for _, least, _ in message_counts("hirschberg_sinclair_1980", n):
        assert least == of_the_winner(n)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_fewest_messages_when_all_start_first(n: int) -> None:
    # Everyone else probes in both directions once, is echoed twice, and has lost: 4 each.
    counts = message_counts("hirschberg_sinclair_1980", n, start="simultaneous")
    assert min(least for _, least, _ in counts) == of_the_winner(n) + 4 * (n - 1) == 7 * n - 8 + 4 * 2 ** ceil(log2(n))


@pytest.mark.parametrize("n", range(1, 9))
def test_the_bound_of_the_paper_holds_of_every_arrangement_of_larger_rings_too(n: int) -> None:
    totals = [most((n, *rest)) for rest in permutations(range(1, n))]
    assert min(totals) == of_the_winner(n) + 4 * (n - 1)
    assert max(totals) <= 9 * n + 8 * ceil(n * log2(n))


def test_stragglers_spare_those_who_have_lost_where_links_keep_the_order() -> None:
    # In the textbooks' version a reply that comes late sends a follower into another phase, from n=4 on.
    found = check("hirschberg_sinclair_1980", ids="1,3,2,4", graph="two_way_ring").property("nobody_who_follows_probes")
    assert found.verdict == "holds"
