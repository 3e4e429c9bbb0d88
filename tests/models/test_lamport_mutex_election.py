"""Election by Lamport's mutual exclusion (handbook E1; Garg, sections 13.1 and 13.3)."""

from math import comb

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts

MODEL = "lamport_mutex_election"
ORIGINAL = "lamport_mutex_election:AcknowledgesAll"


@pytest.mark.parametrize(("n", "network"), [(1, "fifo"), (2, "fifo"), (2, "bag"), (2, "set"), (3, "fifo")])
def test_it_elects_one_leader_whatever_overtakes_what(n: int, network: str) -> None:
    assert check(MODEL, n=n, network=network).verdict == "HOLDS"


def test_two_of_three_stand_on_a_bag() -> None:
    assert check(MODEL, n=3, network="bag", initiators="size:2").verdict == "HOLDS"


def test_any_process_may_lead() -> None:
    # Handbook E1: the lowest timestamp, not an extremum. Alone, each of the three leads.
    for initiator in (1, 2, 3):
        assert (
            check(MODEL, ids=(1, 2, 3), initiators=(initiator,)).property("the_leader_asked_first").verdict == "holds"
        )


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_the_engines_agree(engine: str) -> None:
    assert check(MODEL, n=3, initiators=(1, 2), engine=engine).states == check(MODEL, n=3, initiators=(1, 2)).states  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_messages_when_all_start_first(n: int) -> None:
    # All clocks are 1, so i < j stands before j. Of the requests smaller than its own, j acknowledges each that is smaller
    # than all before it: at least that of 1, at most all j - 1 of them (if they arrive from the greatest down).
    policy = Policy(identifiers=tuple(range(1, n + 1)))
    [(_, least, greatest)] = message_counts(MODEL, n, policy=policy, start="simultaneous")
    assert least == n * (n - 1) + (n - 1) + (n - 1) == (n - 1) * (n + 2)
    assert greatest == n * (n - 1) + comb(n, 2) + (n - 1) == {2: 4, 3: 11, 4: 21}[n]  # the handbook's table


def test_the_formula_of_the_card_is_the_handbooks_table() -> None:
    table = {2: 4, 3: 11, 4: 21, 5: 34, 6: 50, 7: 69, 8: 91}
    assert {n: 3 * n * (n - 1) // 2 + n - 1 for n in table} == table


@pytest.mark.parametrize(("n", "c"), [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3)])
def test_messages_over_all_schedules(n: int, c: int) -> None:
    # Greatest: c(n-1) + C(c,2) + c(n-c) + (n-1) [checked n<=3]; least: one stands and the others learn before they do.
    # Lamport's original acknowledges every request: the bound 2cN + N of the textbook, with n - 1 for N.
    policy = Policy(identifiers=tuple(range(1, n + 1)), initiators=tuple(range(1, c + 1)))
    [(_, least, greatest)] = message_counts(MODEL, n, policy=policy)
    assert greatest == c * (n - 1) + comb(c, 2) + c * (n - c) + (n - 1)
    assert least == 3 * (n - 1)
    if c < 3:
        [(_, least, greatest)] = message_counts(ORIGINAL, n, policy=policy)
        assert (least, greatest) == (3 * (n - 1), 2 * c * (n - 1) + (n - 1))


# Two processes both lead after 2 starts, 2(n-1) requests received and 2(n-1) acknowledgements received: 4n - 2 steps.


@pytest.mark.parametrize("fault", ["SmallestFirst", "ClockStands"])
def test_without_timestamps_that_respect_what_was_seen_two_lead(fault: str) -> None:
    # 2 stands, 1 acknowledges it and stands afterwards; its request comes first all the same, and 2 acknowledges it.
    for n, network in [(2, "bag"), (3, "fifo")]:
        result = check(f"{MODEL}:{fault}", n=n, network=network, initiators=(1, 2))
        found = result.property("at_most_one_leader")
        assert found.verdict == "violated"
        assert found.trace is not None
        assert found.trace.length == 4 * n - 2


def test_two_processes_with_fifo_links_are_saved_by_the_announcement() -> None:
    # 2 receives the acknowledgement of 1 before its later request, so it has announced itself before it acknowledges.
    assert check(f"{MODEL}:SmallestFirst", n=2).verdict == "HOLDS"
    result = check(f"{MODEL}:ClockStands", n=2)
    assert result.property("at_most_one_leader").verdict == "holds"
    # 2 stands, 1 acknowledges, 1 stands with the same clock, 2 is acknowledged and leads: 4 steps.
    found = result.property("the_leader_asked_first")
    assert found.trace is not None
    assert found.trace.length == 4


def test_the_original_needs_fifo_links() -> None:
    # "Then needs FIFO": on a bag 1's acknowledgement overtakes its request, and 2 knows of none earlier than its own.
    assert check(ORIGINAL, n=[1, 2]).verdict == "HOLDS"
    assert check(ORIGINAL, ids=(1, 2, 3), initiators=(1, 2)).verdict == "HOLDS"
    found = check(ORIGINAL, n=2, network="bag").property("at_most_one_leader")
    assert found.verdict == "violated"
    assert found.trace is not None
    assert found.trace.length == 4 * 2 - 2


@pytest.mark.parametrize("n", [2, 3])
def test_standing_although_the_leader_is_known_is_vain(n: int) -> None:
    # The leader's request is earlier, so nobody acknowledges the late one: it costs n - 1 messages and breaks nothing.
    late = f"{MODEL}:StandsLate"
    assert check(late, n=n).verdict == "HOLDS"
    policy = Policy(identifiers=tuple(range(1, n + 1)))
    [(_, least, _)] = message_counts(late, n, policy=policy)
    assert least == 3 * (n - 1) + (n - 1) * (n - 1)


def test_with_equal_identifiers_whoever_learns_takes_itself_for_the_leader() -> None:
    # 1 stands, is acknowledged, leads, and the other learns the identifier they share: 4 steps.
    found = check(MODEL, ids="1,1").property("at_most_one_leader")
    assert found.trace is not None
    assert found.trace.length == 4


def test_a_lost_message_leaves_everyone_undecided() -> None:
    assert check(MODEL, n=2, losses=1).property("everyone_decides").verdict == "violated"
