"""The Harmony chapter (handbook A12), with exercises 25.1 and 25.2."""

from math import comb

import pytest

from modelcheck import check


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_printed_program_is_correct(n: int) -> None:
    # Figure 25.1 with NIDS=5: no violation, no deadlock [checked]; n=5 takes longer and is in the benchmarks.
    assert check("harmony_leader", n=n).verdict == "HOLDS"


@pytest.mark.parametrize(("nids", "states", "transitions"), [(2, 16, 24), (3, 74, 180), (4, 502, 1_873)])
def test_counts_are_those_of_rumur(nids: int, states: int, transitions: int) -> None:
    # Rumur, on a Murphi model written independently: rings of any size on identifiers out of 1..NIDS, one world for each
    # cyclic order. Here the worlds of one order type are explored once, so each size counts comb(NIDS, n) times.
    results = {n: check("harmony_leader", n=n) for n in range(1, nids + 1)}
    assert sum(comb(nids, n) * result.states for n, result in results.items()) == states
    assert sum(comb(nids, n) * result.transitions for n, result in results.items()) == transitions


@pytest.mark.parametrize("n", [1, 2, 3])
def test_messages_may_as_well_be_taken_out_of_the_network(n: int) -> None:
    # Handbook A12, parameters: sticky or consumed.
    assert check("harmony_leader:TakesOut", n=n).verdict == "HOLDS"


def test_exercise_25_2_deadlocks_with_consumed_messages_too() -> None:
    # Both load, 2 stores, 1 stores over it; and 2 takes the smaller identifier out of the network in vain.
    result = check("harmony_leader:SendsInTwoTakesOut", n=2)
    trace = result.property("all_stop").trace
    assert trace is not None
    assert [step.step for step in trace.steps] == ["send_identifier"] * 4 + ["react"]


def test_exercise_25_1_with_consumed_messages_two_leaders_may_leave_somebody_waiting() -> None:
    # 2,1,2: what is sent to "2" either of them may take.
    result = check("harmony_leader:TakesOut", ids="2,1,2")
    assert result.property("at_most_one_leader").verdict == "violated"
    assert result.property("all_stop").verdict == "violated"
    assert check("harmony_leader", ids="2,1,2").property("all_stop").verdict == "holds"


def test_exercise_25_1_a_repeated_smaller_identifier_breaks_the_assertion_in_two_steps() -> None:
    result = check("harmony_leader", ids="1,1,2")
    assert result.exit_code == 14
    trace = result.property("assertions").trace
    assert trace is not None
    assert trace.length == 2
    assert [step.step for step in trace.steps] == ["send_identifier", "react"]


def test_exercise_25_1_is_the_smallest_instance() -> None:
    assert check("harmony_leader", n=[1, 2], ids="any").property("assertions").verdict == "holds"
    smallest = check("harmony_leader", n=3, ids="any").property("assertions").trace
    assert smallest is not None
    assert (smallest.world.identifiers, smallest.length) == ((1, 1, 2), 2)


@pytest.mark.parametrize("ids", ["2,2", "2,1,2"])
def test_exercise_25_1_a_repeated_largest_identifier_elects_two_and_no_assertion_notices(ids: str) -> None:
    result = check("harmony_leader", ids=ids)
    assert result.property("assertions").verdict == "holds"
    assert result.property("at_most_one_leader").verdict == "violated"
    assert result.property("all_stop").verdict == "holds"  # the program ends normally


def test_exercise_25_2_a_send_that_is_not_atomic_deadlocks_in_four_steps() -> None:
    result = check("harmony_leader:SendsInTwo", n=2)
    assert result.exit_code == 11
    assert result.property("assertions").verdict == "holds"
    trace = result.property("all_stop").trace
    assert trace is not None
    assert trace.length == 4
    assert {step.step for step in trace.steps} == {"send_identifier"}
    assert {s.process for s in trace.steps[:2]} == {s.process for s in trace.steps[2:]}  # both load, then both store
