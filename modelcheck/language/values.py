"""The values a state is made of beside Python's own, the one order they stand in, and how they are shown.

Which values a state may hold at all is said in kinds.py.
"""

from __future__ import annotations

import dataclasses
import enum
from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, total_ordering
from typing import Any, ClassVar, NoReturn

# What tells an object from all others that live: as id, which raises an audit event at each call, that a hook (reads.py) is told of.
identity: Callable[[Any], int] = object.__hash__


class Misuse(Exception):
    """A rule of the language broken inside a step; the executor adds file, line, step and state, where it is not known `where`."""

    def __init__(self, what: str, cause: str = "", remedy: str = "", *, where: str = "") -> None:
        super().__init__(what)
        self.what, self.cause, self.remedy, self.where = what, cause, remedy, where


@total_ordering
class Id:
    """A process identifier: it can be compared with identifiers and sent, and nothing else.

    That is what makes it sound to explore one world for each *order type*: a protocol that only compares cannot
    tell 1, 2, 3 from 10, 20, 30. A protocol that must compute with identifiers declares `knows = ("integers",)`
    and gets plain integers, at the price of that reduction.
    """

    __slots__ = ("_rank",)
    _rank: int
    texts: ClassVar[int] = (
        0  # how often one was made into text: what does so is looked at twice (semantics/renaming.py)
    )

    def __init__(self, rank: int) -> None:
        _write_rank(self, rank)

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


_write_rank = Id.__dict__["_rank"].__set__
Id._rank = property(Id.__dict__["_rank"].__get__)  # type: ignore[assignment, misc]  # to be read and nothing else


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
    """A numbered port of one process; where all processes agree on directions it has a name. Usable as an index into a tuple.

    Only the checker gives names, so that a port is all that it shows: `NEXT` is no `Port(0)`.
    """

    __slots__ = ()  # nothing can be kept in a port

    def __new__(cls, number: int, name: str = "") -> Port:
        if name:
            raise Misuse(
                f"a port was made with the name {name!r}",
                "a port that has another's number and not its name would be taken for that one",
                "use self.ports, NEXT or PREVIOUS, NORTH and so on, dimension(k) or chord(k)",
            )
        return _port(int(number))

    @property
    def name(self) -> str:
        return _names.get(identity(self)) or f"port {int(self)}"

    @property
    def written(self) -> str:
        """How a model writes it: `NEXT`, `dimension(2)`; nothing for one that has no more than its number."""
        named = _names.get(identity(self), "")
        word, _, number = named.partition(" ")
        return f"{word}({number})" if number else word.upper()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise Misuse(f"a port was given {name} = {show(value)}", "ports are shared by all states", "use a field")

    def __eq__(self, other: object) -> bool:
        return self is other or (
            int.__eq__(self, other) is True and (type(other) is not Port or self.name == other.name)
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__

    def __reduce__(self) -> str | tuple[Callable[[int], Port], tuple[int]]:
        word, _, number = _names.get(identity(self), "").partition(" ")
        return word.upper() if word and not number else (_MAKERS.get(word, Port), (int(self),))


@lru_cache(1 << 12)  # a port that is looked up is found at once where it is the same object
def _port(number: int) -> Port:
    return int.__new__(Port, number)


_names: dict[int, str] = {}  # of the ports that have one, by identity; they are never given up
_named: dict[str, Port] = {}
MOST_NAMED = 1_000  # dimensions, and how far a chord leads


def _called(name: str, number: int) -> Port:
    port = _named.setdefault(name, int.__new__(Port, number))  # two threads may both come here
    _names[identity(port)] = name
    return port


def dimension(number: int) -> Port:
    """The port of a process on an oriented hypercube that leads along a dimension, from 1 on."""
    return _numbered("dimension", number)


def chord(distance: int) -> Port:
    """The port that leads so many processes further on around an oriented complete graph or chordal ring."""
    return _numbered("chord", distance)


def _numbered(word: str, number: int) -> Port:
    known = _named.get(f"{word} {number}") if type(number) is int else None
    if known is None and (not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= MOST_NAMED):
        raise Misuse(
            f"there is no {word}({show(number)})", "these ports are numbered from 1", f"write {word}(1), and so on"
        )
    return known or _called(f"{word} {int(number)}", int(number))


_MAKERS: dict[str, Callable[[int], Port]] = {"dimension": dimension, "chord": chord}

NEXT, PREVIOUS = _called("next", 0), _called("previous", 1)
NORTH, EAST, SOUTH, WEST = (_called(name, k) for k, name in enumerate(("north", "east", "south", "west")))


def port_called(name: str, number: int) -> Port | None:
    """The port of this number that goes by this name; None where there is none."""
    word, _, rest = name.partition(" ")
    if word in _MAKERS and rest == str(number) and 1 <= number <= MOST_NAMED:
        return _MAKERS[word](number)
    port = _named.get(name, Port(number))
    return port if (int(port), port.name) == (number, name) else None


# --- sets --------------------------------------------------------------------------------------------------------


class SortedSet(frozenset[Any]):
    """A frozenset that iterates in canonical order, and so do sets made of it: no result depends on the hash seed."""

    __slots__ = ("_items",)
    _items: tuple[Any, ...]

    def __iter__(self) -> Any:
        return iter(self.items())

    def items(self) -> tuple[Any, ...]:
        """Its elements, in canonical order."""
        try:
            return self._items
        except AttributeError:
            items = tuple(sorted(super().__iter__(), key=order))
            _write_items(self, items)
            return items

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise Misuse(
            f"a set was given {name} = {show(value)}", "nothing would tell it from an equal set", "use a field"
        )

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self)) + "}"

    def __reduce__(self) -> tuple[Any, ...]:
        return SortedSet, (self.items(),)


