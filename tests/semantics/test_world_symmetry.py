"""A world's own symmetries: which permutations they are, and that steps go along with them."""

from __future__ import annotations

from typing import Any

import pytest

from modelcheck.catalog import find_model
from modelcheck.language.oriented import chordal_ring
from modelcheck.language.topology import (
    Link,
    Shape,
    Topology,
    complete,
    hypercube,
    line,
    mesh,
    one_way_ring,
    star,
    torus,
    two_way_ring,
)
from modelcheck.language.values import Port
from modelcheck.semantics.isomorphism import automorphisms
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.symmetry import Orbits, own_group, turned
from modelcheck.semantics.worlds import Policy, World, Worlds
from tests.conftest import explore_worlds

NOTHING: frozenset[str] = frozenset()


def world(
    topology: Topology, identifiers: tuple[int | None, ...], initiators: Any = None, root: int | None = None
) -> World:
    n = len(identifiers)
    return World(
        next(topology.shapes(n)), identifiers, frozenset(range(n) if initiators is None else initiators), root, 1
    )


@pytest.mark.parametrize(
    ("found", "turns"),
    [
        (world(one_way_ring, (None,) * 5), 5),
        (world(two_way_ring, (None,) * 5), 5),  # reflections change the names of ports
        (world(one_way_ring, (1, 1, 1)), 3),
        (world(one_way_ring, (1, 2, 1, 2)), 2),
        (world(one_way_ring, (1, 1, 2)), 1),
        (world(one_way_ring, (1, 2, 3)), 1),
        (world(one_way_ring, (None,) * 4, initiators=(0, 2)), 2),
        (world(one_way_ring, (None,) * 4, initiators=(0, 1)), 1),
        (world(one_way_ring, (None,)), 1),
        (world(line, (None,) * 2), 2),
        (world(star, (None,) * 4), 1),  # the leaves are told apart by the port that leads to them
        (world(complete, (None,) * 4), 4),
        (world(complete.oriented, (None,) * 4), 4),  # turns
        (world(chordal_ring(1, 2), (None,) * 6), 6),
        (world(hypercube.oriented, (None,) * 8), 8),  # i to i ^ k, for each k; the dimensions are told apart
        (world(torus.oriented, (None,) * 6), 6),  # shifts, north and east
        (world(mesh.oriented, (None,) * 6), 1),  # each place sees where it is
    ],
)
def test_the_group_is_what_keeps_links_ports_identifiers_and_initiators(found: World, turns: int) -> None:
    group = own_group(found, NOTHING)
    assert len(group) == (turns if turns > 1 else 0)
    assert not group or group[0] == tuple(range(found.n))


def test_a_root_and_knowing_where_one_stands_leave_nothing_of_it() -> None:
    assert own_group(world(one_way_ring, (None,) * 3, root=0), frozenset({"root"})) == ()
    assert own_group(world(one_way_ring, (None,) * 3), frozenset({"position"})) == ()


def test_the_group_is_closed_under_composition_and_inverses() -> None:
    group = set(own_group(world(complete, (1,) * 4), NOTHING))
    for g in group:
        assert {tuple(g[i] for i in h) for h in group} == group
        assert tuple(g.index(i) for i in range(4)) in group


@pytest.mark.parametrize(
    ("model", "n", "ids", "settings"),
    [
        ("itai_rodeh", 2, "none", {}),
        ("itai_rodeh", 3, "none", {}),
        ("chang_roberts", 3, (1, 1, 1), {"losses": 1, "duplications": 1}),
        ("chang_roberts", 4, (1, 2, 1, 2), {"start": "simultaneous"}),
        ("stages", 2, (1, 1), {"network": "bag"}),
        ("harmony_leader", 3, (1, 1, 1), {}),
        ("bully", 3, (1, 1, 1), {"crashes": 1, "recoveries": 1}),
    ],
)
def test_every_step_goes_along_with_every_symmetry(model: str, n: int, ids: Any, settings: dict[str, Any]) -> None:
    """In all that is reachable: s -> t by process i exactly where g s -> g t by process g(i), with the same outcome. And the
    initial states, and so all states, are as symmetric as the world."""
    definition = find_model(model).definition
    parameters = tuple(definition.parameter_values({}).items())
    given = Settings(**{"network": "fifo", "parameters": parameters} | settings)
    worlds = list(explore_worlds(definition, n, Policy(ids), given))
    groups = [own_group(explored.world, definition.knows) for explored in worlds]
    assert any(groups)
    for explored, group in zip(worlds, groups, strict=True):
        states = set(explored.found.states)
        starts = {start.state for start in explored.found.starts}
        for g in group:
            assert {turned(g, state) for state in starts} == starts
            assert {turned(g, state) for state in states} == states
            for state in explored.found.states[:400]:
                here = {(g[t.process], t.outcome, t.after and turned(g, t.after)) for t in successors(explored, state)}
                assert here == {(t.process, t.outcome, t.after) for t in successors(explored, turned(g, state))}


def successors(explored: Any, state: Any) -> Any:
    return explored.system.successors(explored.world, state)


def test_an_orbit_has_one_representative_and_as_many_states_as_the_theorem_says() -> None:
    definition = find_model("itai_rodeh").definition
    settings = Settings("fifo", tuple(definition.parameter_values({}).items()))
    (explored,) = explore_worlds(definition, 4, Policy("none"), settings)
    group = own_group(explored.world, definition.knows)
    orbits = Orbits(group)
    for state in explored.found.states:
        twins = orbits.twins(state)
        assert twins[0] == state
        assert len(twins) == len(set(twins)) == orbits.size(state)
        assert len(group) == len(twins) * sum(turned(g, state) == state for g in group)
        assert {orbits.representative(twin) for twin in twins} == {orbits.representative(state)}
        assert orbits.representative(state) in twins
    representatives = {orbits.representative(state) for state in explored.found.states}
    assert sum(map(orbits.size, representatives)) == len(explored.found.states)


def test_worlds_with_different_identifiers_have_no_symmetry_at_all() -> None:
    definition = find_model("chang_roberts").definition
    assert {own_group(found, NOTHING) for found in Worlds(definition, one_way_ring, 4, Policy("unique"))} == {()}


def test_a_symmetry_keeps_the_ports_at_both_ends_of_every_link() -> None:
    """Two pairs with two links within each, straight (0 to 0, 1 to 1) in one pair and crossed (0 to 1, 1 to 0) in the other, and
    two links between the pairs: within each pair the two can change places, but the pairs cannot."""
    p = [Port(k) for k in range(3)]
    ends = [(0, 0, 1, 0), (0, 1, 1, 1), (2, 0, 3, 1), (2, 1, 3, 0), (0, 2, 2, 2), (1, 2, 3, 2)]
    forth = [Link(a, p[here], b, p[there]) for a, here, b, there in ends]
    back = [Link(link.target, link.in_port, link.source, link.out_port) for link in forth]
    pairs = Shape("two pairs", 4, tuple(sorted(forth + back)), (tuple(p),) * 4)
    assert automorphisms(pairs) == [(0, 1, 2, 3), (1, 0, 3, 2)]
