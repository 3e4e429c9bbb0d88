"""Partial-order reduction: what it must not change is the same in the full graph, in every model; and a wrong one is noticed."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from modelcheck import Limits, ReductionError, check
from modelcheck.catalog import model_files
from modelcheck.check.counting import count_messages
from modelcheck.check.request import read_request
from modelcheck.check.result import Result
from modelcheck.explore import reference, stubborn
from modelcheck.explore.exploration import PlainExploration
from modelcheck.explore.limits import Meter
from modelcheck.semantics.components import Component
from modelcheck.semantics.system import Outcome, System, Transition
from modelcheck.semantics.worlds import World
from tests.explore.comparison import both
from tests.explore.compiled.test_engine import sizes
from tests.explore.random_protocols import RandomProtocol, examples, protocols
from tests.protocols import ONE_TOKEN

Run = Callable[..., Result]
Sees = Callable[[Component], object]


# --- the definition --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("needs", "closed"),
    [
        ([0, 0, 0], 0b001),  # nobody can bring it anything
        ([0b100, 0, 0b010], 0b111),  # around a ring of three
        ([0b100, 0, 0b100], 0b101),
        ([0b010, 0b001, 0b001], 0b011),
    ],
)
def test_a_closed_set_contains_whoever_may_bring_its_members_something(needs: list[int], closed: int) -> None:
    assert stubborn.closure(0, needs) == closed


def test_what_meets_nothing_is_explored_in_one_order(run: Run) -> None:
    """Of two processes none has begun, one of the two has, or both; then of two tokens none, one of the two, or both have come: and where
    one has begun its token may come before the other begins, with the same end. Which of two tokens comes first does not matter."""
    full = run(ONE_TOKEN, n=2, ids="1,2", reduce="none")
    reduced = run(ONE_TOKEN, n=2, ids="1,2", reduce="order")
    assert (full.states, full.terminal_states) == (7, 1)  # by hand
    assert (reduced.states, reduced.terminal_states) == (6, 1)


# --- what must be the same -------------------------------------------------------------------------------------------


class Graph:
    """A world explored with or without reduction, and what of it must be the same."""

    def __init__(self, system: System, world: World, sees: Sees, *, reduced: bool) -> None:
        self.found = found = PlainExploration(world, reduced=reduced)
        self.taken: list[tuple[int, Transition, bool]] = []
        self.failures: set[Any] = set()
        shows = lambda before, outcome: sees(outcome.component) != sees(before)  # noqa: E731
        chooses = stubborn.Stubborn(system, world, shows) if reduced else None
        reference.explore(system, found, self, Meter(Limits(max_states=20_000)), stubborn=chooses)
        self.cyclic = found.complete and found.has_cycle()
        self.ends = {found.states[number] for number in found.terminals}
        self.local = {
            (
                t.process,
                t.outcome.label(),
                own(found.states[source][t.process + 1]),
                own(t.outcome.component),
                t.outcome.sends,
            )
            for source, t, _ in self.taken
        }
        looks = [tuple(map(sees, state[1:])) for state in found.states]
        targets = iter(found.targets)
        self.seen = {(looks[source], looks[target]) for (source, _, _), target in zip(self.taken, targets, strict=True)}
        self.seen = {(before, after) for before, after in self.seen if before != after}

    def extremes(self) -> dict[Any, tuple[int, int]]:
        """The least and the greatest number of steps of a run to its end, and of messages of each type: over all runs, by going from
        the ends backwards."""
        steps: dict[int, list[tuple[int, Outcome]]] = defaultdict(list)
        for (source, t, changes), target in zip(self.taken, self.found.targets, strict=True):
            if changes:
                steps[source].append((target, t.outcome))
        kinds = {type(message) for _, t, _ in self.taken for _, message in t.outcome.sends}
        found = {}
        for kind in (None, *sorted(kinds, key=str)):
            known: dict[int, tuple[int, int]] = {}
            for number in self._backwards(steps):
                ways = [
                    (known[target][0] + cost(outcome, kind), known[target][1] + cost(outcome, kind))
                    for target, outcome in steps[number]
                ]
                known[number] = (min(low for low, _ in ways), max(high for _, high in ways)) if ways else (0, 0)
            found[kind] = known[0]
        return found

    def _backwards(self, steps: dict[int, list[tuple[int, Outcome]]]) -> Iterator[int]:
        met: set[int] = set()
        stack = [(0, iter(steps[0]))]
        while stack:
            number, left = stack[-1]
            onwards = next(left, None)
            if onwards is None:
                stack.pop()
                yield number
            elif onwards[0] not in met:
                met.add(onwards[0])
                stack.append((onwards[0], iter(steps[onwards[0]])))

    def on_state(self, *_: object) -> None: ...
    def on_terminal(self, *_: object) -> None: ...

    def on_step(self, source: int, before: Any, transition: Transition) -> None:
        self.taken.append((source, transition, transition.after != before))

    def on_failure(self, source: int, transition: Transition) -> None:
        assert transition.outcome.failure is not None
        self.failures.add((transition.process, transition.outcome.failure.sentence))


def own(component: Component) -> Any:
    """What a step reads and writes of its process."""
    return component.fields


def cost(outcome: Outcome, kind: Any) -> int:
    return 1 if kind is None else sum(type(message) is kind for _, message in outcome.sends)


def compared(model: str, sees_some: bool, **options: Any) -> tuple[int, int]:
    """Compares each world's graphs; returns how many states the full ones have, and the reduced ones."""
    request = read_request(model, **options)
    system = System(request.model.definition, request.settings)
    names = [field.name for field in system.definition.fields]
    some = [names.index(name) for name in ("leader", "status") if name in names] if sees_some else []

    def sees(component: Component) -> object:
        return tuple(component.fields[place] for place in some)

    many = few = 0
    for _, families in request.worlds():
        for world in (world for worlds in families for world in worlds):
            full, reduced = (Graph(system, world, sees, reduced=reduced) for reduced in (False, True))
            if not full.found.complete:
                continue
            many, few = many + len(full.found.states), few + len(reduced.found.states)
            assert reduced.cyclic == full.cyclic, world
            assert reduced.ends == full.ends, world
            assert bool(reduced.failures) == bool(full.failures), world
            if not full.cyclic and not full.failures:
                assert reduced.local == full.local, world
                assert reduced.seen == full.seen, world
                if len(full.found.starts) == 1:
                    assert reduced.extremes() == full.extremes(), world
    return many, few


