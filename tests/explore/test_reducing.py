"""When nothing is reduced, and why; what a run that is reduced says, and what it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import Limits, UsageError, check
from modelcheck.check.result import Result
from modelcheck.semantics.components import Component
from tests.protocols import ONE_TOKEN

Run = Callable[..., Result]
Sees = Callable[[Component], object]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            {"network": "bag", "losses": 1},
            "on links of the kind bag a message that comes later can be received sooner, and there are faults",
        ),
        ({"network": "set"}, "on links of the kind set a message that comes later can be received sooner"),
        ({"schedule": "lockstep"}, "in lock-step a round is a step of all processes"),
        ({"partitions": 1}, "a split of the network concerns all processes"),
    ],
)
def test_it_says_why_it_reduces_nothing(options: dict[str, Any], why: str) -> None:
    found = check("chang_roberts", n=2, reduce="order", **options)
    assert found.reductions[0] == f"no partial order: {why}"
    assert not found.reduced


FIRST_COME = """
class Token(Message):
    pass

class Two(Process):
    topology = one_way_ring
    first: Id | None = shared(None)
    begun: bool = False

    @initiate
    def begin(self):
        self.require(not self.begun)
        self.begun = True
        self.send(NEXT, Token())

    @receive(Token)
    def take(self, message, port):
        self.first = self.first or self.id
"""


def test_steps_that_meet_in_a_shared_variable_are_taken_in_every_order(run: Run) -> None:
    """Each has a token to take, and the first to take one leaves its name: by messages alone the two could be taken in one order."""
    found = run(FIRST_COME, ids="1,2", start="simultaneous", check_reductions=True)
    assert found.sizes[0].terminal_states == 2
    assert found.reductions[0] == "no partial order: steps of different processes meet in the shared variables"


def test_while_a_fault_is_left_every_order_is_explored() -> None:
    """With one loss to come, a process that hears nothing may not wait for ever, nor go on: only after it states are fewer."""
    full, reduced = (check("chang_roberts", n=3, losses=1, reduce=reduce) for reduce in ("none", "order"))
    assert full.verdict == reduced.verdict
    assert check("chang_roberts", n=3, property="assertions", losses=1, reduce="order").reduced > 0


BLOCKED = """
class Token(Message):
    id: Id

class Ring(Process):
    topology = one_way_ring
    tolerates = ("crashes", "losses")
    specs = ()
    begun: bool = False
    got: bool = False

    @initiate
    def begin(self):
        self.require(not self.begun)
        self.begun = True
        self.send(NEXT, Token(self.id))

    @receive(Token)
    def take(self, message, port):
        self.require(message.id > self.id)
        self.got = True
"""


@pytest.mark.parametrize("fault", ["crashes", "losses"])
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_process_to_which_only_a_fault_can_come_is_not_explored_alone(run: Run, engine: Any, fault: str) -> None:
    """The second has a message that it will never take: a crash, or a loss, is all that can come to it, and need not."""
    found = run(BLOCKED, ids="1,2", start="simultaneous", engine=engine, check_reductions=True, **{fault: 1})
    assert found.reduction_check is not None
    assert not found.reduction_check.undone
    assert found.terminal_states > 1


def test_what_is_looked_at_in_every_state_is_refused(run: Run) -> None:
    text = ONE_TOKEN + "@eventually\ndef somebody_has_seen(view):\n    return any(p.seen for p in view.processes)\n"
    found = run(text, n=2, reduce="order")
    assert found.reductions[0] == "no partial order: an @eventually property is looked at in every state of every run"


@pytest.mark.parametrize(("model", "n"), [("chang_roberts", 1), ("itai_rodeh", 2)])
def test_where_no_world_could_be_reduced_it_is_said(model: str, n: int) -> None:
    """A process that sends to itself brings itself something to receive; and cycles are left to the full graph."""
    found = check(model, n=n, reduce="order")
    assert not found.reduced
    assert found.reductions[-1].startswith("no partial order: every world has a cycle, breaks a property, or has")


def test_numbers_that_a_reduction_changes_are_not_told() -> None:
    from modelcheck.report.files import as_json

    data = as_json.document(check("chang_roberts", n=3, reduce="order"))
    assert (data["depth"], data["unreduced"], data["sizes"][0]["depth"]) == (None, None, None)
    assert data["sizes"][0]["reduced"] == 2


def test_a_run_reduces_by_itself_what_would_not_fit() -> None:
    """24 worlds of 6,002 states together; the first is explored in full, and has fewer than others."""
    found = check("chang_roberts", n=5, limits=Limits(max_states=3_000))
    assert (found.verdict, found.worlds, found.reduced) == ("HOLDS", 24, 23)
    assert check("chang_roberts", n=5, limits=Limits(max_states=20_000)).reduced == 0
    assert check("chang_roberts", n=5, limits=Limits(max_states=3_000), reduce="none").verdict == "INCONCLUSIVE"


def test_the_shortest_run_against_a_property_is_the_same() -> None:
    traces = [check("chang_roberts", ids="1,1,2", reduce=reduce).properties for reduce in ("none", "order")]
    assert traces[0] == traces[1]


@pytest.mark.parametrize(
    "options",
    [
        {"reduce": "none", "check_reductions": True},
        {"check_symmetry": True, "check_reductions": True},
        {"check_symmetry": True, "reduce": "order"},
        {"reduce": "ordr"},
    ],
)
def test_what_makes_no_sense_together_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        check("chang_roberts", n=2, **options)


ATTEMPTS = """
class Token(Message):
    pass

class Ring(Process):
    topology = one_way_ring
    specs = ()
    begun: bool = False
    open: bool = False

    @step
    def begin(self):
        self.require(not self.begun)
        self.begun = True
        self.send(NEXT, Token())

    @step
    def unlock(self):
        self.require(self.begun and not self.open)
        self.open = True

    @receive(Token)
    def take(self, message, port):
        if not self.open:
            early = True
            self.require(not early)
"""


def test_an_attempt_that_comes_to_nothing_is_no_step(run: Run) -> None:
    """What waits before a process is open is tried in vain, and in how many states that is need not be known."""
    found = run(ATTEMPTS, n=3, ids="unique", check_reductions=True)
    assert found.reduction_check is not None
    assert found.reduced > 0
    assert all(found.steps.values())
