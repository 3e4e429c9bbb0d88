"""What runs are turned into says what the runs say: parsed back, and compared."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modelcheck.check.result import Result
from modelcheck.report.conversions import CONVERSIONS, all_visible, heading, shown
from modelcheck.report.files import as_json, tracefile
from modelcheck.report.files.itf import itf
from modelcheck.report.files.mermaid import mermaid
from modelcheck.report.files.shiviz import PARSER, shiviz
from modelcheck.report.files.tracefile import Recorded
from modelcheck.runs.causality import clocks, events, flights, past
from modelcheck.runs.moments import moments
from modelcheck.runs.plain import Members, Plain, Record
from modelcheck.runs.trace import Snapshot, Trace
from modelcheck.text.visible import visible

from .kept_runs import RUNS, counted, kept, result_of


def traces_of(name: str) -> list[Trace]:
    return [p.trace for p in result_of(name).properties if p.verdict == "violated" and p.trace]


@pytest.fixture
def agreement(tmp_path: Path) -> Recorded:
    return tracefile.read(kept("equal identifiers", tmp_path)).choose(["agreement"])[0]


@pytest.mark.parametrize("name", RUNS)
def test_everything_can_be_made_of_every_run(name: str, tmp_path: Path) -> None:
    file = tracefile.read(kept(name, tmp_path))
    for run in file.runs:
        assert shown(run) == run
        for kind, convert in CONVERSIONS.items():
            assert convert(run, heading(file, run)), kind


def test_a_run_that_violates_nothing_is_not_shown_as_if_it_did(tmp_path: Path) -> None:
    file = tracefile.read(counted(tmp_path, n=3, start="simultaneous"))
    (run,) = file.runs
    assert heading(file, run) == "chang_roberts: The greatest number of messages: 9."
    assert "\u2717" not in CONVERSIONS["mermaid"](run, heading(file, run))
    for convert in CONVERSIONS.values():
        assert "violated" not in re.sub(
            r"<style>.*?</style>|<script>.*?</script>", "", convert(run, ""), flags=re.DOTALL
        )


# --- ShiViz --------------------------------------------------------------------------------------------------------

Logged = tuple[str, dict[str, int], str]  # host, clock, event


def logged(text: str) -> list[Logged]:
    """As ShiViz reads a file: its first line is the regular expression, the second would separate executions."""
    parser, delimiter, log = text.split("\n", 2)
    assert parser == PARSER
    assert delimiter == ""
    pattern = re.compile(parser.replace("(?<", "(?P<"))
    return [(m["host"], json.loads(m["clock"]), m["event"]) for m in pattern.finditer(log)]


@pytest.mark.parametrize("name", RUNS)
def test_shiviz_reads_every_event_with_its_clock(name: str) -> None:
    for trace in traces_of(name):
        found = logged(shiviz(trace))
        taken = events(trace)
        assert len(found) == len(taken)
        hosts = dict.fromkeys(host for host, _, _ in found)
        assert len(hosts) == len({event.process for event in taken})
        for (host, clock, _), event, known in zip(found, taken, clocks(trace), strict=True):
            assert host == event.process.replace(" (id ", "(id=").replace("the network", "network")
            assert sorted(clock.values()) == sorted(count for count in known if count)


@pytest.mark.parametrize("name", RUNS)
def test_the_clocks_are_what_shiviz_demands(name: str) -> None:
    """A host counts its own events from 1 on, one by one, and knows of others only what there is."""
    for trace in traces_of(name):
        done: Counter[str] = Counter()
        for host, clock, _ in logged(shiviz(trace)):
            done[host] += 1
            assert clock[host] == done[host]
            assert all(0 < count <= done[other] for other, count in clock.items())


@pytest.mark.parametrize("name", RUNS)
def test_the_clocks_order_events_as_causality_does(name: str) -> None:
    for trace in traces_of(name):
        found = logged(shiviz(trace))
        for (a, (_, one, _)), (b, (_, other, _)) in itertools.combinations(enumerate(found), 2):
            before = all(count <= other.get(host, 0) for host, count in one.items())
            assert before == (a in past(trace, b))


def test_a_message_is_sent_before_it_is_received(agreement: Recorded) -> None:
    found = logged(shiviz(agreement.trace))
    received = [flight for flight in flights(agreement.trace) if flight.received]
    assert received
    for flight in received:
        assert flight.message in found[flight.sent][2]
        assert flight.message in found[flight.received[0]][2]
        host = found[flight.sent][0]
        assert found[flight.sent][1][host] <= found[flight.received[0]][1][host]


def test_the_last_event_of_the_log_says_what_went_wrong(agreement: Recorded) -> None:
    assert logged(shiviz(agreement.trace))[-1][2].endswith(f"| {agreement.trace.reason}")


# --- ITF -----------------------------------------------------------------------------------------------------------


def plain_of(value: Any) -> Plain:
    """A value in the Informal Trace Format as plain data."""
    if isinstance(value, list):
        return tuple(map(plain_of, value))
    if not isinstance(value, dict):
        assert not isinstance(value, int) or isinstance(value, bool)
        return value  # type: ignore[no-any-return]
    if value.keys() == {"#bigint"}:
        return int(value["#bigint"])
    if value.keys() == {"#tup"}:
        return tuple(map(plain_of, value["#tup"]))
    if value.keys() == {"#set"}:
        return Members(tuple(map(plain_of, value["#set"])))
    assert value.keys() == {"tag", "value"}
    if value["tag"] in ("None", "Some"):
        return None if value["tag"] == "None" else plain_of(value["value"])
    fields = {} if value["value"] == {"#tup": []} else value["value"]
    return Record(value["tag"], tuple((name, plain_of(inner)) for name, inner in fields.items()))


def by_process(value: dict[str, Any]) -> dict[str, Any]:
    return dict(value["#map"])


@pytest.mark.parametrize("name", RUNS)
def test_itf_has_the_values_of_every_state(name: str) -> None:
    for trace in traces_of(name):
        document = json.loads(itf(trace, "a run"))
        passed = moments(trace)
        assert document["#meta"]["format"] == "ITF"
        assert len(document["states"]) == len(passed)
        for state, moment in zip(document["states"], passed, strict=True):
            assert set(document["vars"]) == set(state) - {"#meta", *document.get("params", ())}
            assert state["#meta"]["index"] == moment.number
            same_values(state, moment.state)


def same_values(state: dict[str, Any], snapshot: Snapshot) -> None:
    for process in snapshot.processes:
        name = process.process.split(" ")[0]
        for (field, _), value in zip(process.fields, process.values, strict=True):
            assert plain_of(by_process(state[field])[name]) == value
        waiting = by_process(state["inbox"])[name]
        assert [plain_of(w["message"]) for w in waiting] == [w.value for w in process.waiting]
        assert [(w["port"], w["held"]) for w in waiting] == [(w.port, w.held) for w in process.waiting]
        assert by_process(state["crashed"])[name] == process.crashed
    for (field, _), value in zip(snapshot.shared, snapshot.shared_values, strict=True):
        assert plain_of(state[field]) == value
    if snapshot.blocks:
        blocks = {frozenset(block["#set"]) for block in state["blocks"]["#set"]}
        assert blocks == {frozenset(block.split()) for block in snapshot.blocks.split(" | ")}


@pytest.mark.parametrize("name", ["a lasso", "a lockstep lasso"])
def test_the_loop_of_a_lasso_begins_in_the_state_in_which_it_ends(name: str) -> None:
    (trace,) = traces_of(name)
    document = json.loads(itf(trace, ""))
    first, last = document["states"][document["loop"]], document["states"][-1]
    assert document["loop"] < len(document["states"]) - 1
    assert {k: v for k, v in first.items() if k in document["vars"]} == {
        k: v for k, v in last.items() if k in document["vars"]
    }


def test_a_finite_run_has_no_loop(agreement: Recorded) -> None:
    assert "loop" not in json.loads(itf(agreement.trace, ""))


def test_a_variable_has_one_type_throughout(agreement: Recorded) -> None:
    """What is None at some time is an option at all times."""
    document = json.loads(itf(agreement.trace, ""))
    leaders = [value for state in document["states"] for value in by_process(state["leader"]).values()]
    assert {leader["tag"] for leader in leaders} == {"None", "Some"}
    awake = [value for state in document["states"] for value in by_process(state["awake"]).values()]
    assert set(awake) == {True, False}
    assert by_process(document["states"][0]["id"]) == {
        "p1": {"#bigint": "1"}, "p2": {"#bigint": "1"}, "p3": {"#bigint": "2"},
    }  # fmt: skip


def test_variables_of_the_model_keep_their_names(tmp_path: Path, run: Callable[..., Result]) -> None:
    text = """
        class Hoards(Process):
            topology = one_way_ring
            inbox: tuple[int, ...] = ()
            @step
            def grow(self):
                self.require(len(self.inbox) < 3)
                self.inbox = (*self.inbox, len(self.inbox))
        @always
        def small(view):
            return all(len(p.inbox) < 3 for p in view.processes)
        """
    result = run(text, n=1)
    file = tmp_path / "run.json"
    file.write_text(as_json.dumps(as_json.traces(result)))
    document = json.loads(itf(tracefile.read(file).runs[0].trace, ""))
    assert document["vars"] == ["inbox", "inbox_", "crashed"]
    kept_values = [plain_of(by_process(state["inbox"])["p1"]) for state in document["states"]]
    assert kept_values == [(), (0,), (0, 1), (0, 1, 2)]
    assert isinstance(by_process(document["states"][0]["inbox"])["p1"], list)  # of several lengths


# --- Mermaid -------------------------------------------------------------------------------------------------------

TEXT = r"(?:[\w ,.()=+*/'!?\u2192\u2717-]|<br/>|#\d+;)+"
LINE = re.compile(
    r"sequenceDiagram|    (?:"
    rf"title {TEXT}|participant p\d+ as {TEXT}|Note over p\d+(?:,p\d+)?: {TEXT}|p\d+(?:->>|-->>|-x|--\)|->>)p\d+: {TEXT}"
    r"|loop for ever|rect rgba\([\d., ]+\)|end)"
)


def unescaped(text: str) -> str:
    return re.sub(r"#(\d+);", lambda found: chr(int(found[1])), text)


@pytest.mark.parametrize("name", RUNS)
def test_every_line_is_one_that_mermaid_knows(name: str) -> None:
    """Mermaid's own parser has accepted files of this grammar; it is not at hand in a test."""
    for trace in traces_of(name):
        lines = mermaid(trace, "a: title; of {all}").splitlines()
        for line in lines:
            assert LINE.fullmatch(line), line
        opened = sum(line.strip().startswith(("loop ", "rect ")) for line in lines)
        assert opened == lines.count("    end")


