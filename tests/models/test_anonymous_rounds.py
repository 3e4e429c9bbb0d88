"""Rounds of draws on an anonymous ring (Garg, Problem 13.1; handbook C2)."""

from fractions import Fraction
from math import comb

import pytest

from modelcheck import check

from .expectation import expected, fewest_messages


@pytest.mark.parametrize(("schedule", "n"), [("any", 1), ("any", 2), ("any", 3), ("lockstep", 4), ("lockstep", 5)])
def test_it_elects_somebody_with_probability_1(schedule: str, n: int) -> None:
    result = check("anonymous_rounds", n=n, schedule=schedule)  # type: ignore[arg-type]
    assert result.verdict == "HOLDS"
    assert result.unreduced.terminal_states == n  # each process can win, and nothing else is left over
    termination = result.property("termination")
    assert termination.note == ("with probability 1" if n > 1 else "")
    if n > 1:  # the run that never ends is one in which those who are left keep drawing the same
        assert termination.trace is not None
        assert termination.trace.loop is not None


def rounds(n: int, highest: int) -> Fraction:
    """Handbook C2: of n that draw from K numbers k draw the greatest v with probability C(n,k) (1/K)^k (v/K)^(n-k)."""
    numbers = highest + 1
    left = [Fraction(0)] * (n + 1)  # how probable it is that so many stay eligible
    for k in range(1, n + 1):
        below = (Fraction(v, numbers) ** (n - k) for v in range(numbers))
        left[k] = comb(n, k) * Fraction(1, numbers) ** k * sum(below, Fraction(0))
    assert sum(left) == 1
    assert left[n] == Fraction(1, numbers) ** (n - 1)
    others = sum((left[k] * rounds(k, highest) for k in range(2, n)), Fraction(0))
    return (1 + others) / (1 - left[n])


@pytest.mark.parametrize(("n", "highest"), [(2, 1), (3, 1), (4, 1), (5, 1), (2, 2), (2, 3), (3, 2), (3, 3), (4, 2)])
def test_expected_messages_are_n_squared_for_each_expected_round(n: int, highest: int) -> None:
    assert expected("anonymous_rounds", n, schedule="lockstep", highest=highest) == n**2 * rounds(n, highest)


@pytest.mark.parametrize(("n", "number"), [(2, Fraction(2)), (3, Fraction(7, 3)), (4, Fraction(8, 3))])
def test_with_two_numbers_the_expected_rounds_are_those_worked_out_by_hand(n: int, number: Fraction) -> None:
    # Handbook C2: E_2 = (m+1)/m, and for m=1 E_3 = 7/3, E_4 = 8/3.
    assert rounds(n, 1) == number
    assert rounds(2, n) == Fraction(n + 1, n)


@pytest.mark.parametrize(("n", "highest"), [(1, 1), (2, 1), (2, 3), (3, 1)])
def test_no_schedule_changes_what_to_expect(n: int, highest: int) -> None:
    assert expected("anonymous_rounds", n, highest=highest) == n**2 * (rounds(n, highest) if n > 1 else 1)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_fewest_messages(n: int) -> None:
    # A round is of n^2 messages, and one can be enough.
    assert fewest_messages("anonymous_rounds", n, schedule="lockstep") == n**2


# --- on other networks


@pytest.mark.parametrize("network", ["bag", "set"])
@pytest.mark.parametrize("n", [2, 3])
def test_with_numbered_rounds_messages_may_come_in_any_order(network: str, n: int) -> None:
    result = check("anonymous_rounds:Numbered", n=n, network=network)
    assert result.verdict == "HOLDS"
    assert result.unreduced.terminal_states == 2 * n  # who leads, in an odd round or an even one


def test_without_numbers_a_draw_of_the_next_round_is_taken_for_one_of_this() -> None:
    # n=2, both draw 0. 2 starts, p1 gets and passes on p2's draw, p2 p1's; p1 has its own back, draws 1 in round 2; p2 gets
    # that before its own 0 and gives up; p1 gets its 1 back and waits for ever: 7 steps.
    result = check("anonymous_rounds", n=2, network="bag")
    ending = result.property("everyone_decides")
    assert ending.verdict == "violated"
    assert ending.trace is not None
    assert ending.trace.length == 7
    assert result.property("at_most_one_leader").verdict == "holds"


def test_without_numbers_three_can_elect_two() -> None:
    result = check("anonymous_rounds", n=3, network="bag", property="at_most_one_leader")
    assert result.exit_code == 12


# --- a wrong n


@pytest.mark.parametrize("n", [2, 3, 4])
def test_taking_the_ring_for_one_smaller_elects_two(n: int) -> None:
    # Nobody sees its own draw, so two neighbours that alone draw 1 each see one 1, and lead. All n start; each of the
    # two needs n-1 draws, and the process k places before them has passed on n-1-k: n + (n-1) + n(n-1)/2 steps.
    result = check("anonymous_rounds:KnowsOneTooFew", n=n)
    leaders = result.property("at_most_one_leader")
    assert leaders.verdict == "violated"
    assert leaders.trace is not None
    assert leaders.trace.length == n + (n - 1) + n * (n - 1) // 2


@pytest.mark.parametrize("n", [2, 3])
def test_taking_the_ring_for_one_larger_leaves_the_successor_of_the_winner_waiting(n: int) -> None:
    # It gets the winner's draw twice in a round and starts another, in which nobody takes part: n starts, n(n+1) draws.
    result = check("anonymous_rounds:KnowsOneTooMany", n=n)
    ending = result.property("everyone_decides")
    assert ending.verdict == "violated"
    assert ending.trace is not None
    assert ending.trace.length == n + n * (n + 1)
    assert result.property("at_most_one_leader").verdict == "holds"
