"""Lock-step runs as people and programs read them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import check
from modelcheck.check.result import Result
from modelcheck.report.files import as_json
from modelcheck.report.words import commands
from modelcheck.runs.rounds import together

from ..protocols import ALL_FAULTY, UNLUCKY
from .conftest import Draw

Run = Callable[..., Result]


def lockstep(model: str, **options: Any) -> Result:
    return check(model, schedule="lockstep", **options)


def test_a_verdict_names_the_schedule_and_claims_no_more_than_was_searched(draw: Draw) -> None:
    report = draw(lockstep("chang_roberts", n=3))
    assert report.startswith("HOLDS")
    assert "ids unique  schedule lockstep\n" in report
    assert "guarantee    exhaustive, exact, of lock-step runs alone; 2 worlds stand for all 6 assignments" in report
    assert "not checked  interleavings other than lock-step; loss" in report
    assert "later starts" in report
    assert report.endswith("next         modelcheck run chang_roberts --n 3\n")


def test_processes_that_do_the_same_in_a_round_share_a_line(draw: Draw) -> None:
    report = draw(lockstep("chang_roberts", ids="1,1,1", property="at_most_one_leader"))
    assert "VIOLATED  at_most_one_leader  (always)  after 3 rounds" in report
    assert "shortest lock-step traces, each replayed step by step" in report
    assert "  2  every process  compare  Election(1) from previous  sends Leader(1) to next\n" in report
    assert "again        modelcheck run chang_roberts --schedule lockstep --ids 1,1,1" in report


def test_a_process_that_does_something_else_has_a_line_of_its_own_with_the_processes_named(draw: Draw) -> None:
    report = draw(lockstep("chang_roberts", ids="2,2,1", property="at_most_one_leader"))
    assert (
        "  1  p1 (id 2), p2 (id 2)  wake_up                           awake False -> True; sends Election(2) to next\n"
        in report
    )
    assert (
        "     p3 (id 1)             wake_up                           awake False -> True; sends Election(1) to p1\n"
        in report
    )
    assert "  2  p1 (id 2)             compare  Election(1) from p3\n" in report
    assert "     p2 (id 2)             compare  Election(2) from p1      sends Leader(2) to p3\n" in report


def test_an_endless_run_repeats_rounds(draw: Draw) -> None:
    report = draw(lockstep("itai_rodeh", n=2, parameters={"draws": 1}))
    assert "the rounds marked * repeat for ever: after round 3 all is as it was before round 2" in report
    assert "  * 3  every process" in report


@pytest.mark.parametrize("name", ALL_FAULTY)
def test_every_kind_of_violation_is_found_in_lock_step_too_and_shown_again(name: str, run: Run) -> None:
    text, code = ALL_FAULTY[name]
    found = run(text, n=2, schedule="lockstep")
    assert found.exit_code == code
    for violated in found.properties:
        if violated.verdict == "violated":
            assert violated.trace is not None
            assert violated.trace.unit == ("round" if violated.trace.length else "step")
            assert "--schedule lockstep" in commands.again(found, violated)


def test_a_note_on_probability_stays(run: Run, draw: Draw) -> None:
    report = draw(run(UNLUCKY, n=2, schedule="lockstep"))
    assert "termination holds with probability 1" in report


def test_json_has_the_schedule_the_unit_and_the_round_of_each_step() -> None:
    found = lockstep("itai_rodeh", n=2, parameters={"draws": 1})
    data = as_json.document(found)
    assert data["schedule"] == "lockstep"
    assert data["options"][:2] == ["--schedule", "lockstep"]
    trace = next(p["trace"] for p in data["properties"] if p["verdict"] == "violated")
    assert (trace["length"], trace["unit"], trace["loop"]) == (3, "round", 2)
    assert [step["round"] for step in trace["steps"]] == [1, 1, 2, 2, 3, 3]
    assert trace["steps"][0]["state"] == trace["steps"][1]["state"], "the state is that after the round"
    assert data["reason"] == "a run never gets where it should"
    assert as_json.document(lockstep("itai_rodeh", n=2))["reason"] == "every state reachable in lock-step was visited"


def test_any_other_schedule_has_steps_and_no_rounds() -> None:
    found = check("chang_roberts", ids="1,1", property="at_most_one_leader")
    data = as_json.document(found)
    trace = next(p["trace"] for p in data["properties"] if p["verdict"] == "violated")
    assert (data["schedule"], trace["unit"], trace["length"]) == ("any", "step", len(trace["steps"]))
    assert {step["round"] for step in trace["steps"]} == {None}
    shown = found.property("at_most_one_leader").trace
    assert shown is not None
    assert together(shown) == list(shown.steps)
