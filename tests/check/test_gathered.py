"""What is said of a run that others explore, where they were stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from modelcheck.check.checker import Gathered, check
from modelcheck.check.memory import Memory, Route
from modelcheck.explore.limits import Meter
from modelcheck.report.files import as_json
from modelcheck.report.words import verdict_block
from tests.language.cases import the_error


class Lost:
    """Somebody who explores, and has nothing back when the time is over."""

    def explore(self, _request: Any, _arguments: Any, _engine: Any, meter: Meter, *_: Any) -> Gathered:
        meter.reached = meter.out_of_time
        return Gathered()


class Mistaken:
    """Somebody who has found a run that nobody else finds, and takes it again whenever asked."""

    def explore(self, _request: Any, _arguments: Any, _engine: Any, _meter: Meter, known: Memory, *_: Any) -> Gathered:
        known.violations["agreement"] = Route(1, 0, (99,), "", None)
        return Gathered()


def test_a_run_that_only_others_find_is_the_model_s_fault(tmp_path: Path) -> None:
    for checkpoint in (None, tmp_path / "kept.json"):
        found = check("chang_roberts", n=3, elsewhere=Mistaken(), checkpoint=checkpoint)
        assert (found.verdict, found.exit_code) == ("INCONCLUSIVE", 75)
        assert "is not a function of what it reads" in the_error(found).what


def test_of_steps_that_may_have_run_where_nobody_answered_nothing_is_said() -> None:
    found = check("chang_roberts", n=3, elsewhere=Lost())
    assert found.verdict == "INCONCLUSIVE"
    assert as_json.document(found)["steps_exercised"] == dict.fromkeys(("wake_up", "compare", "learn"))
    [told] = list(verdict_block._exercised(found))
    assert "never ran" not in str(told)
