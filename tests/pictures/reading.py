"""A diagram read back: from the SVG alone, with an XML parser, and nothing of what drew it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from functools import cached_property

SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]


@dataclass(frozen=True)
class Picture:
    """One diagram."""

    root: ElementTree.Element

    @staticmethod
    def of(svg: str) -> Picture:
        return Picture(ElementTree.fromstring(svg))

    def groups(self, class_: str) -> list[ElementTree.Element]:
        return [group for group in self.root.iter(f"{SVG}g") if class_ in group.get("class", "").split()]

    @cached_property
    def lanes(self) -> dict[str, float]:
        """Where each process has its lane."""
        return {
            group.get("data-process", ""): float(group.find(f"{SVG}line").get("x1"))  # type: ignore[union-attr, arg-type]
            for group in self.groups("lane")
        }

    def event(self, number: int) -> ElementTree.Element:
        (found,) = [group for group in self.groups("event") if group.get("id") == f"event-{number}"]
        return found

    def flight(self, number: int) -> ElementTree.Element:
        (found,) = [group for group in self.groups("flight") if group.get("id") == f"flight-{number}"]
        return found

    def place(self, number: int) -> Point | None:
        """Where the mark of an event stands; None of one without a mark."""
        for mark in self.event(number):
            class_ = mark.get("class", "")
            if mark.tag == f"{SVG}circle" and class_ in ("dot", "hollow"):
                return float(mark.get("cx", "")), float(mark.get("cy", ""))
            if mark.tag == f"{SVG}path" and class_ in ("dot", "glyph"):
                points = points_of(mark)
                xs, ys = [x for x, _ in points], [y for _, y in points]
                return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        return None

    def ways(self, number: int) -> list[list[Point]]:
        """The pieces of the way of a flight, in the order of drawing."""
        return [points_of(p) for p in self.flight(number).iter(f"{SVG}path") if p.get("class") == "way"]

    def words(self, element: ElementTree.Element) -> list[str]:
        """What can be read; of what is elided, all of it."""
        found = []
        for text in element.iter(f"{SVG}text"):
            title = text.find(f"{SVG}title")
            found.append("".join(text.itertext()) if title is None else title.text or "")
        return found


def points_of(path: ElementTree.Element) -> list[Point]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path.get("d", ""))]