@pytest.mark.parametrize(
    ("model", "sees_some"),
    [
        pytest.param(name, sees, id=f"{name}-{'seen' if sees else 'hidden'}", marks=marks)
        for k, name in enumerate(model_files())
        for sees in (False, True)
        for marks in [() if sees == bool(k % 2) else pytest.mark.thorough]
    ],
)
def test_what_runs_come_to_is_the_same_in_every_model(model: str, sees_some: bool, thorough: bool) -> None:
    """Ends, cycles, what each process does, what is seen of it on the way, how many messages are sent and how many steps taken."""
    small, larger = sizes(model)
    request = read_request(model, n=small, network="fifo")
    if "fifo" not in request.model.definition.networks:
        return  # what is sent for ever fills its links
    if stubborn.refusal(System(request.model.definition, request.settings)):
        assert request.model.definition.shared  # of the models none is refused for another reason
        return
    many, few = compared(model, sees_some, n=larger if thorough else small, network="fifo")
    assert few <= many


@pytest.mark.parametrize(
    ("model", "options", "times"),
    [
        # how many times fewer states, of the same worlds; measured by an independent program: 1,636 -> 417 for three worlds of six
        ("chang_roberts", {"n": 5}, 2),
        ("chang_roberts", {"n": 5, "start": "simultaneous"}, 4),
        ("dolev_klawe_rodeh", {"n": 5}, 2.5),
        ("minmax", {"n": 5}, 2),
        ("tree_elect_min", {"n": 4}, 2),
    ],
)
def test_it_leaves_far_fewer_states(model: str, options: dict[str, Any], times: float) -> None:
    many, few = compared(model, False, network="fifo", **options)
    assert times * few <= many


