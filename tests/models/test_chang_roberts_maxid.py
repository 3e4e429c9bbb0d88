"""Chang and Roberts with the largest identifier seen (handbook A4): Garg's Problem 13.3."""

from fractions import Fraction

import pytest

from modelcheck import check

from .counting import message_counts


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
@pytest.mark.parametrize("elects", ["max", "min"])
def test_it_is_correct_whoever_starts(network: str, elects: str) -> None:
    result = check(
        "chang_roberts_maxid", n=[1, 2, 3], network=network, initiators="each", parameters={"elects": elects}
    )
    assert result.verdict == "HOLDS"


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_problem_13_3_nothing_is_gained_on_any_arrangement_when_all_start_first(n: int) -> None:
    ours = list(message_counts("chang_roberts_maxid", n, start="simultaneous"))
    theirs = list(message_counts("chang_roberts", n, start="simultaneous"))
    assert ours == theirs
    totals = [least for _, least, _ in ours]
    assert max(totals) == n * (n + 1) // 2 + n
    assert Fraction(sum(totals), len(totals)) == n * sum(Fraction(1, k) for k in range(1, n + 1)) + n


@pytest.mark.parametrize("network", ["fifo", "bag"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_problem_13_3_nor_in_the_least_or_greatest_over_all_schedules(n: int, network: str) -> None:
    # Handbook A4 [checked n=4 for fifo and bag]. The least is 2n: only the winner starts in time.
    ours = list(message_counts("chang_roberts_maxid", n, network=network))
    assert ours == list(message_counts("chang_roberts", n, network=network))
    assert {least for _, least, _ in ours} == {2 * n}


@pytest.mark.parametrize("n", [2, 3, 4])
def test_where_messages_overtake_a_lucky_schedule_makes_any_arrangement_the_best(n: int) -> None:
    # All have started: if the winner's identifier overtakes all others, everyone else's dies on its first link: n + n-1 + n.
    totals = [
        (low, high) for _, low, high in message_counts("chang_roberts_maxid", n, network="bag", start="simultaneous")
    ]
    assert {least for least, _ in totals} == {3 * n - 1}
    worst = [high for *_, high in message_counts("chang_roberts", n, network="bag", start="simultaneous")]
    assert [greatest for _, greatest in totals] == worst


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_comparing_before_looking_for_the_own_identifier_swallows_the_winner(n: int) -> None:
    # The largest starts, goes all the way round waking everyone, and dies at home: 1 + n steps, and nobody is elected.
    result = check("chang_roberts_maxid:ComparesFirst", n=n)
    assert result.exit_code == 11
    trace = result.property("everyone_decides").trace
    assert trace is not None
    assert [step.step for step in trace.steps] == ["wake_up", *["compare"] * n]
