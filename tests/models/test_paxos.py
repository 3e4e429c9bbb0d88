"""Paxos: at most one is chosen, and what goes wrong where a rule is left out."""

from typing import Any

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts

PROPERTY = "at_most_one_is_chosen"


@pytest.mark.parametrize(
    ("n", "ballots", "options"),
    [
        (1, 3, {}),
        (3, 1, {}),
        (2, 2, {"network": "set", "losses": 1, "duplications": 1}),
        (2, 2, {"crashes": 1, "recoveries": 1}),
        (2, 2, {"partitions": 1, "heals": 1}),
        pytest.param(3, 1, {"initiators": "size:2", "crashes": 1, "recoveries": 1}, marks=pytest.mark.thorough),
    ],
)
def test_at_most_one_is_chosen(n: int, ballots: int, options: dict[str, Any]) -> None:
    result = check("paxos", n=n, parameters={"ballots": ballots}, **options)
    assert result.verdict == "HOLDS"
    assert result.property(PROPERTY).verdict == "holds"


def test_both_engines_agree() -> None:
    runs = [check("paxos", n=2, engine=engine, parameters={"ballots": 2}) for engine in ("reference", "compiled")]
    assert [run.verdict for run in runs] == ["HOLDS", "HOLDS"]
    assert len({(run.states, run.transitions, run.depth) for run in runs}) == 1


@pytest.mark.parametrize("n", [1, 2, 3])
def test_messages_of_one_ballot(n: int) -> None:
    # Each of the others is asked, promises, is asked for its vote, and votes.
    for _, least, greatest in message_counts("paxos", n, policy=Policy(initiators=(1,))):
        assert least == greatest == 4 * (n - 1)


@pytest.mark.parametrize(
    ("variation", "n", "steps"),
    [
        # Ballots (1, 1) and (1, 2), two steps to begin; then of each a promise heard and a vote heard, with sending them 4 steps.
        ("ProposesItself", 3, 2 + 4 + 4),
        ("VotesInAnyBallot", 3, 2 + 4 + 4),
        ("HalfIsEnough", 2, 2),  # each chooses itself when it begins
    ],
)
def test_without_one_of_its_rules_two_are_chosen(variation: str, n: int, steps: int) -> None:
    trace = check(f"paxos:{variation}", n=n, property=PROPERTY).property(PROPERTY).trace
    assert trace is not None
    assert trace.length == steps


@pytest.mark.parametrize("variation", ["ForgetsItsPromise", "ForgetsItsVote"])
def test_what_is_forgotten_in_a_crash_lets_two_be_chosen(variation: str) -> None:
    # The ten steps of above, and somebody crashes and comes back in between.
    asked: Any = {"ids": (1, 2, 3), "initiators": (1, 2), "property": PROPERTY}
    assert check(f"paxos:{variation}", **asked).verdict == "HOLDS"
    trace = check(f"paxos:{variation}", crashes=1, recoveries=1, **asked).property(PROPERTY).trace
    assert trace is not None
    assert trace.length == 10 + 2
