"""`modelcheck claims` and `modelcheck exercises`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Type

PLANTED = """
title = "Mine"

[[claim]]
name = "right"
where = "page 1"
states = "It elects."
tests = [{ run = "chang_roberts", n = "1..2", holds = true }]

[[claim]]
name = "wrong"
where = "page 2"
states = "It elects the minimum."
tests = [{ run = "chang_roberts", n = 2, violated = { agreement = 5 } }]
"""


@pytest.fixture
def planted(tmp_path: Path) -> str:
    """A file of claims of which one is wrong."""
    (tmp_path / "mine.toml").write_text(PLANTED)
    return str(tmp_path / "mine.toml")


def test_a_table_of_a_source(type_in: Type) -> None:
    found = type_in("claims", "harmony", "--n", "2")
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert lines[0].startswith("harmony  R. van Renesse")
    assert lines[1].split()[:2] == ["confirmed", "printed-program"]
    assert "  refuted      assertions-are-enough  Figure 25.1, the two assertions" in lines
    assert "                 modelcheck run harmony_leader --ids 2,2" in lines
    assert lines[-1].startswith("6 claims: 4 confirmed, 2 refuted as is known; in ")


def test_one_claim_in_full_with_its_counterexample(type_in: Type) -> None:
    text = type_in("claims", "garg-start-without-guard").stdout
    assert text.startswith("refuted  garg-start-without-guard  Figure 13.1")
    for part in ("source errs  the start must be guarded", "VIOLATED  one_leader_wave  (always)  after 7 steps"):
        assert part in text
    assert "again        modelcheck run chang_roberts:StartUnguarded --ids 1,2 --property one_leader_wave" in text


def test_a_surprise_makes_the_exit_code_1_and_is_named_at_the_end(type_in: Type, planted: str) -> None:
    found = type_in("claims", planted)
    assert found.exit_code == 1
    assert "  OTHERWISE    wrong  page 2" in found.stdout
    assert "chang_roberts: it holds; expected: agreement is violated" in found.stdout
    assert found.stdout.rstrip().splitlines()[-2] == "otherwise: mine-wrong"


def test_what_is_not_reached_makes_it_20(type_in: Type) -> None:
    found = type_in("claims", "garg-maximum-wins", "--max-states", "20")
    assert found.exit_code == 20
    assert found.stdout.startswith("not reached  garg-maximum-wins")


def test_json(type_in: Type) -> None:
    data = json.loads(type_in("claims", "garg-passive-dkr", "--json").stdout)
    assert (data["format"], data["exit_code"], data["counts"]["refuted"]) == (1, 0, 1)
    [claim] = data["claims"]
    assert (claim["source"], claim["name"], claim["outcome"]) == ("garg", "passive-dkr", "refuted")
    [test] = claim["tests"]
    assert test["command"] == "modelcheck run dolev_klawe_rodeh:BeginsPassive --n 1..3"
    assert [found["trace"]["length"] for found in test["counterexamples"]] == [0]


def test_json_beside_the_table(type_in: Type) -> None:
    assert type_in("claims", "garg-passive-dkr", "--json", "found.json").stdout.startswith("refuted")
    assert json.loads(Path("found.json").read_text())["counts"]["refuted"] == 1


def test_exercises_are_listed_with_what_to_try_and_what_to_look_for(type_in: Type) -> None:
    found = type_in("exercises")
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert "  garg-13.3  Problem 13.3" in lines
    assert (
        sum(line.startswith("    try   ") for line in lines)
        == sum(line.startswith("    look  ") for line in lines)
        > 10
    )
    data = json.loads(type_in("exercises", "harmony", "--json").stdout)
    assert [exercise["reference"] for exercise in data["exercises"]] == ["harmony-25.1", "harmony-25.2"]


def test_an_exercise_is_done_and_explained(type_in: Type) -> None:
    found = type_in("exercises", "harmony-25.2", "--n", "2")
    assert found.exit_code == 0
    for part in ("try          Split the first send", "VIOLATED  all_stop", "explained    Both read the empty network"):
        assert part in found.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("claims", "grag"), "no source, and no claim, called 'grag'; did you mean garg?"),
        (("claims", "rows_and-columns"), "called 'rows_and-columns'; did you mean literature-rows-and-columns?"),
        (("claims", "13.3"), "called '13.3'; did you mean garg-13.3?"),
        (("claims", "xyz"), "called 'xyz'; known are effatparvar, garg,"),
        (("claims", "garg-passive"), "garg makes no claim 'passive'; did you mean passive-dkr?"),
        (("claims", "./none.toml"), "there is no file ./none.toml"),
        (("exercises", "garg-passive-dkr"), "garg-passive-dkr is no exercise; `modelcheck exercises` lists them"),
    ],
)
def test_what_is_not_there_gets_the_nearest_names(words: tuple[str, ...], said: str, type_in: Type) -> None:
    found = type_in(*words)
    assert found.exit_code == 2
    assert said in found.stderr
