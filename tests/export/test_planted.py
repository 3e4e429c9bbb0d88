"""Confirm can fail: whatever is planted in the search, in its tables or in its counts is noticed, by either tool."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from modelcheck.explore.exploration import Exploration
from modelcheck.export.confirming import confirm
from modelcheck.export.program import Program
from modelcheck.export.tabulate import Tabulation
from modelcheck.export.tools import TOOLS, missing
from modelcheck.semantics import network
from modelcheck.semantics.symmetry import Orbits
from modelcheck.semantics.system import System, Transition

Plant = Callable[[Program], Program]
BY = [pytest.param(t.name, marks=pytest.mark.skipif(bool(missing(t)), reason=f"no {t.name}")) for t in TOOLS]
EACH = pytest.mark.parametrize("tool", BY)
ONE = pytest.mark.parametrize("tool", BY[1:])  # for what does not depend on how a tool says it


def differences(tool: str, model: str = "chang_roberts", **asked: Any) -> str:
    return "\n".join(confirm(model, tools=[tool], **{"n": 2, "engine": "reference", **asked}).differences)


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[[Plant], None]:
    """Has every program changed before it is written."""
    written = Tabulation.program

    def planted(change: Plant) -> None:
        monkeypatch.setattr(Tabulation, "program", lambda self, *words: change(written(self, *words)))

    return planted


@ONE
def test_nothing_is_noticed_where_nothing_is_planted(tool: str) -> None:
    assert differences(tool) == ""


@ONE
@pytest.mark.parametrize("what", ["states", "transitions", "ends", "failing"])
def test_a_wrong_count_is_noticed(what: str, tool: str, plant: Any) -> None:
    also = {"still": 0} if what == "ends" else {}  # which of the two is compared depends on the tool
    plant(lambda program: replace(program, counts=replace(program.counts, **{what: 99}, **also)))
    assert "99" in differences(tool) or "0 ends" in differences(tool)


@EACH
def test_a_table_entry_that_leads_to_another_local_state_is_noticed(tool: str, plant: Any) -> None:
    def elsewhere(program: Program) -> Program:
        (place, (first, *others)), *rest = next(iter(program.received.values())).items()
        waits = next(iter(program.received))
        wrong = replace(first, after=(first.after + 1) % len(program.locals))
        return replace(program, received={**program.received, waits: {place: (wrong, *others), **dict(rest)}})

    plant(elsewhere)
    assert differences(tool)


@EACH
def test_an_entry_that_is_missing_makes_it_fail_and_does_not_disable_the_step(tool: str, plant: Any) -> None:
    def without(program: Program) -> Program:
        waits, table = next(iter(program.received.items()))
        return replace(program, received={**program.received, waits: dict(list(table.items())[1:])})

    plant(without)
    assert "what the search never met" in differences(tool)
    assert "an entry is missing" in differences(tool)


@EACH
def test_a_local_state_that_was_never_met_makes_it_fail(tool: str, plant: Any) -> None:
    plant(lambda program: replace(program, alone=dict(list(program.alone.items())[:-1])))
    assert "an entry is missing" in differences(tool)


@EACH
@pytest.mark.parametrize("kind", ["fifo", "bag"])
def test_a_channel_that_grows_longer_than_the_search_says_makes_it_fail(kind: str, tool: str, plant: Any) -> None:
    plant(lambda program: replace(program, capacities=tuple(most - 1 for most in program.capacities)))
    assert "a channel is longer" in differences(tool, network=kind)


@ONE
def test_a_command_that_is_missing_from_a_list_is_noticed(tool: str, plant: Any) -> None:
    def shorter(program: Program) -> Program:
        waits, table = next((w, t) for w, t in program.received.items() if any(t.values()))
        place = next(place for place, commands in table.items() if commands)
        return replace(program, received={**program.received, waits: {**table, place: table[place][1:]}})

    plant(shorter)
    assert "transitions" in differences(tool)


@EACH
def test_a_transition_that_the_search_drops_is_noticed(tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = System.successors

    def dropping(self: System, world: Any, state: Any) -> Iterator[Transition]:
        for number, transition in enumerate(honest(self, world, state)):
            if not (number == 1 and transition.outcome.kind == "receive"):
                yield transition

    monkeypatch.setattr(System, "successors", dropping)
    found = differences(tool)
    assert "states here" in found
    assert "transitions here" in found


@ONE
def test_a_message_that_the_search_delivers_twice_is_noticed(tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = network.put

    def twice(kind: str, channel: Any, message: Any) -> Any:
        return honest(kind, honest(kind, channel, message), message) if not channel else honest(kind, channel, message)

    monkeypatch.setattr(network, "put", twice)
    assert differences(tool)


@ONE
def test_a_reception_that_the_network_leaves_out_makes_it_fail(tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = network.receivable

    def first_only(kind: str, channel: Any) -> Iterator[Any]:
        yield from list(honest(kind, channel))[:1]

    monkeypatch.setattr(network, "receivable", first_only)
    assert "an entry is missing" in differences(tool, network="bag")


@ONE
def test_orbits_that_are_counted_wrongly_are_noticed(tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Orbits, "size", lambda *_: 1)
    assert "with symmetry" in differences(tool, "itai_rodeh")


@ONE
def test_a_count_of_the_search_that_is_not_that_of_its_list_is_a_bug(
    tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from modelcheck.check.worker import Worker

    honest = Worker.explore

    def miscounted(self: Worker, *words: Any) -> Exploration:
        found = honest(self, *words)
        found.transitions += 1
        return found

    monkeypatch.setattr(Worker, "explore", miscounted)
    with pytest.raises(AssertionError, match="are not those that were counted"):
        differences(tool)
