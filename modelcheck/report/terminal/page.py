"""Laying out plain lines on a console, so that nothing is ever cut off.

On a terminal long lines are wrapped with a hanging indent. Anywhere else (a pipe, a file) a line stays one line, however
long: programs like grep see it whole. Rich gives the colours and leaves them out where they do not belong. What differs in
colour is put together by `Text.assemble`: the sum of two texts has the style of the first one throughout.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import IO, Any

from rich.console import Console
from rich.text import Text

from ...text.visible import visible

LABEL = 13  # the width of the column of labels, its indent included
Words = str | Text


class SteadyConsole(Console):
    """A console that survives the end of whoever reads it (`modelcheck list | head -1`): the rest goes nowhere. In a notebook too it writes to its
    file, where Rich would show the lines below the cell, and the file remain empty."""

    def __init__(self, **options: Any) -> None:
        super().__init__(force_jupyter=False, **options)

    def on_broken_pipe(self) -> None:
        self.quiet = True
        if self.file is sys.stdout:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Page:
    """Writes lines, labelled entries and simple columns to a console."""

    def __init__(self, console: Console) -> None:
        self.console = console

    @classmethod
    def on(cls, file: IO[str] | None = None) -> Page:
        """A page on a text stream, by default standard output."""
        return cls(SteadyConsole(file=file, highlight=False))

    @property
    def width(self) -> int | None:
        """How long a line may be; None where there is no limit."""
        return self.console.width if self.console.is_terminal else None

    def blank(self) -> None:
        self._out(Text())

    def line(self, words: Words, *, indent: int = 0, hang: int | None = None) -> None:
        """One line, or several where it is too long, or has an end of a line in it: those after the first are indented by `hang`. So what an exception
        says is not taken for a line of the report."""
        text = _text(words)
        hang = indent if hang is None else hang
        if "\n" in text.plain:
            for number, part in enumerate(text.split("\n", allow_blank=True)):
                self.line(part, indent=hang if number else indent, hang=hang)
            return
        first = Text(" " * indent) + text
        if self.width is None or first.cell_len <= self.width:
            self._out(first)
            return
        for number, part in enumerate(_wrapped(text, self.width - indent, self.width - hang)):
            self._out(Text(" " * (hang if number else indent)) + part)

    def entry(self, label: str, words: Words) -> None:
        """A labelled line of a block."""
        self.line(_label(label) + _text(words), hang=LABEL + 2)

    def parts(self, label: str, parts: Sequence[str]) -> None:
        """A labelled line of several figures, none of which is broken."""
        line = ""
        for part in parts:
            if line and self.width is not None and LABEL + 2 + len(line) + 3 + len(part) > self.width:
                self.entry(label, line)
                label, line = "", part
            else:
                line += ("   " if line else "") + part
        self.entry(label, line)

    def table(self, label: str, rows: Sequence[Sequence[str]]) -> None:
        """Labelled rows in aligned columns; the last column wraps within itself where there is room for that."""
        rows = list(rows)
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))] if rows else []
        start = LABEL + 2 + sum(width + 2 for width in widths[:-1])
        if self.width is not None and self.width - start < 24:
            start = LABEL + 4
        for row in rows:
            cells = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            self.line(_label(label) + cells, hang=start)
            label = ""

    def command(self, label: str, command: str) -> None:
        """A labelled command, never broken into lines, so that it can be copied."""
        self._out(_label(label) + Text(command, style="bold"))

    def columns(self, rows: Sequence[Sequence[Words]], *, indent: int = 2, right: Sequence[int] = ()) -> None:
        """Rows in aligned columns; the last column may wrap, those numbered in `right` are flush right."""
        if not rows:
            return
        cells = [[_text(cell) for cell in row] for row in rows]
        widths = [max(row[k].cell_len for row in cells) for k in range(len(cells[0]))]
        for row in cells:
            line = Text()
            for k, cell in enumerate(row):
                padding = " " * (widths[k] - cell.cell_len)
                last = k == len(row) - 1
                line += Text(padding) + cell if k in right else cell + ("" if last else padding)
                line += "" if last else "  "
            line.rstrip()
            start = indent + sum(widths[:-1]) + 2 * (len(widths) - 1)
            roomy = self.width is None or 2 * start <= self.width
            self.line(line, indent=indent, hang=start if roomy else min(start, 24))

    def columns_width(self, rows: Sequence[Sequence[Words]], *, indent: int = 2) -> int:
        """How long the longest line of such columns is."""
        if not rows:
            return 0
        cells = [[_text(cell).cell_len for cell in row] for row in rows]
        fixed = sum(max(row[k] for row in cells) + 2 for k in range(len(cells[0]) - 1))
        return indent + fixed + max(row[-1] for row in cells)

    def _out(self, text: Text) -> None:
        text = _harmless(text)
        text.rstrip()
        self.console.print(text, soft_wrap=True, highlight=False, markup=False, emoji=False)


def _harmless(text: Text) -> Text:
    """The text with what would steer a terminal spelled out: a model's own words may have it in them."""
    if text.plain.isprintable():
        return text
    found = Text(style=text.style)
    for part in text.divide(range(1, len(text.plain))):
        shown = part.copy()
        shown.plain = visible(part.plain)
        found.append_text(shown)
    return found


def _label(label: str) -> Text:
    return Text.assemble((f"  {label}".ljust(LABEL), "cyan"), "  ")


def _text(words: Words) -> Text:
    return words.copy() if isinstance(words, Text) else Text(words)


def _wrapped(text: Text, first: int, later: int) -> list[Text]:
    """Breaks a text at spaces, after a semicolon where that leaves no line half empty; a word longer than a line is left
    whole, for the terminal to fold and the user to copy."""
    parts: list[Text] = []
    plain = text.plain
    begin, room = 0, max(first, 20)
    while len(plain) - begin > room:
        cut = plain.rfind("; ", begin + room // 2, begin + room + 1) + 1 or plain.rfind(" ", begin, begin + room + 1)
        if cut <= begin or not plain[begin:cut].strip():
            cut = plain.find(" ", begin + room)
            if cut < 0:
                break
        parts.append(text[begin:cut])
        begin = cut
        while begin < len(plain) and plain[begin] == " ":
            begin += 1
        room = max(later, 20)
    parts.append(text[begin:])
    return [part for part in parts if part.plain.strip()]
