"""What cannot stand in a model is named where it is read: what, in which file and line, and what to do about it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest

from modelcheck import DefinitionError, UsageError, check
from modelcheck.check.result import Result
from tests.language.cases import case, the_error

Run = Callable[..., Result]


FIELDS = [
    case("a list", "x: list[int] = []", "field x", "list[int]", "tuple[int, ...]"),
    case("a dict", "x: dict[int, int] = {}", "field x", "a tuple indexed by port"),
    case("a set", "x: set[int] = set()", "field x", "frozenset[...]"),
    case("a list under a tuple's type", "x: tuple[int, ...] = []", "type list", "use a tuple"),
    case("a float", "x: float = 0.5", "float"),
    case("no type", "x = []", "mutable and no field", "annotate it"),
    case("a shared variable without a type", "x = shared(0)", "x has no type", "x: TYPE = shared(...)"),
    case("a stable field without a type", "x = stable(0)", "x has no type", "x: TYPE = stable(...)"),
    case("another type than declared", "x: int = 'zero'", "x is declared as int", "zero", "type str"),
    case("a truth value for a number", "x: int = True", "x is declared as int", "type bool"),
    case("a number for a truth value", "x: bool = 0", "x is declared as bool", "type int"),
    case("number or truth value", "x: int | bool = 0", "int or bool", "merged"),
    case("tuples of numbers or of truth values", "x: tuple[int, ...] | tuple[bool, ...] = ()", "merged"),
    case("port or number", "x: Port | int = 0", "Port or int"),
    case("identifier or number", "x: Id | int = 0", "Id or int"),
    case("literals 1 and True", "x: Literal[1, True] = 1", "Literal"),
    case("text or an enum that is text", "x: str | Tint = 'red'", "str or Tint"),
    case("a named tuple or a tuple", "x: Pair | tuple[int, int] = (1, 2)", "Pair or tuple[int, int]"),
    case("a bare tuple", "x: tuple = ()", "does not say what it contains", "tuple[Id, ...]"),
    case("a dataclass that can change", "x: Loose = Loose(1)", "Loose"),
    case("a dataclass with its own equality", "x: Own = Own(1)", "decides itself what is equal"),
    case("a dataclass that compares only in part", "x: Half = Half(1, 2)", "decides itself what is equal"),
    case("an unknown type", "x: Identifier = None", "Identifier", "import or define it"),
    case("an annotation that is none", "x: 'a b' = 0", "an annotation is no type"),
    case("a type that contains itself", "x: Node | None = None", "Node contains itself"),
    case("no initial value", "x: int", "x has no initial value", "def initially(self)"),
    case("a shared variable without value", "x: int = shared([])", "list", "use a tuple"),
    case("a name of the language", "send: int = 0", "may not be called send", "choose another name"),
    case("a name that properties use", "crashed: bool = False", "may not be called crashed"),
    case("a name with an underscore", "_x: int = 0", "underscore"),
]

DECLARATIONS = [
    case("an unknown network", "networks = ('fifi',)", "fifi", "fifo"),
    case("networks without the comma", "networks = ('fifo')", "not a tuple", "with a comma"),
    case("unknown knowledge", "knows = ('neighbors',)", "neighbors", "neighbours"),
    case("an unknown fault", "tolerates = ('crash',)", "crash", "crashes"),
    case("a topology that is none", "topology = 'ring'", "no topology"),
    case("an unknown kind of identifiers", "identifiers = 'distinct'", "distinct"),
    case("a step with an argument", "@step\ndef go(self, what): pass", "step go takes 2 arguments", "def f(self)"),
    case("a receive step without the message", "@receive(Ball)\ndef get(self): pass", "get takes 1 argument"),
    case("receive without a type", "@receive\ndef get(self, message): pass", "@receive needs a message type"),
    case("receive of a number", "@receive(3)\ndef get(self, message): pass", "@receive needs a message type"),
    case("a step that yields", "@step\ndef go(self):\n    yield", "go contains yield", "a step of its own"),
    case("a step that is async", "@step\nasync def go(self): pass", "go contains yield or is async"),
    case("initially that yields", "def initially(self):\n    yield", "initially contains yield"),
    case("two recovery steps", "@recover\ndef a(self): pass\n@recover\ndef b(self): pass", "more than one @recover"),
    case("a constructor", "def __init__(self): self.x = 1", "defines __init__", "def initially(self)"),
    case("attribute access of its own", "def __setattr__(self, name, value): pass", "defines __setattr__"),
    case("a default that is inadmissible", "p = Parameter(3, '', among=(1, 2))", "default 3 is not among", "(1, 2)"),
    case("a parameter that lists nothing", "p = Parameter(3, '')", "does not say what it may be", "among=(...)"),
    case("a parameter that can change", "p = Parameter([], '', among=([],))", "list"),
    case("a message that can change", "@receive(Bag)\ndef get(self, message): pass", "Bag.items", "list"),
]

BESIDE = """
class Ball(Message):
    pass
