"""Bully (handbook D1, D2)."""

from pathlib import Path

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts

KEEPS_ITSELF = str(Path(__file__).parent / "protocols" / "greatest_keeps_itself.py")


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_it_elects_the_greatest_alive(n: int) -> None:
    assert check("bully", n=n).verdict == "HOLDS"


@pytest.mark.parametrize(
    "faults",
    [
        {"crashes": 1},
        {"crashes": 2},
        {"recoveries": 1},
        pytest.param({"crashes": 1, "recoveries": 1}, marks=pytest.mark.thorough),
    ],
)
def test_it_survives_crashes_and_recoveries(faults: dict[str, int]) -> None:
    assert check("bully", n=3, **faults).verdict == "HOLDS"  # type: ignore[arg-type]


def test_it_survives_one_false_suspicion_because_an_announcement_clears_it() -> None:
    assert check("bully", n=3, detector="unreliable:1").verdict == "HOLDS"


# Handbook D1, table: n and the one detector.
TABLE = {(3, 1): 6, (3, 2): 3, (4, 1): 12, (4, 2): 7, (4, 3): 4, (5, 2): 13, (5, 3): 8, (5, 4): 5}
TABLE |= {(6, 3): 14, (6, 4): 9, (6, 5): 6, (8, 6): 11, (8, 7): 8}


@pytest.mark.parametrize(("n", "i"), TABLE)
def test_least_messages_with_one_detector(n: int, i: int) -> None:
    # (n-i)^2 + (n-1), the minimum over all interleavings, checked n<=5 except (5,1); also as its parts:
    # (n-i)(n-i+1)/2 Election + (n-i)(n-i-1)/2 Ok + n-1 Coordinator.
    policy = Policy(identifiers=tuple(range(1, n + 1)), initiators=(i,))
    [(_, least, greatest)] = message_counts("bully", n, policy=policy)
    d = n - i
    assert least == TABLE[n, i] == d**2 + (n - 1) == d * (d + 1) // 2 + d * (d - 1) // 2 + n - 1
    # "A late Election can make it hold a second election": the maximum is larger as soon as n-i >= 3.
    assert (greatest > least) == (d >= 3)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_letting_lower_ones_know_costs_messages_and_changes_nothing(n: int) -> None:
    # Handbook D1, inform_lower. With the fewest messages everyone from i to n-1 holds one election: j-1 notices from j.
    informs = "bully:InformsTheLower"
    for i in range(1, n):
        policy = Policy(identifiers=tuple(range(1, n + 1)), initiators=(i,))
        [(_, least, _)] = message_counts(informs, n, policy=policy)
        assert least == (n - i) ** 2 + (n - 1) + sum(j - 1 for j in range(i, n))
    assert check(informs, n=min(n, 3)).verdict == "HOLDS"


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_fewest_messages_when_everyone_detects(n: int) -> None:
    # Each i < n asks n-i others and answers the i-1 smaller ones; one announces: the same as for the detector 1 alone.
    policy = Policy(identifiers=tuple(range(1, n + 1)))
    [(_, least, _)] = message_counts("bully", n, policy=policy, start="simultaneous")
    assert least == n * (n - 1) // 2 + (n - 1) * (n - 2) // 2 + (n - 1) == n * (n - 1)


def test_pitfall_1_without_a_second_timeout_a_crash_after_ok_leaves_the_detector_waiting() -> None:
    # Catalogue L 35, n=3, 3 down: detect at 1, Ok from 2, 2 crashes: 1 waits for ever. 5 steps: 1 hears the Ok and the
    # crash.
    result = check("bully:WaitsForTheCoordinator", n=3, crashes=1)
    found = result.property("everyone_names_a_leader")
    assert found.verdict == "violated"
    assert found.trace is not None
    assert "p1 (id 1)" in found.trace.reason
    assert [step.step for step in found.trace.steps] == ["detect", "answer", "stand_back", "crash", "note_crash"]
    assert check("bully", n=3, crashes=1).verdict == "HOLDS"


def test_pitfall_2_a_late_coordinator_deposes_a_leader_that_recovered() -> None:
    # Catalogue L 36: Coordinator(2) reaches 3 last, 3 believes 2, the others 3. 2 detects, 3 comes back, 2 times out; 1
    # and 2 are told, 1 follows both, 2 follows 3, 3 follows 2: 9 steps. Before 3 comes back the announcement misses it,
    # and the twin needs no last step: 8.
    result = check("bully:BelievesAll", n=3, recoveries=1)
    agreement = result.property("agreement")
    assert agreement.verdict == "violated"
    assert agreement.trace is not None
    assert agreement.trace.length == 8
    deposed = check("bully:BelievesAll", n=3, recoveries=1, spec=KEEPS_ITSELF).property("the_greatest_keeps_itself")
    assert deposed.trace is not None
    assert deposed.trace.length == 9


