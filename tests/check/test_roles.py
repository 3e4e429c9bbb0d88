"""Who the root is and who may crash, named in a command or declared by the model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from modelcheck import UsageError, check
from modelcheck.check.result import Result
from modelcheck.report.files import as_json
from modelcheck.report.files.tracefile import read
from modelcheck.simulate.sampling import Sampler
from modelcheck.web.opening import opened

Run = Callable[..., Result]

SERVED = """
class Ask(Message):
    pass
class Served(Process):
    topology = star
    identifiers = "none"
    knows = ("root",)
    tolerates = ("crashes",)
    may_crash = "others"
    specs = ()
    asked: bool = False
    @step
    def ask(self):
        self.require(not (self.is_root or self.asked))
        self.asked = True
        self.send_all(Ask())
    @receive(Ask)
    def answer(self, message):
        pass
@always
def the_root_lives(view):
    return not any(p.is_root and p.crashed for p in view.processes)
@always
def all_live(view):
    return len(view.alive) == len(view.processes)
"""


def test_the_root_that_is_named_is_the_only_one(run: Run) -> None:
    """A star of 3 has 3 roots in turn, the centre and two leaves that look alike; as the root one of them is one world."""
    assert [run(SERVED, n=3, root=root, property="the_root_lives").represented for root in ("each", 1, 2)] == [3, 1, 1]
    found = run(SERVED, n=3, root="p2", crashes=1, property="all_live")
    (trace,) = (prop.trace for prop in found.properties if prop.trace)
    assert trace.world.root == 1
    assert "--root 2" in str(found)


@pytest.mark.parametrize("engine", ["reference", "compiled", "sets"])
def test_a_model_says_that_its_root_never_crashes(run: Run, engine: str) -> None:
    result = run(SERVED, n=3, crashes=3, engine=engine)
    verdicts = {prop.name: prop.verdict for prop in result.properties}
    assert verdicts["the_root_lives"] == "holds"
    assert verdicts["all_live"] == "violated"


@pytest.mark.parametrize("engine", ["reference", "compiled", "sets"])
@pytest.mark.parametrize(
    ("who", "holds"), [("all", False), ("others", True), ("2,3", True), ((2, 3), True), ("1,2", False)]
)
def test_a_run_says_who_may_crash(run: Run, engine: str, who: Any, holds: bool) -> None:
    """The root is p1."""
    result = run(SERVED, n=3, crashes=3, root=1, may_crash=who, engine=engine, property="the_root_lives")
    assert (result.verdict == "HOLDS") == holds


def test_one_crash_of_one_of_two_is_counted_by_hand(run: Run) -> None:
    """Nobody does anything: either nobody has crashed, or one of those who may: 1 + k states."""
    text = SERVED.replace("self.require(not (self.is_root or self.asked))", "self.require(False)")
    for who, states in (("all", 4), ("others", 3), ("3", 2)):
        assert run(text, n=3, root=1, crashes=1, may_crash=who, symmetry=False).states == states


def test_a_violation_is_shown_again_and_kept_with_its_roles(run: Run, tmp_path: Path) -> None:
    result = run(SERVED, n=3, root=2, crashes=1, may_crash="1", property="all_live")
    assert "--root 2 --may-crash 1" in str(result)
    assert "root p2, may crash p1" in str(result)
    file = tmp_path / "run.json"
    file.write_text(as_json.dumps(as_json.traces(result)))
    kept = read(file).runs[0].trace
    assert (kept.world.root, kept.world.fallible) == (1, frozenset({0}))
    subject, _ = opened(str(file))
    assert subject.usual().root in (1, 2)


def test_what_was_left_out_is_said(run: Run) -> None:
    result = run(SERVED, n=3, root=2, crashes=1, property="the_root_lives")
    assert {"other roots", "crashes of the root"} <= set(result.unchecked)
    assert "crashes of others" in run(SERVED, n=3, crashes=1, may_crash="1", property="the_root_lives").unchecked


def test_random_runs_have_the_root_that_is_named() -> None:
    one = Sampler("flooding", 5, None, None, None, None, None, 4, "any", (), 1)

    assert {one.world(5, Random(seed)).root for seed in range(20)} == {3}


@pytest.mark.parametrize(
    ("model", "asked", "why"),
    [
        ("chang_roberts", {"root": 1}, "ChangRoberts has no root"),
        ("flooding", {"root": 4}, "there is no process p4 to be the root; with n=3 they are p1..p3"),
        ("flooding", {"root": "first"}, "--root is each, or a process such as 2 or p2, not 'first'"),
        ("flooding", {"root": 0}, "--root is each, or a process"),
        ("flooding", {"may_crash": "2"}, "nobody crashes at all; add --crashes K"),
        ("flooding", {"may_crash": "4", "crashes": 1}, "there is no process p4 to crash"),
        ("flooding", {"may_crash": "x", "crashes": 1}, "--may-crash is all, others"),
        ("chang_roberts", {"may_crash": "others", "crashes": 1}, "all but the root, and ChangRoberts has none"),
    ],
)
def test_roles_that_nobody_can_have_are_refused(model: str, asked: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        check(model, n=3, **asked)


def test_a_model_without_a_root_cannot_except_it_from_crashes(run: Run) -> None:
    assert 'may_crash = "others" are all but the root' in str(run(SERVED.replace('("root",)', '("n",)')))
