"""Heap-tree election (handbook D6; Effatparvar et al., section 4 and table 1)."""

from itertools import permutations
from math import floor, log2
from pathlib import Path

import pytest

from modelcheck import check
from modelcheck.check.result import Result
from modelcheck.semantics.worlds import Policy

from .counting import message_counts

MODEL = "heap_tree"
LEADER_UP = "heap_tree:LeaderUp"


def shortest(result: Result, name: str) -> int:
    found = result.property(name)
    assert found.verdict == "violated"
    assert found.trace is not None
    return found.trace.length


@pytest.mark.parametrize(
    ("n", "network"), [(1, "fifo"), (2, "fifo"), (3, "fifo"), (3, "bag"), (4, "fifo"), (4, "bag"), (5, "fifo")]
)
def test_it_elects_the_greatest_left_in_every_heap(n: int, network: str) -> None:
    assert check(MODEL, n=n, network=network).verdict == "HOLDS"


def test_the_engines_agree() -> None:
    plain, fast = check(MODEL, n=4, engine="reference"), check(MODEL, n=4, engine="compiled")
    assert (plain.verdict, plain.states, plain.transitions) == (fast.verdict, fast.states, fast.transitions)


def costs(n: int, detector: int) -> list[int]:
    """What one detector costs in each heap of 1, ..., n (handbook D6): from depth D up to a child of the root D-1
    messages, one to compare, one to yield if the child that asks is the greater, n-2 to announce."""
    found = []
    for below in permutations(range(1, n)):
        heap = (0, n, *below)  # places from 1, as in the article
        if all(heap[k] < heap[k // 2] for k in range(2, n + 1)):
            place, depth = heap.index(detector), floor(log2(heap.index(detector)))
            child = place >> (depth - 1)
            found.append((depth - 1) + 1 + (heap[child] == n - 1) + (n - 2))
    return found


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_messages_of_one_detector(n: int) -> None:
    ends = []
    for i in range(1, n):
        policy = Policy(identifiers=tuple(range(1, n + 1)), initiators=(i,))
        [(_, least, greatest)] = message_counts(MODEL, n, policy=policy)
        assert (least, greatest) == (min(costs(n, i)), max(costs(n, i)))
        ends += [least, greatest]
    # Handbook J: 1 + 0 + (n-2) and lg n + 1 + (n-2); table 1 of the article: at most log n + (n-1).
    assert (min(ends), max(ends)) == (n - 1, floor(log2(n)) + n - 1)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_messages_when_everyone_detects(n: int) -> None:
    # Each below the children of the root tells its parent, which knows (n-3); the children both compare, the smaller
    # one yields (3); n-2 to announce.
    policy = Policy(identifiers=tuple(range(1, n + 1)))
    for _, least, greatest in message_counts(MODEL, n, policy=policy, start="simultaneous"):
        assert least == greatest == ((n - 3) + 3 + (n - 2) if n > 2 else 0)


def test_pitfall_1_a_crash_on_the_path_loses_the_message() -> None:
    # Catalogue L 17, heap 4;3,2;1: 1 tells 3; 3 asks 2, which yields, has seen the election and stays silent from then
    # on; 3 crashes, with what 1 told it in its inbox, and 1 and 2 are told: 6 steps.
    assert shortest(check(MODEL, n=4, crashes=1), "everyone_names_a_leader") == 6


def test_pitfall_2_if_the_greater_child_is_dead_its_own_child_is_overlooked() -> None:
    # Catalogue L 17, heap 4;3,1;2: 3 crashes, 1 and 2 are told, 1 detects and leads though 2 is alive, 2 follows: 5
    # steps.
    assert shortest(check(MODEL, n=4, crashes=1), "leader_is_the_greatest_alive") == 5


SECOND = '''
from modelcheck import every_step, because

@every_step
def the_second_election_is_right(before, after):
    """Whoever followed 3, the leader after 4, takes the greatest alive for the next."""
    for old, new in zip(before.processes, after.processes):
        if old.leader == before.processes[2].id != new.leader and not new.crashed:
            greatest = max(p.id for p in after.alive)
            if new.leader != greatest:
                return because(f"{new} takes {new.leader} for the leader, and {greatest} is alive")
    return True
'''


def test_pitfall_3_without_a_new_heap_the_second_election_compares_the_wrong_ones(tmp_path: Path) -> None:
    # Heap 4;3,1;2: 1 detects and asks 3, which leads; 1 follows; 3 crashes, 1 is told, detects, has no sibling alive: 6
    # steps.
    (tmp_path / "second.py").write_text(SECOND)
    spec = str(tmp_path / "second.py")
    stale = check(f"{MODEL}:NeverRebuilds", n=4, crashes=1, spec=spec)
    assert shortest(stale, "the_second_election_is_right") == 6
    rebuilt = check(MODEL, n=4, crashes=1, spec=spec)
    assert rebuilt.property("the_second_election_is_right").verdict == "holds"


def test_pitfall_4_if_both_children_detect_the_greater_one_hears_twice_that_it_is() -> None:
    # 1 and 2 detect and compare (2 steps): 2 announces itself, 1 yields and follows, then 2 is told that 1 yields: 6
    # steps.
    result = check(f"{MODEL}:AnnouncesAgain", n=3)
    assert shortest(result, "announced_once") == 6
    assert result.property("agreement").verdict == "holds"


def test_pitfall_5_below_the_root_it_must_be_a_heap() -> None:
    # 4;2,1 with 3 in the fourth place: 1 asks 2, which leads, and 1 and 3 follow: 4 steps. With three, below the root
    # there is no disorder.
    disorder = f"{MODEL}:AnyOrder"
    assert shortest(check(disorder, n=4), "leader_is_the_greatest_alive") == 4
    assert check(disorder, n=3).verdict == "HOLDS"


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_one_newcomer_leaves_it_a_heap(n: int) -> None:
    # It rises as far as below the root: depth floor(lg n) down to 1; each exchange is a question and an answer, and at
    # last a question.
    joins: dict[str, object] = {"joins": 1}
    assert check(LEADER_UP, n=n, parameters=joins).verdict == "HOLDS"
    policy = Policy(identifiers=tuple(range(1, n + 1)))
    [(_, least, greatest)] = message_counts(LEADER_UP, n, policy=policy, parameters=joins)
    assert (least, greatest) == (1, 2 * (floor(log2(n)) - 1) + 1)


def test_two_newcomers_under_one_parent_overwrite_each_other() -> None:
    # Heap 5;1,3, then 2 and 4 below 1: each joins, changes places with 1, asks 5, in vain: 2 * 4 steps. One of them is
    # lost.
    joins = {"joins": 2}
    assert shortest(check(LEADER_UP, n=5, parameters=joins), "heap_ok") == 8
    assert check(LEADER_UP, n=4, parameters=joins).verdict == "HOLDS"  # one below the other


def test_a_newcomer_is_overlooked_by_an_election_that_has_begun() -> None:
    # Heap 3;1: 1 detects and is alone below the root, so it announces itself; 2 joins and follows.
    assert shortest(check(MODEL, n=3, parameters={"joins": 1}), "leader_is_the_greatest_alive") == 3


def test_a_newcomer_that_rises_during_an_election_makes_two_leaders() -> None:
    # Heap 4;1,2: 1 detects and asks 2; 3 joins and changes places with 1 (in vain it asks 4 too); 2 detects and asks 3.
    # So 2 hears of 1 and 3 of 2 (2 steps), both lead, and each announcement has two to follow it: 1 + 3 + 1 + 2 + 4
    # steps.
    assert shortest(check(MODEL, n=4, parameters={"joins": 1}), "agreement") == 11


def test_a_lost_answer_leaves_the_child_waiting() -> None:
    # 1 asks 2, which announces itself; the announcement is lost.
    assert shortest(check(MODEL, n=3, losses=1), "everyone_names_a_leader") == 3
