"""ProbAsFar (handbook B6). Its message counts are those of AsFar with a free choice, and are tested there."""

from math import sqrt

import pytest

from modelcheck import check
from modelcheck.simulate.sampling import simulate


@pytest.mark.parametrize(("n", "network"), [(1, "fifo"), (2, "fifo"), (3, "fifo"), (2, "set"), (3, "bag")])
def test_it_is_correct_whatever_is_drawn(n: int, network: str) -> None:
    result = check("prob_as_far", n=n, network=network, initiators="each")
    assert result.verdict == "HOLDS"
    assert result.represented == [1, 2, 6][n - 1] * 2**n * (2**n - 1)


def test_it_ends_for_certain_not_just_with_probability_1() -> None:
    assert check("prob_as_far", n=4, graph="two_way_ring").property("termination").note == ""


def test_it_can_elect_the_maximum_and_the_woken_may_stand() -> None:
    assert check("prob_as_far", n=[1, 2, 3], parameters={"elects": "max"}).verdict == "HOLDS"
    assert check("prob_as_far:WokenStands", n=[1, 2, 3]).verdict == "HOLDS"


def test_a_duplicate_does_no_harm() -> None:
    assert check("prob_as_far", n=[1, 2, 3], network="bag", graph="two_way_ring", duplications=1).verdict == "HOLDS"


def test_it_is_as_far_with_a_draw_in_place_of_the_choice() -> None:
    drawn, chosen = (check(model, n=3, engine="reference") for model in ("prob_as_far", "as_far_bidirectional"))
    assert (drawn.states, drawn.transitions) == (chosen.states, chosen.transitions)


def test_on_average_it_takes_fewer_messages_than_in_one_direction() -> None:
    # Korach, Rotem and Santoro: (sqrt 2)/2 n H_n + O(n) in two directions drawn at random, against n H_n in one.
    n = 100
    harmonic = sum(1 / k for k in range(1, n + 1))
    elections = simulate("prob_as_far", n=n, runs=30, start="simultaneous").spread(n, 1)
    assert elections is not None
    mean = elections.mean
    assert sqrt(2) / 2 * n * harmonic < mean < sqrt(2) / 2 * n * harmonic + n < n * harmonic
