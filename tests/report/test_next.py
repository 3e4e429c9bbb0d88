"""What a run that reached its limit of states offers next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modelcheck import Limits, check
from modelcheck.check.request import usual_limits
from modelcheck.explore import limits
from modelcheck.report.words.commands import following


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits are as large as they are by default, and there are more states."""
    states = limits.Limits.__init__.__defaults__
    assert states is not None
    monkeypatch.setattr(limits.Limits.__init__, "__defaults__", (10, *states[1:]))


def stopped(**options: Any) -> str:
    found = check("chang_roberts", n=4, workers=1, limits=Limits(), **options)
    assert found.stopped == "the limit of 10 states was reached"
    return following(found)


def test_where_steps_can_be_explored_in_one_order_that_is_offered() -> None:
    assert stopped() == "modelcheck run chang_roberts --n 4 --reduce order"


@pytest.mark.parametrize("options", [{"reduce": "order"}, {"reduce": "none"}, {"network": "set"}], ids=str)
def test_where_they_cannot_or_it_was_decided_the_limit_is_raised(options: dict[str, str]) -> None:
    assert "--max-states 100" in stopped(**options)


def test_a_limit_below_the_usual_one_is_raised() -> None:
    found = check("chang_roberts", n=4, workers=1, max_states=5)
    assert "--reduce" not in following(found)


ALL_LEAD = """
from modelcheck import ElectionProcess, one_way_ring, step


class AllLead(ElectionProcess):
    topology = one_way_ring

    @step
    def lead(self):
        self.require(self.leader is None)
        self.leader = self.id
"""


def test_after_a_violation_that_nothing_was_done_for_it_is_told_why_once(tmp_path: Path) -> None:
    file = tmp_path / "all_lead.py"
    file.write_text(ALL_LEAD, encoding="utf-8")
    found = check(str(file), n=2, property="at_most_one_leader", limits=usual_limits())
    assert following(found) == f"modelcheck run {file} --ids 1,2 --property at_most_one_leader --why"
    assert following(found, told=True) == f"modelcheck show {file}"


def test_a_raised_limit_is_kept() -> None:
    found = check("chang_roberts", n=4, workers=1, max_states=20)
    assert following(found) == "modelcheck run chang_roberts --max-states 20 --n 4 --reduce order"


UNGUARDED = """
from modelcheck import NEXT, ElectionProcess, Id, Message, initiate, one_way_ring, receive


class Token(Message):
    id: Id


class Ring(ElectionProcess):
    topology = one_way_ring
    awake: bool = False

    @initiate
    def start(self):
        GUARD
        self.send(NEXT, Token(self.id))

    @receive(Token)
    def pass_on(self, message):
        if message.id != self.id:
            self.send(NEXT, message)
"""


def test_a_step_without_a_guard_is_named_and_no_limit_is_raised(tmp_path: Path) -> None:
    """Whoever forgets the guard has messages without end, whatever the limit."""
    file = tmp_path / "ring.py"
    file.write_text(UNGUARDED.replace("GUARD", "pass"), encoding="utf-8")
    found = check(file, n=1, workers=1, max_states=200)
    assert "after start as it was before" in found.growth
    assert following(found).startswith("modelcheck show ")
    file.write_text(UNGUARDED.replace("GUARD", "self.require(not self.awake); self.awake = True"), encoding="utf-8")
    assert check(file, n=1, max_states=200).growth == ""
