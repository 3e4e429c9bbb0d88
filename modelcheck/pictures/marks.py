"""The marks of a space-time diagram: how events look, and how messages end."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from ..runs.causality import Flight
from .geometry import Point, Way, along, length, part
from .svg import element, path, text_of

_FADING = (1.0, 0.85, 0.68, 0.52, 0.38)  # how much is left to see of each fifth of the way


def _diamond(x: float, y: float) -> list[str]:
    return [element("path", class_="dot", d=path((x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y), closed=True))]


def _circle(x: float, y: float) -> list[str]:
    return [element("circle", class_="hollow", cx=x, cy=y, r=5)]


def _question(x: float, y: float) -> list[str]:
    circle = element("circle", class_="hollow", cx=x, cy=y, r=7)
    return [circle, element("text", "?", class_="mark", x=x, y=y + 4)]


def _bars(x: float, y: float) -> list[str]:
    bars = path((x - 3, y - 6), (x - 3, y + 6)) + path((x + 3, y - 6), (x + 3, y + 6))
    return [element("path", class_="glyph", d=bars)]


def _nothing(_x: float, _y: float) -> list[str]:
    return []


class DeedMark(NamedTuple):
    """How a deed of a fault is drawn at a point, and what the legend says of it: nothing, where something else explains it."""

    drawn: Callable[[float, float], list[str]]
    legend: str = ""


# By what is done in a step (`Deed.name_of`), in the order of the legend.
DEED_MARKS = {
    "duplicate": DeedMark(_diamond, "the network duplicates a message"),
    "crash": DeedMark(lambda x, y: [_cross("glyph", x, y, 6.0)], "crash, and down while dotted"),
    "recover": DeedMark(_circle, "recovery"),
    "suspect": DeedMark(_question, "suspected, though it is up"),
    "hold": DeedMark(_bars, "a cut holds the message"),
    "lose": DeedMark(lambda x, y: [_cross("glyph", x, y, 5.0)]),
    "split": DeedMark(_nothing),  # they have a strip of their own
    "heal": DeedMark(_nothing),
}
_STEPS = ("initiate", "step", "receive")


def event_mark(mark: str, x: float, y: float) -> list[str]:
    """A dot where a process took a step; of faults something else."""
    if mark in _STEPS:
        return [element("circle", class_="dot", cx=x, cy=y, r=5)]
    return DEED_MARKS[mark].drawn(x, y)


def shared_mark(x: float, y: float, written: bool) -> str:
    """Where a wire meets the shared variables: a square, hollow where they are only read."""
    return element("rect", class_="written" if written else "onlyread", x=x - 4, y=y - 4, width=8, height=8)


def message_marks(way: Way, tip: str, reach: float = 5.5) -> list[str]:
    """A message's way, and its end; an arrow's tip so far from the dot that it leads to."""
    before = along(way, max(0.0, 1 - 6 / max(length(way), 6.0)))
    x, y = way[-1]
    dx, dy = _direction(before, way[-1])
    if tip == "arrived":
        head = [_off(way[-1], dx, dy, back, aside) for back, aside in ((reach, 0), (reach + 9, 4.2), (reach + 9, -4.2))]
        short_of = max(0.0, 1 - (reach + 5) / max(length(way), reach + 6))
        return [_way(part(way, 0, short_of)), element("path", class_="tip", d=path(*head, closed=True))]
    if tip == "untaken":  # it is there, and its tip is empty
        head = [_off((x, y), dx, dy, back, aside) for back, aside in ((0, 0), (9, 5), (9, -5))]
        short_of = max(0.0, 1 - 9 / max(length(way), 10.0))
        return [_way(part(way, 0, short_of)), element("path", class_="open", d=path(*head, closed=True))]
    if tip == "lost":
        return [_way(way), _cross("open", x, y, 5.0)]
    if tip == "ignored":  # a bar that it runs against
        return [
            _way(way),
            element("path", class_="open", d=path(_off((x, y), dx, dy, 0, 6.5), _off((x, y), dx, dy, 0, -6.5))),
        ]
    if tip == "merged":
        return [_way(part(way, 0, max(0.0, 1 - 8 / max(length(way), 9.0)))), element("circle", class_="open", cx=x - dx * 4, cy=y - dy * 4, r=4)]  # fmt: skip
    if tip == "held":
        bars = [path(_off((x, y), dx, dy, back, 6), _off((x, y), dx, dy, back, -6)) for back in (0, -5)]
        return [_way(way), element("path", class_="open", d="".join(bars))]
    pieces = len(_FADING)
    ways = [_way(part(way, k / pieces, (k + 1) / pieces), left) for k, left in enumerate(_FADING)]
    chevron = path(_off((x, y), dx, dy, 8, 5), (x, y), _off((x, y), dx, dy, 8, -5))
    return [*ways, element("path", class_="open", d=chevron, opacity=0.55)]


def flight_classes(flight: Flight) -> list[str]:
    return ["flight", f"fate-{flight.fate}", f"origin-{flight.origin}"]


def _way(way: Way, opacity: float = 1.0) -> str:
    return element("path", class_="way", d=path(*way), opacity=None if opacity == 1 else opacity)


def _cross(class_: str, x: float, y: float, reach: float) -> str:
    strokes = path((x - reach, y - reach), (x + reach, y + reach)) + path(
        (x - reach, y + reach), (x + reach, y - reach)
    )
    return element("path", class_=class_, d=strokes)


def _direction(start: Point, end: Point) -> Point:
    far = math.dist(start, end) or 1.0
    return (end[0] - start[0]) / far, (end[1] - start[1]) / far


def _off(point: Point, dx: float, dy: float, back: float, aside: float) -> Point:
    return point[0] - dx * back - dy * aside, point[1] - dy * back + dx * aside


def words(class_: str, said: str, full: str, x: float, y: float, anchor: str) -> str:
    """Words; with more of them for whoever points there, where they are cut short."""
    more = element("title", text_of(full)) if full != said else ""
    return element("text", more + text_of(said), class_=class_, x=x, y=y, text_anchor=anchor)
