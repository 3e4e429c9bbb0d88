"""The values a model may hold: immutable, hashable, typed, and in one fixed order.

A state is compared exactly, so every value in it must be immutable and must not equal a value of another type
(`1 == True` in Python: a field that may hold either would merge two states). Both are checked where a value
enters a state, and refused with the remedy.
"""

from __future__ import annotations

import copy
import dataclasses
import enum
import itertools
import types
import typing
from collections.abc import Callable, Iterable
from functools import cache, lru_cache, total_ordering
from typing import Any, ClassVar, Literal, NoReturn, Union, get_args, get_origin


class Misuse(Exception):
    """A rule of the language broken inside a step; the executor adds file, line, step and state."""

    def __init__(self, what: str, cause: str = "", remedy: str = "") -> None:
        super().__init__(what)
        self.what, self.cause, self.remedy = what, cause, remedy


@total_ordering
class Id:
    """A process identifier: it can be compared with identifiers and sent, and nothing else.

    That is what makes it sound to explore one world for each *order type*: a protocol that only compares cannot
    tell 1, 2, 3 from 10, 20, 30. A protocol that must compute with identifiers declares `knows = ("integers",)`
    and gets plain integers, at the price of that reduction.
    """

    __slots__ = ("_rank",)
    _rank: int
    texts: ClassVar[int] = 0  # how often one was made into text: what does so is looked at twice (semantics/renaming.py)

    def __init__(self, rank: int) -> None:
        object.__setattr__(self, "_rank", rank)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise Misuse("an identifier cannot be changed", "", "make a field of your own for what changes")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Id):
            return self._rank == other._rank
        if isinstance(other, (int, float)):
            _opaque("compared with a number")
        return False

    def __lt__(self, other: object) -> bool:
        if isinstance(other, Id):
            return self._rank < other._rank
        if isinstance(other, (int, float)):
            _opaque("compared with a number")
        if other is None:
            raise Misuse(
                "an identifier was compared with None",
                "a field that starts as None is compared before it is set",
                "test `is None` first",
            )
        return NotImplemented

    def __hash__(self) -> int:
        return 1_000_003 * (self._rank + 1)

    def __repr__(self) -> str:
        Id.texts += 1
        return str(self._rank)

    def __reduce__(self) -> tuple[type[Id], tuple[int]]:
        return Id, (self._rank,)


def _opaque(how: str) -> NoReturn:
    raise Misuse(
        f"an identifier was {how}",
        "identifiers are opaque: a protocol may compare them with each other and send them, nothing else",
        'declare knows = ("integers",) if the protocol really computes with identifiers',
    )


def _refuse(name: str) -> Callable[..., NoReturn]:
    def method(*_: object) -> NoReturn:
        _opaque(f"used in arithmetic or as a number ({name})")

    return method


for _name in [
    "add",
    "radd",
    "sub",
    "rsub",
    "mul",
    "rmul",
    "truediv",
    "rtruediv",
    "floordiv",
    "rfloordiv",
    "mod",
    "rmod",
    "pow",
    "rpow",
    "divmod",
    "rdivmod",
    "neg",
    "pos",
    "abs",
    "and",
    "rand",
    "or",
    "ror",
    "xor",
    "rxor",
    "lshift",
    "rlshift",
    "rshift",
    "rrshift",
    "invert",
    "int",
    "float",
    "index",
    "round",
    "trunc",
    "floor",
    "ceil",
]:
    setattr(Id, f"__{_name}__", _refuse(_name))


class Port(int):
    """A numbered port of one process; on a ring the ports have names. Usable as an index into a tuple."""

    name: str

    def __new__(cls, number: int, name: str = "") -> Port:
        port = super().__new__(cls, number)
        port.name = name or f"port {number}"
        return port

    def __setattr__(self, name: str, value: object) -> None:
        if "name" in self.__dict__:
            raise Misuse(f"a port was given {name} = {show(value)}", "ports are shared by all states", "use a field")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__

    def __reduce__(self) -> tuple[type[Port], tuple[int, str]]:
        return Port, (int(self), self.name)


