"""Limits are looked at wherever time passes, and memory before an array is enlarged; the clock and the machine are made up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

import numpy as np
import pytest

from modelcheck import Limits, check
from modelcheck.catalog import find_model
from modelcheck.check.result import Result
from modelcheck.count import extremes
from modelcheck.explore import limits, reference
from modelcheck.explore.compiled import cycles, tables
from modelcheck.explore.exploration import Exploration, PlainExploration
from modelcheck.explore.limits import Meter
from modelcheck.explore.liveness import endless_runs
from modelcheck.explore.restriction import restrict
from modelcheck.language.topology import complete, one_way_ring, star, tree
from modelcheck.pulse import StoppedError, beat, make_room, watched_by
from modelcheck.semantics.graphs import graphs_asked_for
from modelcheck.semantics.isomorphism import automorphisms
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.system import System
from modelcheck.semantics.worlds import Policy, World, Worlds
from tests.conftest import Silent
from tests.protocols import GROWS

Write = Callable[..., str]


class Clock:
    """A second passes whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


class Patient:
    """Says go on so many times, and then stop."""

    def __init__(self, beats: int) -> None:
        self.left = beats

    def look(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise StoppedError

    def make_room(self, size: int) -> None:
        pass


# --- who is asked ----------------------------------------------------------------------------------------------------


def test_where_nobody_watches_all_goes_on() -> None:
    beat()
    make_room(10**18)


def test_a_thread_asks_whoever_is_asked_where_its_context_was_copied() -> None:
    stopped: list[bool] = []

    def ask() -> None:
        try:
            beat()
        except StoppedError:
            stopped.append(True)

    with watched_by(Patient(0)):
        for target in (copy_context().run, lambda function: function()):
            thread = threading.Thread(target=target, args=(ask,))
            thread.start()
            thread.join()
    assert stopped == [True]  # the first alone


def test_a_limit_on_time_is_noticed_at_the_first_look_after_it() -> None:
    meter = Meter(Limits(max_seconds=5), clock=Clock())  # begun at 1
    with watched_by(meter):
        for _ in range(5):
            beat()  # at 2 ... 6
        with pytest.raises(StoppedError):
            beat()
    assert meter.reached == "the limit of 5 seconds was reached"


def test_what_was_found_may_be_written_down_after_the_end_but_not_for_ever() -> None:
    meter = Meter(Limits(), clock=Clock())
    meter.interrupted = True
    assert meter.stop()
    taken = 0

    def write_down() -> None:
        nonlocal taken
        while True:
            beat()
            taken += 1

    with watched_by(meter.last_words()), pytest.raises(StoppedError):
        write_down()
    assert 1 < taken <= limits.GRACE


# --- every loop that can be long -------------------------------------------------------------------------------------


def explored(name: str, n: int, **policy: Any) -> tuple[System, Exploration]:
    definition = find_model(name).definition
    settings = Settings(definition.networks[0], tuple(definition.parameter_values({}).items()))
    system = System(definition, settings)
    world = next(iter(Worlds(definition, definition.topologies[0], n, Policy(definition.identifiers, **policy))))
    found = PlainExploration(world)
    reference.explore(system, found, Silent(), Meter(Limits()))
    return system, found


def worlds(name: str, n: int, **policy: Any) -> Worlds:
    definition = find_model(name).definition
    return Worlds(definition, definition.topologies[0], n, Policy(**policy))


def with_cycles() -> tuple[System, Exploration]:
    """Itai and Rodeh's protocol goes round and round while all draw the same."""
    return explored("itai_rodeh", 3)


def _way(system: System, found: Exploration) -> Any:
    return found.path(system, len(found.states) - 1)


def _has_cycle() -> bool:
    chain = np.arange(1, 5, dtype=np.int32)
    begin = np.array([0, 1, 2, 3, 4, 4], np.int64)
    return cycles.has_cycle(begin, chain, 5, np.zeros(5, np.int32), np.zeros(5, np.int32))


def _attaining() -> Any:
    system, found = explored("chang_roberts", 3)
    columns = extremes.Columns.of(system.definition)
    watch: list[Any] = []
    for number, state in enumerate(found.states):
        watch += [(number, t.outcome, t.after != state) for t in system.successors(found.world, state)]
    (values, *_) = extremes.count(found, watch, columns)
    return extremes.attaining(system, found, columns, 0, values.greatest, 0)


LOOPS: dict[str, Callable[[], Any]] = {
    "the graphs of a size": lambda: list(tree.shapes(6)),
    "the links of a complete graph": lambda: list(complete.shapes(5)),
    "the links of a star": lambda: list(star.shapes(5)),
    "the sizes of a range": lambda: graphs_asked_for("star", find_model("echo_extinction").definition, (2, 3, 4, 5, 6)),
    "the automorphisms of a graph": lambda: automorphisms(next(one_way_ring.shapes(6))),
    "the worlds there are": lambda: list(worlds("chang_roberts", 4)),
    "those without symmetry": lambda: list(worlds("chang_roberts", 4, symmetry=False)),
    "those with any identifiers": lambda: list(worlds("chang_roberts", 4, identifiers="any")),
    "those with any port names": lambda: list(
        Worlds(find_model("echo_extinction").definition, star.unoriented, 4, Policy())
    ),
    "complete graphs by identifier": lambda: list(worlds("bully", 4)),
    "how many worlds there are": lambda: worlds("spanning_tree", 5).represented,
    "the states that a property restricts to": lambda: restrict(
        (found := with_cycles()[1]), (every := np.ones(len(found.states), np.bool_)), every
    ),
    "the cycles of a world": lambda: endless_runs(*with_cycles()),
    "whether there is a cycle": _has_cycle,
    "the messages of a world and a run that sends most": _attaining,
    "the way to a state": lambda: _way(*explored("chang_roberts", 3)),
}


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_it_can_be_stopped_in_the_middle(loop: Callable[[], Any]) -> None:
    loop()  # it ends by itself where nobody watches
    counting = Patient(10**9)
    with watched_by(counting):
        loop()
    beats = 10**9 - counting.left
    assert beats > 1
    with watched_by(Patient(beats // 2)), pytest.raises(StoppedError):
        loop()


def test_a_large_state_is_left_in_the_middle_of_its_steps() -> None:
    """A hundred processes can all wake up in the first state."""
    definition = find_model("chang_roberts").definition
    system = System(definition, Settings("fifo", tuple(definition.parameter_values({}).items())))
    shape = next(one_way_ring.shapes(100))
    found = PlainExploration(World(shape, tuple(range(1, 101)), frozenset(range(100)), None, 1))
    reference.explore(system, found, Silent(), Meter(Limits(max_seconds=1), clock=Clock()))
    assert not found.complete
    assert (len(found.first), found.transitions) == (1, 63)


def test_steps_that_are_taken_again_at_the_end_are_within_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    verify = System.verify

    def at_the_end(self: System, *args: Any, **named: Any) -> bool:
        meter.interrupted = True
        return verify(self, *args, **named)

    meter = Meter(Limits())
    monkeypatch.setattr(System, "verify", at_the_end)
    found = check("chang_roberts", n=3, meter=meter)
    assert (found.verdict, found.stopped) == ("INCONCLUSIVE", "interrupted")


def test_a_violation_is_shown_though_the_limit_is_reached_before_it_is_written_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    explore = reference.explore

    def then_stopped(system: System, found: Exploration, watch: Any, *rest: Any) -> None:
        explore(system, found, watch, *rest)
        meter.interrupted = bool(watch.first)

    meter = Meter(Limits())
    monkeypatch.setattr(reference, "explore", then_stopped)
    found = check("chang_roberts", ids="1,1,2", meter=meter)
    assert (found.verdict, found.stopped) == ("VIOLATED", "interrupted")


# --- memory ----------------------------------------------------------------------------------------------------------


class Full(Meter):
    """Uses all the memory that it may, and not a byte more."""

    def memory(self) -> int:
        return self.limits.max_memory


@pytest.fixture
def every_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays of a few bytes are worth a look already, and a byte is a megabyte."""
    monkeypatch.setattr(limits, "WORTH_A_LOOK", 0)
    monkeypatch.setattr(limits, "MEGABYTE", 1)


def inconclusive_for_memory(found: Result) -> bool:
    return (found.verdict, found.stopped) == ("INCONCLUSIVE", "the limit of 1,000 MB of memory was reached")


@pytest.mark.usefixtures("every_byte")
@pytest.mark.parametrize("workers", [1, 2])
def test_the_search_stops_before_an_array_is_enlarged_beyond_the_limit(workers: int, write: Write) -> None:
    meter = Full(Limits(max_memory=1_000, max_states=10**6))
    found = check(write(GROWS), n=1, engine="compiled", workers=workers, meter=meter)
    assert inconclusive_for_memory(found)
    assert 0 < found.states <= 4096  # for so many there is room at first


def test_small_arrays_are_not_worth_a_look_at_the_memory() -> None:
    meter = Full(Limits())
    meter.make_room(limits.WORTH_A_LOOK - 1)
    with pytest.raises(StoppedError):
        meter.make_room(limits.MEGABYTE)


@pytest.mark.usefixtures("every_byte")
def test_tables_that_find_no_memory_are_as_they_were() -> None:
    definition = find_model("chang_roberts").definition
    system = System(definition, Settings("fifo", tuple(definition.parameter_values({}).items())))
    table = tables.Tables(system, 4)
    column, pairs = table.push, tables.Pairs(1, np.int64)
    for number in range(32):
        pairs.add(0, number, number)
    before = column.array, pairs.keys, table.used, table.most_events
    with watched_by(Full(Limits())):
        with pytest.raises(StoppedError):
            column.reserve(10**6)
        with pytest.raises(StoppedError):
            pairs.add(0, 32, 32)
        with pytest.raises(StoppedError):
            table._widen()
    assert all(
        old is new for old, new in zip(before, (column.array, pairs.keys, table.used, table.most_events), strict=True)
    )
    pairs.add(0, 32, 32)
    assert pairs.has(0, 32)
