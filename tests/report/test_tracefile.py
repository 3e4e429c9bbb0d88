"""A file of runs is read back as it was written, and whatever is not as it should be is refused with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modelcheck import UsageError, check
from modelcheck.check.result import Result
from modelcheck.language.kinds import frozen
from modelcheck.language.values import PREVIOUS, Id
from modelcheck.report.conversions import CONVERSIONS, heading, shown
from modelcheck.report.files import as_json, tracefile
from modelcheck.runs.plain import Members, Record, plain
from tests.explore.random_protocols import examples

from ..protocols import ALL_FAULTY
from .kept_runs import RUNS, counted, kept, result_of

Damage = Callable[[dict[str, Any]], object]


# --- there and back ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RUNS)
def test_runs_are_read_back_as_they_were_written(name: str, tmp_path: Path) -> None:
    result = result_of(name)
    found = tracefile.read(kept(name, tmp_path))
    assert {run.found.name for run in found.runs} == {p.name for p in result.properties if p.verdict == "violated"}
    for run in found.runs:
        assert run.found == result.property(run.found.name)
        assert run.trace == run.found.trace
        assert run.again.startswith("modelcheck run ")


def test_the_runs_tested_are_of_every_kind() -> None:
    """Otherwise the test above says less than it seems to."""
    traces = [p.trace for name in RUNS for p in result_of(name).properties if p.verdict == "violated" and p.trace]
    steps = [step for trace in traces for step in (*trace.starts, *trace.steps)]
    kinds = {step.kind for step in steps}
    assert kinds >= {
        "initiate", "step", "receive", "lose", "duplicate", "crash", "recover", "suspect", "split", "heal", "strand",
    }  # fmt: skip
    assert any(trace.starts for trace in traces)
    assert {trace.unit for trace in traces if trace.loop is not None} == {"step", "round"}
    assert any(step.failure for step in steps)
    assert any(step.choices for step in steps)
    assert any(send.across for step in steps for send in step.sent)
    assert any(waiting.held for step in steps for p in step.state.processes for waiting in p.waiting)
    assert any(step.state.shared for step in steps)
    assert any(trace.world.root is not None for trace in traces)
    assert any(len(trace.world.initiators) < trace.world.n for trace in traces)


@pytest.mark.parametrize("name", RUNS)
def test_the_circumstances_are_read_back(name: str, tmp_path: Path) -> None:
    result = result_of(name)
    assert result.settings is not None
    found = tracefile.read(kept(name, tmp_path))
    assert (found.model, found.reference) == (result.model, result.reference)
    assert found.settings == result.settings


@pytest.mark.parametrize("name", ALL_FAULTY)
def test_steps_that_fail_are_read_back(name: str, run: Callable[..., Result], tmp_path: Path) -> None:
    text, _ = ALL_FAULTY[name]
    result = run(text, n=2)
    file = tmp_path / "run.json"
    file.write_text(as_json.dumps(as_json.traces(result)))
    for found in tracefile.read(file).runs:
        assert found.found == result.property(found.found.name)


def test_a_run_that_violates_nothing_is_kept_too(tmp_path: Path) -> None:
    found = tracefile.read(counted(tmp_path, n=3, start="simultaneous"))
    (run,) = found.runs
    assert (run.found.name, run.found.kind, run.found.verdict) == ("greatest", "messages", "")
    assert sum(len(step.sent) for step in (*run.trace.starts, *run.trace.steps)) == 9
    assert run.again == "modelcheck messages chang_roberts --start simultaneous --n 3 --show worst"


def test_values_stand_beside_the_texts(tmp_path: Path) -> None:
    """What is a number, a truth value, nothing, a tuple, a set or a message can be told."""
    trace = tracefile.read(kept("equal identifiers", tmp_path)).choose(["agreement"])[0].trace
    last = trace.steps[-1].state.processes
    assert dict(zip([name for name, _ in last[2].fields], last[2].values, strict=True)) == {"leader": 1, "awake": True}
    assert last[1].waiting[0].value == Record("Leader", (("id", 2),))
    assert last[1].values[0] is None


def test_plain_values() -> None:
    assert plain((Id(3), None, True, "x", PREVIOUS)) == (3, None, True, "x", 1)
    assert plain(frozen(frozenset({Id(2), Id(1)}))) == Members((1, 2))
    with pytest.raises(TypeError):
        plain([1])


# --- what is refused -----------------------------------------------------------------------------------------------


def first(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["counterexamples"][0]["trace"]
    return found


HERE = "counterexamples[0].trace"
DAMAGES: list[tuple[str, Damage, str]] = [
    ("another process", lambda d: first(d)["steps"][1].update(process="p9"), f"{HERE}.steps[1].process: there is no p9; known are p1 (id 1), "),
    ("a newer format", lambda d: d.update(format=2), "format: it is of format 2, and this modelcheck reads formats up to 1"),
    ("no format", lambda d: d.pop("format"), "the field 'format' is missing"),
    ("no run", lambda d: d.update(counterexamples=[]), "there is no run in it"),
    ("no list", lambda d: d.update(counterexamples={}), "counterexamples: a list is wanted here, not an object"),
    ("no settings", lambda d: d.pop("settings"), "the field 'settings' is missing"),
    ("a network", lambda d: d.update(network="lifo"), "network: there is no network lifo; did you mean fifo?"),
    ("a budget", lambda d: d["settings"].update(losses=-1), "settings.losses: a number from 0 to 1000000 is wanted here, not -1"),
    ("a detector", lambda d: d["settings"].update(detector="unreliable"), "settings.suspicions: a detector that is unreliable has not 0"),
    ("too many", lambda d: first(d)["world"].update(n=10**9), f"{HERE}.world.n: a number from 1 to 1000 is wanted here"),
    ("a truth", lambda d: first(d)["world"].update(n=True), f"{HERE}.world.n: a whole number is wanted here, not true"),
    ("an identifier", lambda d: first(d)["world"]["identifiers"].pop(), f"{HERE}.world.identifiers: all 3 processes have"),
    ("a root", lambda d: first(d)["world"].update(root=4), f"{HERE}.world.root: a number from 1 to 3"),
    ("an initiator", lambda d: first(d)["world"].update(initiators=[0]), f"{HERE}.world.initiators[0]: a number from 1 to 3"),
    ("a port", lambda d: first(d)["world"]["links"][0].update(out_port=5), f"{HERE}.world.links[0].out_port: a number from 0 to 1"),
    ("links", lambda d: first(d)["world"]["links"][0].update(to=3), f"{HERE}.world.links: two links share a port"),
    ("a kind", lambda d: first(d)["steps"][0].update(kind="jump"), f"{HERE}.steps[0].kind: there is no kind of step jump"),
    ("a split", lambda d: first(d)["steps"][0].update(kind="split"), f"{HERE}.steps[0].kind: that is no step of p"),
    ("a reception", lambda d: first(d)["steps"][1].update(received=None), f"{HERE}.steps[1].received: a step of the kind receive has one"),
    ("a source", lambda d: first(d)["steps"][1].update(source="p3 (id 2)"), f"{HERE}.steps[1].source: there is no link over previous to p3 (id 2)"),
    ("a way out", lambda d: first(d)["steps"][0]["sent"][0].update(port="up"), f"{HERE}.steps[0].sent[0].port: there is no way out by up; "),
    ("a target", lambda d: first(d)["steps"][0]["sent"][0].update(target="p1 (id 1)"), f"{HERE}.steps[0].sent[0].target: there is no link over next to p1"),
    ("a fate", lambda d: first(d)["steps"][0]["sent"][0].update(across="eaten"), f"{HERE}.steps[0].sent[0].across: there is no fate eaten"),
    ("a state", lambda d: first(d)["initial"]["processes"].pop(), f"{HERE}.initial.processes: there are 3 processes, and 2 stand here"),
    ("their order", lambda d: first(d)["initial"]["processes"].reverse(), f"{HERE}.initial.processes[0].process: p1 (id 1) stands in this place"),
    ("a variable", lambda d: first(d)["steps"][0]["state"]["processes"][0]["fields"].pop("awake"), f"{HERE}.steps[0].state.processes[0].fields: the variables are"),
    ("a value", lambda d: first(d)["initial"]["processes"][1]["values"].pop("awake"), f"{HERE}.initial.processes[1].values: they are not those of the 'fields'"),
    ("a deep value", lambda d: first(d)["initial"]["processes"][0]["values"].update(awake=nested(50)), "values do not go so deep"),
    ("a record", lambda d: first(d)["initial"]["processes"][0]["values"].update(awake={}), f"{HERE}.initial.processes[0].values.awake: the field 'fields' is missing"),
    ("blocks", lambda d: first(d)["initial"].update(blocks=[["p1"], ["p1", "p2"]]), f"{HERE}.initial.blocks: each process stands in one block"),
    ("a loop", lambda d: first(d).update(loop=99), f"{HERE}.loop: a number from 0 to 2 is wanted here, not 99"),
    ("a length", lambda d: first(d).update(length=7), f"{HERE}.length: a number from 3 to 3 is wanted here, not 7"),
    ("a round", lambda d: first(d)["steps"][1].update(round=1), f"{HERE}.steps[1].round: after round 0 this cannot be round 1"),
    ("a failure", lambda d: first(d)["steps"][0].update(failure="oops"), f"{HERE}.steps[0].failure: nothing follows a step that fails"),
    ("half a letter", lambda d: first(d).update(reason="\ud800"), f"{HERE}.reason: this text has half of a character in it"),
    ("a verdict", lambda d: d["counterexamples"][0].update(verdict="holds"), "counterexamples[0].verdict: there is no counterexample to what is holds"),
]  # fmt: skip


def nested(depth: int) -> Any:
    value: Any = None
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(("damage", "said"), [d[1:] for d in DAMAGES], ids=[d[0] for d in DAMAGES])
def test_what_is_wrong_is_named_with_its_place(damage: Damage, said: str, tmp_path: Path) -> None:
    file = kept("equal identifiers", tmp_path)
    document = json.loads(file.read_text())
    damage(document)
    file.write_text(json.dumps(document))
    with pytest.raises(UsageError) as caught:
        tracefile.read(file)
    assert str(caught.value).startswith("run.json: ")
    assert said in str(caught.value)


TEXTS = [
    ("", "it is no JSON: Expecting value in line 1, column 1"),
    ("{", "it is no JSON"),
    ("[]", "an object is wanted here, not a list"),
    ("[" * 100_000, "it is nested too deeply"),
    ('{"format": 1, "format": 1}', "'format' stands twice in one object"),
    ('{"format": NaN}', "NaN is no whole number"),
    ('{"format": 1.0}', "1.0 is no whole number"),
    ('{"format": ' + "9" * 5000 + "}", "it is no JSON to be read"),
    ('{"properties": []}', "this is a result, as --json writes it; --trace FILE writes the runs"),
]


@pytest.mark.parametrize(("text", "said"), TEXTS)
def test_what_is_no_file_of_runs_is_refused(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text(text)
    with pytest.raises(UsageError, match=re.escape(said)):
        tracefile.read(file)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_bytes(b'{"model": "\xff"}')
    with pytest.raises(UsageError, match=r"run\.json: it is no JSON to be read"):
        tracefile.read(file)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracefile, "MOST_BYTES", 1000)
    with pytest.raises(UsageError, match="it is larger than"):
        tracefile.read(kept("equal identifiers", tmp_path))


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    for file in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(UsageError, match=re.escape(f"{file} cannot be read: ")):
            tracefile.read(file)


def test_a_file_of_an_earlier_version_says_nothing_of_draws_reads_and_ends(tmp_path: Path) -> None:
    result = check("harmony_leader:SendsInTwo", n=2)
    document = as_json.traces(result)
    (trace, *_) = [run["trace"] for run in document["counterexamples"]]
    assert trace["final"]
    assert [step["reads"] for step in trace["steps"]] == [["network"], ["network"], [], []]
    del trace["final"]
    for step in trace["steps"]:
        del step["draws"], step["reads"], step["chances"]
    file = tmp_path / "run.json"
    file.write_text(as_json.dumps(document), encoding="utf-8")
    read = tracefile.read(file).runs[0].trace
    assert not read.final
    assert {(step.draws, step.reads) for step in read.steps} == {(0, None)}


def test_fields_that_a_later_version_adds_are_passed_over(tmp_path: Path) -> None:
    file = kept("equal identifiers", tmp_path)
    before = tracefile.read(file)
    document = json.loads(file.read_text())
    document["colour"] = first(document)["weather"] = first(document)["steps"][0]["mood"] = "new"
    file.write_text(json.dumps(document))
    assert tracefile.read(file) == before


STABLE = """
class Model(Process):
    topology = one_way_ring
    minutes: int = stable(0)
    mood: str = "calm"
