"""Itai and Rodeh, synchronous (handbook C3)."""

from fractions import Fraction
from itertools import product

import pytest

from modelcheck import check

from .expectation import expected, fewest_messages


@pytest.mark.parametrize(
    ("schedule", "n"), [(s, n) for s in ("any", "lockstep") for n in (1, 2, 3)] + [("lockstep", 5)]
)
def test_it_elects_somebody_with_probability_1(schedule: str, n: int) -> None:
    result = check("itai_rodeh_sync", n=n, schedule=schedule)  # type: ignore[arg-type]
    assert result.verdict == "HOLDS"
    assert result.unreduced.terminal_states == n
    assert result.property("termination").note == ("with probability 1" if n > 1 else "")


def test_a_round_of_draws_takes_n_rounds() -> None:
    """The draws make n-1 hops; who has the last begins the next round of draws at once: the shortest endless run is of n rounds."""
    for n in (2, 3, 4):
        trace = check("itai_rodeh_sync", n=n, schedule="lockstep").property("termination").trace
        assert trace is not None
        assert trace.length == n  # one to start, n-1 to read; all draw the same again


def success(n: int, numbers: int) -> Fraction:
    """How probable it is that some number is drawn once, by going through all draws."""
    draws = list(product(range(numbers), repeat=n))
    return Fraction(sum(any(draw.count(value) == 1 for value in draw) for draw in draws), len(draws))


@pytest.mark.parametrize(("n", "numbers"), [(2, 2), (2, 3), (2, 8), (3, 2), (3, 3), (3, 4), (4, 2), (4, 3), (5, 2)])
def test_expected_messages_are_n_times_n_minus_1_for_each_expected_round(n: int, numbers: int) -> None:
    found = expected("itai_rodeh_sync", n, schedule="lockstep", highest=numbers)
    assert found == n * (n - 1) / success(n, numbers)


def test_the_probabilities_are_those_worked_out_by_hand() -> None:
    # Handbook C3; the expected rounds of n=4 with 3 numbers, 27/20, are published (QComp, leader_sync).
    for numbers in (2, 3, 4):
        assert success(2, numbers) == Fraction(numbers - 1, numbers)
        assert success(3, numbers) == 1 - Fraction(1, numbers**2)
    assert 1 / success(4, 3) == Fraction(27, 20)


@pytest.mark.parametrize(("n", "numbers"), [(2, 2), (2, 3), (3, 2)])
def test_no_schedule_changes_what_to_expect(n: int, numbers: int) -> None:
    assert expected("itai_rodeh_sync", n, highest=numbers) == n * (n - 1) / success(n, numbers)


@pytest.mark.parametrize("n", [2, 3])
def test_drawing_from_one_number_never_ends(n: int) -> None:
    # Then nothing is drawn, and no deterministic protocol elects on an anonymous ring (Angluin 1980).
    for schedule in ("any", "lockstep"):
        assert check("itai_rodeh_sync", n=n, schedule=schedule, parameters={"highest": 1}).exit_code == 13


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_fewest_messages(n: int) -> None:
    # A round is of n(n-1) messages, and one can be enough.
    assert fewest_messages("itai_rodeh_sync", n, schedule="lockstep") == n * (n - 1)


# --- faults


def length(model: str, n: int, name: str, network: str = "fifo") -> int:
    found = check(model, n=n, network=network).property(name)
    assert found.verdict == "violated"
    assert found.trace is not None
    return found.trace.length


def test_where_messages_overtake_rounds_mix() -> None:
    # n=2: both start with 1, p1 reads 1 and draws 2, p2 reads the 2 and has decided; p1 waits for ever: 4 steps.
    assert length("itai_rodeh_sync", 2, "everyone_decides", "bag") == 4


def test_taking_the_ring_for_one_smaller() -> None:
    # n=2 is taken for 1: each has seen all draws at the start, and leads.
    assert length("itai_rodeh_sync:KnowsOneTooFew", 2, "at_most_one_leader") == 2
    # n=3, draws 1 1 2: each reads one. p3 leads, p1 follows, p2 has seen 1 and 1 and begins another round alone.
    assert length("itai_rodeh_sync:KnowsOneTooFew", 3, "everyone_decides") == 6
    # n=4, draws 2 2 1 1: p1 sees 2 1 1 and leads with 2, p3 sees 1 2 2 and leads with 1. 4 starts, two reads of theirs, for
    # which p2 and p4 have read one.
    assert length("itai_rodeh_sync:KnowsOneTooFew", 4, "at_most_one_leader") == 10


@pytest.mark.parametrize("n", [2, 3])
def test_taking_the_ring_for_one_larger_everybody_reads_its_own_draw_and_nobody_leads(n: int) -> None:
    # n starts and n reads of each: then all who see a single draw follow its owner, who sees it twice.
    assert length("itai_rodeh_sync:KnowsOneTooMany", n, "everyone_decides") == n + n * n
    result = check("itai_rodeh_sync:KnowsOneTooMany", n=n)
    assert result.property("at_most_one_leader").verdict == "holds"
