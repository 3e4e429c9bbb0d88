"""Least and greatest expected rewards: games whose best and worst players are known, and every policy of random ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from modelcheck.chance import certifying, solving
from modelcheck.chance.decisions import Array, Decisions
from modelcheck.chance.solving import greatest, least, least_of_ending
from modelcheck.chance.values import INFINITE, Value
from tests.chance.games import Game, arrays, ends, policies, random_game, worth

END = 1
# One flips a fair coin for 1, and ends when it shows heads (2 flips are expected); or flips one that shows heads once in three times
# (3 flips); or pays 4 at once.
COINS: Game = [[(1, [(END, 1), (0, 1)]), (1, [(END, 1), (0, 2)]), (4, [(END, 1)])], []]


def exactly(value: int | Fraction) -> Value:
    return Value(Fraction(value), Fraction(value))


def test_the_best_player_takes_the_fair_coin_and_the_worst_pays_at_once() -> None:
    assert least_of_ending(*arrays(COINS)).of(0) == exactly(2)
    assert greatest(*arrays(COINS)).of(0) == exactly(4)


def test_where_paying_at_once_costs_little_the_worst_player_takes_the_unfair_coin() -> None:
    cheaper = [[*COINS[0][:2], (2, [(END, 1)])], []]
    assert greatest(*arrays(cheaper)).of(0) == exactly(3)


def test_a_player_who_may_go_round_for_ever_and_gets_something_gets_infinitely_much() -> None:
    game: Game = [[(0, [(1, 1)]), (0, [(2, 1)])], [(1, [(0, 1)])], []]
    assert greatest(*arrays(game)).of(0) == INFINITE
    assert least_of_ending(*arrays(game)).of(0) == exactly(0)


def test_a_player_who_may_go_round_for_nothing_gets_what_comes_after() -> None:
    game: Game = [[(0, [(1, 1)])], [(0, [(0, 1)]), (5, [(2, 1)])], []]
    assert greatest(*arrays(game)).of(0) == exactly(5)
    assert least_of_ending(*arrays(game)).of(0) == exactly(5)
    assert least(*arrays(game)).of(0) == exactly(0)


def test_the_end_that_is_not_sure_to_be_reached_costs_infinitely_much() -> None:
    trap, end = 1, 2
    game: Game = [[(1, [(trap, 1), (end, 1)])], [(0, [(trap, 1)])], []]
    assert least_of_ending(*arrays(game)).of(0) == INFINITE
    assert greatest(*arrays(game)).of(0) == exactly(1)


def test_the_probability_to_end_is_least_for_who_goes_for_the_trap() -> None:
    trap, stop, end = 1, 2, 3
    game: Game = [[(0, [(trap, 1), (stop, 2)]), (0, [(trap, 1), (stop, 3)])], [(0, [(trap, 1)])], [(1, [(end, 1)])], []]
    assert least(*arrays(game)).of(0) == exactly(Fraction(2, 3))
    assert greatest(*arrays(game)).of(0) == exactly(Fraction(3, 4))


def test_a_number_that_floating_point_does_not_hold_is_found() -> None:
    """From each of 40 states one goes on with probability 1/3 and back to the first with 2/3: 3 + 3^2 + ... + 3^40 steps are expected."""
    length = 40
    game: Game = [[(1, [(state + 1, 1), (0, 2)])] for state in range(length)]
    assert greatest(*arrays([*game, []])).of(0) == exactly(sum(3**k for k in range(1, length + 1)))


Question = Callable[[Decisions, Array], solving.StateValues]


def best(game: Game, wanted: Callable[..., Fraction], only_ending: bool) -> list[Fraction | None]:
    """Over all policies: None where all (the least), or some (the greatest), come to infinitely much."""
    sheets = [(worth(policy), ends(policy)) for policy in policies(game)]
    found: list[Fraction | None] = []
    for state in range(len(game) - 1):
        values = [values[state] for values, ending in sheets if ending[state] or not only_ending]
        finite = [value for value in values if value is not None]
        lacking = len(finite) < len(values) if wanted is max else not finite
        found.append(None if lacking else wanted(finite))
    return found


@pytest.mark.parametrize(
    ("question", "wanted", "only_ending"), [(greatest, max, False), (least, min, False), (least_of_ending, min, True)]
)
@pytest.mark.parametrize("seed", range(60))
def test_random_games_are_worth_what_the_best_of_all_policies_gets(
    question: Question, wanted: Callable[..., Fraction], only_ending: bool, seed: int
) -> None:
    game = random_game(random.Random(seed))
    values = question(*arrays(game))
    found = [values.of(state) for state in range(len(game) - 1)]
    assert [value.exact for value in found] == best(game, wanted, only_ending)


@pytest.mark.parametrize("question", [greatest, least, least_of_ending])
@pytest.mark.parametrize("seed", range(15))
def test_bounds_enclose_the_exact_value_closely(question: Question, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = random_game(random.Random(seed))
    exact = question(*arrays(game))
    monkeypatch.setattr(solving, "MOST_EXACT", 0)
    enclosed = question(*arrays(game))
    for state in range(len(game) - 1):
        value, bounds = exact.of(state), enclosed.of(state)
        assert value.infinite == bounds.infinite
        if value.exact is not None and bounds.low is not None and bounds.high is not None:
            assert bounds.low <= value.exact <= bounds.high
            assert bounds.high - bounds.low < Fraction(1, 10**6)


# --- proofs ------------------------------------------------------------------------------------------------------------

GOAL = np.array([False, True])
FAIR, UNFAIR, AT_ONCE = (np.array([row, -1]) for row in range(3))


@pytest.mark.parametrize(
    ("policy", "value", "denominator", "is_least", "is_greatest"),
    [
        (FAIR, 2, 1, True, False),
        (AT_ONCE, 4, 1, False, True),
        (UNFAIR, 3, 1, False, False),  # what this policy gets, which is neither
        (FAIR, 3, 2, False, False),  # less than anybody gets
        (AT_ONCE, 9, 2, False, False),  # more than anybody gets
        (FAIR, 4, 1, False, False),  # the greatest, and not what this policy gets
    ],
)
def test_a_proof_is_accepted_if_and_only_if_it_is_one(
    policy: Array, value: int, denominator: int, is_least: bool, is_greatest: bool
) -> None:
    decisions, reward = arrays(COINS)
    numerators = np.array([value, 0], object)
    given = (decisions, reward, policy, GOAL, numerators, denominator)
    assert certifying.is_value(*given, least=True) == is_least
    assert certifying.is_value(*given, least=False) == is_greatest


def test_a_policy_that_never_gets_there_proves_nothing() -> None:
    """Going round pays nothing, and the value 7 would solve its equation."""
    game: Game = [[(0, [(0, 1)]), (2, [(END, 1)])], []]
    decisions, reward = arrays(game)
    going_round, numerators = np.array([0, -1]), np.array([7, 0], object)
    assert not certifying.is_value(decisions, reward, going_round, GOAL, numerators, 1, least=False)


@pytest.mark.parametrize(
    ("low", "high", "least_lies_there", "greatest_lies_there"),
    [(1, 3, True, False), (3, 5, False, True), (2, 4, True, True), (0, 1, False, False), (5, 6, False, False)],
)
def test_bounds_are_accepted_only_with_a_proof(
    low: int, high: int, least_lies_there: bool, greatest_lies_there: bool
) -> None:
    """The least is 2 and the greatest 4."""
    decisions, reward = arrays(COINS)
    sides = np.array([low, 0], object), np.array([high, 0], object)
    assert certifying.is_enclosed(decisions, reward, FAIR, GOAL, *sides, 1, least=True) == least_lies_there
    assert certifying.is_enclosed(decisions, reward, AT_ONCE, GOAL, *sides, 1, least=False) == greatest_lies_there


@pytest.mark.parametrize("policy", [FAIR, UNFAIR])
def test_bounds_on_what_one_policy_gets_are_none_on_what_others_do(policy: Array) -> None:
    """The fair coin comes to 2, the unfair one to 3, and both to between 1 and 7/2; paying at once is 4."""
    decisions, reward = arrays(COINS)
    low, high = np.array([2, 0], object), np.array([7, 0], object)
    assert not certifying.is_enclosed(decisions, reward, policy, GOAL, low, high, 2, least=False)


def test_a_lower_bound_on_what_one_policy_gets_is_none_on_the_least() -> None:
    """The unfair coin comes to 3, which lies between 5/2 and 4, and the least is 2."""
    decisions, reward = arrays(COINS)
    low, high = np.array([5, 0], object), np.array([8, 0], object)
    assert not certifying.is_enclosed(decisions, reward, UNFAIR, GOAL, low, high, 2, least=True)


def test_numbers_too_large_for_64_bits_are_compared_exactly() -> None:
    decisions, reward = arrays(COINS)
    large = 10**40
    right, wrong = np.array([2 * large, 0], object), np.array([2 * large + 1, 0], object)
    assert certifying.is_value(decisions, reward, FAIR, GOAL, right, large, least=True)
    assert not certifying.is_value(decisions, reward, FAIR, GOAL, wrong, large, least=True)
