"""SARIF 2.1.0: each violation at its line of the model with its run, and nothing passes that was not proved."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modelcheck import check
from modelcheck.check.result import Result
from modelcheck.report.files.sarif import sarif
from tests.cli.conftest import Type
from tests.cli.conftest import type_in as type_in
from tests.conftest import Write

# Of the objects of the standard (OASIS, SARIF 2.1.0, section 3) that are written: what each must have, and what it may have besides. A name
# with a * is a list that is not empty, whose elements are of the kind.
OBJECTS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "sarifLog": ({"version": "2.1.0", "runs*": "run"}, {"$schema": "uri"}),  # 3.13
    "run": ({"tool": "tool"}, {"invocations*": "invocation", "results": "result", "properties": "any"}),  # 3.14
    "tool": ({"driver": "toolComponent"}, {}),  # 3.18
    "toolComponent": ({"name": "text"}, {"version": "text", "semanticVersion": "semver", "rules": "reportingDescriptor"}),  # 3.19
    "reportingDescriptor": ({"id": "text"}, {"shortDescription": "message"}),  # 3.49
    "invocation": ({"executionSuccessful": "bool"}, {"exitCode": "number", "commandLine": "text", "toolExecutionNotifications": "notification"}),  # 3.20
    "notification": ({"message": "message"}, {"level": "level"}),  # 3.58
    "result": ({"message": "message"}, {"ruleId": "text", "ruleIndex": "number", "kind": "kind", "level": "level", "locations": "location", "relatedLocations": "location", "codeFlows": "codeFlow"}),  # 3.27
    "location": ({}, {"id": "number", "message": "message", "physicalLocation": "physicalLocation"}),  # 3.28
    "physicalLocation": ({"artifactLocation": "artifactLocation"}, {"region": "region"}),  # 3.29
    "artifactLocation": ({"uri": "uri"}, {"uriBaseId": "text"}),  # 3.4
    "region": ({"startLine": "positive"}, {}),  # 3.30
    "codeFlow": ({"threadFlows*": "threadFlow"}, {"message": "message"}),  # 3.36
    "threadFlow": ({"locations*": "threadFlowLocation"}, {}),  # 3.37
    "threadFlowLocation": ({"location": "location"}, {"executionOrder": "number", "state": "messages"}),  # 3.38
    "message": ({"text": "text"}, {}),  # 3.11, 3.12
}  # fmt: skip
VALUES: dict[str, Callable[[Any], bool]] = {
    "any": lambda value: isinstance(value, dict),
    "text": lambda value: isinstance(value, str) and value != "",
    "bool": lambda value: isinstance(value, bool),
    "number": lambda value: type(value) is int and value >= 0,
    "positive": lambda value: type(value) is int and value >= 1,
    "uri": lambda value: re.fullmatch(r"[A-Za-z0-9:/?#@!$&'()*+,;=._~%-]+", value) is not None,  # RFC 3986
    "semver": lambda value: re.fullmatch(r"\d+\.\d+\.\d+", value) is not None,
    "2.1.0": lambda value: value == "2.1.0",
    "kind": lambda value: value in ("pass", "open", "informational", "notApplicable", "review", "fail"),
    "level": lambda value: value in ("none", "note", "warning", "error"),
    "messages": lambda value: all(set(message) == {"text"} for message in value.values()),
}


def must_be(value: Any, kind: str, path: str) -> None:
    """Fails where this is no object of the kind."""
    if kind in VALUES:
        assert VALUES[kind](value), (path, value)
        return
    required, optional = OBJECTS[kind]
    known = {name.rstrip("*"): (inner, name.endswith("*")) for name, inner in (required | optional).items()}
    assert {name.rstrip("*") for name in required} <= value.keys() <= known.keys(), (path, list(value))
    for name, inner in value.items():
        kind_of, filled = known[name]
        assert not filled or inner, f"{path}.{name} is empty"
        for number, one in enumerate(inner if isinstance(inner, list) else [inner]):
            must_be(one, kind_of, f"{path}.{name}[{number}]")


def read(result: Result, folder: Path | None = None) -> dict[str, Any]:
    """The only run of the file, which is as the standard has it."""
    document = json.loads(sarif(result, folder))
    must_be(document, "sarifLog", "$")
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    for found in run["results"]:
        assert rules[found["ruleIndex"]]["id"] == found["ruleId"]  # 3.27.6
        assert found["kind"] == "fail" or found["level"] == "none"  # 3.27.10
    result_of: dict[str, Any] = run
    return result_of


def line_of(found: dict[str, Any], file: Path) -> str:
    """The text of the line that a result points to."""
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": file.name, "uriBaseId": "%SRCROOT%"}
    return file.read_text().splitlines()[place["region"]["startLine"] - 1].strip()


MODEL = """
class Boasting(ElectionProcess):
    topology = one_way_ring

    @initiate
    def boast(self):
        self.require(self.leader is None)
        assert self.leader is {wanted}
        self.leader = self.id

