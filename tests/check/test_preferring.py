"""Where nobody names an engine, sets of states are preferred to very many states, and only where they decide everything at less cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modelcheck import Limits, check
from modelcheck.check.by_sets import preferring
from modelcheck.check.by_sets.preferring import Effort, ManyStatesError, TurnBackError, by_states_or_sets, look_ahead
from modelcheck.check.checkpoint import Keeping
from modelcheck.check.result import Result
from modelcheck.count.tally import Tally
from modelcheck.explore.limits import Meter, Stopped

TOGGLES = """
from modelcheck import *

class Toggles(Process):
    topology = one_way_ring
    specs = ("termination",)
    on: bool = False

    @step
    def toggle(self):
        self.on = not self.on
"""
EVENTUALLY = """
from modelcheck import *

class Waits(Process):
    topology = one_way_ring
    specs = ()
    done: bool = False

    @initiate
    def begin(self):
        self.require(not self.done)
        self.done = True

@eventually
def all_are_done(view):
    return all(p.done for p in view.processes)
"""


@pytest.fixture
def keen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets are preferred to a few states, and may cost what they like."""
    monkeypatch.setattr(preferring, "FROM", 10)
    monkeypatch.setattr(preferring, "STATES", 0.001)


def by_sets(result: Result) -> bool:
    return any(tally.nodes for tally in result.sizes)


def words(result: Result) -> tuple[Any, ...]:
    counts = [(tally.n, tally.states, tally.transitions, tally.terminal_states, tally.worlds) for tally in result.sizes]
    return result.verdict, counts, [(p.name, p.verdict, p.mattered) for p in result.properties], result.steps


@pytest.mark.usefixtures("keen")
@pytest.mark.parametrize("n", [4, (2, 3, 4)], ids=str)
def test_what_is_said_is_what_is_said_of_states_visited_one_by_one(n: Any) -> None:
    found = check("chang_roberts", n=n)
    assert by_sets(found)
    assert words(found) == words(check("chang_roberts", n=n, engine="reference"))


@pytest.mark.usefixtures("keen")
def test_a_violation_has_as_short_a_trace() -> None:
    found = check("chang_roberts", n=4, network="sticky", property="one_leader_wave")
    plain = check("chang_roberts", n=4, network="sticky", property="one_leader_wave", engine="reference")
    assert found.verdict == plain.verdict == "VIOLATED"
    one, other = found.property("one_leader_wave").trace, plain.property("one_leader_wave").trace
    assert one is not None
    assert other is not None
    assert one.length == other.length


def test_few_states_are_visited() -> None:
    assert not by_sets(check("chang_roberts", n=5))


@pytest.mark.usefixtures("keen")
@pytest.mark.parametrize(
    "options",
    [
        {"reduce": "order"},
        {"check_symmetry": True},
        {"engine": "compiled"},
        {"network": "sticky"},  # termination is asked for, which sets do not decide there
        {"schedule": "lockstep"},
    ],
    ids=str,
)
def test_who_asks_for_what_sets_do_not_do_has_states_visited(options: Any) -> None:
    assert not by_sets(check("chang_roberts", n=4, **options))


@pytest.mark.usefixtures("keen")
def test_a_checkpoint_with_a_name_has_states_visited_and_one_without_goes_away(tmp_path: Path) -> None:
    assert not by_sets(check("chang_roberts", n=4, checkpoint=tmp_path / "kept"))
    found = check("chang_roberts", n=4, checkpoint=Keeping(tmp_path / "folder", named=False, haste=1000))
    assert by_sets(found)
    assert not [file for file in (tmp_path / "folder").rglob("*") if file.is_file()]


@pytest.mark.usefixtures("keen")
def test_an_eventually_property_has_states_visited(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(EVENTUALLY)
    found = check(str(path), n=4)
    assert not by_sets(found)
    assert found.property("all_are_done").verdict != "inconclusive"


@pytest.mark.usefixtures("keen")
def test_where_sets_turn_out_not_to_decide_everything_states_are_visited(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(TOGGLES)

    assert check(str(path), engine="sets", n=3).verdict == "INCONCLUSIVE"
    found = check(str(path), n=3)
    assert not by_sets(found)
    assert words(found) == words(check(str(path), engine="reference", n=3))


@pytest.mark.usefixtures("keen")
def test_sets_that_cost_more_than_they_may_give_way_to_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preferring, "MOST", 1)
    found = check("chang_roberts", n=4)
    assert not by_sets(found)
    assert words(found) == words(check("chang_roberts", n=4, engine="reference"))


def test_the_first_world_says_how_many_states_the_others_have() -> None:
    """21 assignments are left after the first three with 4,000,000 states together: 28,000,000."""
    tally = Tally(4, 24, worlds=1, represented=3, states=4_000_000)
    with pytest.raises(ManyStatesError) as many:
        look_ahead(tally)
    assert many.value.allowed == 2_800_000
    look_ahead(Tally(4, 24, worlds=1, represented=3, states=1_000_000))
    look_ahead(Tally(4, 24, worlds=2, represented=6, states=100_000_000))  # it was decided before


def test_an_effort_ends_where_it_may_not_go_on() -> None:
    effort = Effort(250, size=4)
    effort.spend(100, 1)
    effort.turn(4)
    effort.spend(50, 0)
    with pytest.raises(TurnBackError):
        effort.spend(51, 0)
    effort.turn(5)  # as many as are ever allowed
    effort.spend(51, 0)
    Effort().spend(10**12, 10**12)


@pytest.mark.parametrize(("kind", "engines"), [("memory", ["auto", "sets", "auto"]), ("seconds", ["auto", "sets"])])
def test_memory_that_sets_would_need_is_no_reason_to_give_up(kind: Any, engines: list[str]) -> None:
    """Time is."""
    meter, asked = Meter(Limits()), []

    def searched(engine: Any, *, may_prefer: bool = False, effort: Effort | None = None) -> Any:
        assert meter.reached is None
        asked.append(engine)
        if may_prefer:
            raise ManyStatesError(3, 100)
        if effort is None:
            return "visited"
        meter.reached = Stopped(kind, 10)
        return type("Found", (), {"stopped": meter.reached})

    by_states_or_sets(searched, meter)
    assert asked == engines


def test_the_guide_says_from_where_on_and_at_what_cost() -> None:
    text = (Path(preferring.__file__).parents[2] / "guide" / "sets.md").read_text()
    assert f"more than {preferring.FROM:,}, and sets can decide" in text
    assert f"{preferring.MOST:,} nodes at most" in text
    assert (preferring.STATES, preferring.STATES * preferring.NODES) == (10, 1000)
    assert "a node is counted as ten states, a component with its wires as a thousand" in text
