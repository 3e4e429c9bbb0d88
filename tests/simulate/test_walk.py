"""Random runs: every one of them is a run that the exhaustive search knows, and every ending can be met."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis.strategies import integers

from modelcheck import Id, Limits, Message, StepError, UsageError, catalog, check
from modelcheck.check.counting import count_messages
from modelcheck.explore import reference
from modelcheck.explore.exploration import PlainExploration
from modelcheck.explore.limits import Meter
from modelcheck.language.networks import NETWORKS
from modelcheck.language.values import show
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.system import System
from modelcheck.semantics.worlds import Policy, World, Worlds
from modelcheck.simulate import walk as walks
from modelcheck.simulate.sampling import _retaken, simulate
from modelcheck.simulate.walk import Walk, random_world
from tests.conftest import Silent, Write
from tests.explore.random_protocols import RandomProtocol, examples, protocols


class Word(Message):
    id: Id


CASES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("chang_roberts", 3, {}),
    ("chang_roberts", 3, {"network": "bag"}),
    ("as_far", 3, {"start": "simultaneous"}),
    ("stages", 2, {}),
    ("dolev_klawe_rodeh", 3, {"network": "set"}),
    ("bully", 3, {}),
    ("tree_elect_min", 3, {}),
    ("spanning_tree", 3, {}),
    ("harmony_leader", 2, {}),
    ("lamport_mutex_election", 2, {}),
)


def a_system(model: str, network: str = "", start: Any = "any") -> System:
    definition = catalog.find_model(model).definition
    parameters = tuple(definition.parameter_values({}).items())
    return System(definition, Settings(network or definition.networks[0], parameters, start=start), twice=False)


def worlds_of(system: System, n: int, policy: Policy | None = None) -> Worlds:
    definition = system.definition
    return Worlds(definition, definition.topologies[0], n, policy or Policy(definition.identifiers))


def endings(system: System, world: World) -> set[str]:
    """The terminal states, by the exhaustive search."""
    found = PlainExploration(world)
    reference.explore(system, found, Silent(), Meter(Limits()))
    return {described(found.states[number]) for number in found.terminals}


FAULTS = {"losses": 1, "duplications": 1, "crashes": 1, "recoveries": 1}


DRAWS_IN_VAIN = """
from modelcheck import *

class Draws(Process):
    topology = one_way_ring
    specs = ()
    begun: bool = False
    a: int = 0

    @step
    def begin(self):
        self.require(not self.begun)
        self.begun = True

    @step
    def draw_again(self):
        self.require(self.begun)
        self.a = self.choose((0, 1)) * 0
"""


def known_to_the_semantics(model: str, n: int, network: str, faults: dict[str, int], seed: int) -> None:
    """Takes the steps of a random run again, one by one; a run that does not end is followed for a while.

    Raises ReplayError at a step that is not among those the exhaustive search would take.
    """
    definition = catalog.find_model(model).definition
    around = Settings(network, tuple(definition.parameter_values({}).items()), **faults)  # type: ignore[arg-type]
    system = System(definition, around)
    random = Random(seed)
    world = random_world(worlds_of(system, n), random)
    walk = Walk(system, world, random, keeps=True)
    looks = iter(range(2))
    walk.run(lambda: next(looks, None) == 1)
    _retaken(system, world, walk)


def test_a_run_whose_draws_never_change_anything_is_stopped_as_any_other(tmp_path: Path) -> None:
    """One step, and from then on only draws that come to nothing."""
    path = tmp_path / "model.py"
    path.write_text(DRAWS_IN_VAIN)
    system = System(catalog.find_model(str(path)).definition, Settings("fifo"))
    random = Random(1)
    walk = Walk(system, random_world(worlds_of(system, 1), random), random)
    looks = iter(range(4))
    walk.run(lambda: next(looks) == 3)
    assert (walk.steps, walk.ended) == (1, False)


SENDS_AGAIN = """
from modelcheck import *

class Here(Message):
    pass

class Beats(Process):
    topology = two_way_ring
    networks = ("fifo", "bag", "set", "sticky", "newest")
    specs = ()
    heard: int = 0

    @step
    def beat(self):
        self.send(self.ports[0], Here())

    @receive(Here)
    def hear(self, message):
        self.require(self.heard < 2)
        self.heard += 1
