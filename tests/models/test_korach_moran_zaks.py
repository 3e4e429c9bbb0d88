"""Korach, Moran and Zaks' election on a complete graph: whole kingdoms are conquered."""

from math import log2

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts


@pytest.mark.parametrize("n", [1, 2, 3, pytest.param(4, marks=pytest.mark.thorough)])
def test_it_is_correct(n: int) -> None:
    assert check("korach_moran_zaks", n=n).verdict == "HOLDS"


def test_it_is_correct_whoever_starts() -> None:
    assert check("korach_moran_zaks", n=3, initiators="each").verdict == "HOLDS"


def test_a_kingdom_is_conquered_by_way_of_a_citizen() -> None:
    # Two kings with a citizen each, which turns round the way to its king: every line runs.
    result = check("korach_moran_zaks", ids=(2, 1, 4, 3), initiators=(1, 3))
    assert (result.verdict, result.never_ran) == ("HOLDS", ())


def test_links_must_keep_the_order() -> None:
    assert check("korach_moran_zaks", n=3, network="bag").property("everyone_decides").verdict == "violated"


def test_both_engines_agree() -> None:
    reference, compiled = (check("korach_moran_zaks", n=3, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_messages_of_one_king(n: int) -> None:
    # Each of the others is asked, gives in, hears of its king, and of the leader.
    for _, least, greatest in message_counts("korach_moran_zaks", n, policy=Policy(initiators=(1,))):
        assert least == greatest == 4 * (n - 1)


def test_all_start_and_the_greater_of_two_is_the_one_that_is_heard() -> None:
    # Two questions, of which one is ignored; then the other gives in, hears of its king, and of the leader.
    for _, least, greatest in message_counts("korach_moran_zaks", 2, start="simultaneous"):
        assert least == greatest == 2 + 3


def test_the_bound_on_the_number_of_messages() -> None:
    assert all(greatest <= 5 * 3 * log2(3) + 3 for _, _, greatest in message_counts("korach_moran_zaks", 3))
