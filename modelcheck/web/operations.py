"""What conditions do with values: comparing, joining, taking apart. Nothing here raises, whatever the values are."""

from __future__ import annotations

import dataclasses
import enum
import operator
from collections.abc import Callable
from typing import Any

from ..language.values import Id, Misuse, show
from ..semantics.components import State

Value = Callable[[State, Any], Any]  # of a state, and of the process or message that the condition is about
_ORDERS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def plain(value: Any) -> Any:
    """A value of a state as conditions compare it: identifiers as numbers, members of an enumeration as their names."""
    if isinstance(value, Id):
        return value._rank
    if isinstance(value, enum.Enum):
        return value.name
    if type(value) is tuple:
        return tuple(map(plain, value))
    if isinstance(value, frozenset):
        return frozenset(map(plain, value))
    return value


def part(value: Any, name: str) -> Any:
    """A field of a record (a message, a frozen dataclass, a NamedTuple); None of anything else."""
    named = isinstance(value, tuple) and name in getattr(value, "_fields", ())
    kept = dataclasses.is_dataclass(value) and name in (field.name for field in dataclasses.fields(value))
    return plain(getattr(value, name)) if named or kept else None


def item(value: Any, place: Any) -> Any:
    if isinstance(value, tuple) and isinstance(place, int) and -len(value) <= place < len(value):
        return plain(value[place])
    return None


def length(value: Any) -> int | None:
    return len(value) if isinstance(value, (tuple, frozenset, str)) else None


def minus(value: Any) -> Any:
    return -value if isinstance(value, int) else None


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, str) != isinstance(other, str):
        return (one if isinstance(one, str) else show(one)) == (other if isinstance(other, str) else show(other))
    try:
        return bool(one == other)
    except Misuse:  # a record with an identifier in it, and a tuple with a number there
        return False


def _compare(word: str, one: Any, other: Any) -> bool:
    if word in ("==", "is"):
        return _equal(one, other)
    if word in ("!=", "is not"):
        return not _equal(one, other)
    if word in ("in", "not in"):
        return _contains(other, one) == (word == "in")
    try:
        return bool(_ORDERS[word](one, other))
    except (TypeError, Misuse):
        return False


def _contains(whole: Any, value: Any) -> bool:
    if isinstance(whole, str):
        return isinstance(value, str) and value in whole
    return isinstance(whole, (tuple, frozenset)) and any(_equal(item, value) for item in whole)


def comparison(first: Value, others: list[tuple[str, Value]]) -> Value:
    def holds(state: State, one: Any) -> bool:
        left = first(state, one)
        for word, other in others:
            right = other(state, one)
            if not _compare(word, left, right):
                return False
            left = right
        return True

    return holds


def joined(parts: list[tuple[str, Value]]) -> Value:
    word = parts[-1][0]
    values = [part for _, part in parts]
    if word == "and":
        return lambda state, one: all(value(state, one) for value in values)
    if word == "or":
        return lambda state, one: any(value(state, one) for value in values)

    def total(state: State, one: Any) -> int | None:
        sum_so_far: int | None = None
        for sign, value in parts:
            number = value(state, one)
            if not isinstance(number, int):
                return None
            if sum_so_far is None:
                sum_so_far = number
            else:
                sum_so_far = {"+": operator.add, "-": operator.sub, "*": operator.mul}[sign](sum_so_far, number)
        return sum_so_far

    return total
