"""Crashes in lock-step: whoever crashes in a round has sent any part of what it sends in it, and takes part in none after it."""

from collections.abc import Callable
from itertools import product

import pytest

from modelcheck import UsageError, check, expect
from modelcheck.catalog import find_model
from modelcheck.check.result import Result
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.worlds import Policy
from tests.conftest import explore_worlds

Run = Callable[..., Result]
End = tuple[object, ...]  # of each process whom it has chosen, or "down"


def ends(n: int, rounds: int, crashes: int) -> set[End]:
    """How FloodMin can end, followed round by round without the checker: somebody crashes or not, and tells some and not others."""
    found: set[End] = set()

    def go(number: int, least: tuple[int | None, ...], left: int) -> None:
        up = [p for p in range(n) if least[p] is not None]
        for fates in product((True, False), repeat=len(up)):  # whether each survives this round
            down = [p for p, survives in zip(up, fates, strict=True) if not survives]
            if len(down) > left:
                continue
            if number == rounds:
                found.add(tuple("down" if value is None or p in down else value for p, value in enumerate(least)))
                continue
            for told in product(*(product((True, False), repeat=n) for _ in down)):
                hears = {p: told[down.index(p)] if p in down else (True,) * n for p in up}
                after = (
                    None
                    if q not in up or q in down
                    else min(v for p in up if hears[p][q] or p == q for v in [least[p]] if v is not None)
                    for q in range(n)
                )
                go(number + 1, tuple(after), left - len(down))

    go(0, tuple(range(1, n + 1)), crashes)
    return found


@pytest.mark.parametrize(("n", "f", "crashes"), [(2, 1, 1), (3, 0, 1), (3, 1, 1), (3, 1, 2)])
def test_runs_end_as_they_do_when_followed_by_hand(n: int, f: int, crashes: int) -> None:
    settings = Settings("fifo", (("f", f),), schedule="lockstep", crashes=crashes)
    definition = find_model("flood_min").definition
    [explored] = explore_worlds(definition, n, Policy(identifiers=tuple(range(1, n + 1))), settings)
    assert len(explored.found.terminals) == len(ends(n, f + 1, crashes))


@pytest.mark.parametrize(("n", "f"), [(2, 1), (3, 1), (3, 2), pytest.param(4, 2, marks=pytest.mark.thorough)])
def test_one_round_more_than_crashes_is_enough_and_needed(n: int, f: int) -> None:
    assert check("flood_min", n=n, crashes=f, parameters={"f": f}).verdict == "HOLDS"
    if f < n - 1:  # with n - 1 crashes in n - 1 rounds one is left, and agrees with itself
        few = check("flood_min:RoundTooFew", n=n, crashes=f, parameters={"f": f})
        assert few.property("all_that_live_agree").verdict == "violated"
        # a crash in each round hides the least from one more process: rounds to tell, and one to choose
        assert few.property("all_that_live_agree").trace is not None
        assert few.depth == f + 1


def test_the_detector_wakes_up_those_that_rest(run: Run) -> None:
    """Nobody does anything before the leader crashes, at once; the other hears of it in the round after that."""
    found = run(FOLLOWER, n=2, schedule="lockstep", crashes=1)
    trace = found.property("whoever_leads_lives").trace
    assert trace is not None
    assert [taken.step for taken in trace.steps] == ["crash", "note"]
    assert (found.states, found.transitions, found.terminal_states) == (
        5,
        4,
        3,
    )  # nobody crashes, or one of two does; the other hears


FOLLOWER = """
class Follower(Process):
    topology = complete
    knows = ("everyone", "neighbours")
    tolerates = ("crashes",)
    leader: Id | None = None

    def initially(self):
        self.leader = max(self.everyone)

    @receive(Down)
    def note(self, message):
        pass

@at_the_end
def whoever_leads_lives(view):
    return all(any(q.id == p.leader for q in view.alive) for p in view.alive)
"""


def test_crashes_in_steps_before_the_first_round_are_refused(run: Run) -> None:
    """Of three one tells the others in its first step: in a round one of them hears of it and the other does not, before it nobody could crash."""
    assert run(TELLER, n=3, initiators="1", schedule="lockstep", crashes=1).verdict == "VIOLATED"
    with pytest.raises(UsageError, match="leave out --start simultaneous"):
        run(TELLER, n=3, initiators="1", schedule="lockstep", crashes=1, start="simultaneous")


TELLER = """
class Word(Message):
    pass

class Teller(Process):
    topology = complete.oriented
    identifiers = "none"
    tolerates = ("crashes",)
    told: bool = False

    @initiate
    def tell(self):
        self.require(not self.told)
        self.told = True
        self.send_all(Word())

    @receive(Word)
    def hear(self, message):
        self.told = True

@at_the_end
def all_or_none(view):
    return len({p.told for p in view.alive}) <= 1
"""


def test_other_faults_are_refused() -> None:
    with pytest.raises(UsageError, match="no other fault has a round of its own; leave out --losses"):
        check("flood_min", losses=1)


def test_what_is_expected_is_refused() -> None:
    with pytest.raises(UsageError, match="without crashes"):
        expect("itai_rodeh_sync", schedule="lockstep", crashes=1)


def test_a_process_that_draws_cannot_crash_in_that_round() -> None:
    result = check("itai_rodeh_sync", n=2, schedule="lockstep", crashes=1)
    assert result.error is not None
    assert "draws" in result.error.what
