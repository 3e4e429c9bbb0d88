"""Runs that may begin anywhere: any local variables, any shared ones, anything on the links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modelcheck.check.result import Result
from modelcheck.runs.causality import flights
from modelcheck.semantics.worlds import Policy
from modelcheck.simulate.sampling import simulate
from tests.conftest import Explored

Explore = Callable[..., list[Explored]]
Run = Callable[..., Result]
Write = Callable[..., str]
ENGINES = ("reference", "compiled", "sets")

NOISE = """
class Noise(Message):
    x: int
class Listens(Process):
    topology = one_way_ring
    networks = ("fifo", "bag", "set", "newest")
    identifiers = "none"
    a: bool = False
    got: tuple[int, ...] = ()
    def initially(self):
        self.a = self.choose((False, True))
        for _ in range(self.choose((0, 1, 2))):
            self.start_with(PREVIOUS, Noise(self.choose((1, 2))))
    @receive(Noise)
    def hear(self, message):
        self.got = (*self.got, message.x)
"""
COUNTER = """
class Counts(Process):
    topology = one_way_ring
    identifiers = "none"
    knows = ("n",)
    x: int = shared(0)
    @step
    def up(self):
        self.require(self.x < self.n)
        self.x += 1
    def shared_initially(self):
        self.x = self.choose(range(self.n + 1))
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_begins_with_all_local_states_and_all_contents_of_links(run: Run, engine: str) -> None:
    """One process has 2 values of `a` and 1 + 2 + 4 contents of its link; of a message string of length k it has k + 1 states, that is
    1 + 2 * 2 + 4 * 3 = 17 with each value, 2 * (2 * 1 + 4 * 2) = 20 transitions, and 7 ends. Two processes do so side by side."""
    result = run(NOISE, n=2, symmetry=False, engine=engine)
    assert result.verdict == "HOLDS"
    assert (result.states, result.transitions, result.terminal_states) == (34**2, 2 * 34 * 20, 14**2)


@pytest.mark.parametrize(
    ("asked", "contents"),
    [
        ({"network": "fifo"}, 7),
        ({"network": "bag"}, 6),  # two of 1 and 2 that differ are one bag
        ({"network": "set"}, 4),  # none, 1, 2, both
        ({"network": "newest"}, 3),  # none, 1, 2
        ({"network": "fifo", "capacity": 1}, 3),
    ],
    ids=str,
)
def test_what_waits_at_first_is_what_the_link_holds(explored: Explore, asked: dict[str, Any], contents: int) -> None:
    (world,) = explored(NOISE, 1, Policy("none"), **asked)
    assert len(list(world.system.starts(world.world))) == 2 * contents


def test_to_a_process_that_begins_down_nothing_waits(explored: Explore) -> None:
    text = NOISE.replace("self.a = self.choose((False, True))", "self.start_crashed()")
    (world,) = explored(text, 1, Policy("none"))
    assert world.counts == (1, 0, 1, 0)


def test_who_recovers_finds_nothing_on_its_links_that_was_there_at_first(explored: Explore) -> None:
    """After its crash and recovery the only process has an empty inbox: two values of `a`."""
    (world,) = explored(NOISE, 1, Policy("none"), crashes=1, recoveries=1)
    spent = [state for state in world.found.states if not any(state[0].budgets) and not state[1].crashed]
    assert {state[1].inbox for state in spent} == {((),)}
    assert len(spent) == 2
    down = next(state for state in world.found.states if state[1].crashed)
    assert (
        len(list(world.system.successors(world.world, down))) == 2
    )  # and not one for each content that there might be


def test_who_begins_down_comes_back_as_it_would_have_begun(explored: Explore) -> None:
    text = NOISE.replace("self.a = self.choose((False, True))", "self.a = True\n        self.start_crashed()")
    (world,) = explored(text, 1, Policy("none"), recoveries=1)
    assert [(state[1].crashed, state[1].fields) for state in world.found.states] == [
        (True, (None, None)),
        (False, (True, ())),
    ]


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_begins_with_all_values_of_the_shared_variables(run: Run, engine: str) -> None:
    """Each of 0..2 is one initial state, and the steps lead from one to the next, each by one of two processes."""
    result = run(COUNTER, n=2, symmetry=False, engine=engine, property="no_exceptions")
    assert (result.verdict, result.states, result.transitions) == ("HOLDS", 3, 4)
    downwards = COUNTER.replace('"none"', '"unique"').replace(
        "self.x = self", "self.x = self.n - self"
    )  # from the first nothing leads on
    result = run(downwards, n=2, symmetry=False, engine=engine, property="no_exceptions")
    assert (result.worlds, result.states, result.transitions) == (2, 2 * 3, 2 * 4)


def test_a_run_begins_alike_for_processes_that_are_alike(run: Run) -> None:
    """Of the states that differ in who is who one is explored, and stands for the others."""
    result = run(NOISE, n=3)
    assert result.unreduced.states == 34**3
    assert result.states < 34**3 / 2


