"""Numbers of messages over several worlds."""

from __future__ import annotations

import math

from modelcheck.count.ranges import Range


def test_ranges_of_several_worlds_are_one_range_with_their_means() -> None:
    """A world that stands for two assignments, with 2 to 4 messages, and one of its own, with 5 to 10: means 9 / 3 and 18 / 3."""
    found = Range()
    found.add(Range(2, 4, 2, 4, 8))
    found.add(Range(5, 10, 1, 5, 10))
    assert found == Range(2, 10, 3, 9, 18)
    assert (found.mean_least, found.mean_greatest) == (3, 6)


def test_there_is_no_mean_where_a_world_has_none() -> None:
    """No run of it ends, or they send without bound. Nor is there one of no world."""
    found = Range(2, 4, 1, 2, 4)
    found.add(Range(math.inf, math.inf, 1, math.inf, math.inf))
    assert (found.least, found.greatest) == (2, math.inf)
    assert found.mean_least is None
    assert found.mean_greatest is None
    assert Range().mean_least is None


def test_where_nothing_is_sent_the_mean_is_zero() -> None:
    assert Range(0, 0, 2, 0, 0).mean_least == Range(0, 0, 2, 0, 0).mean_greatest == 0