def test_pitfall_2_bullying_back_saves_the_recovered_leader_but_not_its_twin() -> None:
    # The twin: 1 receives Coordinator(3) before the older Coordinator(2) and ends with 2 [checked n=3].
    bullies_back = "bully:BelievesTheStale"
    assert check(bullies_back, n=3, recoveries=1, spec=KEEPS_ITSELF).verdict == "HOLDS"
    agreement = check(bullies_back, n=3, recoveries=1).property("agreement")
    assert agreement.verdict == "violated"
    assert agreement.trace is not None
    assert "p1 (id 1) takes 2" in agreement.trace.reason
    assert agreement.trace.length == 8


def test_pitfall_3_a_timeout_at_any_moment_elects_the_wrong_leader() -> None:
    # n=3: 1 times out before 2's Ok arrives and announces itself [checked]: detect, time out, 2 answers, 1 has its Ok
    # in vain, 2 follows. Bullying back repairs it: 2 answers a smaller leader with an election.
    found = check("bully:TimesOutAndBelieves", n=3).property("leader_is_the_greatest_alive")
    assert found.verdict == "violated"
    assert found.trace is not None
    assert found.trace.length == 5
    assert check("bully:TimesOutAnyTime", n=3).verdict == "HOLDS"


def test_pitfall_4_a_lost_election_makes_the_smaller_process_the_leader() -> None:
    # n=3: losing Election(1->2) makes 1 the leader although 2 is alive [checked]: detect, lose, time out, 2 believes
    # it.
    result = check("bully:TimesOutAndBelieves", n=3, losses=1)
    found = result.property("leader_is_the_greatest_alive")
    assert found.verdict == "violated"
    assert found.trace is not None
    assert found.trace.length == 4


def test_pitfall_4_under_the_perfect_detector_a_lost_message_leaves_processes_waiting() -> None:
    # The detector reports crashes, not losses: without a false time-out nobody goes on.
    assert check("bully", n=3, losses=1).property("everyone_names_a_leader").verdict == "violated"


SPECS = '''
from modelcheck import always, at_the_end, because

@always
def nobody_has_come_back(view):
    """3 is down."""
    return view.processes[2].crashed

@at_the_end
def nobody_follows_2_when_it_is_down(view):
    """At the end nobody follows 2, the leader after 3, if it is down too."""
    return not (view.processes[1].crashed and view.processes[0].leader == view.processes[1].id)

@at_the_end
def one_leads(view):
    """At the end no two processes take themselves for the leader."""
    leaders = [p for p in view.alive if p.leader == p.id]
    return len(leaders) <= 1 or because(f"{leaders}")
'''


@pytest.fixture
def spec(tmp_path: Path) -> str:
    (tmp_path / "claims.py").write_text(SPECS)
    return str(tmp_path / "claims.py")


def test_pitfall_5_a_crash_of_the_new_leader_is_repaired_only_by_another_detection(spec: str) -> None:
    # 2 detects, times out, 1 follows, 2 crashes, 1 is told: 5 steps, and 1 may not look.
    claim = "nobody_follows_2_when_it_is_down"
    alone = check("bully", ids=(1, 2, 3), initiators=(2,), crashes=1, spec=spec, property=claim)
    trace = alone.property(claim).trace
    assert trace is not None
    assert trace.length == 5
    assert check("bully", n=3, crashes=1, spec=spec, property=claim).verdict == "HOLDS"


def test_the_greatest_announces_itself_at_once_when_it_recovers(spec: str) -> None:
    # Handbook D2: n-1 messages, no questions.
    claim = "nobody_has_come_back"
    trace = check("bully", n=3, recoveries=1, spec=spec, property=claim).property(claim).trace
    assert trace is not None
    assert [step.step for step in trace.steps] == ["come_back"]
    assert [(sent.message, sent.target) for sent in trace.steps[0].sent] == [
        ("Coordinator(3)", "p1 (id 1)"),
        ("Coordinator(3)", "p2 (id 2)"),
    ]


def test_with_equal_identifiers_both_lead(spec: str) -> None:
    # "Who is higher?" Neither: one detects and times out, and the other takes the announcement for its own: 3 steps.
    trace = check("bully", ids=(1, 1, 2), spec=spec, property="one_leads").property("one_leads").trace
    assert trace is not None
    assert trace.length == 3


def test_gaps_between_identifiers_change_nothing() -> None:
    assert check("bully", n=3, ids="from:5").verdict == "HOLDS"


def test_without_crashes_messages_may_overtake_each_other() -> None:
    assert check("bully", n=3, network="bag").verdict == "HOLDS"
