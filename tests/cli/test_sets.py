"""`--engine sets` as a user types it: what it says, what it leaves undecided, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modelcheck.check import checker

from .conftest import Type


def test_what_is_not_decided_is_named_with_the_reason_and_makes_the_run_inconclusive(type_in: Type) -> None:
    found = type_in("run", "itai_rodeh", "--n", "2", "--engine", "sets")
    assert found.exit_code == 20
    assert found.stdout.startswith("INCONCLUSIVE  termination ")
    assert "because      sets of states do not decide everything" in found.stdout
    # anonymous processes that draw the same number draw again, and again
    assert "undecided    termination: some process can send more than 96 messages" in found.stdout
    assert "guarantee    exhaustive, exact, by sets of states, of what holds; a single world" in found.stdout


def test_of_a_set_the_report_tells_the_nodes_and_no_depth(json_of: Callable[..., dict[str, Any]]) -> None:
    found = json_of("chang_roberts", "--n", "2..3", "--engine", "sets")
    visited = json_of("chang_roberts", "--n", "2..3")
    assert found["states"] == visited["states"]
    assert found["depth"] is None
    assert [size["depth"] for size in found["sizes"]] == [None, None]
    assert all(size["nodes"] > 0 for size in found["sizes"])
    assert [size["nodes"] for size in visited["sizes"]] == [None, None]


def test_messages_are_counted_however_many_states_there_are(type_in: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "AFFORDABLE", 10)
    visited = type_in("run", "chang_roberts", "--n", "3").stdout
    assert "not counted in passing above" in visited
    # least 2n, greatest n(n + 1)/2 + n: Chang and Roberts 1979, with a Leader message for each process
    assert (
        "least 6   mean 6 to 8.5   greatest 9" in type_in("run", "chang_roberts", "--n", "3", "--engine", "sets").stdout
    )


@pytest.mark.parametrize(
    "words",
    [
        ["--part", "1/2", "--checkpoint", "kept.json"],
        ["--checkpoint", "kept.json"],
        ["--resume"],
        ["--reduce", "order"],
        ["--check-symmetry"],
        ["--check-reductions"],
    ],
    ids=" ".join,
)
def test_what_goes_world_by_world_is_refused(words: list[str], type_in: Type) -> None:
    found = type_in("run", "chang_roberts", "--n", "3", "--engine", "sets", *words)
    assert found.exit_code == 2
    assert "explores all worlds at once" in found.stderr


def test_messages_by_type_and_lock_step_are_refused(type_in: Type) -> None:
    found = type_in("messages", "chang_roberts", "--n", "2", "--engine", "sets")
    assert found.exit_code == 2
    assert "leave out --engine sets" in found.stderr
    found = type_in("run", "alternating_steps", "--n", "2", "--schedule", "lockstep", "--engine", "sets")
    assert found.exit_code == 2
    assert "lock-step" in found.stderr
