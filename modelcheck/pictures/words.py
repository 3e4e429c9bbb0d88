"""How wide words are, and what is left of them where there is less room.

The widths are those of Helvetica, which Arial and Liberation Sans share; they stand in every font's metrics. A browser without
any of these draws with a face of its own, about as wide.
"""

from __future__ import annotations

import unicodedata

NAME, SMALL = 12.0, 10.5  # sizes of type: the names of steps, everything else beside a lane
_REGULAR = {
    191: "'", 222: "ijl", 260: "|", 278: " !,./:;I[\\]ft", 333: "()-`r\u00b7\u00b2\u00b3", 334: "{}", 350: "\u2022", 355: '"', 389: "*", 469: "^",
    500: "Jcksvxyz", 556: "#$0123456789?L_abdeghnopqu\u2013", 584: "+<=>~\u00d7", 611: "FTZ", 667: "&ABEKPSVXY", 722: "CDHNRUw",
    778: "GOQ", 833: "Mm", 889: "%", 944: "W", 1000: "\u2026\u2192", 1015: "@",
}  # fmt: skip
_BOLD = {
    238: "'", 278: " ,./I\\ijl", 280: "|", 333: "!()-:;[]`ft\u00b7\u00b2\u00b3", 350: "\u2022", 389: "*r{}", 474: '"', 500: "z",
    556: "#$0123456789J_aceksvxy\u2013", 584: "+<=>^~\u00d7", 611: "?FLTZbdghnopqu", 667: "EPSVXY", 722: "&ABCDHKNRU",
    778: "GOQw", 833: "M", 889: "%m", 944: "W", 975: "@", 1000: "\u2026\u2192",
}  # fmt: skip
_WIDTHS = tuple(
    {letter: width for width, letters in table.items() for letter in letters} for table in (_REGULAR, _BOLD)
)


def width(words: str, size: float, *, bold: bool = False) -> float:
    """How wide these words are in a face of this size."""
    table = _WIDTHS[bold]
    return sum(table.get(letter) or _unusual(letter) for letter in words) * size / 1000


def _unusual(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 1000 if unicodedata.east_asian_width(letter) in "WF" else 700


def elided(words: str, size: float, room: float, *, bold: bool = False) -> str:
    """As much of the words as there is room for, and an ellipsis where that is not all."""
    if width(words, size, bold=bold) <= room:
        return words
    room -= width("\u2026", size, bold=bold)
    kept, used = 0, 0.0
    for letter in words:
        used += width(letter, size, bold=bold)
        if used > room:
            break
        kept += 1
    return words[:kept].rstrip() + "\u2026"


def fitting(words: str, shorter: str, size: float, room: float, *, bold: bool = False) -> str:
    """The words, or what is shorter, or as much of that as there is room for."""
    if shorter and width(words, size, bold=bold) > room:
        return elided(shorter, size, room, bold=bold)
    return elided(words, size, room, bold=bold)


def broken(words: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """The words in lines that have room; a single word that has none is elided."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(elided(word, size, room, bold=bold))
    return lines
