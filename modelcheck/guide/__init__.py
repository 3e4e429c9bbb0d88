"""The guide: one Markdown file for each topic, in the order in which they are best read.

A page begins with its title and one sentence that says what it answers; it ends with what to read next. `modelcheck help` shows
pages in a terminal (`terminal.py`) or writes them as one document for the browser (`html.py`); the tests run their examples and follow
their links. A new page is a file beside this one, and its name in PARTS.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent

PARTS = {
    "to write": ("language", "properties", "models"),
    "to run": ("semantics", "options", "faults", "reductions", "partial_order", "sets", "machines"),
    "to read": ("verdicts", "words", "counting", "chance", "pictures", "explorer", "json", "python", "desk"),
    "to believe": ("trust", "literature", "teaching", "performance", "limits", "inside", "soundness_log"),
}


@dataclass(frozen=True)
class GuidePage:
    """A page of the guide: its topic (the name of its file) and its text, which is Markdown."""

    topic: str
    text: str

    @property
    def title(self) -> str:
        return self.text.splitlines()[0].removeprefix("# ")

    @property
    def answers(self) -> str:
        """The sentence under the title: what the page is there for."""
        return " ".join(self.text.split("\n\n")[1].split())

    def mentions(self, word: str) -> int:
        """How often the word stands in the page."""
        return len(re.findall(rf"(?<!\w){re.escape(word)}", self.text, re.IGNORECASE)) if word else 0


def topics() -> tuple[str, ...]:
    """Every topic, in the order of PARTS."""
    return tuple(topic for part in PARTS.values() for topic in part)


def page(topic: str) -> GuidePage:
    return GuidePage(topic, (FOLDER / f"{topic}.md").read_text(encoding="utf-8"))


def pages() -> tuple[GuidePage, ...]:
    return tuple(map(page, topics()))
