"""What is said of a run that others explore, where they were stopped."""

from __future__ import annotations

from typing import Any

from modelcheck.check.checker import Gathered, check
from modelcheck.explore.limits import Meter
from modelcheck.report.files import as_json
from modelcheck.report.words import verdict_block


class Lost:
    """Somebody who explores, and has nothing back when the time is over."""

    def explore(self, _request: Any, _arguments: Any, _engine: Any, meter: Meter, *_: Any) -> Gathered:
        meter.reached = meter.out_of_time
        return Gathered()


def test_of_steps_that_may_have_run_where_nobody_answered_nothing_is_said() -> None:
    found = check("chang_roberts", n=3, elsewhere=Lost())
    assert found.verdict == "INCONCLUSIVE"
    assert as_json.document(found)["steps_exercised"] == dict.fromkeys(("wake_up", "compare", "learn"))
    [told] = list(verdict_block._exercised(found))
    assert "never ran" not in str(told)
