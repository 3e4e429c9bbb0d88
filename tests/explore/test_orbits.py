"""States up to the symmetry of their world: orbits add up to what is counted without it, verdicts and the lengths of traces are
the same, and both engines tell the same. More random examples: RANDOM_PROTOCOLS=10000 pytest tests/explore/test_orbits.py"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from modelcheck import Limits, StepError, SymmetryError, check
from modelcheck.check import worker
from modelcheck.check.result import Result
from modelcheck.count.tally import Unreduced
from modelcheck.semantics.symmetry import own_group
from tests.explore.comparison import both
from tests.explore.random_protocols import RandomProtocol, examples, protocols

Write = Callable[..., str]

CASES: list[tuple[str, dict[str, Any]]] = [
    ("itai_rodeh", {"n": 2}),
    ("itai_rodeh", {"n": 3}),
    ("itai_rodeh", {"n": 4}),
    ("itai_rodeh", {"n": 2, "network": "bag", "losses": 1}),
    ("itai_rodeh", {"n": 2, "parameters": {"draws": 1}}),
    ("itai_rodeh", {"n": 4, "initiators": "1,3"}),
    ("chang_roberts", {"n": 3, "ids": "any"}),
    ("chang_roberts", {"ids": "1,2,1,2", "duplications": 1}),
    ("chang_roberts", {"ids": "1,1,1", "network": "sticky"}),
    ("chang_roberts", {"ids": "1,1,1", "start": "simultaneous"}),
    ("harmony_leader", {"n": 3, "ids": "any"}),
    ("stages", {"n": 2, "ids": "any"}),
    ("bully", {"ids": "1,1,1", "crashes": 1, "recoveries": 1}),
]

ROUND = """
class Token(Message):
    pass
class Model(Process):
    topology = one_way_ring
    identifiers = "none"
    specs = ()
    has: bool
    done: bool = False
    def initially(self):
        self.has = self.choose((False, True))
    @step
    def pass_on(self):
        self.require(self.has)
        self.has = False
        self.send(NEXT, Token())
    @receive(Token)
    def take(self, message):
        self.require(not self.has)
        self.has = True
"""


def reduced(model: str, **options: Any) -> Result:
    """What both engines tell, alike, and a run without symmetry confirms. Raises SymmetryError or AssertionError otherwise."""
    with_it = both(model, **options).result
    checked = check(model, check_symmetry=True, engine="reference", **options).symmetry_check
    assert checked is not None
    assert not checked.undone
    assert checked.counts == with_it.unreduced
    return with_it


@pytest.mark.parametrize(("model", "options"), CASES)
def test_orbits_add_up_and_both_engines_tell_the_same(model: str, options: dict[str, Any]) -> None:
    found = reduced(model, **options)
    assert found.states < found.unreduced.states
    assert found.transitions < found.unreduced.transitions or found.transitions == 0


def test_without_symmetry_a_run_counts_what_a_run_with_it_stands_for() -> None:
    with_it, without = (check("itai_rodeh", n=3, symmetry=symmetry) for symmetry in (True, False))
    assert with_it.unreduced == Unreduced(without.states, without.transitions, without.terminal_states)
    assert without.unreduced == with_it.unreduced
    assert with_it.states < without.states
    assert "states up to the symmetry of their world" in with_it.reductions
    assert without.reductions == ()


def test_workers_and_the_engine_change_nothing() -> None:
    for workers in (1, 2, 4):
        both("chang_roberts", n=3, ids="any", workers=workers)


def test_a_single_process_and_identifiers_that_differ_are_searched_as_ever() -> None:
    for options in ({"model": "itai_rodeh", "n": 1}, {"model": "chang_roberts", "n": 3}):
        assert not any("states up to" in line for line in check(**options).reductions)  # type: ignore[arg-type]


# --- runs that never end ---------------------------------------------------------------------------------------------


def test_states_of_a_network_that_can_split_are_all_explored() -> None:
    found = check("itai_rodeh", n=2, partitions=1, heals=1, check_symmetry=True)
    assert found.symmetry_check is not None
    assert found.symmetry_check.undone == ""
    assert found.unreduced.states == found.states


def test_a_token_that_goes_round_for_ever_is_a_cycle_though_every_state_is_like_the_last(write: Write) -> None:
    """With the token on its way to the next process all is as it was, but for who is where: the loop takes the whole round."""
    found = reduced(write(ROUND + "ends = terminates()\n"), n=3)
    trace = found.property("termination").trace
    assert trace is not None
    assert trace.loop is not None
    assert {step.process for step in trace.steps[trace.loop :]} == {"p1", "p2", "p3"}
    assert trace.length - trace.loop == 6


def test_a_step_from_a_state_to_its_twin_is_a_cycle_where_there_is_no_other(write: Write) -> None:
    """Two send a token to and fro. Tokens that meet on a link are one, and then there is but one state and its twin."""
    text = """
        class Token(Message):
            pass
        class Pass(Process):
            topology = one_way_ring
            identifiers = "none"
            networks = ("set",)
            begun: bool = False
            @initiate
            def begin(self):
                self.require(not self.begun)
                self.begun = True
                self.send(NEXT, Token())
            @receive(Token)
            def pass_on(self, message):
                self.begun = True
                self.send(NEXT, message)
        """
    assert reduced(write(text), n=2).property("termination").verdict == "violated"


def test_what_one_process_owes_is_not_settled_by_another(write: Write) -> None:
    """Each may dither until it is done, and weak fairness makes each be done: orbits alone would not tell who has dithered."""
    dither = """
    class Model(Process):
        topology = one_way_ring
        identifiers = "none"
        specs = ()
        left: bool = False
        done: bool = False
        @step
        def dither(self):
            self.require(not self.done)
            self.left = not self.left
        @step
        def stop(self):
            self.require(not self.done)
            self.done = True
    ends = terminates()
    @eventually
    def one_is_done(view):
        return any(p.done for p in view.processes)
    @eventually
    def nobody_is_left(view):
        return not any(p.left for p in view.processes) and all(p.done for p in view.processes)
    """
    found = reduced(write(dither), n=3)
    verdicts = {p.name: p.verdict for p in found.properties[:3]}
    assert verdicts == {"termination": "holds", "one_is_done": "holds", "nobody_is_left": "violated"}


def test_a_process_that_may_be_forgotten_is_shown_being_forgotten(write: Write) -> None:
    """Stopping needs the token: it comes and goes, so weak fairness owes nobody to stop."""
    text = (
        ROUND
        + "    @step\n    def stop(self):\n        self.require(self.has and not self.done)\n        self.done = True\n"
    )
    found = reduced(
        write(text + "@eventually\ndef all_done(view):\n    return all(p.done for p in view.processes)\n"), n=3
    )
    assert found.property("all_done").verdict == "violated"


# --- properties of steps ---------------------------------------------------------------------------------------------


def test_a_step_to_a_twin_of_a_known_state_is_judged_by_where_it_leads(write: Write) -> None:
    """The state after the step is known, as another's: by that one nothing would seem to have changed."""
    hop = """
    class Model(Process):
        topology = one_way_ring
        identifiers = "none"
        specs = ()
        a: bool = False
        moves: int = shared(0)
        @step
        def first(self):
            self.require(self.moves == 0)
            self.moves, self.a = 1, True
        @step
        def leave(self):
            self.require(self.moves == 1 and self.a)
            self.a = False
            self.moves = 2
        @step
        def enter(self):
            self.require(self.moves == 2)
            self.a = True
            self.moves = 1
    @every_step
    def nobody_else_begins(before, after):
        return before.shared.moves == 0 or not any(q.a and not p.a for p, q in zip(before.processes, after.processes))
    """
    trace = reduced(write(hop), n=3).property("nobody_else_begins").trace
    assert trace is not None
    assert trace.length == 3