def sorted_set(items: Sequence[Any]) -> SortedSet:
    """The set of these elements, which stand in canonical order."""
    made = SortedSet(items)
    if len(made) == len(items):
        _write_items(made, tuple(items))
    return made


_write_items = SortedSet.__dict__["_items"].__set__
SortedSet._items = property(SortedSet.__dict__["_items"].__get__)  # type: ignore[assignment]


# Operations on a set of which the result has all or some of its elements, and equal ones of the others only where it has none.
KEEPING = ("__or__", "__sub__", "union", "difference", "copy")


def _sorted_result(name: str) -> Callable[..., Any]:
    plain = getattr(frozenset, name)

    def method(self: SortedSet, *others: Any) -> Any:
        result = plain(self, *others)
        if not isinstance(result, frozenset):
            return result
        if name not in KEEPING:
            return sorted_set(sorted(result, key=order))
        if len(result) == len(self):
            return self  # which has the same elements, the very same
        kept = {*map(identity, frozenset.__iter__(result))}
        items = [item for item in self.items() if identity(item) in kept]
        for item in result.difference(self) if len(result) > len(items) else ():
            insort(items, item, key=order)
        return sorted_set(items)

    return method


for _name in ["__or__", "__ror__", "__and__", "__rand__", "__sub__", "__rsub__", "__xor__", "__rxor__"]:
    setattr(SortedSet, _name, _sorted_result(_name))
for _name in ["union", "intersection", "difference", "symmetric_difference", "copy"]:
    setattr(SortedSet, _name, _sorted_result(_name))


def order(value: Any) -> tuple[Any, ...]:
    """A sort key under which any two values of a state are comparable, the same in every run.

    Two values have the same key exactly when they are equal and of the same type, all through, as long as no two of their
    classes have the same qualified name (kinds.py refuses those).
    """
    kind = type(value)
    if kind is Id:
        return ("Id", value._rank)
    if kind is int or kind is bool or kind is str:
        return (kind.__name__, value)
    if value is None:
        return ("None",)
    if kind is tuple:
        return ("tuple", len(value), tuple(map(order, value)))
    if kind is SortedSet:
        return ("set", len(value), tuple(map(order, value)))
    if kind is frozenset:
        return ("set", len(value), tuple(sorted(map(order, value))))
    if kind is Port:
        return ("port", int(value), value.name)
    named = (kind.__name__, kind.__qualname__, kind.__module__)
    if isinstance(value, enum.Enum):
        return ("enum", *named, value._value_ if isinstance(value, enum.Flag) else value._name_)
    if isinstance(value, tuple):
        return ("named tuple", *named, tuple(map(order, tuple.__iter__(value))))
    if dataclasses.is_dataclass(kind):
        return _order_of_record(value)
    return (kind.__name__, str(value))  # no state holds it, but a set of options may until it is refused


@lru_cache(1 << 16)  # a protocol has few messages, and sets of them are sorted again and again
def _order_of_record(value: Any) -> tuple[Any, ...]:
    kind = type(value)
    fields = tuple(order(getattr(value, name)) for name in field_names(kind))
    return ("record", kind.__name__, kind.__qualname__, kind.__module__, fields)


