"""The page of what to expect: the numbers of the terminal and of the JSON, and a curve that goes up where probability is."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from bs4 import BeautifulSoup, Tag

from modelcheck import expect
from modelcheck.chance.result import ExpectResult
from modelcheck.chance.values import Distribution, Value
from modelcheck.report.html import chart, expected
from modelcheck.report.terminal import expected as terminal
from modelcheck.report.words import expected as words


@cache
def found(model: str) -> ExpectResult:
    if model == "herman":
        return expect("herman", n=[3, 4], schedule="lockstep", start="simultaneous", until="one_token")
    return expect(model, n=[2, 3])


def page_of(result: ExpectResult) -> BeautifulSoup:
    return BeautifulSoup(expected.document(result), "html.parser")


def cells(row: Tag) -> list[str]:
    return [" ".join(cell.get_text(" ", strip=True).split()) for cell in row.find_all(["th", "td"])]


@pytest.mark.parametrize("model", ["itai_rodeh", "herman", "chang_roberts"])
def test_its_table_is_the_terminals(model: str) -> None:
    result = found(model)
    printed = [line.split() for line in terminal.text(result).splitlines()]
    rows = [cells(row)[1:] for row in page_of(result).select("table.expected tbody tr")]
    assert len(rows) == len(words.rows(result)) > 5
    for row in rows:
        line = " ".join(row).split()
        assert any(other[-len(line) :] == line for other in printed), row


def test_what_the_table_shows_is_the_fraction_of_the_json() -> None:
    """Itai and Rodeh's ring of three takes 59/4 messages, as Storm computes."""
    result = found("itai_rodeh")
    (row,) = (cells(row) for row in page_of(result).select("table.expected tbody tr") if "59/4" in row.get_text())
    assert row[1:] == ["messages", "59/4 = 14.75"]
    value = terminal.document(result)["expected_values"][1]["quantities"]["messages"]["greatest"]["exact"]
    assert Fraction(value) == Fraction(59, 4)


def test_the_run_that_keeps_going_and_the_formula_that_is_refuted_are_there() -> None:
    """On a ring of even size no token may be left."""
    page = page_of(found("herman"))
    going = page.find(id="going-of")
    assert isinstance(going, Tag)
    assert "The greatest expected number of messages is infinite" in going.get_text()
    assert going.find("svg", class_="spacetime") is not None
    assert "VIOLATED" in str(page.find(id="formulas"))


def test_an_error_of_the_model_has_a_page_as_well() -> None:
    page = page_of(expect("chang_roberts", n=3, graph="star"))
    assert page.find(id="error") is not None
    assert page.find(id="numbers") is None


def test_the_curve_goes_up_by_what_is_more_probable() -> None:
    """One fair coin for 2 or 4 messages: half of the room at 2, all of it at 4, where it is drawn from 1 to 4."""
    result = found("itai_rodeh")
    size = result.sizes[0]
    coin = Distribution((0.0, 0.0, 0.5, 0.5, 1.0), (0.0, 0.0, 0.5, 0.5, 1.0))
    drawn = chart.curve([type(size)(2, size.kinds, [coin])])
    assert drawn is not None
    assert (drawn.first, drawn.last, drawn.band) == (1, 4, "")
    assert drawn.lines == ("M0 100L33.33 100L33.33 50L100 50L100 0L100 0",)
    assert drawn.shares == ((2, ("2", "4", "4")),)


def test_bounds_are_printed_rounded_away_from_the_value() -> None:
    third = Fraction(1, 3)
    assert words.shown(Value(third, third + Fraction(1, 10**9))) == "0.333333 to 0.333334"
    assert words.shown(Value(2 - Fraction(1, 10**9), Fraction(2001))) == "1.999999 to 2,001.000000"
