"""What a run refuses to go on from: a file that is none of its own, and a run that asked something else."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import json
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelcheck import Limits, UsageError, catalog, reads
from modelcheck.check import checkpoint, fingerprint
from modelcheck.check.checker import check
from modelcheck.check.request import read_request
from tests.check.leaving import EXAMPLES, RUNS, UNEVEN, left, rewrite, written
from tests.conftest import said

Write = Callable[..., str]

HELPED = """
from helper_of_checkpoints import LIMIT

class Helped(Process):
    topology = one_way_ring
    count: int = 0

    @step
    def tick(self):
        self.require(self.count < LIMIT)
        self.count += 1
"""


def refusal(file: Path, **options: Any) -> str:
    """Why this run cannot be resumed."""
    with pytest.raises(UsageError) as refused:
        check(**options, checkpoint=file, resume=True)
    assert str(file) in str(refused.value)
    assert refused.value.exit_code == 2
    return str(refused.value)


def test_a_checkpoint_cut_off_anywhere_is_refused(file: Path) -> None:
    left(file, 1, model="chang_roberts:StartUnguarded", n=2, property="agreement")
    text = file.read_bytes()
    for length in range(len(text)):
        with pytest.raises(UsageError, match=r"kept\.json"):
            checkpoint.parse(text[:length], file)


@pytest.mark.parametrize("bit", [0, 3, 5])
def test_a_checkpoint_with_a_flipped_bit_anywhere_is_refused(bit: int, file: Path) -> None:
    left(file, 1, model="chang_roberts:StartUnguarded", n=2, property="agreement")
    text = file.read_bytes()
    for place in range(len(text)):
        with pytest.raises(UsageError, match=r"kept\.json"):
            checkpoint.parse(text[:place] + bytes([text[place] ^ 1 << bit]) + text[place + 1 :], file)


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[1, 2]", "null", "\n\n", "hello", "[" * 100_000, '{"modelcheck checkpoint": 1, "sha256": 3}\n\n'],
)
def test_what_is_no_checkpoint_is_refused_by_name(text: str, file: Path) -> None:
    file.write_text(text)
    refusal(file, model="chang_roberts")
    with pytest.raises(UsageError, match=r"kept\.json"):  # nor is it replaced
        check("chang_roberts", checkpoint=file)
    assert file.read_text() == text


def test_a_folder_is_refused_by_name(tmp_path: Path) -> None:
    assert "is no file" in refusal(tmp_path, model="chang_roberts")


@pytest.mark.parametrize(
    "known",
    [
        {"done": {"upto": 2, "beyond": [], "sizes": {}}},
        {"done": {"upto": -1, "beyond": [], "sizes": {}}},
        {"done": {"upto": 1}},
        {"violations": {"agreement": {"order": 1}}},
        {"violations": {"agreement": {"order": 1, "start": 0, "taken": [0.5], "reason": "", "loop": None}}},
        {"violations": [1]},
        {"steps": [None]},
        {"lines": ["x"]},
        {"seconds": "long"},
        {"seconds": float("nan")},
        {"seconds": -1},
        {"violations": {"termination": {"order": 1, "start": 0, "taken": [0, 0], "reason": "", "loop": 2}}},
    ],
)
def test_content_of_another_form_is_refused(known: dict[str, Any], file: Path) -> None:
    left(file, 1, model="chang_roberts", n=3)
    rewrite(file, **known)
    assert "another version" in refusal(file, model="chang_roberts", n=3)


WEIRD = (
    *(None, True, -1, 0, 1, 2, 7, 10**20, 10**400, 10**999, 0.5, float("nan"), float("inf")),
    *("", "x", "1", "\u00b2", "\ud800", [], [1], [[]], {}, {"a": 1}, {"1": {}}, [None], ["x"]),
)


@cache
def genuine() -> str:
    with tempfile.TemporaryDirectory() as folder:
        left(Path(folder) / "kept.json", 3, **RUNS["violated"])
        return (Path(folder) / "kept.json").read_text().splitlines()[1]


@settings(max_examples=2 * EXAMPLES)
@given(data=st.data())
def test_content_that_was_forged_is_refused_or_leads_to_an_honest_end(data: st.DataObject) -> None:
    """With the checksum that belongs to it, so that only the form and the run can tell."""
    content = json.loads(genuine())
    inner = content[data.draw(st.sampled_from(["asked", "read", "known", "known", "known"]))]
    while isinstance(inner, (dict, list)) and inner:
        key = data.draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else range(len(inner))))
        if not isinstance(inner[key], (dict, list)) or not inner[key] or data.draw(st.booleans()):
            inner[key] = data.draw(st.sampled_from(WEIRD))
            break
        inner = inner[key]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kept.json"
        written(file, content)
        with contextlib.suppress(UsageError):
            result = check(**RUNS["violated"], checkpoint=file, resume=True)
            assert result.exit_code in (12, 20)
            assert json.dumps(said(result))


def test_worlds_that_are_none_of_this_run_are_not_counted(file: Path) -> None:
    left(file, 3, model="chang_roberts", n=4)
    content = json.loads(file.read_text().splitlines()[1])
    content["known"]["done"]["sizes"]["4"]["represented"] += 1
    written(file, content)
    assert "the worlds done are others than it counts" in refusal(file, model="chang_roberts", n=4)


@pytest.mark.parametrize(
    ("name", "route"),
    [
        ("agreement", {"order": 1, "start": 0, "taken": [0, 0], "reason": "", "loop": None}),
        ("agreement", {"order": 1, "start": 7, "taken": [], "reason": "", "loop": None}),
        ("agreement", {"order": 1, "start": 0, "taken": [99], "reason": "", "loop": None}),
        ("agreement", {"order": 99, "start": 0, "taken": [], "reason": "", "loop": None}),
        ("termination", {"order": 1, "start": 0, "taken": [0, 0], "reason": "", "loop": 1}),
        ("no_such_thing", {"order": 1, "start": 0, "taken": [], "reason": "", "loop": None}),
    ],
)
def test_a_violation_that_is_none_is_never_reported(name: str, route: dict[str, Any], file: Path) -> None:
    left(file, 1, model="chang_roberts", n=3)
    rewrite(file, violations={name: route})
    assert "does not fit this run" in refusal(file, model="chang_roberts", n=3)


@pytest.mark.parametrize(
    ("options", "differs"),
    [
        ({"n": 4}, "n was 3, and is 4"),
        ({"n": [3, 4]}, "n was 3, and is 3, 4"),
        ({"network": "bag"}, "network was fifo, and is bag"),
        ({"losses": 1}, "losses was 0, and is 1"),
        ({"start": "simultaneous"}, "start was any, and is simultaneous"),
        ({"initiators": "each"}, "initiators was all, and is each"),
        ({"ids": [3, 2, 1]}, "ids was unique, and is 3, 2, 1"),
        ({"symmetry": False}, "symmetry was true, and is false"),
        ({"parameters": {"elects": "min"}}, "parameter elects was max, and is min"),
        ({"property": "agreement"}, "the properties differ"),
        ({"spec": "termination"}, "election.py is no longer part of it"),
        ({"model": "stages"}, "it is of chang_roberts.py:ChangRoberts, and this is stages.py:Stages"),
    ],
)
def test_a_run_that_asks_something_else_is_refused_with_what_it_is(
    options: dict[str, Any], differs: str, file: Path
) -> None:
    left(file, 1, model="chang_roberts", n=3)
    why = refusal(file, **{"model": "chang_roberts", "n": 3, **options})
    assert differs in why
    assert "start again without --resume" in why


def test_engine_workers_limits_and_expectation_may_be_others(file: Path) -> None:
    left(file, 1, model="chang_roberts", n=3)
    other: dict[str, Any] = {"engine": "compiled", "workers": 2, "limits": Limits(max_seconds=1000), "expect": "holds"}
    assert check("chang_roberts", n=3, **other, checkpoint=file, resume=True).exit_code == 0


@pytest.mark.parametrize("what", ["modelcheck", "Python", "networkx", "code"])
def test_another_version_is_refused(what: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left(file, 1, model="chang_roberts", n=3)
    real = fingerprint.fingerprint
    monkeypatch.setattr(checkpoint, "fingerprint", lambda *asked: {**real(*asked), what: "99"})
    expected = "modelcheck itself has changed since" if what == "code" else f"with {what} "
    assert expected in refusal(file, model="chang_roberts", n=3)


def test_a_model_or_specification_that_was_edited_is_refused(file: Path, write: Write) -> None:
    model = write(UNEVEN, "uneven")
    spec = write("@always\ndef fine(view):\n    return True\n", "spec_of_it")
    options: dict[str, Any] = {"model": model, "n": 3, "spec": spec}
    for edited in (model, spec):
        left(file, 1, **options)
        before = Path(edited).read_text()
        Path(edited).write_text(before + "\n# a remark\n")
        assert f"{Path(edited).name} has changed since" in refusal(file, **options)
        Path(edited).write_text(before)
        assert check(**options, checkpoint=file, resume=True).verdict == "HOLDS"


def test_a_module_that_was_imported_before_anybody_looked_is_part_of_it(
    tmp_path: Path, file: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    helper = elsewhere / "helper_of_checkpoints.py"
    helper.write_text("from further_help import *\n")
    further = elsewhere / "further_help.py"
    further.write_text("LIMIT = 2\n")
    monkeypatch.syspath_prepend(elsewhere)
    monkeypatch.setattr(fingerprint.psutil.Process, "create_time", lambda _: 1e12)
    options: dict[str, Any] = {"model": write(HELPED), "n": 3}
    try:
        importlib.import_module("helper_of_checkpoints")
        reads._notes.clear()
        for edited in (helper, further):
            left(file, 1, **options)
            before = edited.read_text()
            edited.write_text(before + "# a remark\n")
            assert f"{edited.name} has changed since" in refusal(file, **options)
            edited.write_text(before)
            assert check(**options, checkpoint=file, resume=True).verdict == "HOLDS"
        monkeypatch.undo()  # they are younger than this process: it may hold what they were before
        left(file, 1, **options)
        assert "helper_of_checkpoints.py has changed since" in refusal(file, **options)
    finally:
        for name in ("helper_of_checkpoints", "further_help"):
            sys.modules.pop(name, None)


def test_a_graph_that_was_edited_is_refused(tmp_path: Path, file: Path) -> None:
    graph = tmp_path / "graph.txt"
    graph.write_text("0 1\n1 2\n")
    options: dict[str, Any] = {"model": "spanning_tree", "graph": str(graph)}
    left(file, 1, **options)
    graph.write_text("0 1\n1 2\n2 0\n")
    assert "the graphs differ" in refusal(file, **options)


def test_nothing_that_settings_can_say_is_missing_from_the_fingerprint() -> None:
    request = read_request("chang_roberts")
    asked = fingerprint.question(request)
    for holder in ("settings", "policy"):
        for field in dataclasses.fields(getattr(request, holder)):
            value = (("elects", "min"),) if field.name == "parameters" else "another"
            changed = dataclasses.replace(getattr(request, holder), **{field.name: value})
            assert fingerprint.question(dataclasses.replace(request, **{holder: changed})) != asked, field.name


def test_a_model_without_a_file_cannot_be_resumed_and_is_told_so(file: Path, write: Write) -> None:
    model = write(UNEVEN)
    cls = catalog.find_model(model).definition.cls
    Path(model).unlink()
    with pytest.raises(UsageError, match="there is no file"):
        check(cls, checkpoint=file)


def test_who_resumes_says_from_what() -> None:
    with pytest.raises(UsageError, match="resume needs"):
        check("chang_roberts", resume=True)
