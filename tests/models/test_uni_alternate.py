"""UniAlternate (handbook A9): Alternating Steps on a one-way ring."""

from collections.abc import Sequence
from itertools import permutations
from math import floor, log, sqrt
from typing import Any

import pytest

from modelcheck import check

from .counting import message_counts

PHI = (1 + sqrt(5)) / 2


def steps(ids: Sequence[Any]) -> int:
    """Steps of one arrangement, without any messages: values compared with the one before them and after them by turns."""
    values, step = list(ids), 1
    while len(values) > 1:
        neighbours = values[-1:] + values[:-1] if step % 2 == 1 else values[1:] + values[:1]
        values = [v for v, neighbour in zip(values, neighbours, strict=True) if v < neighbour]
        step += 1
    return step


def most_steps(n: int) -> int:
    """The largest k with F_k <= n, where F is 1, 2, 3, 5, 8, ..."""
    k, last, following = 1, 1, 2
    while following <= n:
        k, last, following = k + 1, following, last + following
    return k


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
@pytest.mark.parametrize("elects", ["min", "max"])
def test_it_is_correct_on_any_network_whoever_starts(network: str, elects: str) -> None:
    result = check("uni_alternate", n=[1, 2, 3, 4], network=network, initiators="each", parameters={"elects": elects})
    assert result.verdict == "HOLDS"


@pytest.mark.parametrize("network", ["fifo", "bag"])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_step_costs_n_messages_and_the_notification_n_whatever_the_schedule(n: int, network: str) -> None:
    for world, least, greatest in message_counts("uni_alternate", n, network=network):
        assert least == greatest == n * steps(world.identifiers) + n


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 8])
def test_steps_are_two_at_best_and_fibonacci_at_worst(n: int) -> None:
    # Handbook A9 and Table J; two values at least stand in the last step but one, three before them, five before those.
    found = {steps((1, *others)) for others in permutations(range(2, n + 1))}
    assert min(found) == min(2, n)
    assert max(found) == most_steps(n)


def test_the_formula_counts_fibonacci_numbers() -> None:
    # Binet: with f = 1, 1, 2, 3, 5, ... the largest m with f_m <= n is floor(log_phi(sqrt(5) n + 1/2)), and F_k = f_(k+1).
    for n in range(1, 1_000):
        assert floor(log((2 * PHI - 1) * n + 0.5) / log(PHI)) == most_steps(n) + 1


def test_one_direction_is_enough_for_less_than_n_squared() -> None:
    # The slides' conjecture, refuted: "in unidirectional rings the worst case complexity is n^2".
    assert [n * (most_steps(n) + 1) for n in range(5, 9)] == [25, 30, 35, 48]
    assert all(n * (most_steps(n) + 1) < n * n for n in range(6, 100))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_where_links_keep_the_order_only_messages_of_the_own_step_arrive(n: int) -> None:
    checked, unchecked = (check(model, n=n) for model in ("uni_alternate", "uni_alternate:TakesAnyStep"))
    assert unchecked.verdict == "HOLDS"
    assert (checked.states, checked.transitions) == (unchecked.states, unchecked.transitions)


def test_where_messages_overtake_steps_must_be_checked() -> None:
    # Two processes stand it. Three: 3 starts; 1 beats it and is in step 2; Election(1, 2) passes 2, which Election(1, 1) has
    # defeated, on its way overtakes 2's own, and defeats 3 in step 1; so Election(2, 1) comes to 1, where it looks like
    # a larger value of step 2. All are defeated.
    assert check("uni_alternate:TakesAnyStep", n=2, network="bag").verdict == "HOLDS"
    result = check("uni_alternate:TakesAnyStep", n=3, network="bag")
    assert result.exit_code == 11
    trace = result.property("everyone_decides").trace
    assert trace is not None
    assert [step.step for step in trace.steps] == ["start", *["compete"] * 6]
    assert "p1 (id 1), p2 (id 2) and p3 (id 3) have not decided" in trace.reason


def test_without_checking_four_may_elect_another_than_the_minimum() -> None:
    result = check("uni_alternate:TakesAnyStep", n=4, network="bag")
    assert result.property("leader_is_the_minimum").verdict == "violated"
    assert result.property("at_most_one_leader").verdict == "holds"