def test_a_simultaneous_start_of_a_ring_leaves_a_single_path() -> None:
    """37 states of a ring of ten, as the independent program found of the worst order: here of five, one state more than there are steps."""
    found = count_messages("chang_roberts", ids=(5, 4, 3, 2, 1), start="simultaneous").search
    assert (
        found.states == found.transitions + 1 == 21  # 5 + 4 + ... + 1 messages of the election and 5 of the leader come
    )  # 5 + 4 + ... + 1 messages of election and 5 of the leader are received, and 1 start: 21 steps


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(name, marks=() if k % 4 == 0 else pytest.mark.thorough)
        for k, name in enumerate(model_files())
        if name != "harmony_leader"
    ],
)
def test_both_engines_leave_the_same_states(model: str) -> None:
    small, _ = sizes(model)
    both(model, n=small, network="fifo", reduce="order", limits=Limits(max_states=2_000))


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("chang_roberts", {"n": 4}),
        ("chang_roberts", {"n": 4, "ids": "any"}),  # properties fail: those worlds are explored in full
        ("chang_roberts", {"n": 3, "losses": 1}),
        ("bully_modified", {"n": 3, "crashes": 1}),
        ("itai_rodeh", {"n": 3}),  # it has cycles
        ("dolev_klawe_rodeh", {"ids": "1,2,1,2"}),  # it has symmetries
        ("stages", {"n": 3}),
    ],
)
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_check_comes_to_the_same_with_reduction(model: str, options: dict[str, Any], engine: Any) -> None:
    found = check(model, engine=engine, check_reductions=True, **options)
    assert found.reduction_check is not None
    assert not found.reduction_check.undone


