"""Itai and Rodeh with bits (handbook C4)."""

from fractions import Fraction
from itertools import product
from math import ceil, log2

import pytest

from modelcheck import check

from .expectation import expected, fewest_messages


@pytest.mark.parametrize(("schedule", "n"), [("any", 1), ("any", 2), ("any", 3), ("any", 4), ("lockstep", 5)])
def test_it_elects_somebody_with_probability_1(schedule: str, n: int) -> None:
    result = check("itai_rodeh_async", n=n, schedule=schedule)  # type: ignore[arg-type]
    assert result.verdict == "HOLDS"
    assert result.unreduced.terminal_states == n
    assert result.property("termination").note == ("with probability 1" if n > 1 else "")


def rounds(n: int) -> Fraction:
    """Handbook C4, by going through all throws of n active processes on a ring."""
    left = [Fraction(0)] * (n + 1)
    for bits in product((0, 1), repeat=n):
        left[sum(bits[i] == 1 or bits[i - 1] == 0 for i in range(n))] += Fraction(1, 2**n)
    return (1 + sum((left[k] * rounds(k) for k in range(2, n)), Fraction(0))) / (1 - left[n])


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_expected_messages_are_2n_for_each_expected_round(n: int) -> None:
    assert expected("itai_rodeh_async", n, schedule="lockstep") == 2 * n * rounds(n)


@pytest.mark.parametrize(("n", "number"), [(2, Fraction(2)), (3, Fraction(10, 3)), (4, Fraction(30, 7))])
def test_the_expected_rounds_are_those_published(n: int, number: Fraction) -> None:
    # PRISM case study leader_async: 10/3 and 30/7, least and greatest.
    assert rounds(n) == number


@pytest.mark.parametrize("n", [2, 3])
def test_no_schedule_changes_what_to_expect(n: int) -> None:
    assert expected("itai_rodeh_async", n) == 2 * n * rounds(n)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_fewest_messages(n: int) -> None:
    # Of k active processes at most every other one gives up in a round of 2n messages.
    assert fewest_messages("itai_rodeh_async", n, schedule="lockstep") == 2 * n * max(1, ceil(log2(n)))


# --- faults


def length(n: int, name: str, network: str = "fifo", variation: str = "") -> int:
    found = check(f"itai_rodeh_async{variation}", n=n, network=network).property(name)
    assert found.verdict == "violated"
    assert found.trace is not None
    return found.trace.length


@pytest.mark.parametrize("n", [2, 3, 4])
def test_taking_the_ring_for_one_larger_goes_on_for_ever(n: int) -> None:
    # Nobody ever counts enough. At most every other active process gives up in a round, so after ceil(lg n) rounds one may be
    # left, which goes on alone. n starts; 2n messages a round, the counters of the last left to the loop; a loop of 2n.
    assert length(n, "termination", variation=":KnowsOneTooMany") == 2 * n * (ceil(log2(n)) + 1)


def test_taking_the_ring_for_one_smaller_leads_too_early() -> None:
    # n=2 is taken for 1: whoever gets the other's counter leads. 2 starts, 2 bits, 2 counters.
    assert length(2, "at_most_one_leader", variation=":KnowsOneTooFew") == 6
    # n=3, p3 gives up: 3 starts, 3 bits, its and p1's counter, p1 leads. p2's counter comes from p1, so p2 goes on,
    # and its bit comes by p3 to p1, who takes none: 10 steps.
    assert length(3, "everyone_decides", variation=":KnowsOneTooFew") == 10
    # n=4: two neighbours give up in two rounds; 4 starts, 16 messages, and the third bit of the other makes two hops.
    assert length(4, "everyone_decides", variation=":KnowsOneTooFew") == 22


@pytest.mark.parametrize("n", [2, 3])
def test_where_messages_overtake_a_schedule_can_keep_it_from_ending_whatever_is_drawn(n: int) -> None:
    result = check("itai_rodeh_async", n=n, network="bag")
    assert result.exit_code == 13
    assert result.property("at_most_one_leader").verdict == "holds"
