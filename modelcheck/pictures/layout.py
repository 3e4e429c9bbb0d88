"""Where everything of a space-time diagram stands: numbers and words, nothing drawn yet.

Time runs down. Every process has a lane, every event a row; in lock-step the processes share the rows of a round. First come the
rows, then dots and arrows, and last the words, each where the least is in its way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..check.causality import NETWORK, Flight, concerned, events, flights, relevant
from ..check.trace import Trace, TraceStep
from . import telling
from .geometry import Box, Point, at_height
from .labels import Label, place
from .telling import short
from .words import width

GUTTER = 34.0  # the numbers of the steps
BRACKET = 34.0  # of a lasso
ROW = 40.0
LINE = 13.0
NAME, SMALL = 12.0, 10.5  # sizes of type
HEAD = 58.0  # from the heading to the names of the lanes and the first row
LOOP = 30.0  # how far a message of a process to itself swings out


@dataclass(frozen=True)
class Lane:
    """A process from top to bottom; `down` are the stretches in which it is crashed."""

    process: str
    note: str
    x: float
    down: tuple[tuple[float, float], ...] = ()
    concerned: bool = False


@dataclass(frozen=True)
class Dot:
    """An event. `mark` says what it looks like."""

    event: int
    x: float
    y: float
    mark: str
    violating: bool
    relevant: bool


@dataclass(frozen=True)
class Arrow:
    """A message, or one of several arrivals of one. `tip` is "arrived", "open", "lost", "ignored" or "merged"."""

    flight: int
    points: tuple[Point, ...]
    tip: str
    relevant: bool


@dataclass(frozen=True)
class Band:
    """Rows that belong together: a round, the starts, the blocks of a network that is split."""

    kind: str
    words: str
    box: Box


@dataclass(frozen=True)
class Layout:
    """The whole diagram."""

    width: float
    height: float
    top: float  # of the lanes
    bottom: float
    lanes: tuple[Lane, ...]
    dots: tuple[Dot, ...]
    arrows: tuple[Arrow, ...]
    labels: tuple[Label, ...]
    bands: tuple[Band, ...]
    numbers: tuple[tuple[str, float], ...]  # of the steps, and how high they stand
    loop: tuple[float, float] | None
    shared: float | None = None  # where the lane of the shared variables is
    rows: tuple[float, ...] = field(default=())


def layout(trace: Trace, *, violated: bool, top: float) -> Layout:
    """Places everything that is seen of a run, below `top`."""
    return _Builder(trace, violated, top).built()


class _Builder:
    def __init__(self, trace: Trace, violated: bool, top: float) -> None:
        self.trace, self.violated = trace, violated
        self.events, self.flights = events(trace), flights(trace)
        self.names = [state.process for state in trace.initial.processes]
        self.lines = [telling.lines_of(event, trace) for event in self.events]
        self.shared_lines = [telling.shared_lines(event, trace) for event in self.events]
        self.concerned = set(concerned(trace)) if violated else set()
        self.relevant = relevant(trace)
        self.gap = self._gap()
        left = GUTTER + (BRACKET if trace.loop is not None else 0) + (18 if trace.rounds else 0)
        self.x = {name: left + 24 + place * self.gap for place, name in enumerate(self.names)}
        self.shared = left + 24 + len(self.names) * self.gap + 20 if trace.initial.shared else None
        self.right = (self.shared + 170) if self.shared else left + 24 + len(self.names) * self.gap
        self.rows = self._rows()
        self.top = top
        self.height = self._heights(top + HEAD)
        self.bottom = max([top + HEAD, *(y + self._depth(k) for k, y in enumerate(self.height))]) + 26

    def _gap(self) -> float:
        count = len(self.names)
        most = 170 if count <= 4 else 140 if count <= 8 else 116
        wanted = [96.0]
        for lines in self.lines:
            wanted += [width(line.words, NAME if line.kind == "name" else SMALL) + 26 for line in lines]
        wanted += [width(flight.message, SMALL) + 44 for flight in self.flights]
        return min(max(wanted), most)

    def _rows(self) -> list[int]:
        """The row of each event."""
        rows: list[int] = []
        following, first = 0, 0
        current: int | None = None
        taken: dict[str, int] = {}
        for event in self.events:
            if event.round is None:
                rows.append(following)
                following += 1
                continue
            if event.round != current:
                current, first, taken = event.round, following, {}
            rows.append(first + taken.get(event.process, 0))
            taken[event.process] = taken.get(event.process, 0) + 1
            following = max(following, rows[-1] + 1)
        return rows

    def _depth(self, event: int) -> float:
        return LINE * (max(len(self.lines[event]), len(self.shared_lines[event])) - 1)

    def _heights(self, y: float) -> list[float]:
        """How low each event stands."""
        count = max(self.rows, default=-1) + 1
        depth = [0.0] * count
        for event, row in enumerate(self.rows):
            depth[row] = max(depth[row], self._depth(event))
        at = []
        y += 8 + (26 if self.trace.starts else 0)
        starts = len(self.trace.starts)
        for row in range(count):
            if starts and row == starts:
                y += 30
            at.append(y)
            y += max(ROW, depth[row] + 24)
        return [at[row] for row in self.rows]

    # --- what stands where

    def built(self) -> Layout:
        arrows = self._arrows()
        dots = self._dots(arrows)
        labels = place(self, dots, arrows)
        last = self.height[-1] if self.height else self.top + HEAD
        loop = None
        if self.trace.loop is not None and self.trace.steps:
            first = self.height[len(self.trace.starts) + self.trace.loop]
            loop = (first - 14, last + self._depth(len(self.events) - 1) + 12)
        right = max([self.right, *(label.box.right + 12 for label in labels)])
        return Layout(
            width=right,
            height=self.bottom,
            top=self.top,
            bottom=self.bottom,
            lanes=tuple(self._lane(number, name) for number, name in enumerate(self.names)),
            dots=tuple(dots),
            arrows=tuple(arrows),
            labels=tuple(labels),
            bands=tuple(self._bands(right)),
            numbers=tuple(self._numbers()),
            loop=loop,
            shared=self.shared,
            rows=tuple(self.height),
        )

    def _lane(self, number: int, name: str) -> Lane:
        world = self.trace.world
        notes = [] if world.identifiers[number] is None else [f"id {world.identifiers[number]}"]
        notes += ["root"] if world.root == number else []
        notes += ["initiator"] if number in world.initiators and len(world.initiators) < world.n else []
        down, since = [], self.top + HEAD - 16 if self.trace.initial.processes[number].crashed else None
        for event, step in enumerate(self.events):
            crashed = step.state.processes[number].crashed
            if crashed and since is None:
                since = self.height[event]
            elif not crashed and since is not None:
                down.append((since, self.height[event]))
                since = None
        if since is not None:
            down.append((since, self.bottom))
        return Lane(short(name), ", ".join(notes), self.x[name], tuple(down), name in self.concerned)

    def _dots(self, arrows: Sequence[Arrow]) -> list[Dot]:
        dots = []
        for number, event in enumerate(self.events):
            x, y = self.x.get(event.process, 0.0), self.height[number]
            if event.kind in ("lose", "duplicate") or event.step == "lose":
                x = self._on_the_way(number, event, arrows)
            elif event.process == NETWORK:
                x = min(self.x.values())
            violating = self.violated and (number == len(self.events) - 1 or event.failure is not None)
            mark = event.step if event.kind == "strand" else event.kind
            dots.append(Dot(number, x, y, mark, violating, number in self.relevant))
        return dots

    def _on_the_way(self, number: int, event: TraceStep, arrows: Sequence[Arrow]) -> float:
        """A message is lost or duplicated between two lanes."""
        for arrow in arrows:
            flight = self.flights[arrow.flight]
            if flight.ended == number and arrow.tip == "lost":
                return arrow.points[-1][0]
            if flight.origin == "copy" and flight.sent == number:
                return arrow.points[0][0]
        return self.x[event.process]

    def _arrows(self) -> list[Arrow]:
        arrows: list[Arrow] = []
        for number, flight in enumerate(self.flights):
            before = self._fork(flight, arrows)
            for points, tip in self._ways(flight, before):
                end = flight.received[0] if flight.received else flight.sent
                seen = flight.sent in self.relevant and (not flight.received or end in self.relevant)
                arrows.append(Arrow(number, points, tip, seen))
        return arrows

    def _fork(self, flight: Flight, arrows: Sequence[Arrow]) -> Point | None:
        """Where a copy leaves the way of the message that it is a copy of."""
        if flight.origin != "copy":
            return None
        y = self.height[flight.sent]
        for arrow in arrows:
            other = self.flights[arrow.flight]
            same = (other.message, other.target, other.port) == (flight.message, flight.target, flight.port)
            if same and other.sent < flight.sent and all(event > flight.sent for event in other.received):
                x, _ = at_height(arrow.points, y)
                return x, y
        return self.x[flight.target], y

    def _ways(self, flight: Flight, fork: Point | None) -> list[tuple[tuple[Point, ...], str]]:
        start = fork or (self.x[flight.source], self.height[flight.sent])
        if flight.source == flight.target and not fork:
            end = self.height[flight.received[0]] if flight.received else start[1] + ROW
            out = start[0] + LOOP
            points = (start, (out, start[1] + 8), (out, end - 8), (start[0], end))
            return [(points, "arrived" if flight.received else "open")]
        if flight.received:
            return [((start, (self.x[flight.target], self.height[event])), "arrived") for event in flight.received]
        target = self.x[flight.target]
        towards = 1 if target > start[0] else -1
        if flight.fate == "lost" and flight.ended is not None and flight.ended > flight.sent:
            crash = self.events[flight.ended].kind == "crash"
            short_of = 10 if crash else max(20.0, abs(target - start[0]) * 0.3)
            return [((start, (target - towards * short_of, self.height[flight.ended])), "lost")]
        y = start[1] + 0.75 * ROW
        if flight.fate == "lost":
            return [((start, (target - towards * max(24.0, abs(target - start[0]) * 0.45), y)), "lost")]
        tip = {"ignored": "ignored", "merged": "merged"}.get(flight.fate, "open")
        copied = [f.sent for f in self.flights if f.origin == "copy" and (f.message, f.target, f.port) == (flight.message, flight.target, flight.port) and f.sent > flight.sent]  # fmt: skip
        if copied and tip == "open":
            y = max(y, self.height[max(copied)] + 20)
        short_of = {"ignored": 7.0, "merged": 12.0}.get(tip, 16.0)
        return [((start, (target - towards * short_of, y)), tip)]

    def _bands(self, right: float) -> list[Band]:
        bands = []
        starts = len(self.trace.starts)
        if starts:
            bottom = max(self.height[k] + self._depth(k) for k in range(starts)) + 16
            bands.append(Band("starts", "before the run", Box(4, self.height[0] - 34, right - 4, bottom)))
        rounds: dict[int, list[int]] = {}
        for number, event in enumerate(self.events):
            if event.round is not None:
                rounds.setdefault(event.round, []).append(number)
        for name, members in rounds.items():
            box = Box(4, min(self.height[k] for k in members) - 16, right - 4, max(self.height[k] + self._depth(k) for k in members) + 14)  # fmt: skip
            bands.append(Band("round", f"round {name}", box))
        since: tuple[str, float] | None = None
        for number, event in enumerate(self.events):
            if event.process == NETWORK:
                y = self.height[number]
                if since is not None:
                    bands.append(Band("split", since[0], Box(0, since[1], right, y)))
                blocks = event.state.blocks
                since = (blocks, y) if "|" in blocks else None
        if since is not None:
            bands.append(Band("split", since[0], Box(0, since[1], right, self.bottom)))
        return bands

    def _numbers(self) -> list[tuple[str, float]]:
        first = len(self.trace.starts)
        return [
            (str(number - first + 1), self.height[number])
            for number, event in enumerate(self.events)
            if number >= first and event.round is None
        ]
