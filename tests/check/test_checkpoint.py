"""Checkpoints: a run that is left between two worlds and resumed ends like one that was never left, times aside."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import importlib
import itertools
import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from modelcheck import Limits, StepError, UsageError, catalog, reads
from modelcheck.check import checkpoint, fingerprint
from modelcheck.check.checker import check
from modelcheck.check.checkpoint import Keeping
from modelcheck.check.request import read_request
from modelcheck.check.result import Result
from modelcheck.explore.limits import Meter
from modelcheck.report.files import as_json
from modelcheck.report.words import verdict_block
from modelcheck.semantics.system import System
from tests.explore.random_protocols import RandomProtocol, protocols
from tests.protocols import ENDLESS, RAISES

EXAMPLES = int(os.environ.get("RANDOM_PROTOCOLS", settings.default.max_examples // 5))

Write = Callable[..., str]

# Worlds that differ in what they show: a step that runs in systems of one process alone, another in larger ones, a property
# that nothing matters to within a world, and one that nothing matters to at all.
UNEVEN = """
class Uneven(Process):
    topology = one_way_ring
    knows = ("n",)
    alone: bool | None = None
    done: bool = False

    @step
    def by_itself(self):
        self.require(not self.done and self.n == 1)
        self.done = True

    @step
    def among_others(self):
        self.require(not self.done and self.n > 1)
        self.done = True

@always
def few(view):
    "There are few processes."
    return len([p for p in view.processes if p.alone is None]) < 9

@always
def nobody_is_alone(view):
    "Nobody is ever called alone."
    return not any(p.alone for p in view.processes if p.id == max(q.id for q in view.processes))
"""

# The property fails after two steps on the ring 1, 2, 3, which comes first, and after one on the ring 1, 3, 2.
LATE_AND_EARLY = """
class Steps(Process):
    topology = one_way_ring
    knows = ("neighbours", "everyone")
    count: int = 0

    @step
    def count_on(self):
        self.require(self.count < 2)
        rank = self.everyone.index
        self.count += 2 if rank(self.id) == rank(self.neighbour(NEXT)) + 1 else 1

@always
def below_two(view):
    "Counters stay below two."
    return all(p.count < 2 for p in view.processes)
"""

LOOKS_AT_TEXT = """
class Looks(Process):
    topology = one_way_ring
    seen: int = 0

    @step
    def look(self):
        self.require(self.seen == 0)
        self.seen = len(repr(self.id)) if repr(self.id) == "1" else 1
        self.seen = 2 if repr(self.id) > "3" else 1
