"""What a report says, as data: labelled lines that the terminal prints and a page of HTML shows.

Words are Rich's Text where some of them are marked ("bold red", "yellow"): a terminal prints the marks as colours, a page as classes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.text import Text

from ..terminal.page import LABEL, Page


@dataclass(frozen=True)
class Said:
    """A labelled line. Without a label it goes on with what stands above it."""

    label: str
    words: str | Text


@dataclass(frozen=True)
class Figures:
    """A labelled line of several figures, none of which is broken."""

    label: str
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """Rows of figures; the first row says what they are."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Typed:
    """A labelled command, to be typed as it stands."""

    label: str
    command: str


Entry = Said | Figures | Table | Typed


def write_entries(entries: Iterable[Entry], page: Page) -> None:
    """Prints them, one below the other."""
    for entry in entries:
        match entry:
            case Said(label, words):
                page.entry(label, words)
            case Figures(label, parts):
                page.parts(label, parts)
            case Table(rows):
                page.columns(rows, indent=LABEL + 2, right=range(len(rows[0])))
            case Typed(label, command):
                page.command(label, command)
