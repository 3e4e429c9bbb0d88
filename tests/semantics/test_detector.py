"""An eventually perfect failure detector: it is wrong for a while, and takes that back (Chandra and Toueg 1996, section 2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import UsageError, check
from modelcheck.check.result import Result
from tests.conftest import Explored
from tests.semantics.test_system import FIRST, HEARS, heard

Explore = Callable[..., list[Explored]]
Run = Callable[..., Result]

TICKS = """
class Ticks(Process):
    topology = one_way_ring
    tolerates = ("suspicions", "crashes")
    identifiers = "none"
    specs = ("termination",)
    suspects: bool = False
    bit: bool = False
    @receive(Down)
    def suspect(self, message):
        self.suspects = True
    @receive(Up)
    def trust(self, message):
        self.suspects = False
    @step
    def tick(self):
        self.require(self.suspects)
        self.bit = not self.bit
@at_the_end
def whom_it_suspects_is_down(view):
    return all(p.suspects <= any(q.crashed for q in view.processes) for p in view.alive)
"""


def test_a_suspicion_is_taken_back_at_any_later_moment(explored: Explore) -> None:
    """p1 is suspected before it speaks, after, or never; before, `Up` comes before, between or behind its two messages."""
    assert heard(explored(HEARS, 2, FIRST, suspicions=1, taken_back=True)) == {
        ("2", "1"),
        ("Down", "Up", "2", "1"),
        ("Down", "2", "Up", "1"),
        ("Down", "2", "1", "Up"),
        ("2", "1", "Down", "Up"),
    }


@pytest.mark.parametrize("network", ["fifo", "bag"])
def test_at_the_end_exactly_those_that_are_down_are_suspected(explored: Explore, network: str) -> None:
    """And nobody is told twice in a row that a process is down, or is up."""
    (world,) = explored(HEARS, 2, FIRST, network=network, suspicions=2, taken_back=True, crashes=1)
    ends = [world.found.states[number] for number in world.found.terminals]
    told = set()
    for _, p1, p2 in ends:
        if not p2.crashed:
            words = tuple(word for word in p2.fields[2] if word in ("Down", "Up"))
            assert all(word == ("Down", "Up")[k % 2] for k, word in enumerate(words))
            assert (len(words) % 2 == 1) == p1.crashed
            told.add(words)
    assert told == {("Down", "Up")[:0], ("Down",), ("Down", "Up"), ("Down", "Up", "Down"), ("Down", "Up") * 2} | {
        ("Down", "Up", "Down", "Up", "Down")
    }


def test_who_was_down_itself_learns_that_a_suspicion_came_true(explored: Explore) -> None:
    """p2 is suspicious, crashes, p1 crashes, p2 recovers: the last it hears is that p1 is down."""
    text = HEARS.replace("heard: tuple[str, ...] = ()", "heard: tuple[str, ...] = stable(())")
    (world,) = explored(text, 2, FIRST, suspicions=1, taken_back=True, crashes=2, recoveries=1)
    ends = [world.found.states[number] for number in world.found.terminals]
    last = {
        tuple(word for word in p2.fields[2] if word in ("Down", "Up"))[-1:]
        for _, p1, p2 in ends
        if p1.crashed and not p2.crashed and p2.fields[1]
    }
    assert last == {("Down",)}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_suspicion_that_is_taken_back_some_day_makes_nobody_wait_for_ever(run: Run, engine: str) -> None:
    """A process that ticks as long as it suspects stops where its neighbour is alive, and ticks for ever where that is not taken back."""
    asked: dict[str, Any] = {"n": 2, "engine": engine}
    assert run(TICKS, detector="eventually_perfect:2", **asked).verdict == "HOLDS"
    assert run(TICKS, detector="unreliable:2", **asked).exit_code == 13


@pytest.mark.parametrize("engine", ["reference", "compiled", "sets"])
def test_every_engine_finds_the_same(run: Run, engine: str) -> None:
    """Nobody has been suspected; one of two is, with both words on the way to the other or only the second; or nothing waits any more."""
    text = TICKS.replace(
        "    @step\n    def tick(self):\n        self.require(self.suspects)\n        self.bit = not self.bit\n", ""
    )
    result = run(text, n=2, initiators="1", detector="eventually_perfect:1", engine=engine, symmetry=False)
    assert (result.verdict, result.states, result.terminal_states) == ("HOLDS", 1 + 2 * 2 + 1, 2)


@pytest.mark.parametrize(
    ("model", "asked", "why"),
    [
        (TICKS.replace("@receive(Up)", "@receive(Noise)"), {}, "no @receive\\(Up\\) step, so nobody would be told"),
        (TICKS, {"partitions": 1}, "has no meaning where the network splits"),
        (TICKS.replace("@receive(Down)", "@receive(Noise)"), {}, "it consults no failure detector"),
    ],
)
def test_a_detector_that_could_not_be_eventually_perfect_is_refused(
    run: Run, model: str, asked: dict[str, Any], why: str
) -> None:
    noise = "class Noise(Message):\n    pass\n"
    with pytest.raises(UsageError, match=why):
        run(noise + model, n=2, detector="eventually_perfect", **asked)


@pytest.mark.parametrize("detector", ["eventually", "eventually_perfect:0", "eventually_perfect:x", "perfect:1"])
def test_a_detector_that_there_is_not_is_refused(detector: str) -> None:
    with pytest.raises(UsageError, match=r"unreliable\[:K\] or eventually_perfect\[:K\]"):
        check("bully", n=2, detector=detector)


def test_what_an_eventually_perfect_detector_says_is_not_reduced_and_the_report_says_why(run: Run) -> None:
    assert "takes its suspicions back at any time" in str(
        run(TICKS, n=2, detector="eventually_perfect", reduce="order")
    )
