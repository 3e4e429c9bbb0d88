"""What is to be expected of protocols: tiny ones reckoned by hand, and those of the models by another computation."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from modelcheck import Limits, UsageError, check
from modelcheck.chance import solving
from modelcheck.chance.expecting import expect
from modelcheck.chance.result import ExpectResult
from modelcheck.check.counting import count_messages
from tests.models import expectation

Write = Callable[..., str]
Pair = tuple[Fraction | None, Fraction | None]
ALWAYS = (Fraction(1), Fraction(1))


def both(number: int | Fraction) -> Pair:
    return Fraction(number), Fraction(number)


def extremes(result: ExpectResult, name: str) -> Pair:
    """The least and the greatest, exactly; None for infinite."""
    assert result.search.verdict == "HOLDS", result.search.error
    (size,) = result.sizes
    spread = size.over(name)
    assert spread.exact
    return spread.least.exact, spread.greatest.exact


# --- reckoned by hand --------------------------------------------------------------------------------------------------

UNFAIR_COIN = """
class Flips(Process):
    topology = one_way_ring
    identifiers = "none"
    done: bool = False
    @step
    def flip(self):
        self.require(not self.done)
        self.done = self.draw((True, False), (1, 3))
"""


def test_a_coin_that_shows_heads_once_in_four_times_is_flipped_four_times(write: Write) -> None:
    result = expect(write(UNFAIR_COIN), n=1)
    assert extremes(result, "steps") == both(4)
    assert extremes(result, "ends") == ALWAYS


def test_a_run_tells_each_draw_with_its_probability(write: Write) -> None:
    never = '@always\ndef never_heads(view: View) -> Verdict:\n    "Never."\n    return not any(p.done for p in view.processes)\n'
    (found,) = [one for one in check(write(UNFAIR_COIN + never), n=1).properties if one.verdict == "violated"]
    assert found.trace is not None
    assert [step.decided for step in found.trace.steps] == [(("draws", ("True (1/4)",)),)]


def test_in_lock_step_a_round_in_which_all_are_unlucky_counts(write: Write) -> None:
    """Of two fair coins the later one shows heads after 8/3 rounds: 1 + 1/4 E + 1/2 * 2 = E. One after the other it is 2 + 2 steps."""
    model = write(UNFAIR_COIN.replace("(1, 3)", "(1, 1)"))
    assert extremes(expect(model, n=2, schedule="lockstep"), "steps") == both(Fraction(8, 3))
    assert extremes(expect(model, n=2), "steps") == both(4)


GUESS = """
class Guess(Process):
    topology = one_way_ring
    identifiers = "none"
    side: int = -1
    guess: int = -1
    FIRST
    @step
    def flip(self):
        self.require(self.side < 0 and READY)
        self.side = self.draw((0, 1))
    @step
    def tell(self):
        self.require(self.guess < 0 and KNOWING)
        self.guess = self.choose((0, 1))
@at_the_end
def the_guess_is_right(view: View) -> Verdict:
    "The guess is right."
    return all(p.guess == p.side for p in view.processes)
"""


@pytest.mark.parametrize(
    ("ready", "knowing", "well"),
    [
        ("self.guess >= 0", "True", (Fraction(1, 2), Fraction(1, 2))),  # who must guess before the draw has no say
        ("True", "self.side >= 0", (Fraction(0), Fraction(1))),  # who may look at it has all
        ("True", "True", (Fraction(0), Fraction(1))),  # who may choose to look does
    ],
)
def test_a_scheduler_knows_what_was_drawn_and_not_what_will_be(
    ready: str, knowing: str, well: Pair, write: Write
) -> None:
    text = GUESS.replace("READY", ready).replace("KNOWING", knowing).replace("FIRST", "")
    result = expect(write(text), n=1)
    assert extremes(result, "ends") == ALWAYS
    assert extremes(result, "ends well") == well


LETTERS = """
class Letter(Message):
    pass
class Letters(Process):
    topology = one_way_ring
    identifiers = "none"
    begun: bool = False
    @initiate
    def write(self):
        self.require(not self.begun)
        self.begun = True
        for _ in range(self.draw((0, 3), (1, 2))):
            self.send(NEXT, Letter())
    @receive(Letter)
    def read(self, letter):
        pass
"""


@pytest.mark.parametrize("start", ["any", "simultaneous"])
@pytest.mark.parametrize("n", [1, 2])
def test_draws_of_starting_steps_have_their_weights(start: str, n: int, write: Write) -> None:
    """Each writes 2/3 * 3 letters."""
    assert extremes(expect(write(LETTERS), n=n, start=start), "messages of Letter") == both(2 * n)


def test_the_number_of_messages_is_distributed_as_the_draws_are(write: Write) -> None:
    """Of two processes both write nothing with probability 1/9, and one of them with 4/9."""
    (size,) = expect(write(LETTERS), n=2).sizes
    assert size.distribution is not None
    assert size.distribution.least == pytest.approx([1 / 9] * 3 + [5 / 9] * 3 + [1])
    assert size.distribution.greatest == pytest.approx(size.distribution.least)


def test_what_initially_chooses_is_the_schedulers(write: Write) -> None:
    text = LETTERS.replace(
        "begun: bool = False", "begun: bool\n    def initially(self):\n        self.begun = self.choose((True, False))"
    )
    assert extremes(expect(write(text), n=1), "messages") == (0, 2)


FOR_EVER = """
class Coin(Message):
    pass