NEXT = Port(0, "next")
PREVIOUS = Port(1, "previous")


# --- immutability ------------------------------------------------------------------------------------------------


def frozen(value: object) -> object:
    """`value` as it may stand in a state; sets come back iterating in canonical order.

    Raises Misuse for anything mutable, with the immutable type to use instead.
    """
    if value is None or isinstance(value, (bool, int, str, Id, enum.Enum)):
        return value
    if isinstance(value, tuple) and (type(value) is tuple or hasattr(value, "_fields")):
        items: list[Any] = [frozen(item) for item in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return tuple(items) if type(value) is tuple else type(value)(*items)
    if isinstance(value, SortedSet):
        return value
    if isinstance(value, frozenset):
        # built in order, so that equal sets are laid out equally and whatever is derived from them iterates alike
        return SortedSet(sorted((frozen(item) for item in value), key=order))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        if value.__dataclass_params__.frozen:  # type: ignore[attr-defined]
            inner = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
            changed = {name: new for name, old in inner.items() if (new := frozen(old)) is not old}
            if changed:
                value = copy.copy(value)
                for name, new in changed.items():
                    object.__setattr__(value, name, new)
            return value
        raise Misuse(f"{value!r} can change", "the dataclass is not frozen", "write @dataclass(frozen=True)")
    instead = {list: "a tuple", set: "a frozenset", dict: "a tuple indexed by port, or a frozenset of pairs"}
    for kind, use in instead.items():
        if isinstance(value, kind):
            raise Misuse(
                f"a value of type {kind.__name__} cannot be part of a state: {value!r}",
                "a state must never change after it was stored",
                f"use {use}",
            )
    if isinstance(value, float):
        raise Misuse(f"a float cannot be part of a state: {value!r}", "rounding merges states", "use integers")
    raise Misuse(
        f"a value of type {type(value).__name__} cannot be part of a state: {value!r}",
        "the checker cannot know that it never changes",
        "use numbers, strings, enums, Ids, messages, tuples, frozensets or frozen dataclasses",
    )


class SortedSet(frozenset[Any]):
    """A frozenset that iterates in canonical order, and so do sets made of it: no result depends on the hash seed."""

    def __iter__(self) -> Any:
        in_order = self.__dict__.get("in_order")
        if in_order is None:
            in_order = self.__dict__["in_order"] = tuple(sorted(super().__iter__(), key=order))
        return iter(in_order)

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self)) + "}"

    def __reduce__(self) -> tuple[Any, ...]:
        return SortedSet, (tuple(self),)


def _sorted_result(name: str) -> Callable[..., Any]:
    plain = getattr(frozenset, name)

    def method(self: SortedSet, *others: Any) -> Any:
        result = plain(self, *others)
        return SortedSet(sorted(result, key=order)) if isinstance(result, frozenset) else result

    return method


for _name in ["__or__", "__ror__", "__and__", "__rand__", "__sub__", "__rsub__", "__xor__", "__rxor__"]:
    setattr(SortedSet, _name, _sorted_result(_name))
for _name in ["union", "intersection", "difference", "symmetric_difference", "copy"]:
    setattr(SortedSet, _name, _sorted_result(_name))


def order(value: object) -> tuple[Any, ...]:
    """A sort key under which any two values of a state are comparable, the same in every run."""
    if isinstance(value, Id):
        return ("Id", value._rank)
    if isinstance(value, enum.Enum):
        return ("enum", type(value).__name__, value.name)
    if isinstance(value, int):
        return ("int", int(value))
    if isinstance(value, tuple):
        return ("tuple", len(value), tuple(order(item) for item in value))
    if isinstance(value, frozenset):
        if isinstance(value, SortedSet):  # which is in this order already
            return ("set", len(value), tuple(order(item) for item in value))
        return ("set", len(value), tuple(sorted(order(item) for item in frozenset.__iter__(value))))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _order_of_record(value)  # type: ignore[arg-type]
    return (type(value).__name__, str(value))


