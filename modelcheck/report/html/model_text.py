"""The text of a model as a page shows it: in colours, a line a row, those that never ran marked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from ...check.result import ModelFile


@dataclass(frozen=True)
class Row:
    number: int
    code: Markup
    never_ran: bool


def listing(file: ModelFile, never_ran: Iterable[str]) -> list[Row]:
    """Every line of the file; `never_ran` are places as in a Result."""
    idle = set(_lines(file.name, never_ran))
    coloured = highlight(file.text, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True))
    return [Row(number, Markup(line), number in idle) for number, line in enumerate(coloured.splitlines(), 1)]


def _lines(name: str, places: Iterable[str]) -> Iterable[int]:
    for place in places:
        found = re.match(rf"{re.escape(name)}:(\d+)(?:-(\d+))? ", place)
        if found:
            yield from range(int(found[1]), int(found[2] or found[1]) + 1)
