"""`--diagram` draws the shortest counterexample, or the run with most messages."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.cli.conftest import Type

VIOLATED = ("run", "chang_roberts", "--ids", "2,2,1", "--network", "set")


def heading(file: str) -> str:
    return ElementTree.parse(file).getroot().findtext("{http://www.w3.org/2000/svg}title") or ""


def test_the_shortest_counterexample_is_drawn_and_it_says_which_it_is(type_in: Type) -> None:
    result = type_in(*VIOLATED, "--diagram", "run.svg")
    assert result.exit_code == 12
    assert heading("run.svg") == "chang_roberts violates everyone_decides"
    assert "run.svg shows the run against everyone_decides, the shortest of 3" in result.stderr


def test_a_single_counterexample_needs_no_words(type_in: Type) -> None:
    result = type_in(*VIOLATED, "--property", "at_most_one_leader", "--diagram", "run.svg")
    assert heading("run.svg") == "chang_roberts violates at_most_one_leader"
    assert result.stderr == ""


def test_the_suffix_says_how_it_is_drawn(type_in: Type) -> None:
    for kind, start in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        assert type_in(*VIOLATED, "--diagram", f"run.{kind}").exit_code == 12
        assert Path(f"run.{kind}").read_bytes().startswith(start)


def test_the_causal_view_greys_steps(type_in: Type) -> None:
    lockstep = (
        "run",
        "chang_roberts",
        "--ids",
        "1,1,2",
        "--schedule",
        "lockstep",
    )  # everyone steps, also those it is not about
    words = (*lockstep, "--property", "leader_is_the_maximum", "--diagram")
    type_in(*words, "plain.svg")
    type_in(*words, "causal.svg", "--causal")
    grey = re.compile(r'class="[^"]* aside"')
    assert not grey.search(Path("plain.svg").read_text())
    assert grey.search(Path("causal.svg").read_text())


def test_where_nothing_is_violated_nothing_is_written(type_in: Type) -> None:
    result = type_in("run", "chang_roberts", "--n", "3", "--diagram", "run.svg")
    assert result.exit_code == 0
    assert "nothing is violated: run.svg was not written" in result.stderr
    assert not Path("run.svg").exists()


def test_where_not_everything_was_searched_nothing_is_said_to_be_violated_only_because_nothing_was_found(
    type_in: Type,
) -> None:
    result = type_in(
        "run", "chang_roberts", "--n", "6", "--max-states", "50", "--diagram", "run.svg", "--trace", "run.json"
    )
    assert result.exit_code == 20
    for file in ("run.svg", "run.json"):
        assert f"no violation was found, and not everything was searched: {file} was not written" in result.stderr
    assert "nothing is violated" not in result.stderr


def test_where_every_step_is_needed_the_causal_view_says_so(type_in: Type) -> None:
    result = type_in(*VIOLATED, "--property", "one_leader_wave", "--diagram", "run.svg", "--causal")
    assert "run.svg: every step is needed, so none is grey" in result.stderr


def test_the_causal_view_is_offered_of_every_run_that_can_be_drawn(type_in: Type) -> None:
    """A random run, the one with most messages, one from a file. The last who hears of a broadcast does not hear of all."""
    assert type_in("simulate", "tree_broadcast", "--n", "6", "--runs", "1", "--show", "1", "--diagram", "a.svg", "--causal", "--trace", "a.json").exit_code == 0  # fmt: skip
    assert type_in("messages", "tree_broadcast", "--n", "4", "--show", "worst", "--diagram", "b.svg", "--causal").exit_code == 0  # fmt: skip
    assert type_in("trace", "a.json", "--out", "c.svg", "--causal").exit_code == 0
    grey = "grey: the last step does not follow from it"
    assert all(grey in Path(file).read_text() for file in ("a.svg", "b.svg", "c.svg"))
    for words in (("simulate", "chang_roberts", "--causal"), ("messages", "chang_roberts", "--n", "3", "--causal"), ("trace", "a.json", "--causal")):  # fmt: skip
        result = type_in(*words)
        assert result.exit_code == 2
        assert "--causal says how a diagram is drawn" in result.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ("--diagram", "run.gif"),
            "--diagram run.gif: the name ends in what is to be drawn, one of .svg, .png, .pdf, .tex, .tikz",
        ),
        (("--diagram", "missing/run.svg"), "--diagram missing/run.svg: there is no folder missing"),
        (("--causal",), "give --diagram FILE as well"),
    ],
)
def test_what_cannot_be_drawn_is_refused_before_the_search(
    type_in: Type, words: tuple[str, ...], complaint: str
) -> None:
    result = type_in("run", "chang_roberts", "--n", "9", *words)
    assert result.exit_code == 2
    assert complaint in result.stderr


def test_the_run_with_most_messages_is_drawn_without_red(type_in: Type) -> None:
    shown = ("messages", "chang_roberts", "--n", "3", "--start", "simultaneous", "--show", "worst")
    assert type_in(*shown, "--diagram", "worst.svg").exit_code == 0
    assert heading("worst.svg") == "chang_roberts: a run with the most messages"
    assert 'class="reason"' not in Path("worst.svg").read_text()


def test_messages_draws_only_a_run_that_is_shown(type_in: Type) -> None:
    result = type_in("messages", "chang_roberts", "--n", "3", "--diagram", "worst.svg")
    assert result.exit_code == 2
    assert "give --show worst or --show best as well" in result.stderr


def test_a_run_is_animated_as_the_name_of_the_file_says(type_in: Type) -> None:
    assert type_in(*VIOLATED, "--property", "at_most_one_leader", "--animate", "run.svg").exit_code == 12
    assert heading("run.svg") == "chang_roberts violates at_most_one_leader"
    assert "@keyframes" in Path("run.svg").read_text()
    result = type_in(*VIOLATED, "--property", "at_most_one_leader", "--animate", "frames/", "--trace", "run.json")
    number = len(list(Path("frames").glob("*.svg")))
    assert f"frames/: {number} frames" in result.stderr
    assert type_in("trace", "run.json", "--animate", "again.svg").exit_code == 0
    assert "@keyframes" in Path("again.svg").read_text()


def test_what_cannot_move_is_refused_before_anything_is_searched(type_in: Type) -> None:
    for file, why in (
        ("run.png", "ends in .svg or .gif, or in / for a folder"),
        ("nowhere/run.svg", "there is no folder nowhere"),
    ):
        result = type_in("run", "chang_roberts", "--n", "9", "--animate", file)
        assert result.exit_code == 2
        assert why in result.stderr
    assert "--show names" in type_in("messages", "chang_roberts", "--n", "2", "--animate", "run.svg").stderr


def test_the_diagram_is_drawn_for_papers(type_in: Type) -> None:
    for kind, start in (("tex", r"\documentclass"), ("tikz", r"\begin{tikzpicture}")):
        assert type_in(*VIOLATED, "--diagram", f"run.{kind}").exit_code == 12
        assert Path(f"run.{kind}").read_text().startswith(start)
