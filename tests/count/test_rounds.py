"""Messages and rounds in lock-step, and the formulas that are about them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import UsageError, check
from modelcheck.book.counting import count_messages as count_for_the_book
from modelcheck.book.counting import faults
from modelcheck.book.formulas import read_formula
from modelcheck.book.trying import request_of
from modelcheck.check.counting import MessagesResult, count_messages
from modelcheck.explore.limits import Limits, Meter
from modelcheck.report.terminal import messages as faces
from tests.conftest import Write

# A token goes once around a one-way ring of those who start; in each round it gets one link further.
ROUND = """
class Token(Message):
    id: Id
class Round(Process):
    topology = one_way_ring
    schedule = "lockstep"
    complexity = {complexity}
    home: bool = False
    gone: bool = False
    @initiate
    def send_it(self):
        self.require(not self.gone)
        self.gone = True
        self.send(NEXT, Token(self.id))
    @receive(Token)
    def pass_on(self, token):
        if token.id == self.id:
            self.home = True
        else:
            self.send(NEXT, token)
"""
Counted = Callable[..., MessagesResult]


@pytest.fixture
def counted(write: Write) -> Counted:
    def counted(complexity: str = "{}", **asked: Any) -> MessagesResult:
        return count_messages(write(ROUND.replace("{complexity}", complexity)), **asked)

    return counted


@pytest.mark.parametrize(("start", "rounds"), [("any", 5), ("simultaneous", 4)])
def test_rounds_are_counted_beside_messages(counted: Counted, start: str, rounds: int) -> None:
    """A token needs a round for each of four links; one more if starting is the first."""
    [count] = counted(n=4, start=start).counts
    place = count.names.index("rounds")
    assert (count.over(place).least, count.over(place).greatest) == (rounds, rounds)
    assert (count.over(0).least, count.over(0).greatest) == (16, 16)
    assert count.over(count.names.index("Token")) == count.over(0)


def test_what_nobody_schedules_in_rounds_has_none(counted: Counted) -> None:
    [count] = counted(n=3, schedule="any").counts
    assert "rounds" not in count.names


def test_choices_may_take_more_rounds_or_fewer(write: Write) -> None:
    text = ROUND.replace("{complexity}", "{}").replace(
        "self.require(not self.gone)", "self.require(not self.gone and self.choose((True, False)))"
    )
    [count] = count_messages(write(text), n=1).counts
    rounds = count.over(count.names.index("rounds"))
    assert rounds.least == 2  # one to start and one to receive; a round in which nobody starts is none
    assert rounds.greatest == 2


def test_formulas_about_rounds_are_judged(counted: Counted) -> None:
    found = counted(
        '{"exactly": "n^2", "exactly rounds": "n + 1", "worst of Token": "n^2", "schedule=lockstep, best": "n^2"}',
        n=(2, 3),
    )
    assert [one.agrees for one in found.judged] == [True] * 8
    wrong = counted('{"at most rounds": "n"}', n=(2, 3))
    assert (wrong.verdict, [one.agrees for one in wrong.judged]) == ("VIOLATED", [False, False])
    assert [one.found.greatest for one in wrong.judged] == [3, 4]


def test_where_nothing_is_in_lockstep_they_are_not_judged(counted: Counted, write: Write) -> None:
    stated = '{"exactly rounds": "n", "schedule=lockstep, exactly": "n", "exactly": "n^2", "best rounds": "1"}'
    found = counted(stated, n=2, schedule="any")
    assert {(one.agrees, one.note) for one in found.judged} == {(None, "stated for schedule=lockstep")}
    model = ROUND.replace("{complexity}", stated).replace('schedule = "lockstep"', "networks = ('fifo',)")
    found = count_messages(write(model), n=2, start="simultaneous")
    notes = {one.formula.key: (one.agrees, one.note) for one in found.judged}
    assert notes["exactly"] == (True, "")
    assert notes["exactly rounds"] == notes["schedule=lockstep, exactly"] == (None, "stated for schedule=lockstep")


def test_the_least_over_all_schedules_is_not_judged_by_lockstep_alone(write: Write) -> None:
    stated = '{"best": "n^2", "exactly": "n^2", "at most of Token": "n^2", "schedule=lockstep, worst": "n^2"}'
    model = ROUND.replace("{complexity}", stated).replace('schedule = "lockstep"', "networks = ('fifo',)")
    found = count_messages(write(model), n=2, schedule="lockstep")
    assert [one.agrees for one in found.judged] == [None, True, True, True]
    assert found.judged[0].note == "stated for schedule=any"


def test_json_and_the_table_tell_rounds(counted: Counted) -> None:
    found = counted('{"exactly rounds": "n + 1"}', n=3)
    [told] = json.loads(json.dumps(faces.document(found)))["messages"]
    assert told["rounds"]["least"] == told["rounds"]["greatest"] == 4
    assert list(told["types"]) == ["Token"]
    assert faces.columns(found.counts[0]) == [0, 1, 3]


def test_the_run_behind_a_number_is_as_long_as_its_rounds(counted: Counted) -> None:
    found = counted(n=3)
    assert {(trace.length, trace.unit) for trace in found.traces.values()} == {(4, "round")}


def test_the_book_counts_rounds(write: Write) -> None:
    request = request_of(write(ROUND.replace("{complexity}", "{}")), {"n": 3})
    counts = count_for_the_book(request, Meter(Limits()), 1)
    for key, formula, wrong in (("exactly rounds", "n + 1", 0), ("worst rounds", "n", 1), ("exactly", "n^2", 0)):
        assert len(faults({key: read_formula(formula)}, counts, 3)) == wrong


def test_only_the_reference_engine_counts_in_lockstep(counted: Counted) -> None:
    with pytest.raises(UsageError, match="only the reference engine"):
        counted(n=2, engine="compiled")


def test_a_protocol_written_for_lockstep_runs_in_it_and_says_where_it_does_not(write: Write) -> None:
    model = write(ROUND.replace("{complexity}", "{}"))
    found = check(model, n=3)
    assert (found.schedule, found.broken) == ("lockstep", ())
    assert "--schedule" not in found.options
    other = check(model, n=2, schedule="any")
    assert (other.schedule, other.broken) == ("any", ("any interleaving (written for lock-step)",))
    assert "--schedule" in other.options
