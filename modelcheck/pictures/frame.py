"""The frame of a space-time diagram: lanes side by side, rows below each other, before anything is written beside them."""

from __future__ import annotations

from collections.abc import Mapping

from ..runs.causality import NETWORK, Flight, concerned, events, flights, relevant
from ..runs.trace import Trace
from . import telling
from .telling import Line
from .words import NAME, SMALL, broken, width

ROW = 36.0  # from one row to the next, at least
LINE = 13.0  # from one line beside a lane to the next
HEAD = 72.0  # from the names of the lanes to the first row
STRIP = 24.0  # how high the strip is in which the network splits or heals
FAILURE = 4  # lines at most to say how a step failed
MORE_BELOW = 30.0  # that the last row may stretch
SHARED_ROOM = 190.0  # for what is written to shared variables


class Frame:
    """Where lanes and rows are. Events and flights are known by their numbers.

    `x` is where a process has its lane, `row` the row of an event and `y` how low it stands; `stretch` is added below rows that
    need more room for words. The first lane stands at x = 0.
    """

    def __init__(self, trace: Trace, *, violated: bool, top: float, stretch: Mapping[int, float]) -> None:
        self.trace, self.violated, self.top = trace, violated, top
        self.events, self.flights = events(trace), flights(trace)
        self.names = [process.process for process in trace.initial.processes]
        self.lines = [telling.lines_of(event, trace) for event in self.events]
        self.shared_lines = telling.shared_lines(trace)
        self.concerned = frozenset(self._concerned()) if violated else frozenset()
        self.relevant = relevant(trace)
        self.gap = self._gap()
        self.lines = [self._fitted(lines) for lines in self.lines]
        self.x = {name: place * self.gap for place, name in enumerate(self.names)}
        self.shared = len(self.names) * self.gap if trace.initial.shared else None
        self.row = self._rows()
        self.y = self._heights(stretch)
        lowest = max((y + self.depth(event) for event, y in enumerate(self.y)), default=top + HEAD)
        self.bottom = lowest + min(stretch.get(max(self.row, default=0), 0.0), MORE_BELOW) + 30

    @property
    def right(self) -> float:
        """Where the lanes with their words end."""
        return self.shared + SHARED_ROOM if self.shared is not None else len(self.names) * self.gap - 16

    def depth(self, event: int) -> float:
        """How far the lines of an event reach down, if they begin at its height."""
        return LINE * (max(len(self.lines[event]), len(self.shared_lines[event])) - 1)

    def is_strip(self, event: int) -> bool:
        """Whether it is the network that splits or heals."""
        return self.events[event].process == NETWORK

    @property
    def splits(self) -> bool:
        """Whether the network ever splits."""
        return any(event.process == NETWORK for event in self.events)

    def _gap(self) -> float:
        """From lane to lane: as much as the words want, within reason, and less the more lanes there are."""
        count = len(self.names)
        most = 160 if count <= 4 else 136 if count <= 8 else 114
        wanted = [92.0]
        for number, lines in enumerate(self.lines):
            if not self.is_strip(number):
                wanted += [width(line.words, NAME if line.kind == "name" else SMALL) + 26 for line in lines]
        wanted += [width(telling.message_of(flight), SMALL) + 44 for flight in self.flights]
        return min(max(wanted), most)

    def _fitted(self, lines: list[Line]) -> list[Line]:
        """A failure is told in several lines, if it must be."""
        fitted: list[Line] = []
        for line in lines:
            parts = broken(line.words, SMALL, self.gap - 34, bold=True) if line.kind == "failure" else [line.words]
            if len(parts) > FAILURE:
                parts = [*parts[: FAILURE - 1], parts[FAILURE - 1] + "\u2026"]
            fitted += [line] if len(parts) == 1 else [Line(part, line.kind, line.words) for part in parts]
        return fitted

    def _concerned(self) -> tuple[str, ...]:
        """Of a run that repeats for ever only whom its reason names: no step of it is the last."""
        return concerned(self.trace) if self.trace.loop is None else self.trace.about

    def _rows(self) -> list[int]:
        """Each event has a row, for a run is an interleaving. In lock-step a round's first steps share one, then its second."""
        rows: list[int] = []
        following = first = 0
        current: int | None = None
        taken: dict[str, int] = {}
        for event in self.events:
            if event.round is None or event.round != current:
                current, first, taken = event.round, following, {}
            rows.append(first + taken.get(event.process, 0))
            taken[event.process] = taken.get(event.process, 0) + 1
            following = max(following, rows[-1] + 1)
        return rows

    def _heights(self, stretch: Mapping[int, float]) -> list[float]:
        count = max(self.row, default=-1) + 1
        depth = [0.0] * count
        for event, row in enumerate(self.row):
            depth[row] = max(depth[row], self.depth(event))
        rounds = {row: self.events[event].round for event, row in enumerate(self.row)}
        starts = len(self.trace.starts)
        y = self.top + HEAD + (24 if starts else 0) + stretch.get(-1, 0.0)
        at = []
        for row in range(count):
            y += 30 if starts and row == starts else 0
            y += 12 if row and rounds[row] != rounds[row - 1] else 0
            at.append(y)
            y += max(ROW, depth[row] + 24) + stretch.get(row, 0.0)
        return [at[row] for row in self.row]

    def crashed(self, number: int) -> list[tuple[float, float]]:
        """The stretches of the lane of process `number` in which it is down."""
        stretches = []
        since = self.top + 40 if self.trace.initial.processes[number].crashed else None
        for event, step in enumerate(self.events):
            down = step.state.processes[number].crashed
            if down and since is None:
                since = self.y[event]
            elif not down and since is not None:
                stretches.append((since, self.y[event]))
                since = None
        return [*stretches, *([(since, self.bottom)] if since is not None else [])]

    def siblings(self, flight: Flight) -> int:
        """How many messages like this one the same step sent, this one among them."""
        return sum((f.sent, f.message, f.origin) == (flight.sent, flight.message, flight.origin) for f in self.flights)
