"""No verdict depends on how processes are numbered, whatever a property takes from the order in which they come."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from modelcheck import StepError, catalog, one_way_ring, two_way_ring
from modelcheck.check.result import Result
from modelcheck.language.topology import Link, Topology, complete, star
from modelcheck.properties.view import StateView
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.system import System
from modelcheck.semantics.worlds import Policy, World, Worlds

Run = Callable[..., Result]

COUNTERS = """
import functools
class Model(Process):
    topology = one_way_ring
    identifiers = "any"
    x: int = 0
    @step
    def up(self):
        self.require(self.x < 7)
        self.x += 1
def rare(view):
    "One of the last states of its world."
    return sorted(p.x for p in view.processes) == [5, 6, 7]
def first_of(view):
{first}
@always
def claim(view):
    return not rare(view) or first_of(view).x != 7 or first_of(view).id == max(p.id for p in view.processes)
"""
FEW = COUNTERS.split("def rare")[0].replace("< 7", "< 3")
WAYS = {
    "a place": "return view.processes[0]",
    "the last": "return view.processes[-1]",
    "alive": "return view.alive[0]",
    "a slice": "return [*view.processes[:1]][0]",
    "a list": "return list(view.alive)[0]",
    "next": "return next(iter(view.processes))",
    "break": "for p in view.processes:\n        break\n    return p",
    "the end of a loop": "for p in view.processes:\n        pass\n    return p",
    "enumerate": "return [p for k, p in enumerate(view.processes) if k == 0][0]",
    "unpacking": "first, *others = view.processes\n    return first",
    "zip": "return dict(zip(range(9), view.processes))[0]",
    "a tie in min": "return min(view.processes, key=lambda p: p.x * 0)",
    "a tie in max": "return max(view.alive, key=lambda p: 1)",
    "a tie in sorted": "return sorted(view.processes, key=lambda p: 0)[0]",
    "reversed": "return [*reversed(view.processes)][0]",
    "index": "return [p for p in view.processes if view.processes.index(p) == 0][0]",
    "reduce": "return functools.reduce(lambda one, other: one, view.processes)",
    "a dictionary": "return next(iter({p: 1 for p in view.processes}))",
    "a set": "return next(iter(set(view.processes)))",
    "blocks": "return view.blocks[0][0]",
    "the greatest of those alike": "return {p.x * 0: p for p in view.processes}[0]",
}


def model(way: str) -> str:
    return COUNTERS.replace("{first}", f"    {WAYS[way]}")


@pytest.mark.parametrize("way", WAYS)
def test_whatever_is_taken_from_the_order_is_noticed(run: Run, way: str) -> None:
    """Where it matters for the first time there were hundreds of evaluations in which it did not: the first world has equal
    identifiers, and 8 * 8 * 8 states."""
    result = run(model(way), n=3)
    assert isinstance(result.error, StepError), result.verdict
    assert "depends on how the processes are numbered" in result.error.what
    assert "--no-symmetry" in result.error.remedy


def test_messages_in_transit_come_in_an_order_that_means_nothing(run: Run) -> None:
    text = """
    class Note(Message):
        x: int
    class Model(Process):
        topology = one_way_ring
        identifiers = "none"
        x: int = 0
        @step
        def go(self):
            self.require(self.x == 0)
            self.x = self.choose((1, 2))
            self.send(NEXT, Note(self.x))
    @always
    def claim(view):
        waiting = {waiting}
        return len(waiting) < 2 or list(waiting)[0].message.x < 2 or list(waiting)[1].message.x > 1
    """
    for waiting in ("view.in_transit()", "set(view.in_transit())"):
        result = run(text.replace("{waiting}", waiting), n=3)
        assert "depends on how the processes are numbered" in str(result.error)


@pytest.mark.parametrize(
    "claim",
    [
        "sum(p.x for p in view.processes) <= 9",
        "len({p.x for p in view.alive}) <= 3",
        "min(view.processes, key=lambda p: p.x).x <= max(view.processes, key=lambda p: p.x).x",
        "sorted(p.x for p in view.processes)[0] <= 3",
        "all(p.x <= 3 for k, p in enumerate(view.processes))",
        "next((p for p in view.processes if p.x > 3), None) is None",
        "len(set(view.processes)) == 3 and view.processes[0] in set(view.alive)",
    ],
)
def test_what_is_the_same_in_every_order_is_not_refused(run: Run, claim: str) -> None:
    text = FEW + f"@always\ndef claim(view):\n    return {claim}\n"
    assert run(text, n=3).verdict == "HOLDS"


def test_a_property_of_two_states_meets_the_processes_in_one_order(run: Run) -> None:
    text = FEW + (
        "@every_step\n"
        "def one_at_a_time(before, after):\n"
        "    return sum(p.x != q.x for p, q in zip(before.processes, after.processes, strict=True)) == 1\n"
    )
    assert run(text, n=3).verdict == "HOLDS"


# --- the order -----------------------------------------------------------------------------------------------------

WHOLE = """
class Model(Process):
    topology = one_way_ring
    knows = ("root",)