class Bag(Message):
    items: list[int]
class Tint(str, enum.Enum):
    red = "red"
class Pair(NamedTuple):
    a: int
    b: int
@dataclass
class Loose:
    a: int
@dataclass(frozen=True)
class Own:
    a: int
    def __eq__(self, other): return True
    def __hash__(self): return 0
@dataclass(frozen=True)
class Half:
    a: int
    b: int = dataclasses.field(compare=False)
@dataclass(frozen=True)
class Node:
    next: Node | None
class Model(Process):
"""


@pytest.mark.parametrize(("body", "words"), FIELDS + DECLARATIONS)
def test_a_declaration_that_cannot_stand_is_named_with_its_place(run: Run, body: str, words: tuple[str, ...]) -> None:
    error = the_error(run(BESIDE + textwrap.indent(body, "    ")))
    assert isinstance(error, DefinitionError)
    for word in words:
        assert word in str(error)
    assert ".py:" in error.where


@pytest.mark.parametrize(
    "said", ["seen: list[int] = []", "x: int", "def __init__(self): pass", "seen = []", "netwoks = ()"]
)
def test_the_place_is_the_line_that_says_it(run: Run, said: str) -> None:
    error = the_error(run(BESIDE + f"    y: int = 0\n    {said}\n    z: int = 0"))
    assert error.where.endswith(f"  {said}")


def test_a_base_class_step_that_loses_its_decorator_is_named(run: Run) -> None:
    """The override would silently never run."""
    error = the_error(
        run(
            """
            class _Base(Process):
                @step
                def go(self): self.require(False)
            class Model(_Base):
                def go(self): pass
            """
        )
    )
    assert "overrides a step and is none itself" in error.what


@pytest.mark.parametrize(
    ("text", "words"),
    [
        case("a syntax error", "class Model(Process:\n    pass", "syntax error"),
        case("an import that fails", "import no_such_module", "ModuleNotFoundError", "no_such_module"),
        case("an exception", "x = 1 / 0", "ZeroDivisionError"),
        case("a misspelled name", "class Ball(Message): pass\nprint(Bal)", "did you mean Ball?"),
        case("a name of the language", "del NEXT\nprint(NEXT)", "write from modelcheck import NEXT"),
        case("a name of nothing", "print(zzz)", "define zzz above this line, or import it"),
        case("a misspelled import", "from modelcheck import recieve", "did you mean receive?"),
        case("an exit", "sys.exit(0)", "SystemExit"),
        case("no protocol in it", "x = 1", "defines no protocol"),
        case("a message with a constructor", "class M(Message):\n    def __post_init__(self): pass", "__post_init__"),
        case(
            "a message that compares in part",
            "class M(Message):\n    a: int = dataclasses.field(compare=False)",
            "M.a is left out of comparisons",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_its_line(run: Run, text: str, words: tuple[str, ...]) -> None:
    """An exit in the model's file must not end the checker with the code of success."""
    error = the_error(run(text))
    for word in words:
        assert word in str(error)
    assert ".py" in error.where


def test_a_missing_file_and_an_unknown_name_are_usage_errors() -> None:
    with pytest.raises(UsageError, match="there is no file"):
        check("./no_such_file.py")
    with pytest.raises(UsageError, match="did you mean chang_roberts"):
        check("chang_robert")
