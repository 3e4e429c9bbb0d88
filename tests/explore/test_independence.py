"""Steps of one process that can change places: what the reduction must not change is the same in the full graph; a wrong independence is noticed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from modelcheck import Limits, ReductionError, check
from modelcheck.check.request import read_request
from modelcheck.check.result import Result
from modelcheck.explore import independence, reference, stubborn
from modelcheck.explore.compiled import choosing
from modelcheck.explore.exploration import PlainExploration
from modelcheck.explore.independence import Behaviour, Behaviours
from modelcheck.explore.limits import Meter
from modelcheck.semantics.components import Component
from modelcheck.semantics.system import Outcome, System, Transition
from modelcheck.semantics.worlds import World
from tests.explore.comparison import both
from tests.explore.random_protocols import RandomProtocol, examples, protocols

Run = Callable[..., Result]

# Small worlds in which the reduction finds something to leave out: links in any order, and processes that hear from several others.
SMALL: list[tuple[str, dict[str, Any]]] = [
    ("chang_roberts", {"n": 4, "network": "bag"}),
    ("as_far", {"n": 3, "network": "bag"}),
    ("minmax", {"n": 3, "network": "bag"}),
    ("as_far_bidirectional", {"n": 3}),
    ("tree_elect_min", {"n": 3}),
    ("flooding", {"n": 4}),
    ("bully", {"n": 3}),
]
EACH = pytest.mark.parametrize(("model", "options"), [pytest.param(name, options, id=name) for name, options in SMALL])


class Sees:
    """Properties that look at some fields."""

    generation = 0

    def __init__(self, fields: list[int]) -> None:
        self._fields = fields

    def shows(self, before: Component, outcome: Outcome) -> bool:
        return self.of(before) != self.of(outcome.component)

    def of(self, component: Component) -> tuple[Any, ...]:
        return tuple(component.fields[field] for field in self._fields)


class Graph:
    """A world explored in full or with the reduction, and what of it must be the same."""

    def __init__(self, system: System, world: World, sees: Sees, *, reduced: bool) -> None:
        known = Behaviours(system).independence(world) if reduced else None
        self.found = found = PlainExploration(world, reduced=reduced, independence=known)
        self.local: set[Any] = set()
        self.changes: set[Any] = set()
        self._sees = sees
        chooses = stubborn.StubbornWithin(system, known, sees) if known is not None else None
        reference.explore(system, found, self, Meter(Limits(max_states=20_000)), stubborn=chooses)
        assert found.complete
        self.cyclic = found.has_cycle()
        self.ends = {found.states[number] for number in found.terminals}

    def on_state(self, *_: object) -> None: ...
    def on_terminal(self, *_: object) -> None: ...
    def on_failure(self, *_: object) -> None: ...

    def on_step(self, source: int, before: Any, transition: Transition) -> None:
        process, outcome, after = transition.process, transition.outcome, transition.after
        assert after is not None
        if after != before:
            self.local.add((process, outcome.label()))
        looks = tuple(tuple(map(self._sees.of, state[1:])) for state in (before, after))
        if looks[0] != looks[1]:
            self.changes.add(looks)


@pytest.mark.parametrize("looks", [False, True])
@EACH
def test_what_runs_come_to_is_the_same(model: str, options: dict[str, Any], looks: bool) -> None:
    """Ends, cycles, which steps each process takes, and what is seen of it on the way; with fewer states."""
    request = read_request(model, **options)
    system = System(request.model.definition, request.settings)
    names = [field.name for field in system.definition.fields]
    sees = Sees([names.index(name) for name in ("leader", "status") if looks and name in names])
    many = few = 0
    for world in (world for _, families in request.worlds() for worlds in families for world in worlds):
        full, reduced = (Graph(system, world, sees, reduced=reduced) for reduced in (False, True))
        assert (reduced.cyclic, reduced.ends) == (full.cyclic, full.ends), world
        assert (reduced.local, reduced.changes) == (full.local, full.changes), world
        many, few = many + len(full.found.states), few + len(reduced.found.states)
    assert few < many


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@EACH
def test_a_check_comes_to_the_same(model: str, options: dict[str, Any], engine: Any) -> None:
    found = check(model, engine=engine, check_reductions=True, **options)
    assert found.reduction_check is not None
    assert not found.reduction_check.undone
    assert found.sizes[0].within == found.reduced > 0
    assert "those of one process as well" in found.reductions


@EACH
def test_both_engines_leave_the_same_states(model: str, options: dict[str, Any]) -> None:
    both(model, reduce="order", limits=Limits(max_states=2_000), **options)


@pytest.mark.parametrize(
    ("model", "options", "full", "reduced"),
    [  # measured by an independent program, in the first of the worlds, or in the first and another
        ("tree_elect_min", {"n": 6}, 6_674, 191),
        ("bully", {"n": 4}, 1_847, 144),
    ],
)
def test_it_leaves_as_many_states_as_an_independent_program_found(
    model: str, options: dict[str, Any], full: int, reduced: int
) -> None:
    request = read_request(model, **options)
    system = System(request.model.definition, request.settings)
    world = next(world for _, families in request.worlds() for worlds in families for world in worlds)
    graphs = (Graph(system, world, Sees([]), reduced=reduced) for reduced in (False, True))
    assert [len(graph.found.states) for graph in graphs] == [full, reduced]


@settings(max_examples=examples(8))
@given(protocols(), st.sampled_from(["bag", "fifo"]))
def test_a_random_protocol_comes_to_the_same(protocol: RandomProtocol, network: str) -> None:
    faults = (
        "losses",
        "duplications",
        "crashes",
        "may_crash",
        "recoveries",
        "partitions",
        "heals",
        "across",
        "detector",
        "engine",
    )
    options = {name: value for name, value in protocol.options.items() if name not in faults} | {"network": network}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.py"
        path.write_text(protocol.source)
        found = check(str(path), check_reductions=True, engine="reference", limits=Limits(max_states=2_000), **options)
    event("within processes" if found.sizes and found.sizes[0].within else "not")


# --- the definition --------------------------------------------------------------------------------------------------

TWO_PARTS = """
class Left(Message):
    pass

