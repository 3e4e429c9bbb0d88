"""Least and greatest numbers of messages in single worlds: both engines, cycles, starts, faults."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given, settings

from modelcheck import Limits
from modelcheck.check.counting import MessagesResult, count_messages
from modelcheck.runs.trace import Trace
from tests.explore.random_protocols import RandomProtocol, examples, protocols
from tests.models.counting import message_counts

Write = Callable[..., str]


def told(result: MessagesResult) -> dict[str, Any]:
    """Everything that is counted, by value."""
    return {
        "verdict": result.verdict,
        "counts": [(count.n, count.names, count.ranges) for count in result.counts],
        "extremes": [
            {key: (extreme.amount, extreme.order, extreme.loop) for key, extreme in count.extremes.items()}
            for count in result.counts
        ],
        "traces": result.traces,
        "error": str(result.search.error).split("\n")[0],
    }


def both(model: str, limits: Limits | None = None, **options: Any) -> MessagesResult:
    """What both engines count. Raises AssertionError where they differ."""
    plain, fast = (
        count_messages(model, engine=engine, workers=1, limits=limits or Limits(), **options)  # type: ignore[arg-type]
        for engine in ("reference", "compiled")
    )
    one, other = told(plain), told(fast)
    for name in one:
        assert one[name] == other[name], f"the engines differ in {name}"
    return fast


def sent(trace: Trace) -> int:
    return sum(len(step.sent) for step in (*trace.starts, *trace.steps))


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("chang_roberts", {"n": (1, 2, 3, 4)}),
        ("chang_roberts", {"n": 4, "start": "simultaneous", "network": "bag"}),
        ("chang_roberts", {"n": 3, "losses": 1, "duplications": 1}),
        ("chang_roberts", {"n": 2, "network": "sticky"}),
        pytest.param("bully", {"n": 3, "crashes": 1, "recoveries": 1}, marks=pytest.mark.thorough),
        ("chang_roberts", {"n": 3, "partitions": 2, "heals": 1, "network": "bag"}),
        ("bully", {"n": 2, "partitions": 1, "heals": 1, "crashes": 1, "across": "held"}),
        ("itai_rodeh", {"n": 2, "partitions": 1}),
        ("stages", {"n": (1, 2, 3)}),
        ("itai_rodeh", {"n": 3}),
        ("spanning_tree", {"n": 3, "start": "simultaneous"}),
        ("harmony_leader", {"n": 3}),
        ("harmony_leader", {"ids": "1,1,2"}),
    ],
)
def test_both_engines_count_the_same(model: str, options: dict[str, Any]) -> None:
    both(model, **options)


@settings(max_examples=examples(10, 100))
@given(protocols())
def test_both_engines_count_the_same_in_random_protocols(protocol: RandomProtocol) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.py"
        path.write_text(protocol.source)
        result = both(str(path), Limits(max_states=1500), **protocol.options)
    for count in result.counts:
        greatest = count.over(0).greatest
        event("unbounded" if greatest == math.inf else "nothing sent" if greatest == 0 else "bounded")


@pytest.mark.parametrize("start", ["any", "simultaneous"])
@pytest.mark.parametrize(("model", "n"), [("chang_roberts", 4), ("stages", 2), ("dolev_klawe_rodeh", 4), ("bully", 3)])
def test_numbers_are_those_of_another_computation(model: str, n: int, start: Any) -> None:
    worlds = list(message_counts(model, n, start=start))
    found = count_messages(model, n=n, start=start).counts[0].over(0)
    weight = sum(world.weight for world, _, _ in worlds)
    assert found.least == min(least for _, least, _ in worlds)
    assert found.greatest == max(greatest for _, _, greatest in worlds)
    assert found.mean_least is not None
    assert found.mean_greatest is not None
    assert found.mean_least * weight == sum(world.weight * least for world, least, _ in worlds)
    assert found.mean_greatest * weight == sum(world.weight * greatest for world, _, greatest in worlds)


HEADER = """\
from typing import Literal
from modelcheck import *

class Note(Message):
    pass
