"""Which values a state may hold: those that are immutable and no more than what the checker compares.

A state is compared exactly, so two of its values that a step can tell apart must not be equal. Python's equality does not
promise that: `1 == True`, a class can say what is equal to it, and an object can carry attributes that no comparison sees.
So every value is taken by its exact type, at every depth, and a class is admitted only where its equality sees all that its
values can hold. Everything else is refused, with the remedy: at the declaration where it can be seen there, else where the
value enters a state.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import itertools
import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from operator import is_
from typing import Any, Literal, NoReturn, Union, get_args, get_origin

from .classes import attributes, check_class, membership, refuse, restore
from .values import Id, Misuse, Port, SortedSet, field_names, identity, order, record, show, sorted_set

Test = Callable[[Any], bool]
Settle = Callable[[Any], Any]  # a value as it stands in a state, or Misuse

ATOMS = frozenset((type(None), bool, int, str, Id, Port))
INSTEAD = {
    "list": "a tuple, such as tuple[int, ...]: self.seen = (*self.seen, x)",
    "set": "frozenset[...]: self.seen |= {x}",
    "dict": "a tuple indexed by port, or frozenset[tuple[KEY, VALUE]]",
    "float": "int, in whole units",
}
CAUSES = {
    "float": "sums that should be equal differ by rounding, and each would be a state of its own",
    **dict.fromkeys(
        ("list", "set", "dict"), "its values can change, and a state must never change after it was stored"
    ),
}


# --- values ------------------------------------------------------------------------------------------------------


class Known:
    """The records that were found fit for a state, which need not be looked at again: each with what it held then, which it must hold for
    ever. Many states hold the same ones, in sets most of all."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[Any, dict[str, Any]]] = {}  # by identity: each is kept alive

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, value: object) -> bool:
        return identity(value) in self._held

    def holds(self, values: Iterable[object]) -> bool:
        """Whether all of these are known."""
        return self._held.keys() >= set(map(identity, values))

    def keep(self, values: Iterable[Any]) -> None:
        """From now on the records among these values are known, and those within them. They are `frozen`."""
        for value in values:
            kind: Any = type(value)
            if kind in ATOMS or identity(value) in self._held:
                continue
            if kind is SortedSet:
                if not self.holds(value.items()):
                    self.keep(value.items())
            elif isinstance(value, tuple):
                self.keep(tuple.__iter__(value))
            elif dataclasses.is_dataclass(kind):
                held = attributes(value).copy()
                self.keep(held.values())
                self._held[identity(value)] = value, held

    def changed(self) -> list[Any]:
        """The records that are not what they were."""
        known = [*self._held.values()]
        return _changed([value for value, _ in known], [held for _, held in known])


def frozen(value: Any, known: Known | None = None) -> Any:
    """`value` as it may stand in a state; sets come back iterating in canonical order.

    Raises Misuse for anything that can change or holds more than its equality sees, with what to use instead.
    """
    kind = type(value)
    if kind is int or kind is bool or kind is str or kind is Id or kind is Port or value is None:
        return value
    if kind is tuple:
        items = [frozen(item, known) for item in value]
        return value if all(map(is_, items, value)) else tuple(items)
    if kind is SortedSet:
        if known is not None and known.holds(value.items()):
            return value
        items = [frozen(item, known) for item in value.items()]
        return value if all(map(is_, items, value.items())) else SortedSet(items)
    if kind is frozenset:
        # built in order, so that equal sets are laid out equally and whatever is derived from them iterates alike
        return sorted_set(sorted((frozen(item, known) for item in value), key=order))
    if known is not None and value in known:
        return value
    return admitted(kind, value)(value)


def conforms(value: object, annotation: Any) -> bool:
    """Whether a value that is `frozen` has the type `annotation`, which check_annotation has accepted."""
    return _test_for(annotation)(value)


class Guard:
    """Watches over the records among some values, which Python lets one change in place in spite of all: other states hold
    them too. Their contents are compared by identity."""

    def __init__(self, values: Iterable[Any]) -> None:
        self._records: list[Any] = []
        self._before: list[dict[str, Any]] = []
        self.values = tuple(values)
        self._enter(self.values)

    def _enter(self, values: Iterable[Any]) -> None:
        for value in values:
            kind: Any = type(value)
            if kind is SortedSet:
                self._enter(value.items())
            elif isinstance(value, tuple):
                self._enter(tuple.__iter__(value))
            elif kind not in ATOMS and (names := _records_within(kind)) is not None:
                held = attributes(value).copy()
                self._records.append(value)
                self._before.append(held)
                if names:
                    self._enter([held[name] for name in names])

    def changed(self) -> list[Any]:
        """The records that are not what they were. They are again what they were afterwards."""
        return _changed(self._records, self._before)


