"""Searching by threads: no world is lost, no error unheard, and what was explored is told, whatever ends the search."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from modelcheck import Limits, SearchError, check
from modelcheck.book.counting import count_messages as count_by_world
from modelcheck.check import search as searching
from modelcheck.check import worker as exploring
from modelcheck.check.counting import count_messages
from modelcheck.check.request import read_request
from modelcheck.check.result import Result
from modelcheck.check.search import Search
from modelcheck.check.worker import Worker
from modelcheck.explore.compiled import layout
from modelcheck.explore.compiled.crew import Crew
from modelcheck.explore.exploration import Exploration
from modelcheck.explore.limits import Meter
from modelcheck.graph.one_world import one_world
from modelcheck.semantics.worlds import World, Worlds
from tests.protocols import GROWS

Write = Callable[..., str]
LONG = 60.0  # seconds that a test waits for a thread before it fails


def in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@pytest.fixture
def helper_first(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """The main thread explores nothing before a helper has come for a world; the event says that it has."""
    came = threading.Event()
    take = Search._take

    def taken(self: Search) -> tuple[World, int] | None:
        if in_main_thread() and len(self.workers) > 1:
            assert came.wait(LONG)
            return take(self)
        try:
            return take(self)
        finally:
            came.set()

    monkeypatch.setattr(Search, "_take", taken)
    return came


# --- errors in threads -----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("helper_first")
@pytest.mark.parametrize("error", [MemoryError("no room for the worlds"), RuntimeError("lost")])
def test_an_error_while_a_helper_looks_for_the_next_world_is_not_lost(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = Worlds.__iter__

    def breaking(self: Worlds) -> Iterator[World]:
        for world in worlds(self):
            if not in_main_thread():
                raise error
            yield world

    monkeypatch.setattr(Worlds, "__iter__", breaking)
    if isinstance(error, MemoryError):
        found = check("chang_roberts", n=4, engine="compiled", workers=2)
        assert (found.verdict, found.stopped) == ("INCONCLUSIVE", "no room for the worlds")
        return
    with pytest.raises(RuntimeError, match="lost"):
        check("chang_roberts", n=4, engine="compiled", workers=2)


def test_a_thread_that_dies_in_any_other_way_is_not_lost_either(monkeypatch: pytest.MonkeyPatch) -> None:
    def dying(_: Crew) -> None:
        if not in_main_thread():
            raise RuntimeError("died")

    monkeypatch.setattr(Crew, "help", dying)
    with pytest.raises(RuntimeError, match="died"):
        check("chang_roberts", n=4, engine="compiled", workers=2)


# --- all that there is -----------------------------------------------------------------------------------------------


@pytest.fixture
def a_world_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The enumeration forgets the last world of each size."""
    worlds = Worlds.__iter__
    monkeypatch.setattr(Worlds, "__iter__", lambda self: iter(list(worlds(self))[:-1]))


# Chang and Roberts on a ring of 4: 4! assignments, 4 of which are rotations of each world that is explored.
@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.usefixtures("a_world_left_out")
def test_nothing_holds_where_a_world_was_left_out(engine: Any) -> None:
    with pytest.raises(SearchError, match="the worlds explored at n=4 stand for 20 of 24 assignments"):
        check("chang_roberts", n=4, engine=engine)


@pytest.mark.usefixtures("a_world_left_out")
def test_what_was_found_is_said_where_a_world_was_left_out() -> None:
    with pytest.raises(SearchError, match="what was found: a violation"):
        check("chang_roberts", n=3, ids="any")


@pytest.mark.usefixtures("a_world_left_out")
def test_messages_are_not_exact_where_a_world_was_left_out() -> None:
    with pytest.raises(SearchError, match="20 of 24"):
        count_messages("chang_roberts", n=4)
    with pytest.raises(SearchError, match="20 of 24"):
        count_by_world(read_request("chang_roberts", n=4), Meter(Limits()), 1)


