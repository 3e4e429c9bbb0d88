"""Modified Ring (handbook D5; Effatparvar et al., section 3)."""

from fractions import Fraction
from pathlib import Path

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy, World

from .counting import message_counts

MODEL = "ring_modified"
STOPS = [MODEL, "ring_modified:InitiatorAnnounces"]
SWALLOWING = ["ring_modified:Swallowing", str(Path(__file__).parent / "protocols" / "ring_modified_both.py")]


@pytest.mark.parametrize("model", STOPS + SWALLOWING)
@pytest.mark.parametrize("network", ["fifo", "bag"])
def test_it_elects_the_maximum(model: str, network: str) -> None:
    assert check(model, n=[1, 2, 3], network=network).verdict == "HOLDS"


@pytest.mark.parametrize("model", STOPS)
def test_two_of_four_detect(model: str) -> None:
    assert check(model, n=4, initiators="size:2").verdict == "HOLDS"


def test_on_a_complete_graph_it_is_the_same_ring() -> None:
    ring, complete = check(MODEL, n=3), check(MODEL, n=3, graph="complete")
    assert complete.verdict == "HOLDS"
    assert (complete.worlds, complete.states, complete.transitions) == (ring.worlds, ring.states, ring.transitions)


def distance_to_the_greatest(world: World) -> int:
    [detector] = world.initiators
    return (world.identifiers.index(world.n) - detector) % world.n


@pytest.mark.parametrize("models", [STOPS, SWALLOWING])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_messages_of_one_detector(n: int, models: list[str]) -> None:
    # Handbook D5: (a+d) + a if the greatest announces, a + a if the initiator does [checked n<=4]; swallowing changes nothing.
    greatest_announces, initiator_announces = models
    for world, least, greatest in message_counts(greatest_announces, n, policy=Policy(initiators=(1,))):
        assert least == greatest == 2 * n + distance_to_the_greatest(world)
    for _, least, greatest in message_counts(initiator_announces, n, policy=Policy(initiators=(1,))):
        assert least == greatest == 2 * n


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_messages_when_all_detect(n: int) -> None:
    # Without memory each of n messages costs (n + d) + n, with d = 0, 1, ..., n-1.
    for _, least, greatest in message_counts(MODEL, n, start="simultaneous"):
        assert least == greatest == 2 * n**2 + n * (n - 1) // 2


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_swallowing_makes_it_as_cheap_as_chang_and_roberts(n: int) -> None:
    # Equation (4) prints the sum of 0, ..., n as n(n-1)/2; it is n(n+1)/2, and just the worst case of the Election
    # messages.
    counts = list(message_counts("ring_modified:Swallowing", n, start="simultaneous"))
    totals = [least for _, least, _ in counts]
    assert totals == [greatest for *_, greatest in counts]
    assert min(totals) == 3 * n - 1
    assert max(totals) == n * (n + 1) // 2 + n
    assert Fraction(sum(totals), len(totals)) == n * sum(Fraction(1, k) for k in range(1, n + 1)) + n


def test_read_to_the_letter_an_election_that_the_greatest_did_not_start_never_ends() -> None:
    # Catalogue L 15, n=2: 1 detects, 2 puts itself in, then Election(2) goes round and round: 2 steps, a loop of 2.
    trace = check("ring_modified:ToTheLetter", ids=(1, 2), initiators=(1,)).property("termination").trace
    assert trace is not None
    assert (trace.length, trace.loop) == (4, 2)
    assert [step.step for step in trace.steps] == ["detect", "replace", "replace", "replace"]
    assert check("ring_modified:ToTheLetter", n=2).exit_code == 13


def test_read_to_the_letter_with_a_memory_it_ends_without_a_leader() -> None:
    # Handbook D5: no leader, n=2, 4 steps: detect, 2 puts itself in, 1 passes it on, 2 drops it.
    found = check("ring_modified:SwallowingToTheLetter", ids=(1, 2), initiators=(1,)).property("everyone_decides")
    assert found.trace is not None
    assert found.trace.length == 4


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_read_to_the_letter_it_works_where_the_greatest_starts_alone(n: int) -> None:
    # Handbook D5: 2a messages for d = 0.
    ids = tuple(range(1, n + 1))
    assert check("ring_modified:ToTheLetter", ids=ids, initiators=(n,)).verdict == "HOLDS"
    policy = Policy(identifiers=ids, initiators=(n,))
    [(_, least, greatest)] = message_counts("ring_modified:ToTheLetter", n, policy=policy)
    assert least == greatest == 2 * n


@pytest.mark.parametrize("model", STOPS)
def test_if_the_one_that_stops_it_crashes_the_message_goes_round_for_ever(model: str) -> None:
    # Handbook D5: "the maximum crashing after inserting its id". 3 detects, 1 passes on, 3 crashes, 1 and 2 are told;
    # then the message goes between 1 and 2.
    result = check(model, ids=(1, 2, 3), graph="complete", initiators=(3,), crashes=1)
    trace = result.property("termination").trace
    assert trace is not None
    assert (trace.length, trace.loop) == (7, 5)


def test_a_memory_does_not_stop_an_announcement_whose_sender_crashed() -> None:
    # 3 detects, the message goes round (3 steps), 1 learns, 3 crashes, 1 and 2 are told, 2 learns, then 1 and 2 again
    # and again.
    result = check("ring_modified:Swallowing", ids=(1, 2, 3), graph="complete", initiators=(3,), crashes=1)
    trace = result.property("termination").trace
    assert trace is not None
    assert (trace.length, trace.loop) == (11, 9)
    assert [step.step for step in trace.steps[-2:]] == ["learn", "learn"]


def test_a_crash_may_also_lose_the_election() -> None:
    # The only detector crashes before it begins, and the two others are told.
    result = check(MODEL, ids=(1, 2, 3), graph="complete", initiators=(1,), crashes=1)
    found = result.property("everyone_decides")
    assert found.trace is not None
    assert found.trace.length == 3
