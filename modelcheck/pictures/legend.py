"""The legend: of what occurs in a diagram and does not explain itself, and of nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from .layout import Layout
from .marks import DEED_MARKS, event_mark, message_marks, shared_mark
from .svg import element, path, text_of
from .words import SMALL, width

LINE = 20.0
_SWATCH = 34.0

Entry = tuple[str, list[str], str]  # the class of the group, what is drawn, words


def entries(found: Layout, origins: set[str], *, causal: bool, wrong: bool) -> Iterator[Entry]:
    """What is to be explained. Pictures are 34 wide, around the height 0."""
    marks = {dot.mark for dot in found.dots}
    tips = {arrow.tip for arrow in found.arrows}
    across = ((2.0, -4.0), (27.0, 4.0))
    if any(dot.violating for dot in found.dots):
        yield (
            "violating",
            [*event_mark("step", 17, 0), element("circle", class_="ring", cx=17, cy=0, r=9)],
            "here it goes wrong",
        )
    for tip, said in (
        ("untaken", "arrived, waits, and is never taken"),
        ("waiting", "still on its way at the end" if found.loop is None else "still on its way"),
        ("lost", "lost"),
        ("ignored", "ignored: the process is down"),
        ("held", "held by a cut"),
        ("merged", "merged with an equal message that waits"),
    ):
        if tip in tips:
            yield "", message_marks(across, tip), said
    if any(arrow.again for arrow in found.arrows):
        yield "again", message_marks(across, "arrived"), "received again: this network keeps messages"
    if "detector" in origins:
        yield "origin-detector", message_marks(across, "arrived"), "word of the failure detector"
    for mark, deed in DEED_MARKS.items():
        if mark in marks and deed.legend:
            yield "", event_mark(mark, 17, 0), deed.legend
    beside = {label.kind for label in found.labels}
    for kind, said in (("shared", "writes a shared variable"), ("read", "only reads it")):
        if kind in beside:
            wire = element("path", class_="wire", d=path((2, 0), (25, 0)))
            yield (
                "",
                [wire, shared_mark(29, 0, kind == "shared")],
                said if "shared" in beside else "reads a shared variable",
            )
    if any(band.kind == "block" for band in found.bands):
        yield "", [element("rect", class_="block block0", x=3, y=-7, width=12, height=14), element("rect", class_="block block1", x=19, y=-7, width=12, height=14)], "parts of the network that do not reach each other"  # fmt: skip
    end = "the violation" if wrong else "the last step"
    if causal and all(dot.relevant for dot in found.dots):
        yield "", event_mark("step", 17, 0), f"every step is needed: {end} follows from each"
    elif causal:
        yield "aside", message_marks(across, "arrived"), f"grey: {end} does not follow from it"


def legend(all_entries: list[Entry], left: float, top: float, room: float) -> tuple[str, float]:
    """The legend in lines of at most `room`, and how high it is."""
    if not all_entries:
        return "", 0.0
    x, y, parts = left, top + LINE / 2, []
    for class_, drawn, said in all_entries:
        wide = _SWATCH + width(said, SMALL) + 24
        if x + wide - 24 > left + room and x > left:
            x, y = left, y + LINE
        words = element("text", text_of(said), x=_SWATCH + 4, y=SMALL * 0.36)
        place = f"translate({x:.1f} {y:.1f})"
        parts.append(element("g", element("g", *drawn, class_=class_ or None), words, transform=place))
        x += wide
    return element("g", *parts, class_="legend"), y + LINE / 2 - top