"""

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

RUNS: dict[str, dict[str, Any]] = {
    "holds": {"model": "chang_roberts", "n": [2, 3, 4]},
    "violated": {"model": "chang_roberts", "n": [1, 2, 3], "parameters": {"guard_start": False}},
    "gets stuck": {"model": "chang_roberts", "n": [1, 2], "losses": 1, "network": "bag", "initiators": "each"},
    "does not end": {"model": ENDLESS, "n": [1, 2, 3]},
    "starting steps": {"model": "chang_roberts", "ids": "any", "n": [2, 3], "start": "simultaneous"},
    "fails in a step": {"model": "harmony_leader", "n": 3, "ids": "any"},
    "raises at the start": {"model": RAISES.replace("= True", "= 1 // 0"), "n": [1, 2], "start": "simultaneous"},
    "raises": {"model": RAISES, "n": [1, 2, 3]},
    "with probability 1": {"model": "itai_rodeh", "n": [1, 2, 3]},
    "graphs": {"model": "spanning_tree", "n": [2, 3], "parameters": {"leaf_check": False}},
    "given graphs": {"model": "spanning_tree", "graph": "tree", "n": 4},
    "without symmetry": {"model": "dolev_klawe_rodeh", "n": 3, "symmetry": False},
    "recoveries": {"model": "bully", "n": [1, 2], "crashes": 1, "recoveries": 1, "initiators": "each"},
}


class Stops(Meter):
    """Is interrupted after so many worlds; with `hard` not between states but in the midst of something."""

    def __init__(self, after: int, hard: bool = False, limits: Limits | None = None) -> None:
        super().__init__(limits or Limits())
        self.after, self.hard = after, hard

    def stop(self, states: int | None = None) -> bool:
        if self.after <= 0:
            if self.hard and threading.current_thread() is threading.main_thread():
                raise KeyboardInterrupt
            self.interrupted = True
        return super().stop(states)

    def landed(self, states: int, transitions: int) -> None:
        super().landed(states, transitions)
        self.after -= 1


def document(result: Result) -> dict[str, Any]:
    """What the report says, times aside, and how much of this run, not of those it resumes, was taken again."""
    found = as_json.document(result)
    del found["seconds"], found["taken_again"]
    return found


def left(
    file: Path, after: int, resume: bool = False, hard: bool = False, limits: Limits | None = None, **options: Any
) -> Result:
    """A run that is interrupted after so many worlds."""
    return check(**options, checkpoint=Keeping(file, resume=resume, haste=1000), meter=Stops(after, hard, limits))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "kept.json"


# --- the same in the end


@pytest.mark.parametrize("name", RUNS)
def test_a_run_left_after_any_number_of_worlds_ends_the_same(
    name: str, file: Path, write: Write, thorough: bool
) -> None:
    """Every day, in turn, after none, in the middle and after all, or after the first and before the last."""
    options = RUNS[name]
    if "\n" in options["model"]:
        options = {**options, "model": write(options["model"])}
    whole = check(**options)
    assert whole.worlds > 1
    every = range(whole.worlds + 1)
    some = ({0, every[-1] // 2, every[-1]}, {1, every[-2]})[list(RUNS).index(name) % 2]
    for after in every if thorough else sorted(some):
        stopped = left(file, after, **options)
        assert stopped.worlds == after
        assert stopped.stopped == "interrupted"
        assert file.exists() == (after > 0)
        resumed = check(**options, checkpoint=file, resume=True)
        assert document(resumed) == document(whole)
        assert not file.exists()


@pytest.mark.parametrize("name", ["violated", "holds", "with probability 1"])
@pytest.mark.parametrize("hard", [False, True])
def test_a_run_left_again_and_again_ends_the_same(name: str, hard: bool, file: Path) -> None:
    options = RUNS[name]
    whole, worlds = check(**options), 0
    for engine, workers in itertools.cycle([("reference", 1), ("compiled", 2), ("compiled", 1), ("auto", 3)]):
        result = left(file, 1, resume=True, hard=hard, engine=engine, workers=workers, **options)
        if result.kept is None:
            break
        assert worlds < result.kept.worlds <= result.worlds  # another thread may have finished one after that
        worlds = result.kept.worlds
    assert document(result) == document(whole)


@pytest.mark.parametrize(("n", "guarded"), [([2, 5], True), ([1, 2, 3], False)])
def test_every_checkpoint_that_several_threads_write_leads_to_the_same_end(
    n: list[int], guarded: bool, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"model": "chang_roberts", "n": n, "parameters": {"guard_start": guarded}}
    written: list[bytes] = []
    replace = checkpoint.os.replace

    def remember(new: str, old: Path) -> None:
        if old == file:  # the engine's cache is written as well
            written.append(Path(new).read_bytes())
        replace(new, old)

    monkeypatch.setattr(checkpoint.os, "replace", remember)
    whole = document(check(**options))
    keeping = Keeping(file, interval=0, share=0)
    assert document(check(**options, engine="compiled", workers=3, checkpoint=keeping)) == whole
    assert len(written) > 1
    for text in written[:: 1 + len(written) // 3]:
        file.write_bytes(text)
        assert document(check(**options, checkpoint=file, resume=True)) == whole


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(protocols(), st.integers(1, 6), st.sampled_from([400, 80]))
def test_a_run_of_a_random_protocol_ends_the_same(protocol: RandomProtocol, after: int, most: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model, file = Path(folder) / "model.py", Path(folder) / "kept.json"
        model.write_text(protocol.source)
        options = {
            "model": str(model),
            **protocol.options,
            "workers": 1,
        }  # at a limit several threads stop where they are
        whole = document(check(**options, limits=Limits(max_states=most)))
        stopped = left(file, after, limits=Limits(max_states=most), **options)
        resumed = document(check(**options, limits=Limits(max_states=most), checkpoint=file, resume=True))
    event("stopped early" if stopped.stopped == "interrupted" else "ended" if not stopped.stopped else "met a limit")
    event(whole["verdict"])
    if whole["stopped"]:  # what seemed to grow may be seen from another side
        for known in (whole, resumed):
            del known["growth"], known["checkpoint"], known["next"]
    assert resumed == whole


def test_the_shortest_trace_is_found_before_or_after_the_run_was_left(file: Path, write: Write) -> None:
    options: dict[str, Any] = {"model": write(LATE_AND_EARLY), "n": 3}
    whole = check(**options)
    trace = whole.property("below_two").trace
    assert trace is not None
    first = left(file, 1, **options).property("below_two").trace
    assert first is not None
    assert (first.length, trace.length) == (2, 1)
    assert document(check(**options, checkpoint=file, resume=True)) == document(whole)


@pytest.mark.parametrize("after", [1, 2])
def test_what_only_worlds_of_the_past_exercised_is_not_forgotten(after: int, file: Path, write: Write) -> None:
    options: dict[str, Any] = {"model": write(UNEVEN), "n": [1, 2, 3]}
    whole = check(**options)
    assert whole.steps == {"by_itself": True, "among_others": True}
    assert whole.never_ran == ()
    assert whole.property("few").mattered
    left(file, after, **options)
    assert document(check(**options, checkpoint=file, resume=True)) == document(whole)


def test_what_never_mattered_does_not_begin_to(file: Path, write: Write) -> None:
    options: dict[str, Any] = {"model": write(UNEVEN), "n": 3}
    whole = check(**options)
    assert [p.name for p in whole.properties if not p.mattered] == ["few", "nobody_is_alone"]
    left(file, 1, **options)
    assert document(check(**options, checkpoint=file, resume=True)) == document(whole)


def test_a_model_error_in_a_later_world_comes_after_a_resume_too(file: Path, write: Write) -> None:
    text = UNEVEN.replace(
        "self.require(not self.done and self.n > 1)", "self.require(self.n > 1 and self.position == 1)"
    )
    options: dict[str, Any] = {"model": write(text), "n": [1, 2]}
    whole = check(**options)
    assert whole.exit_code == 75
    left(file, 1, **options)
    assert document(check(**options, checkpoint=file, resume=True)) == document(whole)
    assert not file.exists()


# --- limits


def test_states_of_the_past_count_against_the_limit(file: Path) -> None:
    """The same limit is met at the same state, whether or not the run was left before."""
    options: dict[str, Any] = {"model": "chang_roberts", "n": 5, "reduce": "none"}
    limits = Limits(max_states=2000)
    whole = check(**options, limits=limits)
    assert whole.verdict == "INCONCLUSIVE"
    left(file, 3, **options)
    resumed = check(**options, limits=limits, checkpoint=file, resume=True)
    assert resumed.kept is not None
    assert resumed.kept.worlds == whole.worlds
    assert (resumed.states, resumed.worlds, resumed.stopped) == (whole.states, whole.worlds, whole.stopped)
    higher = check(**options, checkpoint=file, resume=True)
    assert document(higher) == document(check(**options))


def test_a_limit_that_is_met_already_leaves_all_as_it_was(file: Path) -> None:
    left(file, 3, model="chang_roberts", n=4)
    before = file.read_bytes()
    stopped = check("chang_roberts", n=4, limits=Limits(max_states=1), checkpoint=file, resume=True)
    assert stopped.worlds == 3
    assert file.read_bytes() == before


def test_time_of_the_past_is_reported_and_does_not_count_against_the_limit(file: Path) -> None:
    left(file, 3, model="chang_roberts", n=4)
    rewrite(file, seconds=1000.0)
    resumed = check("chang_roberts", n=4, limits=Limits(max_seconds=600), checkpoint=file, resume=True)
    assert resumed.verdict == "HOLDS"
    assert resumed.seconds > 1000


def test_where_no_world_is_done_nothing_is_kept(file: Path) -> None:
    stopped = check("chang_roberts", n=4, limits=Limits(max_states=50), checkpoint=file)
    assert not file.exists()
    assert stopped.kept is not None
    assert stopped.kept.worlds == 0


# --- when it is written


def test_a_run_that_ends_soon_writes_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "write", lambda *_: pytest.fail("it wrote"))
    assert check("chang_roberts", n=3, checkpoint=Keeping(file, interval=1e9)).verdict == "HOLDS"


def test_a_run_keeps_checkpoints_only_where_it_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "write", lambda *_: pytest.fail("it wrote"))
    assert check("chang_roberts", n=3, meter=Stops(1)).kept is None


def test_a_run_with_less_done_does_not_replace_one_with_more(file: Path) -> None:
    told: list[str] = []
    left(file, 5, model="chang_roberts", n=4)
    before = file.read_bytes()
    keeping = Keeping(file, interval=0, share=0, haste=1000, tell=told.append)
    stopped = check("chang_roberts", n=4, meter=Stops(3), checkpoint=keeping)
    assert told == ["5 worlds are done already, by a run that was left: --resume goes on from there"]
    assert file.read_bytes() == before
    assert stopped.kept is not None
    assert stopped.kept.worlds == 5
    left(file, 6, model="chang_roberts", n=4)
    assert json.loads(file.read_text().splitlines()[1])["known"]["done"]["upto"] == 6


def slow(told: list[str], system: System, since: Any, upto: Any, hurried: Callable[[], bool]) -> bool:
    """Verifying that goes on until the user has been told, and once more."""
    while not told:
        if hurried():
            return False
    return not hurried() and VERIFY(system, since, upto, hurried)


VERIFY = System.verify


def test_worlds_are_kept_however_long_it_takes_to_verify_them_and_the_user_is_told(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(System, "verify", lambda *asked: slow(told, *asked))
    stopped = check("chang_roberts", n=4, meter=Stops(3), checkpoint=Keeping(file, haste=0, tell=told.append))
    assert told == ["what was found is verified before it is kept for --resume; Ctrl-C again does without"]
    assert stopped.kept is not None
    assert stopped.worlds == stopped.kept.worlds == 3


@pytest.mark.parametrize("resumed", [False, True])
def test_a_second_ctrl_c_does_without_the_last_checkpoint_and_the_report_says_so(
    resumed: bool, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if resumed:
        left(file, 2, model="chang_roberts", n=4)

    def interrupted(*_: Any) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(System, "verify", interrupted)
    stopped = check("chang_roberts", n=4, meter=Stops(3), checkpoint=Keeping(file, resume=resumed))
    assert stopped.worlds == (5 if resumed else 3)
    assert stopped.kept is not None
    assert stopped.kept.worlds == (2 if resumed else 0)
    said = "3 more worlds" if resumed else "none; 3 worlds"
    words = f"{said} are not kept: there was no time to verify what was found in them"
    (entry,) = [entry for entry in verdict_block.entries(stopped) if getattr(entry, "label", "") == "checkpoint"]
    assert str(getattr(entry, "words", "")).endswith(words)


def test_a_ctrl_c_after_a_limit_does_without_the_last_checkpoint(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter(Limits(max_states=300))

    def interrupted(*asked: Any) -> bool:
        hurried = asked[-1]
        assert not hurried()
        meter.interrupted = True
        assert hurried()
        return False

    monkeypatch.setattr(System, "verify", interrupted)
    stopped = check("chang_roberts", n=4, meter=meter, checkpoint=file)
    assert stopped.stopped == "the limit of 300 states was reached"
    assert stopped.kept is not None
    assert stopped.kept.worlds == 0


def test_what_is_to_be_verified_does_not_pile_up(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a run is stopped there is next to nothing left to do, be it long before the first checkpoint is due."""
    verified: list[int] = []

    def counted(system: System, since: Any, upto: Any, hurried: Callable[[], bool]) -> bool:
        verified.append(upto[1] - since[1])
        return VERIFY(system, since, upto, hurried)

    monkeypatch.setattr(System, "verify", counted)
    stopped = check("chang_roberts", n=4, meter=Stops(5), checkpoint=Keeping(file, interval=1e9, behind=0))
    assert stopped.kept is not None
    assert stopped.kept.worlds == 5
    assert len(verified) > 5  # after each world what was new in it, and the rest
    assert verified[-1] < sum(verified[:-1])


