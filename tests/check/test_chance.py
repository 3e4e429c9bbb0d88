"""What came about by chance is no verdict, and nobody's fault but the model's: not where the same step, or the same property, was twice of one
opinion and then of another, and not where only one of two engines has met it.

What plays the part of chance counts, in a place nobody looks at, how often it was asked. A step that is tabulated asks twice, and twice
again when its counterexample is replayed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest

from modelcheck.check import findings, search
from modelcheck.check.result import Result
from modelcheck.properties.view import Reason
from tests.language.cases import the_error

Run = Callable[..., Result]

CHANCE = """
sys.asked = 0
def by_chance(*times):
    sys.asked += 1
    return sys.asked in times
"""


def counting(body: str) -> str:
    """A process that counts to 3, and does this then."""
    return f"""{CHANCE}
class Model(Process):
    topology = one_way_ring
    specs = ()
    count: int = 0
    bad: bool = False
    @step
    def tick(self):
        self.require(self.count < 3)
        self.count += 1
        {body}
@always
def never_bad(view):
    return not any(p.bad for p in view.processes)
"""


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("times", ["1, 2", "1, 2, 6", "1, 2, 5, 6"])
def test_a_violation_that_does_not_replay_is_the_step_s_fault_which_did_something_else(
    run: Run, times: str, engine: Literal["reference", "compiled"]
) -> None:
    error = the_error(run(counting(f"self.bad = self.count == 3 and by_chance({times})"), n=1, engine=engine))
    assert error.what.startswith("tick is not a function of what it reads")
    assert (error.step, error.process, error.state) == (
        "tick",
        "the process with identifier 1",
        "count=2, bad=False",
    )
    assert "first: (3, True) sending nothing; second: (3, False) sending nothing" in error.cause
    assert [line.split()[-1] for line in error.trace[1:]] == ["tick"] * 3


def test_so_is_a_failed_assertion_that_does_not_replay(run: Run) -> None:
    error = the_error(run(counting("assert not (self.count == 3 and by_chance(1, 2)), 'three'"), n=1))
    assert (error.step, error.state) == ("tick", "count=2, bad=False")
    assert "first: (3, False) sending nothing, and the assertion fails: three; second: (3, False)" in error.cause


def test_so_are_initial_values_that_come_out_otherwise(run: Run) -> None:
    begins = "def initially(self):\n        self.bad = by_chance(1, 2)"
    error = the_error(run(counting("pass").replace("@step", begins + "\n    @step"), n=1))
    assert error.what.startswith("initially() is not a function of what it reads")


def test_a_property_that_fails_once_is_asked_again(run: Run) -> None:
    """However often it was right before: here it is asked about 700 states, and says of the 600th that it does not hold, and then that it does."""
    text = (
        counting("pass").replace("< 3", "< 700").replace("any(p.bad for p", "any(p.count == 600 and by_chance(1) for p")
    )
    error = the_error(run(text, n=1))
    assert "never_bad cannot be evaluated: evaluated twice on one state it gave two verdicts" in error.what


def test_a_property_that_fails_now_and_then_is_at_fault_itself(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It fails in the search, holds when that is confirmed, and fails once more."""
    reasons = iter([None, None, Reason("It is bad.")])
    monkeypatch.setattr(findings.trace, "confirm", lambda *_: next(reasons))
    error = the_error(run(counting("self.bad = self.count == 3"), n=1))
    assert "never_bad cannot be evaluated" in error.what


def test_what_only_the_compiled_engine_has_met_is_not_forgotten(run: Run) -> None:
    """The first time that the step is asked it says yes, and never again: the reference engine, which looks for the steps that lead there,
    finds nothing."""
    error = the_error(run(counting("self.bad = self.count == 3 and by_chance(1)"), n=1, engine="compiled"))
    assert error.what.startswith("tick is not a function of what it reads")


def test_nor_is_what_was_met_in_one_of_many_worlds_at_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the rings of 1, 2 and 3 in the second order alone somebody hears of one who is 2 less. The first is explored by itself."""
    monkeypatch.setattr(search, "MANY", 2)
    monkeypatch.setattr(search, "SHARES", 1)
    text = f"""{CHANCE}
class Note(Message):
    who: int
class Model(Process):
    topology = one_way_ring
    knows = ("integers",)
    specs = ()
    said: bool = False
    bad: bool = False
    @step
    def say(self):
        self.require(not self.said)
        self.said = True
        self.send(NEXT, Note(self.id))
    @receive(Note)
    def hear(self, note):
        self.bad = self.id - note.who == 2 and by_chance(1)
"""
    error = the_error(run(text, n=3, engine="compiled", workers=1, symmetry=False))
    assert error.what.startswith("hear is not a function of what it reads")
