"""What happens next? The questions, and what is said to the answers, against the engine that defines what is correct."""

from __future__ import annotations

import random
from typing import Any

import pytest

from modelcheck.errors import UsageError
from modelcheck.explore import reference
from modelcheck.explore.exploration import PlainExploration
from modelcheck.explore.limits import Limits, Meter
from modelcheck.predict import effects, ending, possible
from modelcheck.runs.trace import snapshot, steps_of
from modelcheck.web import paths
from modelcheck.web.subject import subject_of

from ..conftest import Silent, Write

SYSTEMS: list[tuple[str, dict[str, Any]]] = [
    ("chang_roberts", {"n": 3}),
    ("bully", {"n": 3, "crashes": 1}),
    ("mega_merger", {"n": 3}),
    ("itai_rodeh", {"n": 3}),
    ("harmony_leader", {"n": 2}),
    ("bully_partition", {"n": 2, "partitions": 1}),
    ("chang_roberts", {"n": 3, "network": "bag", "losses": 1}),
]


def found_by(process: str, step: str, received: str) -> str:
    return f"{process}  {step}" + (f"  {received}" if received else "")


@pytest.mark.parametrize(("model", "options"), SYSTEMS)
def test_what_is_called_possible_is_what_the_engine_does(model: str, options: dict[str, Any]) -> None:
    """Along random runs: a step is possible where a transition of it changes the state, and where it is not, why is said. What
    a process is afterwards is right where it is said of all variables as the trace has them, and wrong where one is otherwise."""
    subject = subject_of(model, **options)
    run, system, dice = paths.read(subject, ""), subject.system, random.Random(1)
    state = run.state
    for _ in range(25):
        moves = [t for t in system.successors(run.world, state) if t.after != state]
        own = [
            (steps_of(system, run.world, state, t)[0], t)
            for t in moves
            if not t.outcome.is_fault and t.outcome.received is None
        ]
        names = {found_by(step.process, step.step, "") for step, _ in own}
        offered = possible.candidates(system, run.world, state)
        spontaneous = [one for one in offered if not one.received]
        assert {str(one) for one in spontaneous if one.possible} <= names
        assert not {str(one) for one in spontaneous if not one.possible} & names
        assert all(bool(one.why) != one.possible for one in offered)
        assert any(one.possible for one in offered) == any(not t.outcome.is_fault for t in moves)
        if not moves or (taken := dice.choice(moves)).after is None:
            return
        if not taken.outcome.is_fault:
            (step,) = steps_of(system, run.world, state, taken)
            before = snapshot(system, run.world, state)
            said = effects.variables(before, step) | {name: after for name, _, after in step.changed}
            sent = "; ".join(f"{send.message} to {send.target}".split(" (id")[0] for send in step.sent)
            assert all(one.right for one in effects.judged(before, step, said, sent)), (step, sent)
            other = dict.fromkeys(said, "never so")
            assert not any(one.right for one in effects.judged(before, step, other, "Nonsense(1) to p1"))
        state = taken.after


def why(model: str, taken: tuple[str, ...], **options: Any) -> dict[str, str]:
    """What is said of the steps that are not possible, after steps of these processes and names."""
    subject = subject_of(model, **options)
    run = paths.read(subject, "")
    state = run.state
    for name in taken:
        state = next(
            t.after
            for t in subject.system.successors(run.world, state)
            if f"p{t.process + 1} {t.outcome.step}" == name and t.after is not None
        )
    return {str(one): one.why for one in possible.candidates(subject.system, run.world, state) if not one.possible}


def test_a_step_that_is_not_possible_is_said_to_be_hindered_by_what_hinders_it() -> None:
    awake = why("chang_roberts", ("p1 wake_up",), n=3)
    line = awake["p1 (id 1)  wake_up"]
    assert line.startswith("its guard does not hold: chang_roberts.py:")
    assert line.endswith("self.require(not self.awake)")
    assert "no Election waits for p1" in awake.values()
    queue = why("mega_merger", ("p2 start", "p1 take"), n=3)
    assert [reason for step, reason in queue.items() if "Initiate(" in step] == [
        "it waits behind Connect(0): what was sent first comes first"
    ]
    assert "p2 has crashed" in why("bully", ("p2 crash",), n=3, crashes=1).values()
    asleep = why("chang_roberts", (), n=3, initiators=[1])
    assert asleep["p2 (id 2)  wake_up"] == "p2 is no initiator"


