"""`modelcheck graph`: what is written, what is said of it, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .conftest import Type


def test_every_example_of_its_help_works(type_in: Type) -> None:
    text = type_in("graph", "--help").stdout
    examples = re.findall(r"^ +modelcheck (.+)$", text, re.MULTILINE)
    assert len(examples) >= 4
    for example in examples:
        found = type_in(*example.split())
        assert found.exit_code == 0, (example, found.output)


def test_it_says_what_is_in_the_picture_and_what_to_type_next(type_in: Type) -> None:
    found = type_in("graph", "chang_roberts", "--n", "3", "--out", "g.dot")
    assert found.exit_code == 0
    assert found.stdout.splitlines()[0] == "wrote g.dot  25 nodes, 48 edges"
    assert "25 states; 48 transitions, 1 terminal, depth 7" in found.stdout
    assert "world 1 of 2" in found.stdout
    assert "nothing, in this world and in the others" in found.stdout
    assert found.stdout.splitlines()[-1].split()[:3] == ["next", "modelcheck", "run"]


def test_a_violation_is_told_and_is_no_failure_of_the_command(type_in: Type) -> None:
    found = type_in("graph", "chang_roberts", "--ids", "1,1,2", "--out", "g.dot")
    assert found.exit_code == 0
    assert "violated     leader_is_the_maximum, 13 times: p3 (id 2) takes 1 for the leader" in found.stdout
    again = found.stdout.splitlines()[-1].split("modelcheck ", 1)[1].split()
    assert type_in(*again).exit_code == 12


def test_the_next_command_works(type_in: Type) -> None:
    found = type_in("graph", "bully", "--n", "3", "--crashes", "1", "--collapse", "--out", "g.dot")
    again = found.stdout.splitlines()[-1].split("modelcheck ", 1)[1].split()
    assert type_in(*again).exit_code == 0


def test_data_is_not_collapsed_unless_that_is_asked_for(type_in: Type) -> None:
    type_in("graph", "chang_roberts", "--n", "4", "--out", "g.json")
    assert len(json.loads(Path("g.json").read_text())["nodes"]) == 63
    type_in("graph", "chang_roberts", "--n", "4", "--out", "g.dot")
    assert "seen by" in Path("g.dot").read_text()
    type_in("graph", "chang_roberts", "--n", "4", "--collapse", "--out", "g.json")
    assert len(json.loads(Path("g.json").read_text())["nodes"]) <= 30


def test_without_out_it_writes_a_page_but_never_over_a_file(type_in: Type) -> None:
    assert type_in("graph", "chang_roberts", "--n", "2").exit_code == 0
    assert Path("chang_roberts.html").read_text().startswith("<!DOCTYPE html>")
    found = type_in("graph", "chang_roberts", "--n", "2")
    assert found.exit_code == 2
    assert "--out chang_roberts.html" in found.stderr


def test_the_same_command_writes_the_same_bytes(type_in: Type) -> None:
    for name in ("a.html", "b.html"):
        type_in("graph", "chang_roberts", "--n", "3", "--out", name)
    assert Path("a.html").read_bytes() == Path("b.html").read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--out", "g.gif"], "one of .svg, .png, .pdf, .html, .dot, .graphml, .json, .aut"),
        (["--out", "nowhere/g.dot"], "there is no folder nowhere"),
        (["--full", "--collapse", "--out", "g.dot"], "leave one of them out"),
        (["--by", " ", "--out", "g.dot"], "names fields"),
        (["--by", "leadr", "--out", "g.dot"], "did you mean leader"),
        (["--world", "9", "--out", "g.dot"], "there is no world 9"),
        (["--n", "2..3", "--out", "g.dot"], "a state graph is of one size"),
        (["--engine", "sets", "--out", "g.dot"], "--sets draws the diagram that it makes"),
        (["--sets", "--n", "2..3", "--out", "g.dot"], "a diagram is of one size"),
        (["--sets", "--full", "--world", "1", "--out", "g.dot"], "leave out --world, --full"),
        (["--sets", "--engine", "reference", "--out", "g.dot"], "leave out --engine reference"),
        (["--sets", "--out", "g.html"], "one of .svg, .png, .pdf, .dot"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_does(words: list[str], said: str, type_in: Type) -> None:
    found = type_in("graph", "chang_roberts", *words)
    assert found.exit_code == 2
    assert said in found.stderr


def test_a_missing_program_is_told_before_anything_is_searched(type_in: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    found = type_in("graph", "chang_roberts", "--n", "3", "--out", "g.svg")
    assert found.exit_code == 2
    assert "apt install graphviz" in found.stderr
    assert "--out graph.html" in found.stderr


def test_a_limit_that_is_reached_is_inconclusive(type_in: Type) -> None:
    found = type_in("graph", "chang_roberts", "--ids", "3,2,1", "--max-states", "10", "--out", "g.dot")
    assert found.exit_code == 20
    assert "not explored to the end" in found.stderr
    assert not Path("g.dot").exists()


def test_a_diagram_of_sets_is_said_in_words_and_the_next_command_judges_its_states(type_in: Type) -> None:
    found = type_in("graph", "chang_roberts", "--ids", "1,1,2", "--sets", "--out", "sets.dot")
    assert found.exit_code == 0
    assert found.stdout.startswith("wrote sets.dot  ")
    assert "43 states of 1 world in " in found.stdout  # as the reference engine counts them
    again = found.stdout.splitlines()[-1].split("modelcheck ", 1)[1].split()
    assert again == ["run", "chang_roberts", "--ids", "1,1,2", "--engine", "sets"]


def test_the_same_command_draws_the_same_sets(type_in: Type) -> None:
    for name in ("a.dot", "b.dot"):
        type_in("graph", "bully", "--n", "2", "--crashes", "1", "--sets", "--out", name)
    assert Path("a.dot").read_bytes() == Path("b.dot").read_bytes()
