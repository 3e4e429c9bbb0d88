"""Chang and Roberts among initiators (handbook 0.4, wake=relay; 0.5, elect minimum initiator)."""

from math import comb, factorial

import pytest

from modelcheck import check

from .counting import message_counts


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
@pytest.mark.parametrize("extremum", ["max", "min"])
def test_the_best_of_those_that_start_leads_whoever_may_start(network: str, extremum: str) -> None:
    result = check(
        "chang_roberts_initiators",
        n=[1, 2, 3],
        network=network,
        initiators="each",
        parameters={"extremum": extremum},
    )
    assert result.verdict == "HOLDS"
    assert result.property("the_best_that_started_leads").verdict == "holds"


@pytest.mark.parametrize("n", [2, 3, 4])
def test_where_the_initiators_all_start_first_their_best_is_the_only_one_that_can_win(n: int) -> None:
    # One terminal state for each arrangement and each set of initiators: (n-1)! arrangements up to rotation, 2^n - 1 sets.
    result = check("chang_roberts_initiators", n=n, initiators="each", start="simultaneous")
    assert result.verdict == "HOLDS"
    assert result.worlds == result.terminal_states == factorial(n - 1) * sum(comb(n, k) for k in range(1, n + 1))


def test_the_strongest_may_sleep_through_the_election() -> None:
    # n=2: 1 starts, 2 passes its message on, 1 leads, 2 and 1 learn it. (Under wake=mixed 2 would stand for election.)
    result = check("chang_roberts_initiators", n=2, initiators=[1], ids="1,2")
    assert result.verdict == "HOLDS"
    assert (result.terminal_states, result.depth) == (1, 5)
    assert check("chang_roberts", n=2, initiators=[1], ids="1,2").property("leader_is_the_maximum").verdict == "holds"


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_messages_are_those_of_chang_and_roberts_when_all_start_first(n: int) -> None:
    ours = list(message_counts("chang_roberts_initiators", n, start="simultaneous"))
    theirs = list(message_counts("chang_roberts", n, start="simultaneous"))
    assert ours == theirs


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_single_initiator_costs_two_rounds(n: int) -> None:
    # Its identifier goes once round, then the announcement.
    assert {least for _, least, _ in message_counts("chang_roberts_initiators", n)} == {2 * n}
