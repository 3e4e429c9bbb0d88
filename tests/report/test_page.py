"""Laying out lines: what wraps, what does not, and that words survive."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from modelcheck.report.page import Page

WORDS = st.lists(st.text("abcxyz[]:.", min_size=1, max_size=20), min_size=1, max_size=30)


def page(width: int | None) -> tuple[Page, io.StringIO]:
    stream = io.StringIO()
    return Page(Console(file=stream, width=width, force_terminal=width is not None, color_system=None)), stream


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
