"""A state is what a step can see: values that compare equal and are not the same never get into one."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from enum import IntFlag
from typing import NamedTuple

import pytest

from modelcheck import NEXT, PREVIOUS, Port
from modelcheck.check.result import Result
from modelcheck.language.kinds import frozen
from modelcheck.language.values import show
from tests.language.cases import case, model, the_error

Run = Callable[..., Result]


# --- values of another class than the declared one ---------------------------------------------------------------

BESIDE = """
class P(NamedTuple):
    x: int
class Q(P):
    pass
@dataclass(frozen=True)
class A:
    x: int = 0
@dataclass(frozen=True)
class B(A):
    pass
@dataclass(frozen=True, eq=False)
class C(A):
    def __eq__(self, other): return isinstance(other, A)
    def __hash__(self): return 1
@dataclass(frozen=True)
class Outer:
    inner: A = A()
@dataclass(frozen=True, slots=True)
class Slim:
    x: int = 0
@dataclass(frozen=True)
class Late:
    x: int = 0
    def __post_init__(self): object.__setattr__(self, "log", [])
@dataclass(frozen=True)
class Lazy:
    x: int = 0
    def double(self):
        object.__setattr__(self, "doubled", 2 * self.x)
        return self.doubled
class Mood(enum.Enum):
    calm = 1
    angry = 2
class Tint(enum.StrEnum):
    red = "red"
class Word(str):
    pass
class Count(int):
    pass
class Name(Id):
    pass
class Bunch(frozenset):
    pass
class Ball(Message):
    x: int = 0
class Red(Ball):
    pass
class Unchecked:
    def __post_init__(self): pass
class Loose(Unchecked, Message):
    x: int = 0
