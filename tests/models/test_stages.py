"""Stages (handbook B3)."""

from collections.abc import Sequence
from itertools import permutations
from math import floor, log2

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts


def messages(ids: Sequence[int]) -> int:
    """2n in each stage, among those who were smaller than both neighbours in the stage before; n to notify."""
    n, total = len(ids), len(ids)
    while True:
        total += 2 * n
        if len(ids) == 1:
            return total
        ids = [own for i, own in enumerate(ids) if own < min(ids[i - 1], ids[(i + 1) % len(ids)])]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_it_is_correct_for_every_naming_of_the_ports(n: int) -> None:
    # Handbook B5, K9: Stages survives every port naming.
    result = check("stages", n=n)
    assert result.verdict == "HOLDS"
    assert result.represented == [1, 2, 6, 24][n - 1] * 2**n


@pytest.mark.parametrize("n", [2, 3, 4])
def test_it_can_elect_the_maximum_instead(n: int) -> None:
    result = check("stages", n=n, graph="two_way_ring", parameters={"elects": "max"})
    assert result.property("leader_is_the_maximum").verdict == "holds"


@pytest.mark.parametrize("model", ["stages", "stages:WokenYields"])
@pytest.mark.parametrize("network", ["fifo", "bag"])
def test_it_is_correct_whoever_starts(model: str, network: str) -> None:
    result = check(model, n=[1, 2, 3], network=network, initiators="each")
    assert result.verdict == "HOLDS"


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_messages_do_not_depend_on_the_schedule(n: int) -> None:
    # Handbook B3 [checked n<=4]; nor do they depend on who starts.
    for world, least, greatest in message_counts("stages", n):
        ids = [identifier or 0 for identifier in world.identifiers]
        assert least == greatest == messages(ids), world


@pytest.mark.parametrize("n", range(1, 9))
def test_totals_over_all_arrangements(n: int) -> None:
    # Worst 2n floor(lg n) + 3n: Franklin, CACM 25(5); slides. Best 5n: handbook B3.
    totals = {(1, *rest): messages((1, *rest)) for rest in permutations(range(2, n + 1))}
    assert min(totals.values()) == (5 * n if n > 1 else 3)
    assert max(totals.values()) == 2 * n * floor(log2(n)) + 3 * n


def test_best_and_worst_arrangement() -> None:
    # Slides: "Best case?" One local minimum. Worst: every stage leaves half of them.
    assert messages((1, 3, 5, 7, 8, 6, 4, 2)) == 5 * 8
    assert messages((1, 5, 3, 7, 2, 6, 4, 8)) == 2 * 8 * 3 + 3 * 8


@pytest.mark.parametrize("n", [2, 3])
def test_leading_on_the_first_own_identifier_disturbs_those_who_have_decided(n: int) -> None:
    # Catalogue L 23: the second own Election reaches an entity that has decided already. The shortest run: one starts, all take both
    # messages of stage 1, n-1 pass on the smallest's message of stage 2 and it takes it: 1 + 2n + n; then n-1 pass on its Notify the
    # same way, and the last of them has the other message waiting.
    result = check("stages:LeadsEarly", n=n)
    assert result.property("at_most_one_leader").verdict == "holds"
    disturbed = result.property("the_decided_are_left_alone")
    assert disturbed.verdict == "violated"
    assert disturbed.trace is not None
    assert disturbed.trace.length == 4 * n


@pytest.mark.parametrize("n", [2, 3])
def test_leading_early_makes_the_count_depend_on_the_schedule(n: int) -> None:
    # Handbook B3, variant 1: n+1 notifications instead of n, and the count varies.
    counts = list(message_counts("stages:LeadsEarly", n))
    assert any(least < greatest for _, least, greatest in counts)
    assert max(greatest for *_, greatest in counts) > max(high for *_, high in message_counts("stages", n))


@pytest.mark.parametrize("model", ["stages", "stages:LaterStagesWait"])
def test_on_a_bag_it_stays_safe(model: str) -> None:
    # Handbook B3, variant 2: no safety violation for n<=5 on a bag [checked]; here up to 4, oriented.
    result = check(model, n=[2, 3, 4], network="bag", graph="two_way_ring")
    assert result.verdict == "HOLDS"


def test_waiting_for_ones_stage_restores_the_count_of_fifo() -> None:
    # Handbook B3, variant 2: with the slide's queue the count on a bag is that of fifo.
    policy = Policy()
    fifo = {world: (low, high) for world, low, high in message_counts("stages", 3, policy=policy)}
    bag = {
        world: (low, high)
        for world, low, high in message_counts("stages:LaterStagesWait", 3, policy=policy, network="bag")
    }
    assert bag == fifo


def test_without_closed_ports_it_stays_correct_and_pays_with_messages() -> None:
    # Handbook B3, variant 3: "let the checker find the consequences". Nothing breaks up to n=4; the count varies.
    assert check("stages:PortsStayOpen", n=[1, 2, 3]).verdict == "HOLDS"
    assert check("stages:PortsStayOpen", n=4, graph="two_way_ring").verdict == "HOLDS"
    counts = list(message_counts("stages:PortsStayOpen", 3))
    assert any(least < greatest for _, least, greatest in counts)
