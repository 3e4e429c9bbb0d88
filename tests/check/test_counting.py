"""Numbers of messages against the literature, and formulas against numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from modelcheck import Limits, check
from modelcheck.check import checker
from modelcheck.check.counting import MessagesResult, agrees, count_messages
from modelcheck.count.census import measures
from modelcheck.count.ranges import Range
from modelcheck.language.topology import any_graph, complete, mesh, one_way_ring, two_way_ring

Write = Callable[..., str]


def simultaneous(model: str, **options: Any) -> MessagesResult:
    return count_messages(model, start="simultaneous", **options)


def harmonic(n: int) -> Fraction:
    return sum((Fraction(1, i) for i in range(1, n + 1)), Fraction(0))


# --- what is known


@pytest.mark.parametrize("n", range(2, 7))
def test_chang_and_roberts_send_as_many_as_they_proved(n: int) -> None:
    # Chang, Roberts 1979: 2n-1 to n(n+1)/2, n H_n on average; and n more to announce the leader
    count = simultaneous("chang_roberts", n=n).counts[0]
    total, election, leader = (count.over(k) for k in range(3))
    assert (total.least, total.greatest) == (3 * n - 1, n * (n + 1) // 2 + n)
    assert total.mean_least == total.mean_greatest == n * harmonic(n) + n
    assert (election.least, election.greatest, election.mean_least) == (2 * n - 1, n * (n + 1) // 2, n * harmonic(n))
    assert leader.least == leader.greatest == n


def test_flooding_a_spanning_tree_sends_twice_what_is_no_tree() -> None:
    result = simultaneous("spanning_tree", n=3)  # Lynch: 2(2m - n + 1) with the answers
    for (links, _, _), ranges in result.counts[0].ranges.items():
        assert ranges[0].least == ranges[0].greatest == 2 * (2 * links - 3 + 1)


def test_symmetry_does_not_change_the_numbers() -> None:
    by_symmetry, each = (simultaneous("chang_roberts", n=4, symmetry=symmetry).counts[0] for symmetry in (True, False))
    for column in range(len(each.names)):
        assert by_symmetry.over(column) == each.over(column)


def test_the_number_of_workers_changes_nothing() -> None:
    one, two = (simultaneous("chang_roberts", n=5, engine="compiled", workers=k) for k in (1, 2))
    assert one.traces == two.traces
    assert one.counts[0].ranges == two.counts[0].ranges


def test_the_run_that_is_shown_is_the_first_in_the_order_of_worlds() -> None:
    result = simultaneous("chang_roberts", n=4)
    assert result.traces[4, "least"].world.identifiers == (1, 2, 3, 4)  # ascending: each Election is swallowed at once
    assert result.traces[4, "greatest"].world.identifiers == (1, 4, 3, 2)


# --- formulas


@pytest.mark.parametrize(
    ("model", "n"),
    [
        ("chang_roberts", (1, 2, 3, 4)),
        ("dolev_klawe_rodeh", (1, 2, 3, 4)),
        ("stages", (1, 2, 3)),
        ("bully", (1, 2, 3)),
        ("spanning_tree", (1, 2, 3)),
        ("ring_modified", (1, 2, 3)),
        ("minmax", (1, 2, 3, 4, 5)),
        ("echo_extinction", (1, 2, 3)),
    ],
)
def test_the_formulas_of_models_agree(model: str, n: tuple[int, ...]) -> None:
    result = simultaneous(model, n=n)
    assert not result.refuted
    assert any(one.agrees for one in result.judged)
    assert (result.verdict, result.exit_code) == ("HOLDS", 0)


FLOOD = """
class Note(Message):
    pass

class M(Process):
    topology = one_way_ring
    identifiers = "none"
    twice = Parameter(False, "send twice", among=(False, True))
    complexity = {complexity}
    done: bool = False
    @initiate
    def go(self):
        self.require(not self.done)
        self.done = True
        for _ in range(self.choose((1, 2)) * (2 if self.twice else 1)):
            self.send(NEXT, Note())
    @receive(Note)
    def take(self, message): pass
