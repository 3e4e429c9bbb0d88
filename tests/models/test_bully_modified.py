"""Modified Bully (handbook D3; Effatparvar et al., section 2 and equations 1 and 2)."""

from pathlib import Path

import pytest

from modelcheck import check
from modelcheck.check.result import Result
from modelcheck.semantics.worlds import Policy

from .counting import message_counts

MODEL = "bully_modified"
NEVER_CHECKS = "bully_modified:NeverChecks"


def shortest(result: Result, name: str) -> int:
    found = result.property(name)
    assert found.verdict == "violated"
    assert found.trace is not None
    return found.trace.length


def detector(n: int, i: int) -> Policy:
    return Policy(identifiers=tuple(range(1, n + 1)), initiators=(i,))


@pytest.mark.parametrize("model", [MODEL, NEVER_CHECKS])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_it_elects_the_greatest_alive_where_nothing_is_lost(n: int, model: str) -> None:
    assert check(model, n=n).verdict == "HOLDS"


@pytest.mark.parametrize("model", [MODEL, NEVER_CHECKS])
@pytest.mark.parametrize("crashes", [1, 2])
def test_crashes_are_repaired_by_detecting_again(crashes: int, model: str) -> None:
    assert check(model, n=3, crashes=crashes).verdict == "HOLDS"


def test_the_engines_agree() -> None:
    plain, fast = check(MODEL, n=4, engine="reference"), check(MODEL, n=4, engine="compiled")
    assert (plain.verdict, plain.states, plain.transitions) == (fast.verdict, fast.states, fast.transitions)


# Handbook D3: exact counts [derived, checked n<=5]; without asking again they are equation (1).
COUNTS = {(3, 1): (5, 6), (3, 2): (3, 3), (4, 1): (8, 9), (4, 2): (6, 7), (4, 3): (4, 4)}
COUNTS |= {(5, 1): (11, 12), (5, 2): (9, 10), (5, 3): (7, 8), (5, 4): (5, 5), (8, 1): (20, 21)}


@pytest.mark.parametrize(("n", "i"), COUNTS)
def test_messages_of_one_detector(n: int, i: int) -> None:
    plain, asking_again = COUNTS[n, i]
    [(_, least, greatest)] = message_counts(NEVER_CHECKS, n, policy=detector(n, i))
    assert least == greatest == plain == 2 * (n - i) + (n - 2)
    [(_, least, greatest)] = message_counts(MODEL, n, policy=detector(n, i))
    assert least == greatest == asking_again == (plain + 1 if i < n - 1 else n)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_messages_when_everyone_detects(n: int) -> None:
    # The sum of equation (1) over all detectors: n(n-1) + (n-1)(n-2).
    policy = Policy(identifiers=tuple(range(1, n + 1)))
    [(_, least, greatest)] = message_counts(NEVER_CHECKS, n, policy=policy, start="simultaneous")
    assert least == greatest == 2 * (n - 1) ** 2
    # Each of n-2 announcements of n-1 can make it ask n again. If the first reaches it before its own time-out, it
    # makes one such check and never announces itself.
    [(_, least, greatest)] = message_counts(MODEL, n, policy=policy, start="simultaneous")
    assert greatest == 2 * (n - 1) ** 2 + (n - 2)
    assert least == 2 * (n - 1) ** 2 - (n - 1 if n > 2 else 0) + (1 if n > 2 else 0)


@pytest.mark.parametrize(("n", "i"), [(4, 1), (5, 1), (5, 2)])
def test_equation_2_is_the_run_in_which_asking_again_finds_somebody(n: int, i: int) -> None:
    # 2[(n-i) + (n-2) + (n-i')] with i' = n-2 selected, the answer of n-1 being lost. (Two answers of the dead n are in
    # it, and make up for two announcements to n.) The process found asks n in its turn: one more.
    [(_, _, greatest)] = message_counts(MODEL, n, policy=detector(n, i), parameters={"lost_answers": 1})
    assert greatest == 2 * ((n - i) + (n - 2) + (n - (n - 2))) + 1


