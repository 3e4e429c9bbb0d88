"""Other identifiers keep the order, and nothing else; whoever looks at anything else is found out."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import StepError
from modelcheck.check.result import Result
from modelcheck.language.values import Id
from modelcheck.properties import monitor
from modelcheck.semantics import verification
from modelcheck.semantics.renaming import IRREGULAR, renamings

Run = Callable[..., Result]
SMALL = [Id(rank) for rank in range(1, 10)]


# --- the maps ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(IRREGULAR)))
def test_every_map_keeps_the_order_of_all_identifiers(number: int) -> None:
    renamed = [IRREGULAR[number](Id(rank)) for rank in (-(10**9), *range(-60, 200), 10**6, 10**6 + 1, 10**20)]
    assert all(one < other for one, other in itertools.pairwise(renamed))


@pytest.mark.parametrize(
    "of",
    [
        lambda i: i._rank % 2,
        lambda i: i._rank % 3,
        lambda i: hash(i) % 2,
        lambda i: len(str(i)),
        lambda i: str(i)[0],
        lambda i: i._rank > 100,
        lambda i: i._rank > 0,
        lambda i: i._rank,
    ],
    ids=["parity", "residue", "hash", "length", "first digit", "great", "positive", "itself"],
)
@pytest.mark.parametrize("identifier", SMALL)
def test_nothing_else_of_a_small_identifier_is_kept_by_all(identifier: Id, of: Callable[[Id], object]) -> None:
    assert any(of(renamed(identifier)) != of(identifier) for renamed in IRREGULAR)


def test_nor_is_what_two_of_them_have_together() -> None:
    for one, other in itertools.combinations(SMALL, 2):
        pairs = [(renamed(one), renamed(other)) for renamed in IRREGULAR]
        assert {str(a) < str(b) for a, b in pairs} == {True, False}
        assert len({b._rank - a._rank for a, b in pairs}) > 6
        assert {(b._rank - a._rank) % 2 for a, b in pairs} == {0, 1}


def test_those_that_explored_ones_stand_for_are_among_the_maps() -> None:
    """Of two identifiers out of 1..4: six pairs, less the one that is explored."""
    found = {(renamed(Id(1))._rank, renamed(Id(2))._rank) for renamed in renamings((2,), 4)}
    assert found >= set(itertools.combinations(range(1, 5), 2)) - {(1, 2)}


# --- steps ---------------------------------------------------------------------------------------------------------

STEP = """
class Model(Process):
    topology = one_way_ring
    knows = ("neighbours", "everyone")
    x: int = 0
    done: bool = False
    @step
    def look(self):
        self.require(not self.done)
        self.done = True
        self.x = int({looks})
@always
def claim(view):
    return all(p.x < 10**9 for p in view.processes)
"""


@pytest.mark.parametrize(
    "looks",
    [
        "int(str(self.id)) % 2",
        "hash(self.id) % 2",
        "len(f'{self.id}')",
        "str(self.id) == '3'",
        "hash((self.id, 1)) % 2",
        "self.id < Id(100)",
        "sorted(self.everyone, key=str) != sorted(self.everyone)",
        "(hash(self.neighbour(NEXT)) - hash(self.id)) % 7",
        "list({*self.everyone})[0] == self.id",
        "sum(__import__('pickle').dumps(self.id)) % 2",
    ],
)
@pytest.mark.parametrize("ids", ["unique", "from:4", "any"])
def test_a_step_that_looks_at_more_than_the_order_is_refused(run: Run, looks: str, ids: str) -> None:
    error = run(STEP.format(looks=looks), n=3, ids=ids).error
    assert isinstance(error, StepError)
    assert (error.step, error.what) == ("look", "look depends on more than the order of identifiers")


@pytest.mark.parametrize(
    "looks",
    [
        "self.id == max(self.everyone)",
        "sorted(self.everyone).index(self.id)",
        "len({self.id, self.neighbour(NEXT)})",
        "min(self.id, self.neighbour(NEXT)) in {*self.everyone}",
        "len([str(i) for i in self.everyone])",
    ],
)
@pytest.mark.parametrize("ids", ["unique", "from:5", "any"])
def test_a_step_that_only_compares_is_not(run: Run, looks: str, ids: str) -> None:
    assert run(STEP.format(looks=looks), n=3, ids=ids).verdict == "HOLDS"


def test_what_initially_computes_from_a_text_is_refused(run: Run) -> None:
    """Explored is 1 alone, which is odd, and stands for 1..4."""
    text = """
    class Model(Process):
        topology = one_way_ring
        odd: bool
        def initially(self):
            self.odd = int(str(self.id)) % 2 == 1
    @always
    def all_odd(view):
        return all(p.odd for p in view.processes)
    """
    error = run(text, n=1, ids="from:4").error
    assert isinstance(error, StepError)
    assert error.what == "initially() depends on more than the order of identifiers"


def test_a_step_that_breaks_a_rule_with_other_identifiers_is_refused_as_one_that_depends_on_them(run: Run) -> None:
    text = STEP.format(looks="self.choose((0,) * (len(str(self.id)) == 1))")
    assert "more than the order of identifiers" in str(run(text, n=2).error)


def test_integers_may_be_computed_with(run: Run) -> None:
    text = STEP.format(looks="self.id % 2").replace('("neighbours",', '("integers", "neighbours",')
    assert run(text, n=2, ids="from:4").verdict == "HOLDS"


# --- properties ----------------------------------------------------------------------------------------------------

PROPERTY = """
class Model(Process):
    topology = one_way_ring
    done: bool = False
    known: Id | None = None
    @step
    def look(self):
        self.require(not self.done)
        self.done = True
        self.known = self.id
