"""`--engine sets` as a user types it: what it says, what it leaves undecided, and what it refuses."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import check
from modelcheck.check import checker
from modelcheck.check.by_sets.search import SearchBySets, _Size
from modelcheck.explore.sets import diagram

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


def test_messages_are_counted_by_type_and_a_run_is_shown(type_in: Type) -> None:
    words = ("messages", "chang_roberts", "--n", "2..4", "--start", "simultaneous", "--engine", "sets")
    found = type_in(*words, "--show", "worst", "--trace", "worst.json")
    assert found.exit_code == 0
    assert "guarantee    exhaustive, exact, by sets of states" in found.stdout
    # as for the other engines: test_messages.py
    assert re.search(r"4  total +11 +12\.3333 +14\n", found.stdout)
    assert re.search(r"Leader +4 +4 +4\n", found.stdout)
    assert re.search(r"mean +n H_n \+ n +agrees\n", found.stdout)
    assert "greatest     14: one-way ring of 4, ids 1,4,3,2; 14 steps" in found.stdout
    assert "sent         Election 10, Leader 4" in found.stdout
    assert type_in("trace", "worst.json").exit_code == 0


def test_messages_that_are_sent_without_end_are_refused_with_the_reason(type_in: Type) -> None:
    found = type_in("messages", "itai_rodeh", "--n", "2", "--engine", "sets")
    assert found.exit_code == 2
    assert "some process can send more than 96 messages; leave out --engine" in found.stderr


def test_lock_step_is_refused(type_in: Type) -> None:
    found = type_in("run", "alternating_steps", "--n", "2", "--schedule", "lockstep", "--engine", "sets")
    assert found.exit_code == 2
    assert "lock-step" in found.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["run", "chang_roberts", "--schedule", "lockstep"], "only the reference engine goes in lock-step"),
        (["messages", "chang_roberts", "--reduce", "order"], "explores all worlds at once"),
        (["messages", "chang_roberts", "--cluster", "local:2"], "explores all worlds at once"),
        (["confirm", "chang_roberts"], "every state is compared, and sets visit none"),
        (["export", "chang_roberts", "--to", "promela"], "every state is compared, and sets visit none"),
        (["graph", "chang_roberts", "--out", "found.svg"], "visits no states that could be drawn"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_whoever_needs_states_that_were_visited_refuses_sets(words: list[str], why: str, type_in: Type) -> None:
    found = type_in(*words, "--n", "3", "--engine", "sets")
    assert found.exit_code == 2
    assert why in found.stderr


def test_a_run_that_is_stopped_tells_how_large_its_diagram_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(search: SearchBySets, _: object) -> Callable[[int], None]:
        def tell(nodes: int) -> None:
            search.meter.nodes = nodes
            search.meter.interrupted = True

        return tell

    monkeypatch.setattr(SearchBySets, "told", told)
    monkeypatch.setattr(diagram, "BEAT", 10)
    result = check("chang_roberts", n=5, engine="sets")
    assert (result.verdict, str(result.stopped)) == ("INCONCLUSIVE", "interrupted")
    assert result.states == 0 < result.nodes
    assert f"a diagram of {result.nodes} nodes so far" in str(result)
    assert "depth" not in str(result)


def test_what_was_counted_stands_though_the_search_for_the_ends_of_runs_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(size: Any) -> str:
        size.found.meter.interrupted = True
        size.found.meter.look()
        return ""

    monkeypatch.setattr(_Size, "_why_not_all_end", stopped)
    result = check("chang_roberts", n=4, engine="sets")
    assert result.states == 497  # Spin, as in tests/models
    assert {found.verdict for found in result.properties} == {"inconclusive"}
