"""A counterexample is replayed before anyone sees it, and one that does not replay is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from modelcheck import Message, ReplayError, catalog, check
from modelcheck.check import findings
from modelcheck.check.result import Result
from modelcheck.pictures.diagram import diagram
from modelcheck.report.files import as_json
from modelcheck.runs import trace
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.system import Start, System, Transition
from modelcheck.semantics.worlds import Policy, World
from tests.conftest import explore_worlds

MODEL = """
class Note(Message):
    x: int
class Model(Process):
    topology = one_way_ring
    x: int = 0
    @step
    def go(self):
        self.require(self.x == 0)
        self.x = self.choose((1, 2))
        self.send(NEXT, Note(self.x))
    @receive(Note)
    def get(self, message):
        self.x = 3
@always
def never_three(view):
    return all(p.x != 3 for p in view.processes)
"""

Run = tuple[System, World, Start, list[Transition]]


@pytest.fixture
def a_run(write: Callable[..., str]) -> Run:
    """One of the deepest runs of the only world of two processes."""
    definition = catalog.find_model(write(MODEL)).definition
    (explored,) = explore_worlds(definition, 2, Policy(), Settings("fifo"))
    start, transitions = explored.found.path(explored.system, len(explored.found.states) - 1)
    assert len(transitions) == 4
    return explored.system, explored.world, start, transitions


def test_a_run_replays_to_its_last_state(a_run: Run) -> None:
    system, world, start, transitions = a_run
    last = trace.replay(system, world, start, transitions)
    assert transitions[-1].after is not None
    assert trace.values(last) == trace.values(transitions[-1].after)


def tampered(transitions: list[Transition]) -> list[tuple[str, list[Transition]]]:
    first = transitions[0]
    other = next(t for t in transitions if t.outcome.kind == "receive")
    assert other.outcome.received is not None
    port, _ = other.outcome.received

    def changed(k: int, **changes: object) -> list[Transition]:
        outcome = replace(transitions[k].outcome, **changes)
        return [*transitions[:k], replace(transitions[k], outcome=outcome), *transitions[k + 1 :]]

    place = transitions.index(other)
    return [
        ("a step left out", transitions[1:]),
        ("a step taken twice", [first, *transitions]),
        ("steps in the wrong order", transitions[::-1]),
        ("a step of another process", [replace(first, process=1 - first.process), *transitions[1:]]),
        ("a step that is none", changed(0, step="stop")),
        ("another message received", changed(place, received=(port, _note(other, 7)))),
        ("another choice", changed(0, choices=())),
        ("another state after it", [replace(first, after=transitions[1].after), *transitions[1:]]),
        ("a failure that is none", [replace(first, after=None), *transitions[1:]]),
    ]


def _note(transition: Transition, x: int) -> Message:
    assert transition.outcome.received is not None
    message = transition.outcome.received[1]
    assert message is not None
    return message.replace(x=x)


@pytest.mark.parametrize("number", range(9))
def test_a_tampered_counterexample_is_refused(a_run: Run, number: int) -> None:
    system, world, start, transitions = a_run
    what, wrong = tampered(transitions)[number]
    with pytest.raises(ReplayError, match="cannot be taken"):
        pytest.fail(f"{what} was accepted: {trace.replay(system, world, start, wrong)}")


def test_a_wrong_initial_state_is_refused(a_run: Run) -> None:
    system, world, start, transitions = a_run
    assert transitions[0].after is not None
    with pytest.raises(ReplayError, match="initial state"):
        trace.replay(system, world, replace(start, state=transitions[0].after), transitions[1:])


def test_a_run_of_another_world_is_refused(a_run: Run) -> None:
    system, world, start, transitions = a_run
    with pytest.raises(ReplayError):
        trace.replay(system, replace(world, identifiers=(2, 1)), start, transitions)


def test_a_violation_that_is_none_when_it_is_looked_at_again_is_an_error_of_the_checker(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the search had been wrong: nothing is said of the property, and the run ends with code 70."""
    monkeypatch.setattr(findings.trace, "confirm", lambda *_: None)
    with pytest.raises(ReplayError) as caught:
        run(MODEL, n=2)
    assert caught.value.exit_code == 70


def test_the_trace_shown_tells_each_step(run: Callable[..., Result]) -> None:
    """Two steps: p1 or p2 sends, the other one receives and becomes three."""
    found = run(MODEL, n=2).property("never_three").trace
    assert found is not None
    go, get = found.steps
    assert (go.step, go.changed, go.choices) == ("go", (("x", "0", "1"),), ("1",))
    assert (get.step, get.received, get.changed) == ("get", "Note(1)", (("x", "0", "3"),))
    assert (go.sent[0].target, get.source) == (get.process, go.process)


MINUTES = """
class Model(Process):
    topology = one_way_ring
    minutes: int = stable(0)
    mood: str = "calm"
    @step
    def note(self):
        self.require(self.minutes == 0)
        self.minutes, self.mood = 5, "busy"
    @recover
    def come_back(self):
        self.minutes = 1
@always
def never_one(view):
    return all(p.minutes != 1 for p in view.processes)
"""


def test_what_a_crash_takes_away_and_a_recovery_changes_is_shown(run: Callable[..., Result]) -> None:
    """The shortest run: crash, recover. What is stable stays visible while the process is down; the rest is gone."""
    found = run(MINUTES, n=1, crashes=1, recoveries=1).property("never_one").trace
    assert found is not None
    crash, back = found.steps
    assert crash.changed == (("mood", "calm", "None"),)
    (down,) = crash.state.processes
    assert (down.crashed, down.fields, down.values) == (True, (("minutes", "0"),), (0,))
    assert down.described == "crashed, minutes=0"
    assert back.changed == (("minutes", "0", "1"), ("mood", "None", "calm"))
    assert back.state.processes[0].described == "minutes=1, mood=calm"


def test_the_picture_and_the_file_of_a_run_show_them(run: Callable[..., Result]) -> None:
    found = run(MINUTES, n=1, crashes=1, recoveries=1).property("never_one").trace
    assert found is not None
    crash, back = as_json.run(found)["steps"]
    assert back["changed"][0] == {"field": "minutes", "before": "0", "after": "1"}
    assert crash["state"]["processes"][0]["fields"] == {"minutes": "0"}
    assert "minutes: 0 \u2192 1" in diagram(found)


@pytest.mark.parametrize(
    ("model", "shown"),
    [
        ("chang_roberts", ["leader", "awake"]),  # it decides by `leader` alone
        ("harmony_leader", ["leader", "status", "sent", "working"]),
    ],
)
def test_of_leader_and_status_a_state_shows_what_the_protocol_names(model: str, shown: list[str]) -> None:
    trace = check(model, ids=(2, 2)).property("at_most_one_leader").trace
    assert trace is not None
    assert [name for name, _ in trace.initial.processes[0].fields] == shown
