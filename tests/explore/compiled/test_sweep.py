"""Worlds that are handed to the kernel many at a time come to what each comes to by itself."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from modelcheck import Limits, StepError, check
from modelcheck.check import checker, search
from modelcheck.check.counting import MessagesResult, count_messages
from modelcheck.check.result import Result
from modelcheck.check.taken_again import Witness
from modelcheck.check.worker import Worker
from tests.explore.comparison import told
from tests.explore.random_protocols import RandomProtocol, examples, protocols

Run = Callable[..., Result]


@pytest.fixture
def swept(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Few worlds are many, and what remains over the last of them; notes how many of each fleet came to their end there."""
    found: list[int] = []
    by_kernel = Worker.sweep

    def sweep(*arguments: Any) -> Any:
        landed = by_kernel(*arguments)
        found.append(len(landed))
        return landed

    monkeypatch.setattr(search, "MANY", 2)
    monkeypatch.setattr(search, "SHARES", 1)
    monkeypatch.setattr(Worker, "sweep", sweep)
    return found


def alone(monkeypatch: pytest.MonkeyPatch, call: Callable[[], Any]) -> Any:
    with monkeypatch.context() as patch:
        patch.setattr(search, "MANY", 1 << 62)
        return call()


CASES: list[tuple[str, dict[str, Any], bool]] = [
    # the model, how it is run, whether some of its worlds come to their end in a fleet
    ("chang_roberts", {"n": 5}, True),
    ("chang_roberts", {"n": 5, "reduce": "order"}, True),
    ("chang_roberts", {"n": 5, "start": "simultaneous"}, True),
    ("chang_roberts", {"n": 4, "symmetry": False, "network": "bag"}, True),
    ("chang_roberts", {"n": 4, "initiators": "each"}, True),
    ("chang_roberts", {"n": 4, "ids": "any"}, False),  # their identifiers are not distinct, or properties fail
    ("chang_roberts", {"n": 5, "property": "termination"}, True),
    ("dolev_klawe_rodeh", {"n": 5}, True),
    ("itai_rodeh_async", {"n": 2}, False),
    ("hirschberg_sinclair", {"n": 4}, False),  # a property looks at where processes stand
    ("minmax", {"n": 5}, True),
    (
        "bully",
        {"n": 3, "symmetry": False},
        False,
    ),  # ports are in the order of identifiers: each world has a graph of its own
    ("spanning_tree", {"n": 4}, False),  # properties look at the root
    ("chang_roberts", {"n": 4, "losses": 1}, False),
    ("harmony_leader", {"n": 3, "symmetry": False}, False),
]


@pytest.mark.parametrize(
    ("model", "options", "some", "workers"),
    [
        pytest.param(*case, workers, marks=() if workers == 1 + k % 2 else pytest.mark.thorough)
        for k, case in enumerate(CASES)
        for workers in (1, 2)
    ],
)
def test_worlds_at_once_come_to_what_they_come_to_one_by_one(
    model: str, options: dict[str, Any], some: bool, workers: int, swept: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def call() -> Result:
        return check(model, engine="compiled", workers=workers, **options)

    one_by_one = alone(monkeypatch, call)
    assert not swept
    at_once = call()
    assert (sum(swept) > 0) == some
    assert {**told(at_once), "request": None} == {**told(one_by_one), "request": None}


ONE_BY_ONE = (
    "losses",
    "duplications",
    "crashes",
    "recoveries",
    "partitions",
    "heals",
    "across",
    "detector",
    "may_crash",
)
OTHERS = (*ONE_BY_ONE, "n", "root", "network", "ids", "symmetry", "initiators", "engine")
PLACES = ("in_transit", ".at(", "is_root", "is_initiator")  # words of a property that looks at more than identifiers


@settings(max_examples=examples(15, 200), suppress_health_check=[HealthCheck.filter_too_much])  # one in eight will do
@given(protocols(), st.sampled_from(["fifo", "bag"]), st.sampled_from(["none", "order"]))
def test_a_random_protocol_comes_to_the_same_in_a_fleet(protocol: RandomProtocol, network: str, reduce: str) -> None:
    """The same protocol one world after another and not reduced, and many worlds at once, reduced or not."""
    options = {name: value for name, value in protocol.options.items() if name not in OTHERS}
    assume('identifiers = "any"' in protocol.source and "shared(0)" not in protocol.source)  # else there is no fleet
    assume("mesh" not in protocol.source)  # there is none of three
    claims = re.findall(r"def (claim_\d)\(.*\n    return (.*)", protocol.source)
    blind = [name for name, claim in claims if not any(word in claim for word in PLACES)]
    options |= {"n": 3, "network": network, "ids": "unique", "symmetry": False, "property": blind or None}
    options |= {"workers": 1, "limits": Limits(max_states=4_000)}
    landed: list[int] = []
    by_kernel = Worker.sweep

    def sweep(*arguments: Any) -> Any:
        found = by_kernel(*arguments)
        landed.append(len(found))
        return found

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder) / "model.py"
        path.write_text(protocol.source)
        one_by_one = alone(patch, lambda: check(str(path), engine="compiled", reduce="none", **options))
        patch.setattr(search, "MANY", 2)
        patch.setattr(search, "SHARES", 1)
        patch.setattr(Worker, "sweep", sweep)
        patch.setattr(Witness, "wants", lambda *_: False)  # else it keeps states of every world of so few
        at_once = check(str(path), engine="compiled", reduce=reduce, **options)
    event("some landed" if any(landed) else "none landed")
    assert (at_once.error is None) == (one_by_one.error is None)
    if one_by_one.stopped or at_once.stopped or one_by_one.error:
        return
    assert at_once.verdict == one_by_one.verdict
    for one, other in zip(at_once.properties, one_by_one.properties, strict=True):
        assert (one.name, one.verdict, one.note) == (other.name, other.verdict, other.note)
        assert (one.trace and one.trace.length) == (other.trace and other.trace.length)
    assert [tally.terminal_states for tally in at_once.sizes] == [tally.terminal_states for tally in one_by_one.sizes]
    for n in at_once.messages.keys() & one_by_one.messages.keys():
        assert at_once.messages[n] == one_by_one.messages[n]
    if reduce == "none":
        assert (at_once.states, at_once.transitions) == (one_by_one.states, one_by_one.transitions)


