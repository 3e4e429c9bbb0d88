"""What is known of worlds that are done: in any order, as plain data, and merged with what is known of others."""

from __future__ import annotations

import json
from typing import Any

import pytest

from modelcheck.check.memory import Done, Memory, Route
from modelcheck.check.request import Request, read_request
from modelcheck.check.search import Search
from modelcheck.count.ranges import Range
from modelcheck.count.tally import Tally, Unreduced
from modelcheck.explore.limits import Limits, Meter
from modelcheck.semantics.lockstep import system_for


def a_world() -> Tally:
    """That stands for six assignments."""
    return Tally(
        3, 0, worlds=1, represented=6, states=10, transitions=20, terminal_states=1, depth=5, turned=1,
        unreduced=Unreduced(30, 60, 3), sent=Range(2, 4, 6, 12, 24),
    )  # fmt: skip


def test_worlds_are_done_in_any_order() -> None:
    done = Done()
    for order in (2, 4, 1, 5, 3, 7):
        assert order not in done
        done.add((order,), a_world())
        assert order in done
        assert Done.read(json.loads(json.dumps(done.data()))) == done
    assert (done.upto, done.beyond, done.worlds) == (5, {7}, 6)
    assert (done.sizes[3].states, done.sizes[3].worlds, done.sizes[3].represented) == (60, 6, 36)
    assert (done.sizes[3].depth, done.sizes[3].transitions, done.sizes[3].terminal_states) == (5, 120, 6)
    assert (done.sizes[3].turned, done.sizes[3].unreduced) == (6, Unreduced(180, 360, 18))
    assert done.sizes[3].sent == Range(2, 4, 36, 72, 144)


def test_worlds_that_two_searches_have_done_are_done() -> None:
    one, other = Done(), Done()
    for order in (1, 3, 4):
        one.add((order,), a_world())
    for order in (2, 7):
        other.add((order,), a_world())
    one.merge(other)
    assert (one.upto, one.beyond, one.worlds) == (4, {7}, 5)
    assert (one.sizes[3].states, one.sizes[3].worlds) == (50, 5)
    assert Done.read(json.loads(json.dumps(one.data()))) == one


def test_a_world_that_two_searches_have_done_is_not_counted_twice() -> None:
    one, other = Memory(), Memory()
    for memory in (one, other):
        memory.done.add((2,), a_world())
    with pytest.raises(ValueError, match="searched twice"):
        one.merge(other)


def test_of_two_counterexamples_the_shorter_is_kept_and_of_equal_ones_that_of_the_first_world() -> None:
    short, first, long = Route(9, 0, (1,), "", None), Route(3, 0, (1, 2), "", None), Route(1, 0, (1, 2, 3), "", None)
    one = Memory(violations={"a": long, "b": Route(8, 0, (1, 2), "", None), "c": long})
    one.merge(Memory(violations={"a": short, "b": first, "d": short}))
    assert one.violations == {"a": short, "b": first, "c": long, "d": short}


def test_what_either_of_two_searches_met_ran_or_found_is_known() -> None:
    route, other = Route(1, 0, (1,), "", None), Route(2, 0, (1,), "", None)
    one = Memory(seconds=2.0, improbable={"a": route}, met={"a": {"x"}}, steps={"s"}, lines={1})
    one.merge(
        Memory(seconds=3.0, failed=True, improbable={"b": other}, met={"a": {"y"}, "b": {"z"}}, steps={"t"}, lines={2})
    )
    assert one == Memory(
        seconds=5.0,
        failed=True,
        improbable={"a": route, "b": other},
        met={"a": {"x", "y"}, "b": {"z"}},
        steps={"s", "t"},
        lines={1, 2},
    )


def test_that_what_a_property_met_varied_is_written_down() -> None:
    """Two of the values are enough for that."""
    assert [len(Memory(met={"a": met}).data()["met"]["a"]) for met in ({"x"}, {"x", "y"}, {"x", "y", "z"})] == [1, 2, 2]


# --- shares of the worlds, searched apart ----------------------------------------------------------------------------


def known(request: Request, share: range | None = None) -> Memory:
    """What a search of these worlds knows in the end."""
    system = system_for(request.model.definition, request.settings)
    search = Search(system, request.properties, Meter(Limits()), "reference", share=share)
    search.run_all(request, [])
    return Memory.read(json.loads(json.dumps(search.known.memory().data())))


def timeless(memory: Memory) -> dict[str, Any]:
    """Without the time, and of what a property met how much it is: of more than two any two are kept."""
    data = memory.data()
    return data | {"seconds": 0, "met": {name: len(met) for name, met in data["met"].items()}}


@pytest.mark.parametrize(
    "asked",
    [
        {"model": "chang_roberts", "n": (2, 4)},  # 1 and 6 worlds
        {"model": "chang_roberts", "n": 3, "ids": "any"},  # violations
        {"model": "itai_rodeh", "n": (2, 3)},  # lassos of probability 0
    ],
    ids=lambda asked: " ".join(map(str, asked.values())),
)
def test_two_halves_of_the_worlds_searched_apart_come_to_what_one_search_comes_to(asked: dict[str, Any]) -> None:
    request = read_request(**asked)
    odd, even = known(request, range(1, 1000, 2)), known(request, range(2, 1000, 2))
    whole = known(request)
    assert 0 < odd.done.worlds < whole.done.worlds
    odd.merge(even)
    assert timeless(odd) == timeless(whole)
