"""The picture of a system as SVG, at one moment.

stage(trace) -> SVG, for a page: stage.js leads it from moment to moment
  <g class="body" data-process="p1">               a process, what it looks like then in it
  <g class="letter ..." data-flight data-target data-port data-message data-taken>   a message
  data-shown="0-3 7-9"                             on whatever is there at these moments only; class `off` where it is not
  data-places="0:12,30 4:60,30"                    on a letter: where it is, from which moment on

frame(scene, 3) -> SVG, of what is there then and of nothing else. moving.py makes the picture move by itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from ...runs.trace import Trace
from ..geometry import Box
from ..svg import element, number, path, text_of
from ..telling import event_in_full
from ..words import SMALL, broken, width
from . import colours
from .scene import LETTER, RADIUS, WIDER, Body, Channel, Letter, Look, Moments, Remark, Scene, scene

_LINE, _TYPE = 18.0, 13.0  # of captions
_LINES = 4
Attributes = dict[str, object]


class Drawing(ABC):
    """A scene as SVG. Kinds of drawings differ in what becomes of that which is there at some moments only, and of letters."""

    style = colours.stylesheet()

    def __init__(self, found: Scene) -> None:
        self.scene = found
        self.always = frozenset(range(len(found.moments)))

    @abstractmethod
    def only(self, shown: Moments, name: str, *content: str, class_: str = "", **attributes: object) -> str:
        """An element that is there at these moments."""

    @abstractmethod
    def placed(self, letter: Letter) -> Attributes:
        """What puts a letter in its place."""

    def paperwork(self, letter: Letter, *content: str) -> str:
        """A letter as long as it is there."""
        return self.only(letter.shown, "g", *content, class_="paperwork")

    def document(self, captions: Iterable[str] = (), heading: str = "") -> str:
        """The whole picture; captions are elements to stand below it, as `caption` makes them."""
        captions = list(captions)
        box = self._box(bool(captions))
        title = heading or f"The processes on a {self.scene.trace.world}, and what waits for them"
        parts = [
            element("title", text_of(title)),
            element("style", self.style) if self.style else "",
            element("rect", class_="paper", x=box.left, y=box.top, width=box.width, height=box.height),
            *(self._channel(channel) for channel in self.scene.lanes),
            *(self._letter(letter) for letter in self.scene.letters),
            *(self._body(body) for body in self.scene.bodies),
            *(self._remark(remark) for remark in self.scene.remarks),
            *self._key(box),
            *captions,
        ]
        return element(
            "svg", "\n".join(filter(None, parts)), xmlns="http://www.w3.org/2000/svg", class_="stage", role="img",
            viewBox=f"{box.left:.0f} {box.top:.0f} {box.width:.0f} {box.height:.0f}", width=f"{box.width:.0f}",
            height=f"{box.height:.0f}", data_last=len(self.scene.moments) - 1,
        ) + "\n"  # fmt: skip

    def caption(self, moment: int, *, violated: bool) -> str:
        """What happens at a moment in words, and at the end of a violated run what is wrong."""
        box, here = self._box(False), self.scene.moments[moment]
        room, x, y = (box.width - 24) / WIDER, box.left + 12, box.bottom + 12
        said = "; ".join(event_in_full(step) for step in here.steps) if moment else "before any step"
        lines = [(line, "") for line in broken(f"{here.place}: {said}", _TYPE, room)]
        wrong = violated and moment == len(self.scene.moments) - 1
        reason = (
            [(line, "fails") for line in broken(self.scene.trace.reason, _TYPE, room * 0.87, bold=True)]
            if wrong
            else []
        )
        kept = lines[: _LINES - min(len(reason), 2)]
        if len(kept) < len(lines):
            kept[-1] = (kept[-1][0] + " \u2026", "")
        texts = [
            element("text", text_of(line), class_=kind or None, x=x, y=y + _LINE * k)
            for k, (line, kind) in enumerate([*kept, *reason][:_LINES])
        ]
        return self.only(frozenset({moment}), "g", *texts, class_="caption")

    def _box(self, captions: bool) -> Box:
        box = self.scene.box
        aside = max(0.0, (440.0 if captions or self.roomy else 300.0) - box.width) / 2
        below = (_LINE + 6 if self.scene.beliefs else 0) + (_LINES * _LINE + 8 if captions else 0)
        return Box(box.left - aside, box.top, box.right + aside, box.bottom + below)

    roomy = False  # wide enough for captions

    def _channel(self, channel: Channel) -> str:
        (x0, y0), (x, y) = channel.way[-2], channel.way[-1]
        long = max(((x - x0) ** 2 + (y - y0) ** 2) ** 0.5, 1.0)
        dx, dy = (x - x0) / long, (y - y0) / long
        tip = path(
            (x, y), (x - 9 * dx - 4 * dy, y - 9 * dy + 4 * dx), (x - 9 * dx + 4 * dy, y - 9 * dy - 4 * dx), closed=True
        )
        drawn = [element("path", class_="link", d=path(*channel.way)), element("path", class_="arrow", d=tip)]
        if not channel.cut:
            return element("g", *drawn, class_="lane")
        mx, my = (x0 + x) / 2, (y0 + y) / 2
        bars = "".join(
            path((mx + a * dx - 6 * dy, my + a * dy + 6 * dx), (mx + a * dx + 6 * dy, my + a * dy - 6 * dx))
            for a in (-3, 3)
        )
        apart = [element("path", class_="link cut", d=path(*channel.way)), element("path", class_="bars", d=bars)]
        whole = self.only(self.always - channel.cut, "g", *drawn)
        return element("g", whole, self.only(channel.cut, "g", element("title", "cut"), *apart), class_="lane")

    def _body(self, body: Body) -> str:
        x, y = body.at
        parts = [element("title", text_of(body.label)), *(self._look(body, look) for look in body.looks)]
        if body.acting:
            parts.append(self.only(body.acting, "circle", class_="acting", cx=x, cy=y, r=RADIUS + 4))
        if body.wrong:
            parts.append(self.only(body.wrong, "circle", class_="wrong", cx=x, cy=y, r=RADIUS + 9))
        down = 4 if not body.note else -1
        parts.append(element("text", text_of(body.name), class_="process", x=x, y=y + down))
        parts.append(element("text", text_of(body.note), class_="note", x=x, y=y + 12) if body.note else "")
        return element("g", *parts, class_="body", data_process=body.name)

    def _look(self, body: Body, look: Look) -> str:
        x, y = body.at
        parts = [element("circle", cx=x, cy=y, r=RADIUS)]
        if look.crashed:
            d = path((x - 14, y - 14), (x + 14, y + 14)) + path((x + 14, y - 14), (x - 14, y + 14))
            parts.append(element("path", class_="cross", d=d, opacity=0.55))
        if look.said:
            beside = y - RADIUS - 12 if body.above else y + RADIUS + 19
            parts.append(element("text", text_of(look.said), class_="belief", x=x, y=beside))
        names = ["look", *(["crashed"] if look.crashed else []), *(["leads"] if look.leads else [])]
        names += [] if look.belief is None else [f"believes{look.belief % colours.MOST}"]
        return self.only(look.shown, "g", *parts, class_=" ".join(names))

    def _letter(self, letter: Letter) -> str:
        high = LETTER if letter.words else 2 * letter.half
        parts = [element("title", text_of(letter.full))]
        tip = path((letter.reach + 7, 0), (letter.reach, 4.5), (letter.reach, -4.5), closed=True)
        parts.append(element("path", class_="tip", d=tip, transform=f"rotate({number(letter.turn)})"))
        if letter.words:
            parts.append(element("rect", x=-letter.half, y=-high / 2, width=2 * letter.half, height=high, rx=5))
            parts.append(element("text", text_of(letter.words), y=SMALL * 0.36))
        else:
            parts.append(element("circle", r=letter.half))
        if letter.held:
            rim = {"x": -letter.half - 3, "y": -high / 2 - 3, "width": 2 * letter.half + 6, "height": high + 6}
            parts.append(self.only(letter.held, "rect", class_="held", rx=7, **rim))
        if letter.struck:
            d = path((-9, -8), (9, 8)) + path((9, -8), (-9, 8))
            parts.append(self.only(letter.struck, "path", class_="struck", d=d))
        place = self.placed(letter)
        names = f"letter origin-{letter.origin} {place.pop('class_', '')}".strip()
        return element(
            "g", self.paperwork(letter, *parts), class_=names, **place, data_flight=letter.flight,
            data_target=letter.target, data_port=letter.port, data_message=letter.message, data_taken=letter.taken,
        )  # fmt: skip

    def _remark(self, remark: Remark) -> str:
        x, y = remark.at
        words = element("text", text_of(remark.words), class_=remark.kind, x=x, y=y + 4)
        return self.only(remark.shown, "g", words, class_="shared" if remark.kind == "variable" else "rest")

    def _key(self, box: Box) -> list[str]:
        """The colours of the leaders that are believed in."""
        x, y, parts = box.left + 12, self.scene.box.bottom + 10, []
        for number_, leader in enumerate(self.scene.beliefs):
            said = f"takes {leader} for the leader" if number_ == 0 else leader
            words = broken(said, SMALL, 160)[0]
            if x + 20 + width(words, SMALL) * WIDER > box.right - 8:
                break
            swatch = element(
                "rect",
                class_=f"believes{number_ % colours.MOST}",
                x=x,
                y=y - 6,
                width=12,
                height=12,
                rx=6,
                stroke_width=2,
            )
            parts += [swatch, element("text", text_of(words), x=x + 18, y=y + 4)]
            x += 34 + width(words, SMALL) * WIDER
        return [element("g", *parts, class_="key")] if parts else []


class _Led(Drawing):
    """For a page, at the last moment first."""

    style = ""  # which the page has

    def only(self, shown: Moments, name: str, *content: str, class_: str = "", **attributes: object) -> str:
        there = max(self.always) in shown
        if shown < self.always:
            attributes["data_shown"] = spans(shown)
        return element(name, *content, class_=f"{class_}{'' if there else ' off'}".strip() or None, **attributes)

    def placed(self, letter: Letter) -> Attributes:
        ways = " ".join(f"{since}:{number(x)},{number(y)}" for since, (x, y) in letter.places)
        return {"transform": translated(letter.places[-1][1]), "data_places": ways}


class Still(Drawing):
    """One moment by itself."""

    roomy = True

    def __init__(self, found: Scene, moment: int) -> None:
        super().__init__(found)
        self.moment = moment

    def only(self, shown: Moments, name: str, *content: str, class_: str = "", **attributes: object) -> str:
        return element(name, *content, class_=class_ or None, **attributes) if self.moment in shown else ""

    def placed(self, letter: Letter) -> Attributes:
        return {"transform": translated([at for since, at in letter.places if since <= self.moment][-1])}


def stage(trace: Trace, *, violated: bool = True) -> str:
    """The system at the last moment of a run, for a page that has the style and leads it to other moments."""
    return _Led(scene(trace, violated=violated)).document()


def translated(place: tuple[float, float]) -> str:
    return f"translate({number(place[0])} {number(place[1])})"


def spans(moments: Moments) -> str:
    """'0-3 7' for 0, 1, 2, 3 and 7."""
    found: list[list[int]] = []
    for moment in sorted(moments):
        if found and found[-1][1] == moment - 1:
            found[-1][1] = moment
        else:
            found.append([moment, moment])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)
