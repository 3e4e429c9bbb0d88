"""Where the processes of a system stand in a picture: as people draw such a graph, told by its links and not by its name.

A mesh, a torus and a hypercube are known by their names, and only believed where the links are those of one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import combinations

from ...language.topology import Shape
from ..geometry import Point

# What each dimension of a hypercube adds to a place.
_AXES = ((1.0, 0.0), (0.0, 1.0), (0.42, -0.42), (2.1, -0.9))
_APART = 0.55  # of the length of a link: nearer to each other no two processes stand


def places(shape: Shape) -> list[Point]:
    """The place of each process, the shortest link one long; y grows downwards."""
    known = _Neighbours(shape)
    for find in (_row, _around, _hub, _layers, _grid, _cube, _complete, _sprung):
        found = find(known)
        if found is not None:
            return _scaled(known, found)
    return _scaled(known, _circle(range(shape.n)))


class _Neighbours:
    """The graph underneath, without directions, ports and links of a process to itself."""

    def __init__(self, shape: Shape) -> None:
        self.n, self.name = shape.n, shape.name
        self.of: list[list[int]] = [[] for _ in range(self.n)]
        for a, b in sorted({(link.source, link.target) for link in shape.links}):
            for one, other in ((a, b), (b, a)):
                if other != one and other not in self.of[one]:
                    self.of[one].append(other)
        self.edges = [(a, b) for a in range(self.n) for b in self.of[a] if a < b]

    def along(self, first: int) -> list[int]:
        """The processes in the order of a walk that goes on as long as it meets new ones."""
        found = [first]
        while (following := next((k for k in self.of[found[-1]] if k not in found), None)) is not None:
            found.append(following)
        return found

    def distances(self, first: int) -> dict[int, int]:
        found = {first: 0}
        for process in (waiting := [first]):
            for other in self.of[process]:
                if other not in found:
                    found[other] = found[process] + 1
                    waiting.append(other)
        return found


Places = list[Point]


def _row(known: _Neighbours) -> Places | None:
    ends = [k for k in range(known.n) if len(known.of[k]) <= 1]
    if not ends or len(order := known.along(ends[0])) < known.n or len(known.edges) != known.n - 1:
        return None
    return [(float(order.index(k)), 0.0) for k in range(known.n)]


def _around(known: _Neighbours) -> Places | None:
    if any(len(near) != 2 for near in known.of) or len(order := known.along(0)) < known.n:
        return None
    return _circle(order)


def _hub(known: _Neighbours) -> Places | None:
    middle = [k for k in range(known.n) if len(known.of[k]) == known.n - 1]
    if len(middle) != 1 or len(known.edges) != known.n - 1:
        return None
    around = _circle([k for k in range(known.n) if k != middle[0]])
    return [*around[: middle[0]], (0.0, 0.0), *around[middle[0] :]]


def _layers(known: _Neighbours) -> Places | None:
    """A tree hangs from a process in its middle: leaves side by side, and each other above the middle of those below it."""
    if len(known.edges) != known.n - 1 or len(known.distances(0)) < known.n:
        return None
    root = min(range(known.n), key=lambda k: (max(known.distances(k).values()), -len(known.of[k]), k))
    depth = known.distances(root)
    xs: dict[int, float] = {}
    leaves = 0
    for process in _bottom_up(known, root):
        below = [xs[k] for k in known.of[process] if depth[k] > depth[process]]
        xs[process] = (min(below) + max(below)) / 2 if below else float(leaves)
        leaves += not below
    return [(xs[k], depth[k] * 0.95) for k in range(known.n)]


def _bottom_up(known: _Neighbours, root: int, above: int = -1) -> list[int]:
    found, waiting = [], [(root, above)]
    while waiting:
        process, parent = waiting.pop()
        found.append(process)
        waiting += [(k, process) for k in known.of[process] if k != parent]
    return found[::-1]


def _grid(known: _Neighbours) -> Places | None:
    named = re.fullmatch(r"(?:mesh|torus) (\d{1,4}) x (\d{1,4})", known.name)
    if named is None:
        return None
    rows, columns = int(named[1]), int(named[2])
    if rows * columns != known.n:
        return None
    where = [divmod(k, columns) for k in range(known.n)]
    for a, b in known.edges:
        down, right = abs(where[a][0] - where[b][0]), abs(where[a][1] - where[b][1])
        if (down, right) not in ((0, 1), (1, 0), (0, columns - 1), (rows - 1, 0)):
            return None
    return [(float(column), float(row)) for row, column in where]


def _cube(known: _Neighbours) -> Places | None:
    dimension = known.n.bit_length() - 1
    if known.n != 1 << dimension or dimension > len(_AXES):
        return None
    if len(known.edges) * 2 != known.n * dimension or any((a ^ b).bit_count() != 1 for a, b in known.edges):
        return None
    bits = [[axis for k, axis in enumerate(_AXES) if process >> k & 1] for process in range(known.n)]
    return [(sum(x for x, _ in axes), sum(y for _, y in axes)) for axes in bits]


def _complete(known: _Neighbours) -> Places | None:
    return _circle(range(known.n)) if len(known.edges) == known.n * (known.n - 1) // 2 else None


def _sprung(known: _Neighbours) -> Places | None:
    """Any other graph, as if its links were springs (T. Kamada and S. Kawai, An algorithm for drawing general undirected
    graphs, 1989), begun on a circle; rounded, so that the last digits of a computation do not matter."""
    if len(known.distances(0)) < known.n or known.n > 40:
        return None
    import networkx as nx

    graph = nx.Graph(known.edges)
    begin = dict(enumerate(_circle(range(known.n))))
    found = nx.kamada_kawai_layout(graph, pos=begin, scale=1.0)
    return [(round(float(found[k][0]), 2), round(float(found[k][1]), 2)) for k in range(known.n)]


def _circle(order: Sequence[int]) -> Places:
    """On a circle, clockwise from its top; of those named, each at its rank among all of them."""
    turns = {process: 2 * math.pi * k / len(order) for k, process in enumerate(order)}
    return [(math.sin(turns[k]), -math.cos(turns[k])) for k in sorted(turns)]


def _scaled(known: _Neighbours, found: Places) -> Places:
    """The shortest link one long, and nobody too near to anybody."""
    links = [math.dist(found[a], found[b]) for a, b in known.edges]
    apart = [math.dist(a, b) / _APART for a, b in combinations(found, 2)] if len(found) <= 60 else []
    least = min((d for d in (*links, *apart) if d > 1e-9), default=1.0)
    return [(x / least, y / least) for x, y in found]