@at_the_end
def somebody_rests(view: View) -> Verdict:
    "Somebody has no leader."
    return any(p.leader is None for p in view.processes)
"""


def test_each_violation_is_a_result_at_its_line_with_its_run(write: Write, tmp_path: Path) -> None:
    file = Path(write(MODEL.format(wanted=None)))
    result = check(str(file), n=2)
    run = read(result, tmp_path)
    found = {one["ruleId"]: one for one in run["results"]}
    assert set(found) == {one.name for one in result.properties if one.verdict == "violated"}
    assert line_of(found["at_most_one_leader"], file) == "def boast(self):"
    assert line_of(found["somebody_rests"], file) == "def somebody_rests(view: View) -> Verdict:"
    (related,) = found["at_most_one_leader"]["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"].endswith("election.py")
    world, *steps = found["at_most_one_leader"]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert world["location"]["message"]["text"] == "one-way ring of 2, ids 1,2"
    assert [step["state"] for step in steps] == [{"p1.leader": {"text": "1"}}, {"p2.leader": {"text": "2"}}]
    assert run["invocations"] == [
        {"executionSuccessful": True, "exitCode": result.exit_code, "commandLine": f"modelcheck run {file} --n 2"}
    ]


def test_an_assertion_that_fails_is_shown_at_its_line(write: Write, tmp_path: Path) -> None:
    file = Path(write(MODEL.format(wanted="NEXT")))
    run = read(check(str(file), n=2), tmp_path)
    (failing,) = (one for one in run["results"] if one["ruleId"] == "assertions")
    assert line_of(failing, file) == "assert self.leader is NEXT"


def test_what_holds_leaves_no_result_and_what_is_undecided_leaves_one_that_is_open() -> None:
    holds = read(check("chang_roberts", n=2))
    assert holds["results"] == []
    assert "agreement" in holds["properties"]["holds"]
    stopped = read(check("chang_roberts", n=3, max_states=10))
    assert {one["kind"] for one in stopped["results"]} == {"open"}
    assert stopped["invocations"][0]["executionSuccessful"] is False
    assert "INCONCLUSIVE" in stopped["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


@pytest.mark.parametrize("text", ["class Broken(Process)\n", "class Broken(Process):\n    topology = 3\n"])
def test_a_model_that_cannot_be_read_is_an_error_at_its_line(text: str, write: Write, tmp_path: Path) -> None:
    file = Path(write(text, header="from modelcheck import *\n"))
    run = read(check(str(file), n=2), tmp_path)
    (found,) = run["results"]
    assert found["ruleId"] == "model-error"
    assert line_of(found, file) == text.splitlines()[0]


def test_run_writes_it(type_in: Type, tmp_path: Path) -> None:
    found = type_in("run", "chang_roberts", "--ids", "1,1,2", "--sarif", "found.sarif")
    assert found.exit_code == 12
    must_be(json.loads((tmp_path / "found.sarif").read_text()), "sarifLog", "$")