class Right(Message):
    pass

class Pair(Process):
    topology = one_way_ring
    specs = ()
    begun: bool = False
    left: int = 0
    right: int = 0

    @initiate
    def begin(self):
        self.require(not self.begun)
        self.begun = True
        self.send(NEXT, Left())
        self.send(NEXT, Right())

    @receive(Left)
    def take_left(self, message, port):
        self.left = 1

    @receive(Right)
    def take_right(self, message, port):
        self.right = {right}
"""


def states(run: Run, text: str, reduce: str) -> int:
    return run(text, ids="1,2", initiators="1", network="bag", reduce=reduce).states


def test_messages_that_do_not_meet_are_received_in_one_order(run: Run) -> None:
    """Begun or not; then of two messages none, either or both have come: 5 states. In one order there are 4."""
    text = TWO_PARTS.replace("{right}", "1")
    assert (states(run, text, "none"), states(run, text, "order")) == (5, 4)  # by hand


def test_messages_that_meet_are_received_in_both_orders(run: Run) -> None:
    """Which comes first shows in the end: two ends, and 6 states."""
    text = TWO_PARTS.replace("{right}", "self.left + 5")
    assert (states(run, text, "none"), states(run, text, "order")) == (6, 6)  # by hand


LATER = """
class Left(Message):
    pass

class Right(Message):
    pass

class Ready(Message):
    pass

class Pair(Process):
    topology = one_way_ring
    begun: bool = False
    got: int = 0
    done: bool = False

    @initiate
    def begin(self):
        self.require(not self.begun)
        self.begun = True
        self.send(NEXT, Left())
        self.send(NEXT, Right())

    @receive(Left)
    def take_left(self, message, port):
        self.take()

    @receive(Right)
    def take_right(self, message, port):
        self.take()
        self.send(NEXT, Ready())

    @receive(Ready)
    def end(self, message, port):
        self.done = True

    def take(self):
        self.got = min(2, self.got + 1)
        self.done = self.got == 2

@always
def the_one_that_began_is_not_done_first(view):
    low, high = view.processes
    return low.done or not high.done