def test_a_property_that_speaks_of_places_is_refused(write: Write) -> None:
    text = ROUND + "@always\ndef the_first_has_none(view):\n    return not [p.has for p in view.processes][0]\n"
    error = check(write(text), n=3).error
    assert isinstance(error, StepError)
    assert "--no-symmetry" in error.remedy
    assert check(write(text), n=3, symmetry=False).property("the_first_has_none").verdict == "violated"


ONE = """
class One(Process):
    topology = one_way_ring
    identifiers = "none"
    taken: bool = shared(False)
    a: bool = False

    @step
    def go(self):
        self.require(not self.taken)
        self.taken = True
        self.a = True

@always
def not_this_one(view):
    return not view.processes[PLACE].a
"""


@pytest.mark.parametrize(("n", "place"), [(n, place) for n in (3, 4, 5) for place in range(n)])
def test_every_twin_of_a_state_is_asked_about(n: int, place: int, run: Callable[..., Result]) -> None:
    """One state is met of those in which one process has gone first. Of its twins one alone violates the property, and that may be any."""
    error = run(ONE.replace("PLACE", str(place)), n=n).error
    assert "its verdict depends on how the processes are numbered" in str(error)


# --- random protocols, and a wrong symmetry --------------------------------------------------------------------------


@settings(max_examples=examples(15, 100))
@given(protocols(), st.sampled_from([True, True, False]))
def test_a_random_protocol_comes_to_the_same_without_symmetry(protocol: RandomProtocol, alike: bool) -> None:
    """Most of them with processes that are `alike` as far as the protocol lets them be, so that there is something to merge."""
    options = {name: value for name, value in protocol.options.items() if name != "symmetry"}
    if alike:
        options.pop("initiators", None)
        if "ids" in options:
            options["ids"] = [1] * options["n"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.py"
        path.write_text(protocol.source)
        found = check(str(path), check_symmetry=True, engine="reference", limits=Limits(max_states=1_000), **options)
    done = found.symmetry_check
    event("not compared" if done is None or done.undone else "merged" if found.sizes[0].turned else "nothing to merge")


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(
    ("model", "options", "wrong"),
    [
        ("itai_rodeh", {"n": 3, "property": "at_most_one_leader"}, (0, 2, 1)),  # a reflection, on a one-way ring
        ("chang_roberts", {"ids": "1,1,2", "property": "leader_is_the_maximum"}, (1, 0, 2)),
    ],
)
def test_a_permutation_that_is_no_symmetry_is_noticed(
    monkeypatch: pytest.MonkeyPatch, model: str, options: dict[str, Any], wrong: tuple[int, ...], engine: Any
) -> None:
    monkeypatch.setattr(worker, "own_group", lambda world, _: (tuple(range(world.n)), wrong))
    with pytest.raises(SymmetryError, match=r"states, n=3: .* with symmetry, .* without"):
        check(model, check_symmetry=True, engine=engine, **options)


def test_a_symmetry_that_is_forgotten_is_only_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "own_group", lambda world, knows: own_group(world, knows)[:1])
    assert check("itai_rodeh", n=3).states == check("itai_rodeh", n=3, symmetry=False).states


SCRIPT = """
from tests.explore.comparison import both
for model, options in (("itai_rodeh", {"n": 2}), ("chang_roberts", {"ids": "1,1,1", "losses": 1})):
    print(both(model, **options).by_kernel)
"""


def test_uncompiled_the_kernel_finds_the_same() -> None:
    root = Path(__file__).parents[2]
    printed = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    ).stdout
    assert printed == "1\n1\n"
