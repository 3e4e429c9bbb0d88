"""FloodMin without crashes; with them in tests/semantics/test_crashes_in_rounds.py, against all ways in which they can go."""

import pytest

from modelcheck import check
from modelcheck.check.counting import count_messages


@pytest.mark.parametrize("f", [0, 1, 2])
def test_everybody_tells_all_others_in_every_round(f: int) -> None:
    for count in count_messages("flood_min", n=(1, 2, 3), parameters={"f": f}).counts:
        total = count.over(count.names.index("total"))
        assert total.least == total.greatest == count.n * (count.n - 1) * (f + 1)


def test_more_crashes_than_it_is_written_for_are_too_many() -> None:
    result = check("flood_min", n=4, crashes=2, ids=(1, 2, 3, 4), parameters={"f": 1})
    assert result.property("all_that_live_agree").verdict == "violated"
