"""`modelcheck help`: the topics, a page in the terminal, the guide as a page for the browser, the help of a command."""

from __future__ import annotations

import ast
import io
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from modelcheck import guide
from modelcheck.cli import cli
from modelcheck.guide import terminal
from modelcheck.report.terminal.page import Page, SteadyConsole
from modelcheck.report.words.glossary import glossary

from .conftest import Type

PACKAGE = Path(guide.__file__).parents[1]


def on_a_terminal(topic: str, width: int) -> str:
    """A page as a terminal of this width shows it, without its colours."""
    file = io.StringIO()
    console = SteadyConsole(file=file, width=width, force_terminal=True, no_color=True, color_system=None)
    terminal.write_page(guide.page(topic), Page(console))
    return file.getvalue()


def test_alone_it_lists_every_topic_with_its_sentence_and_the_commands(type_in: Type) -> None:
    text = type_in("help").stdout
    for page in guide.pages():
        assert f"  {page.topic}" in text
        assert page.answers in text
    assert all(command in text for command in cli.commands)


@pytest.mark.parametrize("topic", guide.topics())
def test_a_topic_is_shown_as_plain_text_where_nobody_looks(topic: str, type_in: Type) -> None:
    found = type_in("help", topic)
    assert found.exit_code == 0
    assert found.stdout.startswith(guide.page(topic).title.replace("`", "") + "\n")
    assert "\x1b" not in found.stdout
    assert "```" not in found.stdout
    assert "](" not in found.stdout
    assert not any(line.endswith(" ") for line in found.stdout.splitlines())


@pytest.mark.parametrize("topic", guide.topics())
@pytest.mark.parametrize("width", [80, 100, 160])
def test_no_line_is_wider_than_the_terminal(topic: str, width: int) -> None:
    wide = [line for line in on_a_terminal(topic, width).splitlines() if len(line) > width and " " in line.strip()]
    assert wide == []


@pytest.mark.parametrize("topic", guide.topics())
def test_nothing_is_cut_off_on_a_narrow_terminal(topic: str) -> None:
    assert on_a_terminal(topic, 60).count("…") == guide.page(topic).text.count("…")


def test_text_is_no_wider_than_is_good_to_read() -> None:
    lines = on_a_terminal("trust", 300).splitlines()
    assert max(len(line) for line in lines if not line.startswith("  ")) <= terminal.WIDEST


def test_what_a_command_printed_keeps_its_lines_in_a_pipe(type_in: Type) -> None:
    line = "  not checked  loss, duplication, crashes, partitions, reordering; n other than 4; repeated identifiers; fewer initiators"
    assert f"\n  {line}\n" in type_in("help", "language").stdout


def test_comments_in_a_page_are_not_shown(type_in: Type) -> None:
    assert "<!--" not in type_in("help", "performance").stdout
    assert "&lt;!--" not in type_in("help", "performance", "--html", "page.html").stdout
    assert "speed: begin" not in Path("page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", sorted(cli.commands))
def test_a_command_is_answered_with_its_own_help(command: str, type_in: Type) -> None:
    assert type_in("help", command).stdout == type_in(command, "--help").stdout


def labels() -> dict[str, str]:
    """Whatever stands in the column of labels of some report, with the file that writes it there."""
    writers = {"entry", "parts", "table", "command", "Said", "Figures", "Typed"}
    found = {}
    for file in (*PACKAGE.glob("report/**/*.py"), *PACKAGE.glob("cli/**/*.py"), *PACKAGE.glob("desk/*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                for part in ast.walk(node.args[0]) if name in writers else ():
                    if isinstance(part, ast.Constant) and isinstance(part.value, str) and not part.value.endswith("="):
                        found[part.value] = file.name
    return {label: file for label, file in found.items() if label}


def test_every_label_of_every_report_is_explained() -> None:
    found = labels()
    assert {"guarantee", "sampled", "difference", "confirms", "source errs"} <= found.keys()
    known = {*glossary(), *cli.commands}
    assert {label: file for label, file in found.items() if label not in known} == {}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("taken", "again"), "what a fresh interpreter found again"),
        (("every", "step"), "it must hold of every step"),
        (("VIOLATED",), "some run breaks a property"),
        (("fifo",), "each link delivers in the order of sending"),
        (("at_most_one_leader",), "(always) of the specification election: No two processes lead."),
        (("no_exceptions",), "a property of every model: No step raises an exception."),
    ],
)
def test_a_verdict_a_network_a_property_and_a_kind_of_it_are_words_too(
    words: tuple[str, ...], said: str, type_in: Type
) -> None:
    assert said in " ".join(type_in("help", *words).stdout.split())


