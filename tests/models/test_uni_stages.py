"""UniStages (handbook A8): Stages with its sends split in two."""

from collections.abc import Sequence
from itertools import permutations
from math import floor, log2
from typing import Any

import pytest

from modelcheck import check

from .counting import message_counts


def total(ids: Sequence[Any]) -> int:
    """All messages of one arrangement, without any: a stage costs 2n and leaves the values that are local minima."""
    n, values, messages = len(ids), list(ids), 0
    while len(values) > 1:
        messages += 2 * n
        values = [v for k, v in enumerate(values) if v < values[k - 1] and v < values[(k + 1) % len(values)]]
    return messages + n + n  # a value comes back to its holder, and Notify


@pytest.mark.parametrize("elects", ["min", "max"])
def test_it_is_correct_whoever_starts(elects: str) -> None:
    assert check("uni_stages", n=[1, 2, 3, 4], initiators="each", parameters={"elects": elects}).verdict == "HOLDS"


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_messages_are_those_of_the_stages_whatever_the_schedule(n: int) -> None:
    # Each process has one incoming fifo link and sends its own value first, so what it sends is a function of what it
    # receives (Kahn 1974).
    for world, least, greatest in message_counts("uni_stages", n):
        assert least == greatest == total(world.identifiers)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7, 8])
def test_the_formulas_hold_of_every_arrangement(n: int) -> None:
    # Handbook A7, A8: 2n a stage, n to see that one value is left, n Notify; from 4n to 2n (floor(lg n) + 1); 2 alone.
    totals = {total((1, *others)) for others in permutations(range(2, n + 1))}
    assert min(totals) == 4 * n
    assert max(totals) == 2 * n * (floor(log2(n)) + 1)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_it_is_dolev_klawe_and_rodeh_with_one_type_of_message(n: int) -> None:
    # Handbook A8. State by state: whether a message is the first or the second of a stage its place on the link tells.
    ours = check("uni_stages", n=n, parameters={"elects": "max"})
    theirs = check("dolev_klawe_rodeh", n=n)
    assert (ours.states, ours.transitions, ours.depth) == (theirs.states, theirs.transitions, theirs.depth)


@pytest.mark.parametrize("n", [2, 3])
def test_it_takes_over_the_stages_of_the_two_way_ring(n: int) -> None:
    # "Simulation of the bidirectional algorithm with the same complexity" (slides): 2n a stage and n Notify in both, and
    # in the last stage 2n where both copies come back, n where the one does.
    two_way = {least for _, least, _ in message_counts("stages", n)}
    assert two_way == {least + n for _, least, _ in message_counts("uni_stages", n)}


def test_where_messages_overtake_two_may_elect_the_larger() -> None:
    # 2 starts, 1 joins with 1 and passes 2 on, 2 overtakes 1 and comes home first: 2 takes it for the last value.
    result = check("uni_stages", n=2, network="bag")
    assert result.exit_code == 12
    trace = result.property("leader_is_the_minimum").trace
    assert trace is not None
    assert [step.process for step in trace.steps] == ["p2 (id 2)", "p1 (id 1)", "p2 (id 2)"]
    assert result.property("agreement").verdict == "holds"


def test_where_messages_overtake_three_may_end_without_a_leader() -> None:
    result = check("uni_stages", n=3, network="bag")
    stuck = result.property("everyone_decides")
    assert stuck.trace is not None
    assert "p1 (id 1), p3 (id 2) and p2 (id 3) have not decided" in stuck.trace.reason


def test_repeated_identifiers_are_taken_for_the_last_value() -> None:
    # 1,2,2: the first 2 starts, and the other takes its value for its own come back.
    result = check("uni_stages", ids="1,2,2")
    assert result.exit_code == 12
    trace = result.property("leader_is_the_minimum").trace
    assert trace is not None
    assert [step.step for step in trace.steps] == ["start", "compete"]
    assert result.property("at_most_one_leader").verdict == "violated"
