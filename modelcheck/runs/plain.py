"""Values of a state as plain data: without the model's own types, so that they can be written down and read back.

    None, bool, int, str    as they are; an identifier is its number, a port too, a member of an enum its name. What cannot
                            be written down is a text: half of a character its number, a very long number its hex form
    tuple                   a tuple of such values
    Members                 a set, in canonical order
    Record                  a message, a frozen dataclass or a NamedTuple: its type's name, and its fields by name

What a trace shows to people are texts (`values.show`); from a text nobody can tell the number 1 from the string "1".
"""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import dataclass
from typing import Union

from ..language.values import Id, is_long, member_name, order, writable

Plain = Union[None, bool, int, str, tuple["Plain", ...], "Members", "Record"]


@dataclass(frozen=True)
class Members:
    """A set."""

    items: tuple[Plain, ...]


@dataclass(frozen=True)
class Record:
    """A value with named parts, such as a message."""

    name: str
    fields: tuple[tuple[str, Plain], ...]


def plain(value: object) -> Plain:
    """A value of a state as plain data. Raises TypeError for what no state can hold."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, enum.Enum):  # before numbers and strings, which it may be as well
        return member_name(value)
    if isinstance(value, str):
        return writable(str(value))
    if isinstance(value, Id):
        return value._rank
    if isinstance(value, int):
        return hex(value) if is_long(value) else int(value)
    if isinstance(value, frozenset):
        return Members(tuple(plain(item) for item in sorted(frozenset.__iter__(value), key=order)))
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return _record(value, value._fields)
        return tuple(plain(item) for item in value)
    if dataclasses.is_dataclass(value):
        return _record(value, [field.name for field in dataclasses.fields(value)])
    raise TypeError(f"a {type(value).__name__} is no part of a state")


def _record(value: object, names: tuple[str, ...] | list[str]) -> Record:
    return Record(type(value).__name__, tuple((name, plain(getattr(value, name))) for name in names))
