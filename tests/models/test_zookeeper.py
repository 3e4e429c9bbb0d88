"""ZooKeeper's recipe for leader election. Without faults a client's election is to join, create, note, list, look: 5 steps."""

import pytest

from modelcheck import check

from .counting import message_counts


@pytest.mark.parametrize(
    ("n", "crashes"), [(1, 0), (2, 1), (3, 1), (3, 2), pytest.param(4, 1, marks=pytest.mark.thorough)]
)
def test_one_client_leads(n: int, crashes: int) -> None:
    assert check("zookeeper", n=n, crashes=crashes).verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("zookeeper", n=3, crashes=1, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_messages_without_crashes(n: int) -> None:
    # Two requests and two answers each, and a Watch of each but the first.
    [(_, least, greatest)] = message_counts("zookeeper", n)
    assert least == greatest == 4 * (n - 1) + (n - 2)


@pytest.mark.thorough
def test_who_leads_at_the_first_deletion_may_lead_beside_another() -> None:
    # One leads, 5 steps; the second has its node, 2; the third looks and watches that, 6; the second crashes, its node is deleted,
    # and the third is told.
    trace = check("zookeeper:LooksOnce", n=4, crashes=1).property("at_most_one_leads").trace
    assert trace is not None
    assert trace.length == 5 + 2 + 6 + 3


def test_a_watch_on_a_node_that_is_gone_must_be_answered() -> None:
    # The first has its node, 2 steps, and crashes; the second looks, and watches after the deletion.
    trace = check("zookeeper:WatchesTheGone", n=3, crashes=1).property("one_leads").trace
    assert trace is not None
    assert trace.length == 2 + 1 + 5 + 1 + 1


def test_a_leader_that_is_declared_dead_leads_beside_its_successor() -> None:
    # One leads; it is suspected, and its node deleted; the other leads.
    trace = check("zookeeper", n=3, detector="unreliable:1").property("at_most_one_leads").trace
    assert trace is not None
    assert trace.length == 5 + 2 + 5


def test_watching_the_smallest_node_is_correct_too() -> None:
    assert check("zookeeper:Herd", n=3, crashes=1).verdict == "HOLDS"
