"""Causality: where every message of a run comes from, and which steps a violation follows from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import check
from modelcheck.check.result import Result
from modelcheck.runs.causality import Flight, clocks, concerned, events, flights, past, relevant
from modelcheck.runs.trace import Trace

RUNS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("chang_roberts", {"ids": "1,1,2"}),
    ("chang_roberts:StartUnguarded", {"n": 3}),
    ("chang_roberts", {"n": 3, "losses": 1, "property": "everyone_decides"}),
    ("chang_roberts", {"n": 3, "network": "set", "ids": "2,2,1"}),
    ("harmony_links", {"ids": "1,1"}),
    ("stages", {"n": 3, "duplications": 1}),
    ("stages", {"n": 2, "network": "bag", "duplications": 2}),
    ("bully", {"n": 3, "crashes": 1, "detector": "unreliable:1"}),
    ("bully:BelievesTheSmaller", {"n": 3, "crashes": 1, "recoveries": 1}),
    ("bully_partition:StopsWhenTold", {"n": 3, "partitions": 1}),
    ("bully_partition:SplitBrain", {"n": 2, "partitions": 1, "across": "held"}),
    ("itai_rodeh", {"n": 2, "schedule": "lockstep"}),
    ("harmony_leader", {"n": 2, "ids": "1,1"}),
    ("dolev_klawe_rodeh", {"n": 3, "ids": "1,1,1", "start": "simultaneous"}),
)


def runs() -> list[Trace]:
    found = []
    for model, options in RUNS:
        result = check(model, **options)
        found += [p.trace for p in result.properties if p.trace is not None]
    return found


@pytest.fixture(scope="module")
def traces() -> list[Trace]:
    found = runs()
    assert len(found) > len(RUNS) // 2
    return found


def test_every_reception_has_one_flight(traces: list[Trace]) -> None:
    """A step that received a message ends exactly one flight: of that message, to that process, over that port."""
    for trace in traces:
        received = Counter(
            (number, event.received, event.process, event.port)
            for number, event in enumerate(events(trace))
            if event.kind == "receive"
        )
        ended = Counter((e, f.message, f.target, f.port) for f in flights(trace) for e in f.received)
        assert ended == received


def test_every_message_that_is_sent_has_one_flight(traces: list[Trace]) -> None:
    for trace in traces:
        sent = Counter(
            (number, send.message, send.target)
            for number, event in enumerate(events(trace))
            for send in event.sent
            if not event.failure
        )
        assert Counter((f.sent, f.message, f.target) for f in flights(trace) if f.origin == "protocol") == sent


def test_what_is_in_flight_at_the_end_is_what_waits(traces: list[Trace]) -> None:
    for trace in traces:
        last = events(trace)[-1].state
        waits = Counter((w.message, p.process, w.port) for p in last.processes for w in p.waiting)
        flying = Counter((f.message, f.target, f.port) for f in flights(trace) if f.fate in ("waiting", "held"))
        again = Counter((f.message, f.target, f.port) for f in flights(trace) if f.fate == "received")
        assert flying <= waits  # what was received may wait on, where the network keeps messages or the step failed
        assert waits - flying <= again


def test_sending_comes_before_receiving(traces: list[Trace]) -> None:
    for trace in traces:
        known = clocks(trace)
        for flight in flights(trace):
            for event in flight.received:
                assert flight.sent < event
                assert all(a <= b for a, b in zip(known[flight.sent], known[event], strict=True))
                assert flight.sent in past(trace, event)


def test_the_past_of_a_step_is_closed_under_causes(traces: list[Trace]) -> None:
    """Whatever is in it brings its own past along; and the past of the first step is that step."""
    for trace in traces:
        assert past(trace, 0) == {0}
        for number in range(len(events(trace))):
            mine = past(trace, number)
            assert all(past(trace, earlier) <= mine for earlier in mine)


def test_duplicates_and_losses_are_told_apart(traces: list[Trace]) -> None:
    found: list[Flight] = [flight for trace in traces for flight in flights(trace)]
    assert {"received", "waiting", "lost"} <= {flight.fate for flight in found}
    assert {"protocol", "detector"} <= {flight.origin for flight in found}


def test_no_message_is_lost_without_a_fault(traces: list[Trace]) -> None:
    for trace in traces:
        if all(event.kind in ("initiate", "step", "receive") for event in events(trace)):
            assert {f.fate for f in flights(trace)} <= {"received", "waiting", "merged"}


def test_a_step_that_the_violation_does_not_follow_from_is_not_relevant() -> None:
    """Identifiers 1, 1, 2 in lock-step: p3 takes 1 for the leader, and what others do in the meantime does not matter."""
    options = {"ids": "1,1,2", "schedule": "lockstep"}
    trace = check("chang_roberts", **options).property("leader_is_the_maximum").trace  # type: ignore[arg-type]
    assert trace is not None
    idle = set(range(len(events(trace)))) - relevant(trace)
    assert idle
    receivers = {event for flight in flights(trace) if flight.sent in idle for event in flight.received}
    assert receivers <= idle


def test_whoever_sent_the_messages_that_a_violation_is_about_is_relevant() -> None:
    """Two Leader messages are on their way: both are part of what is wrong, not only the one that was sent last."""
    trace = check("chang_roberts", ids="2,2,1", network="set").property("one_leader_wave").trace
    assert trace is not None
    assert trace.reason == "2 Leader messages are on their way"
    waiting = [flight for flight in flights(trace) if flight.fate == "waiting" and flight.message == "Leader(2)"]
    assert len(waiting) == 2
    assert {flight.sent for flight in waiting} <= relevant(trace)


def test_the_processes_concerned_are_those_the_reason_names() -> None:
    trace = check("chang_roberts", ids="1,1").property("at_most_one_leader").trace
    assert trace is not None
    assert trace.reason == "p1 (id 1) and p2 (id 1) both lead"
    assert concerned(trace) == ("p1 (id 1)", "p2 (id 1)")


TALKER = """
class Alone(Process):
    topology = line
    done: bool = False

    @step
    def go(self):
        self.require(not self.done and self.id == max(self.everyone))
        self.done = True

    knows = ("everyone",)

@always
def nobody_is_done(view):
    names = {p: str(p) for p in view.processes}
    low, *_, high = view.processes
    return not high.done or because(REASON)
"""


@pytest.mark.parametrize(
    ("reason", "about"),
    [
        ('f"{high} is done, as p1 and p2 of the book"', ["p3 (id 3)"]),
        ('f"{low} and {high} differ"', ["p1 (id 1)", "p3 (id 3)"]),
        ('str(high).split()[0] + " is done"', ["p1 (id 1)", "p2 (id 2)", "p3 (id 3)"]),  # which it was is not seen
    ],
)
def test_a_reason_is_about_the_processes_that_it_names(
    reason: str, about: list[str], run: Callable[..., Result]
) -> None:
    found = run(TALKER.replace("REASON", reason), ids="1,2,3")
    trace = next(prop.trace for prop in found.properties if prop.verdict == "violated")
    assert trace is not None
    assert [*trace.about] == about
    assert concerned(trace) == trace.about
