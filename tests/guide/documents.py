"""The documents people read: the README and the pages of the guide."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from modelcheck import guide

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = tuple(guide.FOLDER / f"{topic}.md" for topic in guide.topics())
DOCUMENTS = (README, *PAGES)
CUSTOMARY = tuple(ROOT / f"{name}.md" for name in ("CONTRIBUTING", "SECURITY"))

_FENCE = re.compile(r"^```(\w*)(?: (\S+))?\n(.*?)^```$", re.S | re.M)


@dataclass(frozen=True)
class Example:
    """A fenced block. One whose first line names a file is that file: the commands of its document find it."""

    language: str
    file: str
    text: str

    @property
    def command(self) -> str:
        """What stands behind `$ modelcheck` in a block of the console."""
        return self.text.partition("\n")[0].removeprefix("$ modelcheck ")

    @property
    def shown(self) -> str:
        return self.text.partition("\n")[2]


def examples(document: Path) -> list[Example]:
    return [Example(*found) for found in _FENCE.findall(document.read_text(encoding="utf-8"))]


def commands(document: Path) -> list[Example]:
    """Those that show what a command prints."""
    return [example for example in examples(document) if example.language == "console"]


def prose(document: Path) -> str:
    """The text without its examples."""
    return _FENCE.sub("", document.read_text(encoding="utf-8"))


def write_files(document: Path, folder: Path) -> None:
    """Writes the files that a document shows."""
    for example in examples(document):
        if example.file:
            (folder / example.file).write_text(example.text, encoding="utf-8")
