"""`modelcheck run --check-symmetry`: both ways, compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modelcheck.check import worker

from .conftest import Type

PLANTED = ((0, 1, 2), (0, 2, 1))  # a reflection is no symmetry of a one-way ring


def test_it_says_what_was_compared_and_what_was_saved(type_in: Type) -> None:
    found = type_in("run", "itai_rodeh", "--n", "3", "--check-symmetry")
    assert found.exit_code == 0
    lines = {line[2:13].strip(): line[15:] for line in found.stdout.splitlines() if line.startswith("  ")}
    # 331 states, 696 transitions, 3 terminal states: those of a ring of 3 [guide, page semantics: as counted before there was this reduction]
    assert lines["stand for"] == "331 states   696 transitions   3 terminal states"
    assert "1 world, 331 states, 696 transitions, 3 terminal states" in lines["symmetry"]
    assert "2.9 times as many states" in lines["symmetry"]
    assert lines["reductions"] == "worlds up to isomorphism; states up to the symmetry of their world"


def test_worlds_are_compared_too(json_of: Callable[..., dict[str, Any]]) -> None:
    found = json_of("chang_roberts", "--n", "4", "--check-symmetry")
    assert found["symmetry_check"] == {"agrees": True, "undone": None, "worlds": 24, **found["unreduced"]}
    assert found["unreduced"]["states"] == 4 * found["states"]  # four rotations of each assignment
    assert found["sizes"][0]["unreduced"] == found["unreduced"]


def test_without_the_option_nothing_is_said_of_it(json_of: Callable[..., dict[str, Any]], type_in: Type) -> None:
    assert json_of("itai_rodeh", "--n", "2")["symmetry_check"] is None
    plain = type_in("run", "itai_rodeh", "--n", "2", "--no-symmetry").stdout
    for label in ("\n  symmetry", "\n  stand for", "\n  reductions"):
        assert label not in plain


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_difference_is_no_verdict_but_a_bug_and_exits_70(
    options: tuple[str, ...], type_in: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "own_group", lambda *_: PLANTED)
    found = type_in("run", "itai_rodeh", "--property", "at_most_one_leader", "--check-symmetry", *options)
    assert found.exit_code == 70
    assert found.stdout == ""
    assert "a bug in modelcheck" in found.stderr
    assert "runs of itai_rodeh with and without symmetry differ" in found.stderr
    assert "states, n=3: " in found.stderr


def test_where_a_limit_keeps_one_run_from_its_end_nothing_is_compared_and_nothing_holds(type_in: Type) -> None:
    # 115 states with symmetry, 331 without
    for most, said in (
        ("100", "with symmetry the limit of 100 states"),
        ("300", "with symmetry HOLDS, without it the limit"),
    ):
        found = type_in("run", "itai_rodeh", "--n", "3", "--check-symmetry", "--max-states", most)
        assert found.exit_code == 20
        assert found.stdout.startswith("INCONCLUSIVE")
        assert f"symmetry     not compared: {said}" in found.stdout
        assert f"--check-symmetry --max-states {most}0" in found.stdout


def test_a_violation_is_one_all_the_same(type_in: Type) -> None:
    found = type_in("run", "chang_roberts", "--ids", "1,1,2", "--check-symmetry")
    assert found.exit_code == 12
    assert "symmetry     checked" in found.stdout


def test_a_model_at_fault_is_not_compared(type_in: Type) -> None:
    found = type_in("run", "chang_roberts", "--graph", "star", "--n", "4", "--check-symmetry")
    assert found.exit_code == 10


def test_with_no_symmetry_it_makes_no_sense(type_in: Type) -> None:
    found = type_in("run", "itai_rodeh", "--no-symmetry", "--check-symmetry")
    assert found.exit_code == 2
    assert "leave out --no-symmetry" in found.stderr
