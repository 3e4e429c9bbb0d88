"""The space-time diagram of a run: time runs down, a lane for each process, an arrow for each message."""

from __future__ import annotations

import textwrap

from ..check.causality import Flight, events, flights
from ..check.trace import Trace
from . import telling
from .labels import Label
from .layout import Arrow, Dot, Lane, Layout, layout
from .style import stylesheet
from .svg import element, path, text_of
from .telling import short

MARGIN = 14.0


def diagram(trace: Trace, *, heading: str = "", causal: bool = False, violated: bool | None = None) -> str:
    """The run as a standalone SVG document.

    `heading` says of what: model and property. With `causal` whatever the violation does not follow from is grey. `violated`
    is false of a run that shows no violation; without it, a run that gives a reason does.

    Event k of `causality.events` is `<g id="event-k">`, flight k of `causality.flights` is `<g id="flight-k">`.
    """
    wrong = bool(trace.reason) if violated is None else violated
    top = 62.0 if heading else 40.0
    return _Drawing(trace, layout(trace, violated=wrong, top=top), heading, causal, wrong).document()


class _Drawing:
    def __init__(self, trace: Trace, found: Layout, heading: str, causal: bool, wrong: bool) -> None:
        self.trace, self.found, self.heading, self.causal, self.wrong = trace, found, heading, causal, wrong
        self.events, self.flights = events(trace), flights(trace)

    def document(self) -> str:
        width = max(self.found.width, 360.0) + MARGIN
        reason, bottom = self._reason(width)
        title = self.heading or "a run"
        parts = [
            element("title", text_of(title)),
            element("desc", text_of(self._described())),
            element("style", stylesheet()),
            element("rect", class_="paper", width=width, height=bottom),
            *self._bands(),
            *self._headings(),
            *(self._lane(lane) for lane in self.found.lanes),
            *self._shared(),
            *self._numbers(),
            *self._loop(),
            *(self._flight(number, flight) for number, flight in enumerate(self.flights)),
            *(self._event(dot) for dot in self.found.dots),
            reason,
        ]
        return element(
            "svg", "\n".join(parts), xmlns="http://www.w3.org/2000/svg", class_="spacetime", role="img",
            viewBox=f"0 0 {width:.0f} {bottom:.0f}", width=f"{width:.0f}", height=f"{bottom:.0f}",
        ) + "\n"  # fmt: skip

    def _described(self) -> str:
        lines = [f"A space-time diagram of a run on a {self.trace.world}."]
        lines += [f"{k}. {telling.in_full(event)}." for k, event in enumerate(self.events, 1)]
        return "\n".join([*lines, self.trace.reason])

    def _headings(self) -> list[str]:
        parts = []
        if self.heading:
            parts.append(element("text", text_of(self.heading), class_="heading", x=MARGIN, y=26))
        y = 46 if self.heading else 26
        parts.append(element("text", text_of(str(self.trace.world)), class_="world", x=MARGIN, y=y))
        return parts

    def _lane(self, lane: Lane) -> str:
        top = self.found.top + 36
        parts = [element("line", x1=lane.x, x2=lane.x, y1=top, y2=self.found.bottom)]
        for since, until in lane.down:
            parts.append(element("line", class_="gone", x1=lane.x, x2=lane.x, y1=since, y2=until))
            parts.append(element("line", class_="down", x1=lane.x, x2=lane.x, y1=since, y2=until))
        parts.append(element("rect", x=lane.x - 20, y=self.found.top, width=40, height=22, rx=11))
        parts.append(element("text", text_of(lane.process), class_="process", x=lane.x, y=self.found.top + 16))
        parts.append(element("text", text_of(lane.note), class_="note", x=lane.x, y=self.found.top + 34))
        class_ = "lane concerned" if lane.concerned else "lane"
        return element("g", *parts, class_=class_, data_process=lane.process)

    def _shared(self) -> list[str]:
        x = self.found.shared
        if x is None:
            return []
        parts = [element("line", x1=x, x2=x, y1=self.found.top + 36, y2=self.found.bottom)]
        parts.append(element("text", "shared", class_="process", x=x, y=self.found.top + 16))
        initial = ", ".join(f"{name} = {value}" for name, value in self.trace.initial.shared)
        parts.append(element("text", text_of(initial), class_="note", x=x, y=self.found.top + 34))
        return [element("g", *parts, class_="lane", data_process="shared")]

    def _numbers(self) -> list[str]:
        return [element("text", words, class_="number", x=26, y=y + 4) for words, y in self.found.numbers]

    def _bands(self) -> list[str]:
        parts = []
        for number, band in enumerate(self.found.bands):
            box = band.box
            if band.kind != "round" or number % 2 == 0:
                parts.append(element("rect", class_="band", x=box.left, y=box.top, width=box.right - box.left, height=box.bottom - box.top, rx=4))  # fmt: skip
            parts.append(element("text", text_of(band.words), class_="bandname", x=box.left + 4, y=box.top + 12))
        return parts

    def _loop(self) -> list[str]:
        if self.found.loop is None:
            return []
        top, bottom = self.found.loop
        x, middle = 36.0, (top + bottom) / 2
        turned = f"rotate(-90 {x + 16:.1f} {middle:.1f})"
        words = element("text", "repeats for ever", class_="repeats", x=x + 16, y=middle, transform=turned)
        bracket = element("path", class_="bracket", d=path((x + 8, top), (x, top), (x, bottom), (x + 8, bottom)))
        return [element("g", bracket, words, class_="loop")]

    def _event(self, dot: Dot) -> str:
        event = self.events[dot.event]
        parts = [element("title", text_of(telling.in_full(event)))]
        x, y = dot.x, dot.y
        if dot.mark in ("crash", "lose"):
            parts.append(element("path", class_="glyph", d=path((x - 5, y - 5), (x + 5, y + 5)) + path((x - 5, y + 5), (x + 5, y - 5))))  # fmt: skip
        elif dot.mark == "duplicate":
            parts.append(element("path", class_="dot", d=path((x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y), closed=True)))  # fmt: skip
        else:
            parts.append(element("circle", class_="dot", cx=x, cy=y, r=4.5))
        if dot.violating:
            parts.append(element("circle", class_="ring", cx=x, cy=y, r=9))
        labels = [label for label in self.found.labels if label.kind != "message" and label.owner == dot.event]
        parts += [_words(label) for label in labels if label.kind not in ("change", "shared")]
        for kind in ("change", "shared"):
            changes = [_words(label) for label in labels if label.kind == kind]
            if changes:
                parts.append(
                    element(
                        "g", *changes, class_=f"change {kind}".replace("change change", "change"), data_event=dot.event
                    )
                )
        classes = ["event", f"kind-{event.kind}"] + ["violating"] * dot.violating
        classes += ["aside"] * (self.causal and not dot.relevant)
        return element("g", *parts, id=f"event-{dot.event}", class_=" ".join(classes), data_process=short(event.process), data_step=event.step)  # fmt: skip

    def _flight(self, number: int, flight: Flight) -> str:
        arrows = [arrow for arrow in self.found.arrows if arrow.flight == number]
        parts = [
            element(
                "title",
                text_of(f"{flight.message} from {short(flight.source)} to {short(flight.target)}: {flight.fate}"),
            )
        ]
        parts += [part for arrow in arrows for part in _arrow(arrow)]
        for label in self.found.labels:
            if label.kind == "message" and label.owner == number:
                box = label.box
                parts.append(element("rect", class_="plate", x=box.left, y=box.top, width=box.right - box.left, height=box.bottom - box.top, rx=3))  # fmt: skip
                parts.append(_words(label))
        classes = ["flight", f"fate-{flight.fate}", f"origin-{flight.origin}"]
        classes += ["aside"] * (self.causal and not any(arrow.relevant for arrow in arrows))
        return element(
            "g", *parts, id=f"flight-{number}", class_=" ".join(classes), data_message=flight.message,
            data_from=short(flight.source), data_to=short(flight.target), data_sent=flight.sent,
            data_received=" ".join(map(str, flight.received)),
        )  # fmt: skip

    def _reason(self, width: float) -> tuple[str, float]:
        """The sentence at the bottom, and where the picture ends."""
        if not self.trace.reason:
            return "", self.found.bottom + MARGIN
        lines = textwrap.wrap(self.trace.reason, max(20, int((width - 60) / 7)))
        top = self.found.bottom + 10
        height = 14 + 17 * len(lines)
        parts = [element("rect", x=MARGIN, y=top, width=width - 2 * MARGIN, height=height, rx=6)] if self.wrong else []
        parts += [element("text", text_of(line), x=MARGIN + 12, y=top + 20 + 17 * k) for k, line in enumerate(lines)]
        return element("g", *parts, class_="reason" if self.wrong else "said"), top + height + MARGIN


