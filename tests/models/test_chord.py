"""Chord's ring: whoever joins, and however joins interleave, the ring is ideal in the end."""

import pytest

from modelcheck import check


@pytest.mark.parametrize("n", [1, 2, 3])
def test_in_the_end_the_ring_is_ideal(n: int) -> None:
    result = check("chord", n=n)
    assert result.verdict == "HOLDS"
    assert result.property("the_ring_is_ideal").verdict == "holds"


def test_it_is_whoever_joins() -> None:
    assert check("chord", n=3, initiators="each").verdict == "HOLDS"


def test_both_engines_agree() -> None:
    runs = [check("chord", n=2, engine=engine) for engine in ("reference", "compiled")]
    assert len({(run.verdict, run.states, run.transitions, run.depth) for run in runs}) == 1


def test_a_founder_alone_has_nothing_to_do() -> None:
    assert check("chord", n=1).states == 1


def test_it_suffices_to_enter_anywhere() -> None:
    assert check("chord:EntersAnywhere", n=3).verdict == "HOLDS"


def test_nobody_learns_of_a_predecessor_that_is_never_notified() -> None:
    # 2 joins, is told and enters; then it asks 1 for a predecessor, is told of none, and hears so, again and again.
    trace = check("chord:NeverNotifies", n=2).property("the_ring_is_ideal").trace
    assert trace is not None
    assert trace.length == 3 + 3


def test_a_notice_from_further_away_must_not_count() -> None:
    # Two are not enough: of one notice there is no nearer one.
    assert check("chord:BelievesAnyNotice", n=2).verdict == "HOLDS"
    result = check("chord:BelievesAnyNotice", n=3)
    assert result.property("the_ring_is_ideal").verdict == "violated"
    assert result.property("the_least_leads").verdict == "holds"