@pytest.mark.usefixtures("a_world_left_out")
def test_no_graph_is_drawn_as_one_without_violations_where_a_world_was_left_out() -> None:
    with pytest.raises(SearchError, match="20 of 24"):
        one_world(read_request("chang_roberts", n=4), Meter(Limits()), "auto")


def test_a_resumed_run_counts_what_the_worlds_of_both_runs_stand_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kept.json"
    first = check("chang_roberts", n=4, checkpoint=file, limits=Limits(max_states=150))
    assert first.kept is not None
    assert first.kept.worlds
    worlds = Worlds.__iter__
    monkeypatch.setattr(Worlds, "__iter__", lambda self: iter(list(worlds(self))[:-1]))
    with pytest.raises(SearchError, match="20 of 24"):
        check("chang_roberts", n=4, checkpoint=file, resume=True)


def test_a_run_stopped_by_a_limit_is_inconclusive_and_no_search_that_lost_a_world() -> None:
    found = check("chang_roberts", n=4, limits=Limits(max_states=150))
    assert found.verdict == "INCONCLUSIVE"
    assert found.represented < 24


def test_a_world_that_ends_early_without_any_reason_is_a_search_that_does_not_add_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    explore = Worker.explore

    def ending_early(self: Worker, world: World, order: int, *rest: Any) -> Exploration:
        found = explore(self, world, order, *rest)
        found.complete = found.complete and order != 3
        return found

    monkeypatch.setattr(Worker, "explore", ending_early)
    with pytest.raises(SearchError, match="6 worlds were handed out, and 5 were explored"):
        check("chang_roberts", n=4)