def in_order(options: Iterable[Any]) -> Iterable[Any]:
    """Options in the author's order; sets, which have none, in canonical order."""
    if not isinstance(options, (set, frozenset)):
        return options
    by_key = {order(option): option for option in options}
    if len(by_key) < len(options):
        one = next(option for option in options if by_key[order(option)] is not option)
        raise Misuse(
            f"there is no order between {show(one)} and {show(by_key[order(one)])}",
            f"they are of two types, both called {type(one).__qualname__}",
            "give each type a name of its own",
        )
    return [by_key[key] for key in sorted(by_key)]


def identical(one: object, other: object) -> bool:
    """Whether two values are equal and of the same type, all through: `1 == True`, but they are not identical."""
    return one is other or order(one) == order(other)


# --- renaming ----------------------------------------------------------------------------------------------------


class Renaming:
    """Replaces every identifier in a value; `new` must keep their order. What became of a record is remembered: a protocol
    has few messages, and they stand in many states."""

    def __init__(self, new: Callable[[Id], Id]) -> None:
        self.new = new
        self._records: dict[int, tuple[Any, Any]] = {}  # by the identity of the record, which is kept alive

    def __call__(self, value: Any) -> Any:
        kind = type(value)
        if kind is Id:
            return self.new(value)
        if value is None or isinstance(value, (int, str, enum.Enum)):
            return value
        if kind is tuple:
            return tuple(map(self, value))
        if isinstance(value, tuple):
            return tuple.__new__(kind, map(self, tuple.__iter__(value)))
        if kind is SortedSet:
            known = self._records
            items = [known[identity(item)][1] if identity(item) in known else self(item) for item in value.items()]
            return sorted_set(items)  # which stay in order, as the identifiers do
        if isinstance(value, frozenset):
            return sorted_set(sorted(map(self, frozenset.__iter__(value)), key=order))
        return self._record(value)

    def _record(self, value: Any) -> Any:
        known = self._records.get(identity(value))
        if known is None:
            kind = type(value)
            anew = record(kind, {name: self(getattr(value, name)) for name in field_names(kind)})
            known = self._records[identity(value)] = (value, anew)
        return known[1]


def _field_names(kind: Any) -> tuple[str, ...]:
    """The fields of a dataclass, which a message is too."""
    return tuple(field.name for field in dataclasses.fields(kind))


field_names: Callable[[Any], tuple[str, ...]] = cache(_field_names)


def record(kind: type, fields: dict[str, Any]) -> Any:
    """A value of a dataclass that has these fields; nothing of the model's code runs to make it."""
    anew: Any = object.__new__(kind)
    for name, item in fields.items():
        object.__setattr__(anew, name, item)
    return anew


# --- showing -----------------------------------------------------------------------------------------------------


def show(value: object) -> str:
    """A value as a trace prints it: sets in order, strings bare, nothing of the checker's own types."""
    if isinstance(value, enum.Enum):
        return member_name(value)
    if isinstance(value, frozenset):
        return "{" + ", ".join(show(item) for item in sorted(frozenset.__iter__(value), key=order)) + "}"
    if type(value) is tuple:
        return "(" + ", ".join(map(show, value)) + ("," if len(value) == 1 else "") + ")"
    return writable(value if isinstance(value, str) else _text(value))


def writable(text: str) -> str:
    """The text itself, but half of a character (of a surrogate pair), which cannot be written to a file, as its number."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


def is_long(number: int) -> bool:
    """Whether Python may refuse to write or read the number: it does beyond 4,300 digits. Such a number is shown as hex."""
    return number.bit_length() > 14_000


def _text(value: object) -> str:
    if type(value) is int and is_long(value):
        return hex(value)
    try:
        return repr(value)
    except Exception:  # a long number is in it, or a __repr__ of the model's own fails
        names = getattr(value, "_fields", ()) or getattr(value, "__dataclass_fields__", ())
        return f"{type(value).__name__}({', '.join(f'{name}={show(getattr(value, name, None))}' for name in names)})"


def member_name(value: enum.Enum) -> str:
    """The name of a member of an enum; of a flag that has none its number."""
    return getattr(value, "_name_", None) or f"{type(value).__name__}({getattr(value, '_value_', '')})"
