"""`modelcheck help`: the guide, and the help of every command."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import get_close_matches

import click

from ..errors import UsageError
from .base import Command
from .running import check_writable, write_file

HELP_EXAMPLES = """
\b
Examples:
  modelcheck help
  modelcheck help language
  modelcheck help run
  modelcheck help taken again
  modelcheck help --html guide.html
"""


@click.command("help", cls=Command, epilog=HELP_EXAMPLES.strip())
@click.argument("words", nargs=-1, metavar="[TOPIC]")
@click.option("--html", "html_file", metavar="FILE", help="Write the guide to FILE, as one page for any browser; with TOPIC that page of it alone.")  # fmt: skip
@click.pass_context
def show_help(ctx: click.Context, /, words: tuple[str, ...], html_file: str | None) -> None:
    """Shows a page of the guide, or lists its topics.

    TOPIC is one of those that `modelcheck help` lists, a command: then its options are explained, or a word of a report.
    """
    from .. import guide
    from ..report.terminal.page import Page
    from ..report.words.glossary import glossary

    commands = _commands(ctx)
    topic = " ".join(words) or None
    name = None if topic is None else topic.replace("-", "_").lower()
    if name is not None and name not in (*guide.topics(), *commands) and html_file is None:
        if word := _known(topic or "", glossary()):
            Page.on().entry(word, glossary()[word])
            Page.on().command("more", "modelcheck help words")
            return
        for page, said in _named(name):
            Page.on().entry(name, said)
            Page.on().command("more", f"modelcheck help {page}")
            return
    if name is not None and name not in guide.topics() and (name not in commands or html_file is not None):
        raise UsageError(_unknown(topic or "", [*guide.topics(), *([] if html_file else [*commands, *glossary()])]))
    if html_file is not None:
        from ..guide import html

        check_writable("--html", html_file)
        write_file("--html", html_file, html.document(guide.pages() if name is None else (guide.page(name),)))
        Page.on().line(f"wrote {html_file}")
    elif name in commands:
        command = commands[name]
        with click.Context(command, info_name=name, parent=ctx.parent) as of_command:
            click.echo(command.get_help(of_command))
    else:
        from ..guide import terminal

        if name is None:
            terminal.write_topics(Page.on(), list(commands))
        else:
            terminal.write_page(guide.page(name), Page.on())


def _commands(ctx: click.Context) -> dict[str, click.Command]:
    """Every command, this one included, by name."""
    group = ctx.find_root().command
    assert isinstance(group, click.Group)
    return dict(group.commands)


def _known(topic: str, words: Collection[str]) -> str:
    """The word of a report that was meant, whatever its letters' case, and in the singular where that alone is explained."""
    if topic in words:
        return topic
    said = topic.replace("_", " ").lower()
    plain = {word.lower(): word for word in words}
    return next((plain[one] for one in (said, said.removesuffix("s"), f"{said}s") if one in plain), "")


def _named(name: str) -> Iterator[tuple[str, str]]:
    """What a network of this name does, or a property of the bundled specifications says, with the page that speaks of it."""
    from .. import catalog
    from ..check.findings import ALWAYS_CHECKED
    from ..language.networks import NETWORKS

    if name in NETWORKS:
        yield "semantics", f"a network: {NETWORKS[name].sentence}"
    yield from (
        ("properties", f"a property of every model: {claim}") for known, _, claim in ALWAYS_CHECKED if known == name
    )
    for spec in catalog.spec_files():
        for one in catalog.find_spec(spec):
            if one.name == name:
                yield "properties", f"a property ({one.kind}) of the specification {spec}: {one.claim}"


def _unknown(word: str, known: list[str]) -> str:
    """That there is no help on a word, what may have been meant, and the pages that speak of it most."""
    from .. import guide

    speaking = sorted((page for page in guide.pages() if page.mentions(word)), key=lambda page: -page.mentions(word))
    hints = []
    if close := get_close_matches(word, sorted({*known}), n=3):
        hints.append(f"did you mean {' or '.join(close)}?")
    if speaking:
        hints.append(f"the word stands on the pages {', '.join(page.topic for page in speaking[:3])}")
    return f"there is no topic {word!r}; {', or '.join(hints) or '`modelcheck help` lists them'}"
