"""Surprises are reported as such: what comes out otherwise than the book has it, and what is not reached."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from modelcheck.book.reading import read_source
from modelcheck.book.trying import ClaimOutcome, Reader, exit_code
from modelcheck.errors import UsageError
from modelcheck.explore.limits import Limits

Tried = Callable[..., ClaimOutcome]

HEAD = 'title = "Mine"\n[[claim]]\nname = "one"\nwhere = "page 1"\nstates = "It elects."\n'


@pytest.fixture
def tried(tmp_path: Path) -> Tried:
    """The outcome of a claim with one test."""

    def outcome(test: str, limits: Limits | None = None, more: str = "", **options: object) -> ClaimOutcome:
        file = tmp_path / "mine.toml"
        file.write_text(HEAD + more + f"tests = [{{ {test} }}]")
        [found] = Reader(limits or Limits(), **options).claims(read_source(file).claims)  # type: ignore[arg-type]
        return found

    return outcome


PASSIVE = 'run = "dolev_klawe_rodeh:BeginsPassive", n = 2'
SURPRISES = {
    # what the book would say, and what is found instead
    f"{PASSIVE}, holds = true": "VIOLATED everyone_decides",
    f"{PASSIVE}, violated = {{ everyone_decides = 3 }}": "after 0",
    'run = "chang_roberts", n = "1..3", violated = { agreement = true }': "it holds",
    'run = "chang_roberts", n = 3, states = 57': "56",
    'run = "chang_roberts", n = 3, grows = "awake"': "HOLDS",
    'run = "itai_rodeh", n = 1, almost_surely = ["termination"]': "it holds",
    'run = "chang_roberts --start simultaneous", n = "2..4", messages = { worst = "n^2" }': "worst is 5 at n=2, not 4",
    'run = "chang_roberts --start simultaneous", n = 3, messages = { exactly = "8" }': "exactly 8 is wanted, and 9 are sent",
    'run = "ring_modified:ToTheLetter --ids 1,2 --initiators 1", messages = { worst = 4 }': "worst is unbounded",
    'run = "chang_roberts --start simultaneous", n = 3, misprinted = { worst = "n(n+1)/2 + n" }': "it holds of these sizes",
    'run = "itai_rodeh_sync --schedule lockstep", n = 3, expected = { rounds = "3/2" }': "rounds is 4/3 at n=3, not 3/2",
    'run = "itai_rodeh_sync --schedule lockstep", n = 3, expected = { messages = "infinite" }': "messages is 8 at n=3, not infinite",
    'run = "chang_roberts:StartUnguarded", n = 2, expected = { messages = 1 }': "messages is",
    'formula = "n^2 = 2 n", n = "2..3"': "fails for n=3",
    'formula = "n^2 = n n", n = "2..3", differs = true': "never fails",
    'run = "spanning_tree --graph star", n = 4, violated = { everyone_is_done = true }': "it holds",
}


@pytest.mark.parametrize("test", SURPRISES)
def test_a_surprise_is_reported_as_such(test: str, tried: Tried) -> None:
    outcome = tried(test)
    assert outcome.word == "OTHERWISE"
    assert exit_code([outcome]) == 1
    [trial] = outcome.trials
    assert SURPRISES[test] in trial.found
    assert trial.wanted


def test_a_known_error_that_does_not_show_is_a_surprise_too(tried: Tried) -> None:
    test = 'run = "chang_roberts", n = 2, violated = { one_leader_wave = 7 }'
    assert tried(test, more='errs = "two waves."\n').word == "OTHERWISE"


def test_a_known_error_that_shows_refutes(tried: Tried) -> None:
    test = 'run = "chang_roberts:StartUnguarded", n = 2, violated = { one_leader_wave = 7 }'
    outcome = tried(test, more='errs = "two waves."\n')
    assert outcome.word == "refuted"
    assert exit_code([outcome]) == 0
    assert outcome.trials[0].found == "violates one_leader_wave after 7 steps"


@pytest.mark.parametrize(
    "test",
    ['run = "stages", n = "1..4", holds = true', 'run = "stages", n = "1..4", messages = { best = "min(5n, 3n^2)" }'],
)
def test_what_the_limits_keep_from_being_reached_is_neither_confirmed_nor_a_surprise(test: str, tried: Tried) -> None:
    outcome = tried(test, Limits(max_states=2_000))
    assert outcome.word == "not reached"
    assert exit_code([outcome]) == 20
    assert outcome.trials[0].sizes == (1, 2, 3)
    assert outcome.trials[0].found == "as expected for n=1..3, then the limit of 2,000 states was reached"


def test_after_ctrl_c_the_rest_is_not_reached(tried: Tried) -> None:
    outcome = tried('run = "chang_roberts", n = "1..3", holds = true', interrupted=True)
    assert (outcome.word, outcome.trials[0].found) == ("not reached", "interrupted")


def test_one_may_go_further_than_the_book_or_less_far(tried: Tried) -> None:
    test = 'run = "chang_roberts", n = "1..3", holds = true'
    assert tried(test, up_to=4).trials[0].sizes == (1, 2, 3, 4)
    assert tried(test, up_to=2).trials[0].sizes == (1, 2)


def test_the_fast_part_has_sizes_of_its_own(tried: Tried) -> None:
    test = 'run = "chang_roberts", n = "1..4", fast = "1..2", holds = true'
    assert tried(test, fast=True).trials[0].sizes == (1, 2)


def test_a_property_that_is_not_there_is_an_error_of_the_book(tried: Tried) -> None:
    with pytest.raises(UsageError, match="claim mine-one, test 1: no property 'leader_wins' is checked"):
        tried('run = "chang_roberts", n = 2, violated = { leader_wins = true }')


def test_messages_of_a_type_that_is_not_there_are_an_error_of_the_book(tried: Tried) -> None:
    with pytest.raises(UsageError, match="did you mean Election"):
        tried('run = "chang_roberts", n = 2, messages = { "worst of Elections" = 3 }')


def test_formulas_speak_of_one_world(tried: Tried) -> None:
    # With one initiator i is its identifier: Effatparvar's equation (1).
    test = 'run = "bully_modified:NeverChecks --initiators size:1", n = 4, messages = { exactly = "2(n-i) + (n-2)" }'
    assert tried(test + ', of = "i < n"').word == "confirmed"
    assert tried(test).word == "OTHERWISE"  # who is down from the beginning sends nothing
