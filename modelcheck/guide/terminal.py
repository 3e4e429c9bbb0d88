"""A page of the guide in a terminal: Rich renders its Markdown, and what programs printed keeps its lines.

Text is wrapped at the terminal's width, and never wider than is good to read. Examples are wrapped with a hanging indent on a
terminal, and left as they are in a pipe or a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text
from rich.theme import Theme

from ..report.page import Page
from . import PARTS, GuidePage, page

WIDEST = 100  # columns of text
INDENT = 2  # of examples
DEEPEST_HANG = 24
STYLES = Theme({"markdown.code": "cyan", "markdown.topic": "bold", "markdown.table.header": "default"})
UNDERLINES = {"h1": "═", "h2": "─"}


def write_topics(out: Page, commands: list[str]) -> None:
    """What `modelcheck help` alone prints: every topic with its sentence."""
    for number, (part, topics) in enumerate(PARTS.items()):
        if number:
            out.blank()
        out.line(Text(part, style="bold"))
        out.columns([(Text(topic, style="cyan"), page(topic).answers) for topic in topics])
    out.blank()
    out.line(Text("commands", style="bold"))
    out.line(", ".join(commands), indent=2)
    out.blank()
    out.command("a page", "modelcheck help language")
    out.command("a command", "modelcheck help run")
    out.command("all pages", "modelcheck help --html guide.html")


def write_page(shown: GuidePage, out: Page) -> None:
    """The page, block by block."""
    lines = shown.text.splitlines()
    with out.console.use_theme(STYLES):
        for number, (block, source) in enumerate(_blocks(lines)):
            if number:
                out.blank()
            if block.type == "fence":
                _write_example(block, out)
            elif block.type == "heading_open":
                _write_heading(block.tag, source.lstrip("# "), out)
            else:
                _write_markdown(source, out)


def _blocks(lines: list[str]) -> Iterator[tuple[Token, str]]:
    """The blocks of a page, each as the token that opens it and its source; comments are left out."""
    for token in MarkdownIt("commonmark").enable("table").parse("\n".join(lines)):
        if token.level == 0 and token.map is not None and token.type != "html_block":
            yield token, "\n".join(lines[slice(*token.map)])


def _write_heading(tag: str, words: str, out: Page) -> None:
    plain = words.replace("`", "")
    out.line(Text(plain, style="bold"))
    if tag in UNDERLINES:
        out.line(Text(UNDERLINES[tag] * min(len(plain), _width(out.console)), style="bold"))


def _write_example(block: Token, out: Page) -> None:
    for line in block.content.splitlines():
        text = Text(line, style="bold" if line.startswith("$ ") else "")
        out.line(text, indent=INDENT, hang=INDENT + _second_column(line))


def _second_column(line: str) -> int:
    """Where the rest of an example's line is continued: below what follows the first gap in it."""
    gap = re.match(r"\s*\S.*?\s{2,}(?=\S)", line)
    found = gap.end() if gap else len(line) - len(line.lstrip()) + 4
    return found if found <= DEEPEST_HANG else 4


def _write_markdown(source: str, out: Page) -> None:
    options = out.console.options.update(width=_width(out.console), height=None)
    rendered = out.console.render_lines(_Markdown(source), options, pad=False)
    lines = [Text.assemble(*((part.text, part.style or "") for part in line)) for line in rendered]
    written = [number for number, line in enumerate(lines) if line.plain.strip()]
    for line in lines[written[0] : written[-1] + 1]:  # Rich sets lists and tables apart by lines of their own
        out.line(line)


def _width(console: Console) -> int:
    return min(console.width, WIDEST)


class _Markdown(Markdown):
    """Markdown in which a link to another page is no address: its words are, with `modelcheck help` before them, a command."""

    inlines = Markdown.inlines | {"topic"}

    def __init__(self, source: str) -> None:
        super().__init__(source, hyperlinks=False)
        for token in self.parsed:
            within = None
            for child in token.children or ():
                if child.type == "link_open" and "://" not in str(child.attrs["href"]):
                    within = child
                if within and child.type in ("link_open", "link_close"):
                    within = None if child.type == "link_close" else child
                    child.type, child.tag = child.type.replace("link", "topic"), "topic"
