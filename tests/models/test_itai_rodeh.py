"""Itai and Rodeh with hop counters (handbook C5)."""

import pytest

from modelcheck import Limits, check


@pytest.mark.parametrize("n", [2, 3, 4])
def test_there_is_exactly_one_leader_at_the_end_and_never_two(n: int) -> None:
    # Without round numbers on fifo, draws from {1,2}: finite, safe, every terminal state has one leader [checked n<=4].
    result = check("itai_rodeh", n=n)
    assert result.verdict == "HOLDS"
    assert result.unreduced.terminal_states == n  # each process can win, and nothing else is left over
    assert result.terminal_states == 1  # all of these are rotations of one another


@pytest.mark.parametrize("n", [2, 3, 4])
def test_it_terminates_with_probability_one_only(n: int) -> None:
    termination = check("itai_rodeh", n=n).property("termination")
    assert (termination.verdict, termination.note) == ("holds", "with probability 1")
    assert termination.trace is not None
    assert termination.trace.loop is not None
    assert all(step.choices for step in termination.trace.steps if step.step == "start")


def test_a_single_process_terminates_surely() -> None:
    assert check("itai_rodeh", n=1).property("termination").note == ""


def test_drawing_from_one_value_only_never_ends() -> None:
    # Then the draw decides nothing: the protocol is deterministic and anonymous (Angluin 1980), n >= 2.
    result = check("itai_rodeh", n=2, parameters={"draws": 1})
    assert result.exit_code == 13


@pytest.mark.parametrize("model", ["itai_rodeh", "itai_rodeh:RoundsModulo2"])
def test_more_values_and_round_parities_stay_safe(model: str) -> None:
    assert check(model, n=3, parameters={"draws": 3}).verdict == "HOLDS"


def test_unbounded_rounds_have_no_end_and_the_report_says_which_field_grows() -> None:
    result = check("itai_rodeh:UnboundedRounds", n=2, limits=Limits(max_states=2_000))
    assert result.exit_code == 20
    assert "`round`" in result.growth


@pytest.mark.parametrize("network", ["bag"])
def test_on_a_bag_two_processes_stay_finite_and_safe(network: str) -> None:
    # Handbook C5: on a bag n=2 stays finite and safe.
    result = check("itai_rodeh", n=2, network=network)
    assert result.property("at_most_one_leader").verdict == "holds"


def test_taking_the_ring_for_smaller_than_it_is_elects_two() -> None:
    # With n=2 taken for 1, each takes the other's first message for its own.
    result = check("itai_rodeh:KnowsOneTooFew", n=2)
    assert result.property("at_most_one_leader").verdict == "violated"


def test_taking_the_ring_for_larger_than_it_is_never_ends() -> None:
    # A token passes its origin unrecognised and its hops count on for ever.
    result = check("itai_rodeh:KnowsOneTooMany", n=2, limits=Limits(max_states=2_000))
    assert result.verdict == "INCONCLUSIVE"
    assert "`hops` of Token" in result.growth


@pytest.mark.parametrize(("n", "draws"), [(2, 3), (3, 3), (3, 4)])
def test_whoever_leads_has_drawn_more_than_the_least(n: int, draws: int) -> None:
    # The others became passive by a greater draw than theirs; each of n processes with each of the draws 2 to K.
    assert check("itai_rodeh", n=n, parameters={"draws": draws}).unreduced.terminal_states == n * (draws - 1)


@pytest.mark.parametrize("n", [2, 3])
def test_on_fifo_links_the_parity_of_rounds_does_no_harm(n: int) -> None:
    result = check("itai_rodeh:RoundsModulo2", n=n)
    assert result.verdict == "HOLDS"
    assert result.unreduced.terminal_states == 2 * n  # each can win, in an odd round or an even one


def test_on_a_bag_the_parity_of_rounds_makes_two_purge_each_other() -> None:
    # n=2. 2 starts with 1, 4 hops of tokens that tie: round 1, again with 1, 2 hops. p1 gets its own back and draws 2 in round
    # 2, which is 0: p2, in round 1, purges that before it has its own back, draws 1, and p1 purges this: 12 steps, both wait.
    result = check("itai_rodeh:RoundsModulo2", n=2, network="bag")
    ending = result.property("everyone_decides")
    assert ending.verdict == "violated"
    assert ending.trace is not None
    assert ending.trace.length == 12
    assert check("itai_rodeh", n=2, network="bag").verdict == "HOLDS"  # without any numbers it is right


def test_taking_a_ring_of_three_for_two() -> None:
    # Draws 1 2 2: p3's token makes p1 passive, and p2 takes it for its own and leads; p2's ties at p3, goes by p1 and ends at
    # the leader. p3 waits for ever: 3 starts, and 1 + 2 + 3 hops.
    result = check("itai_rodeh:KnowsOneTooFew", n=3)
    assert result.property("at_most_one_leader").verdict == "holds"
    ending = result.property("everyone_decides")
    assert ending.trace is not None
    assert ending.trace.length == 9


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_in_lock_step_it_elects_too(n: int) -> None:
    result = check("itai_rodeh", n=n, schedule="lockstep")
    assert result.verdict == "HOLDS"
    assert result.unreduced.terminal_states == n