def _changed(records: list[Any], before: list[dict[str, Any]]) -> list[Any]:
    """The records that do not hold what they held before. They hold it again afterwards."""
    now = [*map(attributes, records)]
    if [*map(tuple, now)] == [*map(tuple, before)] and all(map(is_, _contents(now), _contents(before))):
        return []
    found = []
    for value, holds, held in zip(records, now, before, strict=True):
        if [*holds] != [*held] or not all(map(is_, holds.values(), held.values())):
            found.append(value)
            restore(value, held)
    return found


def _contents(dictionaries: Iterable[dict[str, Any]]) -> Iterator[Any]:
    return itertools.chain.from_iterable(map(dict.values, dictionaries))


@cache
def _records_within(kind: Any) -> tuple[str, ...] | None:
    """The fields of a dataclass that may hold records themselves; None for what is none."""
    fields = field_types(kind) if dataclasses.is_dataclass(kind) else None
    return None if fields is None else tuple(name for name, inner in fields.items() if holds_records(inner))


@cache
def _test_for(annotation: Any) -> Test:
    """The test whether a value is of this type; looked up once, for values are tested at every assignment."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        options = {(type(arg), arg) for arg in args}
        return lambda value: (type(value), value) in options
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
        if isinstance(args[0], type) and get_origin(args[0]) is None:  # what is tested most often, at once
            kinds = itertools.repeat(args[0])
            return lambda value: type(value) is SortedSet and all(map(is_, map(type, value.items()), kinds))
        return lambda value: type(value) is SortedSet and all(map(inner[0], value.items()))
    if annotation is None:
        return lambda value: value is None
    return lambda value: type(value) is annotation


# --- annotations -------------------------------------------------------------------------------------------------


def check_annotation(annotation: Any, within: tuple[type, ...] = ()) -> None:
    """Raises Misuse unless `annotation` is one whose values a state can hold without confusion.

    `within` are the classes in whose fields it stands.
    """
    origin, args = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        for arg in args:
            check_annotation(arg, within)
        for one, other in itertools.combinations(args, 2):
            if _may_be_equal(one, other):
                raise Misuse(
                    f"a field may not be {type_name(one)} or {type_name(other)}",
                    "their values can be equal though they differ (1, True and port 1 in Python; a NamedTuple and a tuple), so "
                    "states that differ would be merged",
                    "give the field one of these types",
                )
    elif origin is Literal:
        for arg in args:
            check_annotation(type(arg), within)
        for one, other in itertools.combinations({type(arg) for arg in args}, 2):
            if _may_be_equal(one, other):
                raise Misuse(
                    "a Literal may not mix numbers and booleans, or texts and enums that are texts",
                    "1 == True in Python",
                    "use strings",
                )
    elif origin in (tuple, frozenset):
        for arg in args:
            if arg is not Ellipsis:
                check_annotation(arg, within)
    elif annotation is tuple or annotation is frozenset:
        raise Misuse(
            f"the type {annotation.__name__} does not say what it contains",
            "",
            f"write {annotation.__name__}[Id, ...] or the like",
        )
    elif annotation is not None and not any(annotation is kind for kind in ATOMS):
        if not isinstance(annotation, type) or not _is_admissible(annotation):
            name = getattr(annotation, "__name__", str(annotation))
            bare = name.split("[")[0]
            raise Misuse(
                f"the type {_spelled(annotation) if origin else name} cannot be part of a state",
                CAUSES.get(bare, "its values can change, or the checker cannot tell its values apart exactly"),
                f"use {INSTEAD[bare]}"
                if bare in INSTEAD
                else "use bool, int, str, Id, Port, Literal, enums, messages, tuple[...], frozenset[...] and unions of these",
            )
        _admit(annotation, within)


def _spelled(annotation: Any) -> str:
    """An annotation as a model writes it: without the modules that its names come from."""
    return re.sub(r"(?:\w+\.)+(?=\w)", "", str(annotation))


def kinds_in(annotation: Any) -> Iterator[type]:
    """The classes of the model that an annotation names, at every depth, innermost last."""
    for arg in get_args(annotation):
        yield from kinds_in(type(arg) if get_origin(annotation) is Literal else arg)
    if isinstance(annotation, type) and annotation not in ATOMS and _is_admissible(annotation):
        yield annotation
        if not issubclass(annotation, enum.Enum):
            for inner in field_types(annotation).values():
                yield from kinds_in(inner)


def holds_records(annotation: Any) -> bool:
    """Whether values of this type may be or contain objects that Python lets one change in spite of all."""
    return any(dataclasses.is_dataclass(kind) for kind in kinds_in(annotation))


def type_name(annotation: Any) -> str:
    """An annotation as its author wrote it, more or less."""
    plain = isinstance(annotation, type) and not get_args(annotation)
    own = (__name__, Id.__module__)
    text = annotation.__name__ if plain else str(annotation).replace("typing.", "")
    return functools.reduce(lambda short, module: short.replace(f"{module}.", ""), own, text)


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


# --- classes -----------------------------------------------------------------------------------------------------

# By the identity of the class, for before it is admitted its metaclass may say what is equal to it.
_ADMITTED: dict[int, tuple[type, Settle]] = {}


def admitted(kind: type, value: object = None) -> Settle:
    """What makes a value of this class fit for a state. Raises Misuse where the class is none a state can hold."""
    known = _ADMITTED.get(identity(kind))
    if known is not None:
        return known[1]
    if not _is_admissible(kind):
        _refuse_value(kind, value)
    return _admit(kind, ())


def _refuse_value(kind: type, value: object) -> NoReturn:
    if dataclasses.is_dataclass(kind):
        raise Misuse(f"{show(value)} can change", "the dataclass is not frozen", "write @dataclass(frozen=True)")
    instead = {list: "a tuple", set: "a frozenset", dict: "a tuple indexed by port, or a frozenset of pairs"}
    for mutable, use in instead.items():
        if issubclass(kind, mutable):
            raise Misuse(
                f"a value of type {mutable.__name__} cannot be part of a state: {show(value)}",
                "a state must never change after it was stored",
                f"use {use}",
            )
    if issubclass(kind, property):
        raise Misuse("a property is no variable of a process", "states hold values", "set it in the steps instead")
    if issubclass(kind, float):
        raise Misuse(f"a float cannot be part of a state: {show(value)}", "rounding merges states", "use integers")
    for plain in (str, Port, int, Id, tuple, frozenset):
        if issubclass(kind, plain):
            raise Misuse(
                f"a value of type {kind.__name__} cannot be part of a state: {show(value)}",
                f"the type is derived from {plain.__name__}: its values equal others that are not the same",
                f"use {plain.__name__} itself",
            )
    raise Misuse(
        f"a value of type {kind.__name__} cannot be part of a state: {show(value)}",
        "the checker cannot know that it never changes",
        "use numbers, strings, enums, Ids, messages, tuples, frozensets or frozen dataclasses",
    )


def _is_admissible(kind: type) -> bool:
    """Whether it is of a sort that a state can hold: an enum, a frozen dataclass (a message is one), a NamedTuple."""
    if dataclasses.is_dataclass(kind):
        return bool(kind.__dataclass_params__.frozen)  # type: ignore[attr-defined]
    return issubclass(kind, enum.Enum) or (issubclass(kind, tuple) and hasattr(kind, "_fields"))


def _admit(kind: type, within: tuple[type, ...]) -> Settle:
    if identity(kind) in _ADMITTED:
        return _ADMITTED[identity(kind)][1]
    if any(kind is outer for outer in within):
        raise Misuse(
            f"the type {kind.__name__} contains itself", "its values could grow without end", "use a tuple"
        ) from None
    check_class(kind)
    if issubclass(kind, enum.Enum):
        settle = _of_enum(kind)
    else:
        for name, inner in field_types(kind).items():
            try:
                check_annotation(inner, (*within, kind))
            except Misuse as misuse:
                raise Misuse(f"{kind.__name__}.{name}: {misuse.what}", misuse.cause, misuse.remedy) from None
        settle = _of_named_tuple(kind) if issubclass(kind, tuple) else _of_dataclass(kind)
    _ADMITTED[identity(kind)] = (kind, settle)
    return settle


def type_hints(kind: type) -> dict[str, Any]:
    """The annotations of a class and its bases. Raises Misuse where one is no type."""
    try:
        return typing.get_type_hints(kind)
    except NameError as error:
        what, remedy = "an annotation names a type that is not there", "import or define it"
        raise Misuse(f"{kind.__name__}: {error}", what, remedy) from None
    except (SyntaxError, TypeError) as error:
        raise Misuse(f"{kind.__name__}: {error}", "an annotation is no type", "correct it") from None


def field_types(kind: Any) -> dict[str, Any]:
    """The annotations of the fields of a frozen dataclass or a NamedTuple. Raises Misuse where a field has none."""
    hints = type_hints(kind)
    names = kind._fields if issubclass(kind, tuple) else field_names(kind)
    if not set(names) <= hints.keys():
        refuse(kind, "it does not say of what types its fields are", "write class P(NamedTuple): x: int")
    return {name: hints[name] for name in names}


def _of_enum(kind: type[enum.Enum]) -> Settle:
    is_member = membership(kind)

    def settle(value: Any) -> Any:
        if not is_member(value):
            raise Misuse(
                f"{show(value)} is no member of {kind.__name__}", "it was made past the enum", "use its members"
            )
        return value

    return settle


def _of_named_tuple(kind: type) -> Settle:
    tests = [_test_for(annotation) for annotation in field_types(kind).values()]

    def settle(value: Any) -> Any:
        items = [frozen(item) for item in value]
        if len(items) != len(tests):
            raise Misuse(
                f"{kind.__name__} was made of {len(items)} values", f"it has {len(tests)} fields", "call its class"
            )
        if not all(test(item) for test, item in zip(tests, items, strict=True)):
            _refuse_fields(kind, dict(zip(field_types(kind), items, strict=True)))
        return value if all(map(is_, items, value)) else tuple.__new__(kind, items)

    return settle


def _of_dataclass(kind: type) -> Settle:
    names = field_names(kind)
    tests = [
        (name, annotation if annotation in ATOMS else None, _test_for(annotation))
        for name, annotation in field_types(kind).items()
    ]

    def settle(value: Any) -> Any:
        held = attributes(value)
        if len(held) != len(tests):
            _refuse_hidden(value, names)
        changed = {}
        for name, atom, test in tests:
            try:
                old = held[name]
            except KeyError:
                _refuse_hidden(value, names)
            if type(old) is not atom:
                new = frozen(old)
                if not test(new):
                    _refuse_fields(kind, {name: new})
                if new is not old:
                    changed[name] = new
        return record(kind, {**held, **changed}) if changed else value

    return settle


def _refuse_hidden(value: Any, names: tuple[str, ...]) -> NoReturn:
    held = attributes(value)
    extra = [name for name in held if name not in names]
    raise Misuse(
        f"{type(value).__name__}.{extra[0]} is no field"
        if extra
        else f"{type(value).__name__}.{next(name for name in names if name not in held)} has no value",
        "values that differ in it would be merged" if extra else "the value was made past its class",
        f"declare {extra[0]} as a field, or leave it out" if extra else f"call {type(value).__name__}(...)",
    )


def _refuse_fields(kind: type, fields: dict[str, Any]) -> NoReturn:
    annotations = field_types(kind)
    name = next(name for name, value in fields.items() if not conforms(value, annotations[name]))
    raise mismatch(f"{kind.__name__}.{name}", fields[name], annotations[name])


def _ports_within(value: object) -> Iterator[Port]:
    """The ports in a value, within tuples and sets."""
    if isinstance(value, Port):
        yield value
    elif isinstance(value, (tuple, frozenset)):
        for item in value:
            yield from _ports_within(item)


def mismatch(what: str, value: object, annotation: Any) -> Misuse:
    """What is wrong where `what` is declared as `annotation` and was given `value`."""
    kind = type(value)
    declared = [base for base in (annotation, *get_args(annotation)) if isinstance(base, type) and base is not object]
    base = next((base for base in declared if not get_args(base) and base is not kind and issubclass(kind, base)), None)
    derived = f", which is derived from {base.__name__} and is another type" if base else ""
    name = kind.__qualname__ if kind.__name__ == type_name(annotation) else kind.__name__
    port = next(_ports_within(value), None)
    if port is not None and kind is not Port and "Port" not in type_name(annotation):
        return Misuse(
            f"{what} is declared as {type_name(annotation)} and was given {show(value)}",
            f"a Port is in it, {port}, which is no int",
            f"declare it with Port, or put in int(port), which is {int(port)}",
        )
    remedy = "change the value, or the declared type"
    if kind is bool and what == "the field leader":
        remedy = 'write self.leader = self.id, or note in self.status that it is the "leader"'
    elif kind is Id and int in declared:
        remedy = "declare it as Id"
    elif kind is int and Id in declared:
        remedy = "an identifier is no number: begin with None, and test for `is None`"
    return Misuse(
        f"{what} is declared as {type_name(annotation)} and was given {show(value)}",
        f"the value is of type {name}{derived}",
        remedy,
    )