class Coins(Process):
    topology = one_way_ring
    identifiers = "none"
    up: bool = False
    done: bool = False
    @step
    def flip(self):
        self.require(not self.done)
        if self.choose(("fair", "never")) == "fair":
            self.done = self.draw((True, False))
        self.up = not self.up
        self.send(NEXT, Coin())
    @receive(Coin)
    def take(self, coin):
        self.require(self.done)
"""


def test_who_may_keep_a_run_going_makes_the_greatest_number_infinite_and_the_run_is_shown(write: Write) -> None:
    """The least is that of the fair coin: 2 flips. Links that merge equal messages keep the states few."""
    result = expect(write(FOR_EVER), n=1, network="set")
    assert extremes(result, "messages") == (2, None)
    assert extremes(result, "ends") == (0, 1)
    shown = result.traces[1, "messages"]
    assert shown.loop is not None
    assert any(step.sent for step in shown.steps[shown.loop :])


def test_a_step_that_sends_and_changes_nothing_may_be_taken_for_ever(write: Write) -> None:
    """It is no step, so the run ends; yet it sends."""
    result = expect(
        write("""
        class Shout(Message):
            pass
        class Shouts(Process):
            topology = one_way_ring
            identifiers = "none"
            heard: bool = False
            @step
            def shout(self):
                self.require(not self.heard)
                self.send(NEXT, Shout())
            @receive(Shout)
            def hear(self, message):
                self.heard = True
        """),
        n=1,
        network="set",
    )
    assert extremes(result, "ends") == ALWAYS
    assert extremes(result, "messages") == (1, None)
    assert extremes(result, "steps") == both(2)


def test_a_crash_is_the_schedulers_too(write: Write) -> None:
    text = (
        UNFAIR_COIN
        + """
@at_the_end
def all_are_done(view: View) -> Verdict:
    "All are done."
    return all(p.done for p in view.processes)
"""
    )
    result = expect(write(text), n=1, crashes=1)
    assert extremes(result, "ends") == ALWAYS
    assert extremes(result, "ends well") == (0, 1)


TWICE = """
class A(Message):
    pass
class B(Message):
    pass
class Twice(Process):
    topology = one_way_ring
    identifiers = "none"
    tolerates = ("losses", "duplications")
    begun: bool = False
    first: bool = False
    heard: bool = False
    @initiate
    def tell(self):
        self.require(not self.begun)
        self.begun = True
        for kind in (A, B, A):
            self.send(NEXT, kind())
    @receive(A)
    def hear(self, a):
        self.heard = True
    @receive(B)
    def hear_other(self, b):
        self.first = self.first or not self.heard
@at_the_end
def b_came_first(view: View) -> Verdict:
    "B came first."
    return all(p.first for p in view.processes)
"""


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_which_of_two_equal_messages_is_lost_is_the_schedulers(engine: Any, write: Write) -> None:
    """Of A, B, A the first A, or the last: B comes first, or it does not."""
    result = expect(write(TWICE), n=1, losses=1, engine=engine)
    assert extremes(result, "ends well") == (0, 1)
    assert extremes(expect(write(TWICE), n=1, duplications=1, engine=engine), "steps") == (4, 6)


# --- what has no answer ------------------------------------------------------------------------------------------------


def test_a_draw_that_may_disable_its_step_is_refused(write: Write) -> None:
    text = UNFAIR_COIN.replace(
        "self.done = self.draw((True, False), (1, 3))",
        "self.done = self.draw((True, False))\n        self.require(self.done)",
    )
    with pytest.raises(UsageError, match="flip: the probabilities of what is drawn do not add up to 1"):
        expect(write(text), n=1)


def test_an_initial_value_that_is_drawn_is_refused(write: Write) -> None:
    text = UNFAIR_COIN.replace(
        "done: bool = False", "done: bool\n    def initially(self):\n        self.done = self.draw((True, False))"
    )
    with pytest.raises(UsageError, match=r"initially\(\) draws"):
        expect(write(text), n=1)


def test_a_shared_value_that_is_drawn_at_first_is_refused(write: Write) -> None:
    drawn = "    luck: bool = shared(False)\n    def shared_initially(self):\n        self.luck = self.draw((True, False))\n"
    with pytest.raises(UsageError, match=r"shared_initially\(\) draws"):
        expect(write(UNFAIR_COIN.replace("    @step", f"{drawn}    @step")), n=1)


COMES_BACK = """
class ComesBack(Process):
    topology = one_way_ring
    identifiers = "none"
    tolerates = ("crashes", "recoveries")
    side: int = 0
    luck: int = 0
    def initially(self):
        self.side = self.choose((0, 1))
    @recover
    def come_back(self):
        self.luck = self.draw((1, 2))
        self.require(self.luck == 1)
