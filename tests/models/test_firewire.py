"""IEEE 1394 tree identify, with root contention."""

from fractions import Fraction

import pytest

from modelcheck import check
from modelcheck.semantics.system import Transition

from .expectation import expected

SAFE = ["at_most_one_leader", "everyone_decides", "nothing_in_transit", "decisions_are_final"]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_in_lock_step_one_root_is_found_with_probability_1(n: int) -> None:
    result = check("firewire", n=n, schedule="lockstep")
    assert result.verdict == "HOLDS"


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_whatever_the_timing_there_is_never_more_than_one_root(n: int) -> None:
    result = check("firewire", n=n)
    assert {result.property(name).verdict for name in SAFE} == {"holds"}


def test_without_time_a_schedule_keeps_the_contention_up() -> None:
    # Both ask, both draw the short wait, both wait: 6 steps, and all is as before.
    trace = check("firewire", n=2).property("termination").trace
    assert trace is not None
    assert trace.length == 6


def test_both_engines_agree() -> None:
    reference, compiled = (check("firewire", n=3, engine=engine) for engine in ("reference", "compiled"))
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)
    assert reference.verdict == compiled.verdict


def draws(transition: Transition) -> int:
    return int(any(choice.random for choice in transition.outcome.choices))


def test_two_draws_decide_a_contention_on_average() -> None:
    # Both draw, and it is decided if their bits differ: a geometric number of rounds with mean 1 / (1/2).
    assert expected("firewire", 2, cost=draws, schedule="lockstep") == Fraction(2)
