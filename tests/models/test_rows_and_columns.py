"""Election in an oriented torus, by rows and then by columns."""

import pytest

from modelcheck import check
from modelcheck.check.counting import count_messages


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
def test_the_largest_of_the_rows_wins_whoever_starts(network: str) -> None:
    assert check("rows_and_columns", n=4, network=network, initiators="1", ids="1,3,2,4").verdict == "HOLDS"
    assert check("rows_and_columns", n=4, network=network, ids="4,1,2,3").verdict == "HOLDS"


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3)])
def test_it_costs_what_that_many_rings_cost(rows: int, columns: int) -> None:
    """A ring of k elects by at least 2k messages (who wins alone begins) and at most k(k+1)/2 + k. Ids that every row has in falling order."""
    ring = lambda k: k * (k + 1) // 2 + k  # noqa: E731
    least, most = 2 * rows * columns + 2 * columns * rows, rows * ring(columns) + columns * ring(rows)
    asked = {"ids": "3,2,1,6,5,4", "graph": "torus:2x3"} if columns == 3 else {"n": 4}
    [count] = count_messages("rows_and_columns", **asked).counts
    assert count.over(0).least == least
    assert count.over(0).greatest == most == rows * columns * (rows + columns + 6) // 2