@always
def nobody_is_down(view):
    return len(view.alive) == 2
"""


def test_crashed_processes_have_their_stable_variables_or_none_as_they_once_had(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    result = run(STABLE, n=2, crashes=1)
    file = tmp_path / "run.json"
    document = as_json.traces(result)
    for fields in ({"minutes": "0"}, {}):
        down = first(document)["steps"][0]["state"]["processes"][0]
        assert down["crashed"]
        down["fields"], down["values"] = fields, dict.fromkeys(fields, 0)
        file.write_text(as_json.dumps(document))
        (found,) = tracefile.read(file).runs
        assert found.trace.steps[0].state.processes[0].fields == tuple(fields.items())


# --- anything at all -----------------------------------------------------------------------------------------------

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["p1 (id 1)", "receive", "next"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A file of runs in which a few places, anywhere, hold something else, are missing, or stand twice."""
    name = draw(st.sampled_from(["equal identifiers", "lockstep", "a split", "held", "a lasso", "shared", "assert"]))
    document = json.loads(as_json.dumps(as_json.traces(result_of(name))))
    for _ in range(draw(st.integers(1, 4))):
        where: Any = document
        for _ in range(draw(st.integers(0, 12))):
            key = draw(st.sampled_from(sorted(where) if isinstance(where, dict) else range(len(where))))
            if not isinstance(where[key], (dict, list)) or not where[key]:
                break
            where = where[key]
        keys = sorted(where) if isinstance(where, dict) else list(range(len(where)))
        if not keys:
            continue
        key = draw(st.sampled_from(keys))
        what = draw(st.sampled_from(["replace", "remove", "repeat", "near"]))
        if what == "remove":
            del where[key]
        elif what == "repeat" and isinstance(where, list):
            where.insert(key, where[key])
        elif what == "near" and isinstance(where[key], int):
            where[key] += draw(st.integers(-2, 2))
        elif what == "near" and isinstance(where[key], str):
            where[key] = draw(
                st.sampled_from([where[key] + "x", where[key][:-1], "p2 (id 1)", "p2", "None", "previous"])
            )
        else:
            where[key] = draw(ANYTHING)
    return json.dumps(document)


@settings(max_examples=examples(30), suppress_health_check=list(HealthCheck))
@given(text=damaged() | st.text(max_size=40) | ANYTHING.map(json.dumps))
def test_no_file_is_worse_than_a_usage_error(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """And what the reader lets through can be turned into everything."""
    file = tmp_path_factory.getbasetemp() / "damaged.json"
    file.write_text(text, encoding="utf-8", errors="replace")
    try:
        found = tracefile.read(file)
    except UsageError:
        return
    for run in map(shown, found.runs):
        for convert in CONVERSIONS.values():
            convert(run, heading(found, run))