"""
BY_THE_SECOND: dict[str, Any] = {"ids": "1,2", "initiators": "2", "network": "bag"}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_step_that_shows_only_after_another_meets_that(run: Run, engine: Any) -> None:
    """The two messages change places, but whichever comes second is seen. Where it is the first of the two, what it causes can come before."""
    found = run(LATER, check_reductions=True, engine=engine, **BY_THE_SECOND)
    assert found.verdict == "VIOLATED"
    trace = found.property("the_one_that_began_is_not_done_first").trace
    assert trace is not None
    assert trace.length == 3  # begin, take_right, end


def test_a_step_that_would_show_later_and_is_not_kept_is_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = independence.Seen.__init__

    def forgetful(self: Any, process: Any, shows: Any) -> None:
        plain(self, process, shows)
        width = len(process.lanes)
        self.meets = [independence.split(row, width, len(process.event)) for row in process.meets]

    monkeypatch.setattr(independence.Seen, "__init__", forgetful)
    with pytest.raises(ReductionError):
        run(LATER, check_reductions=True, engine="reference", **BY_THE_SECOND)


# --- a wrong one is noticed ------------------------------------------------------------------------------------------


def test_an_independence_that_there_is_not_is_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two orders with two ends one is lost."""
    monkeypatch.setattr(Behaviour, "meets", lambda *_: False)
    text = TWO_PARTS.replace("{right}", "self.left + 5")
    with pytest.raises(ReductionError, match="terminal states"):
        run(text, ids="1,2", initiators="1", network="bag", engine="reference", check_reductions=True)


def test_a_sender_that_is_forgotten_is_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What may yet come, and meets what is there, is taken for what never comes."""
    monkeypatch.setattr(stubborn.Now, "brings", lambda *_: 0)
    text = TWO_PARTS.replace("{right}", "self.left + 5").replace("        self.send(NEXT, Right())\n", SENT_LATER)
    with pytest.raises(ReductionError, match="terminal states"):
        run(text, ids="1,2", initiators="2", network="bag", engine="reference", check_reductions=True)


SENT_LATER = """
    @step
    def go_on(self):
        self.require(self.begun and self.right == 0 and self.left == 0)
        self.left = 3
        self.send(NEXT, Right())
"""


# --- where it is not done --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", ["MOST_FIELDS", "MOST_STEPS"])
def test_where_there_is_too_much_to_look_through_it_is_said(monkeypatch: pytest.MonkeyPatch, most: str) -> None:
    """Then links in any order leave nothing to reduce; where they keep the order it is left at whole processes."""
    monkeypatch.setattr(independence, most, 5)
    found = check("chang_roberts", n=3, network="bag", reduce="order")
    assert not found.reduced
    assert found.reductions[-1].endswith("or can do too much to look through")
    found = check("flooding", n=4, reduce="order")
    assert found.reduced
    assert not any(tally.within for tally in found.sizes)


def test_a_model_error_in_what_never_happens_is_none(run: Run) -> None:
    """Nobody who has begun gets a message twice, but as if any could come at any time it may: what would be wrong then is no fault."""
    text = TWO_PARTS.replace("self.left = 1", "self.left = [1, object()][self.left]")
    text = text.replace("{right}", "1")
    found = run(text, ids="1,2", initiators="1", network="bag", reduce="order")
    assert found.verdict == "HOLDS"
    assert not found.reduced


def test_lines_that_only_another_order_comes_to_are_not_said_never_to_run(run: Run) -> None:
    """Which message comes first is no matter, but a line runs in one order alone. In no order is the step `late` taken, though it is
    in what is looked through."""
    text = TWO_PARTS.replace("self.left = 1", "self.left = 1 if self.right else\\\n            1")
    text = (
        text.replace("{right}", "1")
        + """
    @step
    def late(self):
        self.require(self.left == 2)
        self.left = 3
"""
    )
    found = run(text, ids="1,2", initiators="1", network="bag", reduce="order")
    assert found.reduced == 1
    assert found.never_ran == ()
    assert found.steps == {"begin": True, "take_left": True, "take_right": True, "late": False}


def test_both_engines_have_room_for_as_many_outcomes() -> None:
    assert (choosing.MOST, choosing.EVERYONE) == (stubborn.MOST, stubborn.EVERYTHING)