"""


def outcome(write: Write, complexity: dict[str, str], **options: Any) -> MessagesResult:
    return count_messages(write(FLOOD.format(complexity=complexity)), **{"n": 3, "start": "simultaneous"} | options)


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("best", "n", True),
        ("best", "2n", False),
        ("worst", "2n", True),
        ("worst", "2n + 1", False),
        ("at least", "n", True),
        ("at least", "n - 1", True),
        ("at least", "n + 1/2", False),
        ("at most", "2n", True),
        ("at most", "2n - 1", False),
        ("exactly", "n", False),
        ("mean", "1.5n", True),  # least and greatest differ in this world: anything between their means
        ("mean", "2.5n", False),
        ("about", "100n", None),
        ("best of Note", "n", True),
        ("twice=true, best", "2n", None),
        ("when it rains, best", "2n", None),
        ("best", "1/(n-3)", None),
    ],
)
def test_a_formula_is_judged_by_its_word(write: Write, key: str, text: str, expected: bool | None) -> None:
    result = outcome(write, {key: text})
    assert [one.agrees for one in result.judged] == [expected]
    assert (result.verdict, result.exit_code) == (("VIOLATED", 12) if expected is False else ("HOLDS", 0))
    assert bool(result.judged[0].note) == (expected is None)


@pytest.mark.parametrize(
    ("options", "note"),
    [
        ({"start": "any"}, "stated for a simultaneous start"),
        ({"parameters": {"twice": True}}, "stated for twice=false"),
        ({"losses": 1}, "stated for runs without faults"),
        ({"initiators": "each"}, "stated for all processes starting"),
        ({"network": "bag"}, "stated under the model's assumptions"),
    ],
)
def test_elsewhere_a_formula_is_shown_and_not_judged(write: Write, options: dict[str, Any], note: str) -> None:
    result = outcome(write, {"best": "7n"}, **options)
    assert [(one.agrees, one.note) for one in result.judged] == [(None, note)]
    assert result.exit_code == 0


def test_a_condition_takes_the_place_of_a_default(write: Write) -> None:
    complexity = {"twice=true, best": "2n", "best": "n"}
    result = outcome(write, complexity, parameters={"twice": True})
    assert {one.formula.key: one.agrees for one in result.judged} == {"twice=true, best": True, "best": None}


def test_the_number_of_initiators_is_a_letter_of_formulas(write: Write) -> None:
    result = outcome(write, {"worst": "2k"}, initiators="each")
    assert [one.agrees for one in result.judged] == [True, True, True]


def test_nothing_agrees_with_an_exact_number_that_does_not_exist() -> None:
    endless = Range(math.inf, math.inf, 1, math.inf, math.inf)
    words = ("best", "worst", "exactly", "at least", "at most", "mean")
    assert not any(agrees(word, Fraction(3), endless) for word in words)


@pytest.mark.parametrize(
    ("shape", "links", "diameter"),
    [
        (next(one_way_ring.shapes(4)), 4, 3),
        (next(one_way_ring.shapes(1)), 1, 0),
        (next(two_way_ring.shapes(5)), 5, 2),
        (next(two_way_ring.shapes(2)), 2, 1),
        (next(complete.shapes(4)), 6, 1),
        (next(mesh.shapes(6)), 7, 3),
        (next(any_graph.shapes(1)), 0, 0),
    ],
)
def test_links_both_ways_count_once(shape: Any, links: int, diameter: int) -> None:
    assert measures(shape) == (links, diameter)


# --- limits, and what a run says in passing


def test_sizes_that_were_not_finished_are_not_counted() -> None:
    result = simultaneous("chang_roberts", n=(2, 3, 6), limits=Limits(max_states=500))
    assert (result.verdict, result.exit_code) == ("INCONCLUSIVE", 20)
    assert [count.n for count in result.counts] == [2, 3]


def test_where_a_step_fails_that_is_the_verdict_and_nothing_is_counted() -> None:
    result = count_messages("harmony_leader", ids="1,1,2")
    assert (result.verdict, result.exit_code, result.counts) == ("VIOLATED", 14, ())


def test_a_model_error_is_a_result(write: Write) -> None:
    result = count_messages(write("class M(Process):\n    x: list = []\n"))
    assert (result.verdict, result.exit_code) == ("INCONCLUSIVE", 75)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_run_counts_in_passing(engine: Any) -> None:
    found = check("chang_roberts", n=(3, 4), start="simultaneous", engine=engine)
    assert {n: (sent.least, sent.greatest) for n, sent in found.messages.items()} == {3: (8, 9), 4: (11, 14)}
    assert found.uncounted == ()


def test_a_run_gives_up_counting_where_that_would_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "AFFORDABLE", 1_000)
    found = check("chang_roberts", n=5)
    assert found.states > 1_000
    assert (found.messages, found.uncounted) == ({}, (5,))


def test_a_run_that_stopped_early_tells_no_numbers() -> None:
    assert check("chang_roberts", n=6, limits=Limits(max_states=500)).messages == {}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_symmetry_within_a_world_does_not_change_the_numbers(engine: Any) -> None:
    found = check("itai_rodeh", n=(1, 2, 3), engine=engine, check_symmetry=True)  # which compares them as well
    assert found.symmetry_check is not None
    assert {n: sent.least for n, sent in found.messages.items()} == {1: 1, 2: 3, 3: 6}


def test_a_run_in_lockstep_is_counted() -> None:
    """Everybody starts: three, and as many steps further as those that are not the greatest are far from a greater one: 1 + 1 or 1 + 2; and
    three to tell. (Chang and Roberts 1979)"""
    found = check("chang_roberts", n=3, schedule="lockstep").messages[3]
    assert (found.least, found.greatest) == (3 + 2 + 3, 3 + 3 + 3)


@pytest.mark.parametrize("data", [[1, 2, 3], [1, 2, 3, 4, "5"], [1, 2, -3, 4, 5], [True, 2, 3, 4, 5]])
def test_a_damaged_range_in_a_checkpoint_is_refused(data: list[Any]) -> None:
    with pytest.raises(ValueError, match="is no range"):
        Range.read(data)


def test_a_range_survives_being_written() -> None:
    for known in (Range(), Range(3, math.inf, 2, 7, math.inf), Range(1, 4, 5, 6, 7)):
        assert Range.read(known.data()) == known
