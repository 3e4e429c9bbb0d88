"""Classes whose equality does not see all of their values are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from modelcheck.check.result import Result
from tests.language.cases import case, model, the_error

Run = Callable[..., Result]


CLASSES = [
    case(
        "an __eq__ that was generated for a base class",
        "@dataclass(frozen=True)\nclass Base:\n    x: int = 0\n"
        "@dataclass(frozen=True, eq=False)\nclass V(Base):\n    y: int = 0",
        "V decides itself what is equal",
    ),
    case(
        "an __eq__ that looks generated",
        "exec('def same(a, b): return True')\n"
        "@dataclass(frozen=True)\nclass V:\n    x: int = 0\n    __eq__ = same\n    __hash__ = lambda self: 0",
        "V decides itself what is equal",
    ),
    case(
        "a field left out of comparisons",
        "@dataclass(frozen=True)\nclass V:\n    x: int = dataclasses.field(default=0, compare=False)",
        "V decides itself what is equal",
    ),
    case(
        "a field left out of the hash",
        "@dataclass(frozen=True)\nclass V:\n    x: int = dataclasses.field(default=0, hash=False)",
        "V decides itself what is equal",
    ),
    case(
        "a hash that calls the model's own",
        "def hash(values): return 0\n@dataclass(frozen=True)\nclass V:\n    x: int = 0",
        "V decides itself what is equal",
    ),
    case(
        "an equality that calls the model's own",
        "NotImplemented = True\n@dataclass(frozen=True)\nclass V:\n    x: int = 0",
        "V decides itself what is equal",
    ),
    case(
        "an enum with an equality of its own",
        "class V(enum.Enum):\n    a = 1\n    b = 2\n    def __eq__(self, other): return isinstance(other, V)\n"
        "    def __hash__(self): return 7\n    @classmethod\n    def __call__(cls): return cls.a",
        "V decides itself what is equal",
    ),
    case(
        "an enum of records",
        "@dataclass(frozen=True, eq=True)\nclass Part:\n    x: int = 0\nclass V(Part, enum.Enum):\n    a = 1\n    b = 2",
        "V decides itself what is equal",
    ),
    case(
        "an enum of numbers that are equal",
        "class V(int, enum.Enum):\n    a = 1\n    b = 2\n"
        "    def __new__(cls, value):\n        made = int.__new__(cls, 0)\n        made._value_ = value\n        return made",
        "two of its members are equal",
    ),
    case(
        "flags that equal other numbers",
        "class V(enum.IntFlag):\n    a = 1\n    b = 2\n"
        "    def __new__(cls, value):\n        made = int.__new__(cls, 3)\n        made._value_ = value\n        return made",
        "equal other numbers",
    ),
    case("an enum without members", "class V(enum.Enum): pass", "has no members"),
    case(
        "a metaclass that says what is equal",
        "class Meta(type):\n    def __eq__(cls, other): return True\n    def __hash__(cls): return hash(int)\n"
        "@dataclass(frozen=True)\nclass V(metaclass=Meta):\n    x: int = 0",
        "the class of this class",
    ),
    case(
        "attribute access of its own",
        "@dataclass(frozen=True)\nclass V:\n    x: int = 0\n    def __getattribute__(self, name): return 0",
        "V defines __getattribute__",
    ),
    case(
        "inequality of its own",
        "class Part:\n    def __ne__(self, other): return False\n@dataclass(frozen=True)\nclass V(Part):\n    x: int = 0",
        "Part defines __ne__",
    ),
    case(
        "a class it only pretends to be",
        "@dataclass(frozen=True)\nclass V:\n    x: int = 0\n    __class__ = property(lambda self: int)",
        "V defines __class__",
    ),
    case(
        "a constructor that hands out one value for all",
        "@dataclass(frozen=True)\nclass V:\n    x: int = 0\n    def __new__(cls, *_): return object.__new__(cls)",
        "defines __new__",
    ),
    case(
        "a property that stores what it computed",
        "@dataclass(frozen=True)\nclass V:\n    x: int = 0\n    @functools.cached_property\n    def y(self): return []",
        "the cached property y",
    ),
    case(
        "a list in the class",
        "@dataclass(frozen=True)\nclass V:\n    x: int = 0\n    seen = []",
        "seen can change and is no field",
    ),
    case(
        "a record that is a list too", "@dataclass(frozen=True)\nclass V(list):\n    x: int = 0", "more than its fields"
    ),
    case(
        "a record that is an error too",
        "@dataclass(frozen=True)\nclass V(Exception):\n    x: int = 0",
        "more than its fields",
    ),
    case(
        "a slot that is no field",
        "class Part:\n    __slots__ = ('hidden',)\n@dataclass(frozen=True, slots=True)\nclass V(Part):\n    x: int = 0",
        "more than its fields",
    ),
    case(
        "a slot that hides the field of that name",
        "class Part:\n    __slots__ = ('x',)\n@dataclass(frozen=True)\nclass V(Part):\n    __slots__ = ('x',)\n    x: int",
        "more than its fields",
    ),
    case(
        "a field that is kept elsewhere",
        "class Kept:\n    def __get__(self, *_): return 0\n    def __set__(self, *_): pass\n"
        "@dataclass(frozen=True)\nclass V:\n    x: int = Kept()",
        "more than its fields",
    ),
    case(
        "a dictionary of its own making",
        "@dataclass(frozen=True)\nclass V:\n    x: int = 0\n    __dict__ = property(lambda self: {})",
        "more than its fields",
    ),
    case(
        "a class derived from a NamedTuple",
        "class Part(NamedTuple):\n    x: int = 0\nclass V(Part): pass",
        "no plain NamedTuple",
    ),
    case(
        "a NamedTuple that decides what is equal",
        "class V(NamedTuple):\n    x: int = 0\n    def __eq__(self, other): return True\n    __hash__ = tuple.__hash__",
        "V decides itself what is equal",
    ),
    case(
        "a NamedTuple that shows other parts",
        "class V(NamedTuple):\n    x: int = 0\n    def __iter__(self): return iter((1,))",
        "V defines __iter__",
    ),
    case(
        "a named tuple without types",
        "import collections\nV = collections.namedtuple('V', 'x', defaults=(0,))",
        "does not say of what types",
    ),
    case(
        "a generic record",
        "T = TypeVar('T')\n@dataclass(frozen=True)\nclass V(Generic[T]):\n    x: T = 0",
        "V.x: the type T cannot be part of a state",
    ),
    case(
        "a number or a truth value deep inside",
        "@dataclass(frozen=True)\nclass Part:\n    x: int | bool = 0\nclass V(NamedTuple):\n    p: tuple[Part, ...] = ()",
        "V.p: Part.x: a field may not be int or bool",
    ),
    case("a function", "V = functools.partial(print)", "an annotation is no type"),
]


@pytest.mark.parametrize(("beside", "words"), CLASSES)
def test_a_class_whose_equality_does_not_see_all_of_its_values_is_refused_where_a_field_is_declared(
    run: Run, beside: str, words: tuple[str, ...]
) -> None:
    error = the_error(run(model("v: V | None = None", beside=beside)))
    for word in words:
        assert word in str(error)
    assert ".py:" in error.where


@pytest.mark.parametrize(("beside", "words"), CLASSES[:4])
def test_such_a_class_is_refused_in_messages_and_among_options_too(
    run: Run, beside: str, words: tuple[str, ...]
) -> None:
    received = "\nclass Tell(Message):\n    v: tuple[V, ...]\n"
    handler = "\n    @receive(Tell)\n    def hear(self, message): pass\n"
    for text in (model(beside=beside + received) + handler, model(beside=beside, act="self.choose((V(), V()))")):
        error = the_error(run(text))
        assert words[0] in str(error)
