"""Progress: one line on a terminal, nothing elsewhere."""

from __future__ import annotations

import pytest

from modelcheck import Limits
from modelcheck.explore.limits import Meter
from modelcheck.report.terminal.progress import cut, progress, sentence


def test_there_is_none_where_standard_error_is_no_terminal() -> None:
    with progress() as shown:
        assert shown is None


def test_it_says_what_is_done_of_all_and_how_long_the_rest_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter(Limits())
    meter.size, meter.represented, meter.to_represent, meter.states = 6, 180, 720, 90_000
    monkeypatch.setattr(meter, "seconds", lambda: 10.0)
    monkeypatch.setattr(meter, "memory", lambda: 130)
    assert sentence(meter) == (
        "n=6: 180 of 720 assignments, 90,000 states, 9,000 a second, 10 s (about 30 s left), 130 MB"
    )


def test_before_anything_is_explored_it_counts_nothing() -> None:
    assert sentence(Meter(Limits())).startswith("listing the worlds, 0 s")


def test_it_says_so_when_a_violation_was_found_already() -> None:
    """There may be a shorter one: so the search goes on, and whoever has seen enough may end it."""
    from modelcheck import check

    meter = Meter(Limits())
    assert check("chang_roberts", ids="1,1,2", property="agreement", meter=meter).verdict == "VIOLATED"
    assert "assignment, 1 violated (Ctrl-C shows the run), " in sentence(meter).replace("assignments", "assignment")


def test_it_takes_one_line() -> None:
    """Two more stand before it: the spinner and a space."""
    assert cut("n=6: 180 of 720", 15) == "n=6: 180 of 720"
    assert cut("n=6: 180 of 720", 14) == "n=6: 180 of 7…"
    assert cut("n=6", 0) == "…"


def test_a_search_keeps_the_meter_up_to_date() -> None:
    from modelcheck import check

    meter = Meter(Limits())
    check("chang_roberts", n=4, meter=meter)
    assert (meter.size, meter.represented, meter.to_represent) == (4, 24, 24)
