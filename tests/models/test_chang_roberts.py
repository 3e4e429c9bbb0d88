"""Chang and Roberts (handbook A1, A3) against three independent checkers, the TLA+ Examples, and the closed formulas."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import factorial
from pathlib import Path
from typing import Any

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts

RingState = tuple[tuple[bool, ...], tuple[int | None, ...], tuple[tuple[tuple[str, int], ...], ...]]

TLA = str(Path(__file__).parent / "protocols" / "tla_chang_roberts.py")

# Spin, Rumur and an independent program agree on these (one world per rotation class; any process may initiate).
PEERS = {
    ("fifo", 3): (56, 106),
    ("fifo", 4): (497, 1_252),
    ("fifo", 5): (6_002, 18_896),
    ("bag", 3): (93, 200),
    ("bag", 4): (1_030, 2_926),
    ("bag", 5): (15_457, 54_619),
}


@pytest.mark.parametrize(("network", "n"), PEERS)
def test_counts_are_those_of_spin_and_rumur(network: str, n: int) -> None:
    result = check("chang_roberts", n=n, network=network)
    assert result.verdict == "HOLDS"
    assert (result.states, result.transitions) == PEERS[network, n]
    assert result.terminal_states == factorial(n - 1)
    assert (result.worlds, result.represented) == (factorial(n - 1), factorial(n))


@pytest.mark.parametrize(("network", "n"), [("fifo", 3), ("fifo", 4), ("bag", 3), ("bag", 4)])
def test_without_symmetry_there_are_n_times_as_many(network: str, n: int) -> None:
    result = check("chang_roberts", n=n, network=network, symmetry=False)
    states, transitions = PEERS[network, n]
    assert (result.states, result.transitions) == (n * states, n * transitions)
    assert result.worlds == result.represented == factorial(n)


@pytest.mark.parametrize(("ids", "states", "generated"), [("1", 5, None), ("1,2", 25, 31), ("1,2,3", 137, 227)])
def test_the_tla_examples_model_has_the_counts_of_tlc(ids: str, states: int, generated: int | None) -> None:
    # Manifest of the TLA+ Examples repository: 137 distinct states, 227 generated (initial ones included), depth 10
    # (counted in states) at N=3; the same coding gives 25 and 31 at N=2, 5 at N=1.
    result = check(TLA, ids=ids)
    assert result.verdict == "HOLDS"
    assert result.states == states
    if generated is not None:
        assert result.transitions + 2 ** (ids.count(",") + 1) == generated
    if states == 137:
        assert result.depth + 1 == 10


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_messages_when_all_start_first(n: int) -> None:
    # Best 3n-1, worst n(n+1)/2 + n, mean n H_n + n over the arrangements (Garg 13.2.1 and Problem 13.2; handbook A1).
    counts = list(message_counts("chang_roberts", n, start="simultaneous"))
    if n <= 4:
        assert all(least == greatest for _, least, greatest in counts)  # the schedule makes no difference
    totals = [least for _, least, _ in counts]
    harmonic = sum(Fraction(1, k) for k in range(1, n + 1))
    assert min(totals) == (3 * n - 1 if n > 1 else 2)
    assert max(totals) == n * (n + 1) // 2 + n
    assert Fraction(sum(totals), len(totals)) == n * harmonic + n


def hops(ids: Sequence[Any]) -> int:
    """All messages of one arrangement, by hand: an identifier goes to the first larger one, or all the way round."""
    n = len(ids)
    return n + sum(next(h for h in range(1, n + 1) if h == n or ids[(i + h) % n] > ids[i]) for i in range(n))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_messages_are_those_of_the_hops_of_every_arrangement(n: int) -> None:
    for world, least, greatest in message_counts("chang_roberts", n, start="simultaneous"):
        assert least == greatest == hops(world.identifiers)


@pytest.mark.parametrize("n", [6, 7, 8])
def test_the_formulas_hold_of_the_hops_of_larger_rings_too(n: int) -> None:
    totals = [hops((1, *others)) for others in permutations(range(2, n + 1))]
    harmonic = sum(Fraction(1, k) for k in range(1, n + 1))
    assert min(totals) == 3 * n - 1
    assert max(totals) == n * (n + 1) // 2 + n
    assert Fraction(sum(totals), len(totals)) == n * harmonic + n


@pytest.mark.parametrize(("ids", "total"), [((1, 2, 3, 4, 5), 3 * 5 - 1), ((5, 4, 3, 2, 1), 5 * 6 // 2 + 5)])
def test_increasing_along_the_direction_of_sending_is_best_and_decreasing_worst(
    ids: tuple[int, ...], total: int
) -> None:
    # Garg's Figure 13.2, taken along the direction of sending; his figure and his program send in opposite ones.
    [(_, least, greatest)] = message_counts("chang_roberts", 5, start="simultaneous", policy=Policy(ids))
    assert least == greatest == total


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_most_messages_over_all_schedules_are_those_when_all_start_first(n: int) -> None:
    # Whoever passes on a larger identifier before it starts never starts, which saves messages and costs none.
    for world, _, greatest in message_counts("chang_roberts", n):
        assert greatest == hops(world.identifiers)


@pytest.mark.parametrize("model", ["chang_roberts", "chang_roberts:WokenStands"])
@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
def test_it_elects_either_extreme_whoever_starts(network: str, model: str) -> None:
    for elects, claim in (("max", "leader_is_the_maximum"), ("min", "leader_is_the_minimum")):
        result = check(model, n=[1, 2, 3], network=network, initiators="each", parameters={"elects": elects})
        assert result.verdict == "HOLDS"
        assert result.property(claim).verdict == "holds"


@pytest.mark.parametrize("n", [2, 3, 4])
def test_where_all_who_wake_up_stand_for_election_no_schedule_changes_the_total(n: int) -> None:
    # Every identifier is sent exactly once then, and goes to the first larger one, whenever that is.
    for world, least, greatest in message_counts("chang_roberts:WokenStands", n):
        assert least == greatest == hops(world.identifiers)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_fewest_messages_over_all_schedules_are_two_n(n: int) -> None:
    assert {least for _, least, _ in message_counts("chang_roberts", n)} == {2 * n}


@pytest.mark.parametrize("n", [2, 3])
def test_an_unguarded_start_can_make_two_leader_waves(n: int) -> None:
    # Catalogue L 1. n=2: start 1, 2 joins, start 2 again, both copies of 2 go round, two Leader messages: 7 steps.
    result = check("chang_roberts:StartUnguarded", n=n)
    assert result.exit_code == 12
    assert result.property("at_most_one_leader").verdict == "holds"
    wave = result.property("one_leader_wave")
    assert wave.verdict == "violated"
    assert wave.trace is not None
    if n == 2:
        assert wave.trace.length == 7


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_where_passing_on_wakes_nobody_the_maximum_is_elected_too(n: int) -> None:
    assert check("chang_roberts:RelayStaysAsleep", n=n).verdict == "HOLDS"


def test_where_passing_on_wakes_nobody_a_process_that_passed_on_the_winner_may_start_a_doomed_election() -> None:
    # Handbook A3: passing on wakes nobody, so more schedules, hence more states, than in the figure.
    figure, java = (check(model, n=3).states for model in ("chang_roberts", "chang_roberts:RelayStaysAsleep"))
    assert java > figure


@pytest.mark.parametrize("network", ["fifo", "bag"])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_where_passing_on_wakes_nobody_and_everyone_starts_once_there_is_a_total_that_no_schedule_changes(
    n: int, network: str
) -> None:
    # Handbook A3 [checked n<=4]. Passing on wakes nobody, so in the end everyone has started, at whatever time.
    for world, least, greatest in message_counts("chang_roberts:RelayStaysAsleep", n, network=network):
        assert least == greatest == hops(world.identifiers)


def test_the_java_program_as_printed_can_make_two_leader_waves_of_the_index_of_the_greatest() -> None:
    # Handbook A3: startElection is not guarded, so the run is that of the unguarded start, with LeaderAt(1) in place of
    # Leader(2): the greatest identifier is that of the process at place 1.
    result = check("chang_roberts:JavaAsPrinted", n=2)
    wave = result.property("one_leader_wave")
    assert wave.trace is not None
    assert wave.trace.length == 7
    assert "sends LeaderAt(1)" in str(result)
    assert [found.name for found in result.properties if found.verdict == "violated"] == ["one_leader_wave"]


@pytest.mark.parametrize(("ids", "states", "terminal"), [("1,1", 14, 3), ("2,2,1", 40, 3)])
def test_an_election_wakes_whoever_it_reaches_as_in_the_figure(ids: str, states: int, terminal: int) -> None:
    # Figure 13.1 sets awake after every Election, one that brings the own identifier as well, which only repeated identifiers show.
    # Counted with the figure written down literally, line by line, in figure() below.
    result = check("chang_roberts", ids=ids, symmetry=False)
    assert (result.states, result.terminal_states) == (states, terminal) == figure(tuple(map(int, ids.split(","))))


def test_equal_identifiers_elect_everyone_with_them() -> None:
    # Handbook C1: with all identifiers equal every process leads.
    result = check("chang_roberts", ids="1,1")
    assert result.property("at_most_one_leader").verdict == "violated"
    assert "identifiers 1,1" in result.broken[0]


def figure(ids: tuple[int, ...]) -> tuple[int, int]:
    """States and terminal states of Figure 13.1 with a guarded start on a one-way ring of fifo links, by a search of its own."""
    n = len(ids)
    start: RingState = ((False,) * n, (None,) * n, ((),) * n)
    seen, waiting, terminal = {start}, [start], 0
    while waiting:
        awake, leader, channels = waiting.pop()
        after: list[RingState] = []
        for i in range(n):
            sends, knows = [], leader[i]
            if awake[i] is False:
                after.append(moved(awake, leader, channels, i, [("election", ids[i])], knows, received=False))
            if not channels[i]:
                continue
            kind, j = channels[i][0]
            if kind == "leader":
                sends, knows = [("leader", j)] if j != ids[i] else [], j
            elif j > ids[i]:
                sends = [("election", j)]
            elif j == ids[i]:
                sends = [("leader", j)]
            elif not awake[i]:
                sends = [("election", ids[i])]
            after.append(moved(awake, leader, channels, i, sends, knows, received=True, wakes=kind == "election"))
        terminal += not after
        for state in after:
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return len(seen), terminal


def moved(
    awake: tuple[bool, ...], leader: tuple[int | None, ...], channels: Any, i: int, sends: Any, knows: int | None, *, received: bool,
    wakes: bool = True,
) -> RingState:  # fmt: skip
    """Process i has taken a step: it received the first message of its channel, and sends to the next process."""
    rest = [list(channel) for channel in channels]
    if received:
        rest[i].pop(0)
    rest[(i + 1) % len(rest)].extend(sends)
    return (
        tuple(a or (k == i and wakes) for k, a in enumerate(awake)),
        tuple(knows if k == i else one for k, one in enumerate(leader)),
        tuple(map(tuple, rest)),
    )