"""


@pytest.mark.parametrize(
    ("network", "capacity"), [("set", None), ("sticky", None), ("newest", None), ("fifo", 1), ("bag", 2), ("newest", 1)]
)
def test_a_run_ends_where_all_that_is_still_sent_changes_nothing(
    network: str, capacity: int | None, tmp_path: Path
) -> None:
    """As in the search, whose terminal states it ends in: not before everybody has heard what there is to hear."""
    path = tmp_path / "model.py"
    path.write_text(SENDS_AGAIN)
    definition = catalog.find_model(str(path)).definition
    system = System(definition, Settings(network, capacity=capacity or 0), twice=False)
    for n in (1, 2, 3):
        random = Random(n)
        world = random_world(worlds_of(system, n), random)
        known = endings(system, world)
        for _ in range(5):
            walk = Walk(system, world, random)
            looks = iter(range(3))
            walk.run(lambda looks=looks: next(looks) == 2)  # type: ignore[misc]
            assert walk.ended
            assert described(walk.state()) in known


@pytest.mark.parametrize("network", NETWORKS)
@settings(max_examples=examples(8), suppress_health_check=list(HealthCheck))
@given(protocol=protocols(), seed=integers(0, 9))
def test_every_step_of_a_random_run_is_one_that_the_exhaustive_search_knows(
    network: str, protocol: RandomProtocol, seed: int
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(walks, "LOOK", 60)
        model = Path(folder) / "model.py"
        model.write_text(protocol.source)
        faults = {"sticky": {"losses": 1}, "newest": {**FAULTS, "duplications": 0}}.get(network, FAULTS)
        try:
            known_to_the_semantics(str(model), protocol.options["n"], network, faults, seed)
        except (StepError, UsageError):
            reject()  # a model that is at fault, or a system that is none


@pytest.mark.parametrize("model", ["bully", "bully_modified", "chang_roberts", "itai_rodeh_async"])
@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
def test_every_step_of_a_random_run_of_a_model_is_one_that_the_exhaustive_search_knows(
    model: str, network: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some processes are down from the beginning; some draw."""
    monkeypatch.setattr(walks, "LOOK", 60)
    for seed in range(4):
        known_to_the_semantics(model, 3, network, FAULTS, seed)


