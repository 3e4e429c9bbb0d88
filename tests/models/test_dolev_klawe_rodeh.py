"""Dolev, Klawe and Rodeh (also Peterson)."""

from collections.abc import Sequence
from itertools import permutations
from math import floor, log2
from pathlib import Path
from typing import Any

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts

FINDER = """
from modelcheck import at_the_end

@at_the_end
def somebody_else_finds_the_maximum(view):
    [last] = [p for p in view.processes if p.mode == "active"]
    return last.leader == last.maxnum != last.id
"""


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_it_is_correct(n: int) -> None:
    assert check("dolev_klawe_rodeh", n=n).verdict == "HOLDS"


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_it_is_correct_whoever_starts(n: int) -> None:
    assert check("dolev_klawe_rodeh", n=n, initiators="each").verdict == "HOLDS"


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_owner_of_the_maximum_drops_out_in_its_first_phase(n: int, tmp_path: Path) -> None:
    # So it is somebody else that finds the maximum alone.
    (tmp_path / "finder.py").write_text(FINDER)
    result = check("dolev_klawe_rodeh", n=n, spec=str(tmp_path / "finder.py"))
    assert result.property("somebody_else_finds_the_maximum").verdict == "holds"


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_messages_when_all_start_first(n: int) -> None:
    # 2n a phase, then n M1 that find only one value left, and n Leader: from 4n to 2n (floor(lg n) + 1); 2 alone.
    totals = set()
    for _, least, greatest in message_counts("dolev_klawe_rodeh", n, start="simultaneous"):
        assert least == greatest  # the schedule makes no difference
        totals.add(least)
    assert min(totals) == (4 * n if n > 1 else 2)
    assert max(totals) == 2 * n * (floor(log2(n)) + 1)


def total(ids: Sequence[Any]) -> int:
    """All messages of one arrangement, without any: a phase costs 2n and leaves the values that are local maxima."""
    n, values, messages = len(ids), list(ids), 0
    while len(values) > 1:
        messages += 2 * n
        values = [v for k, v in enumerate(values) if v > values[k - 1] and v > values[(k + 1) % len(values)]]
    return messages + n + n  # M1 finds only one value left, and Leader


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_no_schedule_and_no_set_of_initiators_changes_the_total_of_an_arrangement(n: int) -> None:
    # Each process has one incoming fifo link and sends its own value first, so what it sends is a function of what it
    # receives (Kahn 1974), whatever the schedule.
    policy = Policy(initiators="each") if n < 4 else None
    for world, least, greatest in message_counts("dolev_klawe_rodeh", n, policy=policy):
        assert least == greatest == total(world.identifiers)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7, 8])
def test_the_formulas_hold_of_every_arrangement_of_larger_rings_too(n: int) -> None:
    totals = {total((1, *others)) for others in permutations(range(2, n + 1))}
    assert min(totals) == 4 * n
    assert max(totals) == 2 * n * (floor(log2(n)) + 1)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_it_can_elect_the_minimum_instead(n: int) -> None:
    result = check("dolev_klawe_rodeh", n=n, parameters={"elects": "min"})
    assert result.verdict == "HOLDS"
    assert result.property("leader_is_the_minimum").verdict == "holds"


@pytest.mark.parametrize("n", [1, 2])
def test_whoever_begins_passive_never_starts(n: int) -> None:
    # Garg's program, section 13.5.2: only the asleep may start, and nobody is asleep.
    result = check("dolev_klawe_rodeh:BeginsPassive", n=n)
    assert result.exit_code == 11
    assert result.transitions == 0
    stuck = result.property("everyone_decides")
    assert stuck.verdict == "violated"
    assert stuck.trace is not None
    assert stuck.trace.length == 0


def test_where_messages_overtake_two_may_elect_the_smaller() -> None:
    # 2 starts; 1 joins with M1(1) and answers M2(2), which overtakes and makes 2 passive; M1(1) is passed on by 2 and comes
    # home, as the last value would.
    result = check("dolev_klawe_rodeh", n=2, network="bag")
    assert result.exit_code == 12
    wrong = result.property("leader_is_the_maximum")
    assert wrong.verdict == "violated"
    assert wrong.trace is not None
    assert [step.step for step in wrong.trace.steps] == [
        "start",
        "first_value",
        "second_value",
        "first_value",
        "first_value",
    ]
    assert wrong.trace.steps[-1].changed == (("leader", "None", "1"),)
    # Both still decide, agree and never change their minds: it ends with 1 as the leader.
    for name in ("everyone_decides", "agreement", "decisions_are_final"):
        assert result.property(name).verdict == "holds"


def test_where_messages_overtake_three_may_end_without_a_leader() -> None:
    result = check("dolev_klawe_rodeh", n=3, network="bag")
    stuck = result.property("everyone_decides")
    assert stuck.verdict == "violated"
    assert stuck.trace is not None
    assert "p1 (id 1), p2 (id 2) and p3 (id 3) have not decided" in stuck.trace.reason


def test_repeated_identifiers_are_taken_for_the_last_value() -> None:
    result = check("dolev_klawe_rodeh", ids="2,1,1")
    assert result.exit_code == 12
    assert result.property("agreement").verdict == "violated"
    assert result.property("leader_is_the_maximum").verdict == "violated"
