"""Gossip by pushing: with probability 1 all hear, and exactly how soon."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from modelcheck import check, expect
from modelcheck.errors import UsageError
from modelcheck.explore.limits import Limits


def informed_next(n: int, informed: int) -> dict[int, Fraction]:
    """Of so many informed processes of a complete graph each tells one of the others: how many are informed then, and how probably."""
    found: dict[int, Fraction] = {}
    others = [[q for q in range(n) if q != p] for p in range(informed)]
    for told in product(*others):
        count = len({*range(informed), *told})
        found[count] = found.get(count, Fraction(0)) + Fraction(1, (n - 1) ** informed)
    return found


def rounds(n: int, informed: int = 1) -> Fraction:
    """The expected number of rounds until all are informed."""
    if informed == n:
        return Fraction(0)
    follows = informed_next(n, informed)
    further = sum((p * rounds(n, count) for count, p in follows.items() if count > informed), Fraction(1))
    return further / (1 - follows.get(informed, Fraction(0)))


def expected(name: str, what: str, **asked: Any) -> Fraction:
    """A quantity that is the same whoever schedules, and in every world."""
    [size] = expect(name, **asked).sizes
    spread = size.over(what)
    assert spread.exact
    assert spread.least.exact == spread.greatest.exact
    assert spread.least.exact is not None
    return spread.least.exact


@pytest.mark.parametrize("n", [2, 3])
def test_the_expected_number_of_rounds(n: int) -> None:
    # A round here begins with receiving, so that what is pushed in r of them is heard in r + 1.
    assert expected("gossip", "steps", n=n, until="all_know_the_greatest") == rounds(n) + 1
    assert expected("gossip", "messages", n=n, until="all_know_the_greatest") == n * (rounds(n) + 1)


@pytest.mark.parametrize("allowed", [1, 2, 3])
def test_how_probably_so_many_rounds_are_enough(allowed: int) -> None:
    # Of three, one is told in the first round, and the third in a later one unless both others tell each other.
    found = expected("gossip:Decides", "ends well", n=3, set={"rounds": allowed})
    assert found == 1 - Fraction(1, 4) ** (allowed - 1)


@pytest.mark.parametrize("graph", ["complete", "line", "star"])
def test_all_hear_with_probability_1(graph: str) -> None:
    assert check("gossip", n=3, graph=graph).property("all_know_the_greatest").verdict == "holds"


def test_all_hear_without_rounds() -> None:
    result = check("gossip", n=3, schedule="any", network="newest")
    assert result.property("all_know_the_greatest").verdict == "holds"


def test_where_links_fill_without_end_it_is_said_which_do_not() -> None:
    result = check("gossip", n=2, schedule="any", limits=Limits(max_states=20_000))
    assert result.verdict == "INCONCLUSIVE"
    assert "--network newest" in result.growth


def test_runs_cannot_go_on_until_what_is_said_of_whole_runs() -> None:
    with pytest.raises(UsageError, match=r"claimed 'eventually always'.*@eventually"):
        expect("chord", until="the_ring_is_ideal")