@pytest.mark.parametrize("find", [check, simulate])
def test_a_kind_of_network_that_has_no_meaning_is_none_anywhere(
    find: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where it is in the list of those that may be asked for: nothing takes it for a bag."""
    with pytest.raises(UsageError, match="there is no network 'weird'"):
        find("chang_roberts", n=2, network="weird")
    with pytest.raises(KeyError, match="weird"):
        System(catalog.find_model("chang_roberts").definition, Settings("weird"))
    monkeypatch.setitem(NETWORKS, "weird", "nobody has said what it means")  # type: ignore[misc]
    with pytest.raises(TypeError, match="dataclass"):
        find("chang_roberts", n=2, network="weird")


def described(state: Any) -> str:
    return show(tuple((c.crashed, c.fields, c.inbox) for c in state[1:])) + show(state[0].shared)


@pytest.mark.parametrize(("model", "n", "settings"), CASES)
def test_every_run_ends_where_some_run_of_the_exhaustive_search_ends(
    model: str, n: int, settings: dict[str, Any]
) -> None:
    system = a_system(model, **settings)
    for seed in range(4):
        random = Random(seed)
        world = random_world(worlds_of(system, n), random)
        known = endings(a_system(model, **settings), world)
        for _ in range(10):
            walk = Walk(system, world, random)
            walk.run()
            assert walk.ended
            assert described(walk.state()) in known


@pytest.mark.parametrize("model", ["chang_roberts", "bully", "itai_rodeh_async"])
def test_every_ending_is_met_in_some_run(model: str) -> None:
    """Schedules and draws: nothing that can happen is impossible at random."""
    system = a_system(model)
    world = random_world(worlds_of(system, 2), Random(3))
    met = set()
    for seed in range(300):
        walk = Walk(system, world, Random(seed))
        walk.run()
        met.add(described(walk.state()))
    assert met == endings(a_system(model), world)


@pytest.mark.parametrize("model", ["chang_roberts", "as_far", "stages", "uni_alternate", "hirschberg_sinclair"])
def test_numbers_of_messages_lie_between_the_exact_extremes(model: str) -> None:
    counted = count_messages(model, n=4, start="simultaneous").counts[0].over(0)
    system = a_system(model, start="simultaneous")
    for seed in range(40):
        random = Random(seed)
        walk = Walk(system, random_world(worlds_of(system, 4), random), random)
        walk.run()
        assert counted.least <= sum(walk.sent.values()) <= counted.greatest


def test_draws_have_their_weights(write: Write) -> None:
    """One in four, of four hundred: between 70 and 130 in all but one of a thousand such experiments."""
    model = write(
        """
        class Coin(Process):
            topology = one_way_ring
            side: str = ""

            @step
            def toss(self):
                self.require(not self.side)
                self.side = self.draw(("rare", "common"), weights=(1, 3))
        """
    )
    system = a_system(model)
    world = World(next(system.definition.topologies[0].shapes(400)), (None,) * 400, frozenset(), None, 1)
    walk = Walk(system, world, Random(5))
    walk.run()
    sides = Counter(walker.fields[0] for walker in walk.walkers)
    assert sides["rare"] + sides["common"] == 400
    assert 70 < sides["rare"] < 130


def test_a_draw_that_changes_nothing_is_tried_again(write: Write) -> None:
    model = write(
        """
        class Patient(Process):
            topology = one_way_ring
            lucky: bool = False

            @step
            def hope(self):
                self.require(not self.lucky)
                self.lucky = self.draw((False, True), weights=(9, 1))
        """
    )
    system = a_system(model)
    world = World(next(system.definition.topologies[0].shapes(20)), (None,) * 20, frozenset(), None, 1)
    walk = Walk(system, world, Random(5))
    walk.run()
    assert all(walker.fields == (True,) for walker in walk.walkers)


def test_a_closed_port_keeps_its_message_until_the_process_opens_it(write: Write) -> None:
    model = write(
        """
        class Ball(Message):
            pass

        class Gate(Process):
            topology = one_way_ring
            open: bool = False
            balls: int = 0

            @initiate
            def throw(self):
                self.require(not self.balls)
                self.require(not self.open)
                self.send(NEXT, Ball())
                self.balls = 10

            @step
            def unlock(self):
                self.require(self.balls >= 10 and not self.open)
                self.open = True

            @receive(Ball)
            def catch(self, message):
                self.require(self.open)
                self.balls = self.balls + 1
        """
    )
    system = a_system(model)
    for seed in range(20):
        world = World(next(system.definition.topologies[0].shapes(5)), (1, 2, 3, 4, 5), frozenset(range(5)), None, 1)
        walk = Walk(system, world, Random(seed))
        walk.run()
        assert all(walker.fields == (True, 11) for walker in walk.walkers)
        assert walk.steps == 15


TICKETS = """
class Tickets(Process):
    topology = one_way_ring
    mine: int = 0
    next: int = shared(1)

    @initiate
    def take(self):
        self.require(not self.mine and MAY)
        self.mine = self.next
        self.next += 1

    @step
    def open_the_shop(self):
        self.require(self.next == 0)
        self.next = 1
"""


def tickets(model: str, seed: int, start: str = "any") -> tuple[int, ...]:
    """Which of the numbers each of three gets."""
    system = a_system(model, start=start)
    world = World(next(system.definition.topologies[0].shapes(3)), (1, 2, 3), frozenset(range(3)), None, 1)
    walk = Walk(system, world, Random(seed))
    walk.run()
    return tuple(walker.fields[0] for walker in walk.walkers)


def test_who_waits_for_a_shared_variable_goes_on_when_another_has_set_it(write: Write) -> None:
    """Nobody gets a ticket before the shop is open: however often somebody asked before, everybody gets one then."""
    model = write(TICKETS.replace("MAY", "self.next").replace("shared(1)", "shared(0)"))
    for seed in range(10):
        assert sorted(tickets(model, seed)) == [1, 2, 3]


def test_simultaneous_starts_that_share_a_variable_happen_in_any_order(write: Write) -> None:
    """Six orders; that one of them is not among sixty random ones has a probability below 6 (5/6)^60, about 1 in 10,000."""
    model = write(TICKETS.replace("MAY", "True"))
    assert len({tickets(model, seed, "simultaneous") for seed in range(60)}) == 6


def test_a_step_that_fails_ends_the_run(write: Write) -> None:
    model = write(
        """
        class Ball(Message):
            pass

        class Careless(Process):
            topology = one_way_ring
            thrown: bool = False

            @initiate
            def throw(self):
                self.require(not self.thrown)
                self.thrown = True
                self.send(NEXT, Ball())
        """
    )
    system = a_system(model)
    walk = Walk(system, random_world(worlds_of(system, 3), Random(1)), Random(1))
    walk.run()
    assert not walk.ended
    assert walk.failure is not None
    assert walk.failure.kind == "unspecified reception"


# --- worlds at random


def test_random_worlds_are_worlds_of_the_policy() -> None:
    system = a_system("chang_roberts")
    policies = [
        (Policy("unique"), lambda w: sorted(w.identifiers) == [1, 2, 3, 4]),
        (Policy("any"), lambda w: all(1 <= i <= 4 for i in w.identifiers)),
        (Policy("from:9"), lambda w: len(set(w.identifiers)) == 4 and max(w.identifiers) <= 9),
        (Policy((2, 2, 1, 3)), lambda w: w.identifiers == (2, 2, 1, 3)),
        (Policy("unique", "size:2"), lambda w: len(w.initiators) == 2),
        (Policy("unique", "each"), lambda w: 1 <= len(w.initiators) <= 4),
        (Policy("unique", (1, 3)), lambda w: w.initiators == {0, 2}),
    ]
    for policy, fits in policies:
        drawn = [random_world(worlds_of(system, 4, policy), Random(seed)) for seed in range(30)]
        assert all(map(fits, drawn))
        varies = policy.identifiers in ("unique", "any", "from:9") or policy.initiators in ("size:2", "each")
        assert len({(w.identifiers, w.initiators) for w in drawn}) > 1 or not varies


def test_every_order_of_identifiers_is_as_likely() -> None:
    """600 draws of 6 orders: each between 60 and 140 times."""
    system = a_system("chang_roberts")
    random = Random(11)
    drawn = Counter(random_world(worlds_of(system, 3), random).identifiers for _ in range(600))
    assert len(drawn) == 6
    assert all(60 < times < 140 for times in drawn.values())
