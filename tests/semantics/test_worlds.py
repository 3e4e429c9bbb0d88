"""Worlds against brute force: the reduced ones must be exactly the classes of all of them.

`everything` lists every world of a family by nested loops over its definition; `isomorphic` tries all n! permutations.
Neither shares code with the reduction.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from modelcheck import (
    Process,
    any_graph,
    chordal_ring,
    complete,
    hypercube,
    line,
    mesh,
    one_way_ring,
    star,
    torus,
    tree,
    two_way_ring,
)
from modelcheck.check.result import Result
from modelcheck.language.definition import Definition, read
from modelcheck.language.topology import Shape, Topology
from modelcheck.semantics.worlds import Policy, Worlds

Plain = tuple[Any, ...]  # (links, identifiers, initiators, root, who may crash), all by value


def definition(topology: Topology, *knows: str) -> Definition:
    return read(type("Protocol", (Process,), {"topology": topology, "knows": knows, "__module__": __name__}))


# --- by brute force ----------------------------------------------------------------------------------------------


def links(shape: Shape) -> frozenset[tuple[int, int, int, int]]:
    return frozenset((link.source, int(link.out_port), link.target, int(link.in_port)) for link in shape.links)


def namings(shape: Shape) -> Iterator[frozenset[tuple[int, int, int, int]]]:
    """Every way to permute the port numbers of each process."""
    per_process = [
        [dict(zip(map(int, ports), named, strict=True)) for named in itertools.permutations(map(int, ports))]
        for ports in shape.ports
    ]
    for naming in itertools.product(*per_process):
        yield frozenset((s, naming[s].get(p, p), t, naming[t].get(q, q)) for s, p, t, q in links(shape))


def by_identifier(n: int, identifiers: tuple[Any, ...]) -> frozenset[tuple[int, int, int, int]]:
    """The complete graph, each port numbered by how many smaller identifiers the other neighbours have."""

    def port(i: int, j: int) -> int:
        return sum(1 for k in range(n) if k not in (i, j) and identifiers[k] < identifiers[j])

    return frozenset((i, port(i, j), j, port(j, i)) for i in range(n) for j in range(n) if i != j)


def assignments(policy: Any, n: int) -> Iterator[tuple[Any, ...]]:
    if isinstance(policy, tuple):
        yield policy
    elif policy == "none":
        yield (None,) * n
    elif policy == "any":
        yield from itertools.product(range(1, n + 1), repeat=n)
    else:
        largest = n if policy == "unique" else int(policy[5:])
        yield from itertools.permutations(range(1, largest + 1), n)


def initiator_sets(policy: Any, n: int) -> Iterator[frozenset[int]]:
    subsets = [frozenset(s) for k in range(n + 1) for s in itertools.combinations(range(n), k)]
    if isinstance(policy, tuple):
        yield frozenset(place - 1 for place in policy)
    elif policy == "all":
        yield frozenset(range(n))
    elif policy == "each":
        yield from (s for s in subsets if s)
    else:
        yield from (s for s in subsets if len(s) == int(policy[5:]))


def roots(policy: Policy, n: int) -> list[int]:
    return list(range(n)) if policy.root == "each" else [policy.root - 1]


def fallible(policy: Policy, n: int, root: int | None) -> frozenset[int]:
    if isinstance(policy.may_crash, tuple):
        return frozenset(place - 1 for place in policy.may_crash)
    return frozenset(place for place in range(n) if policy.may_crash == "all" or place != root)


def everything(protocol: Definition, n: int, policy: Policy) -> Counter[Plain]:
    """Every world, as often as it occurs."""
    topology = protocol.topologies[0]
    found: Counter[Plain] = Counter()
    for shape in topology.shapes(n):
        for ids in assignments(policy.identifiers, n):
            wirings: Any = [links(shape)]
            if topology.any_port_names:
                wirings = namings(shape)
            elif str(topology) == "complete" and "neighbours" in protocol.knows and len({*ids, None}) == n + 1:
                wirings = [by_identifier(n, ids)] if policy.identifiers != "any" else wirings
            for wiring in wirings:
                for initiators in initiator_sets(policy.initiators, n):
                    for root in roots(policy, n) if "root" in protocol.knows else [None]:
                        found[wiring, ids, initiators, root, fallible(policy, n, root)] += 1
    return found


def normal(world: Plain) -> Plain:
    """The world with its identifiers replaced by their ranks: their order is all that a process can notice."""
    wiring, ids, *roles = world
    return wiring, ids if ids[0] is None else tuple(sorted(set(ids)).index(v) for v in ids), *roles


def images(world: Plain, n: int) -> frozenset[Plain]:
    """A normal world under all n! permutations of the processes: two are isomorphic when these are equal."""
    wiring, ids, initiators, root, crashing = world
    found = set()
    for g in itertools.permutations(range(n)):
        moved: list[Any] = [None] * n
        for i in range(n):
            moved[g[i]] = ids[i]
        wires = frozenset((g[s], p, g[t], q) for s, p, t, q in wiring)
        roles = (
            frozenset(g[i] for i in initiators),
            None if root is None else g[root],
            frozenset(g[i] for i in crashing),
        )
        found.add((wires, tuple(moved), *roles))
    return frozenset(found)


def plain(world: Any) -> Plain:
    crashing = frozenset(i for i in range(world.n) if world.may_crash(i))
    return links(world.shape), world.identifiers, world.initiators, world.root, crashing


TOPOLOGIES = [one_way_ring, two_way_ring, two_way_ring.unoriented, line, line.unoriented, star, star.unoriented]
TOPOLOGIES += [tree, any_graph, any_graph.unoriented, complete, complete.unoriented, mesh, hypercube]
TOPOLOGIES += [hypercube.oriented, mesh.oriented, torus.oriented, complete.oriented, chordal_ring(1, 2)]
TOPOLOGIES += [one_way_ring.unoriented, hypercube.oriented.unoriented, chordal_ring(1, 2).unoriented]
TOPOLOGIES += [mesh.oriented.unoriented]
SIZES = {str(mesh): (4,), str(hypercube): (1, 2, 4), str(any_graph.unoriented): (1, 2, 3)}
SIZES |= {str(complete.unoriented): (1, 2, 3), "hypercube:oriented": (1, 2, 4), "hypercube:unoriented": (1, 2, 4)}
SIZES |= {
    "mesh:oriented": (4,),
    "mesh:unoriented": (4,),
    "torus:oriented": (4,),
    "chordal_ring:1,2": (3, 4),
    "chordal_ring:1,2:unoriented": (3,),
}
IDENTIFIERS = ["unique", "any", "none", "from:4", (2, 7, 4, 3), (1, 1, 2, 2)]
INITIATORS = ["all", "each", "size:1", "size:2", (1,), (1, 3), (2, 3, 4)]


def cases() -> Iterator[Any]:
    for topology in TOPOLOGIES:
        for n in SIZES.get(str(topology), (1, 2, 3, 4)):
            yield pytest.param(topology, n, id=f"{topology}-{n}")


def policies(n: int, symmetry: bool = True) -> Iterator[Policy]:
    for ids, initiators in itertools.product(IDENTIFIERS, INITIATORS):
        policy = Policy(
            ids[:n] if isinstance(ids, tuple) else ids,
            tuple(p for p in initiators if p <= n) if isinstance(initiators, tuple) else initiators,
            symmetry,
        )
        if policy.initiators == () or (policy.initiators == "size:2" and n < 2):
            continue
        yield policy


def small_enough(topology: Topology, n: int, policy: Policy) -> bool:
    """All combinations up to n=3; at n=4 those that brute force can list."""
    if n < 4:
        return True
    many_namings = topology.any_port_names and topology.name not in ("line", "two_way_ring")
    many = many_namings or topology in (any_graph, tree)
    return not (policy.identifiers in ("any", "from:4") or policy.initiators == "each") or (
        not many and policy.initiators == "all" and not topology.any_port_names
    )


@pytest.mark.parametrize(("topology", "n"), list(cases()))
@pytest.mark.parametrize("knows", [(), ("root",), ("neighbours",)], ids=lambda known: "+".join(known) or "-")
def test_the_reduced_worlds_are_one_of_each_class_with_its_size_as_weight(
    topology: Topology, n: int, knows: tuple[str, ...], thorough: bool
) -> None:
    """The classes of all worlds, found by trying every permutation, against those the reduction explores."""
    if n == 4 and knows and not thorough:
        pytest.skip("every day up to three processes where something is known beside")
    protocol = definition(topology, *knows)
    for policy in policies(n):
        if not small_enough(topology, n, policy) or (n == 4 and knows and policy.identifiers == "any"):
            continue
        explores_one_of_each_class(protocol, policy, n)


def explores_one_of_each_class(protocol: Definition, policy: Policy, n: int) -> None:
    reduced = Worlds(protocol, protocol.topologies[0], n, policy)
    every = everything(protocol, n, policy)
    classes: dict[Plain, frozenset[Plain]] = {}
    sizes: Counter[frozenset[Plain]] = Counter()
    for world, times in every.items():
        standard = normal(world)
        if standard not in classes:
            classes.update(dict.fromkeys(orbit := images(standard, n), orbit))
        sizes[classes[standard]] += times
    weights: dict[frozenset[Plain], int] = {}
    for representative in reduced:
        orbit = images(normal(plain(representative)), n)
        assert orbit not in weights, f"{policy}: {representative} is a second one of its class"
        assert orbit in sizes, f"{policy}: {representative} is no world of this family"
        weights[orbit] = representative.weight
    assert weights == sizes, f"{policy}"
    assert reduced.represented == sum(weights.values()) == sum(every.values()), f"{policy}"


ROLES: list[tuple[Any, Any]] = [
    (1, "all"),
    (2, "all"),
    ("each", "others"),
    (2, "others"),
    ("each", (1,)),
    (1, (2, 3)),
    (2, (1, 2, 3)),
]


@pytest.mark.parametrize(("topology", "n"), [case for case in cases() if 1 < case.values[1] < 4])
@pytest.mark.parametrize("more", [(), ("neighbours",)], ids=["root", "root+neighbours"])
def test_so_they_are_where_the_root_is_named_and_those_that_may_crash(
    topology: Topology, n: int, more: tuple[str, ...]
) -> None:
    """The same for a root at a place, and for crashes of some: of all but the root, or of some by place."""
    protocol = definition(topology, "root", *more)
    for (root, crashing), ids, initiators in itertools.product(
        ROLES, ["unique", "none", (1, 1, 2)], ["all", "each", (1,)]
    ):
        places = tuple(place for place in crashing if place <= n) if isinstance(crashing, tuple) else crashing
        policy = Policy(ids[:n] if isinstance(ids, tuple) else ids, initiators, True, root, places)
        explores_one_of_each_class(protocol, policy, n)
        apart = list(Worlds(protocol, topology, n, replace(policy, symmetry=False)))
        assert Counter(map(plain, apart)) == everything(protocol, n, policy)


@pytest.mark.parametrize(("topology", "n"), list(cases()))
@pytest.mark.parametrize("knows", [(), ("root",), ("neighbours",), ("position",)], ids=lambda known: "+".join(known))
def test_without_symmetry_every_world_is_explored_once(topology: Topology, n: int, knows: tuple[str, ...]) -> None:
    """Against the nested loops; with `position` known no two worlds look alike, whatever was asked for."""
    protocol = definition(topology, *knows)
    for policy in policies(n, symmetry="position" in knows):
        if not small_enough(topology, n, policy) or str(policy.identifiers).startswith("from:") or (n == 4 and knows):
            continue
        if "position" in knows and policy.identifiers == "any":
            continue  # up to order type, which a position does not give away; see the next test
        worlds = list(Worlds(protocol, topology, n, policy))
        assert Counter(map(plain, worlds)) == everything(protocol, n, policy)
        assert {world.weight for world in worlds} <= {1}


def test_known_positions_leave_only_the_order_type() -> None:
    """3 processes, identifiers out of 1..4: the 24 assignments are 4 = C(4,3) of each of 3! order types."""
    worlds = list(Worlds(definition(one_way_ring, "position"), one_way_ring, 3, Policy("from:4")))
    assert sorted(world.identifiers for world in worlds) == sorted(itertools.permutations((1, 2, 3)))
    assert {world.weight for world in worlds} == {4}


def test_identifiers_that_are_integers_are_not_reduced_to_their_order_type() -> None:
    """A protocol that computes with identifiers tells 1, 2 from 1, 4. On a ring of 2 each set stands for 2 rotations."""
    worlds = list(Worlds(definition(one_way_ring, "integers"), one_way_ring, 2, Policy("from:4")))
    assert sorted(world.identifiers for world in worlds) == sorted(itertools.combinations((1, 2, 3, 4), 2))
    repeated = list(Worlds(definition(one_way_ring, "integers"), one_way_ring, 2, Policy("any")))
    assert sorted(world.identifiers for world in repeated) == [(1, 1), (1, 2), (2, 2)]


def test_a_ring_of_n_has_one_world_per_rotation_class() -> None:
    """(n-1)! of them, each standing for n assignments."""
    for n, classes in [(1, 1), (2, 1), (3, 2), (4, 6), (5, 24)]:
        weights = [world.weight for world in Worlds(definition(one_way_ring), one_way_ring, n, Policy())]
        assert weights == [n] * classes


def test_initiators_given_by_place_keep_every_assignment_of_a_square_ring() -> None:
    """p1 and p3 of four: only the half turn maps them onto themselves, so 4! assignments make 12 pairs."""
    worlds = list(Worlds(definition(one_way_ring), one_way_ring, 4, Policy(initiators=(1, 3))))
    assert [world.weight for world in worlds] == [2] * 12


def test_a_protocol_that_reads_more_than_the_order_of_identifiers_is_refused(run: Callable[..., Result]) -> None:
    """With identifiers out of 1..10 some process has one of two digits; if only 1..n were explored the claim would hold.
    Every step is run again under other identifiers of the same order, so the model is found out."""
    text = """
    class Model(Process):
        topology = one_way_ring
        x: int = 0
        @step
        def measure(self):
            self.require(self.x == 0)
            self.x = len(str(self.id))
    @always
    def one_digit(view):
        return all(p.x < 2 for p in view.processes)
    """
    for symmetry in (True, False):
        result = run(text, n=1, ids="from:10", symmetry=symmetry)
        assert (result.verdict, result.exit_code) == ("INCONCLUSIVE", 75)
        assert "more than the order of identifiers" in str(result.error)