@pytest.mark.parametrize("options", [{"n": 5, "start": "simultaneous"}, {"n": 4}, {"n": 4, "initiators": "each"}])
def test_messages_counted_at_once_are_those_counted_one_by_one(
    options: dict[str, Any], swept: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def call() -> MessagesResult:
        return count_messages("chang_roberts", engine="compiled", workers=1, **options)

    one_by_one, at_once = alone(monkeypatch, call), call()
    assert sum(swept) > 0
    for one, other in zip(at_once.counts, one_by_one.counts, strict=True):
        assert one.ranges == other.ranges
        assert [(e.amount, e.order) for e in one.extremes.values()] == [
            (e.amount, e.order) for e in other.extremes.values()
        ]
    assert [judged.agrees for judged in at_once.judged] == [judged.agrees for judged in one_by_one.judged]


@pytest.mark.parametrize("kind", ["always", "at_the_end", "every_step", "termination", "termination alone"])
def test_a_property_that_fails_is_found_in_a_fleet(
    kind: str, run: Run, swept: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fails in the worlds in which the greatest comes right after the least, and its run is the shortest."""
    claims = {
        "always": "@always\ndef claim(view): return not bad(view)",
        "at_the_end": "@at_the_end\ndef claim(view): return not bad(view)",
        "every_step": "@every_step\ndef claim(before, after): return bad(before) or not bad(after)",
        "termination": "",
        "termination alone": "",
    }
    if kind == "termination alone":  # no messages are counted in passing
        monkeypatch.setattr(checker, "AFFORDABLE", 0)
    text = (
        TOKENS
        + claims[kind]
        + """

def bad(view):
    low, *_, high = view.processes
    return high.seen == low.id
"""
    )

    def call() -> Result:
        return run(text, n=4, engine="compiled", workers=1, parameters={"ends": "termination" not in kind})

    one_by_one, at_once = alone(monkeypatch, call), call()
    assert sum(swept) > 0
    assert at_once.properties == one_by_one.properties
    assert at_once.verdict == "VIOLATED"


TOKENS = """
class Token(Message):
    id: Id

class Ring(Process):
    topology = one_way_ring
    knows = ("everyone",)
    ends = Parameter(True, "false: the greatest comes to no end where it sees the least")
    seen: Id | None = None
    begun: bool = False
    odd: bool = False

    @step
    def begin(self):
        self.require(not self.begun)
        self.begun = True
        self.send(NEXT, Token(self.id))

    @receive(Token)
    def see(self, message, port):
        self.seen = message.id

    @step
    def turn(self):
        self.require(not self.ends and self.id == max(self.everyone) and self.seen == min(self.everyone))
        self.odd = not self.odd

"""


@pytest.mark.parametrize("most", [1_000, 2_000, 3_333, 6_001, 6_002])
def test_a_limit_on_states_stops_at_the_same_state(
    most: int, swept: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def call() -> Result:
        return check("chang_roberts", n=5, engine="compiled", workers=1, reduce="none", limits=Limits(max_states=most))

    one_by_one, at_once = alone(monkeypatch, call), call()
    assert swept
    assert (at_once.states, at_once.worlds, at_once.stopped) == (
        one_by_one.states,
        one_by_one.worlds,
        one_by_one.stopped,
    )
    assert at_once.verdict == ("HOLDS" if most == 6_002 else "INCONCLUSIVE")


def test_a_step_that_breaks_a_rule_is_told_with_the_way_that_leads_there(run: Run, swept: list[int]) -> None:
    text = """
class Token(Message):
    pass

class Ring(Process):
    topology = one_way_ring
    count: int = 0

    @step
    def begin(self):
        self.require(self.count < 2)
        self.count += 1
        self.send(NEXT, Token())

    @receive(Token)
    def see(self, message, port):
        if self.count == 2:
            self.count = "two"
"""

    error = run(text, n=4, ids="unique", engine="compiled", workers=1).error
    assert isinstance(error, StepError)
    assert sum(swept) == 0
    assert len(error.trace) > 2  # the world, and the steps that lead there


def test_worlds_left_at_a_limit_are_explored_by_a_run_that_resumes(tmp_path: Any, swept: list[int]) -> None:
    options: dict[str, Any] = {
        "n": 5,
        "engine": "compiled",
        "workers": 1,
        "reduce": "none",
        "checkpoint": tmp_path / "kept.json",
    }
    assert check("chang_roberts", limits=Limits(max_states=3_000), **options).verdict == "INCONCLUSIVE"
    found = check("chang_roberts", resume=True, **options)
    assert sum(swept) > 0
    assert (found.verdict, found.states, found.worlds) == ("HOLDS", 6_002, 24)
