"""The picture of a system that moves by itself: an animated SVG without a script, for any browser, or a frame for each moment.

Where the reader does not want motion, and on paper, the animated one stands still at its last moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...runs.trace import Trace
from ..svg import element, number
from . import colours
from .drawing import Attributes, Drawing, Still, translated
from .scene import Letter, Moments, Scene, scene

PACE = 1.6  # seconds for each moment
REST = 2  # moments more that the last one stays
MOVE = 0.42  # of a moment, in which letters move

Span = tuple[float, float]  # from when to when, in moments


def animated(trace: Trace, heading: str = "", *, violated: bool = True) -> str:
    """The whole run as one SVG that plays over and over."""
    drawing = _Moving(scene(trace, violated=violated))
    captions = [drawing.caption(moment, violated=violated) for moment in range(len(drawing.scene.moments))]
    text = drawing.document(captions, heading)
    return text.replace("</style>", f"{drawing.motions()}</style>", 1)


def frames(trace: Trace, heading: str = "", *, violated: bool = True) -> Iterator[str]:
    """An SVG for each moment, all of one size."""
    found = scene(trace, violated=violated)
    for moment in range(len(found.moments)):
        drawing = Still(found, moment)
        yield drawing.document([drawing.caption(moment, violated=violated)], heading)


class _Moving(Drawing):
    """Each element that comes and goes, and each letter that moves, is given a motion; equal ones share it."""

    style = colours.stylesheet()
    roomy = True

    def __init__(self, found: Scene) -> None:
        super().__init__(found)
        self.units = len(found.moments) + REST
        self._motions: dict[str, str] = {}

    def motions(self) -> str:
        """The rules for all motions, to stand in the style of the picture."""
        lasts = number(self.units * PACE)
        rules = [f"@keyframes {name}{{{body}}}" for body, name in self._motions.items()]
        uses = [
            f".{name}{{animation:{name} {lasts}s {'step-end' if name[0] == 's' else 'ease-in-out'} infinite}}"
            for name in self._motions.values()
        ]
        moved = "\n".join([*rules, *uses])
        return f"@media screen and (prefers-reduced-motion:no-preference){{\n{moved}\n}}\n"

    def only(self, shown: Moments, name: str, *content: str, class_: str = "", **attributes: object) -> str:
        return self._during([(k, k + 1.0) for k in shown], shown, name, *content, class_=class_, **attributes)

    def paperwork(self, letter: Letter, *content: str) -> str:
        """Until it has come in at the door."""
        spans: list[Span] = [(k, k + 1.0) for k in letter.shown]
        if letter.taken is not None and letter.taken - 1 in letter.shown and letter.taken not in letter.shown:
            spans.append((letter.taken, letter.taken + MOVE))
        return self._during(spans, letter.shown, "g", *content, class_="paperwork")

    def placed(self, letter: Letter) -> Attributes:
        found: Attributes = {"transform": translated(letter.places[-1][1])}
        if len(letter.places) == 1:
            return found
        stops = [(0.0, letter.places[0][1])]
        for since, place in letter.places[1:]:
            stops += [(float(since), stops[-1][1]), (since + MOVE, place)]
        stops.append((float(self.units), stops[-1][1]))
        body = "".join(f"{self._share(at)}{{transform:translate({number(x)}px,{number(y)}px)}}" for at, (x, y) in stops)
        return {**found, "class_": self._motion("m", body)}

    def _during(
        self, spans: Sequence[Span], shown: Moments, name: str, *content: str, class_: str = "", **attributes: object
    ) -> str:
        """An element that is there for these stretches of time; without motion, at the last of the moments it is `shown` at."""
        classes = [class_, "" if max(self.always) in shown else "off"]
        if shown < self.always:
            turns = [(0.0, False)]
            for first, last in sorted(spans):
                turns = turns[:-1] if turns[-1] == (first, False) else turns
                turns += [(first, True), (self.units if last == len(self.always) else last, False)]
            body = "".join(f"{self._share(at)}{{{_SEEN[seen]}}}" for at, seen in turns if at < self.units)
            classes.append(self._motion("s", body))
        return element(name, *content, class_=" ".join(filter(None, classes)) or None, **attributes)

    def _motion(self, kind: str, body: str) -> str:
        return self._motions.setdefault(body, f"{kind}{len(self._motions)}")

    def _share(self, at: float) -> str:
        return f"{100 * min(at, self.units) / self.units:.3f}%"


_SEEN = {True: "opacity:1;visibility:visible", False: "opacity:0;visibility:hidden"}