@at_the_end
def it_fell_well(view: View) -> Verdict:
    "Whoever is back is on side 1."
    return all(p.side == 1 for p in view.processes if not p.crashed)
"""


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_what_is_chosen_in_a_recovery_is_not_taken_for_drawn(engine: Any, write: Write) -> None:
    """Half of the draws count, in each of two ways to come back: together these halves are no draw."""
    with pytest.raises(UsageError, match=r"come_back draws, after initially\(\) has chosen"):
        expect(write(COMES_BACK), n=1, crashes=1, recoveries=1, engine=engine)


def test_where_a_step_fails_nothing_is_computed(write: Write) -> None:
    text = UNFAIR_COIN.replace(
        "self.done = self.draw((True, False), (1, 3))", 'assert self.draw((True, False)), "tails"'
    )
    result = expect(write(text), n=1)
    assert (result.verdict, result.exit_code, result.sizes) == ("VIOLATED", 14, ())


def test_a_limit_leaves_nothing_half_computed() -> None:
    result = expect("itai_rodeh", n=3, limits=Limits(max_states=50))
    assert (result.verdict, result.exit_code, result.sizes) == ("INCONCLUSIVE", 20, ())


def test_an_unknown_property_to_go_on_to_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean one_token"):
        expect("herman", n=3, until="one_tokn")


@pytest.mark.parametrize(
    "asked", [{"engine": "sets"}, {"reduce": "order"}, {"engine": "compiled", "schedule": "lockstep"}]
)
def test_what_does_not_go_together_is_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        expect("itai_rodeh", n=2, **asked)


# --- the models ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "n", "options"),
    [
        ("itai_rodeh", 3, {}),
        ("itai_rodeh_async", 3, {}),
        ("itai_rodeh_sync", 3, {"highest": 3}),
        ("anonymous_rounds", 2, {"highest": 4}),
    ],
)
def test_another_computation_comes_to_the_same(model: str, n: int, options: dict[str, object]) -> None:
    wanted = expectation.expected(model, n, **options)
    assert extremes(expect(model, n=n, parameters=options), "messages") == both(wanted)


@pytest.mark.parametrize(
    "how", [{"symmetry": False}, {"engine": "compiled"}, {"engine": "compiled", "symmetry": False}]
)
@pytest.mark.parametrize("start", ["any", "simultaneous"])
def test_symmetry_and_engines_change_nothing(how: dict[str, Any], start: str) -> None:
    plain, other = expect("itai_rodeh_async", n=3, start=start), expect("itai_rodeh_async", n=3, start=start, **how)
    for name in plain.sizes[0].names:
        assert extremes(plain, name) == extremes(other, name)


@pytest.mark.parametrize("model", ["chang_roberts", "hirschberg_sinclair"])
def test_without_draws_the_extremes_are_those_of_the_messages(model: str) -> None:
    (count,) = count_messages(model, n=3).counts
    (size,) = expect(model, n=3).sizes
    for column, name in enumerate(count.names):
        counted, spread = count.over(column), size.over("messages" if column == 0 else f"messages of {name}")
        assert (spread.least.exact, spread.greatest.exact) == (counted.least, counted.greatest)
        assert (spread.mean_least.exact, spread.mean_greatest.exact) == (counted.mean_least, counted.mean_greatest)


@pytest.mark.parametrize(("n", "steps"), [(3, Fraction(4, 3)), (5, Fraction(16, 5))])
def test_herman_needs_at_worst_as_many_rounds_as_was_published(n: int, steps: Fraction) -> None:
    """The PRISM case study herman; McIver and Morgan 2005: 4abc/n from three tokens a, b and c apart."""
    result = expect("herman", n=n, schedule="lockstep", start="simultaneous", until="one_token")
    assert extremes(result, "steps") == (0, steps)
    assert extremes(result, "ends") == ALWAYS
    assert [one.agrees for one in result.judged] == [True]


def test_rounds_are_counted_where_the_model_says_what_one_is() -> None:
    """PRISM, leader_async for N=3: 10/3 rounds."""
    assert extremes(expect("itai_rodeh_async", n=3), "rounds") == both(Fraction(10, 3))
    assert "rounds" not in expect("itai_rodeh", n=2).sizes[0].names


def test_formulas_of_a_card_are_judged(write: Write) -> None:
    card = 'identifiers = "none"\n    complexity = {"expected steps": "4", "greatest expected steps": "5", "expected messages": "n"}'
    result = expect(write(UNFAIR_COIN.replace('identifiers = "none"', card)), n=1)
    assert [one.agrees for one in result.judged] == [True, False, False]
    assert (result.verdict, result.exit_code) == ("VIOLATED", 12)


def test_above_a_size_of_ones_choosing_bounds_are_given_and_formulas_are_not_confirmed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solving, "MOST_EXACT", 10)
    result = expect("anonymous_rounds", n=2)
    spread = result.sizes[0].over("messages")  # 8: 4 in each of 2 rounds
    assert spread.least.low is not None
    assert spread.greatest.high is not None
    assert not spread.exact
    assert spread.least.low <= 8 <= spread.greatest.high
    assert {one.agrees for one in result.judged} == {None}
