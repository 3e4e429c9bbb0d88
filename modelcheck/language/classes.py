"""Which classes have values that are no more than their equality sees: what an enum, a frozen dataclass (a message is one)
and a NamedTuple must be for two of their values that a step can tell apart never to be equal.

Everything here raises Misuse, with the remedy, where a class is not of that sort.
"""

from __future__ import annotations

import dataclasses
import enum
import struct
import types
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, NoReturn

from .values import Misuse, field_names, identity

HEAP_TYPE = 1 << 9  # the flag of a class that is not built into Python
PICTURED = ("co_code", "co_names", "co_consts")  # what a function does, whatever it is called and wherever it stands


def check_class(kind: type) -> None:
    """Raises Misuse unless the values of this class are no more than its equality sees."""
    # with a metaclass of its own it could pass for another class wherever classes are compared
    if any(getattr(type(kind), name) is not getattr(type, name) for name in ("__eq__", "__hash__")):
        refuse(kind, "the class of this class decides what is equal to it", "use a plain class")
    if issubclass(kind, enum.Enum):
        _check_enum(kind)
        return
    _check_body(kind)
    if issubclass(kind, tuple):
        _check_named_tuple(kind)
    else:
        _check_dataclass(kind)


def refuse(kind: type, cause: str, remedy: str) -> NoReturn:
    raise Misuse(f"the type {kind.__name__} cannot be part of a state", cause, remedy)


def _refuse_equality(kind: type) -> NoReturn:
    raise Misuse(
        f"the type {kind.__name__} decides itself what is equal",
        "states whose values differ would be merged",
        "leave __eq__, __hash__, eq and compare as they are, and decorate a class that is derived from a dataclass too",
    )


# --- enums -------------------------------------------------------------------------------------------------------


def _check_enum(kind: type[enum.Enum]) -> None:
    hashes = (enum.Enum.__hash__, int.__hash__, str.__hash__)
    if kind.__eq__ not in (object.__eq__, int.__eq__, str.__eq__) or kind.__hash__ not in hashes:
        _refuse_equality(kind)
    members = kind.__members__.values()  # under every name, so a member may stand there twice
    if not members:
        refuse(kind, "this enum has no members", "name the enum whose members are meant")
    if issubclass(kind, enum.Flag):
        if issubclass(kind, int) and any(int(flag) != flag._value_ for flag in members):
            refuse(kind, "its members equal other numbers than their values", "leave __new__ out")
    elif len(set(members)) < len(set(map(id, members))):
        refuse(kind, "two of its members are equal", "give each member a value of its own")


def membership(kind: type[enum.Enum]) -> Callable[[Any], bool]:
    """The test whether a value of this class is one of its members, or a combination of flags."""
    if issubclass(kind, enum.Flag):
        flags = kind._value2member_map_  # which grows with every combination that is met
        return lambda value: flags.get(getattr(value, "_value_", None)) is value
    genuine = set(map(identity, kind.__members__.values()))
    return lambda value: identity(value) in genuine


# --- classes with fields -----------------------------------------------------------------------------------------


def _check_body(kind: type) -> None:
    """Nothing in the class makes its values other than their fields, or keeps something beside them."""
    decisive = {"__class__", "__getattribute__", "__ne__"}
    if issubclass(kind, tuple):
        decisive |= {"__iter__", "__len__", "__getitem__"}
    for base in kind.__mro__:
        if not base.__flags__ & HEAP_TYPE:
            continue
        for name, item in vars(base).items():
            if name in decisive:
                refuse(kind, f"{base.__name__} defines {name}", f"leave {name} out")
            if isinstance(item, cached_property):
                refuse(kind, f"the cached property {name} stores into its values", f"make {name} a property")
            changes = isinstance(item, (list, dict, set, bytearray))
            if changes and not name.startswith("__") and name != "_field_defaults":
                refuse(kind, f"{name} can change and is no field", f"make {name} a constant tuple, or a field")


def _check_named_tuple(kind: type) -> None:
    if kind.__eq__ is not tuple.__eq__ or kind.__hash__ is not tuple.__hash__:  # type: ignore[comparison-overlap]
        _refuse_equality(kind)
    if kind.__bases__ != (tuple,) or kind.__dictoffset__ or kind.__basicsize__ != tuple.__basicsize__:
        cause = "it is no plain NamedTuple: its values equal those of another class, or can hold more than their fields"
        refuse(kind, cause, "derive it from NamedTuple alone, or write a frozen dataclass")


def _check_dataclass(kind: Any) -> None:
    names = field_names(kind)
    if not _equality_is_generated(kind, names):
        _refuse_equality(kind)
    if not _holds_only(kind, names):
        refuse(kind, "its values can hold more than its fields", "declare all of it as fields of a plain class")
    if kind.__new__ is not object.__new__:
        refuse(kind, "it defines __new__", "leave __new__ out")


def _equality_is_generated(kind: Any, names: tuple[str, ...]) -> bool:
    """Whether @dataclass has written __eq__ and __hash__ for just these fields: they are what it writes for a class that has
    these fields and nothing else."""
    for name, its in _generated(names).items():
        method = getattr(kind, name)
        own = getattr(method, "__code__", None)
        if own is None or any(getattr(own, part) != getattr(its, part) for part in PICTURED):
            return False
        if {"hash", "NotImplemented"} & method.__globals__.keys():  # what they take for Python's own is the model's
            return False
    return True


@cache
def _generated(names: tuple[str, ...]) -> dict[str, types.CodeType]:
    twin = dataclasses.make_dataclass("Twin", names, frozen=True)
    return {name: getattr(twin, name).__code__ for name in ("__eq__", "__hash__")}


def _holds_only(kind: type, names: tuple[str, ...]) -> bool:
    """Whether there is room in a value for these fields and nothing else: in its slots and its dictionary, which is looked at
    in each value. The arithmetic is that of object.__reduce_ex__, which pickles nothing whose room it cannot account for."""
    slots = slots_of(kind)
    words = len(slots) + (kind.__dictoffset__ > 0) + (kind.__weakrefoffset__ > 0)
    if kind.__itemsize__ or kind.__basicsize__ != object.__basicsize__ + words * struct.calcsize("P"):
        return False
    declared = {name: item for base in reversed(kind.__mro__) for name, item in vars(base).items()}
    elsewhere = [name for name in names if hasattr(type(declared.get(name)), "__set__") and name not in slots]
    room = [vars(base)["__dict__"] for base in kind.__mro__ if "__dict__" in vars(base)]
    return (
        len(set(slots)) == len(slots)
        and set(slots) <= set(names)
        and not elsewhere
        and all(isinstance(item, types.GetSetDescriptorType) for item in room)
    )


def attributes(value: Any) -> dict[str, Any]:
    """Whatever a value of a dataclass carries, by name."""
    kind: Any = type(value)
    slots = slots_of(kind)
    if not slots:
        return value.__dict__  # type: ignore[no-any-return]
    return {**getattr(value, "__dict__", {}), **{name: getattr(value, name) for name in slots if hasattr(value, name)}}


def restore(value: Any, before: dict[str, Any]) -> None:
    """Gives a value of a dataclass these attributes and no others."""
    for name in [*attributes(value)]:
        object.__delattr__(value, name)
    for name, item in before.items():
        object.__setattr__(value, name, item)


@cache
def slots_of(kind: Any) -> tuple[str, ...]:
    """The slots of a class and its bases."""
    return tuple(
        name
        for base in kind.__mro__
        for name, item in vars(base).items()
        if isinstance(item, types.MemberDescriptorType)
    )