@always
def claim(view):
    return {claim}
"""
ONE_IS_ODD = [
    "not all(p.done for p in view.processes) or any(int(repr(p.id)) % 2 for p in view.processes)",
    "not all(p.done for p in view.processes) or any(int(repr(p.known)) % 2 for p in view.processes)",
    "not all(p.done for p in view.processes) or any(hash(p.id) % 2 == 0 for p in view.processes)",
    "not all(p.done for p in view.processes) or any(int(str(p)[-2]) % 2 for p in view.processes)",
    "not any(str(p.id) == '4' and p.done for p in view.processes)",
    "not any(hash(p.id) == hash(Id(4)) and p.done for p in view.processes)",
]


@pytest.mark.parametrize("claim", ONE_IS_ODD)
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_property_that_looks_at_more_than_the_order_is_refused(run: Run, claim: str, engine: Any) -> None:
    """Explored are 1 and 2, of which they hold. They do not hold of 2 and 4, which these stand for."""
    result = run(PROPERTY.format(claim=claim), n=2, ids="from:4", engine=engine)
    assert isinstance(result.error, StepError)
    assert (result.exit_code, result.error.step) == (75, "claim")
    assert "depends on" in result.error.what
    assert "--no-symmetry" in result.error.remedy


@pytest.mark.parametrize("claim", ONE_IS_ODD)
def test_without_symmetry_it_is_judged_by_all_identifiers(run: Run, claim: str) -> None:
    assert run(PROPERTY.format(claim=claim), n=2, ids="from:4", symmetry=False).verdict == "VIOLATED"


def test_a_sentence_may_have_identifiers_in_it(run: Run) -> None:
    claim = "all(p.known in (None, p.id) for p in view.processes) or because(f'{view.processes[0].id} lies')"
    assert run(PROPERTY.format(claim=claim), n=3, ids="from:5").verdict == "HOLDS"


# --- a difference that --check-symmetry finds ----------------------------------------------------------------------


def test_where_a_step_is_why_runs_with_and_without_symmetry_differ_it_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if a run that tries no more than fifty of the 199 other identifiers had tried none."""
    monkeypatch.setattr(verification, "some", lambda pool, *_: list(pool) if len(pool) > 100 else [])
    text = STEP.format(looks="10**9 * (str(self.id) == '150')")
    assert run(text, n=1, ids="from:200").verdict == "HOLDS"
    result = run(text, n=1, ids="from:200", check_symmetry=True)
    assert (result.exit_code, result.verdict) == (75, "INCONCLUSIVE")
    assert "look depends on more than the order of identifiers" in str(result.error)


def test_where_a_property_is_it_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitor, "some", lambda pool, *_: list(pool) if len(pool) > 100 else [])
    text = PROPERTY.format(claim="not any(hash(p.id) == hash(Id(150)) and p.done for p in view.processes)")
    assert run(text, n=1, ids="from:200").verdict == "HOLDS"
    result = run(text, n=1, ids="from:200", check_symmetry=True)
    assert (result.exit_code, result.verdict) == (75, "INCONCLUSIVE")
    assert "the property claim" in str(result.error)
