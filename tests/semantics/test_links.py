"""Links that hold little: the newest message of each type, or no more than so many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import UsageError, check
from modelcheck.check.result import Result
from modelcheck.runs.causality import flights
from tests.conftest import Explored
from tests.semantics.test_system import FIRST, HEARS, heard, received

Explore = Callable[..., list[Explored]]
Run = Callable[..., Result]

BEATS = """
class Beat(Message):
    pass
class Beats(Process):
    topology = one_way_ring
    networks = ("newest", "fifo", "bag")
    identifiers = "none"
    specs = ()
    @initiate
    def beat(self):
        self.send(NEXT, Beat())
    @receive(Beat)
    def hear(self, message):
        pass
"""
TALKS = """
class Word(Message):
    x: int
class Other(Message):
    pass
class Talks(Process):
    topology = one_way_ring
    networks = ("newest", "fifo")
    identifiers = "none"
    said: bool = False
    got: tuple[str, ...] = ()
    @initiate
    def talk(self):
        self.require(not self.said)
        self.said = True
        self.send(NEXT, Word(1))
        self.send(NEXT, Other())
        self.send(NEXT, Word(2))
    @receive(Word, Other)
    def hear(self, message):
        self.got = (*self.got, repr(message))
"""


def test_the_newest_message_takes_the_place_of_one_that_waits(explored: Explore) -> None:
    assert received(explored, (1, 2, 1), network="newest") == {(1,)}
    assert received(explored, (2, 3), network="newest") == {(3,)}


def test_each_type_has_a_place_of_its_own_and_messages_come_in_the_order_of_sending(explored: Explore) -> None:
    (world,) = explored(TALKS, 2, FIRST, network="newest")
    assert {fields[1][1] for fields in world.endings} == {("Other()", "Word(2)")}


def test_heartbeats_without_end_have_finitely_many_states(explored: Explore) -> None:
    """A beat waits, or none does; p1 may send another in both, and p2 receive it in one."""
    (world,) = explored(BEATS, 2, FIRST, network="newest")
    assert world.counts == (2, 3, 0, 1)


@pytest.mark.parametrize("network", ["fifo", "bag"])
def test_and_so_they_have_on_links_of_bounded_capacity(explored: Explore, network: str) -> None:
    """None waits, one, two or three: then another is lost, which changes nothing."""
    (world,) = explored(BEATS, 2, FIRST, network=network, capacity=3)
    assert world.counts == (4, 7, 0, 3)


def test_what_is_sent_on_a_full_link_is_lost(explored: Explore) -> None:
    assert received(explored, (1, 2, 1), network="fifo", capacity=2) == {(1, 2)}
    assert received(explored, (1, 2, 1), network="bag", capacity=2) == {(1, 2), (2, 1)}
    assert received(explored, (1, 2, 1), network="fifo", capacity=3) == {(1, 2, 1)}


def test_equal_messages_that_merge_take_one_place(explored: Explore) -> None:
    assert received(explored, (1, 1, 2, 3), network="set", capacity=2) == {(1, 2), (2, 1)}


def test_a_full_link_has_no_room_for_a_copy(explored: Explore) -> None:
    assert received(explored, (1,), network="fifo", capacity=1, duplications=1) == {(1,)}
    assert received(explored, (1,), network="fifo", capacity=2, duplications=1) == {(1,), (1, 1)}


def test_the_word_of_the_detector_comes_over_a_full_link(explored: Explore) -> None:
    """p1 sends 2 and 1 in one step."""
    assert heard(explored(HEARS, 2, FIRST, crashes=1, capacity=1)) == {("2",), ("2", "Down"), ("Down",)}


def test_the_word_of_the_detector_takes_no_place_from_a_message(explored: Explore) -> None:
    """p1 is suspected before it speaks: the first of its two messages finds room behind Down."""
    assert heard(explored(HEARS, 2, FIRST, suspicions=1, capacity=1)) == {("2",), ("Down", "2"), ("2", "Down")}


def test_a_run_says_what_was_lost_on_a_full_link_and_what_was_replaced(run: Run) -> None:
    """Word(1) is there no more when Word(2) is sent; with room for one message the two others never arrive."""
    text = TALKS + "\n@at_the_end\ndef silence(view):\n    return not any(p.got for p in view.processes)\n"
    full, newest = (
        run(text, n=2, initiators="1", property="silence", **asked)
        for asked in ({"network": "fifo", "capacity": 1}, {"network": "newest"})
    )
    for result, fates in ((full, ["received", "lost", "lost"]), (newest, ["lost", "received", "received"])):
        (found,) = (prop for prop in result.properties if prop.name == "silence")
        assert found.trace is not None
        assert [flight.fate for flight in flights(found.trace)] == fates
    (shown,) = (prop.trace for prop in full.properties if prop.name == "silence" and prop.trace)
    assert [send.across for send in shown.steps[0].sent] == ["", "lost", "lost"]


@pytest.mark.parametrize("engine", ["reference", "compiled", "sets"])
@pytest.mark.parametrize("asked", [{"network": "newest"}, {"network": "bag", "capacity": 2}], ids=str)
def test_every_engine_finds_the_same_states(run: Run, engine: str, asked: dict[str, Any]) -> None:
    """A link is of as many states as for one that beats alone, and two of them of the product: 2 * 2 and 3 * 3."""
    result = run(BEATS, n=2, symmetry=False, engine=engine, **asked)
    assert result.verdict == "HOLDS"
    assert result.states == (4 if asked["network"] == "newest" else 9)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"network": "newest", "duplications": 1}, "a copy would take the place of its original"),
        ({"network": "newest", "schedule": "lockstep"}, "--network newest has no meaning in lock-step"),
        ({"capacity": 1, "schedule": "lockstep"}, "--capacity has no meaning in lock-step"),
        ({"capacity": -1}, "--capacity must not be negative"),
    ],
)
def test_what_means_nothing_on_such_links_is_refused(asked: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        check("chang_roberts", n=2, **asked)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"network": "newest"}, "what is sent takes the place of what waits"),
        ({"capacity": 1}, "on a link of bounded capacity a message is lost or not"),
    ],
)
def test_such_links_are_not_reduced_and_the_report_says_why(asked: dict[str, Any], why: str) -> None:
    assert why in str(check("chang_roberts", n=3, reduce="order", **asked))


def test_a_run_is_repeated_with_the_capacity_of_its_links() -> None:
    result = check("chang_roberts", n=2, ids="1,2", network="newest", capacity=1)
    assert list(result.options) == ["--network", "newest", "--capacity", "1"]
