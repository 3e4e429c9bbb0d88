"""Raft's leader election, and what goes wrong where a rule is left out."""

from pathlib import Path
from typing import Any

import pytest

from modelcheck import check

from .counting import message_counts

SOMEBODY_LEADS = """
from modelcheck import at_the_end

@at_the_end
def somebody_has_led(view):
    return any(p.won for p in view.processes)
"""


@pytest.mark.parametrize(
    ("n", "terms", "options"),
    [
        (1, 4, {}),
        (2, 2, {}),
        (3, 1, {}),
        (2, 2, {"network": "set"}),
        (2, 2, {"losses": 1, "duplications": 1}),
        (2, 2, {"crashes": 1, "recoveries": 1}),
        (2, 2, {"partitions": 1, "heals": 1}),
        pytest.param(3, 1, {"crashes": 1, "recoveries": 1}, marks=pytest.mark.thorough),
    ],
)
def test_no_term_has_two_leaders(n: int, terms: int, options: dict[str, Any]) -> None:
    result = check("raft", n=n, parameters={"terms": terms}, **options)
    assert result.verdict == "HOLDS"
    assert result.property("at_most_one_leader_a_term").verdict == "holds"


def test_both_engines_agree() -> None:
    runs = [check("raft", n=2, engine=engine, parameters={"terms": 1}) for engine in ("reference", "compiled")]
    assert [run.verdict for run in runs] == ["HOLDS", "HOLDS"]
    assert len({(run.states, run.transitions) for run in runs}) == 1


@pytest.mark.parametrize("n", [2, 3])
def test_votes_may_split(n: int, tmp_path: Path) -> None:
    # Figure 2 of the paper leaves it to chance and to time that they do not: all stand for election at once, n steps, and each of
    # n(n-1) requests is refused, and each refusal heard.
    (tmp_path / "leads.py").write_text(SOMEBODY_LEADS)
    result = check("raft", n=n, parameters={"terms": 1}, spec=str(tmp_path / "leads.py"), property="somebody_has_led")
    trace = result.property("somebody_has_led").trace
    assert trace is not None
    assert trace.length == n + 2 * n * (n - 1)


@pytest.mark.parametrize("n", [2, 3])
def test_messages_of_one_term(n: int) -> None:
    # Fewest with one candidate: n-1 requests, as many votes and heartbeats. Most where all stand: n(n-1) requests and refusals.
    [(_, least, greatest), *others] = message_counts("raft", n, parameters={"terms": 1})
    assert (least, greatest) == (3 * (n - 1), 2 * n * (n - 1))
    assert all(counts[1:] == (least, greatest) for counts in others)


@pytest.mark.parametrize(
    ("variation", "n", "terms", "steps"),
    [
        ("VotesForAll", 3, 1, 6),  # two stand, the third votes for both, both count
        (
            "AdoptsNoTerm",
            3,
            1,
            6,
        ),  # one stands, is voted for, leads; its voter stands in the same term, is voted for, leads
        (
            "CountsLateVotes",
            2,
            3,
            8,
        ),  # each has voted for the other in an earlier term of its own, both stand in term 3 and count
        ("HalfIsEnough", 2, 1, 2),  # each leads when it stands
    ],
)
def test_without_one_of_its_rules_a_term_has_two_leaders(variation: str, n: int, terms: int, steps: int) -> None:
    result = check(f"raft:{variation}", n=n, parameters={"terms": terms})
    trace = result.property("at_most_one_leader_a_term").trace
    assert trace is not None
    assert trace.length == steps


def test_a_vote_that_is_forgotten_in_a_crash_is_given_twice() -> None:
    # One stands, is voted for, leads; one of the two crashes and recovers; another stands, has its vote, leads.
    result = check(
        "raft:ForgetsItsVote", ids=(1, 2, 3), initiators=(1, 2), crashes=1, recoveries=1, parameters={"terms": 1}
    )
    trace = result.property("at_most_one_leader_a_term").trace
    assert trace is not None
    assert trace.length == 3 + 2 + 3


def test_a_forgotten_vote_harms_nobody_without_crashes() -> None:
    assert check("raft:ForgetsItsVote", n=2).verdict == "HOLDS"


@pytest.mark.parametrize("terms", [3, 5])
def test_terms_that_wrap_come_again_too_soon(terms: int) -> None:
    # All runs, without end, are finitely many states; on the same links terms that do not wrap are safe for as many.
    result = check("raft:TermsWrap", n=2, parameters={"terms": terms})
    assert result.property("at_most_one_leads_in_a_term").verdict == "violated"
    assert check("raft", n=2, network="newest", parameters={"terms": 3}).verdict == "HOLDS"
