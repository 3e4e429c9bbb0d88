"""Which lines ran is known although most runs are not watched."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from modelcheck.check.result import Result
from modelcheck.runs.code import lines_that_ran
from modelcheck.web.subject import subject_of

LATE = """
import operator
def later(process):
    process.late()

TABLE = {"late": lambda process: process.late()}

class Alone(Process):
    topology = line
    count: int = 0
    done: bool = False

    @step
    def go(self):
        self.require(self.count < 30)
        self.count += 1
        CALL

    def late(self):
        if self.count == 30:
            self.done = True
            self.inner()

    def inner(self):
        if self.done:
            self.count = 31
"""


@pytest.mark.parametrize(
    "call",
    [
        "self.late()",
        "later(self)",
        "getattr(self, 'la' + 'te')()",
        "operator.methodcaller('late')(self)",
        "TABLE['late'](self)",
        "[f() for f in (self.late,)]",
        "(lambda process: process.late())(self)",
    ],
)
def test_what_runs_late_is_noticed_however_it_is_called(call: str, run: Callable[..., Result]) -> None:
    """All lines of the step have run when it has run once, those of the method it calls only at the very end."""
    assert run(LATE.replace("CALL", call), n=1).never_ran == ()


def test_what_does_not_run_is_named(run: Callable[..., Result]) -> None:
    (line,) = run(LATE.replace("CALL", "pass"), n=1).never_ran[:1]
    assert "if self.count == 30:" in line


def test_nothing_is_named_where_another_tool_watched_some_of_it(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a debugger does, in the thread it was begun in."""
    now = sys.gettrace
    looks = iter(("a debugger",))
    monkeypatch.setattr(sys, "gettrace", lambda: next(looks, None) or now())
    assert run(LATE.replace("CALL", "pass"), n=1).never_ran == ()


def test_the_lines_of_each_outcome_are_its_own(write: Callable[..., str]) -> None:
    """One step, three outcomes: which of the lines ran is told of each, also where all have run for the one before."""
    path = write("""
class Alone(Process):
    topology = line
    count: int = 0

    @step
    def go(self):
        self.require(self.count == 0)
        if self.choose((1, 2, 3)) == 2:
            self.count = 2
        self.count += 1
""")
    subject = subject_of(path, n=1)
    ((_, (worlds,)),) = subject.request.worlds()
    (world,) = worlds
    (start,) = subject.system.starts(world)
    ran = []
    for transition in subject.system.successors(world, start.state):
        lines = {line for _, line in lines_that_ran(subject.system, transition, start.state)}
        ran.append(sorted(line - min(lines) for line in lines))
    assert ran == [[0, 1, 3], [0, 1, 2, 3], [0, 1, 3]]
