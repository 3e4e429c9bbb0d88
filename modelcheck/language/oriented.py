"""Topologies with a sense of direction: at every process a port's name says the same of where it leads.

    hypercube.oriented        dimension(k) leads to the process whose place differs in bit k, from 1 on
    mesh, torus .oriented     NORTH, EAST, SOUTH, WEST; on the border of a mesh some are missing
    complete.oriented         chord(d) leads d processes further on around a ring through all of them
    chordal_ring(1, 2)        the same on a ring with additional links, to the processes 2 further on and 2 back

The last needs no `.oriented`: it is what its ports are called. `.unoriented` of each has the same names, anyhow at each process.
(N. Santoro, Design and Analysis of Distributed Algorithms, 2007, sections 1.5 and 3.4 to 3.6; P. Flocchini, B. Mans and
N. Santoro, Sense of direction: definitions, properties, and classes, Networks 32(3), 1998)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ..errors import AssumptionError, UsageError
from ..later import Later
from ..pulse import attended
from .topology import TOPOLOGIES, Link, Shape, Topology, complete, described, hypercube, mesh, torus
from .values import EAST, NORTH, SOUTH, WEST, Misuse, Port, chord, dimension

if TYPE_CHECKING:
    import networkx as nx
    from networkx.algorithms import isomorphism
else:
    nx, isomorphism = Later("networkx"), Later("networkx.algorithms.isomorphism")

WAYS = ((NORTH, -1, 0), (EAST, 0, 1), (SOUTH, 1, 0), (WEST, 0, -1))
OPPOSITE = {NORTH: SOUTH, EAST: WEST, SOUTH: NORTH, WEST: EAST}


def _shape(name: str, n: int, links: Iterable[Link]) -> Shape:
    """The shape of these links, among which is the way back of each."""
    found = tuple(sorted(links))
    ports: list[list[Port]] = [[] for _ in range(n)]
    for link in found:
        ports[link.source].append(link.out_port)
    return Shape(name, n, found, tuple(map(tuple, ports)))


# --- meshes and tori -------------------------------------------------------------------------------------------------


def compass(rows: int, columns: int, wraps: bool) -> Shape:
    """The mesh or torus of so many rows and columns, numbered row by row from the north-west. Where a torus has two of them, two links lead
    from one to the other."""
    least, kind = (2, "torus") if wraps else (1, "mesh")
    if min(rows, columns) < least:
        raise UsageError(f"a {kind} needs sides of at least {least}, not {rows} x {columns}")

    def links() -> Iterator[Link]:
        for here in attended(range(rows * columns)):
            for port, down, right in WAYS:
                row, column = here // columns + down, here % columns + right
                if wraps or (0 <= row < rows and 0 <= column < columns):
                    yield Link(here, port, row % rows * columns + column % columns, OPPOSITE[port])

    return _shape(f"{kind} {rows} x {columns}", rows * columns, links())


def _compasses(wraps: bool) -> Callable[[int], Iterator[Shape]]:
    """Every a x b grid: 2 x 3 and 3 x 2 are not alike where north is not east."""
    kind = "torus" if wraps else "mesh"

    def shapes(n: int) -> Iterator[Shape]:
        sides = [(a, n // a) for a in range(2, n // 2 + 1) if n % a == 0]
        if not sides:
            raise UsageError(f"no {kind} has {n} processes (both sides at least 2); try --graph {kind}:2x3")
        for rows, columns in sides:
            yield compass(rows, columns, wraps)

    return shapes


# --- hypercubes ------------------------------------------------------------------------------------------------------


def _hypercubes(n: int) -> Iterator[Shape]:
    [plain] = hypercube.shapes(n)
    ports = [(k, dimension(k + 1)) for k in range(n.bit_length() - 1)]
    links = (Link(here, port, here ^ (1 << k), port) for here in attended(range(n)) for k, port in ports)
    yield _shape(plain.name, n, links)


# --- complete graphs and chordal rings -------------------------------------------------------------------------------


def _around(name: str, n: int, distances: Iterable[int]) -> Shape:
    """A ring with links to the processes at these distances, both ways."""
    lengths = sorted({way for distance in distances for way in (distance, n - distance)})
    links = (
        Link(here, chord(length), (here + length) % n, chord(n - length))
        for here in attended(range(n))
        for length in lengths
    )
    return _shape(name, n, links)


def _complete(n: int) -> Iterator[Shape]:
    yield _around(f"complete graph of {n}", n, range(1, n))


def chordal_ring(*distances: int) -> Topology:
    """A ring with chords: a link both ways between any two processes at one of these distances, of which the first is 1.

    Its ports are called by how far they lead around the ring: chord(d), and chord(n - d) back.
    """
    if not distances or any(type(d) is not int for d in distances) or distances != tuple(sorted({1, *distances})):
        raise Misuse(
            f"there is no chordal ring of the distances {', '.join(map(str, distances)) or 'none'}",
            "they are numbers in ascending order, and the first is 1: the ring itself",
            "write chordal_ring(1, 2)",
        )
    listed = ",".join(map(str, distances))

    def shapes(n: int) -> Iterator[Shape]:
        if n <= distances[-1]:
            raise UsageError(f"a chordal ring <{listed}> needs more than {distances[-1]} processes, not {n}")
        yield _around(f"chordal ring <{listed}> of {n}", n, distances)

    summary = "a ring with chords; chord(d) leads d processes further on"
    return Topology(f"chordal_ring:{listed}", summary, shapes, _recognise("chordal ring", shapes))


# --- members among graphs that have no names for ports ----------------------------------------------------------------


def _recognise(kind: str, shapes: Callable[[int], Iterator[Shape]]) -> Callable[[nx.Graph], Shape]:
    def recognise(graph: nx.Graph) -> Shape:
        """The first member that it is, laid onto its nodes in the first way that fits: all other ways to name its ports are turns of this."""
        nodes = sorted(graph)
        try:
            members = list(shapes(len(nodes)))
        except UsageError:
            members = []
        for shape in members:
            plain = shape.graph()
            matcher = isomorphism.GraphMatcher(plain, graph)
            if 2 * plain.number_of_edges() == len(shape.links) and matcher.is_isomorphic():
                place = {own: nodes.index(node) for own, node in matcher.mapping.items()}
                links = (Link(place[k.source], k.out_port, place[k.target], k.in_port) for k in shape.links)
                return _shape(shape.name, shape.n, links)
        raise AssumptionError(f"{described(graph)} is not a {kind}")

    return recognise


def _directed(family: Topology, shapes: Callable[[int], Iterator[Shape]], ports: str) -> Topology:
    recognise = _recognise(f"{family.name} with a sense of direction", shapes)
    return Topology(family.name, f"{family.summary}; {ports}", shapes, recognise, labelled=True)


ORIENTED: dict[str, Topology] = {
    **{name: TOPOLOGIES[name] for name in ("one_way_ring", "two_way_ring")},
    "mesh": _directed(mesh, _compasses(False), "ports are NORTH, EAST, SOUTH, WEST"),
    "torus": _directed(torus, _compasses(True), "ports are NORTH, EAST, SOUTH, WEST"),
    "hypercube": _directed(hypercube, _hypercubes, "ports are dimension(1) to dimension(d)"),
    "complete": _directed(complete, _complete, "ports are chord(1) to chord(n - 1)"),
}