@settings(max_examples=examples(20))
@given(protocols(), st.booleans())
def test_a_random_protocol_comes_to_the_same_with_reduction(protocol: RandomProtocol, faulty: bool) -> None:
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
    )
    options = {name: value for name, value in protocol.options.items() if faulty or name not in faults}
    options |= {"network": "fifo"}
    options.pop("engine", None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.py"
        path.write_text(protocol.source)
        found = check(str(path), check_reductions=True, engine="reference", limits=Limits(max_states=1_000), **options)
    done = found.reduction_check
    event("not compared" if done is None or done.undone else "reduced" if found.sizes[0].reduced else "not reduced")


# --- a wrong one is noticed ------------------------------------------------------------------------------------------


def test_a_set_that_is_not_closed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process alone, though another may still bring it something: of two that hear from each other one order is lost."""
    monkeypatch.setattr(stubborn, "closure", lambda process, _: 1 << process)
    with pytest.raises(ReductionError, match=r"with reduction, .* without"):
        check("chang_roberts", n=4, check_reductions=True, engine="reference")


def test_a_step_that_is_hidden_and_shows_is_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"ids": "1,2", "start": "simultaneous", "engine": "reference"}
    assert run(ORDER, check_reductions=True, **asked).verdict == "VIOLATED"
    monkeypatch.setattr("modelcheck.properties.predicates.MonitorPredicates.shows", lambda *_: False)
    with pytest.raises(ReductionError):
        run(ORDER, check_reductions=True, **asked)


ORDER = """
class Token(Message):
    pass

class Two(Process):
    topology = one_way_ring
    begun: bool = False
    done: bool = False

    @initiate
    def begin(self):
        self.require(not self.begun)
        self.begun = True
        self.send(NEXT, Token())

    @receive(Token)
    def act(self, message, port):
        self.done = True

@always
def the_greater_is_not_first(view):
    low, high = view.processes
    return low.done or not high.done
"""


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_where_there_is_no_room_for_more_the_run_that_was_found_is_told(run: Run, engine: Any) -> None:
    """The other process can act as well where the assertion fails, and its steps come first, but are not explored. The way on from the
    other choice is long."""
    found = run(
        FAILING, ids="1,2", initiators="1", engine=engine, reduce="order", limits=Limits(max_states=40), workers=1
    )
    assert found.stopped
    failed = next(prop for prop in found.properties if prop.name == "assertions")
    assert failed.trace is not None
    assert [taken.step for taken in failed.trace.steps] == ["begin", "get"]


FAILING = """
class Token(Message):
    pass

class Two(Process):
    topology = one_way_ring
    count: int = 0

    @initiate
    def begin(self):
        self.require(self.count == 0)
        if self.choose((True, False)):
            self.send(NEXT, Token())
            self.count = 100
        else:
            self.count = 1

    @step
    def on(self):
        self.require(0 < self.count < 90 or self.count == 100)
        self.count = self.count + 1

    @receive(Token)
    def get(self, message, port):
        assert False
"""


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_what_a_property_is_not_known_to_read_costs_no_violation(run: Run, engine: Any) -> None:
    """It fails where the search begins, and there is seen to read a field. Neither can count to its end."""
    asked: dict[str, Any] = {"ids": "1,2", "reduce": "order", "engine": engine, "workers": 1}
    found = run(COUNTS, limits=Limits(max_states=30), **asked)
    trace = found.property("somebody_counts").trace
    assert found.stopped
    assert trace is not None
    assert not trace.steps


COUNTS = """
class Two(Process):
    topology = one_way_ring
    count: int = 0

    @step
    def on(self):
        self.count += 1

@always
def somebody_counts(view):
    return any(p.count > 0 for p in view.processes)
"""


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_step_that_changes_nothing_but_what_others_have_is_not_left_out(run: Run, engine: Any) -> None:
    """Each may talk for ever before it has thought: without those steps there would be three states, and a proof. All are explored, also
    where what both can do was met before."""
    asked: dict[str, Any] = {"ids": "1,2", "start": "simultaneous", "engine": engine, "workers": 1}
    full, reduced = (run(TALKS, reduce=how, limits=Limits(max_states=300), **asked) for how in ("none", "order"))
    assert reduced.verdict == "INCONCLUSIVE"
    assert (reduced.states, reduced.transitions, reduced.depth) == (full.states, full.transitions, full.depth)


TALKS = """
class Word(Message):
    pass

class Two(Process):
    topology = one_way_ring
    begun: bool = False
    thought: bool = False

    @initiate
    def begin(self):
        self.require(not self.begun)
        self.begun = True
        self.send(NEXT, Word())

    @step
    def talk(self):
        self.require(self.begun and not self.thought)
        self.send(NEXT, Word())

    @step
    def think(self):
        self.require(self.begun and not self.thought)
        self.thought = True

    @receive(Word)
    def listen(self, message, port):
        self.require(not self.begun)
"""


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_step_shows_where_it_sends_what_is_looked_for(run: Run, engine: Any) -> None:
    """Each has a ping waiting, and answers it with a pong for the other before it takes it: either may be the first. Nothing else of it
    is seen, and the answers could be sent in one order, if nobody looked for pongs."""
    for name in ("the_lower_is_not_the_first_to_have_an_answer", "the_higher_is_not_the_first_to_have_an_answer"):
        found = run(ANSWERS, ids="1,2", start="simultaneous", engine=engine, check_reductions=True, property=name)
        assert found.properties[0].trace is not None
        assert found.properties[0].trace.length == 1


ANSWERS = """
class Ping(Message):
    pass

class Pong(Message):
    pass

class Two(Process):
    topology = one_way_ring
    begun: bool = False
    answered: bool = False
    has_one: bool = False

    @initiate
    def begin(self):
        self.require(not self.begun)
        self.begun = True
        self.send(NEXT, Ping())

    @step
    def answer(self):
        self.require(self.begun and not self.answered)
        self.answered = True
        self.send(NEXT, Pong())

    @receive(Ping)
    def take(self, message, port):
        self.require(self.answered)

    @receive(Pong)
    def end(self, message, port):
        self.has_one = True

def has_an_answer(p):
    return p.has_one or p.has_waiting(Pong)

@always
def the_lower_is_not_the_first_to_have_an_answer(view):
    low, high = view.processes
    return not has_an_answer(low) or has_an_answer(high)

@always
def the_higher_is_not_the_first_to_have_an_answer(view):
    low, high = view.processes
    return not has_an_answer(high) or has_an_answer(low)
"""
