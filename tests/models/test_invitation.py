"""Garcia-Molina's Invitation Algorithm: what holds within a group, and what nobody promises of several."""

from typing import Any

import pytest

from modelcheck import check

from .counting import message_counts


@pytest.mark.parametrize(
    ("n", "options"),
    [
        (1, {}),
        (2, {}),
        (2, {"network": "bag"}),
        (2, {"network": "set", "losses": 1, "duplications": 1}),
        (2, {"crashes": 1, "recoveries": 1}),
        (2, {"partitions": 1, "heals": 1}),
        (3, {"initiators": "size:1"}),
        pytest.param(3, {"initiators": "size:2"}, marks=pytest.mark.thorough),
    ],
)
def test_a_group_has_one_task_and_nobody_waits(n: int, options: dict[str, Any]) -> None:
    result = check("invitation", n=n, **options)
    assert result.verdict == "HOLDS"
    assert {result.property(name).verdict for name in ("one_task_in_a_group", "nobody_waits")} == {"holds"}


def test_both_engines_agree() -> None:
    runs = [check("invitation", n=2, crashes=1, engine=engine) for engine in ("reference", "compiled")]
    assert [run.verdict for run in runs] == ["HOLDS", "HOLDS"]
    assert len({(run.states, run.transitions) for run in runs}) == 1


def test_messages_of_two() -> None:
    # Fewest: both ask, one answers, invites and is accepted too late to have a task for the other: 2 + 1 + 1 + 1. Most: each asks, is answered,
    # invites, is accepted and gives a task, 5 each; and who coordinated the first group passes the invitation to the second on to it.
    [(_, least, greatest)] = message_counts("invitation", 2)
    assert least == 2 + 1 + 1 + 1
    assert greatest == 2 * 5 + 1


def violation(variation: str, name: str, **options: Any) -> int:
    trace = check(f"invitation{variation}", **options).property(name).trace
    assert trace is not None
    return trace.length


def test_one_group_is_not_promised() -> None:
    # One asks, is answered, hears it, invites; the other joins, and leaves: 6. What is left is to come to the end: the first counts what has
    # been accepted and begins without it, or the other way round, and the other, which may still look for somebody, asks in vain: 4.
    assert violation("", "one_group_is_left", n=2, spec="one_group") == 6 + 2 + 2


def test_a_number_that_is_used_again_names_two_groups() -> None:
    # A group of two: ask, answer, find, merge, join, count, begin. Its coordinator crashes and forms a group of the same number; the other gets ready.
    assert violation(":ForgetsItsCounter", "one_task_in_a_group", n=2, crashes=1, recoveries=1) == 7 + 2 + 1


@pytest.mark.thorough
def test_a_task_is_for_the_group_that_it_names() -> None:
    # 1 and 2 ask; 3 joins 1, which begins, 6; 3 leaves, and joins 2, 5; and takes for its task what comes from 1.
    assert violation(":ReadyForAny", "one_task_in_a_group", ids=(1, 2, 3), initiators=(1, 2)) == 2 + 6 + 5 + 1


def test_whoever_waits_for_a_group_that_began_without_it_waits_for_ever() -> None:
    # Ask, answer, find, merge, begin; join and count come too late.
    assert violation(":NobodyIsLeft", "nobody_waits", n=2) == 5 + 2
