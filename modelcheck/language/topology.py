"""Topologies: families of graphs with numbered ports.

A *shape* is one such graph: its links lead from an out-port of one process to an in-port of another. A *topology*
is the family of shapes a protocol is written for (every ring, every tree, every connected graph), by number of
processes; it also recognises its members among graphs that come from a file.

Port names are local. Where a topology is `unoriented`, every naming of the ports is a system of its own, so a protocol
that claims to need no sense of direction is checked against all of them. Where it is `oriented`, ports have names on which
all processes agree (oriented.py): rings are, and others where that is asked for.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from ..errors import AssumptionError, UsageError
from ..later import Later
from ..pulse import attended
from .values import NEXT, PREVIOUS, Misuse, Port

if TYPE_CHECKING:
    import networkx as nx
else:
    nx = Later("networkx")


@dataclass(frozen=True, order=True)
class Link:
    """One direction of a channel; processes are numbered from 0."""

    source: int
    out_port: Port
    target: int
    in_port: Port


@dataclass(frozen=True)
class Shape:
    """One graph with numbered ports: `ports[i]` are those process i can send on."""

    name: str
    n: int
    links: tuple[Link, ...]
    ports: tuple[tuple[Port, ...], ...]

    @cached_property
    def in_ports(self) -> tuple[tuple[Port, ...], ...]:
        """The ports by which messages reach each process."""
        arriving: list[list[Port]] = [[] for _ in range(self.n)]
        for link in self.links:
            arriving[link.target].append(link.in_port)
        return tuple(tuple(sorted(ports)) for ports in arriving)

    @cached_property
    def answers(self) -> tuple[tuple[Port | None, ...], ...]:
        """For each in-port of each process the out-port of the two-way link it belongs to."""
        return tuple(
            tuple(next((port for port in out if port == in_port), None) for in_port in ports)
            for ports, out in zip(self.in_ports, self.ports, strict=True)
        )

    def graph(self) -> nx.Graph:
        """The undirected simple graph underneath, for recognition."""
        graph = nx.Graph()
        graph.add_nodes_from(range(self.n))
        graph.add_edges_from((link.source, link.target) for link in self.links)
        return graph

    def renamed(self, naming: tuple[tuple[int, ...], ...]) -> Shape:
        """The same graph with the ports of process i permuted: old port k is called naming[i][k]."""

        def new(process: int, port: Port) -> Port:
            ports = self.ports[process]
            return ports[naming[process][ports.index(port)]] if port in ports else port

        links = tuple(
            sorted(
                Link(link.source, new(link.source, link.out_port), link.target, new(link.target, link.in_port))
                for link in self.links
            )
        )
        return replace(self, links=links)

    def namings(self) -> Iterator[tuple[tuple[int, ...], ...]]:
        """Every naming of the ports, the given one first."""
        return itertools.product(*(tuple(itertools.permutations(range(len(ports)))) for ports in self.ports))


@dataclass(frozen=True)
class Topology:
    """A family of shapes. `shapes(n)` yields each member with n processes; `recognise(graph)` finds the member
    that a given graph is, or raises AssumptionError with the reason why it is none. `labelled`: its ports are named by direction, where
    those of the family of this name are not."""

    name: str
    summary: str
    shapes: Callable[[int], Iterator[Shape]]
    recognise: Callable[[nx.Graph], Shape]
    any_port_names: bool = False
    labelled: bool = False

    @property
    def oriented(self) -> Topology:
        """The same family with ports on whose names all processes agree (a sense of direction). Raises Misuse where there is none."""
        from .oriented import ORIENTED  # which is made of what stands here

        if self.name not in ORIENTED:
            raise Misuse(
                f"a {self.name} has no sense of direction",
                f"there are names for the ports of {', '.join(ORIENTED)}",
                "leave out .oriented",
            )
        return ORIENTED[self.name]

    @property
    def unoriented(self) -> Topology:
        """The same family under every naming of the ports (no sense of direction)."""
        return replace(self, any_port_names=True)

    def __str__(self) -> str:
        return self.name + (":unoriented" if self.any_port_names else ":oriented" if self.labelled else "")


# --- rings -------------------------------------------------------------------------------------------------------


def _one_way_ring(n: int) -> Iterator[Shape]:
    links = tuple(Link(i, NEXT, (i + 1) % n, PREVIOUS) for i in range(n))
    yield Shape(f"one-way ring of {n}", n, links, ((NEXT,),) * n)


def _two_way_ring(n: int) -> Iterator[Shape]:
    forth = [Link(i, NEXT, (i + 1) % n, PREVIOUS) for i in range(n)]
    back = [Link(link.target, link.in_port, link.source, link.out_port) for link in forth]
    yield Shape(f"two-way ring of {n}", n, tuple(sorted(forth + back)), ((NEXT, PREVIOUS),) * n)


def _recognise_ring(build: Callable[[int], Iterator[Shape]], kind: str) -> Callable[[nx.Graph], Shape]:
    def recognise(graph: nx.Graph) -> Shape:
        n = graph.number_of_nodes()
        edges = graph.number_of_edges()
        ring = nx.is_connected(graph) and (
            (n <= 2 and edges == n - 1) or (n >= 3 and all(degree == 2 for _, degree in graph.degree()))
        )
        if not ring:
            raise AssumptionError(f"{described(graph)} is not a {kind}")
        return next(build(n))

    return recognise


one_way_ring = Topology(
    "one_way_ring",
    "a ring; each process sends to NEXT and receives from PREVIOUS",
    _one_way_ring,
    _recognise_ring(_one_way_ring, "ring"),
)
two_way_ring = Topology(
    "two_way_ring",
    "a ring with links both ways; NEXT and PREVIOUS are consistent around it",
    _two_way_ring,
    _recognise_ring(_two_way_ring, "ring"),
)


# --- undirected graphs -------------------------------------------------------------------------------------------


def undirected(graph: nx.Graph, name: str) -> Shape:
    """A shape with a two-way link for each edge; ports are numbered in the order of the neighbours."""
    nodes = sorted(graph)
    number = {node: i for i, node in enumerate(nodes)}
    around = [sorted(number[other] for other in graph[node]) for node in nodes]
    ports = tuple(tuple(Port(k) for k in range(len(others))) for others in around)
    links = tuple(
        Link(i, ports[i][k], j, ports[j][around[j].index(i)])
        for i, others in attended(enumerate(around))
        for k, j in enumerate(others)
    )
    return Shape(name, len(nodes), links, ports)


def _edges(graph: nx.Graph) -> str:
    return (
        " ".join(f"{a + 1}-{b + 1}" for a, b in sorted(tuple(sorted(edge)) for edge in graph.edges())) or "one process"
    )


def described(graph: nx.Graph) -> str:
    """The graph in a few words, for errors."""
    edges = graph.number_of_edges()
    shown = f" ({_edges(nx.convert_node_labels_to_integers(graph, ordering='sorted'))})" if edges <= 12 else ""
    return f"the graph with {graph.number_of_nodes()} processes and {edges} links{shown}"


def _family(
    name: str,
    summary: str,
    graphs: Callable[[int], Iterator[nx.Graph]],
    title: Callable[[nx.Graph], str],
    member: Callable[[nx.Graph], bool],
) -> Topology:
    def shapes(n: int) -> Iterator[Shape]:
        for graph in attended(graphs(n)):
            yield undirected(graph, title(graph))

    def recognise(graph: nx.Graph) -> Shape:
        if not member(graph):
            raise AssumptionError(f"{described(graph)} is not a {name.replace('_', ' ')}")
        return undirected(graph, title(graph))

    return Topology(name, summary, shapes, recognise)


def _isomorphic_to(graphs: Callable[[int], Iterator[nx.Graph]]) -> Callable[[nx.Graph], bool]:
    def member(graph: nx.Graph) -> bool:
        try:
            return any(nx.is_isomorphic(graph, other) for other in attended(graphs(graph.number_of_nodes())))
        except UsageError:
            return False

    return member


def _grids(periodic: bool) -> Callable[[int], Iterator[nx.Graph]]:
    """Every a x b grid with 2 <= a <= b (3 <= a for a torus, which has parallel links otherwise)."""
    least = 3 if periodic else 2
    kind = "torus" if periodic else "mesh"

    def graphs(n: int) -> Iterator[nx.Graph]:
        sides = [(a, n // a) for a in range(least, math.isqrt(n) + 1) if n % a == 0]
        if not sides:
            raise UsageError(
                f"no {kind} has {n} processes (both sides at least {least}); try --graph {kind}:{least}x{least + 1}"
            )
        for a, b in sides:
            yield grid(a, b, periodic)

    return graphs


def grid(a: int, b: int, periodic: bool) -> nx.Graph:
    """The a x b mesh or torus, its nodes numbered row by row; `graph["title"]` names it."""
    least, kind = (3, "torus") if periodic else (1, "mesh")
    if min(a, b) < least:
        raise UsageError(f"a {kind} needs sides of at least {least}, not {a} x {b}")
    graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(a, b, periodic=periodic), ordering="sorted")
    graph.graph["title"] = f"{kind} {a} x {b}"
    return graph


def _hypercubes(n: int) -> Iterator[nx.Graph]:
    dimension = n.bit_length() - 1
    if n != 1 << dimension:
        raise UsageError(
            f"no hypercube has {n} processes; it needs a power of two, such as {1 << dimension} or {2 << dimension}"
        )
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((i, i ^ (1 << k)) for i in range(n) for k in range(dimension))
    yield graph


def _trees(n: int) -> Iterator[nx.Graph]:
    if n == 1:
        yield nx.path_graph(1)
    else:
        yield from nx.nonisomorphic_trees(n)


ATLAS_LIMIT = 7  # the NetworkX graph atlas lists every graph up to this size


def _connected_graphs(n: int) -> Iterator[nx.Graph]:
    if n > ATLAS_LIMIT:
        raise UsageError(
            f"'every connected graph' is offered up to {ATLAS_LIMIT} processes; name one with --graph, "
            f"such as --graph complete --n {n} or --graph FILE"
        )
    yield from _atlas(n)


@cache
def _atlas(n: int) -> tuple[nx.Graph, ...]:
    """The connected graphs of the atlas with n nodes. Kept, for reading the whole atlas takes long."""
    atlas = (graph for graph in nx.graph_atlas_g() if graph.number_of_nodes() == n)
    return tuple(graph for graph in atlas if nx.is_connected(graph))


def _single(make: Callable[[int], nx.Graph]) -> Callable[[int], Iterator[nx.Graph]]:
    return lambda n: iter((make(n),))


def _line(n: int) -> nx.Graph:
    return nx.path_graph(n)


def _star(n: int) -> nx.Graph:
    graph: nx.Graph = nx.star_graph(n - 1)
    return graph


def _named(kind: str) -> Callable[[nx.Graph], str]:
    return lambda graph: graph.graph.get("title") or f"{kind} of {graph.number_of_nodes()}"


def _listed(kind: str) -> Callable[[nx.Graph], str]:
    return lambda graph: f"{kind} {_edges(nx.convert_node_labels_to_integers(graph, ordering='sorted'))}"


def _connected(graph: nx.Graph) -> bool:
    return graph.number_of_nodes() > 0 and bool(nx.is_connected(graph))


line = _family("line", "processes in a row", _single(_line), _named("line"), _isomorphic_to(_single(_line)))
star = _family("star", "one process in the middle", _single(_star), _named("star"), _isomorphic_to(_single(_star)))
tree = _family("tree", "every tree", _trees, _listed("tree"), lambda graph: _connected(graph) and nx.is_tree(graph))
mesh = _family("mesh", "an a x b grid (mesh:2x3)", _grids(False), _named("mesh"), _isomorphic_to(_grids(False)))
torus = _family("torus", "an a x b grid that wraps around", _grids(True), _named("torus"), _isomorphic_to(_grids(True)))
hypercube = _family(
    "hypercube", "2^d processes, d links each", _hypercubes, _named("hypercube"), _isomorphic_to(_hypercubes)
)
any_graph = _family("any_graph", "every connected graph", _connected_graphs, _listed("graph"), _connected)


# --- complete graphs ---------------------------------------------------------------------------------------------


def _complete(n: int) -> Iterator[Shape]:
    """Port k leads k+1 processes further on, so that every process sees the same numbering."""
    ports = tuple(Port(k) for k in range(n - 1))
    links = tuple(
        Link(i, ports[k], (i + k + 1) % n, ports[n - k - 2]) for i in attended(range(n)) for k in range(n - 1)
    )
    yield Shape(f"complete graph of {n}", n, links, (ports,) * n)


def _recognise_complete(graph: nx.Graph) -> Shape:
    n = graph.number_of_nodes()
    if graph.number_of_edges() != n * (n - 1) // 2:
        raise AssumptionError(f"{described(graph)} is not a complete graph")
    return next(_complete(n))


complete = Topology("complete", "a link between any two processes", _complete, _recognise_complete)

TOPOLOGIES: dict[str, Topology] = {
    topology.name: topology
    for topology in (one_way_ring, two_way_ring, line, star, tree, mesh, torus, hypercube, complete, any_graph)
}
