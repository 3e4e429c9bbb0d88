"""Verdict and exit code: one function of the ledger, tried on every ledger."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from modelcheck import AssumptionError, Limits, StepError
from modelcheck.check.result import Result
from modelcheck.check.verdict import EXPECTATIONS, KIND_OF, Ledger, judge

CODES = {  # as promised: those of TLC where the meaning is the same
    "exception": 75,
    "assert": 14,
    "always": 12,
    "every step": 12,
    "unspecified reception": 12,
    "at the end": 11,
    "eventually": 13,
    "terminates": 13,
}
VIOLATED = [list(kinds) for size in range(3) for kinds in itertools.combinations(CODES, size)]
ERRORS = [None, StepError("a rule broken"), AssumptionError("no ring")]
LEDGERS = list(itertools.product(VIOLATED, [[], ["agreement"]], [None, "interrupted"], ERRORS))


def test_holds_is_said_only_of_a_complete_search_that_found_nothing() -> None:
    for violated, unchecked, stopped, error in LEDGERS:
        found = judge(Ledger(violated, unchecked, stopped, error))
        complete = not (violated or unchecked or stopped or error)
        assert (found.word == "HOLDS") == (found.exit_code == 0) == complete


def test_a_violation_stands_even_where_a_limit_was_hit_and_its_kind_is_the_exit_code() -> None:
    for violated, unchecked, stopped, error in LEDGERS:
        found = judge(Ledger(violated, unchecked, stopped, error))
        if error is not None:
            assert (found.word, found.exit_code) == ("INCONCLUSIVE", error.exit_code)
        elif violated:
            assert found.word == "VIOLATED"
            assert found.exit_code in {CODES[kind] for kind in violated}
        elif unchecked or stopped:
            assert (found.word, found.exit_code) == ("INCONCLUSIVE", 20)


@pytest.mark.parametrize(("kind", "code"), CODES.items())
def test_each_kind_alone_has_its_promised_exit_code(kind: str, code: int) -> None:
    assert judge(Ledger([kind])).exit_code == code
    assert kind in KIND_OF


def test_of_several_kinds_the_gravest_is_the_exit_code() -> None:
    """An exception before an assertion, that before safety, that before a run that gets stuck, that before liveness."""
    gravest_first = [("exception", 75), ("assert", 14), ("always", 12), ("at the end", 11), ("terminates", 13)]
    for (graver, code), (other, _) in itertools.combinations(gravest_first, 2):
        assert (
            judge(Ledger(violated=[graver, other])).exit_code
            == judge(Ledger(violated=[other, graver])).exit_code
            == code
        )


def test_an_expectation_that_is_met_exits_0_and_no_other() -> None:
    for violated, unchecked, stopped, error in LEDGERS:
        for expected in EXPECTATIONS:
            plain = judge(Ledger(violated, unchecked, stopped, error))
            found = judge(Ledger(violated, unchecked, stopped, error, expected))
            assert found.word == plain.word, "an expectation changes the exit code, never the verdict"
            assert (found.exit_code == 0) == bool(found.expectation)
            if found.expectation:
                assert error is None
                assert expected in ("violation", *map(KIND_OF.get, violated)) or expected == found.word.lower()


# --- each kind, end to end ---------------------------------------------------------------------------------------

COUNTER = """
class Counter(Process):
    topology = one_way_ring
    x: int = 0
    up: bool = True
    @step
    def count(self):
        self.require(self.x < 3)
        self.x += 1
"""


@pytest.mark.parametrize(
    ("prop", "name", "code", "length"),
    [
        # x counts 0, 1, 2, 3: the least number of steps until each claim fails
        ("@always\ndef low(view): return view.processes[0].x < 2", "low", 12, 2),
        ("@always\ndef at_once(view): return False", "at_once", 12, 0),
        ("@every_step\ndef slow(before, after): return after.processes[0].x != 3", "slow", 12, 3),
        ("@at_the_end\ndef two(view): return view.processes[0].x == 2", "two", 11, 3),
        ("@eventually\ndef four(view): return view.processes[0].x == 4", "four", 13, 3),
    ],
)
def test_each_kind_of_property_fails_with_its_exit_code_after_the_least_number_of_steps(
    run: Callable[..., Result], prop: str, name: str, code: int, length: int
) -> None:
    result = run(COUNTER + prop, n=1)
    found = result.property(name)
    assert (result.error, result.verdict, result.exit_code) == (None, "VIOLATED", code)
    assert found.trace is not None
    assert (found.trace.length, found.shortest) == (length, True)


@pytest.mark.parametrize(
    "prop",
    [
        "@always\ndef p(view): return view.processes[0].x < 4",
        "@every_step\ndef p(before, after): return after.processes[0].x == before.processes[0].x + 1",
        "@at_the_end\ndef p(view): return view.processes[0].x == 3",
        "@eventually\ndef p(view): return view.processes[0].x == 2",
        "@eventually\ndef p(view): return view.processes[0].x == 0",
        "p = terminates('p')",
    ],
)
def test_each_kind_of_property_holds_where_it_does(run: Callable[..., Result], prop: str) -> None:
    result = run(COUNTER + prop, n=1)
    assert (result.error, result.verdict, result.exit_code) == (None, "HOLDS", 0)
    assert result.property("p").verdict == "holds"


# --- limits ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "limits", [Limits(max_states=3), Limits(max_seconds=0.0), Limits(max_memory=1)], ids=["states", "seconds", "memory"]
)
def test_a_limit_leaves_inconclusive_and_no_property_holds(run: Callable[..., Result], limits: Limits) -> None:
    result = run(COUNTER + "@always\ndef p(view): return True", n=2, limits=limits)
    assert (result.verdict, result.exit_code) == ("INCONCLUSIVE", 20)
    assert {found.verdict for found in result.properties} == {"inconclusive"}


def test_a_violation_found_before_a_limit_is_a_violation(run: Callable[..., Result]) -> None:
    """And no more is claimed of it: elsewhere there may be a shorter one."""
    text = COUNTER + "@always\ndef p(view): return view.processes[0].x < 1 and view.processes[1].x < 1"
    result = run(text, n=2, limits=Limits(max_states=3))
    assert (result.verdict, result.exit_code) == ("VIOLATED", 12)
    assert result.property("termination").verdict == "inconclusive"
    assert not result.property("p").shortest


def test_exactly_the_limit_is_enough(run: Callable[..., Result]) -> None:
    """Two counters 0..3 have 16 states."""
    assert run(COUNTER, n=2, limits=Limits(max_states=16)).verdict == "HOLDS"
    assert run(COUNTER, n=2, limits=Limits(max_states=15)).verdict == "INCONCLUSIVE"


def test_a_property_that_only_a_later_world_breaks_is_inconclusive_where_that_was_not_reached(
    run: Callable[..., Result],
) -> None:
    text = COUNTER + "@always\ndef p(view): return len(view.processes) < 3 or all(q.x < 3 for q in view.processes)"
    assert run(text, n=(2, 3)).verdict == "VIOLATED"
    stopped = run(text, n=(2, 3), limits=Limits(max_states=20))
    assert (stopped.verdict, stopped.property("p").verdict) == ("INCONCLUSIVE", "inconclusive")
