"""The PRISM case studies of Itai and Rodeh's elections, coded as PRISM codes them: the same states, transitions and expectations.

The counts are those in the logs of the PRISM benchmark suite (leader_sync) and in the tests of Storm and the published tables
(leader_async); handbook K1, K2. PRISM counts the self-loops of final states as transitions.
"""

from fractions import Fraction
from pathlib import Path

import pytest

from modelcheck import check
from modelcheck.semantics.system import Transition

from .expectation import expected

FOLDER = Path(__file__).parent / "protocols"
SYNC, ASYNC = str(FOLDER / "prism_leader_sync.py"), str(FOLDER / "prism_leader_async.py")

LEADER_SYNC = {
    (3, 2): (26, 33),
    (3, 3): (69, 95),
    (3, 4): (147, 210),
    (4, 2): (61, 76),
    (4, 3): (274, 354),
    (4, 4): (812, 1_067),
    (5, 2): (141, 172),
    (5, 3): (1_050, 1_292),
}
LEADER_ASYNC = {3: (364, 654)}


@pytest.mark.parametrize(("n", "numbers"), LEADER_SYNC)
def test_leader_sync_in_lock_step_has_the_counts_of_prism(n: int, numbers: int) -> None:
    result = check(SYNC, n=n, schedule="lockstep", parameters={"K": numbers}, property="assertions")
    assert (result.states, result.transitions + result.terminal_states) == LEADER_SYNC[n, numbers]


@pytest.mark.parametrize("n", LEADER_ASYNC)
def test_leader_async_has_the_counts_of_prism(n: int) -> None:
    result = check(ASYNC, n=n, property="assertions")
    assert (result.states, result.transitions + result.terminal_states) == LEADER_ASYNC[n]


def draws(transition: Transition) -> int:
    """Whether this is the round in which all draw."""
    return int(any(choice.random for choice in transition.outcome.choices))


def counter_of_the_first(transition: Transition) -> int:
    """A counter's hop from process 1 to process 2: PRISM counts these."""
    return int(transition.process == 0 and transition.outcome.step == "send_counter")


@pytest.mark.parametrize(
    ("n", "numbers", "rounds"), [(3, 2, Fraction(4, 3)), (3, 4, Fraction(16, 15)), (4, 3, Fraction(27, 20))]
)
def test_expected_rounds_of_leader_sync(n: int, numbers: int, rounds: Fraction) -> None:
    assert expected(SYNC, n, cost=draws, schedule="lockstep", K=numbers) == rounds


def test_expected_rounds_of_leader_async_are_10_thirds_under_every_scheduler() -> None:
    assert expected(ASYNC, 3, cost=counter_of_the_first) == Fraction(10, 3)
