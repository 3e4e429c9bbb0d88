"""The JSON face: the fields that are promised, and that they say what the terminal says."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from modelcheck import Limits, check
from modelcheck.check.result import Result
from modelcheck.report.files import as_json

from ..protocols import ALL_FAULTY, GROWS, LOOKS_AT_N, RAISES

Run = Callable[..., Result]

PROMISED = {
    "format", "verdict", "exit_code", "reason", "model", "parameters", "properties", "worlds", "states", "transitions",
    "terminal_states", "depth", "seconds", "steps_exercised",
}  # fmt: skip


def test_every_result_has_every_promised_field_and_is_json(run: Run) -> None:
    results = [
        check("chang_roberts", n=2),
        check("chang_roberts", ids="1,1"),
        check("chang_roberts", graph="star", n=4),
        run(LOOKS_AT_N),
        run("class Broken(Process):\n    values: list = []\n"),
        run(GROWS, limits=Limits(max_states=50)),
    ]
    for result in results:
        document = json.loads(as_json.dumps(as_json.document(result)))
        assert set(document) >= PROMISED
        assert document["format"] == 1


def test_counts_are_those_of_the_issue() -> None:
    """Chang and Roberts, fifo, n=3 and 4: counts that three independent checkers agree on."""
    document = as_json.document(check("chang_roberts", n=[3, 4]))
    assert document["verdict"] == "holds"
    assert (document["states"], document["transitions"], document["terminal_states"]) == (56 + 497, 106 + 1252, 2 + 6)
    assert document["worlds"] == {"explored": 8, "represented": 30, "to_represent": 30}
    assert [size["n"] for size in document["sizes"]] == [3, 4]
    assert document["steps_exercised"] == {"wake_up": True, "compare": True, "learn": True}
    assert document["parameters"] == {"elects": "max"}


@pytest.mark.parametrize("name", ALL_FAULTY)
def test_verdict_and_exit_code_agree(name: str, run: Run) -> None:
    text, code = ALL_FAULTY[name]
    document = as_json.document(run(text, n=2))
    assert (document["verdict"], document["exit_code"]) == ("violated", code)
    assert "violated" in {found["verdict"] for found in document["properties"]}


def test_a_violation_has_its_trace_and_its_world() -> None:
    document = as_json.document(check("chang_roberts", ids="1,1,2"))
    found = next(p for p in document["properties"] if p["name"] == "leader_is_the_maximum")
    assert (found["kind"], found["verdict"]) == ("always", "violated")
    trace = found["trace"]
    assert trace["world"]["identifiers"] == [1, 1, 2]
    assert trace["length"] == len(trace["steps"]) == 3
    assert trace["loop"] is None
    last = trace["steps"][-1]
    assert last["process"] == "p3 (id 2)"
    assert last["step"] == "learn"
    assert last["received"] == "Leader(1)"
    assert last["source"] == "p2 (id 1)"
    assert last["changed"] == [{"field": "leader", "before": "None", "after": "1"}]
    assert last["sent"] == [{"port": "next", "message": "Leader(1)", "target": "p1 (id 1)", "across": None}]
    first = last["state"]["processes"][0]
    value = {"record": "Leader", "fields": {"id": 1}}
    sent = {"message": "Leader(1)", "port": "previous", "source": "p3 (id 2)", "held": False, "value": value}
    assert first["waiting"] == [sent]
    assert first["fields"]["leader"] == "None"
    assert first["values"]["leader"] is None


def test_a_step_that_raises_has_its_line_and_the_models_traceback(run: Run) -> None:
    document = as_json.document(run(RAISES, n=1))
    (found,) = (p for p in document["properties"] if p["verdict"] == "violated")
    step = found["trace"]["steps"][-1]
    assert step["failure"].startswith("ZeroDivisionError")
    assert "model_1.py:" in step["where"]
    assert any("in divide" in line for line in step["traceback"])


def test_a_model_error_is_data_too(run: Run) -> None:
    document = as_json.document(run(LOOKS_AT_N))
    assert (document["verdict"], document["exit_code"]) == ("inconclusive", 75)
    assert document["error"]["kind"] == "model"
    assert document["error"]["step"] == "look"
    assert "knows" in document["error"]["remedy"]


def test_a_false_assumption_is_data_too() -> None:
    document = as_json.document(check("chang_roberts", graph="star", n=4))
    assert document["exit_code"] == 10
    assert document["error"]["kind"] == "assumption"


def test_an_expectation_is_reported_with_whether_it_was_met() -> None:
    document = as_json.document(check("chang_roberts", n=2, expect="violation"))
    assert (document["expected"], document["expectation_met"], document["exit_code"]) == ("violation", False, 1)


def test_a_limit_is_reported_with_what_grows(run: Run) -> None:
    document = as_json.document(run(GROWS, limits=Limits(max_states=900)))
    assert document["stopped"] == document["reason"] == "the limit of 900 states was reached"
    assert "`count`" in document["growth"]


def test_only_times_vary_between_runs() -> None:
    def dumped() -> str:
        document = as_json.document(check("chang_roberts", ids="1,1,2"))
        del document["seconds"]
        return as_json.dumps(document)

    assert dumped() == dumped()
