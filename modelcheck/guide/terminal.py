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

from ..report.terminal.page import Page
from . import PARTS, GuidePage, page

WIDEST = 100  # columns of text
INDENT = 2  # of examples
HANG = 4  # of what is continued on the next line
NARROWEST, WIDEST_COLUMN = 8, 30  # columns of an example's first column, if it is one: the number of a step is none
CUT = "…"  # what Rich puts in place of what has no room in a table
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
    """Where the rest of an example's line is continued: below what follows its first gap, else a little deeper than it begins."""
    indented = len(line) - len(line.lstrip())
    gaps = (gap.end() for gap in re.finditer(r"(?<=\S)\s{2,}(?=\S)", line))
    return next((gap for gap in gaps if NARROWEST <= gap <= WIDEST_COLUMN), indented + HANG)


def _write_markdown(source: str, out: Page) -> None:
    """Text, lists and tables. A table too wide for the terminal is wrapped a row at a time: nothing is cut off."""
    width = _width(out.console)
    lines = _rendered(source, width, out.console)
    while CUT in "".join(line.plain for line in lines) and CUT not in source:
        width += 10
        lines = _rendered(source, width, out.console)
    written = [number for number, line in enumerate(lines) if line.plain.strip()]
    for line in lines[written[0] : written[-1] + 1]:  # Rich sets lists and tables apart by lines of their own
        line.rstrip()
        out.line(line, hang=HANG)


def _rendered(source: str, width: int, console: Console) -> list[Text]:
    coloured = console.color_system is not None and not console.no_color
    options = console.options.update(width=width, height=None)
    lines = console.render_lines(_Markdown(source, coloured), options, pad=False)
    return [Text.assemble(*((part.text, part.style or "") for part in line)) for line in lines]


def _width(console: Console) -> int:
    return min(console.width, WIDEST)


class _Markdown(Markdown):
    """Markdown in which a link to another page shows its words alone: with `modelcheck help` before them they are a command.

    Where there are no colours, code keeps the marks that it has in the source.
    """

    inlines = Markdown.inlines | {"topic"}

    def __init__(self, source: str, coloured: bool) -> None:
        super().__init__(source, hyperlinks=False)
        of_the_guide = False
        for child in (child for token in self.parsed for child in token.children or ()):
            if child.type == "code_inline" and not coloured:
                child.content = f"`{child.content}`"
            if child.type == "link_open":
                of_the_guide = "://" not in str(child.attrs["href"])
            if child.type in ("link_open", "link_close") and of_the_guide:
                child.type, child.tag = child.type.replace("link", "topic"), "topic"
