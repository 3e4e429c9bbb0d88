"""A run that was kept is taken again, and the first step that the model no longer takes is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from modelcheck import UsageError, catalog
from modelcheck.check import retaking
from modelcheck.check.result import Result
from modelcheck.check.retaking import ChangedError, Retraced, retrace
from modelcheck.runs.trace import Trace
from tests.report.kept_runs import RUNS, result_of

Write = Callable[..., str]


def taken_again(result: Result, name: str, trace: Trace | None = None, reference: str = "") -> Retraced:
    found = result.property(name)
    assert found.trace is not None
    assert result.request is not None
    model = catalog.find_model(reference or result.reference)
    return retrace(model, result.request.settings, result.request.spec, name, found.kind, trace or found.trace)


@pytest.mark.parametrize("name", RUNS)
def test_every_run_fits_the_model_it_is_of_and_breaks_its_property_still(name: str) -> None:
    result = result_of(name)
    for found in result.properties:
        if found.verdict == "violated" and found.trace is not None:
            assert taken_again(result, found.name) == Retraced(True, found.trace.reason)


@pytest.mark.parametrize("name", ["equal identifiers", "lockstep", "a split", "shared", "a recovery"])
def test_a_run_of_which_any_step_is_left_out_or_changed_does_not_fit(name: str) -> None:
    """And the place that is found is never before the one that was changed."""
    result = result_of(name)
    found = next(p for p in result.properties if p.verdict == "violated" and p.trace)
    trace = found.trace
    assert trace is not None
    for number, step in enumerate(trace.steps):
        other = replace(step, choices=(*step.choices, "another"))
        with pytest.raises(ChangedError) as caught:
            taken_again(
                result, found.name, replace(trace, steps=(*trace.steps[:number], other, *trace.steps[number + 1 :]))
            )
        assert caught.value.place == f"{trace.unit} {step.round or number + 1}"
    shorter = replace(trace, steps=trace.steps[1:])
    with pytest.raises(ChangedError):
        taken_again(result, found.name, shorter)


MODEL = """
class Note(Message):
    x: int
class Model(Process):
    topology = one_way_ring
    limit = Parameter(2, "of nothing", among=(1, 2, 3))
    x: int = 0
    @initiate
    def begin(self):
        self.require(self.x == 0)
        self.x = self.choose((1, 2))
        self.send(NEXT, Note(self.x))
    @receive(Note)
    def take(self, message):
        self.x = self.x + message.x
@always
def small(view):
    return all(p.x < 4 for p in view.processes) or because("too much")
