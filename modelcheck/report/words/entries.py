"""What a report says, as data: labelled lines that the terminal prints and a page of HTML shows.

Words are Rich's Text where some of them are marked ("bold red", "yellow"): a terminal prints the marks as colours, a page as classes.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text


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
