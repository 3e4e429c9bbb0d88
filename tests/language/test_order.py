"""One order of all values that a state may hold: the same in every run, and two values share a place only if they are one."""

from __future__ import annotations

from enum import Enum, Flag, IntEnum, IntFlag, StrEnum
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelcheck import NEXT, PREVIOUS, Message, Port
from modelcheck.language.kinds import frozen
from modelcheck.language.values import Id, Renaming, identical, order


class Pair(NamedTuple):
    x: int
    y: str


class Mood(Enum):
    calm = "angry"
    angry = "calm"


class Level(IntEnum):
    low = 0
    high = 1


class Tint(StrEnum):
    red = "red"


class Way(Flag):
    up = 1
    down = 2


class Red:
    class Token(Message):
        v: int


class Blue:
    class Token(Message):
        v: int
        rest: frozenset[str] = frozenset()


class Rights(IntFlag):
    read = 1
    write = 2


ATOMS = (
    *(None, False, True, -1, 0, 1, 2, "", "0", "red", "None", Id(0), Id(1), Id(2), NEXT, PREVIOUS, Port(0), Port(1)),
    *(*Mood, *Level, *Tint, *Way, Way.up | Way.down, Rights(0), Rights(1), Rights(8), Rights(9)),
    *(
        Pair(0, "x"),
        Pair(1, "x"),
        Red.Token(0),
        Red.Token(1),
        Blue.Token(0),
        Blue.Token(0, frozenset("x")),
        Blue.Token(1),
    ),
)


def with_containers_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(inner, st.lists(inner, max_size=3).map(tuple), st.frozensets(inner, max_size=3))


VALUES = with_containers_of(with_containers_of(st.sampled_from(ATOMS))).map(frozen)


def same(one: Any, other: Any) -> bool:
    """Equal and of equal types, all through. (An identifier refuses to be compared with a number.)"""
    if type(one) is not type(other):
        return False
    if type(one) is tuple:
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, frozenset):
        return len(one) == len(other) and all(any(same(a, b) for b in other) for a in one)
    return bool(one == other)


def test_no_two_of_these_values_share_a_place_in_the_order() -> None:
    for one, other in product(ATOMS, repeat=2):
        assert (order(one) == order(other)) == same(one, other) == identical(one, other)
        assert (order(one) < order(other)) + (order(other) < order(one)) == (not same(one, other))


@given(VALUES, VALUES)
def test_two_values_share_a_place_in_the_order_exactly_when_they_are_the_same(one: Any, other: Any) -> None:
    assert (order(one) == order(other)) == same(one, other) == identical(one, other)
    assert (order(one) < order(other)) + (order(other) < order(one)) == (not same(one, other))


@given(st.frozensets(VALUES, max_size=6))
def test_a_set_iterates_in_the_order_of_its_elements(values: frozenset[Any]) -> None:
    keys = [order(value) for value in frozen(values)]
    assert keys == sorted(keys)


@pytest.mark.parametrize("one", [(0, 8), (8, 0)])
def test_a_set_made_of_one_in_order_iterates_as_that_of_an_equal_one(one: tuple[int, int]) -> None:
    """Python's sets keep 0 and 8 in one place of their table, and then in the order in which they came."""
    assert list(set(frozen(frozenset(one)))) == list(set(frozen(frozenset(reversed(one))))) == [0, 8]


@given(VALUES)
def test_a_renaming_of_identifiers_and_its_inverse_leave_every_value_as_it_was(value: Any) -> None:
    there, back = Renaming(lambda one: Id(one._rank + 5)), Renaming(lambda one: Id(one._rank - 5))
    assert identical(back(there(value)), value)
    assert type(there(value)) is type(value)


@pytest.mark.parametrize(
    "name", ["__or__", "__ror__", "__and__", "__sub__", "__rsub__", "__xor__", "union", "difference", "intersection"]
)
@pytest.mark.parametrize("other", [(), (1,), (2, 3), (1, 2, 3), (True, 0), (9, 5, 7)])
def test_operations_on_sets_in_order_give_what_they_give_on_any_sets_elements_of_one_type_and_all(
    name: str, other: tuple[int, ...]
) -> None:
    own = (3, 1, 2)
    result = getattr(frozen(frozenset(own)), name)(frozenset(other))
    plain = getattr(frozenset(own), name)(frozenset(other))
    assert sorted(map(order, result)) == sorted(map(order, plain))
    assert [order(value) for value in result] == sorted(order(value) for value in result)
