"""Words of a diagram can be read: none lies on another, none leaves the picture, every message says what it is."""

from __future__ import annotations

from itertools import combinations

import pytest

from modelcheck.pictures.geometry import Box, at_height, distance, within
from modelcheck.pictures.layout import Layout, layout
from modelcheck.pictures.words import broken, elided, fitting, width
from modelcheck.runs.causality import flights
from modelcheck.runs.trace import Trace
from tests.pictures import runs


@pytest.fixture(scope="module")
def layouts() -> list[tuple[Trace, Layout]]:
    return [(trace, layout(trace)) for trace in runs.everything()]


def test_no_words_lie_on_other_words(layouts: list[tuple[Trace, Layout]]) -> None:
    for _, found in layouts:
        for one, other in combinations(found.labels, 2):
            assert not one.box.overlaps(other.box), (one, other)


def test_no_words_lie_on_a_dot(layouts: list[tuple[Trace, Layout]]) -> None:
    for _, found in layouts:
        for dot in found.dots:
            core = Box(dot.x - 4, dot.y - 4, dot.x + 4, dot.y + 4)
            for label in found.labels:
                assert label.kind == "strip" or not label.box.overlaps(core), (dot, label)


def test_no_words_leave_the_picture(layouts: list[tuple[Trace, Layout]]) -> None:
    for _, found in layouts:
        for label in found.labels:
            assert found.left <= label.box.left < label.box.right <= found.right
            assert found.top < label.box.top < label.box.bottom <= found.bottom + 8


def test_every_message_says_what_it_is_unless_another_of_its_step_does(layouts: list[tuple[Trace, Layout]]) -> None:
    for trace, found in layouts:
        known = flights(trace)
        said = {label.owner for label in found.labels if label.kind == "message"}
        spoken_for = {(known[k].sent, known[k].message) for k in said}
        for flight in known:
            assert (flight.sent, flight.message) in spoken_for


def test_no_way_runs_through_the_dot_of_an_event_that_is_not_its_own(layouts: list[tuple[Trace, Layout]]) -> None:
    """Nearly: where dots stand too dense for any way, it may touch one."""
    touched = passed = 0
    for _, found in layouts:
        for arrow in found.arrows:
            ends = (arrow.way[0], arrow.way[-1])
            others = [(dot.x, dot.y) for dot in found.dots if (dot.x, dot.y) not in ends and dot.mark == "receive"]
            passed += 1
            touched += distance(arrow.way, others) < 4
    assert touched <= passed / 100


# --- measures ------------------------------------------------------------------------------------------------------


def test_words_are_as_wide_as_in_helvetica() -> None:
    """By its metrics (Adobe, 1985): H 722, e 556, l 222, o 556 thousandths of the size."""
    assert width("Hello", 10) == pytest.approx((722 + 556 + 222 + 222 + 556) / 100)
    assert width("Hello", 10, bold=True) > width("Hello", 10)


def test_what_is_elided_fits() -> None:
    for room in (5.0, 20.0, 50.0, 200.0):
        words = elided("a rather long name of a step", 12, room)
        assert width(words, 12) <= max(room, width("\u2026", 12))
    assert elided("short", 12, 100) == "short"


def test_a_shorter_form_is_preferred_to_an_ellipsis() -> None:
    assert fitting("mode: candidate \u2192 defeated", "mode \u2192 defeated", 10.5, 100) == "mode \u2192 defeated"


def test_lines_are_broken_between_words() -> None:
    lines = broken("p1 and p2 both lead although only one of them may", 13, 120)
    assert " ".join(lines) == "p1 and p2 both lead although only one of them may"
    assert all(width(line, 13) <= 120 for line in lines)


def test_the_part_of_a_way_in_a_box() -> None:
    assert within(Box(0, 0, 10, 10), ((-5.0, 5.0), (15.0, 5.0))) == pytest.approx(10)
    assert within(Box(0, 0, 10, 10), ((-5.0, 50.0), (15.0, 50.0))) == 0
    assert at_height(((0.0, 0.0), (10.0, 20.0)), 10) == pytest.approx((5, 10))