"""
FIELDS = (
    "p: P = P(0)", "a: A = A()", "outer: Outer = Outer()", "slim: Slim = Slim()", "late: Late | None = None", "lazy: Lazy = Lazy()",
    "mood: Mood = Mood.calm", "text: str = ''", "number: int = 0", "who: Id | None = None", "port: Port = NEXT",
    "bunch: frozenset[int] = frozenset()", "deep: tuple[frozenset[A], ...] = ()", "ball: Ball = Ball()",
    "word: Literal['red'] = 'red'",
)  # fmt: skip

VALUES = [
    case("a class derived from a NamedTuple", "self.p = Q(0)", "Q cannot be part of a state"),
    case("a record of a derived class", "self.a = B(0)", "declared as A and was given B(x=0)", "derived from A"),
    case("a record of a derived class that decides what is equal", "self.a = C(0)", "C decides itself what is equal"),
    case("a derived record within a record", "self.outer = Outer(B(0))", "Outer.inner is declared as A", "type B"),
    case("a derived record deep within", "self.deep = (frozenset({A(), B()}),)", "deep is declared as tuple"),
    case("a derived message", "self.ball = Red(0)", "ball is declared as Ball", "type Red, which is derived from Ball"),
    case("an attribute that is no field", "self.late = Late()", "Late.log is no field", "declare log as a field"),
    case(
        "an attribute of a message",
        "ball = Ball(); object.__setattr__(ball, 'secret', 1); self.send(NEXT, ball)",
        "Ball.secret is no field",
    ),
    case(
        "an attribute given after the message was sent",
        "ball = Ball(); self.send(NEXT, ball); object.__setattr__(ball, 'secret', 1)",
        "Ball.secret is no field",
    ),
    case(
        "another value given after the message was sent",
        "ball = Ball(); self.send(NEXT, ball); object.__setattr__(ball, 'x', True)",
        "Ball.x is declared as int and was given True",
    ),
    case(
        "an attribute given after the assignment",
        "a = A(1); self.a = a; object.__setattr__(a, 'secret', 1)",
        "A.secret is no field",
    ),
    case("an attribute in place of a field", "a = A(1); vars(a)['y'] = vars(a).pop('x'); self.a = a", "A.y is no field"),
    case("a record made past its class", "self.a = object.__new__(A)", "A.x has no value"),
    case("a slot without a value", "self.slim = object.__new__(Slim)", "Slim.x has no value"),
    case("a record of the wrong types", "self.a = A('x')", "A.x is declared as int and was given x"),
    case("a NamedTuple of the wrong types", "self.p = P(True)", "P.x is declared as int and was given True"),
    case("a NamedTuple of the wrong length", "self.p = tuple.__new__(P, (1, 2))", "P was made of 2 values"),
    case("a change in place", "object.__setattr__(self.a, 'x', 1)", "changed in place"),
    case("an attribute given in place", "object.__setattr__(self.outer.inner, 'y', 1)", "changed in place"),
    case("a change in a slot", "object.__setattr__(self.slim, 'x', 1)", "changed in place"),
    case("a method that stores what it computed", "self.number = self.lazy.double()", "changed in place"),
    case("a member made past its enum", "self.mood = object.__new__(Mood)", "no member of Mood"),
    case("a text of a derived type", "self.text = Word('x')", "type Word", "derived from str", "use str itself"),
    case("a derived text in a literal's place", "self.word = Word('red')", "type Word", "derived from str"),
    case("an enum's member in a literal's place", "self.word = Tint.red", "word is declared as Literal['red']"),
    case("a number of a derived type", "self.number = Count(3)", "type Count", "derived from int"),
    case("a truth value in a number's place", "self.number = self.id == self.id", "number is declared as int"),
    case("an identifier of a derived type", "self.who = Name(1)", "type Name", "derived from Id"),
    case("a set of a derived type", "self.bunch = Bunch({1})", "type Bunch", "derived from frozenset"),
    case("an attribute of a set", "self.bunch.seen = 1", "a set was given seen = 1"),
    case("a port with a name of the model's", "self.port = Port(0, 'spoilt')", "made with the name 'spoilt'", "NEXT"),
    case("no number at all", "self.number = float('nan')", "float"),
    case("a weak reference", "import weakref; self.number = weakref.ref(self.a)", "cannot know that it never changes"),
    case("a function with arguments", "self.number = functools.partial(int, 1)", "type partial"),
    case("a message that nobody checked", "self.send(NEXT, Loose(0.5))", "float"),
    case("options that cannot be told apart", "self.choose((C(1), C(2)))", "C decides itself what is equal"),
    case(
        "options of two types of one name",
        "self.choose({type(k)() for k in map(lambda k: dataclasses.make_dataclass('K', [], frozen=True)(), (1, 2))})",
        "no order between K() and K()",
    ),
    case(
        "an error that is swallowed",
        "ball = Ball(); object.__setattr__(ball, 'secret', 1)\n"
        "        try: self.send(NEXT, ball)\n        except Exception: pass",
        "Ball.secret is no field",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("act", "words"), VALUES)
def test_a_value_that_is_not_exactly_what_its_field_declares_is_refused_where_it_enters_a_state(
    run: Run, act: str, words: tuple[str, ...]
) -> None:
    handler = "    @receive(Ball, Loose)\n    def hear(self, message): pass\n"
    error = the_error(run(model(*FIELDS, beside=BESIDE, act=act) + handler, n=2))
    for word in words:
        assert word in str(error)
    assert error.step == "act"


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("network", ["fifo", "set"])
def test_both_engines_refuse_what_equals_a_message_already_sent(run: Run, engine: str, network: str) -> None:
    """Held in a set of messages, the second would be taken for the first, and what its receiver sees would be lost."""
    text = """
class Tell(Message):
    p: P
class Model(Process):
    topology = one_way_ring
    sent: int = 0
    bad: bool = False
    @step
    def go(self):
        self.require(self.sent < 2)
        self.send(NEXT, Tell(P(0) if self.sent == 0 else Q(0)))
        self.sent += 1
    @receive(Tell)
    def get(self, message):
        self.bad = self.bad or isinstance(message.p, Q)
