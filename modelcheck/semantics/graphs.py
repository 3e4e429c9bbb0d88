"""The graph a run is asked for: a topology by name, or a file, as graphs that the model is written for."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import AssumptionError, UsageError, nearest
from ..language.definition import Definition
from ..language.oriented import chordal_ring, compass
from ..language.topology import TOPOLOGIES, Shape, Topology, grid, undirected
from ..language.values import Misuse
from ..later import Later
from ..pulse import attended
from ..text.typed import is_file, natural

if TYPE_CHECKING:
    import networkx as nx
else:
    nx = Later("networkx")

DEFAULT_N = 3
MOST = 100_000  # processes: the states of more are nothing that could be searched


def graphs_asked_for(
    text: str | None, definition: Definition, sizes: tuple[int, ...]
) -> tuple[Topology, tuple[Shape, ...]]:
    """The topology, and the graphs where some were asked for other than the topology's own family."""
    default = definition.topologies[0]
    if text is None:
        return default, ()
    if is_file(text):
        return default, (_recognised(definition, read_graph(Path(text))),)
    name, family, detail = _family(text)
    unoriented = detail == "unoriented"
    if detail not in ("", "unoriented", "oriented"):
        sides = [natural(side) for side in detail.split("x")]
        if name in ("mesh", "torus") and len(sides) == 2 and None not in sides:
            rows, columns = sides
            assert rows is not None
            assert columns is not None
            if rows * columns > MOST:
                raise UsageError(f"--graph {name} of more than {MOST:,} processes: that is more than there may be")
            own = next((own for own in definition.topologies if own.name == name and own.labelled), None)
            if own is not None:
                return own, (compass(rows, columns, name == "torus"),)
            graph = grid(rows, columns, name == "torus")
            return default, (_recognised(definition, graph, family),)
        raise UsageError(
            f"--graph {text}: after the colon stands 'unoriented' or 'oriented', or for mesh and torus the sides, as in mesh:2x3"
        )
    for own in definition.topologies:
        if own.name == name and (own.labelled or detail != "oriented"):
            return (
                own.unoriented if unoriented else replace(own, any_port_names=own.any_port_names and text == str(own))
            ), ()
    if detail == "oriented":
        raise UsageError(
            f"--graph {text}: {definition.name} is written for {' or '.join(map(str, definition.topologies))}, and knows no directions"
        )
    if name == "one_way_ring":
        raise _one_way(definition)
    shapes = tuple(
        _recognised(definition, _simple(shape), family)
        for size in attended(sizes or (DEFAULT_N,))
        for shape in family.shapes(size)
    )
    return (default.unoriented if unoriented else default), shapes


def _family(text: str) -> tuple[str, Topology, str]:
    """The name of a topology, the topology, and what stands behind it."""
    name, _, detail = text.partition(":")
    if name == "chordal_ring":
        distances, _, detail = detail.partition(":")
        numbers = [natural(distance) for distance in distances.split(",")]
        try:
            family = chordal_ring(*(number or 0 for number in numbers))
        except Misuse as misuse:
            raise UsageError(f"--graph {text}: {misuse.what}; name one as in chordal_ring:1,2") from None
        return family.name, family, detail
    if name not in TOPOLOGIES:
        raise UsageError(f"there is no graph {text!r}: neither a file nor a topology; {nearest(name, TOPOLOGIES)}")
    return name, TOPOLOGIES[name], detail


def _one_way(definition: Definition) -> AssumptionError:
    """Every other topology has links both ways: as one of those, a one-way ring would be something else."""
    written = " or ".join(topology.name for topology in definition.topologies)
    hint = "; try --graph two_way_ring" if "any_graph" in written else ""
    return AssumptionError(
        f"{definition.name} is written for {written} and needs links both ways; those of a one_way_ring lead one way{hint}"
    )


def _simple(shape: Shape) -> nx.Graph:
    """The graph underneath, without the link of a process to itself that a ring of one has."""
    graph = shape.graph()
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


def _recognised(definition: Definition, graph: nx.Graph, family: Topology | None = None) -> Shape:
    """The graph as a member of a topology the model is written for. Raises AssumptionError where it is none."""
    reasons = []
    for topology in definition.topologies:
        try:
            shape = topology.recognise(graph)
            if topology.name == "any_graph" and family is not None:
                return undirected(graph, family.recognise(graph).name)
            return shape
        except AssumptionError as error:
            reasons.append(str(error))
    raise AssumptionError(
        f"{definition.name} is written for {' or '.join(map(str, definition.topologies))}; {reasons[0]}"
    )


def read_graph(path: Path) -> nx.Graph:
    """An edge list or GraphML file. Raises UsageError where it is neither, AssumptionError for what no model takes."""
    graph = _graphml(path) if path.suffix.lower() == ".graphml" else _edge_list(path)
    if graph.number_of_nodes() == 0:
        raise UsageError(f"{path} has no nodes in it")
    if nx.number_of_selfloops(graph):
        raise AssumptionError(f"{path} links a process with itself")
    if graph.is_directed() and any(not graph.has_edge(b, a) for a, b in graph.edges()):
        raise AssumptionError(f"{path} is a directed graph: links lead both ways here")
    graph = nx.Graph(graph)
    names = list(graph)
    numeric = all(str(name).removeprefix("-").isdecimal() for name in names)
    ranked = sorted(names, key=int) if numeric else sorted(names)
    simple = nx.relabel_nodes(graph, {name: i for i, name in enumerate(ranked)})
    if not nx.is_connected(simple):
        raise AssumptionError(f"the graph in {path} is not connected")
    return simple


def _graphml(path: Path) -> nx.Graph:
    try:
        return nx.read_graphml(path)
    except Exception as error:
        raise UsageError(f"{path} is no GraphML file: {error}") from None


def _edge_list(path: Path) -> nx.Graph:
    """Two names a line. Read here, for NetworkX passes over lines that are none: the verdict would be about another graph."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no edge list: {error}") from None
    graph = nx.Graph()
    for number, line in enumerate(lines, 1):
        names = list(takewhile(lambda word: not word.startswith("#"), line.split()))
        if len(names) not in (0, 2):
            shown = " ".join(names)
            raise UsageError(f'{path}:{number}: "{shown:.60}" is not an edge: write two names')
        if names:
            graph.add_edge(*names)
    return graph
