"""Words find their places: each tries several and takes the one where the least is in its way. None lies on another.

Beside a dot stand the lines of its event: right or left of the lane, level with the dot, above it or below. A message's words
stand on its way, or close to it. Where several messages of one step say the same, some may remain without words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from . import telling
from .frame import LINE, Frame
from .geometry import Box, Way, along, around, bounds, length, within
from .telling import Line
from .ways import Arrow, Dot
from .words import NAME, SMALL, elided, fitting, width

_BESIDE = 10.0  # from a dot to its words
_OVERLAP = 1000.0  # what it costs to lie on other words
_CROSSED = 30.0  # what it costs where a message runs through the words beside a dot
_MISLEADING = 60.0  # to stand beside another dot of the same process
_HALO = 2.5  # how far words keep clear of a wire on either side, with what hangs below their line
_FAR = 20.0  # further from its way nobody sees what words belong to
_SPARE = 26.0  # a message among several equal ones goes without words rather than pay more than this


@dataclass(frozen=True)
class Label:
    """Words in a box. `kind` is that of a line, or "message" or "strip"; `owner` numbers an event, or a flight."""

    kind: str
    owner: int
    words: str
    full: str
    x: float
    baseline: float
    anchor: str
    box: Box


@dataclass
class Placed:
    """What was placed, and the rows in which there was not room for all."""

    labels: list[Label] = field(default_factory=list)
    crowded: set[int] = field(default_factory=set)


def place(frame: Frame, dots: Sequence[Dot], arrows: Sequence[Arrow], *, patience: int, strictly: bool) -> Placed:
    """The words of all events, then of all messages. `strictly`: lines of events all stand level with their dots on the
    right, where they never meet; as a last resort. With `patience` rows count as crowded already where a message runs
    through the words beside a dot."""
    placed = Placed()
    taken = [around((dot.x, dot.y), 11 if dot.violating else 7) for dot in dots if not frame.is_strip(dot.event)]
    taken += [Box(x - 21, frame.top, x + 21, frame.top + 40) for x in frame.x.values()]
    taken += [around(arrow.way[-1], 7) for arrow in arrows if arrow.tip != "arrived"]
    ways = [(arrow.flight, arrow.way) for arrow in arrows] + [(-1, wire) for wire in _wires(frame, dots)]
    bounded = [(flight, way, bounds(way)) for flight, way in ways]

    def put(labels: Sequence[Label]) -> None:
        placed.labels += labels
        taken.extend(label.box for label in labels)

    def crossed(box: Box, but: int | None = None) -> float:
        """The length of the ways that run through a box."""
        return sum(within(box, way) for flight, way, bound in bounded if flight != but and bound.overlaps(box))

    for dot in dots:
        if frame.is_strip(dot.event):
            put(_in_strip(frame, dot, crossed))
    for dot in dots:
        if not frame.is_strip(dot.event):
            put(_beside_lane_of_shared(frame, dot))
            cost, block = _beside(frame, dot, taken, crossed, strictly)
            if cost >= (_OVERLAP if patience == 0 else _CROSSED):
                placed.crowded.add(frame.row[dot.event])
            put(block)
    for arrow in sorted((arrow for arrow in arrows if not arrow.again), key=lambda arrow: length(arrow.way)):
        found = _on_way(frame, arrow, taken, crossed)
        spare = frame.siblings(frame.flights[arrow.flight]) > 1
        if found is None or (spare and found[0] > _SPARE and _is_said(frame, arrow, placed.labels)):
            if not spare or not _is_said(frame, arrow, placed.labels):
                placed.crowded.add(frame.row[frame.flights[arrow.flight].sent])
            continue
        put([found[1]])
    return placed


def _wires(frame: Frame, dots: Sequence[Dot]) -> Iterator[Way]:
    """From processes to the shared variables that they read or write."""
    for dot in dots:
        if frame.shared is not None and frame.shared_lines[dot.event]:
            yield (dot.x, dot.y), (frame.shared, dot.y + 0.5)


def _is_said(frame: Frame, arrow: Arrow, labels: Sequence[Label]) -> bool:
    """Whether an equal message of the same step has words already."""
    flight = frame.flights[arrow.flight]
    others = (frame.flights[label.owner] for label in labels if label.kind == "message")
    return any((f.sent, f.message, f.origin) == (flight.sent, flight.message, flight.origin) for f in others)


# --- events --------------------------------------------------------------------------------------------------------


def _beside(
    frame: Frame, dot: Dot, taken: Sequence[Box], crossed: Callable[[Box], float], strictly: bool
) -> tuple[float, list[Label]]:
    """The lines of an event, and what their place costs."""
    lines = frame.lines[dot.event]
    process = frame.events[dot.event].process
    others = [frame.y[k] for k, e in enumerate(frame.events) if e.process == process and k != dot.event]
    best: tuple[float, list[Label]] | None = None
    wire = _HALO if frame.shared_lines[dot.event] else 0.0
    for cost, anchor, y, apart in _places(dot, len(lines), strictly, wire):
        x = dot.x + (_BESIDE if anchor == "start" else -_BESIDE)
        if dot.violating:
            x += 3 if anchor == "start" else -3
        block = _block(lines, dot.event, x, y, anchor, frame.gap - (34 if frame.splits else 24), apart)
        for label in block:
            cost += sum(_OVERLAP for box in taken if box.overlaps(label.box)) + crossed(label.box)
            cost += sum(8 for lane in frame.x.values() if label.box.left - 2 < lane < label.box.right + 2)
            cost += _MISLEADING * any(_nearer(label, y, dot.y) for y in others)
            cost += 6 if label.box.right < 0 else 0  # left of all lanes
            cost += 8 if label.anchor == "end" and frame.splits else 0  # on the ground of another part of the network
        if best is None or cost < best[0]:
            best = cost, block
    assert best is not None
    return best


def _nearer(label: Label, other: float, own: float) -> bool:
    """Whether words stand nearer to the height of another dot than to that of their own."""
    middle = (label.box.top + label.box.bottom) / 2
    return abs(middle - other) < abs(middle - own)


def _places(dot: Dot, lines: int, strictly: bool, wire: float) -> Iterator[tuple[float, str, float, float]]:
    """What each costs before anything is in the way, on which side, how low the middle of the first line is, and how far apart
    from it the others are: where a wire leaves the dot, so far that it runs between them."""
    if wire:
        yield 0, "start", dot.y - LINE / 2 - wire, 2 * wire
        if strictly:
            return
    yield 0, "start", dot.y, 0.0
    if strictly:
        return
    above, below = dot.y - LINE * lines, dot.y + LINE - 1
    far = 4 * (lines - 1)  # from a dot to the name above it
    yield from (
        (4 + far, "start", above, 0.0),
        (5, "start", below, 0.0),
        (7, "end", dot.y, 0.0),
        (10 + far, "end", above, 0.0),
        (11, "end", below, 0.0),
    )
    if lines > 1:  # the dot's height between the lines
        yield from ((3, "start", dot.y - 6.5, 0.0), (9, "end", dot.y - 6.5, 0.0))


def _block(
    lines: Sequence[Line], event: int, x: float, y: float, anchor: str, room: float, apart: float = 0.0
) -> list[Label]:
    """Lines one below the other, the first so far apart from the others."""
    block = []
    for number, line in enumerate(lines):
        bold = line.kind in ("name", "failure")
        size = NAME if line.kind == "name" else SMALL
        words = fitting(line.words, line.shorter, size, room, bold=bold)
        wide = width(words, size, bold=bold)
        left = x if anchor == "start" else x - wide
        middle = y + LINE * number + (apart if number else 0.0)
        box = Box(left, middle - size / 2, left + wide, middle + size / 2)
        full = line.full or line.words
        block.append(Label(line.kind, event, words, full, x, middle + size * 0.36, anchor, box))
    return block


def _beside_lane_of_shared(frame: Frame, dot: Dot) -> list[Label]:
    if frame.shared is None:
        return []
    return _block(frame.shared_lines[dot.event], dot.event, frame.shared + _BESIDE, dot.y, "start", 170.0)


def _in_strip(frame: Frame, dot: Dot, crossed: Callable[[Box], float]) -> list[Label]:
    """What the network does, across the lanes where the fewest messages pass."""
    (line,) = frame.lines[dot.event]
    wide = width(line.words, NAME, bold=True)
    most = max(frame.right - wide - 10, -8.0)
    lefts = [-8 + (most + 8) * k / 8 for k in range(9)]
    boxes = [Box(left, dot.y - NAME / 2, left + wide, dot.y + NAME / 2) for left in lefts]
    box = min(boxes, key=crossed)
    return [Label("strip", dot.event, line.words, line.words, box.left, dot.y + NAME * 0.36, "start", box)]


# --- messages ------------------------------------------------------------------------------------------------------


def _on_way(
    frame: Frame, arrow: Arrow, taken: Sequence[Box], crossed: Callable[[Box, int], float]
) -> tuple[float, Label] | None:
    """A message's words, and what their place costs; None where there is no room."""
    flight = frame.flights[arrow.flight]
    message = telling.message_of(flight)
    span = bounds(arrow.way)
    words = elided(message, SMALL, max(frame.gap - 30, min(span.width - 40, 2 * frame.gap)))
    half = width(words, SMALL) / 2 + 3
    beside = half + 3 if flight.source == flight.target and span.width < 2 * half + 20 else 0.0  # a small loop
    wide = Box(span.left - half, span.top - 20, span.right + half + beside, span.bottom + 20)
    near = [box for box in taken if box.overlaps(wide)]
    best: tuple[float, Box] | None = None
    for cost, share, dy in _spots(arrow.way, half):
        if best is not None and cost >= best[0]:
            break
        x, y = along(arrow.way, share)
        x, y = x + beside, y + dy
        box = Box(x - half, y - SMALL / 2 - 1, x + half, y + SMALL / 2 + 1)
        if any(box.overlaps(other) for other in near):
            continue
        cost += sum(9 for lane in frame.x.values() if box.left < lane < box.right)
        cost += crossed(box, arrow.flight) * 0.6
        if best is None or cost < best[0]:
            best = cost, box
    if best is None:
        return None
    cost, box = best
    middle = (box.left + box.right) / 2
    baseline = (box.top + box.bottom) / 2 + SMALL * 0.36
    return cost, Label("message", arrow.flight, words, message, middle, baseline, "middle", box)


def _spots(way: Way, half: float) -> list[tuple[float, float, float]]:
    """Places on a way and beside it, for words of twice this width: what each costs, how far along, how far above or below."""
    span = bounds(way)
    clear = SMALL / 2 + 2 + half * span.height / max(span.width, 1.0)
    hides = max(0.0, 2 * half / max(length(way), 1.0) - 0.45) * 30  # a way that its own words hide
    found = []
    for step in range(3, 38):
        share = step / 40
        cost = abs(share - 0.5) * 24
        found.append((cost + hides, share, 0.0))
        asides = [(4.0, clear), (5.0, -clear)] if clear < _FAR else []
        found += [(cost + more, share, dy) for more, dy in (*asides, (6.0, 8.0), (6.0, -8.0))]
    return sorted(found)