"""
    error = the_error(run(BESIDE + text, n=2, engine=engine, network=network))
    assert "Q cannot be part of a state" in error.what


def test_a_received_message_may_not_be_changed(run: Run) -> None:
    """It stands in other states too, and so would the change."""
    body = "    @receive(Ball)\n    def hear(self, message): object.__setattr__(message, 'x', 5)\n"
    error = the_error(run(model(beside=BESIDE, act="self.send(NEXT, Ball())") + body, n=2))
    assert "changed in place: Ball(0)" in error.what
    assert error.step == "hear"


def test_a_message_of_a_derived_class_is_not_received_as_one_of_its_base(run: Run) -> None:
    body = "    @receive(Ball)\n    def hear(self, message): pass\n"
    result = run(model(beside=BESIDE, act="self.send(NEXT, Red())") + body, n=2)
    assert result.property("every_message_is_received").verdict == "violated"


@pytest.mark.parametrize("declared", ["Message", "enum.Enum", "tuple[enum.Flag, ...]"])
def test_a_base_class_is_no_type_of_a_field(run: Run, declared: str) -> None:
    error = the_error(run(model(f"v: {declared} | None = None")))
    assert "field v" in error.what


@pytest.mark.parametrize("literal", ["Literal[Mood.calm, 1]", "Literal['red', Tint.red]", "Literal[0, Level.low]"])
def test_a_literal_may_not_mix_what_can_be_equal(run: Run, literal: str) -> None:
    beside = BESIDE + "class Level(enum.IntEnum):\n    low = 0\n"
    result = run(model(f"v: {literal} | None = None", beside=beside))
    if "Mood" in literal:  # whose members equal nothing else
        assert result.verdict == "HOLDS"
    else:
        assert "a Literal may not mix" in the_error(result).what


# --- what may be part of a state ---------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_values_of_every_admitted_sort_are_told_apart(run: Run, engine: str) -> None:
    """A tuple of one value of each sort, and nine more that differ from it in one: with the initial state 11 states."""
    text = """
import dataclasses
class Mood(enum.Enum):
    calm = 1
    angry = 2
class Level(enum.IntEnum):
    low = 0
    high = 1
class Tint(enum.StrEnum):
    red = "red"
    blue = "blue"
class Right(enum.IntFlag):
    read = 1
    write = 2
class P(NamedTuple):
    x: int
    def twice(self): return 2 * self.x
@dataclass(frozen=True)
class A:
    x: int = 0
@dataclass(frozen=True)
class B(A):
    y: frozenset[A] = frozenset()
    limit: ClassVar[int] = 3
    @property
    def both(self): return self.x, self.y
@dataclass(frozen=True, slots=True, weakref_slot=True)
class Slim:
    x: int = dataclasses.field(default=0, init=False)
    y: dataclasses.InitVar[int] = 0
    def __post_init__(self, y): object.__setattr__(self, "x", y)
class Tell(Message):
    b: B
class Model(Process):
    topology = one_way_ring
    specs = ()
    chosen: tuple[Mood, Level, Tint, Right, P, A | B, Slim, Tell, Literal[Mood.calm, "calm"]] | None = None
    @step
    def act(self):
        self.require(self.chosen is None)
        pairs = (
            Mood, Level, Tint, (Right(8), Right(16)), (P(0), P(1)), (A(1), B(1)), (Slim(1), Slim(2)),
            (Tell(B(0)), Tell(B(0, frozenset({A()})))), (Mood.calm, "calm"),
        )
        which = self.choose(range(10))
        self.chosen = tuple(tuple(pair)[place == which] for place, pair in enumerate(pairs))
