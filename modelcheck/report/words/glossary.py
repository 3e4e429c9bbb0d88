"""The words of a report, each with its sentence: the tables of the guide's page on words, read as they stand."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

PAGE = Path(__file__).parents[2] / "guide" / "words.md"


@cache
def glossary() -> dict[str, str]:
    """Every word that the page explains, with what it says of it, without links, and what is marked as code between quotes."""
    found: dict[str, str] = {}
    for words, said in re.findall(r"^\| (`[^|]*`) \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE):
        plain = re.sub(r"`([^`]*)`", r"“\1”", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", said))
        for word in re.findall(r"`([^`]*)`", words):
            found.setdefault(word, plain)
    return found
