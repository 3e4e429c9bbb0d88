"""Where everything of a space-time diagram stands: numbers and words, nothing drawn yet.

Time runs down. First come lanes and rows (`Frame`), then dots and arrows, and last the words. Where there is no room for
words, rows move apart and all begins anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ..runs.trace import Trace
from .frame import STRIP, Frame
from .geometry import Box, bounds, merged
from .labels import Label, Placed, place
from .telling import short
from .ways import Arrow, Dot, arrows_of, dots_of

GUTTER = 34.0  # the numbers of the steps
BRACKET = 30.0  # of a lasso
TRIES = 7
PATIENCE = 3  # tries at which words without a message through them are worth moving rows apart
MORE = 15.0  # how far crowded rows move apart at each try


@dataclass(frozen=True)
class Lane:
    """A process from top to bottom; `down` are the stretches in which it is crashed."""

    process: str
    note: str
    x: float
    down: tuple[tuple[float, float], ...] = ()
    concerned: bool = False


@dataclass(frozen=True)
class Band:
    """A part of the plane: "round" or "starts" (rows that belong together), "strip" (the network splits or heals), or
    "block" (lanes that reach each other while the network is split; `place` numbers the block)."""

    kind: str
    words: str
    box: Box
    place: int = 0


@dataclass(frozen=True)
class Layout:
    """The whole diagram, from `left` to `right`; `top` is that of the names of the lanes. Lanes run down to `bottom`."""

    left: float
    right: float
    top: float
    bottom: float
    lanes: tuple[Lane, ...]
    dots: tuple[Dot, ...]
    arrows: tuple[Arrow, ...]
    labels: tuple[Label, ...]
    bands: tuple[Band, ...]
    numbers: tuple[tuple[str, float], ...]  # of the steps or rounds, and how low they stand
    loop: tuple[float, float] | None
    shared: float | None = None  # the lane of the shared variables


def layout(trace: Trace, *, violated: bool = True, top: float = 0.0) -> Layout:
    """Places everything that is seen of a run, below `top`."""
    stretch: dict[int, float] = {}
    for attempt in range(TRIES):
        frame = Frame(trace, violated=violated, top=top, stretch=stretch)
        arrows = arrows_of(frame)
        dots = dots_of(frame, arrows)
        frame.bottom = max([frame.bottom, *(bounds(arrow.way).bottom + 16 for arrow in arrows)])
        placed = place(frame, dots, arrows, patience=max(0, PATIENCE - attempt), strictly=attempt == TRIES - 1)
        if not placed.crowded:
            break
        for row in placed.crowded:
            for near in (row - 1, row):
                stretch[near] = stretch.get(near, 0.0) + MORE
    return _finished(frame, arrows, dots, placed)


def _finished(frame: Frame, arrows: list[Arrow], dots: list[Dot], placed: Placed) -> Layout:
    labels = placed.labels
    left = min([-26.0, *(label.box.left - 8 for label in labels)])
    right = max([frame.right, *(label.box.right + 8 for label in labels)])
    frame.bottom = max([frame.bottom, *(label.box.bottom + 12 for label in labels)])
    loop = _loop(frame)
    gutter = GUTTER + (14 if frame.trace.rounds else 0) + (BRACKET if loop else 0)
    return Layout(
        left=left - gutter,
        right=right,
        top=frame.top,
        bottom=frame.bottom,
        lanes=tuple(_lane(frame, number, name) for number, name in enumerate(frame.names)),
        dots=tuple(dots),
        arrows=tuple(arrows),
        labels=tuple(labels),
        bands=(*_rows_together(frame, labels, left, right), *_blocks(frame)),
        numbers=tuple(_numbers(frame)),
        loop=loop,
        shared=frame.shared,
    )


def _lane(frame: Frame, number: int, name: str) -> Lane:
    world = frame.trace.world
    notes = [] if world.identifiers[number] is None else [f"id {world.identifiers[number]}"]
    notes += ["root"] if world.root == number else []
    notes += ["initiator"] if number in world.initiators and len(world.initiators) < world.n else []
    return Lane(short(name), ", ".join(notes), frame.x[name], tuple(frame.crashed(number)), name in frame.concerned)


def _loop(frame: Frame) -> tuple[float, float] | None:
    """From where to where the steps stand that repeat for ever."""
    trace = frame.trace
    if trace.loop is None or trace.loop >= len(trace.steps):
        return None
    first = len(trace.starts) + trace.loop
    lowest = max(frame.y[event] + frame.depth(event) for event in range(first, len(frame.events)))
    return frame.y[first] - 14, lowest + 14


def _rows_together(frame: Frame, labels: list[Label], left: float, right: float) -> list[Band]:
    """The starting steps; each round; the strips in which the network splits or heals."""
    bands = []
    starts = len(frame.trace.starts)
    if starts:
        bands.append(Band("starts", "before the run", _rows_box(frame, labels, range(starts), left, right, above=34)))
    rounds: dict[int, list[int]] = {}
    for event, step in enumerate(frame.events):
        if step.round is not None:
            rounds.setdefault(step.round, []).append(event)
        if frame.is_strip(event):
            y = frame.y[event]
            bands.append(Band("strip", step.changed[0][2], Box(-22, y - STRIP / 2, right, y + STRIP / 2)))
    bands += [
        Band("round", str(name), _rows_box(frame, labels, events, left, right)) for name, events in rounds.items()
    ]
    return bands


def _rows_box(
    frame: Frame, labels: list[Label], events: Sequence[int], left: float, right: float, above: float = 17
) -> Box:
    """Around the rows of these events, and what is said beside their dots."""
    said = [label.box for label in labels if label.owner in events and label.kind != "message"]
    tops = [frame.y[event] - above for event in events] + [box.top - above / 3 for box in said]
    bottoms = [frame.y[event] + 17 for event in events] + [box.bottom + 8 for box in said]
    return Box(left, min(tops), right, max(bottoms))


def _blocks(frame: Frame) -> list[Band]:
    """Behind the lanes, while the network is split: neighbours of one block stand on one ground."""
    bands = []
    strips = [event for event in range(len(frame.events)) if frame.is_strip(event)]
    for event, until in zip_longest(strips, strips[1:]):
        top = frame.y[event] + STRIP / 2
        bottom = frame.bottom if until is None else frame.y[until] - STRIP / 2
        blocks = frame.events[event].state.blocks.split(" | ")
        for number, block in enumerate(blocks if len(blocks) > 1 else []):
            for run in merged([int(name[1:]) - 1 for name in block.split()]):
                left, right = run[0] * frame.gap - 22, (run[-1] + 1) * frame.gap - 28
                bands.append(Band("block", block, Box(left, top, right, bottom), number))
    return bands


def _numbers(frame: Frame) -> list[tuple[str, float]]:
    """What stands at the left of the rows: the number of the step, or of the round."""
    first = len(frame.trace.starts)
    found: dict[str, float] = {}
    for event, step in enumerate(frame.events):
        if event >= first:
            name = str(event - first + 1) if step.round is None else f"round {step.round}"
            found.setdefault(name, frame.y[event])
    return list(found.items())