def _words(label: Label) -> str:
    more = element("title", text_of(label.full)) if label.full != label.words else ""
    return element("text", more + text_of(label.words), class_=label.kind, x=label.x, y=label.baseline, text_anchor=label.anchor)  # fmt: skip


def _arrow(arrow: Arrow) -> list[str]:
    (x0, y0), (x, y) = arrow.points[-2:]
    length = ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5 or 1.0
    dx, dy = (x - x0) / length, (y - y0) / length
    back = 5.0 if arrow.tip == "arrived" else 0.0
    tip, left, right = (
        (x - dx * a - dy * b, y - dy * a + dx * b) for a, b in ((back, 0), (back + 9, 4), (back + 9, -4))
    )
    parts = [element("path", class_="way", d=path(*arrow.points[:-1], tip if back else (x, y)))]
    if arrow.tip == "arrived":
        parts.append(element("path", class_="tip", d=path(tip, left, right, closed=True)))
    elif arrow.tip == "open":
        parts.append(element("path", class_="open", d=path(left, tip, right)))
    elif arrow.tip == "lost":
        parts.append(element("path", class_="open", d=path((x - 5, y - 5), (x + 5, y + 5)) + path((x - 5, y + 5), (x + 5, y - 5))))  # fmt: skip
    else:
        parts.append(element("path", class_="open", d=path((x - dy * 6, y + dx * 6), (x + dy * 6, y - dx * 6))))
    return parts
