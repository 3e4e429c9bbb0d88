"""The ways of messages from lane to lane, and the dots of events.

A way is straight unless it would run through the dot of an event that has nothing to do with it; then it is bent, where that
crosses no other message of its link. What was lost ends between the lanes, on the level at which it was lost; what still waits
ends before the lane that it never reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..runs.causality import Flight
from ..runs.trace import TraceStep
from .frame import ROW, Frame
from .geometry import Point, Way, at_height, bent, distance, length
from .links import Links

SWING = 40.0  # how far a message of a process to itself swings out
CLEAR = 9.0  # how near a way may come to the dot of another event


@dataclass(frozen=True)
class Dot:
    """An event. `mark` says what it looks like: its kind, of a fault what is done."""

    event: int
    x: float
    y: float
    mark: str
    violating: bool
    relevant: bool


@dataclass(frozen=True)
class Arrow:
    """A message on its way, or one of several arrivals. `tip` is "arrived", "waiting", "untaken" (it waits,
    and nobody will ever take it), "held", "lost", "ignored" or "merged"."""

    flight: int
    way: Way
    tip: str
    relevant: bool
    again: bool = False  # it has arrived before, on a network that keeps messages


def arrows_of(frame: Frame) -> list[Arrow]:
    """Every message, in the order of sending."""
    arrows: list[Arrow] = []
    links, drawn = Links(frame), dict[int, Way]()
    dots = [
        (frame.x[event.process], y) for event, y in zip(frame.events, frame.y, strict=True) if event.process in frame.x
    ]
    for number, flight in enumerate(frame.flights):
        for arrival, (way, tip) in enumerate(_ways(frame, links, number, drawn, dots)):
            drawn.setdefault(number, way)
            ends = flight.received or ((flight.ended,) if flight.ended is not None else ())
            relevant = flight.sent in frame.relevant and (not ends or any(end in frame.relevant for end in ends))
            arrows.append(Arrow(number, way, tip, relevant, again=arrival > 0))
    return arrows


def dots_of(frame: Frame, arrows: Sequence[Arrow]) -> list[Dot]:
    """Every event; what happens to messages on their way stands on the way."""
    dots = []
    wrong = _wrong(frame)
    for number, event in enumerate(frame.events):
        x = frame.x.get(event.process, 0.0)
        if event.deed and event.deed.about == "message":
            x = _on_the_way(frame, number, event, arrows)
        mark = event.deed.name_of(event.step) if event.deed else event.kind
        dots.append(Dot(number, x, frame.y[number], mark, number in wrong, number in frame.relevant))
    return dots


def _wrong(frame: Frame) -> set[int]:
    """The events in which it goes wrong: the step that fails, else the last step, in lock-step all of the last round."""
    if not frame.violated or not frame.events:
        return set()
    failing = {number for number, event in enumerate(frame.events) if event.failure is not None}
    if failing or frame.trace.loop is not None:
        return failing
    last = frame.events[-1].round
    return {n for n, event in enumerate(frame.events) if last is not None and event.round == last} or {
        len(frame.events) - 1
    }


def _on_the_way(frame: Frame, number: int, event: TraceStep, arrows: Sequence[Arrow]) -> float:
    y = frame.y[number]
    for arrow in arrows:
        flight = frame.flights[arrow.flight]
        if flight.ended == number and arrow.tip == "lost":
            return arrow.way[-1][0]
        if flight.origin == "copy" and flight.sent == number:
            return arrow.way[0][0]
    for arrow in arrows:  # a message that a cut holds up comes no further than this
        flight = frame.flights[arrow.flight]
        if _is_at(flight, event) and arrow.way[0][1] < y < arrow.way[-1][1]:
            return at_height(arrow.way, y)[0]
    return frame.x[event.process]


def _is_at(flight: Flight, event: TraceStep) -> bool:
    return (flight.message, flight.target, flight.port) == (event.received, event.process, event.port)


def _ways(
    frame: Frame, links: Links, number: int, drawn: dict[int, Way], dots: Sequence[Point]
) -> Iterator[tuple[Way, str]]:
    flight = frame.flights[number]
    tip = "untaken" if flight.fate == "waiting" and frame.trace.final else flight.fate
    if number not in links.straight:
        yield from _to_itself(frame, flight, tip)
        return
    links.fork(number, drawn)
    straight = links.straight[number]
    dots = [*dots, *_crossings(frame, flight)]
    way = _clear(straight, dots, lambda way: links.keeps(number, way, drawn))
    yield way, "arrived" if flight.received else tip
    for event in flight.received[1:]:
        yield _clear((straight[0], (frame.x[flight.target], frame.y[event])), dots, lambda _: True), "arrived"


def _to_itself(frame: Frame, flight: Flight, tip: str) -> Iterator[tuple[Way, str]]:
    """A loop beside the lane; an open one where the message never arrives."""
    start = x, y = frame.x[flight.source], frame.y[flight.sent]
    for event in flight.received:
        end = frame.y[event]
        middle = (y + end) / 2
        out = (x + SWING, middle)
        yield (*bent(start, out, (x + SWING, y + 4)), *bent(out, (x, end), (x + SWING, end - 4))[1:]), "arrived"
    if not flight.received:
        end = frame.y[flight.ended] if flight.ended is not None and flight.ended > flight.sent else y + ROW
        yield bent(start, (x + SWING - 8, end), (x + SWING + 6, y + 6)), tip


def _crossings(frame: Frame, flight: Flight) -> list[Point]:
    """Where this message should cross no lane: at the height at which something happens to it on its way."""
    heights = [
        frame.y[event]
        for event, step in enumerate(frame.events)
        if event > flight.sent and step.deed and step.deed.about == "message" and _is_at(flight, step)
    ]
    return [(x, y) for y in heights for x in frame.x.values()]


def _clear(straight: Way, dots: Sequence[Point], allowed: Callable[[Way], bool]) -> Way:
    """A way that keeps clear of the dots of other events: the straight one, or of those allowed the one bent least."""
    start, end = straight
    others = [dot for dot in dots if dot not in straight and start[1] - CLEAR < dot[1] < end[1] + CLEAR]
    (x0, y0), (x1, y1) = straight
    best: tuple[float, Way] | None = None
    for bend in (0.0, 0.16, -0.16, 0.32, -0.32, 0.46, -0.46):
        control = ((x0 + x1) / 2 - bend * (x1 - x0) * 0.3, (y0 + y1) / 2 + bend * (y1 - y0))
        way = bent(start, end, control) if bend else straight
        near = distance(way, others)
        if (best is None or near > best[0]) and (not bend or allowed(way)):
            best = near, way
        if best is not None and best[0] >= CLEAR:
            break
    assert best is not None
    return best[1] if length(best[1]) else straight
