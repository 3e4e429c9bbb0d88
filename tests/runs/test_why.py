"""From a failure back to its roots: what is told is what the failure follows from, and each step names its direct causes."""

from __future__ import annotations

import re

import pytest

from modelcheck.report.words.why import explained, unneeded
from modelcheck.runs.causality import all_needed, ends, events, past, relevant
from modelcheck.runs.why import direct, why

from ..pictures.runs import VIOLATED, violation, walk


@pytest.mark.parametrize("name", VIOLATED)
def test_it_begins_with_the_failure_and_all_that_is_told_belongs_to_its_causal_past(name: str) -> None:
    trace = violation(name)
    told = why(trace)
    assert told[0].event == max(ends(trace))
    assert [one.event for one in told] == sorted({one.event for one in told}, reverse=True)
    assert {one.event for one in told} <= relevant(trace)
    for one in told:
        assert one.past <= past(trace, one.event)
        assert {cause.event for cause in one.causes} < one.past


@pytest.mark.parametrize("number", [0, 4, 5, 11, 16])
def test_without_shared_variables_and_splits_the_direct_causes_lead_to_the_whole_causal_past(number: int) -> None:
    trace = walk(number, 1)
    causes = direct(trace)
    for event in range(len(events(trace))):
        reached, waiting = {event}, [event]
        for here in waiting:
            for cause in causes[here]:
                if cause.event not in reached:
                    reached.add(cause.event)
                    waiting.append(cause.event)
        assert reached == past(trace, event)


def test_a_message_is_told_with_its_sender_and_its_step() -> None:
    """The run that loses a message: p1 wakes up, p2 and p3 pass greater identifiers on, and Election(3) is lost in step 4."""
    sentences = [one.sentence for one in explained(violation("a message is lost"))]
    assert sentences == [
        "Election(3) from p3 to p1 is lost, which may happen at any time once p3 sent Election(3) in step 3.",
        "p3 takes compare: awake becomes True, sends Election(3) to p1, because p2 sent Election(2) in step 2.",
        "p2 takes compare: awake becomes True, sends Election(2) to p3, because p1 sent Election(1) in step 1.",
        "p1 takes wake_up: awake becomes True, sends Election(1) to p2, and nothing before it led to that.",
    ]


def test_who_reads_a_shared_variable_follows_whoever_wrote_it() -> None:
    told = explained(violation("an assertion fails"))
    trace = violation("an assertion fails")
    wrote = [cause for one in why(trace) for cause in one.causes if cause.kind == "shared"]
    assert wrote
    for cause in wrote:
        assert cause.about in [name for name, _, _ in events(trace)[cause.event].changed]
    assert any(re.search(r"wrote \w+ in step \d", one.because) for one in told)


def test_steps_that_led_to_nothing_are_named() -> None:
    trace = walk(14, 1)
    assert not all_needed(trace)
    idle = {int(word) for word in re.findall(r"\d+", unneeded(trace))}
    assert idle == {k + 1 for k in range(len(trace.steps))} - {one.event + 1 for one in why(trace)}
    assert unneeded(violation("a message is lost")) == ""