"""


def counted(write: Write, text: str, **options: Any) -> MessagesResult:
    return both(write(text, header=HEADER), **{"n": 1, "graph": "line"} | options)


def test_a_cycle_that_sends_makes_the_greatest_number_unbounded_and_is_shown(write: Write) -> None:
    text = """
    class M(Process):
        topology = one_way_ring
        on: bool = False
        over: bool = False
        @step
        def flip(self):
            self.require(not self.over and not self.on)
            self.on = True
            self.send(NEXT, Note())
        @receive(Note)
        def flop(self, message):
            self.on = False
        @step
        def stop(self):
            self.require(not self.over)
            self.over = True
    """
    result = counted(write, text, graph="one_way_ring")
    found = result.counts[0].over(0)
    assert (found.least, found.greatest, found.mean_greatest) == (0, math.inf, None)
    shown = result.traces[1, "greatest"]
    assert shown.loop is not None
    assert [step.step for step in shown.steps[shown.loop :]] == ["flip", "flop"]


def test_a_step_that_sends_and_changes_nothing_can_be_taken_again_and_again(write: Write) -> None:
    text = """
    class M(Process):
        topology = one_way_ring
        networks = ("set",)
        done: bool = False
        @step
        def repeat(self):
            self.send(NEXT, Note())
        @receive(Note)
        def take(self, message):
            self.done = True
    """
    result = counted(write, text, graph="one_way_ring")
    assert result.counts[0].over(0).greatest == math.inf
    shown = result.traces[1, "greatest"]
    assert [step.step for step in shown.steps[shown.loop or 0 :]] == ["repeat"]


def test_a_message_to_oneself_that_is_sent_again_as_it_is_received_changes_nothing(write: Write) -> None:
    text = """
    class M(Process):
        topology = one_way_ring
        sent: bool = False
        @initiate
        def begin(self):
            self.require(not self.sent)
            self.sent = True
            self.send(NEXT, Note())
        @receive(Note)
        def again(self, message):
            self.send(NEXT, Note())
    """
    result = counted(write, text, n=1)
    assert result.counts[0].over(0).greatest == math.inf
    shown = result.traces[1, "greatest"]
    assert [step.step for step in shown.steps[shown.loop or 0 :]] == ["again"]


def test_a_cycle_that_sends_nothing_bounds_nothing_away(write: Write) -> None:
    text = """
    class M(Process):
        topology = one_way_ring
        on: bool = False
        left: int = 2
        over: bool = False
        @step
        def flip(self):
            self.require(not self.over)
            self.on = not self.on
        @step
        def send_one(self):
            self.require(self.left > 0 and self.on and not self.over)
            self.left -= 1
            self.send(NEXT, Note())
        @receive(Note)
        def take(self, message): pass
        @step
        def stop(self):
            self.require(not self.over)
            self.over = True
    """
    result = counted(write, text, graph="one_way_ring")
    found = result.counts[0].over(0)
    assert (found.least, found.greatest) == (0, 2)
    assert (sent(result.traces[1, "least"]), sent(result.traces[1, "greatest"])) == (0, 2)


def test_where_no_run_ends_that_is_said(write: Write) -> None:
    text = """
    class M(Process):
        topology = one_way_ring
        on: bool = False
        first: bool = True
        @step
        def flip(self):
            self.on = not self.on
            if self.first:
                self.first = False
                self.send(NEXT, Note())
        @receive(Note)
        def take(self, message): pass
    """
    result = counted(write, text, graph="one_way_ring")
    found = result.counts[0].over(0)
    assert (found.least, found.mean_least, found.greatest) == (math.inf, None, 1)
    assert sent(result.traces[1, "greatest"]) == 1


def test_starting_steps_send_too_and_the_choice_among_them_matters(write: Write) -> None:
    text = """
    class M(Process):
        topology = one_way_ring
        networks = ("set",)
        awake: bool = False
        @initiate
        def wake_up(self):
            self.require(not self.awake)
            self.awake = True
            for _ in range(self.choose((1, 2, 3))):
                self.send(NEXT, Note())
        @receive(Note)
        def take(self, message): pass
    """
    result = counted(write, text, graph="one_way_ring", n=2, start="simultaneous")
    found = result.counts[0].over(0)  # equal messages merge: all starts are the same state
    assert (found.least, found.greatest) == (2, 6)
    assert (sent(result.traces[2, "least"]), sent(result.traces[2, "greatest"])) == (2, 6)


def test_what_the_detector_says_and_duplicates_are_not_sent() -> None:
    plain = count_messages("chang_roberts", n=3, start="simultaneous").counts[0].over(0)
    doubled = count_messages("chang_roberts", n=3, start="simultaneous", duplications=1).counts[0].over(0)
    assert doubled.least <= plain.least
    crashed = count_messages("bully", n=2, crashes=1)
    assert "Down" not in crashed.counts[0].names


def test_what_a_split_tells_the_processes_is_not_sent_and_what_is_lost_over_a_cut_is() -> None:
    # p1 is told of the split and takes over, p2 leads on: at most p1's one Coordinator is sent, over the cut.
    found = count_messages("bully_partition:SplitBrain", n=2, partitions=1).counts[0].over(0)
    assert (found.least, found.greatest) == (0, 1)


def test_large_worlds_are_counted_column_by_column_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    from modelcheck.count import compiled

    whole = told(both("bully", n=3, crashes=1))
    monkeypatch.setattr(compiled, "TOGETHER", 1)
    monkeypatch.setattr(compiled, "SLICE", 7)
    assert told(both("bully", n=3, crashes=1)) == whole