def test_a_random_run_begins_with_one_of_the_initial_states(write: Write) -> None:
    shared = write(COUNTER + "@always\ndef small(view):\n    return view.shared.x < view.n\n".replace("view.n", "2"))
    found = simulate(shared, n=2, runs=30)
    assert {sample.steps for sample in found.samples} == {0, 1, 2}
    local = simulate(write(NOISE), n=1, runs=60)
    assert {sample.steps for sample in local.samples} == {0, 1, 2}


def test_a_trace_shows_what_waited_at_first_and_nobody_has_sent_it(run: Run) -> None:
    text = NOISE + "@always\ndef not_both(view):\n    return all(p.got != (2, 1) for p in view.processes)\n"
    result = run(text, n=2, property="not_both")
    (found,) = (prop.trace for prop in result.properties if prop.trace)
    assert "waiting: Noise(2), Noise(1)" in str(result)
    assert found.length == 2
    assert flights(found) == ()


def test_what_waits_at_first_and_is_never_received_is_no_word_of_a_detector(run: Run) -> None:
    """One of two messages is received, and the run is shown up to there."""
    text = (
        NOISE
        + "@always\ndef nothing(view):\n    return all(p.got != (2,) or not view.in_transit() for p in view.processes)\n"
    )
    text = text.replace("or not view.in_transit()", "or len(view.in_transit()) < 2")
    (found,) = (prop.trace for prop in run(text, n=2, property="nothing").properties if prop.trace)
    assert flights(found) == ()


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("        self.a = self.choose", "        self.send(NEXT, Noise(1))\n        self.a = self.choose", "initially() sent a message"),
        ("self.start_with(PREVIOUS,", "self.start_with(NEXT,", "nothing can wait at next"),
        ("self.start_with(PREVIOUS,", "self.start_with(0,", "nothing can wait at 0"),
        ("self.got = (*", "self.start_with(PREVIOUS, Noise(1)); self.got = (*", "start_with() was called in a step"),
        ("self.got = (*", "self.start_crashed(); self.got = (*", "start_crashed() was called in a step"),
        ("Noise(self.choose((1, 2)))", "1", "1 was sent and is no message"),
    ],
)  # fmt: skip
def test_what_initially_may_not_do_is_said(run: Run, old: str, new: str, what: str) -> None:
    assert what in str(run(NOISE.replace(old, new), n=2))


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("self.x = self.id", "shared_initially() looked at"),
        ("self.x = len(self.ports)", "shared_initially() looked at"),
        ("self.own = True", "shared_initially() set own, which every process has for itself"),
        ("self.start_crashed()", "start_crashed() was called in shared_initially"),
        ("self.send(NEXT, Word())", "shared_initially() sent a message"),
        ("assert False, 'why'", "why"),
        ("self.require(False)", "shared_initially() gave no values"),
    ],
)
def test_what_shared_initially_may_not_do_is_said(run: Run, line: str, what: str) -> None:
    text = COUNTER.replace("    x: int", "    own: bool = False\n    x: int").replace('"none"', '"unique"')
    text = "class Word(Message):\n    pass\n" + text.replace("self.x = self.choose(range(self.n + 1))", line)
    assert what in str(run(text, n=2))


def test_initially_does_not_see_shared_variables_that_are_chosen(run: Run) -> None:
    text = COUNTER + "    y: int = 0\n    def initially(self):\n        self.y = self.x\n"
    assert "initially() looked at a shared variable" in str(run(text, n=2))


def test_initially_changes_no_shared_variable_and_is_told_where_they_are_chosen(run: Run) -> None:
    text = COUNTER.replace("shared_initially", "initially")
    assert "choose it in def shared_initially(self)" in str(run(text, n=2))


def test_a_process_without_a_beginning_is_an_error_and_nothing_holds_of_it(run: Run) -> None:
    text = NOISE.replace("self.a = self.choose((False, True))", "self.require(False)")
    result = run(text, n=2)
    assert (result.verdict, result.exit_code) == ("INCONCLUSIVE", 75)
    assert "initially() gave no values" in str(result)


def test_what_waits_at_first_depends_on_no_more_than_the_order_of_identifiers(run: Run) -> None:
    text = NOISE.replace('"none"', '"unique"').replace("self.choose((1, 2))", "len(str(self.id)) + hash(self.id) % 2")
    assert "initially() depends on more than the order of identifiers" in str(run(text, n=2))


def test_so_do_the_shared_variables_and_it_is_said_of_what_chooses_them(run: Run) -> None:
    text = COUNTER.replace('"none"', '"unique"').replace('knows = ("n",)', 'knows = ("n", "everyone")')
    result = run(text.replace("self.choose(range(self.n + 1))", "hash(self.everyone[0]) % 2"), n=2)
    assert "shared_initially() depends on more than the order of identifiers" in str(result)


def test_more_beginnings_than_there_is_time_for_are_inconclusive(run: Run) -> None:
    text = COUNTER.replace("self.choose(range(self.n + 1))", "sum(self.choose((0, 1)) << k for k in range(40))")
    result = run(text, n=2, max_seconds=1, engine="reference")
    assert (result.verdict, result.exit_code) == ("INCONCLUSIVE", 20)