def test_worlds_of_a_model_that_breaks_the_rules_are_not_kept(file: Path, write: Write) -> None:
    """That steps depend on nothing but the order of identifiers is verified at the end. A run that is left has had no end."""
    options: dict[str, Any] = {"model": write(LOOKS_AT_TEXT), "n": [1, 4]}
    whole = check(**options)
    assert whole.exit_code == 75
    stopped = left(file, 3, **options)
    assert stopped.kept is not None
    assert stopped.kept.worlds == 0
    assert "depends on more than the order of identifiers" in stopped.kept.trouble
    assert not file.exists()
    keeping = Keeping(file, interval=0, share=0)
    assert document(check(**options, checkpoint=keeping)) == document(whole)
    assert not file.exists()


def test_what_was_wrong_when_a_checkpoint_was_to_be_written_is_not_forgotten_at_the_end(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = System.verify

    def suspicious(system: System, *part: Any, **named: Any) -> bool:
        if part:
            raise StepError("a step is not what it was")
        return real(system, **named)

    monkeypatch.setattr(System, "verify", suspicious)
    found = check("chang_roberts", n=3, checkpoint=Keeping(file, interval=0, share=0))
    assert found.exit_code == 75
    assert not file.exists()


def test_a_place_that_cannot_be_written_to_is_told_once_and_the_run_goes_on(tmp_path: Path) -> None:
    told: list[str] = []
    (tmp_path / "occupied").write_text("")
    keeping = Keeping(tmp_path / "occupied", named=False, interval=0, share=0, tell=told.append)
    assert document(check("chang_roberts", n=4, checkpoint=keeping)) == document(check("chang_roberts", n=4))
    (sentence,) = told
    assert sentence.startswith(f"the run goes on without a checkpoint, for {tmp_path / 'occupied'}")
    stopped = check("chang_roberts", n=4, meter=Stops(3), checkpoint=keeping)
    assert stopped.kept is not None
    assert "cannot be written" in stopped.kept.trouble


def test_a_write_that_fails_leaves_the_checkpoint_before(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left(file, 3, model="chang_roberts", n=4)
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint.os, "fsync", full)
    stopped = left(file, 3, resume=True, model="chang_roberts", n=4)
    assert stopped.worlds == 6
    assert stopped.kept is not None
    assert (stopped.kept.worlds, file.read_bytes()) == (3, before)
    assert "No space left on device" in stopped.kept.trouble
    assert list(file.parent.iterdir()) == [file]


# --- what is refused


def rewrite(file: Path, **known: Any) -> None:
    """Other content, with the checksum that belongs to it."""
    data = json.loads(file.read_text().splitlines()[1])
    data["known"] |= known
    written(file, data)


def written(file: Path, data: Any) -> None:
    """A checkpoint of this content, whatever it is."""
    body = json.dumps(data).encode()
    header = {"modelcheck checkpoint": checkpoint.FORMAT, "sha256": hashlib.sha256(body).hexdigest()}
    file.write_bytes(json.dumps(header).encode() + b"\n" + body + b"\n")


def refusal(file: Path, **options: Any) -> str:
    """Why this run cannot be resumed."""
    with pytest.raises(UsageError) as refused:
        check(**options, checkpoint=file, resume=True)
    assert str(file) in str(refused.value)
    assert refused.value.exit_code == 2
    return str(refused.value)


def test_a_checkpoint_cut_off_anywhere_is_refused(file: Path) -> None:
    left(file, 1, model="chang_roberts", n=2, property="agreement", parameters={"guard_start": False})
    text = file.read_bytes()
    for length in range(len(text)):
        with pytest.raises(UsageError, match=r"kept\.json"):
            checkpoint.parse(text[:length], file)


@pytest.mark.parametrize("bit", [0, 3, 5])
def test_a_checkpoint_with_a_flipped_bit_anywhere_is_refused(bit: int, file: Path) -> None:
    left(file, 1, model="chang_roberts", n=2, property="agreement", parameters={"guard_start": False})
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
            assert json.dumps(document(result))


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
        ({"parameters": {"variant": "java"}}, "parameter variant was figure, and is java"),
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
    helper = tmp_path / "helper_of_checkpoints.py"
    helper.write_text("from further_help import *\n")
    further = tmp_path / "further_help.py"
    further.write_text("LIMIT = 2\n")
    monkeypatch.syspath_prepend(tmp_path)
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
            value = (("variant", "java"),) if field.name == "parameters" else "another"
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
