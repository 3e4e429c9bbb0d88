"""What every page is made of: the templates, the style, the script.

Whatever comes from a model is escaped: by Jinja2 in the templates, by the diagram in its picture. Besides, a page forbids itself to
load anything and to run any script but its own, which it names by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import platform
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from rich.text import Text

from ...pictures.stage import colours as stage
from ...pictures.style import DARK, LIGHT
from ...runs.trace import sender
from ..words.entries import Entry
from ..words.glossary import glossary
from ..words.lesson import OF_THE_MODEL
from ..words.steps import short

ASSETS = Path(__file__).parent / "assets"
MARKS = {"HOLDS": "\u2713", "VIOLATED": "\u2717", "INCONCLUSIVE": "?"}


@dataclass(frozen=True)
class Group:
    """Entries under one label."""

    label: str
    entries: tuple[Entry, ...]


def grouped(entries: Iterable[Entry]) -> tuple[Group, ...]:
    """Entries without a label belong to the one above."""
    groups: list[tuple[str, list[Entry]]] = []
    for entry in entries:
        label = getattr(entry, "label", "")
        if label or not groups:
            groups.append((label, []))
        groups[-1][1].append(entry)
    return tuple(Group(label, tuple(members)) for label, members in groups)


def page(template: str, **parts: Any) -> str:
    from ...version import __version__

    script = _script()
    return environment().get_template(template).render(
        css=Markup(_style()),
        script=Markup(script),
        policy=_policy(f"\n{script}\n"),
        version=__version__,
        python=platform.python_version(),
        marks=MARKS,
        OF_THE_MODEL=OF_THE_MODEL,
        **parts,
    ).lstrip()  # fmt: skip


@cache
def environment() -> Environment:
    """The templates. Whatever is put into one is escaped."""
    found = Environment(
        loader=FileSystemLoader(ASSETS), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip
    found.filters.update(marked=marked, short=short, sender=sender, breakable=breakable, explained=explained)
    return found


def _script() -> str:
    """What moves the picture of a system, which the explorer takes as a module, and what else a page does."""
    shared = (stage.SCRIPT).read_text(encoding="utf-8").replace("\nexport ", "\n")
    own = (ASSETS / "page.js").read_text(encoding="utf-8")
    return f'"use strict";\n{shared}{own}'.strip()


def _style() -> str:
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{palette(DARK)}}}}}"
    rules = (ASSETS / "page.css").read_text(encoding="utf-8").strip()
    return f":root{{{palette(LIGHT)}}}\n{dark}\n{stage.stylesheet()}{rules}"


def _policy(script: str) -> str:
    """What the page may do: nothing from elsewhere, and no script but this."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def palette(colours: dict[str, str]) -> str:
    """The colours of the diagrams for what stands around them."""
    return ";".join(f"--{name}:{value}" for name, value in colours.items())


def breakable(name: str) -> Markup:
    """A name that may be broken after each underscore, where there is no room for it."""
    return escape(name).replace("_", Markup("_<wbr>"))


def explained(word: str) -> Markup:
    """A word of a report, with its sentence where the reader points at it, comes to it with the keyboard, or presses it."""
    said = glossary().get(word)
    gloss = Markup('<button type="button" class="gloss" aria-description="{}">{}</button>')
    return breakable(word) if said is None else gloss.format(said, breakable(word))


def marked(words: str | Text) -> Markup:
    """Words escaped, with the marks of Rich's Text as classes; what stands between backticks as code."""
    text = words if isinstance(words, Text) else Text(words)
    return Markup("").join(_spans(text))


def _coded(words: Markup) -> Markup:
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(words)))


def _spans(text: Text) -> Iterator[Markup]:
    spans = [(0, len(text), str(text.style)), *((span.start, span.end, str(span.style)) for span in text.spans)]
    styles = [" ".join(style for start, end, style in spans if style and start <= k < end) for k in range(len(text))]
    for style, part in groupby(zip(styles, text.plain, strict=True), lambda pair: pair[0]):
        words = _coded(escape("".join(letter for _, letter in part)))
        yield Markup('<span class="{}">{}</span>').format(style, words) if style else words