@pytest.mark.parametrize("name", RUNS)
def test_an_arrow_stands_for_every_message_that_arrives_or_is_lost(name: str) -> None:
    for trace in traces_of(name):
        drawn = Counter(
            (m[1], m[2], m[3], unescaped(m[4]).split(" is ")[0])
            for m in re.finditer(r"^    (p\d+)(->>|-->>|-x)(p\d+): (.*)$", mermaid(trace, ""), re.MULTILINE)
            if not re.search(r"\((still in transit|never taken|held by the cut)\)", unescaped(m[4]))
        )
        happened = Counter[tuple[str, str, str, str]]()
        for event in events(trace):
            if event.received is not None:
                lost = event.kind in ("lose", "strand") and event.step != "hold"
                detected = event.received in ("Down()", "Up()") or event.kind in ("duplicate", "strand")
                arrow = "-x" if lost else "-->>" if detected else "->>"
                source, target = (event.source or "").split(" ")[0], event.process.split(" ")[0]
                happened[source, arrow, target, event.received] += 1
            for send in event.sent:
                if send.across == "lost":
                    happened[event.process.split(" ")[0], "-x", send.target.split(" ")[0], send.message] += 1
        assert drawn == happened


def test_what_means_something_to_mermaid_is_escaped() -> None:
    (trace, *_) = traces_of("equal identifiers")
    words = "end; %%{init}%% #35; <b> $$x$$ A-->>B: wrap:\nnext"
    title = mermaid(trace, words).splitlines()[1].removeprefix("    title ")
    assert re.fullmatch(TEXT, title)
    assert unescaped(title).replace("<br/>", "\n") == words
    assert "--" not in title


# --- texts from outside --------------------------------------------------------------------------------------------


def test_what_cannot_be_seen_is_spelled_out() -> None:
    assert visible("plain \u2192 text") == "plain \u2192 text"
    assert visible("\x1b[31mred\x00") == "\\x1b[31mred\\x00"
    assert visible("two\nlines") == "two\nlines"


def test_a_file_cannot_steer_a_terminal_or_break_a_picture(tmp_path: Path) -> None:
    """Whatever text in it holds commands of a terminal, or tags."""
    file = kept("equal identifiers", tmp_path)
    evil = "\x1b]0;gone\x07<script>alert(1)</script>&"
    text = file.read_text().replace("Election(", json.dumps(evil)[1:-1] + "(")
    text = text.replace('"wake_up"', json.dumps(evil)).replace('"claim": "', '"claim": "' + json.dumps(evil)[1:-1])
    file.write_text(text)
    found = tracefile.read(file)
    for run in map(shown, found.runs):
        assert run == all_visible(run)
        for convert in CONVERSIONS.values():
            made = convert(run, heading(found, run))
            assert "\x1b" not in made
            assert "\x07" not in made
        for kind in ("svg", "html", "mermaid"):
            assert "<script>alert" not in CONVERSIONS[kind](run, "")