@lru_cache(1 << 16)  # a protocol has few messages, and sets of them are sorted again and again
def _order_of_record(value: Any) -> tuple[Any, ...]:
    fields = tuple(order(getattr(value, f.name)) for f in dataclasses.fields(value))
    return ("record", type(value).__name__, type(value).__module__, fields)


class Renaming:
    """Replaces every identifier in a value; `new` must keep their order. What became of a record is remembered: a protocol
    has few messages, and they stand in many states."""

    def __init__(self, new: Callable[[Id], Id]) -> None:
        self.new = new
        self._records: dict[int, tuple[Any, Any]] = {}  # by the identity of the record, which is kept alive

    def __call__(self, value: Any) -> Any:
        if isinstance(value, Id):
            return self.new(value)
        if isinstance(value, (bool, int, str)) or value is None:
            return value
        if isinstance(value, tuple):
            items = [self(item) for item in value]
            return tuple(items) if type(value) is tuple else type(value)(*items)
        if isinstance(value, frozenset):
            return frozen(frozenset(self(item) for item in frozenset.__iter__(value)))
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._record(value)
        return value

    def _record(self, value: Any) -> Any:
        known = self._records.get(id(value))
        if known is None:
            fields = (f.name for f in dataclasses.fields(value) if f.init)
            anew = dataclasses.replace(value, **{name: self(getattr(value, name)) for name in fields})
            known = self._records[id(value)] = (value, anew)
        return known[1]


def in_order(options: Iterable[Any]) -> Iterable[Any]:
    """Options in the author's order; sets, which have none, in canonical order."""
    return sorted(options, key=order) if isinstance(options, (set, frozenset)) else options


