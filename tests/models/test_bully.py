"""Bully (handbook D1, D2)."""

from pathlib import Path

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts

KEEPS_ITSELF = str(Path(__file__).parent / "protocols" / "greatest_keeps_itself.py")
SLIDES = {"bully_back": False, "ignore_stale": False}


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_it_elects_the_greatest_alive(n: int) -> None:
    assert check("bully", n=n).verdict == "HOLDS"


@pytest.mark.parametrize("faults", [{"crashes": 1}, {"crashes": 2}, {"recoveries": 1}, {"crashes": 1, "recoveries": 1}])
def test_it_survives_crashes_and_recoveries(faults: dict[str, int]) -> None:
    assert check("bully", n=3, **faults).verdict == "HOLDS"  # type: ignore[arg-type]


def test_it_survives_one_false_suspicion_because_an_announcement_clears_it() -> None:
    assert check("bully", n=3, detector="unreliable:1").verdict == "HOLDS"


@pytest.mark.parametrize(("n", "i"), [(3, 1), (3, 2), (4, 1), (4, 2), (4, 3), (5, 2), (5, 3), (5, 4)])
def test_least_messages_with_one_detector(n: int, i: int) -> None:
    # (n-i)^2 + (n-1), the minimum over all interleavings, checked n<=5 except (5,1); also as its parts:
    # (n-i)(n-i+1)/2 Election + (n-i)(n-i-1)/2 Ok + n-1 Coordinator.
    policy = Policy(identifiers=tuple(range(1, n + 1)), initiators=(i,))
    [(_, least, _)] = message_counts("bully", n, policy=policy)
    d = n - i
    assert least == d**2 + (n - 1) == d * (d + 1) // 2 + d * (d - 1) // 2 + n - 1


def test_pitfall_1_without_a_second_timeout_a_crash_after_ok_leaves_the_detector_waiting() -> None:
    # Catalogue L 35, n=3, 3 down: detect at 1, Ok from 2, 2 crashes: 1 waits for ever.
    result = check("bully", n=3, crashes=1, parameters={"second_timeout": False})
    found = result.property("everyone_names_a_leader")
    assert found.verdict == "violated"
    assert found.trace is not None
    assert "p1 (id 1)" in found.trace.reason
    assert {"detect", "answer", "stand_back", "crash"} <= {step.step for step in found.trace.steps}
    assert check("bully", n=3, crashes=1).verdict == "HOLDS"


def test_pitfall_2_a_late_coordinator_deposes_a_leader_that_recovered() -> None:
    # Catalogue L 36: Coordinator(2) reaches 3 last, 3 believes 2, the others 3.
    result = check("bully", n=3, recoveries=1, parameters=SLIDES)
    assert result.property("agreement").verdict == "violated"
    assert check("bully", n=3, recoveries=1, parameters=SLIDES, spec=KEEPS_ITSELF).verdict == "VIOLATED"


def test_pitfall_2_bullying_back_saves_the_recovered_leader_but_not_its_twin() -> None:
    # The twin: 1 receives Coordinator(3) before the older Coordinator(2) and ends with 2 [checked n=3].
    bullies_back = {"ignore_stale": False}
    assert check("bully", n=3, recoveries=1, parameters=bullies_back, spec=KEEPS_ITSELF).verdict == "HOLDS"
    agreement = check("bully", n=3, recoveries=1, parameters=bullies_back).property("agreement")
    assert agreement.verdict == "violated"
    assert agreement.trace is not None
    assert "p1 (id 1) takes 2" in agreement.trace.reason


def test_pitfall_3_a_timeout_at_any_moment_elects_the_wrong_leader() -> None:
    # n=3: 1 times out before 2's Ok arrives and announces itself [checked].
    result = check("bully", n=3, parameters={"timeout": "any", **SLIDES})
    assert result.property("leader_is_the_greatest_alive").verdict == "violated"


def test_pitfall_4_a_lost_election_makes_the_smaller_process_the_leader() -> None:
    # n=3: losing Election(1->2) makes 1 the leader although 2 is alive [checked]: detect, lose, time out, 2 believes it.
    result = check("bully", n=3, losses=1, parameters={"timeout": "any", **SLIDES})
    found = result.property("leader_is_the_greatest_alive")
    assert found.verdict == "violated"
    assert found.trace is not None
    assert found.trace.length == 4


def test_pitfall_4_under_the_perfect_detector_a_lost_message_leaves_processes_waiting() -> None:
    # The detector reports crashes, not losses: without a false time-out nobody goes on.
    assert check("bully", n=3, losses=1).property("everyone_names_a_leader").verdict == "violated"
