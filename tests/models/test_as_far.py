"""AsFar on a one-way ring (handbook A5)."""

from fractions import Fraction

import pytest

from modelcheck import check

from .counting import message_counts


@pytest.mark.parametrize("model", ["as_far", "as_far:WokenYields"])
@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
def test_it_is_correct_whoever_starts(network: str, model: str) -> None:
    for elects in ("min", "max"):
        result = check(model, n=[1, 2, 3], network=network, initiators="each", parameters={"elects": elects})
        assert result.verdict == "HOLDS"


@pytest.mark.parametrize("network", ["fifo", "bag"])
def test_it_stands_messages_that_come_twice(network: str) -> None:
    # Only the own identifier makes a leader, and a second Notify is absorbed like the first.
    assert check("as_far", n=[1, 2, 3], network=network, duplications=2).verdict == "HOLDS"


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_messages_when_all_start_first(n: int) -> None:
    # Handbook A5: best 3n-1, worst n(n+1)/2 + n, mean n H_n + n, as Chang and Roberts.
    counts = list(message_counts("as_far", n, start="simultaneous"))
    assert all(least == greatest for _, least, greatest in counts)
    totals = [least for _, least, _ in counts]
    assert min(totals) == 3 * n - 1
    assert max(totals) == n * (n + 1) // 2 + n
    assert Fraction(sum(totals), len(totals)) == n * sum(Fraction(1, k) for k in range(1, n + 1)) + n


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_with_the_maximum_every_arrangement_costs_what_it_costs_chang_and_roberts(n: int) -> None:
    # And no schedule changes that on fifo links: everyone sends its own identifier before it passes on any other.
    when_all_start_first = list(message_counts("chang_roberts", n, start="simultaneous"))
    assert list(message_counts("as_far", n, parameters={"elects": "max"})) == when_all_start_first


@pytest.mark.parametrize("network", ["fifo", "bag"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_where_the_woken_yield_it_is_chang_and_roberts_with_maxid(n: int, network: str) -> None:
    # Who is woken by a better identifier keeps silent: late wakers cost nothing, down to 2n where only the winner starts.
    ours = list(message_counts("as_far:WokenYields", n, network=network, parameters={"elects": "max"}))
    assert ours == list(message_counts("chang_roberts_maxid", n, network=network))
    assert {least for _, least, _ in ours} == {2 * n}


def test_leading_on_the_smallest_so_far_is_wrong_where_it_comes_twice() -> None:
    # Catalogue L 31, n=2: 1 starts, its message is doubled, 2 takes it, and takes it again: the smallest so far, so 2 leads
    # (4 steps). Behind 2's identifier 1 gets its own back and leads as well (6 steps).
    result = check("as_far:BestSoFarLeads", n=2, duplications=1)
    assert result.exit_code == 12
    wrong, two = (result.property(name).trace for name in ("leader_is_the_minimum", "at_most_one_leader"))
    assert wrong is not None
    assert two is not None
    assert (wrong.length, two.length) == (4, 6)
    assert [step.process for step in wrong.steps] == ["p1 (id 1)", "p2 (id 2)", "p2 (id 2)", "p2 (id 2)"]


def test_without_repetition_leading_on_the_smallest_so_far_does_no_harm() -> None:
    assert check("as_far:BestSoFarLeads", n=[1, 2, 3, 4]).verdict == "HOLDS"