"""
    result = run("from typing import ClassVar\n" + text, n=1, engine=engine)
    assert (result.verdict, result.states) == ("HOLDS", 11)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_ports_of_one_number_and_two_names_are_two_values(run: Run, engine: str) -> None:
    """The port is NEXT, then the unnamed port 0: two states of a lone process."""
    result = run(
        """
        class Model(Process):
            topology = one_way_ring
            specs = ()
            port: Port = NEXT
            @step
            def act(self):
                self.require(self.port.name == "next")
                self.port = Port(0)
        """,
        n=1,
        engine=engine,
    )
    assert (result.verdict, result.states) == ("HOLDS", 2)


def test_a_port_is_known_by_number_and_name_wherever_it_is_copied() -> None:
    assert Port(0) != NEXT
    assert Port(0) == Port(0)
    assert NEXT == 0
    assert Port(3) != Port(4)
    assert len({NEXT, PREVIOUS, Port(0), Port(1)}) == 4
    for port in (NEXT, PREVIOUS, Port(0), Port(7)):
        for again in (copy.deepcopy(port), pickle.loads(pickle.dumps(port))):
            assert (again, again.name, type(again)) == (port, port.name, Port)
            assert again in (port,)


@pytest.mark.parametrize(
    "act", ["object.__setattr__(self.id, '_rank', 0)", "object.__setattr__(self.bunch, '_items', (1,))"]
)
def test_the_language_s_own_values_cannot_be_changed_even_past_the_language(run: Run, act: str) -> None:
    result = run(model("bunch: frozenset[int] = frozenset({1, 2})", act=act), n=2)
    assert result.property("no_exceptions").verdict == "violated"


def test_a_message_with_a_text_of_its_own_is_refused(run: Run) -> None:
    beside = "class Part:\n    def __repr__(self): return 'x'\nclass Tell(Part, Message):\n    x: int = 0"
    assert "has a __repr__ of its own" in the_error(run(model(beside=beside))).what


def test_two_types_of_one_name_are_refused(run: Run) -> None:
    """No trace could tell their values apart, and no order of them is natural."""
    beside = "\n".join(f"class {colour}:\n    class Token(Message):\n        v: int = 0" for colour in ("Red", "Blue"))
    for text in (
        model("s: frozenset[Red.Token | Blue.Token] = frozenset()", beside=beside),
        model(beside=beside) + "    @receive(Red.Token, Blue.Token)\n    def hear(self, message): pass\n",
    ):
        error = the_error(run(text, network="bag"))
        assert "two types called Token" in error.what
        assert "Red.Token and Blue.Token" in error.cause
    text = model(beside=beside, act="self.send(NEXT, Blue.Token())") + "    @receive(Red.Token)\n"
    error = the_error(run(text + "    def hear(self, message): pass\n", network="bag"))
    assert "two types called Token" in error.what


def test_a_parameter_is_the_value_that_a_state_may_hold(run: Run) -> None:
    """A set iterates in canonical order, whatever the hash seed; values equal to an admissible one are another value."""
    beside = "WORDS = frozenset(map(str, range(9)))\n"
    text = model(
        "p = Parameter(WORDS, 'words', among=(WORDS,))", beside=beside, act="assert list(self.p) == sorted(WORDS)"
    )
    assert run(text).verdict == "HOLDS"
    result = run(model("p = Parameter(True, 'mixed', among=(0, 1))"))
    assert "default True is not among" in str(result.error)


# --- how values are written --------------------------------------------------------------------------------------


class Pair(NamedTuple):
    x: int
    y: str


class Rights(IntFlag):
    read = 1
    write = 2


def test_a_combination_of_flags_without_a_name_is_shown_by_its_number() -> None:
    assert show(frozen(frozenset({Rights(8), Rights(16), Rights.read}))) == "{read, Rights(8), Rights(16)}"


def test_a_number_of_many_digits_is_shown_in_hex_wherever_it_stands() -> None:
    """Python writes no number of more than 4,300 digits in decimals."""
    many = 16**5000
    assert show((many, 1)) == f"({hex(many)}, 1)"
    assert show(Pair(many, "x")) == f"Pair(x={hex(many)}, y=x)"


@pytest.mark.parametrize(("text", "shown"), [("\ud800", "\\ud800"), ("é", "é"), ("a\udfffb", "a\\udfffb"), ("𝄞", "𝄞")])
def test_half_of_a_character_is_shown_by_its_number(text: str, shown: str) -> None:
    assert show(text) == shown
    assert show((text,)) == f"({shown},)"
