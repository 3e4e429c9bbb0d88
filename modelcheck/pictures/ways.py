"""The ways of messages from lane to lane, and the dots of events.

A way is straight unless it would run through the dot of an event that has nothing to do with it; then it is bent. What was
lost ends between the lanes, on the level at which it was lost; what still waits ends before the lane that it never reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..check.causality import Flight
from ..check.trace import TraceStep
from .frame import ROW, STRIP, Frame
from .geometry import Point, Way, at_height, bent, distance, length

SWING = 40.0  # how far a message of a process to itself swings out
CLEAR = 9.0  # how near a way may come to the dot of another event
SLOPE = 0.72 * ROW  # how far what never arrives comes down
APART = 9.0  # between the ends of messages that would lie on each other


@dataclass(frozen=True)
class Dot:
    """An event. `mark` says what it looks like: the kind of the event, of what a cut does to messages "lose" or "hold"."""

    event: int
    x: float
    y: float
    mark: str
    violating: bool
    relevant: bool


@dataclass(frozen=True)
class Arrow:
    """A message on its way, or one of several arrivals. `tip` is "arrived", "waiting", "held", "lost", "ignored", "merged"."""

    flight: int
    way: Way
    tip: str
    relevant: bool


def arrows_of(frame: Frame) -> list[Arrow]:
    """Every message, in the order of sending."""
    arrows: list[Arrow] = []
    dots = [
        (frame.x[event.process], y) for event, y in zip(frame.events, frame.y, strict=True) if event.process in frame.x
    ]
    for number, flight in enumerate(frame.flights):
        for way, tip in _ways(frame, number, flight, arrows, dots):
            ends = flight.received or ((flight.ended,) if flight.ended is not None else ())
            relevant = flight.sent in frame.relevant and (not ends or any(end in frame.relevant for end in ends))
            arrows.append(Arrow(number, way, tip, relevant))
    return arrows


def dots_of(frame: Frame, arrows: Sequence[Arrow]) -> list[Dot]:
    """Every event; what happens to messages on their way stands on the way."""
    dots = []
    last = len(frame.events) - 1
    for number, event in enumerate(frame.events):
        x = frame.x.get(event.process, 0.0)
        if event.kind in ("lose", "duplicate", "strand"):
            x = _on_the_way(frame, number, event, arrows)
        violating = frame.violated and (event.failure is not None or (number == last and frame.trace.loop is None))
        mark = event.step if event.kind == "strand" else event.kind
        dots.append(Dot(number, x, frame.y[number], mark, violating, number in frame.relevant))
    return dots


def _on_the_way(frame: Frame, number: int, event: TraceStep, arrows: Sequence[Arrow]) -> float:
    y = frame.y[number]
    for arrow in arrows:
        flight = frame.flights[arrow.flight]
        if flight.ended == number and arrow.tip == "lost":
            return arrow.way[-1][0]
        if flight.origin == "copy" and flight.sent == number:
            return arrow.way[0][0]
    if event.kind == "strand":  # a message that a cut holds up comes no further than this
        for arrow in arrows:
            flight = frame.flights[arrow.flight]
            if _is_at(flight, event) and arrow.way[0][1] < y < arrow.way[-1][1]:
                return at_height(arrow.way, y)[0]
    return frame.x[event.process]


def _is_at(flight: Flight, event: TraceStep) -> bool:
    return (flight.message, flight.target, flight.port) == (event.received, event.process, event.port)


def _ways(
    frame: Frame, number: int, flight: Flight, arrows: Sequence[Arrow], dots: Sequence[Point]
) -> Iterator[tuple[Way, str]]:
    fork = _fork(frame, flight, arrows)
    start = fork or (frame.x[flight.source], frame.y[flight.sent] + (STRIP / 2 if frame.is_strip(flight.sent) else 0))
    dots = [*dots, *_crossings(frame, flight)]
    if flight.source == flight.target and not fork:
        yield from _to_itself(frame, flight, start)
    elif flight.received:
        for event in flight.received:
            yield _clear(start, (frame.x[flight.target], frame.y[event]), dots), "arrived"
    else:
        end = _short_of(frame, number, flight, start)
        yield _clear(start, end, dots), flight.fate


def _short_of(frame: Frame, number: int, flight: Flight, start: Point) -> Point:
    """Where a message ends that did not arrive."""
    target = frame.x[flight.target]
    span = target - start[0]
    towards = 1 if span > 0 else -1
    if flight.fate == "lost" and flight.ended is not None and flight.ended > flight.sent:
        crashed = frame.events[flight.ended].kind in ("crash", "recover")
        before = 16.0 if crashed else max(26.0, frame.gap * 0.3)
        return target - towards * before, frame.y[flight.ended] - (8 if crashed else 0)
    alike = [
        k for k, f in enumerate(frame.flights) if (f.sent, f.target, f.received) == (flight.sent, flight.target, ())
    ]
    down = SLOPE + APART * alike.index(number)
    copies = [f.sent for f in frame.flights if f.origin == "copy" and f.sent > flight.sent and _same(f, flight)]
    if copies:
        down = max(down, frame.y[max(copies)] - start[1] + 16)
    before = {"lost": max(26.0, frame.gap * 0.4), "ignored": 7.0, "merged": 11.0, "held": frame.gap * 0.3}.get(
        flight.fate, 13.0
    )
    if not span:  # a copy of a message to itself, or one that forks where it arrives
        return target - 13, start[1] + down
    return target - towards * min(before, abs(span) * 0.6), start[1] + down


def _to_itself(frame: Frame, flight: Flight, start: Point) -> Iterator[tuple[Way, str]]:
    """A loop beside the lane; an open one where the message never arrives."""
    x, y = start
    for event in flight.received:
        end = frame.y[event]
        middle = (y + end) / 2
        out = (x + SWING, middle)
        yield (*bent(start, out, (x + SWING, y + 4)), *bent(out, (x, end), (x + SWING, end - 4))[1:]), "arrived"
    if not flight.received:
        end = frame.y[flight.ended] if flight.ended is not None and flight.ended > flight.sent else y + ROW
        yield bent(start, (x + SWING - 8, end), (x + SWING + 6, y + 6)), flight.fate


def _fork(frame: Frame, flight: Flight, arrows: Sequence[Arrow]) -> Point | None:
    """Where a copy leaves the way of the message that it is a copy of."""
    if flight.origin != "copy":
        return None
    y = frame.y[flight.sent]
    for arrow in arrows:
        other = frame.flights[arrow.flight]
        under_way = all(event > flight.sent for event in other.received)
        if _same(other, flight) and other.sent < flight.sent and under_way and arrow.way[-1][1] >= y:
            return at_height(arrow.way, y)[0], y
    towards = 1 if frame.x[flight.target] > frame.x[flight.source] else -1
    return frame.x[flight.target] - towards * frame.gap * 0.3, y


def _crossings(frame: Frame, flight: Flight) -> list[Point]:
    """Where this message should cross no lane: at the height at which something happens to it on its way."""
    heights = [
        frame.y[event]
        for event, step in enumerate(frame.events)
        if event > flight.sent and step.kind in ("duplicate", "lose", "strand") and _is_at(flight, step)
    ]
    return [(x, y) for y in heights for x in frame.x.values()]


def _same(one: Flight, other: Flight) -> bool:
    return (one.message, one.target, one.port) == (other.message, other.target, other.port)


def _clear(start: Point, end: Point, dots: Sequence[Point]) -> Way:
    """A way that keeps clear of the dots of other events: the straight one, or the one bent least."""
    others = [dot for dot in dots if dot not in (start, end) and start[1] - CLEAR < dot[1] < end[1] + CLEAR]
    (x0, y0), (x1, y1) = start, end
    best: tuple[float, Way] | None = None
    for bend in (0.0, 0.16, -0.16, 0.32, -0.32, 0.46, -0.46):
        control = ((x0 + x1) / 2 - bend * (x1 - x0) * 0.3, (y0 + y1) / 2 + bend * (y1 - y0))
        way = bent(start, end, control) if bend else (start, end)
        near = distance(way, others)
        if near >= CLEAR:
            return way
        if best is None or near > best[0]:
            best = near, way
    assert best is not None
    return best[1] if length(best[1]) else (start, end)
