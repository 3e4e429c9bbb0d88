"""Boxes, ways, and how much of a way runs through a box. y grows downwards, as in SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]
Way = tuple[Point, ...]

BENDS = 14  # straight pieces that make a bent way


@dataclass(frozen=True)
class Box:
    """A rectangle with its sides along the axes."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def overlaps(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def around(point: Point, reach: float) -> Box:
    """The square that reaches so far from a point."""
    x, y = point
    return Box(x - reach, y - reach, x + reach, y + reach)


def bounds(way: Way) -> Box:
    """The least box around a way."""
    xs, ys = [x for x, _ in way], [y for _, y in way]
    return Box(min(xs), min(ys), max(xs), max(ys))


def crosses(one: Way, other: Way) -> bool:
    """Whether one way runs through the other. To touch it, or to begin or end on it, is not to cross it."""
    a, b = bounds(one), bounds(other)
    if a.right < b.left or b.right < a.left or a.bottom < b.top or b.bottom < a.top:
        return False
    return any(_cross(p, q, r, s) for p, q in pairwise(one) for r, s in pairwise(other))


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Point, b: Point, point: Point) -> float:
    """On which side of a line a point lies; 0 where it is as good as on it."""
    found = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
    return found if abs(found) > 1e-6 * (1 + math.dist(a, b)) else 0.0


def within(box: Box, way: Way) -> float:
    """The length of the part of a way that lies in a box."""
    return sum(_clipped(box, a, b) for a, b in pairwise(way))


def length(way: Way) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(way))


def along(way: Way, share: float) -> Point:
    """The point after this share of the length of a way."""
    left = share * length(way)
    for a, b in pairwise(way):
        piece = math.dist(a, b)
        if left <= piece and piece > 0:
            return _between(a, b, left / piece)
        left -= piece
    return way[-1]


def part(way: Way, begin: float, end: float) -> Way:
    """What lies between these shares of the length of a way."""
    total, passed = length(way), 0.0
    inner = []
    for a, b in pairwise(way):
        passed += math.dist(a, b)
        if begin * total < passed < end * total:
            inner.append(b)
    return (along(way, begin), *inner, along(way, end))


def at_height(way: Way, y: float) -> Point:
    """Where a way that runs down is at this height; its nearer end where it does not come there."""
    for a, b in pairwise(way):
        if a[1] <= y <= b[1] and b[1] > a[1]:
            return _between(a, b, (y - a[1]) / (b[1] - a[1]))
    return way[0] if y < way[0][1] else way[-1]


def bent(start: Point, end: Point, control: Point) -> Way:
    """The way of a quadratic curve."""
    way = []
    for number in range(BENDS + 1):
        t = number / BENDS
        way.append(_between(_between(start, control, t), _between(control, end, t), t))
    return tuple(way)


def distance(way: Way, points: Iterable[Point]) -> float:
    """How near a way comes to any of these points."""
    return min((_from_piece(point, a, b) for point in points for a, b in pairwise(way)), default=math.inf)


def _between(a: Point, b: Point, share: float) -> Point:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def _from_piece(point: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    share = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square if square else 0.0
    return math.dist(point, _between(a, b, min(1.0, max(0.0, share))))


def _clipped(box: Box, a: Point, b: Point) -> float:
    """By Y.-D. Liang and B. Barsky (1984)."""
    enter, leave = 0.0, 1.0
    dx, dy = b[0] - a[0], b[1] - a[1]
    for step, room in ((-dx, a[0] - box.left), (dx, box.right - a[0]), (-dy, a[1] - box.top), (dy, box.bottom - a[1])):
        if step == 0:
            if room < 0:
                return 0.0
        elif step < 0:
            enter = max(enter, room / step)
        else:
            leave = min(leave, room / step)
    return max(0.0, leave - enter) * math.dist(a, b)


def merged(numbers: Sequence[int]) -> list[list[int]]:
    """Ascending numbers as runs without a gap: 0, 1, 3 as [0, 1], [3]."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs
