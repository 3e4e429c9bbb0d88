"""The space-time diagram of a run: time runs down, a lane for each process, an arrow for each message.

    diagram(trace) -> SVG
      <g class="lane" data-process="p1">                       a process, or the shared variables
      <g id="event-3" class="event ..." data-process data-step>  event 3 of `causality.events`
        <g class="change" data-event="3">                        the local variables it changed
      <g id="flight-2" class="flight fate-received ..." data-message data-from data-to data-sent data-received>

Colours are variables of the style (`--message`, ...), so that a page around the picture may have others.
"""

from __future__ import annotations

from ..runs.causality import NETWORK, events, flights
from ..runs.trace import Trace
from . import telling
from .labels import Label
from .layout import Lane, Layout, layout
from .legend import entries, legend
from .marks import event_mark, flight_classes, message_marks, shared_mark, words
from .style import stylesheet
from .svg import element, path, text_of
from .telling import short
from .ways import Dot
from .words import broken, width

MARGIN = 14.0
HEADING, WORLD, REASON = 15.0, 11.5, 13.0  # sizes of type
WIDER = 1.18  # than Helvetica is the face of a reader who has none like it: what is wrong is not cut off there


def diagram(trace: Trace, *, heading: str = "", causal: bool = False, violated: bool | None = None) -> str:
    """The run as a standalone SVG document.

    `heading` says of what: model and property. With `causal` whatever the violation does not follow from is grey, or the last
    step of a run that goes against nothing. `violated` is false for a run that goes against nothing; where it is not given, a run that has a reason does.
    """
    wrong = bool(trace.reason) if violated is None else violated
    return _Drawing(trace, layout(trace, violated=wrong), heading, causal, wrong).document()


class _Drawing:
    """Everything that is drawn lies between `left` and `right`; the names of the lanes stand at height 0."""

    def __init__(self, trace: Trace, found: Layout, heading: str, causal: bool, wrong: bool) -> None:
        self.trace, self.found, self.heading, self.causal, self.wrong = trace, found, heading, causal, wrong
        self.events, self.flights = events(trace), flights(trace)
        self.ringed = {(dot.x, dot.y) for dot in found.dots if dot.violating}
        self.left = found.left - MARGIN
        self.right = max(found.right + MARGIN, self.left + 330)

    def document(self) -> str:
        head, top = self._head()
        foot, bottom = self._foot()
        wide, high = self.right - self.left, bottom - top
        parts = [
            element("title", text_of(self.heading or f"A run on a {self.trace.world}")),
            element("desc", text_of(self._described())),
            element("style", stylesheet()),
            element("rect", class_="paper", x=self.left, y=top, width=wide, height=high),
            *head,
            *self._bands(),
            *(self._lane(lane) for lane in self.found.lanes),
            *self._shared(),
            *self._strips(),
            *self._numbers(),
            *self._loop(),
            *(self._flight(number) for number in range(len(self.flights))),
            *(self._event(dot) for dot in self.found.dots),
            *foot,
        ]
        return element(
            "svg", "\n".join(parts), xmlns="http://www.w3.org/2000/svg", class_="spacetime", role="img",
            viewBox=f"{self.left:.0f} {top:.0f} {wide:.0f} {high:.0f}", width=f"{wide:.0f}", height=f"{high:.0f}",
        ) + "\n"  # fmt: skip

    def _described(self) -> str:
        lines = [f"A space-time diagram of a run on a {self.trace.world}: time runs down, a lane for each process."]
        starts = len(self.trace.starts)
        for number, event in enumerate(self.events):
            place = "before the run" if number < starts else f"{number - starts + 1}"
            lines.append(f"{place}. {telling.event_in_full(event)}.")
        return "\n".join([*lines, self.trace.reason])

    # --- above and below

    def _head(self) -> tuple[list[str], float]:
        """Heading and world, above the lanes, and where they begin."""
        room = self.right - self.left - 2 * MARGIN
        lines = [(line, "world", WORLD) for line in broken(str(self.trace.world), WORLD, room)]
        lines = [(line, "heading", HEADING) for line in broken(self.heading, HEADING, room, bold=True)] + lines
        y, parts = -16.0, []
        for line, class_, size in reversed(lines):
            parts.append(element("text", text_of(line), class_=class_, x=self.left + MARGIN, y=y))
            y -= size + 6
        return parts[::-1], y - 6

    def _foot(self) -> tuple[list[str], float]:
        """Reason and legend, below the lanes, and where they end."""
        left, room = self.left + MARGIN, self.right - self.left - 2 * MARGIN
        y, parts = self.found.bottom, []
        if self.trace.reason:
            lines = broken(self.trace.reason, REASON, (room - 24) / WIDER, bold=self.wrong)
            box = element("rect", x=left, y=y, width=room, height=16.0 + 17 * len(lines), rx=6) if self.wrong else ""
            said = [
                element("text", text_of(line), x=left + (12 if self.wrong else 0), y=y + 21 + 17 * k)
                for k, line in enumerate(lines)
            ]
            parts.append(element("g", box, *said, class_="reason" if self.wrong else "said"))
            y += 16.0 + 17 * len(lines) + 10
        origins = {flight.origin for flight in self.flights}
        explained = list(entries(self.found, origins, causal=self.causal, wrong=self.wrong))
        drawn, high = legend(explained, left, y, room)
        return [*parts, drawn], y + high + MARGIN

    # --- lanes, and what lies behind them

    def _lane(self, lane: Lane) -> str:
        top = self.found.top
        parts = [element("line", x1=lane.x, x2=lane.x, y1=top + 40, y2=self.found.bottom - 8)]
        for since, until in lane.down:
            until = min(until, self.found.bottom - 8)
            parts += [
                element("line", class_=name, x1=lane.x, x2=lane.x, y1=since, y2=until) for name in ("gone", "down")
            ]
        if lane.concerned:
            parts.append(
                element("line", class_="end", x1=lane.x, x2=lane.x, y1=self.found.bottom - 12, y2=self.found.bottom)
            )
        half = max(20.0, width(lane.process, 13, bold=True) / 2 + 9)
        parts.append(element("rect", x=lane.x - half, y=top, width=2 * half, height=23, rx=11.5))
        parts.append(element("text", text_of(lane.process), class_="process", x=lane.x, y=top + 16))
        parts.append(element("text", text_of(lane.note), class_="note", x=lane.x, y=top + 35) if lane.note else "")
        return element("g", *parts, class_="lane concerned" if lane.concerned else "lane", data_process=lane.process)

    def _shared(self) -> list[str]:
        x, top = self.found.shared, self.found.top
        if x is None:
            return []
        said = ", ".join(f"{name} = {value}" for name, value in self.trace.initial.shared)
        parts = [
            element("line", x1=x, x2=x, y1=top + 40, y2=self.found.bottom - 8),
            element("rect", x=x - 30, y=top, width=60, height=23, rx=3),
            element("text", "shared", class_="process", x=x, y=top + 16),
            element("text", text_of(said), class_="note variables", x=x, y=top + 35),
        ]
        return [element("g", *parts, class_="lane", data_process="shared")]

    def _bands(self) -> list[str]:
        parts = []
        for number, band in enumerate(self.found.bands):
            box = {"x": band.box.left, "y": band.box.top, "width": band.box.width, "height": band.box.height}
            if band.kind == "block":
                rect = element("rect", class_=f"block block{band.place % 4}", **box, rx=8)
                parts.append(
                    element("g", rect, element("title", text_of(band.words)), class_="part", data_block=band.words)
                )
            elif band.kind == "starts":
                words = element(
                    "text", text_of(band.words), class_="bandname", x=band.box.right - 8, y=band.box.top + 14
                )
                parts.append(element("g", element("rect", class_="frame", **box, rx=8), words, class_="starts"))
            elif band.kind == "round":
                rect = element("rect", class_="band", **box, rx=4) if number % 2 == 0 else ""
                parts.append(element("g", rect, class_="round", data_round=band.words))
        return parts

    def _strips(self) -> list[str]:
        boxes = (band.box for band in self.found.bands if band.kind == "strip")
        return [element("rect", class_="stripband", x=b.left, y=b.top, width=b.width, height=b.height) for b in boxes]

    def _numbers(self) -> list[str]:
        x = self.found.left + (44.0 if self.trace.rounds else 22.0) + (30 if self.found.loop else 0)
        head = [("step", self.found.top + 12)] if self.found.numbers and not self.trace.rounds else []
        return [element("text", said, class_="number", x=x, y=y + 4) for said, y in [*head, *self.found.numbers]]

    def _loop(self) -> list[str]:
        if self.found.loop is None:
            return []
        top, bottom = self.found.loop
        x, middle = self.found.left + 18, (top + bottom) / 2
        bracket = element("path", class_="bracket", d=path((x + 8, top), (x, top), (x, bottom), (x + 8, bottom)))
        said = element(
            "text", "repeats for ever", class_="repeats", x=x - 7, y=middle,
            transform=f"rotate(-90 {x - 7:.1f} {middle:.1f})",
        )  # fmt: skip
        return [element("g", element("g", bracket, said, class_="wrong" if self.wrong else None), class_="loop")]

    # --- what happens

    def _event(self, dot: Dot) -> str:
        event = self.events[dot.event]
        parts = [element("title", text_of(telling.event_in_full(event)))]
        labels = [label for label in self.found.labels if label.owner == dot.event and label.kind != "message"]
        written = any(label.kind == "shared" for label in labels)
        parts += [self._wire(dot, written)] if written or any(label.kind == "read" for label in labels) else []
        parts += event_mark(dot.mark, dot.x, dot.y)
        if dot.violating and event.process != NETWORK:
            parts.append(element("circle", class_="ring", cx=dot.x, cy=dot.y, r=9.5))
        parts += [_label(label) for label in labels if label.kind not in ("change", "shared", "lost")]
        for kinds, class_ in ((("change",), "change"), (("shared", "lost"), "change shared")):
            changes = [_label(label) for label in labels if label.kind in kinds]
            parts += [element("g", *changes, class_=class_, data_event=dot.event)] if changes else []
        classes = ["event", f"kind-{event.kind}"] + ["violating"] * dot.violating
        classes += ["aside"] * (self.causal and not dot.relevant)
        return element(
            "g", *parts, id=f"event-{dot.event}", class_=" ".join(classes), data_process=short(event.process),
            data_step=event.step,
        )  # fmt: skip

    def _wire(self, dot: Dot, written: bool) -> str:
        """Between a process and the shared variables that it writes, or only reads."""
        x = self.found.shared or 0.0
        return element("path", class_="wire", d=path((dot.x, dot.y), (x, dot.y))) + shared_mark(x, dot.y, written)

    def _flight(self, number: int) -> str:
        flight = self.flights[number]
        arrows = [arrow for arrow in self.found.arrows if arrow.flight == number]
        parts = [element("title", text_of(telling.flight_in_full(flight, final=self.trace.final)))]
        for arrow in arrows:
            marks = message_marks(arrow.way, arrow.tip, 10.5 if arrow.way[-1] in self.ringed else 5.5)
            parts += [element("g", *marks, class_="again")] if arrow.again else marks
        for label in self.found.labels:
            if label.kind == "message" and label.owner == number:
                box = label.box
                parts.append(
                    element("rect", class_="plate", x=box.left, y=box.top, width=box.width, height=box.height, rx=3)
                )
                parts.append(_label(label))
        classes = flight_classes(flight) + ["aside"] * (self.causal and not any(arrow.relevant for arrow in arrows))
        return element(
            "g", *parts, id=f"flight-{number}", class_=" ".join(classes), data_message=flight.message,
            data_from=short(flight.source), data_to=short(flight.target), data_sent=flight.sent,
            data_received=" ".join(map(str, flight.received)),
        )  # fmt: skip


def _label(label: Label) -> str:
    return words(label.kind, label.words, label.full, label.x, label.baseline, label.anchor)