"""


def changed(write: Write, run: Callable[..., Result], old: str, new: str) -> tuple[Retraced | ChangedError, Trace]:
    """What becomes of the run against the model when a text in it is replaced."""
    assert old in MODEL
    result = run(MODEL, n=2)
    trace = result.property("small").trace
    assert trace is not None
    try:
        return taken_again(result, "small", reference=write(MODEL.replace(old, new))), trace
    except ChangedError as error:
        return error, trace


CHANGES = [
    ("x: int = 0", "x: int = 1", "the initial state", "it is another one now"),
    ("def begin", "def start", "step 1", "p1 (id 1) cannot take begin here"),
    ("self.choose((1, 2))", "self.choose((1, 3))", "step 1", "p1 (id 1) can take begin, but not with this choice"),
    ("self.send(NEXT, Note(self.x))", "self.send(NEXT, Note(1))", "step 1", "it has another effect now"),
    ("self.x = self.x + message.x", "self.x = message.x", "step 3", "it has another effect now"),
    (
        "self.x = self.x + message.x",
        "self.require(self.x == 0)",
        "step 3",
        "p1 (id 1) cannot take take with Note(2) here",
    ),
]


@pytest.mark.parametrize(("old", "new", "place", "why"), CHANGES)
def test_a_changed_model_is_found_out_at_the_first_step_that_differs(
    old: str, new: str, place: str, why: str, write: Write, run: Callable[..., Result]
) -> None:
    """The run is: p1 begins with 2, p2 begins with 2, one receives what the other has sent."""
    error, trace = changed(write, run, old, new)
    assert [step.step for step in trace.steps] == ["begin", "begin", "take"]
    assert isinstance(error, ChangedError)
    assert (error.place, error.why) == (place, why)
    assert error.exit_code == 1


def test_what_the_model_does_now_is_told(write: Write, run: Callable[..., Result]) -> None:
    error, trace = changed(write, run, "self.x = self.x + message.x", "self.x = message.x")
    assert isinstance(error, ChangedError)
    assert error.said == trace.steps[2:]
    ((now,),) = error.now
    assert not isinstance(now, str)
    assert (now.step, now.changed) == ("take", ())  # type: ignore[union-attr]


def test_an_edit_that_changes_no_step_of_the_run_does_not_matter(write: Write, run: Callable[..., Result]) -> None:
    found, _ = changed(write, run, "class Model", "# a comment, so that all lines move\n\nclass Model")
    assert found == Retraced(True, "too much")


def test_a_property_that_holds_now_is_no_longer_violated(write: Write, run: Callable[..., Result]) -> None:
    found, _ = changed(write, run, "p.x < 4", "p.x < 9")
    assert found == Retraced(False, "it holds at the end of this run")


def test_a_property_that_is_no_more_is_named(write: Write, run: Callable[..., Result]) -> None:
    found, _ = changed(write, run, "def small", "def smallish")
    assert isinstance(found, Retraced)
    assert not found.violated
    assert found.because.startswith("no property 'small' is claimed of ")
    assert "did you mean smallish?" in found.because


def test_a_parameter_that_is_no_more_is_named(write: Write, run: Callable[..., Result]) -> None:
    found, _ = changed(write, run, "limit = Parameter", "bound = Parameter")
    assert isinstance(found, ChangedError)
    assert "no parameter 'limit'" in found.why


LASSO = """
class Token(Message):
    pass
class Loops(Process):
    topology = one_way_ring
    awake: bool = False
    stopped: bool = False
    @initiate
    def begin(self):
        self.require(not self.awake)
        self.awake = True
        self.send(NEXT, Token())
    @receive(Token)
    def pass_on(self, message):
        self.send(NEXT, message)
termination = terminates()
"""
STOP = """
    @step
    def stop(self):
        self.stopped = self.awake
termination ="""


def test_a_loop_that_no_longer_returns_or_is_no_longer_fair_is_no_violation(
    write: Write, run: Callable[..., Result]
) -> None:
    result = run(LASSO, n=2, initiators=[1])
    trace = result.property("termination").trace
    assert trace is not None
    assert trace.loop == 1
    assert taken_again(result, "termination").violated
    unfair = taken_again(result, "termination", reference=write(LASSO.replace("termination =", STOP)))
    assert unfair == Retraced(False, "the loop is not fair: p1 (id 1) could take stop all the time and never does")
    elsewhere = taken_again(result, "termination", replace(trace, loop=0))
    assert elsewhere == Retraced(False, "the loop does not return to where it begins")


def test_states_that_look_alike_are_followed_side_by_side(run: Callable[..., Result]) -> None:
    """What a crashed process has kept is not shown, and here it decides how the run goes on."""
    text = """
        class Kept(Process):
            topology = one_way_ring
            tolerates = ("crashes", "recoveries")
            x: int = stable(0)
            def initially(self):
                self.x = self.choose((1, 2))
                self.start_crashed()
        @always
        def never_two(view):
            return all(p.crashed or p.x != 2 for p in view.processes)
        """
    result = run(text, n=1, recoveries=1)
    assert taken_again(result, "never_two").violated


def test_more_processes_than_can_split_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retaking, "MOST_TO_SPLIT", 2)
    with pytest.raises(UsageError, match="3 processes split in more ways"):
        taken_again(
            result_of("a split"), next(p.name for p in result_of("a split").properties if p.verdict == "violated")
        )


def test_paths_play_no_part(run: Callable[..., Result], tmp_path: Path) -> None:
    """A step that fails is known by how it fails, not by the line where it stands."""
    text = MODEL.replace("self.x = self.x + message.x", "assert self.x != 2, 'two'")
    result = run(text, n=2)
    copy = tmp_path / "elsewhere.py"
    copy.write_text("\n\n" + Path(result.reference).read_text())
    found = taken_again(result, "assertions", reference=str(copy))
    assert found.violated