"""
FAMILIES: list[tuple[Topology, int, dict[str, Any]]] = [
    (one_way_ring, 4, {"identifiers": "any"}),
    (one_way_ring, 4, {"identifiers": "none", "initiators": "each"}),
    (two_way_ring.unoriented, 4, {"identifiers": "none"}),
    (two_way_ring.unoriented, 3, {"identifiers": "any", "initiators": "size:2"}),
    (star.unoriented, 4, {"identifiers": "any"}),
    (complete, 3, {"identifiers": "any", "initiators": "each"}),
]


def renumbered(world: World) -> Iterator[World]:
    """The same world in every numbering."""
    for g in itertools.permutations(range(world.n)):
        links = sorted(Link(g[k.source], k.out_port, g[k.target], k.in_port) for k in world.shape.links)
        ports = tuple(world.shape.ports[g.index(k)] for k in range(world.n))
        shape = replace(world.shape, links=tuple(links), ports=ports)
        identifiers = tuple(world.identifiers[g.index(k)] for k in range(world.n))
        root = None if world.root is None else g[world.root]
        yield World(shape, identifiers, frozenset(g[i] for i in world.initiators), root, world.weight)


def seen(world: World) -> list[Any]:
    """All that can be told of the processes of a world by the order they come in."""
    order = world.presented
    return [
        (
            world.identifiers[i],
            i in world.initiators,
            i == world.root,
            [(port, order.index(target), behind) for port, (target, behind) in sorted(world.route[i].items())],
        )
        for i in order
    ]


@pytest.mark.parametrize(("topology", "n", "policy"), FAMILIES)
def test_processes_come_in_an_order_that_no_numbering_changes(
    write: Callable[..., str], topology: Topology, n: int, policy: dict[str, Any]
) -> None:
    definition = catalog.find_model(write(WHOLE)).definition
    worlds = list(Worlds(definition, topology, n, Policy(**policy)))
    for world in worlds[:: max(1, len(worlds) // 25)]:
        assert sorted(world.presented) == list(range(n))
        for other in renumbered(world):
            assert seen(other) == seen(world)


def test_the_views_of_all_numberings_are_the_same(write: Callable[..., str]) -> None:
    """What a property reads of the processes, in the initial states of rings that are turned."""
    definition = catalog.find_model(write(FEW)).definition
    system = System(definition, Settings("fifo"))
    views = set()
    for identifiers in ((1, 1, 2, 3), (3, 1, 1, 2), (2, 3, 1, 1), (1, 2, 3, 1)):
        (world,) = Worlds(definition, one_way_ring, 4, Policy(identifiers=identifiers, symmetry=False))
        (start,) = system.starts(world)
        view = StateView(system, world, start.state)
        views.add(tuple((p.id, p.at(p.ports[0]).id) for p in view.processes))
    assert len(views) == 1


# --- numbers themselves --------------------------------------------------------------------------------------------

MARKED = """
class Model(Process):
    topology = complete
    knows = ("neighbours",)
    x: int = 0
    @step
    def up(self):
        self.require(self.x < 1 and all(self.id > other for other in map(self.neighbour, self.ports)))
        self.x += 1
@always
def claim(view):
    return all({claim} or p.x == 0 for p in view.processes)
"""


@pytest.mark.parametrize("claim", ["p.position in (0, 4)", "str(p)[1] in '15'"])
def test_numbers_are_tried_in_every_way_that_a_world_stands_for(run: Run, claim: str) -> None:
    """The greatest is at an end in the only world explored, and in its mirror image. It stands for all 120 assignments."""
    result = run(MARKED.replace("{claim}", claim), n=5)
    assert "depends on how the processes are numbered" in str(result.error)
    assert run(MARKED.replace("{claim}", claim), n=5, symmetry=False).verdict == "VIOLATED"


def test_where_there_are_too_many_numberings_a_property_of_numbers_is_refused(run: Run) -> None:
    """7! = 5,040 of them."""
    result = run(MARKED.replace("{claim}", "p.position < 7"), n=7)
    assert "too many ways to number them" in str(result.error)