def test_pitfall_1_without_asking_again_a_lost_answer_elects_the_wrong_leader() -> None:
    # Catalogue L 12: n=4, OK(3) lost, everybody believes 2: detect, 2 and 3 answer, 1 hears the one and is told of the
    # other's silence, time out, 2 and 3 follow: 8 steps.
    result = check(NEVER_CHECKS, ids=(1, 2, 3, 4), initiators=(1,), parameters={"lost_answers": 1})
    assert shortest(result, "leader_is_the_greatest_alive") == 8
    assert result.property("agreement").verdict == "holds"
    repaired = check(MODEL, ids=(1, 2, 3, 4), initiators=(1,), parameters={"lost_answers": 1})
    assert repaired.verdict == "HOLDS"


def test_pitfall_2_if_all_answers_are_lost_nobody_asks_again() -> None:
    # Catalogue L 13: n=3 needs one loss: detect, 2's answer is lost, 1 times out and leads, 2 follows: 5 steps.
    result = check(MODEL, n=3, parameters={"lost_answers": 1})
    assert shortest(result, "leader_is_the_greatest_alive") == 5


def test_pitfall_3_the_second_announcement_overtakes_the_first() -> None:
    # Catalogue L 14: n=4. As pitfall 1 up to the time-out (6 steps); 2 follows and asks, 3 answers, 2 hears,
    # times out and announces 3 (4); 1 follows, 3 follows, asks 4 and times out (3), then 3 gets the first announcement.
    result = check(f"{MODEL}:BelievesTheStale", ids=(1, 2, 3, 4), initiators=(1,), parameters={"lost_answers": 1})
    assert shortest(result, "agreement") == 6 + 4 + 3 + 1
    assert "p3 (id 3) takes 2" in result.property("agreement").trace.reason  # type: ignore[union-attr]


@pytest.mark.parametrize("n", [4, 5])
def test_pitfall_4_two_losses_defeat_asking_again(n: int) -> None:
    # n=4: both answers to 1 are lost: detect, 2 answers, 2 silences, time out, 2 follow. n=5: those of 4 to 1 and to 3.
    two = {"lost_answers": 2}
    result = check(MODEL, ids=range(1, n + 1), initiators=(1,), parameters=two)
    assert shortest(result, "leader_is_the_greatest_alive") == {4: 8, 5: 14}[n]


def test_pitfall_5_if_the_only_detector_crashes_nobody_announces() -> None:
    # 1 crashes and 2 is told: 2 steps (or later, having heard the answers).
    assert shortest(check(MODEL, ids=(1, 2, 3), initiators=(1,), crashes=1), "everyone_names_a_leader") == 2


LIVE = '''
from modelcheck import every_step, because

@every_step
def whoever_is_taken_for_the_leader_is_alive(before, after):
    """Nobody takes for the leader whoever is down at that moment."""
    down = {p.id for p in after.processes if p.crashed}
    for old, new in zip(before.processes, after.processes):
        if new.leader != old.leader and new.leader in down:
            return because(f"{new} now takes {new.leader} for the leader")
    return True
'''


def test_pitfall_6_a_process_that_crashed_after_its_answer_is_announced(tmp_path: Path) -> None:
    # validity(live): detect, 2 answers, 1 hears it, 2 crashes, 1 times out and takes it for the leader: 5 steps.
    (tmp_path / "live.py").write_text(LIVE)
    result = check(MODEL, ids=(1, 2, 3), initiators=(1,), crashes=1, spec=str(tmp_path / "live.py"))
    assert shortest(result, "whoever_is_taken_for_the_leader_is_alive") == 5


def test_a_timeout_at_any_moment_elects_the_wrong_leader() -> None:
    # detect, time out, 2 answers in vain (2 steps), 2 follows.
    assert shortest(check(f"{MODEL}:TimesOutAnyTime", n=3), "leader_is_the_greatest_alive") == 5


def test_the_detector_reports_no_losses() -> None:
    # Where a message is really lost, and not just late, who waits for it is left waiting.
    assert check(MODEL, n=3, losses=1).property("everyone_names_a_leader").verdict == "violated"


def test_a_false_suspicion_is_like_a_lost_answer() -> None:
    # detect, suspect, be told, time out; 2 answers in vain (2 steps) and follows.
    assert shortest(check(MODEL, n=3, detector="unreliable:1"), "leader_is_the_greatest_alive") == 7