def show(value: object) -> str:
    """A value as a trace prints it: sets in order, strings bare, nothing of the checker's own types."""
    if isinstance(value, str):
        return value
    if isinstance(value, frozenset):
        return "{" + ", ".join(show(item) for item in sorted(frozenset.__iter__(value), key=order)) + "}"
    if isinstance(value, tuple) and type(value) is tuple:
        return "(" + ", ".join(map(show, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, enum.Enum):
        return value.name
    return repr(value)


# --- types -------------------------------------------------------------------------------------------------------


def check_annotation(annotation: Any) -> None:
    """Raises Misuse unless `annotation` is one whose values a state can hold without confusion."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        for arg in args:
            check_annotation(arg)
        for one, other in itertools.combinations(args, 2):
            if _may_be_equal(one, other):
                raise Misuse(
                    f"a field may not be {type_name(one)} or {type_name(other)}",
                    "their values can be equal though they differ (1, True and port 1 in Python; a NamedTuple and a tuple), so "
                    "states that differ would be merged",
                    "give the field one of these types",
                )
    elif origin is Literal:
        numeric = {type(arg).__name__ for arg in args if isinstance(arg, int)}
        if len(numeric) > 1:
            raise Misuse("a Literal may not mix numbers and booleans", "1 == True in Python", "use strings")
    elif origin in (tuple, frozenset):
        for arg in args:
            if arg is not Ellipsis:
                check_annotation(arg)
    elif annotation in (tuple, frozenset):
        raise Misuse(
            f"the type {annotation.__name__} does not say what it contains",
            "",
            f"write {annotation.__name__}[Id, ...] or the like",
        )
    elif annotation in (None, type(None), bool, int, str, Id, Port) or (
        isinstance(annotation, type) and issubclass(annotation, enum.Enum)
    ):
        pass
    elif isinstance(annotation, type) and (fields := _record_fields(annotation)) is not None:
        if not _compares_all(annotation):
            raise Misuse(
                f"the type {annotation.__name__} decides itself what is equal",
                "states whose values differ would be merged",
                "leave __eq__, __hash__, eq and compare as they are",
            )
        try:
            for inner in fields.values():
                check_annotation(inner)
        except RecursionError:
            raise Misuse(
                f"the type {annotation.__name__} contains itself", "its values could grow without end", "use a tuple"
            ) from None
    else:
        name = getattr(annotation, "__name__", str(annotation))
        instead = {"list": "tuple[..., ...]", "set": "frozenset[...]", "dict": "a tuple indexed by port"}
        bare = name.split("[")[0]
        raise Misuse(
            f"the type {annotation if origin else name} cannot be part of a state",
            "its values can change, or the checker cannot tell its values apart exactly",
            f"use {instead[bare]}"
            if bare in instead
            else "use bool, int, str, Id, Port, Literal, enums, messages, tuple[...], frozenset[...] and unions of these",
        )


def conforms(value: object, annotation: Any) -> bool:
    """Whether `value` has the type `annotation`, which check_annotation has accepted."""
    return _test_for(annotation)(value)


@cache
def _test_for(annotation: Any) -> Callable[[Any], bool]:
    """The test whether a value is of this type; looked up once, for values are tested at every assignment."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return lambda value: any(type(value) is type(arg) and value == arg for arg in args)
    inner = [_test_for(arg) for arg in args if arg is not Ellipsis]
    if origin in (Union, types.UnionType):
        return lambda value: any(test(value) for test in inner)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return lambda value: type(value) is tuple and all(map(inner[0], value))
    if origin is tuple:
        return lambda value: (
            type(value) is tuple
            and len(value) == len(inner)
            and all(test(item) for test, item in zip(inner, value, strict=True))
        )
    if origin is frozenset:
        return lambda value: isinstance(value, frozenset) and all(map(inner[0], frozenset.__iter__(value)))
    if annotation is None:
        return lambda value: value is None
    if annotation in (int, str):
        return lambda value: type(value) is annotation
    return lambda value: isinstance(value, annotation) and _fields_conform(value)


def _fields_conform(value: Any) -> bool:
    return all(test(getattr(value, name)) for name, test in _field_tests(value.__class__))


@cache
def _field_tests(kind: type) -> tuple[tuple[str, Callable[[Any], bool]], ...]:
    return tuple((name, _test_for(inner)) for name, inner in (_record_fields(kind) or {}).items())


def type_name(annotation: Any) -> str:
    """An annotation as its author wrote it, more or less."""
    plain = isinstance(annotation, type) and not get_args(annotation)
    return annotation.__name__ if plain else str(annotation).replace("typing.", "").replace(f"{__name__}.", "")


def _may_be_equal(one: Any, other: Any) -> bool:
    """Whether a value of one type can equal a value of the other without being the same, or cannot be compared."""
    origins = get_origin(one), get_origin(other)
    for this, that in ((one, other), (other, one)):
        if get_origin(this) in (Union, types.UnionType):
            return any(_may_be_equal(arg, that) for arg in get_args(this))
        if get_origin(this) is Literal:
            return any(_may_be_equal(type(arg), that) for arg in get_args(this))
    if origins == (tuple, tuple) or origins == (frozenset, frozenset):
        inner = [[arg for arg in get_args(kind) if arg is not Ellipsis] for kind in (one, other)]
        return any(_may_be_equal(a, b) for a in inner[0] for b in inner[1])
    kinds = [origin or kind for origin, kind in zip(origins, (one, other), strict=True)]
    if one == other or not all(isinstance(kind, type) for kind in kinds):
        return False
    numbers = [issubclass(kind, (int, Id)) for kind in kinds]  # an Id refuses to be compared with a number
    return any(all(issubclass(kind, family) for kind in kinds) for family in (str, tuple)) or all(numbers)


def _compares_all(kind: type) -> bool:
    """Whether values of a record type are equal exactly when all their fields are."""
    if issubclass(kind, tuple):
        return kind.__eq__ is tuple.__eq__ and kind.__hash__ is tuple.__hash__
    generated = [getattr(getattr(kind, name), "__code__", None) for name in ("__eq__", "__hash__")]
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    return all(code is not None and code.co_filename == "<string>" for code in generated) and all(
        field.compare and field.hash is not False for field in fields
    )


@cache
def _record_fields(kind: type) -> dict[str, Any] | None:
    """Field types of a frozen dataclass (a message is one) or a NamedTuple; None for anything else."""
    is_dataclass = dataclasses.is_dataclass(kind) and kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    if is_dataclass or (issubclass(kind, tuple) and hasattr(kind, "_fields")):
        return typing.get_type_hints(kind)
    return None