def test_every_kind_of_property_is_explained() -> None:
    from modelcheck.report.files.tracefile import PROPERTIES

    assert {*PROPERTIES} - glossary().keys() == set()


@pytest.mark.parametrize("word", ["Worlds", "assignments", "never_ran", "VACUOUS", "lassos"])
def test_a_word_is_known_in_any_case_and_number(word: str, type_in: Type) -> None:
    found = type_in("help", word)
    assert found.exit_code == 0
    assert found.stdout.rstrip().endswith("modelcheck help words")


def test_a_word_of_a_report_that_is_misspelled_is_answered_with_the_nearest(type_in: Type) -> None:
    assert "did you mean vacuous" in type_in("help", "vacous").stderr


def test_a_topic_may_be_written_with_a_hyphen(type_in: Type) -> None:
    assert type_in("help", "soundness-log").stdout == type_in("help", "soundness_log").stdout


def test_an_unknown_topic_is_refused_with_the_nearest(type_in: Type) -> None:
    found = type_in("help", "langauge")
    assert found.exit_code == 2
    assert "did you mean language?" in found.stderr


def test_a_word_that_is_no_topic_is_answered_with_the_pages_it_stands_on(type_in: Type) -> None:
    found = type_in("help", "mermaid")
    assert found.exit_code == 2
    assert "there is no topic 'mermaid'; the word stands on the pages pictures" in found.stderr


def test_a_word_that_stands_nowhere_is_answered_with_where_to_look(type_in: Type) -> None:
    assert "there is no topic 'zzz'; `modelcheck help` lists them" in type_in("help", "zzz").stderr


def test_the_guide_is_one_page_for_the_browser_whose_links_stay_in_it(type_in: Type, tmp_path: Path) -> None:
    found = type_in("help", "--html", "guide.html")
    assert found.exit_code == 0
    page = BeautifulSoup((tmp_path / "guide.html").read_text(encoding="utf-8"), "html.parser")
    assert [article["id"] for article in page.find_all("article")] == list(guide.topics())
    anchors = [link["href"] for link in page.find_all("a")]
    assert {f"#{topic}" for topic in guide.topics()} <= set(anchors)
    for anchor in anchors:
        assert anchor.startswith("https://") or page.find(id=anchor.removeprefix("#")), anchor
    assert page.find_all(["img", "link"]) == page.find_all("link", rel="icon")


def test_a_page_alone_has_no_link_that_leads_out_of_it(type_in: Type, tmp_path: Path) -> None:
    type_in("help", "semantics", "--html", "page.html")
    page = BeautifulSoup((tmp_path / "page.html").read_text(encoding="utf-8"), "html.parser")
    assert page.h1.text == "What a run is"  # type: ignore[union-attr]
    assert {link["href"] for link in page.find_all("a")} == {"#main"}


def test_a_command_has_no_page_for_the_browser(type_in: Type) -> None:
    assert type_in("help", "run", "--html", "run.html").exit_code == 2


def test_a_page_that_cannot_be_written_is_refused(type_in: Type) -> None:
    found = type_in("help", "--html", "nowhere/guide.html")
    assert found.exit_code == 2
    assert "there is no folder nowhere" in found.stderr
