"""The book itself: every claim can be tried, and the fast part of it comes out as the book has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from modelcheck import catalog
from modelcheck.book.claim import Claim, Trial
from modelcheck.book.shelf import find_claims
from modelcheck.book.trying import Reader, request_of
from modelcheck.check.findings import ALWAYS_CHECKED
from modelcheck.count.extremes import OTHERS, TOTAL, Columns
from modelcheck.explore.limits import Limits
from modelcheck.options import asked_for

OTHER_TOOLS = str(Path(__file__).parent / "other_tools.toml")
SOURCES = [*catalog.claim_files(), OTHER_TOOLS]
CLAIMS = {claim.reference: claim for source in SOURCES for _, claims in find_claims(source) for claim in claims}

# The catalogue of the sources' errors, and the exercises and questions they set.
ERRORS = {
    1: "garg-start-without-guard",
    2: "garg-direction",
    3: "garg-index-or-identifier",
    4: "garg-passive-dkr",
    5: "garg-dkr-fifo",
    6: "garg-spanning-tree-leaf",
    7: "garg-convergecast-leaves",
    8: "garg-global-function-index",
    9: "garg-global-function-twice",
    10: "garg-hirschberg-sinclair-survivors",
    11: "garg-lamport-bound",
    12: "effatparvar-lost-answer",
    13: "effatparvar-all-answers-lost",
    14: "effatparvar-two-announcements",
    15: "effatparvar-ring-stop",
    16: "effatparvar-equation-1 effatparvar-equation-2 effatparvar-equation-3 effatparvar-equation-4 "
    "effatparvar-bully-formula effatparvar-table-1-ring effatparvar-table-2",
    17: "effatparvar-heap-crash",
    18: "santoro-all-the-way-count",
    19: "santoro-awareness",
    20: "santoro-control-check",
    21: "santoro-control-defeated",
    22: "santoro-control-constant",
    23: "santoro-stages-early",
    24: "santoro-feedback-strict",
    25: "santoro-feedback-close",
    26: "santoro-feedback-own-yes",
    27: "santoro-feedback-bound",
    28: "santoro-alternate-asleep",
    29: "santoro-alternate-bound",
    30: "santoro-alternate-orientation",
    31: "santoro-as-far-winning-test",
    32: "santoro-tree-less-or-equal",
    33: "santoro-tree-bits",
    34: "santoro-mesh-border",
    35: "krzyzanowski-bully-job-done",
    36: "krzyzanowski-bully-stale",
    37: "krzyzanowski-ring-originator",
    38: "krzyzanowski-ring-p1-p2",
    39: "krzyzanowski-no-distinguishing",
    40: "harmony-25.1 harmony-assertions-are-enough",
    41: "harmony-25.2",
    42: "literature-ghs-queue",
}
EXERCISES = {
    "garg": ["13.1", "13.2", "13.3", "13.4", "many-instances"],
    "santoro": ["bits", "awareness", "higher-stage", "best-case", "not-survived", "one-direction"],
    "harmony": ["25.1", "25.2"],
}


def trials(claim: Claim) -> list[Trial]:
    return [trial for trial in claim.trials if trial.comparison is None]


@pytest.mark.parametrize("number", ERRORS)
def test_every_error_of_the_catalogue_is_in_the_book(number: int) -> None:
    assert set(ERRORS[number].split()) <= set(CLAIMS)


def test_all_forty_two_are() -> None:
    assert list(ERRORS) == list(range(1, 43))


def test_every_exercise_is_in_the_book_and_no_other() -> None:
    found = {reference for reference, claim in CLAIMS.items() if claim.is_exercise}
    assert found == {f"{source}-{name}" for source, names in EXERCISES.items() for name in names}


@pytest.mark.parametrize("reference", CLAIMS)
def test_a_claim_names_a_model_parameters_and_properties_that_exist(reference: str) -> None:
    for trial in trials(CLAIMS[reference]):
        model, _, asked = asked_for(trial.words)
        request = request_of(model, {**asked, "n": trial.sizes[0]} if trial.sizes else asked)
        known = {prop.name for prop in request.properties} | {name for name, _, _ in ALWAYS_CHECKED}
        expected = trial.expected
        assert {*expected.violated, *expected.holding, *expected.almost_surely} <= known
        kinds = {key.partition(" of ")[2] or TOTAL for key in (*expected.messages, *expected.misprinted)}
        assert kinds <= set(Columns.of(request.model.definition).names) - {OTHERS}


@pytest.mark.parametrize("reference", CLAIMS)
def test_a_claim_is_a_sentence(reference: str) -> None:
    claim = CLAIMS[reference]
    assert claim.states[-1] in ".?"
    assert not claim.errs or claim.errs[-1] == "."
    for text in (claim.attempt, claim.look, claim.explains):
        assert not text or text[-1] == "."


# More than half a second each. What they say of a model is what the tests of the model are about.
LONG = """
    effatparvar-heap-crash effatparvar-heap-joins effatparvar-lost-answer effatparvar-modified-bully
    effatparvar-modified-ring garg-13.1 garg-anonymous-ring garg-convergecast garg-dkr
    garg-hirschberg-sinclair-invariant garg-many-instances garg-maximum-wins garg-randomised
    garg-silence-is-safe garg-spanning-tree garg-tree-broadcast harmony-25.1 harmony-25.2
    harmony-again-and-again harmony-printed-program krzyzanowski-bully krzyzanowski-bully-recovery
    krzyzanowski-bully-stale krzyzanowski-participant krzyzanowski-ring-concurrent
    krzyzanowski-ring-originator literature-afek-gafni literature-bully-messages literature-chordal-rings
    literature-firewire literature-fokkink-pang-probability-1 literature-franklin literature-garcia-molina
    literature-herman literature-higham-przytycka literature-hirschberg-sinclair
    literature-hirschberg-sinclair-silent literature-hyper-elect literature-invitation literature-itai-rodeh
    literature-itai-rodeh-bits literature-korach-rotem-santoro literature-leader-async-rounds
    literature-leader-sync-rounds literature-peterson literature-yo-yo literature-zookeeper
    other_tools-prism-leader-async other_tools-prism-leader-sync other_tools-spin-chang-roberts
    santoro-all-the-way santoro-alternate santoro-alternate-bound santoro-as-far santoro-as-far-winning-test
    santoro-awareness santoro-conjecture santoro-control-defeated santoro-mesh santoro-minmax
    santoro-minmax-plus santoro-stages santoro-stages-order santoro-terminal-states santoro-tree-elect-min
    santoro-tree-elect-root santoro-uni-alternate santoro-uni-stages
"""


def test_what_is_tried_only_under_thorough_is_in_the_book() -> None:
    assert set(LONG.split()) <= set(CLAIMS)


@pytest.mark.parametrize(
    "reference", [pytest.param(r, marks=pytest.mark.thorough if r in LONG.split() else ()) for r in CLAIMS]
)
def test_the_fast_part_comes_out_as_the_book_has_it(reference: str) -> None:
    claim = CLAIMS[reference]
    for outcome in Reader(Limits(max_seconds=120), fast=True).claims([claim]):
        found = [
            (trial.command, trial.found, trial.wanted) for trial in outcome.trials if trial.status != "as expected"
        ]
        assert not found
        assert outcome.word == ("reading" if not claim.trials else "refuted" if claim.errs else "confirmed")
