"""Which processes of a graph with named ports can stand for each other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from ..errors import AssumptionError
from ..language.topology import Shape
from ..pulse import attended

Permutation = tuple[int, ...]


def neighbourhood(shape: Shape) -> tuple[dict[tuple[str, int], tuple[int, int]], ...]:
    """For each process what lies behind each of its ports, sending and receiving ones told apart."""
    table: tuple[dict[tuple[str, int], tuple[int, int]], ...] = tuple({} for _ in range(shape.n))
    for link in shape.links:
        table[link.source]["to", link.out_port] = (link.target, link.in_port)
        table[link.target]["from", link.in_port] = (link.source, link.out_port)
    return table


def walk(shape: Shape, start: int) -> list[int]:
    """The processes in the order in which a walk from `start` that tries ports in order finds them.

    Raises AssumptionError when the graph is not connected.
    """
    table = neighbourhood(shape)
    found, known = [start], {start}
    for process in found:
        for port in sorted(table[process]):
            other = table[process][port][0]
            if other not in known:
                found.append(other)
                known.add(other)
    if len(found) < shape.n:
        raise AssumptionError(f"the {shape.name} is not connected")
    return found


def code_of(shape: Shape, start: int) -> tuple[object, ...]:
    """What the graph looks like from `start`: equal codes mean isomorphic, port names included."""
    found = walk(shape, start)
    number = {process: k for k, process in enumerate(found)}
    table = neighbourhood(shape)
    return tuple(
        tuple((port, number[other], far) for port, (other, far) in sorted(table[process].items())) for process in found
    )


def automorphisms(shape: Shape) -> list[Permutation]:
    """Every permutation of the processes that keeps links and port names, the identity first.

    g[i] is where process i goes; on a ring with consistent ports these are the rotations.
    """
    table = neighbourhood(shape)
    behind = [[(port, *table[process][port]) for port in sorted(table[process])] for process in range(shape.n)]
    walked = walk(shape, 0)
    images = (_carried(walked, behind, start) for start in attended(range(shape.n)))
    return [image for image in images if image is not None]


def _carried(walked: list[int], behind: list[list[tuple[tuple[str, int], int, int]]], start: int) -> Permutation | None:
    """The automorphism that takes the first process of those walked to, in order, to `start`; None where there is none. `behind` has for each
    process what lies behind its ports: the port, the other process, and the port there."""
    image = {walked[0]: start}
    for process in walked:  # the image of each is known when the walk comes to it
        here, there = behind[process], behind[image[process]]
        if len(here) != len(there):
            return None
        for (port, other, far), (port_there, other_there, far_there) in zip(here, there, strict=True):
            if port != port_there or far != far_there or image.setdefault(other, other_there) != other_there:
                return None
    return tuple(image[process] for process in range(len(walked))) if len(set(image.values())) == len(walked) else None


def keeps(g: Permutation, fixed: Sequence[object]) -> bool:
    """Whether what stands at each place stands at its image too."""
    return all(fixed[g[i]] == fixed[i] for i in range(len(g)))


def unnamed_automorphisms(shape: Shape, fixed: Sequence[object]) -> int:
    """How many automorphisms that keep `fixed` the graph has when its ports have no names.

    They are counted on the ends of links: where links are parallel, or lead from a process to itself, changing these counts as well.
    """
    from networkx import DiGraph
    from networkx.algorithms.isomorphism import DiGraphMatcher, numerical_edge_match

    parallel = Counter((link.source, link.target) for link in shape.links)
    graph = DiGraph()
    graph.add_nodes_from(range(shape.n))
    graph.add_weighted_edges_from((*ends, many) for ends, many in parallel.items())
    matcher = DiGraphMatcher(graph, graph, edge_match=numerical_edge_match("weight", 1))
    kept = sum(keeps(tuple(g[i] for i in range(shape.n)), fixed) for g in attended(matcher.isomorphisms_iter()))
    to_others = (math.factorial(many) for (source, target), many in parallel.items() if source < target)
    loops = (many // 2 for (source, target), many in parallel.items() if source == target)  # each can be turned, too
    return kept * math.prod(to_others) * math.prod(math.factorial(many) << many for many in loops)
