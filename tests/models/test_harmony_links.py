"""The Harmony chapter with links in place of addresses (handbook A12, parameters)."""

from math import comb

import pytest

from modelcheck import check


@pytest.mark.parametrize(("nids", "states", "transitions"), [(2, 16, 24), (3, 74, 180), (4, 502, 1_873)])
def test_counts_are_those_of_rumur_for_the_shared_set(nids: int, states: int, transitions: int) -> None:
    # With different identifiers a sticky link is the part of the shared set that is addressed to its end; the numbers are
    # those of Rumur on a Murphi model of the shared set (see the tests of harmony_leader).
    results = {n: check("harmony_links", n=n) for n in range(1, nids + 1)}
    assert all(result.verdict == "HOLDS" for result in results.values())
    assert sum(comb(nids, n) * result.states for n, result in results.items()) == states
    assert sum(comb(nids, n) * result.transitions for n, result in results.items()) == transitions


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_bag_is_the_shared_set_with_messages_taken_out(n: int) -> None:
    links = check("harmony_links", n=n, network="bag")
    shared = check("harmony_leader:TakesOut", n=n)
    assert (links.states, links.transitions) == (shared.states, shared.transitions)


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
def test_on_other_networks_only_messages_are_left_over(network: str) -> None:
    # One process: it sends its identifier, gets it back, announces itself, and answers that with another announcement.
    result = check("harmony_links", n=[1, 2, 3, 4], network=network)
    assert [p.name for p in result.properties if p.verdict == "violated"] == ["nothing_in_transit"]
    trace = result.property("nothing_in_transit").trace
    assert trace is not None
    assert [step.step for step in trace.steps] == ["send_identifier", "react", "react"]


@pytest.mark.parametrize("network", ["sticky", "fifo"])
def test_exercise_25_1_nobody_takes_its_own_message_so_the_assertion_fails_a_step_later(network: str) -> None:
    # 1,1,2: both 1 send, and the second receives the first one's; addressed by identifier the sender itself can (2 steps).
    result = check("harmony_links", ids="1,1,2", network=network)
    assert result.exit_code == 14
    trace = result.property("assertions").trace
    assert trace is not None
    assert [step.step for step in trace.steps] == ["send_identifier", "send_identifier", "react"]


@pytest.mark.parametrize(("ids", "length"), [("2,2", 4), ("2,1,2", 6)])
def test_exercise_25_1_a_repeated_largest_identifier_elects_two_and_no_assertion_notices(ids: str, length: int) -> None:
    # All send; each 2 receives the other's, which in 2,1,2 the process between them passes on first.
    result = check("harmony_links", ids=ids)
    assert result.property("assertions").verdict == "holds"
    assert result.property("all_stop").verdict == "holds"
    trace = result.property("at_most_one_leader").trace
    assert trace is not None
    assert trace.length == length
