"""What a run that reached its limit of states offers next."""

from __future__ import annotations

from typing import Any

import pytest

from modelcheck import Limits, check
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


def test_a_raised_limit_is_kept() -> None:
    found = check("chang_roberts", n=4, workers=1, max_states=20)
    assert following(found) == "modelcheck run chang_roberts --max-states 20 --n 4 --reduce order"
