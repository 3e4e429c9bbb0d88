"""Ring election with a list (handbook D4; Krzyzanowski, Ring election algorithm)."""

from pathlib import Path

import pytest

from modelcheck import Limits, check
from modelcheck.check.result import Result
from modelcheck.semantics.worlds import Policy

from .counting import message_counts

MODEL = "ring_list"
CIRCULATES = "ring_list:Circulates"
DETECTS_ONCE = "ring_list:DetectsOnce"


def shortest(result: Result, name: str) -> int:
    found = result.property(name)
    assert found.verdict == "violated"
    assert found.trace is not None
    return found.trace.length


@pytest.mark.parametrize("model", [MODEL, CIRCULATES])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_it_elects_the_greatest_alive(n: int, model: str) -> None:
    assert check(model, n=n).verdict == "HOLDS"


def test_it_survives_crashes() -> None:
    assert check(MODEL, n=3, crashes=2).verdict == "HOLDS"
    assert check("ring_list:LeaderUp", n=4, crashes=1).verdict == "HOLDS"


def test_the_engines_agree() -> None:
    plain, fast = check(MODEL, n=4, engine="reference"), check(MODEL, n=4, engine="compiled")
    assert (plain.verdict, plain.states, plain.transitions) == (fast.verdict, fast.states, fast.transitions)


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7])
def test_messages_of_one_detector(n: int) -> None:
    # Handbook D4: of a = n-1 alive, a hops and a-1 announcements, 2a-1; 2a where the announcement goes round.
    for i in (1, n - 1):
        policy = Policy(identifiers=tuple(range(1, n + 1)), initiators=(i,))
        [(_, least, greatest)] = message_counts(MODEL, n, policy=policy)
        assert least == greatest == 2 * (n - 1) - 1
        [(_, least, greatest)] = message_counts(CIRCULATES, n, policy=policy)
        assert least == greatest == 2 * (n - 1)


@pytest.mark.parametrize(("n", "c"), [(3, 2), (4, 2), (4, 3), (5, 2)])
def test_messages_of_c_detectors(n: int, c: int) -> None:
    # Handbook D4: c elections of a hops and a-1 announcements; equation (3) of Effatparvar et al. counts the hops.
    policy = Policy(identifiers=tuple(range(1, n + 1)), initiators=tuple(range(1, c + 1)))
    [(_, least, greatest)] = message_counts(MODEL, n, policy=policy, start="simultaneous")
    assert least == greatest == c * (n - 1) + c * (n - 2)


def test_who_is_alone_leads_without_a_message() -> None:
    [(_, least, greatest)] = message_counts(MODEL, 2)
    assert least == greatest == 0


# Pitfalls (handbook D4), each with 1 for the one that detects and the greatest down from the beginning.


def test_pitfall_1_a_list_whose_first_process_crashed_goes_round_for_ever() -> None:
    # Catalogue L 37, two alive beside the originator: 1 detects and crashes, 2 adds itself, both are told, 3 adds
    # itself; then the list goes between 2 and 3.
    trace = check("ring_list:PassesOn", ids=(1, 2, 3, 4), initiators=(1,), crashes=1).property("termination").trace
    assert trace is not None
    assert (trace.length, trace.loop) == (8, 6)
    assert check(MODEL, ids=(1, 2, 3, 4), initiators=(1,), crashes=1).property("termination").verdict == "holds"


def test_pitfall_1_as_on_the_slides_the_list_also_grows_for_ever() -> None:
    result = check(
        "ring_list:Grows",
        ids=(1, 2, 3, 4),
        initiators=(1,),
        crashes=1,
        property="termination",
        limits=Limits(max_states=500),
    )
    assert result.verdict == "INCONCLUSIVE"
    assert result.growth is not None
    assert "members" in result.growth


LIVE = '''
from modelcheck import every_step, because

@every_step
def whoever_announces_names_somebody_alive(before, after):
    """Nobody announces a leader that is down at that moment."""
    down = {p.id for p in after.processes if p.crashed}
    for old, new in zip(before.processes, after.processes):
        if old.mode == "electing" and new.leader != old.leader and new.leader in down:
            return because(f"{new} announces {new.leader}")
    return True
'''


