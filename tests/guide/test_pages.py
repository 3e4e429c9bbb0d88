"""The guide is whole: every page is listed and linked, what pages name exists, and what exists is named by a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from modelcheck import guide
from modelcheck.check.verdict import EXIT_CODES
from modelcheck.cli import cli
from modelcheck.guide.html import slug

from .documents import CUSTOMARY, DOCUMENTS, PAGES, README, ROOT, commands, examples, prose

ALL = (*DOCUMENTS, *CUSTOMARY)
each_document = pytest.mark.parametrize("document", ALL, ids=lambda document: document.stem)
each_page = pytest.mark.parametrize("document", PAGES, ids=lambda document: document.stem)


def text_of(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def options_of(command: click.Command) -> set[str]:
    """Every spelling of its options."""
    spellings = (name for option in command.params for name in (*option.opts, *option.secondary_opts))
    return {*spellings, "--help"}


# --- the pages ---------------------------------------------------------------------------------------------------


def test_every_page_has_its_place_and_every_place_its_page() -> None:
    assert sorted(guide.topics()) == sorted(file.stem for file in guide.FOLDER.glob("*.md"))


def test_no_topic_hides_a_command() -> None:
    assert set(guide.topics()).isdisjoint(cli.commands)


@each_page
def test_a_page_begins_with_what_it_answers_and_ends_with_where_to_go_on(document: Path) -> None:
    page = guide.page(document.stem)
    assert text_of(document).startswith(f"# {page.title}\n\n{page.answers[:20]}")
    assert page.answers.endswith(".")
    assert len(page.answers) < 160
    last = text_of(document).rstrip().split("\n\n")[-1]
    assert re.match(r"\*\*See also\*\*: .*\[\w+\]\(\w+\.md\)", last, re.S)


@each_page
def test_a_link_to_a_page_has_the_words_by_which_help_shows_it(document: Path) -> None:
    for words, target in re.findall(r"(?<!!)\[([^\]]*)\]\((\w+)\.md\)", prose(document)):
        assert words == target


def test_the_readme_is_a_front_page_and_leads_to_every_page() -> None:
    text = text_of(README)
    assert len(text.splitlines()) < 300
    assert [topic for topic in guide.topics() if f"(modelcheck/guide/{topic}.md)" not in text] == []


def test_the_speeds_in_the_readme_are_those_that_were_measured() -> None:
    rows = re.findall(r"^\| fifo .*$", text_of(README), re.M)
    assert rows
    assert [row for row in rows if row not in text_of(guide.FOLDER / "performance.md")] == []


# --- links -------------------------------------------------------------------------------------------------------


def links(document: Path) -> Iterator[tuple[str, str]]:
    """The links to files, each as its path and the heading it names, if any."""
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(document)):
        if "://" not in target:
            yield target.partition("#")[0], target.partition("#")[2]


@each_document
def test_every_link_leads_somewhere(document: Path) -> None:
    for path, heading in links(document):
        target = document.parent / path if path else document
        assert target.is_file(), path
        if heading:
            assert heading in map(slug, re.findall(r"^#+ (.*)$", text_of(target), re.M))


@each_document
def test_every_file_that_is_shown_is_named_before_it(document: Path) -> None:
    for example in examples(document):
        if example.file:
            assert f"`{example.file}`" in text_of(document).partition(example.text)[0]


@each_document
def test_every_source_file_that_is_named_is_there(document: Path) -> None:
    for name in re.findall(r"`([a-z_]+/[a-z_/]+\.py)`", prose(document)):
        if not name.endswith("name.py"):  # any name
            assert (ROOT / name).is_file() or (ROOT / "modelcheck" / name).is_file(), name


# --- commands, options, words ------------------------------------------------------------------------------------


def typed(document: Path) -> Iterator[list[str]]:
    """The words of every command that a document shows or names, `modelcheck` left out."""
    for example in examples(document):
        if example.language in ("sh", "console"):
            for line in re.findall(r"^(?:\$ )?modelcheck (.*)$", example.text, re.M):
                yield line.partition("#")[0].split()
    for line in re.findall(r"`modelcheck ([^`]*)`", prose(document)):
        yield line.split()


@each_document
def test_every_command_that_is_named_exists_and_has_its_options(document: Path) -> None:
    for words in typed(document):
        known = options_of(cli.commands[words[0]]) if not words[0].startswith("-") else {"--version", "--help"}
        assert [word for word in words if word.startswith("--") and word.partition("=")[0] not in known] == []


@each_document
def test_every_option_that_is_named_by_itself_is_one_of_some_command(document: Path) -> None:
    known = set().union(*map(options_of, cli.commands.values()))
    named = set(re.findall(r"`(--[a-z-]+)", prose(document)))
    assert named - known <= ({"--write", "--thorough"} if document in CUSTOMARY else {"--write"})


def test_every_option_of_run_is_explained() -> None:
    text = " ".join(map(text_of, PAGES))
    assert [name for name in options_of(cli.commands["run"]) if f"`{name}" not in text] == []


def test_every_command_is_named_by_a_page() -> None:
    text = " ".join(map(text_of, PAGES))
    assert [name for name in cli.commands if f"modelcheck {name}" not in text and name != "help"] == []


def test_every_exit_code_is_explained() -> None:
    text = text_of(guide.FOLDER / "verdicts.md")
    assert [code for code in (0, 2, 10, 20, 70, *EXIT_CODES.values()) if f"| {code} |" not in text] == []


def test_every_label_of_a_report_that_is_shown_is_explained() -> None:
    explained = text_of(guide.FOLDER / "words.md")
    for document in DOCUMENTS:
        for example in commands(document):
            if example.command.startswith("run "):
                for label in re.findall(r"^  ([a-z][a-z ]*?)  +\S", example.shown, re.M):
                    assert f"`{label}`" in explained, label


def test_every_specification_is_described() -> None:
    text = text_of(guide.FOLDER / "properties.md")
    assert [file.stem for file in (ROOT / "specs").glob("*.py") if f"| `{file.stem}` |" not in text] == []
