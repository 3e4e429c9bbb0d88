"""Messages on one link keep their order: neither their ways nor what is left of them cross, but where one overtakes another.

Straight ways from lane to lane keep the order in which messages are sent and received. What never arrives ends where that is
so too: what waits at the end ends below all that was ahead of it and has arrived, and what was lost at some height there where
those ahead of it are still above it, and those behind it below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..runs.causality import Flight
from .frame import ROW, STRIP, Frame
from .geometry import Point, Way, at_height, bounds, crosses

SLOPE = 0.72 * ROW  # how far what never arrives comes down
APART = 9.0  # between the ends of messages that would lie on each other
BELOW = 14.0  # what waits ends so far below what has arrived before it
SHARES = 20  # places before a lane at which a message may end that does not arrive


class Links:
    """The straight way of every message from one process to another, to its first arrival or to where it ends."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.straight: dict[int, Way] = {}
        self._queues: dict[tuple[str, str, str], list[int]] = {}
        self._originals = {n: self._original(n) for n, flight in enumerate(frame.flights) if flight.origin == "copy"}
        apart = [n for n, flight in enumerate(frame.flights) if flight.source != flight.target or n in self._originals]
        for number in apart:
            queue = self._queues.setdefault(_link(frame.flights[number]), [])
            original = self._originals.get(number)
            queue.insert(len(queue) if original is None else queue.index(original) + 1, number)
        for number in sorted(apart, key=self._urgency):
            self._draw(number)

    def fork(self, number: int, drawn: Mapping[int, Way]) -> None:
        """Lets a copy begin where its original has been drawn."""
        original = self._originals.get(number)
        if original is not None and original in drawn:
            (_, y), end = self.straight[number]
            self.straight[number] = (at_height(drawn[original], y), end)

    def keeps(self, number: int, way: Way, drawn: Mapping[int, Way]) -> bool:
        """Whether a message that takes this way overtakes no other of its link that it does not overtake straight on."""
        others = (other for other in self._queues[_link(self.frame.flights[number])] if other != number)
        return not any(
            crosses(way, drawn.get(other, self.straight[other]))
            and not crosses(self.straight[number], self.straight[other])
            for other in others
        )

    def _is_word(self, number: int) -> bool:
        """Whether the failure detector says it, over no network: nothing that is lost need make way for that."""
        return self.frame.flights[number].origin == "detector"

    def _urgency(self, number: int) -> tuple[int, int]:
        """What is drawn first has the first choice of its place: what arrives has none."""
        flight = self.frame.flights[number]
        rank = {"received": 0, "waiting": 1}.get(flight.fate, 2)
        return rank, flight.ended if rank == 2 and flight.ended is not None else flight.sent

    def _draw(self, number: int) -> None:
        if number in self.straight:
            return
        flight = self.frame.flights[number]
        original = self._originals.get(number)
        if original is not None:
            self._draw(original)
        start = self._start(flight, original)
        if flight.received:
            self.straight[number] = (start, (self.frame.x[flight.target], self.frame.y[flight.received[0]]))
            return
        known = [self.straight[n] for n in self._queues[_link(flight)] if n in self.straight and not self._is_word(n)]
        ways = [(start, end) for end in self._ends(number, flight, start)]
        clear = (way for way in ways if not any(crosses(way, other) for other in known))
        self.straight[number] = next(clear, ways[0])

    def _start(self, flight: Flight, original: int | None) -> Point:
        """The lane of its source; of a copy, where it leaves the way of its original."""
        frame = self.frame
        y = frame.y[flight.sent]
        if flight.origin != "copy":
            return frame.x[flight.source], y + (STRIP / 2 if frame.is_strip(flight.sent) else 0)
        if original is not None:
            return at_height(self.straight[original], y)[0], y
        towards = 1 if frame.x[flight.target] > frame.x[flight.source] else -1
        return frame.x[flight.target] - towards * frame.gap * 0.3, y

    def _original(self, number: int) -> int | None:
        """The message that this one is a copy of, if it is still under way when the copy is made."""
        copy = self.frame.flights[number]
        for other, flight in enumerate(self.frame.flights[:number]):
            ends = (*flight.received, *([flight.ended] if flight.ended is not None else []))
            under_way = flight.sent < copy.sent <= min(ends, default=copy.sent) and copy.sent not in flight.received
            if _same(flight, copy) and under_way and flight.source != flight.target:
                return other
        return None

    def _ends(self, number: int, flight: Flight, start: Point) -> Iterator[Point]:
        """Where a message may end that does not arrive; the first is the best by itself."""
        frame = self.frame
        target = frame.x[flight.target]
        span = target - start[0]
        y = start[1] + self._down(number, flight, start)
        short = {"lost": max(26.0, frame.gap * 0.4), "ignored": 7.0, "merged": 11.0, "held": frame.gap * 0.3}
        before = short.get(flight.fate, 7.0 if frame.trace.final else 13.0)
        if flight.fate == "lost" and flight.ended is not None and flight.ended > flight.sent:
            crashed = (deed := frame.events[flight.ended].deed) and deed.about == "process"
            before = 16.0 if crashed else max(26.0, frame.gap * 0.3)
            y = frame.y[flight.ended] - (8 if crashed else 0)
        elif flight.fate == "waiting":
            y = max([y, *self._ahead(number)])
        if not span:  # a copy of a message to itself, or one that forks where it arrives
            yield target - 13, y
            return
        yield target - span / abs(span) * min(before, abs(span) * 0.6), y
        room = min(abs(span), frame.gap / 2 - 2)  # nearer to the lane that it never reached than to any other
        for other in sorted((room * k / SHARES for k in range(2, SHARES)), key=lambda other: abs(other - before)):
            yield target - span / abs(span) * other, y
        if flight.fate == "lost" and flight.ended == flight.sent:  # a cut lets nothing in
            yield from ((start[0] + span / abs(span) * before, y) for before in (0.3 * frame.gap, 24.0))

    def _down(self, number: int, flight: Flight, start: Point) -> float:
        """How far it comes down by itself: the further, the more messages of its step end beside it."""
        frame = self.frame
        alike = [
            k for k, f in enumerate(frame.flights) if (f.sent, f.target, f.received) == (flight.sent, flight.target, ())
        ]
        down = SLOPE + APART * alike.index(number)
        copies = [f.sent for f in frame.flights if f.origin == "copy" and f.sent > flight.sent and _same(f, flight)]
        return max(down, frame.y[max(copies)] - start[1] + 16) if copies else down

    def _ahead(self, number: int) -> Iterator[float]:
        """How low a message must come that waits behind others of its link."""
        queue = self._queues[_link(self.frame.flights[number])]
        for other in queue[: queue.index(number)]:
            if self.frame.flights[other].received:
                yield self.frame.y[self.frame.flights[other].received[0]] + BELOW
            elif self.frame.flights[other].fate == "waiting":
                self._draw(other)
                yield bounds(self.straight[other]).bottom + APART


def _link(flight: Flight) -> tuple[str, str, str]:
    return flight.source, flight.target, flight.port


def _same(one: Flight, other: Flight) -> bool:
    return (one.message, one.target, one.port) == (other.message, other.target, other.port)