def test_pitfall_2_a_member_that_crashed_after_it_was_listed_is_announced(tmp_path: Path) -> None:
    # validity(live): 1 detects, 2 adds itself and crashes, the list comes back: 4 steps.
    (tmp_path / "live.py").write_text(LIVE)
    result = check(MODEL, ids=(1, 2, 3), initiators=(1,), crashes=1, spec=str(tmp_path / "live.py"))
    assert shortest(result, "whoever_announces_names_somebody_alive") == 4


def test_pitfall_2_is_for_good_if_everyone_looks_only_once() -> None:
    # As before, and 1 is told of the crash.
    assert shortest(check(DETECTS_ONCE, n=3, crashes=1), "everyone_names_a_leader") == 5


def test_pitfall_3_a_process_that_recovers_behind_the_list_is_not_on_it() -> None:
    # 1's election in four steps: detect, 2 adds, 1 has it back, 2 follows. 3 comes back and holds its own, in eight:
    # come back, 1 and 2 are told, 1 adds, 2 adds, 3 has it back, 1 follows, 2 follows. The first announcement reaches 2
    # last.
    result = check(MODEL, n=3, recoveries=1)
    assert shortest(result, "agreement") == shortest(result, "leader_is_the_greatest_alive") == 12
    assert "p2 (id 2) takes 2" in result.property("agreement").trace.reason  # type: ignore[union-attr]


def test_pitfall_4_two_elections_over_a_crash_announce_different_leaders() -> None:
    # 1's list (detect, 2 adds, 3 adds, back) elects 3, which crashes; 2's list (detect, 1 adds, back) elects 2; 1 and 2
    # are told of the crash and follow each other: 4 + 3 + 1 + 2 + 2 steps. If they look again this repairs itself.
    result = check(DETECTS_ONCE, ids=(1, 2, 3, 4), initiators=(1, 2), crashes=1)
    assert shortest(result, "agreement") == 12
    repaired = check(MODEL, ids=(1, 2, 3, 4), initiators=(1, 2), crashes=1)
    assert repaired.property("agreement").verdict == "holds"


def test_pitfall_5_a_list_is_lost_with_the_process_that_held_it() -> None:
    # 1 detects, 2 crashes with the list in its inbox, 1 is told and goes on waiting.
    result = check("ring_list:NeverRetries", n=3, crashes=1)
    assert shortest(result, "everyone_names_a_leader") == 3


def test_who_drops_the_list_of_one_that_crashed_need_not_announce_it() -> None:
    # Whoever waits for a list of its own sends a new one when it is told of the crash; here that is everyone who has started one.
    assert check("ring_list:Drops", n=3, crashes=1).property("termination").verdict == "holds"


def test_without_passing_over_the_dead_no_list_comes_back() -> None:
    # 1 and 2 detect, 2 adds itself to the list of 1; what 2 sends to 3 is lost.
    assert shortest(check("ring_list:SkipsNobody", n=3), "everyone_names_a_leader") == 3


def test_an_announcement_that_goes_round_needs_the_one_that_sent_it() -> None:
    # detect, 2 and 3 add, 1 has it back and crashes, 2 follows, 2 and 3 are told, 3 follows; then 2 and 3 again and
    # again.
    result = check(CIRCULATES, ids=(1, 2, 3, 4), initiators=(1,), crashes=1)
    trace = result.property("termination").trace
    assert trace is not None
    assert (trace.length, trace.loop) == (11, 9)


def test_a_lost_list_is_made_good_by_another_that_detects() -> None:
    assert check(MODEL, n=3, losses=1).verdict == "HOLDS"
    alone = check(MODEL, ids=(1, 2, 3), initiators=(1,), losses=1)
    assert shortest(alone, "everyone_names_a_leader") == 2  # detect, lose


def test_a_false_suspicion_makes_two_leaders() -> None:
    # suspect, 1 is told that 2 is down; 2 detects, 1 adds itself, sees nobody further on and announces 2; then it looks
    # after this leader, takes it for dead and itself for the last one alive; 2 follows the announcement.
    assert shortest(check(MODEL, n=3, detector="unreliable:1"), "agreement") == 6