@pytest.mark.parametrize(
    ("model", "ids", "truth"),
    [
        ("chang_roberts", (2, 3, 1), "p2"),  # the largest wins: Chang and Roberts 1979
        ("itai_rodeh", None, "it depends"),  # on the draws: Itai and Rodeh 1990
        ("harmony_leader", (1, 2), "p2"),  # messages are added atomically: Harmony's book, chapter 25
    ],
)
def test_who_leads_in_the_end_is_what_all_runs_come_to(model: str, ids: tuple[int, ...] | None, truth: str) -> None:
    """As many states as the reference engine finds; each run that is shown leads to the end that it is shown for."""
    subject = subject_of(model, n=len(ids or "123"), **({"ids": ids} if ids else {}))
    run = paths.read(subject, "")
    found = ending.endings(subject.system, run.world, run.state, Meter(Limits()))
    everything = PlainExploration(run.world)
    reference.explore(subject.fresh_system(), everything, Silent(), Meter(Limits()))
    assert (found.truth, found.complete, found.states) == (truth, True, len(everything.states))
    for who, way in found.leaders.items():
        ended = paths.read(subject, paths.continued(subject, run, way))
        assert ending._leading(subject.system, run.world, ended.state) == who
    assert not ending.endings(subject.system, run.world, run.state, Meter(Limits(max_states=5))).complete


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("Election(3) to p2", [("election(3)", "p2")]),
        ("sends Election( 3 ) to 2", [("election(3)", "p2")]),
        ("Token(1, 2), Up() to p1; Id(4) to p2 and p3", [("id(4)", "p2"), ("id(4)", "p3"), ("token(1,2)", "p1"), ("up()", "p1")]),
        ("nothing", []),
        ("Election(3)", [("election(3)", "")]),
    ],
)  # fmt: skip
def test_what_is_sent_may_be_said_as_people_write_it(text: str, pairs: list[tuple[str, str]]) -> None:
    assert effects._said(text) == pairs


def test_what_changes_is_said_by_name() -> None:
    known = {"leader": "None", "seen": "{}"}
    assert effects.parsed("leader=3; seen={1, 2}", known) == {"leader": "3", "seen": "{1, 2}"}
    assert effects.parsed("nothing", known) == {}
    with pytest.raises(UsageError, match="did you mean leader"):
        effects.parsed("leeder=3", known)
    with pytest.raises(UsageError, match="NAME=VALUE"):
        effects.parsed("leader", known)


@pytest.mark.parametrize(
    ("mood", "seen", "right"),
    [("LOUD", "{(1, 2), (0, 1)}", (True, True)), ("loud", "{ (0,1),(1,2) }", (False, True)), ("LOUD", "{(0, 1), (2, 1)}", (True, False))],
)  # fmt: skip
def test_sets_are_said_in_any_order_and_capital_letters_are_a_change(
    write: Write, mood: str, seen: str, right: tuple[bool, bool]
) -> None:
    """A field whose value changes in its capital letters alone is not said to stay as it is."""
    subject = subject_of(write(SHOUTS), n=1)
    run, system = paths.read(subject, ""), subject.system
    [taken] = system.successors(run.world, run.state)
    (step,) = steps_of(system, run.world, run.state, taken)
    found = effects.judged(snapshot(system, run.world, run.state), step, {"mood": mood, "seen": seen}, "nothing")
    assert [(one.about, one.right) for one in found] == [("mood", right[0]), ("seen", right[1]), ("", True)]


SHOUTS = """
class Shouts(Process):
    topology = complete
    mood: Literal["loud", "LOUD"] = "loud"
    seen: frozenset[tuple[int, int]] = frozenset()

    @step
    def shout(self):
        self.require(not self.seen)
        self.mood, self.seen = "LOUD", frozenset({(0, 1), (1, 2)})
"""
