"""Numbers that outgrow their width are refused before they wrap: tried with widths so small that they do."""

from __future__ import annotations

from typing import Any

import pytest

from modelcheck import Limits, check
from modelcheck.check.counting import count_messages
from modelcheck.check.result import Result
from modelcheck.count import compiled
from modelcheck.explore.compiled import engine, tables


def counts(result: Result) -> tuple[Any, ...]:
    return result.verdict, result.stopped, result.states, result.transitions, result.terminal_states, result.depth


def both(model: str, **options: Any) -> tuple[Result, Result]:
    return check(model, engine="compiled", **options), check(model, engine="reference", **options)


@pytest.mark.parametrize("bits", [1, 3, 5])
def test_components_that_a_key_has_no_room_for_are_left_to_the_reference_engine(
    monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    """Taken for one of the next family, such a component would do what that one does."""
    monkeypatch.setattr(tables, "WITHIN", bits)
    found, expected = both("chang_roberts", n=2, duplications=1)
    assert counts(found) == counts(expected)
    assert expected.verdict != "INCONCLUSIVE"


@pytest.mark.parametrize("bits", [1, 2, 3])
def test_environments_that_a_key_has_no_room_for_are_left_to_the_reference_engine(
    monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    """Of the budgets of two losses and two duplications there are nine."""
    monkeypatch.setattr(tables, "FIRST", bits)
    found, expected = both("chang_roberts", n=2, losses=2, duplications=2)
    assert counts(found) == counts(expected)


def test_families_that_a_key_has_no_room_for_are_left_to_the_reference_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three processes are three families, and one bit tells two apart."""
    monkeypatch.setattr(tables, "SECOND", tables.WITHIN + 1)
    found, expected = both("chang_roberts", n=3, losses=1)
    assert counts(found) == counts(expected)


@pytest.mark.parametrize("bits", [1, 2])
def test_observations_that_a_key_has_no_room_for_are_left_to_the_reference_engine(
    monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    """Steps are judged by the pair of what is seen before and after."""
    monkeypatch.setattr(engine, "FIRST", bits)
    found, expected = both("chang_roberts", n=3, property="decisions_are_final")
    assert counts(found) == counts(expected)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_world_of_more_states_than_there_are_numbers_ends_with_that_reason(
    monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(engine, "NUMBERS", 1 << 12)
    result = check("chang_roberts", n=6, network="bag", ids="6,5,4,3,2,1", engine="compiled", workers=workers)
    assert result.verdict == "INCONCLUSIVE"
    assert result.stopped == "the compiled engine has numbers for 4,096 states of one world, and there are more"


@pytest.mark.parametrize("most", [2**31 - 1, 2**31, 2**63 - 1, 2**63, 10**30])
def test_a_limit_on_states_may_be_any_number(most: int) -> None:
    result = check("chang_roberts", n=3, engine="compiled", limits=Limits(max_states=most))
    assert result.verdict == "HOLDS"
    assert result.limits.max_states == most


def test_more_messages_than_there_is_room_for_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three processes, descending: 3 + 2 + 1 messages with an identifier (Chang and Roberts 1979), and more with the announcement."""
    monkeypatch.setattr(compiled, "NEVER", 5)
    result = count_messages("chang_roberts", n=3, ids="3,2,1", engine="compiled")
    assert result.exit_code == 20
    assert result.search.stopped == "some run sends more than 4 messages, and no more are counted"
