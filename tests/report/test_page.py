"""Laying out lines: what wraps, what does not, and that words survive."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from modelcheck import catalog, check
from modelcheck.report.terminal import run as terminal
from modelcheck.report.terminal.card import write_list
from modelcheck.report.terminal.page import Page

WORDS = st.lists(st.text("abcxyz[]:.", min_size=1, max_size=20), min_size=1, max_size=30)


def page(width: int | None) -> tuple[Page, io.StringIO]:
    stream = io.StringIO()
    return Page(Console(file=stream, width=width, force_terminal=width is not None, color_system=None)), stream


def coloured(write: Callable[[Page], None]) -> list[tuple[str, str]]:
    """The words that are written, each with its style."""
    stream = io.StringIO()
    write(Page(Console(file=stream, width=200, force_terminal=True, color_system="standard")))
    text = Text.from_ansi(stream.getvalue())
    ends = [0, *sorted({end for span in text.spans for end in (span.start, span.end)}), len(text)]
    pieces = [(text.plain[a:b].strip(), " ".join(str(s.style) for s in text.spans if s.start <= a < s.end)) for a, b in itertools.pairwise(ends)]  # fmt: skip
    return [(words, style.replace("color(6)", "cyan").replace("color(1)", "red")) for words, style in pieces if words]


def test_the_colour_of_a_label_ends_with_it() -> None:
    def write(page: Page) -> None:
        page.entry("fails", Text("p1 leads", style="bold"))
        page.entry("claim", "No two lead.")

    assert coloured(write) == [("fails", "cyan"), ("p1 leads", "bold"), ("claim", "cyan"), ("No two lead.", "")]


def test_in_a_report_only_what_is_meant_has_a_colour() -> None:
    """The verdict is red and its properties are bold; labels and steps are cyan; values are as the terminal has them."""
    found = coloured(lambda page: terminal.write(check("chang_roberts", ids="1,1,2", property="agreement"), page))
    assert ("VIOLATED", "bold red") in found
    assert ("agreement", "bold") in found
    cyan = {words for words, style in found if "cyan" in style}
    assert {"because", "guarantee", "world", "fails", "wake_up"} <= cyan
    labels = {"at first", "at last", "not checked", "taken again"}
    assert not [words for words in cyan - labels if " " in words]
    plain = " ".join(words for words, style in found if style == "")
    assert "one-way ring of 3, ids 1,1,2" in plain
    assert "a safety property is violated" in plain


def test_in_lists_names_are_bold_and_titles_are_not() -> None:
    files = dict(itertools.islice(catalog.model_files().items(), 3))
    found = coloured(lambda page: write_list(files, page))
    for name in files:
        assert (name, "bold") in found
    assert sum(style == "" for _, style in found) >= len(files)


@given(WORDS, st.integers(40, 130))
def test_wrapping_keeps_every_word_in_order(words: list[str], width: int) -> None:
    lines, stream = page(width)
    lines.entry("label", " ".join(words))
    assert stream.getvalue().split() == ["label", *words]
    assert all(len(line) <= width for line in stream.getvalue().splitlines())


@given(WORDS)
def test_what_is_no_terminal_gets_one_line(words: list[str]) -> None:
    lines, stream = page(None)
    lines.entry("label", " ".join(words))
    assert stream.getvalue() == f"  label        {' '.join(words)}\n"


def test_lines_after_the_first_hang_under_the_text() -> None:
    lines, stream = page(40)
    lines.entry("label", "word " * 20)
    first, *later = stream.getvalue().splitlines()
    assert first.startswith("  label        word")
    assert all(line.startswith(" " * 15 + "word") for line in later)


def test_a_command_is_never_broken() -> None:
    lines, stream = page(40)
    lines.command("next", "modelcheck run chang_roberts --n 5 --network bag --losses 1")
    assert len(stream.getvalue().splitlines()) == 1


def test_figures_are_kept_whole() -> None:
    lines, stream = page(40)
    lines.parts("explored", ["6,002 states", "18,896 transitions", "in 0.3 s"])
    assert [line.strip() for line in stream.getvalue().splitlines()] == [
        "explored     6,002 states",
        "18,896 transitions",
        "in 0.3 s",
    ]


def test_columns_are_aligned() -> None:
    lines, stream = page(None)
    lines.columns([["1", "a", "x"], ["10", "bbb", "y"]], right=(0,))
    assert stream.getvalue() == "   1  a    x\n  10  bbb  y\n"


def test_a_line_is_broken_between_the_changes_of_a_step_rather_than_within_one() -> None:
    lines, stream = page(40)
    lines.line("joined False -> True; parent None -> port 0; reports 0 -> 1")
    assert stream.getvalue().splitlines() == ["joined False -> True;", "parent None -> port 0; reports 0 -> 1"]
