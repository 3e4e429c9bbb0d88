"""Checkpoints: a run that is left between two worlds and resumed ends like one that was never left, times aside."""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from modelcheck import Limits, StepError
from modelcheck.check import checkpoint
from modelcheck.check.checker import check
from modelcheck.check.checkpoint import Keeping
from modelcheck.explore.limits import Meter
from modelcheck.report.words import verdict_block
from modelcheck.semantics.system import System
from tests.check.leaving import EXAMPLES, RUNS, UNEVEN, Stops, left, rewrite
from tests.conftest import said
from tests.explore.random_protocols import RandomProtocol, protocols

Write = Callable[..., str]

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
        assert said(resumed) == said(whole)
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
    assert said(result) == said(whole)


@pytest.mark.parametrize(("n", "model"), [([2, 5], "chang_roberts"), ([1, 2, 3], "chang_roberts:StartUnguarded")])
def test_every_checkpoint_that_several_threads_write_leads_to_the_same_end(
    n: list[int], model: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"model": model, "n": n}
    written: list[bytes] = []
    replace = checkpoint.os.replace

    def remember(new: str, old: Path) -> None:
        if old == file:  # the engine's cache is written as well
            written.append(Path(new).read_bytes())
        replace(new, old)

    monkeypatch.setattr(checkpoint.os, "replace", remember)
    whole = said(check(**options))
    keeping = Keeping(file, interval=0, share=0)
    assert said(check(**options, engine="compiled", workers=3, checkpoint=keeping)) == whole
    assert len(written) > 1
    for text in written[:: 1 + len(written) // 3]:
        file.write_bytes(text)
        assert said(check(**options, checkpoint=file, resume=True)) == whole


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
        whole = said(check(**options, limits=Limits(max_states=most)))
        stopped = left(file, after, limits=Limits(max_states=most), **options)
        resumed = said(check(**options, limits=Limits(max_states=most), checkpoint=file, resume=True))
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
    assert said(check(**options, checkpoint=file, resume=True)) == said(whole)


@pytest.mark.parametrize("after", [1, 2])
def test_what_only_worlds_of_the_past_exercised_is_not_forgotten(after: int, file: Path, write: Write) -> None:
    options: dict[str, Any] = {"model": write(UNEVEN), "n": [1, 2, 3]}
    whole = check(**options)
    assert whole.steps == {"by_itself": True, "among_others": True}
    assert whole.never_ran == ()
    assert whole.property("few").mattered
    left(file, after, **options)
    assert said(check(**options, checkpoint=file, resume=True)) == said(whole)


def test_what_never_mattered_does_not_begin_to(file: Path, write: Write) -> None:
    options: dict[str, Any] = {"model": write(UNEVEN), "n": 3}
    whole = check(**options)
    assert [p.name for p in whole.properties if not p.mattered] == ["few", "nobody_is_alone"]
    left(file, 1, **options)
    assert said(check(**options, checkpoint=file, resume=True)) == said(whole)


def test_a_model_error_in_a_later_world_comes_after_a_resume_too(file: Path, write: Write) -> None:
    text = UNEVEN.replace(
        "self.require(not self.done and self.n > 1)", "self.require(self.n > 1 and self.position == 1)"
    )
    options: dict[str, Any] = {"model": write(text), "n": [1, 2]}
    whole = check(**options)
    assert whole.exit_code == 75
    left(file, 1, **options)
    assert said(check(**options, checkpoint=file, resume=True)) == said(whole)
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
    assert said(higher) == said(check(**options))


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
    assert said(check(**options, checkpoint=keeping)) == said(whole)
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
    assert said(check("chang_roberts", n=4, checkpoint=keeping)) == said(check("chang_roberts", n=4))
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
