"""How numbers of messages are told."""

from __future__ import annotations

import math

import pytest

from modelcheck.count.ranges import Range
from modelcheck.report.words.numbers import in_a_line, mean

NO_END = math.inf


@pytest.mark.parametrize(
    ("counted", "said"),
    [
        (Range(4, 6, 2, 8, 12), "least 4, mean 4 to 6, greatest 6"),
        (Range(4, 4, 2, 8, 8), "least 4, mean 4, greatest 4"),
        (Range(4, NO_END, 1, 4, NO_END), "least 4, mean 4 to unbounded, greatest unbounded"),
        (Range(NO_END, 6, 1, NO_END, 6), "no run ends, at most 6 are sent"),
        (Range(NO_END, NO_END, 1, NO_END, NO_END), "no run ends, more and more are sent"),
    ],
)
def test_a_line_says_what_there_is_and_no_number_where_there_is_none(counted: Range, said: str) -> None:
    assert ", ".join(in_a_line(counted, [])) == said


def test_a_mean_of_worlds_in_one_of_which_no_run_ends_has_an_upper_bound_alone() -> None:
    assert mean(Range(4, 6, 2, NO_END, 12)) == "at most 6"
