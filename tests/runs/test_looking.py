"""Which shared variables a step of a run has looked at, and which of its writes nobody will ever read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from modelcheck.check.result import Result
from modelcheck.runs.causality import overwritten
from modelcheck.runs.trace import Trace

Run = Callable[..., Result]

READERS = """
class Readers(Process):
    topology = one_way_ring
    first: int = shared(0)
    second: int = shared(0)
    done: int = 0

    @step
    def act(self):
        self.require(self.done < 3)
        self.done += 1
        if self.done == 1:
            self.first = 7
            assert self.first == 7      # its own
        elif self.done == 2:
            if self.choose((True, False)):
                self.second = self.first + 1
            else:
                self.second += 1
        else:
            raise ValueError(self.second)
"""

BLIND = """
class Blind(Process):
    topology = one_way_ring
    last: Id | None = shared(None)
    done: bool = False

    @step
    def act(self):
        self.require(not self.done)
        self.done = True
        self.last = self.id

@always
def somebody_waits(view):
    "Not all are done."
    return not all(p.done for p in view.processes)
"""


COMES_BACK = """
class ComesBack(Process):
    topology = one_way_ring
    tolerates = ("crashes", "recoveries")
    first: int = shared(0)
    second: int = shared(0)
    a: int = 0
    back: bool = False

    def initially(self):
        self.a = self.choose((0, 1))

    @recover
    def come_back(self):
        if self.a == 0:
            self.back = self.first == 0
        else:
            self.back = self.second == 0

@always
def nobody_is_back(view):
    return not any(p.a == WHICH and p.back and not p.crashed for p in view.processes)
"""

LATER = """
class Later(Process):
    topology = one_way_ring
    last: Id | None = shared(None)
    seen: Id | None = None
    done: bool = False

    @step
    def look(self):
        self.require(self.seen is None and self.last)
        self.seen = self.last

    @step
    def write(self):
        self.require(not self.done)
        self.done = True
        self.last = self.id

@every_step
def nobody_remembers_another(before, after):
    "Nobody who has looked writes."
    return not any(b.seen is not None and b.seen != b.id and not b.done and a.done for b, a in zip(before.processes, after.processes))
"""


def trace_of(result: Result, name: str) -> Trace:
    (found,) = [p.trace for p in result.properties if p.name == name and p.trace is not None]
    return found


def test_what_a_step_has_written_itself_it_does_not_read(run: Run) -> None:
    trace = trace_of(run(READERS, n=1), "no_exceptions")
    own, chosen, failing = trace.steps
    assert (own.reads, failing.reads) == ((), ("second",))
    assert chosen.reads == (("first",) if chosen.choices == ("True",) else ("second",))
    assert chosen.decided == (("chooses", chosen.choices),)
    assert (own.only_read, failing.only_read) == ((), ("second",))


def test_a_write_that_did_not_look_loses_what_another_process_wrote(run: Run) -> None:
    """Each writes its identifier once: the second loses that of the first, and who looks first loses nothing."""
    trace = trace_of(run(BLIND, n=2), "somebody_waits")
    first, second = trace.steps
    assert (first.reads, second.reads) == ((), ())
    assert overwritten(trace) == {1: (("last", first.process),)}
    looking = BLIND.replace("self.last = self.id", "self.last = self.last and self.id or self.id")
    assert overwritten(trace_of(run(looking, n=2), "somebody_waits")) == {}


def test_what_was_looked_at_in_an_earlier_step_is_not_lost(run: Run) -> None:
    """p1 remembers what the other wrote, and writes without a look later: nothing has come in between."""
    trace = trace_of(run(LATER, n=2), "nobody_remembers_another")
    assert [step.reads for step in trace.steps] == [(), ("last",), ()]
    assert overwritten(trace) == {}


def test_of_a_run_that_does_not_say_what_was_read_nothing_is_said_to_be_lost(run: Run) -> None:
    trace = trace_of(run(BLIND, n=2), "somebody_waits")
    assert overwritten(replace(trace, steps=tuple(replace(step, reads=None) for step in trace.steps))) == {}


@pytest.mark.parametrize(("which", "read"), [(0, "first"), (1, "second")])
def test_of_a_recovery_is_told_what_was_done_by_the_process_that_came_back(run: Run, which: int, read: str) -> None:
    """What `initially` chooses then is no choice of the step: both recoveries go by the same name."""
    result = run(COMES_BACK.replace("WHICH", str(which)), n=1, crashes=1, recoveries=1)
    (trace,) = (prop.trace for prop in result.properties if prop.trace)
    step = trace.steps[-1]
    assert step.reads == (read,)
    lines = result.files[0].text.splitlines()
    assert [lines[line - 1].strip() for _, line in step.ran][-1] == f"self.back = self.{read} == 0"
