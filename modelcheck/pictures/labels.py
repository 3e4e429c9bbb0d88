"""Words find their places: each tries several and takes the one where least is in the way.

Beside a dot stand the lines of its event, right or left of the lane, above or below. A message's words stand on its arrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .geometry import Box, along, within
from .telling import Line
from .words import elided, width

if TYPE_CHECKING:
    from .layout import Arrow, Dot, _Builder

NAME, SMALL, LINE = 12.0, 10.5, 13.0
_BESIDE = 9.0  # from a dot to its words


@dataclass(frozen=True)
class Label:
    """Words in a box. `kind` is that of a line, "message" or "shared"; `owner` the number of an event or a flight."""

    kind: str
    owner: int
    words: str
    full: str
    x: float
    baseline: float
    anchor: str
    box: Box


def place(builder: _Builder, dots: Sequence[Dot], arrows: Sequence[Arrow]) -> list[Label]:
    """The words of all events, then of all messages."""
    taken: list[Box] = [Box(dot.x - 6, dot.y - 6, dot.x + 6, dot.y + 6) for dot in dots]
    found: list[Label] = []
    for dot in dots:
        block = _beside(builder, dot, arrows, taken)
        found += block
        taken += [label.box for label in block]
        if builder.shared is not None:
            block = _block(
                builder.shared_lines[dot.event], dot.event, builder.shared + _BESIDE, dot.y, "start", 150.0, "shared"
            )
            found += block
            taken += [label.box for label in block]
    for arrow in sorted(arrows, key=lambda arrow: abs(arrow.points[-1][1] - arrow.points[0][1])):
        label = _on(builder, arrow, arrows, taken)
        if label is not None:
            found.append(label)
            taken.append(label.box)
    return found


def _beside(builder: _Builder, dot: Dot, arrows: Sequence[Arrow], taken: Sequence[Box]) -> list[Label]:
    lines = builder.lines[dot.event]
    room = builder.gap - 16
    best: tuple[float, list[Label]] | None = None
    for cost, anchor, y in _positions(dot, len(lines)):
        x = dot.x + (_BESIDE if anchor == "start" else -_BESIDE)
        block = _block(lines, dot.event, x, y, anchor, room, "")
        for label in block:
            cost += sum(100 for box in taken if box.overlaps(label.box))
            cost += sum(within(label.box, arrow.points) for arrow in arrows)
            cost += 1000 if label.box.left < 30 else 0
        if best is None or cost < best[0]:
            best = cost, block
    assert best is not None
    return best[1]


def _positions(dot: Dot, lines: int) -> Iterator[tuple[float, str, float]]:
    """Cost, anchor and the height of the middle of the first line."""
    above = dot.y - LINE * lines + 1
    for anchor, cost in (("start", 0.0), ("end", 6.0)):
        yield cost, anchor, dot.y
        yield cost + 4, anchor, above
        yield cost + 5, anchor, dot.y + LINE - 2


def _block(lines: Sequence[Line], event: int, x: float, y: float, anchor: str, room: float, kind: str) -> list[Label]:
    block = []
    for number, line in enumerate(lines):
        size = NAME if line.kind == "name" else SMALL
        words = elided(line.words, size, room, bold=line.kind == "name")
        wide = width(words, size, bold=line.kind == "name")
        left = x if anchor == "start" else x - wide
        middle = y + LINE * number
        box = Box(left, middle - size / 2, left + wide, middle + size / 2)
        block.append(Label(kind or line.kind, event, words, line.words, x, middle + size * 0.36, anchor, box))
    return block


def _on(builder: _Builder, arrow: Arrow, arrows: Sequence[Arrow], taken: Sequence[Box]) -> Label | None:
    message = builder.flights[arrow.flight].message
    words = elided(message, SMALL, builder.gap - 28)
    wide = width(words, SMALL) + 6
    best: tuple[float, Box] | None = None
    for step in range(4, 37):
        share = step / 40
        x, y = along(arrow.points, share)
        for dy in (0.0, -7.0, 7.0):
            box = Box(x - wide / 2, y + dy - SMALL / 2 - 1, x + wide / 2, y + dy + SMALL / 2 + 1)
            if any(box.overlaps(other) for other in taken):
                continue
            cost = abs(share - 0.5) * 20 + abs(dy)
            cost += sum(within(box, other.points) for other in arrows if other is not arrow) * 0.5
            cost += sum(8 for lane in builder.x.values() if box.left < lane < box.right)
            if best is None or cost < best[0]:
                best = cost, box
    if best is None:
        return None
    box = best[1]
    middle = (box.top + box.bottom) / 2
    return Label(
        "message", arrow.flight, words, message, (box.left + box.right) / 2, middle + SMALL * 0.36, "middle", box
    )
