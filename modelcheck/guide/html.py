"""The guide as one page for the browser, with the style of the reports: it needs nothing else, and loads nothing.

markdown-it-py renders the pages. Links between them become links within the page; those to files of the repository, which a reader of
the page may not have, become plain words.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from ..report.html import templates
from . import PARTS, GuidePage


@dataclass(frozen=True)
class Section:
    """A page of the guide as a part of the document."""

    topic: str
    title: str
    body: Markup


def document(pages: Sequence[GuidePage]) -> str:
    """These pages, behind a table of contents if there are several."""
    shown = {page.topic: page for page in pages}
    alone = len(pages) == 1
    sections = [Section(page.topic, page.title, _body(page, set(shown), alone)) for page in pages]
    contents = [(part, [shown[topic] for topic in topics if topic in shown]) for part, topics in PARTS.items()]
    title = pages[0].title if alone else "The guide to modelcheck"
    return templates.page("guide.html", title=title, sections=sections, contents=contents)


def _body(page: GuidePage, there: set[str], alone: bool) -> Markup:
    """The page without its title. Among others its headings are a level lower."""
    parser = MarkdownIt("commonmark", {"html": True, "highlight": _coloured}).enable("table")
    tokens = [token for token in parser.parse(page.text) if token.type != "html_block"]  # comments
    tokens = tokens[3:]  # the title: its opening, its words, its end
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", f"{page.topic}-{slug(following.content)}")
    for token in tokens:
        if token.type.startswith("heading") and not alone:
            token.tag = f"h{int(token.tag[1:]) + 1}"
        token.children = list(_linked(token.children, there)) if token.children else token.children
    text = str(parser.renderer.render(tokens, parser.options, {}))
    text = re.sub(r"<table>.*?</table>", r'<div class="wide">\g<0></div>', text, flags=re.S)
    text = text.replace("<pre>", '<div class="source"><pre tabindex="0" role="region" aria-label="Example">')
    return Markup(text.replace("</pre>", "</pre></div>"))


def _linked(tokens: Sequence[Token], there: set[str]) -> Iterator[Token]:
    """The words of a paragraph, with links that lead somewhere."""
    kept = True
    for token in tokens:
        if token.type == "link_open":
            topic, _, heading = str(token.attrs["href"]).removesuffix(".md").partition(".md#")
            kept = topic in there or "://" in topic
            if topic in there:
                token.attrs["href"] = f"#{topic}" + (f"-{heading}" if heading else "")
        if kept or token.type not in ("link_open", "link_close"):
            yield token


def slug(heading: str) -> str:
    """The anchor of a heading, as it is named everywhere that shows Markdown."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.lower()))


def _coloured(code: str, language: str, _: str) -> str:
    """The code in colours, where its language has some; the commands of a terminal stand out."""
    if language in ("python", "toml"):
        return str(highlight(code, get_lexer_by_name(language), HtmlFormatter(nowrap=True)))
    return re.sub(r"^\$ .*$", r"<b>\g<0></b>", html.escape(code), flags=re.M)
