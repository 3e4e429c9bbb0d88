"""Alternating steps (handbook B5)."""

from collections.abc import Sequence
from itertools import permutations

import pytest

from modelcheck import check

from .counting import message_counts

FIBONACCI = (1, 2, 3, 5, 8, 13)


def steps(ids: Sequence[int]) -> int:
    """One survives an odd step if it is smaller than its left neighbour, an even one if smaller than its right neighbour; in a last step
    the only one left hears of itself."""
    count = 1
    while len(ids) > 1:
        ids = [own for i, own in enumerate(ids) if own < (ids[i - 1] if count % 2 else ids[(i + 1) % len(ids)])]
        count += 1
    return count


def most_steps(n: int) -> int:
    """The greatest k with F_k <= n (handbook B5)."""
    return sum(number <= n for number in FIBONACCI)


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
def test_it_is_correct(network: str) -> None:
    # Thanks to the closed ports links need not keep the order (handbook B5, K9).
    result = check("alternating_steps", n=[1, 2, 3, 4], network=network)
    assert result.verdict == "HOLDS"


@pytest.mark.parametrize("model", ["alternating_steps", "alternating_steps:WokenYields"])
def test_it_is_correct_whoever_starts(model: str) -> None:
    assert check(model, n=[1, 2, 3], initiators="each").verdict == "HOLDS"


def test_it_can_elect_the_maximum_or_notify_one_neighbour() -> None:
    assert check("alternating_steps", n=[1, 2, 3, 4], parameters={"elects": "max"}).verdict == "HOLDS"
    assert check("alternating_steps:NotifiesOne", n=[1, 2, 3, 4]).verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("alternating_steps", n=4, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize("network", ["fifo", "bag"])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_messages_do_not_depend_on_the_schedule(n: int, network: str) -> None:
    # n in every step; n + 1 to notify both ways: each sends one and the leader two (handbook B5, schedule independent [checked n<=5]).
    for world, least, greatest in message_counts("alternating_steps", n, network=network):
        ids = [identifier or 0 for identifier in world.identifiers]
        assert least == greatest == n * steps(ids) + n + 1, world


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_one_message_less_where_the_leader_notifies_one_way(n: int) -> None:
    for world, least, greatest in message_counts("alternating_steps:NotifiesOne", n):
        ids = [identifier or 0 for identifier in world.identifiers]
        assert least == greatest == n * steps(ids) + n, world


@pytest.mark.parametrize("n", range(1, 9))
def test_steps_over_all_arrangements(n: int) -> None:
    found = [steps((1, *rest)) for rest in permutations(range(2, n + 1))]
    assert min(found) == min(n, 2)
    assert max(found) == most_steps(n)


@pytest.mark.parametrize(("n", "slides", "most"), [(4, 4, 3), (5, 4, 4), (6, 5, 4), (7, 5, 4), (8, 5, 5)])
def test_the_bound_of_the_slides_is_exact_for_fibonacci_numbers_only(n: int, slides: int, most: int) -> None:
    # Slides: steps = index of the lowest Fibonacci number >= n; catalogue L 29.
    assert slides == 1 + next(k for k, number in enumerate(FIBONACCI) if number >= n)
    assert most == most_steps(n)


def test_a_woken_process_must_remain_defeated() -> None:
    # Slides, ASLEEP: INITIALIZE; PROCESS_MESSAGE; become CANDIDATE; catalogue L 28. n=2: start 1; 2 sends its own and should be
    # defeated; 1 sends its own back; 2 swallows it. 4 steps, 3 messages.
    result = check("alternating_steps:WokenStaysCandidate", n=2)
    assert result.exit_code == 11
    stuck = result.property("everyone_decides").trace
    assert stuck is not None
    assert stuck.length == 4
    assert sum(len(step.sent) for step in stuck.steps) == 3


@pytest.mark.parametrize("n", [2, 3])
def test_it_needs_a_sense_of_direction(n: int) -> None:
    # Catalogue L 30. n=2: both start and send over the same link, to a port that is closed: 2 steps.
    result = check("alternating_steps", n=n, graph="two_way_ring:unoriented")
    assert result.exit_code == 11
    stuck = result.property("everyone_decides").trace
    assert stuck is not None
    if n == 2:
        assert stuck.length == 2