@pytest.mark.parametrize("field", ["transitions", "all_states", "all_terminals"])
def test_counts_that_no_exploration_can_have_are_no_verdict(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    add_up = Exploration.add_up

    def wrong(self: Exploration) -> None:
        setattr(self, field, 0)
        add_up(self)

    monkeypatch.setattr(Exploration, "add_up", wrong)
    with pytest.raises(SearchError, match="does not add up"):
        check("chang_roberts", n=3)


@pytest.mark.usefixtures("a_world_left_out")
def test_on_the_command_line_a_world_left_out_is_a_bug_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from modelcheck.cli import cli

    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(cli, ["run", "chang_roberts", "--n", "4"])
    assert found.exit_code == 70
    assert "HOLDS" not in found.output


# --- how far it came -------------------------------------------------------------------------------------------------


class BeginsAgain(Meter):
    """Is interrupted as soon as a world has fewer states than it had before."""

    most = 0

    def stop(self, states: int | None = None) -> bool:
        if states is not None and states < self.most:
            self.interrupted = True
        self.most = max(self.most, states or 0)
        return super().stop(states)


def test_a_world_begun_again_with_wider_slots_is_told_as_far_as_it_was_explored(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "MOST_BITS", layout.FEWEST_BITS)  # no slot has room to spare
    monkeypatch.setattr(layout, "packed", layout.packed.__wrapped__)  # and none is remembered that had
    meter = BeginsAgain(Limits(max_states=10**6))
    found = check(write(GROWS), n=1, engine="compiled", workers=1, meter=meter)
    assert found.stopped == "interrupted"
    assert found.states >= 32  # as many components as a slot of five bits has numbers for
    assert (found.transitions, found.depth) >= (found.states - 1, found.states - 1)


def test_a_world_begun_again_by_the_other_engine_is_told_as_far_as_it_was_explored(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploring, "PATIENCE", 50)
    meter = BeginsAgain(Limits(max_states=10**6))
    found = check(write(GROWS), n=1, workers=1, meter=meter)
    assert (found.stopped, found.states, found.depth) == ("interrupted", 51, 50)  # one more than it has patience for


class Forced(Meter):
    """A Ctrl-C that nobody heard: in the main thread, once there are so many states, in the middle of anything."""

    def __init__(self, states: int) -> None:
        super().__init__(Limits(max_states=10**6))
        self.wanted = states

    def stop(self, states: int | None = None) -> bool:
        super().stop(states)
        if self.states >= self.wanted and in_main_thread() and self.reached is None:
            self.reached = self.interruption
            raise KeyboardInterrupt
        return self.reached is not None


@pytest.mark.parametrize("workers", [1, 2])
def test_a_world_cut_short_by_force_is_told_as_far_as_it_was_explored(workers: int, write: Write) -> None:
    found = check(write(GROWS), n=1, engine="compiled", workers=workers, meter=Forced(500))
    assert (found.verdict, found.stopped) == ("INCONCLUSIVE", "interrupted")
    assert 500 <= found.states < 10**6


@pytest.mark.usefixtures("helper_first")
def test_so_is_the_world_of_a_helper_when_the_main_thread_is_stopped_by_force(write: Write) -> None:
    found = check(write(GROWS), n=1, engine="compiled", workers=2, meter=Forced(500))
    assert (found.verdict, found.stopped, found.worlds) == ("INCONCLUSIVE", "interrupted", 0)
    assert 500 <= found.states < 10**6


@pytest.mark.usefixtures("helper_first")
def test_a_world_whose_thread_does_not_end_is_counted_once_and_not_when_it_lands_later(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "WAIT", 0.0)
    explore, result_made, landed = Worker.explore, threading.Event(), threading.Event()

    def slow(self: Worker, world: World, order: int, *rest: Any) -> Exploration:
        found = explore(self, world, order, *rest)
        if not in_main_thread():
            assert result_made.wait(LONG)
        return found

    explore_one = Search._explore

    def told(self: Search, *args: Any) -> None:
        explore_one(self, *args)
        landed.set()

    monkeypatch.setattr(Worker, "explore", slow)
    monkeypatch.setattr(Search, "_explore", told)
    found = check(write(GROWS), n=1, engine="compiled", workers=2, meter=Forced(500))
    counted = found.states
    result_made.set()
    assert landed.wait(LONG)
    assert found.states == counted >= 500


# --- progress --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("helper_first")
def test_the_main_thread_shows_the_progress_of_a_world_that_a_helper_explores(write: Write) -> None:
    shown: list[int] = []

    def progress(meter: Meter) -> None:
        assert in_main_thread()
        shown.append(meter.states)
        meter.interrupted = len(shown) > 2

    found = check(
        write(GROWS),
        n=1,
        engine="compiled",
        workers=2,
        progress=progress,
        limits=Limits(max_states=10**9, max_seconds=LONG),
    )
    assert found.stopped == "interrupted"
    assert shown[-1] > 0


def test_progress_counts_the_states_of_all_threads_once() -> None:
    meter = Meter(Limits())
    meter.stop(10)
    other = threading.Thread(target=lambda: (meter.stop(5), meter.stop(7)))
    other.start()
    other.join()
    assert not meter.stop()
    assert meter.states == 17
    meter.landed(12, 30)  # the world of this thread, which is done
    assert not meter.stop(1)
    assert (meter.states, meter.transitions) == (12 + 7 + 1, 30)


def test_the_limit_on_states_is_on_those_of_all_threads() -> None:
    meter = Meter(Limits(max_states=100))
    assert not meter.stop(60)
    reached: list[bool] = []
    other = threading.Thread(target=lambda: reached.append(meter.stop(60)))
    other.start()
    other.join()
    assert reached == [True]
    assert meter.reached == "the limit of 100 states was reached"


def test_what_is_done_of_all_is_known_at_every_moment() -> None:
    done: list[tuple[int, int]] = []

    class Watching(Meter):
        def landed(self, states: int, transitions: int) -> None:
            super().landed(states, transitions)
            done.append((self.represented, self.to_represent))

    meter = Watching(Limits())
    found: Result = check("chang_roberts", n=4, engine="compiled", workers=2, meter=meter)
    assert found.verdict == "HOLDS"
    assert sorted(done) == [
        (4 * k, 24) for k in range(6)
    ]  # before each of six worlds, for four assignments each, is added
    assert meter.represented == 24
