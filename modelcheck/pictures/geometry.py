"""Boxes, and how much of a line runs through them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle with its sides along the axes; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def grown(self, by: float) -> Box:
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


def within(box: Box, points: Sequence[Point]) -> float:
    """The length of the part of a path that lies in a box."""
    return sum(_clipped(box, a, b) for a, b in itertools.pairwise(points))


def along(points: Sequence[Point], share: float) -> Point:
    """The point after this share of the length of a path."""
    lengths = [_length(a, b) for a, b in itertools.pairwise(points)]
    left = share * sum(lengths)
    for length, a, b in zip(lengths, points, points[1:], strict=False):
        if left <= length and length > 0:
            return (a[0] + (b[0] - a[0]) * left / length, a[1] + (b[1] - a[1]) * left / length)
        left -= length
    return points[-1]


def at_height(points: Sequence[Point], y: float) -> Point:
    """Where a path that runs down is at this height; its nearer end where it does not come there."""
    for a, b in itertools.pairwise(points):
        if a[1] <= y <= b[1] and b[1] > a[1]:
            share = (y - a[1]) / (b[1] - a[1])
            return (a[0] + (b[0] - a[0]) * share, y)
    return points[0] if y < points[0][1] else points[-1]


def _length(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def _clipped(box: Box, a: Point, b: Point) -> float:
    """By Liang and Barsky."""
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
    return max(0.0, leave - enter) * _length(a, b)
