"""Bully with a quorum (handbook D7). Steps are counted along the rules of the model and of the detector, which reports a cut
on each link by itself: a leader has to be told once for each process out of reach, and may be told late."""

import pytest

from modelcheck import check
from modelcheck.check.result import Result

SPLIT = {"partitions": 1}
HEALED = {"partitions": 1, "heals": 1}
REBORN = {"crashes": 1, "recoveries": 1}


def length(result: Result, name: str) -> int | None:
    """The steps of the shortest run that breaks the property; None where it holds."""
    found = result.property(name)
    return found.trace.length if found.trace else None


def run(n: int, faults: dict[str, int], variation: str = "") -> Result:
    return check(f"bully_partition{variation and ':'}{variation}", n=n, **faults)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("n", "faults"),
    [(1, SPLIT), (2, HEALED), (3, SPLIT), (4, SPLIT), (3, REBORN), (3, {"partitions": 1, "crashes": 1})],
)
def test_majorities_have_one_leader_and_nobody_else_has(n: int, faults: dict[str, int]) -> None:
    # n=2 and n=4 include the even split: nobody elects, availability is lost.
    assert run(n, faults).verdict == "HOLDS"


@pytest.mark.parametrize("n", [2, pytest.param(3, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("across", ["lost", "held"])
def test_parts_come_together_again_under_one_leader(across: str, n: int) -> None:
    assert check("bully_partition", n=n, partitions=1, heals=1, across=across).verdict == "HOLDS"  # type: ignore[arg-type]


def test_a_split_of_two_by_hand() -> None:
    """The split, and p1 and p2 are told of it in either order: 5 states. The leader stops and p1 does not take over, so
    nothing more happens; terminal are the state before the split and that after both were told."""
    result = run(2, SPLIT)
    assert (result.states, result.transitions, result.terminal_states, result.depth) == (5, 5, 2, 3)


@pytest.mark.parametrize("n", [2, 3])
def test_without_a_quorum_both_parts_have_a_leader(n: int) -> None:
    # The expected counterexample, n=2, {1}|{2}: the split, 1 is told, 1 takes over while 2 leads. For n=3 the same of 2 or 1.
    result = run(n, HEALED, "SplitBrain")
    assert length(result, "at_most_one_leader_acts") == 3
    assert [p.name for p in result.properties if p.verdict == "violated"] == ["at_most_one_leader_acts"]


@pytest.mark.parametrize("n", [2, 3])
def test_a_majority_of_those_in_reach_is_none(n: int) -> None:
    # n=2: the split; 1 is told, and is a majority of itself; it takes over; 2 is told, and now has a majority of itself too.
    # n=3, {1,3}|{2}: the split; 2 is told of 1 and of 3, and then is a majority of itself; it takes over, while 3 leads on with
    # the promises of 1 and its own.
    assert length(run(n, SPLIT, "MajorityInReach"), "at_most_one_leader_acts") == 4


def test_a_leader_that_steps_down_when_it_is_told_does_so_too_late() -> None:
    # {1,2}|{3}: the split, 2 is told, polls; 1 acknowledges, 2 gathers and leads; 3 has not been told yet: 5 steps.
    result = run(3, SPLIT, "StopsWhenTold")
    assert length(result, "at_most_one_leader_acts") == 5
    assert [p.name for p in result.properties if p.verdict == "violated"] == ["at_most_one_leader_acts"]


def test_a_leader_that_never_steps_down_leads_a_part_without_a_majority() -> None:
    # n=2: the split, and both are told.
    result = run(2, SPLIT, "NeverStops")
    assert length(result, "no_other_part_has_one") == 3


def test_acknowledging_without_terms_makes_two_leaders_of_one_term() -> None:
    # n=3. 3 crashes; 2 is told, polls under term 1, 1 acknowledges, 2 gathers and leads: 5 steps. 3 recovers and polls, under
    # term 1 since it has seen none: 2 more. Its poll stands behind Down and Up on the link to 1, and 1 acknowledges again:
    # 3 more; 3 gathers. (On the link from 2 the Coordinator comes before an Ack could.)
    faulty = run(3, REBORN, "WithoutTerms")
    assert length(faulty, "at_most_one_leader_per_term") == 5 + 2 + 3 + 1
    assert length(run(3, REBORN, "StopsWhenTold"), "at_most_one_leader_per_term") is None


def test_an_independent_way_to_validate_failures_prevents_split_brain_at_the_cost_of_availability() -> None:
    # The detector that reports crashes only, across a cut too: nobody takes over from one that is merely out of reach,
    # and whoever is cut off from the leader is without one.
    result = check("bully_partition:SplitBrain", n=3, partitions=1, detector="perfect")
    assert length(result, "at_most_one_leader_acts") is None
    assert length(result, "a_part_with_a_majority_has_its_leader") == 1
