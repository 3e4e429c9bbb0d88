"""What is wrong with a step is named: what, in which file and line, in which step, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from modelcheck import StepError, UsageError
from modelcheck.check.result import Result
from tests.language.cases import case, the_error

Run = Callable[..., Result]


STEPS = [
    case("an undeclared attribute", "self.leeder = 1", "leeder is not a field", "did you mean leader", "declare it"),
    case("an unknown attribute", "self.x = self.leeder", "has no leeder", "did you mean leader"),
    case("arithmetic on an identifier", "self.x = self.id + 1", "arithmetic", 'knows = ("integers",)'),
    case("an identifier as an index", "(1, 2)[self.id]", "arithmetic or as a number"),
    case("an identifier compared with a number", "self.require(self.id == 1)", "compared with a number"),
    case("an identifier ordered against a number", "self.require(self.id < 3)", "compared with a number"),
    case("an identifier compared with None", "self.require(self.id > self.leader)", "compared with None", "is None"),
    case("a changed identifier", "self.id._rank = 3", "identifier cannot be changed"),
    case("an undeclared look at n", "self.x = self.n", "how many processes", 'knows = ("n",)'),
    case("an undeclared look at the root", "self.require(self.is_root)", "root", 'knows = ("root",)'),
    case("an undeclared look at a neighbour", "self.neighbour(NEXT)", 'knows = ("neighbours",)'),
    case("an undeclared look for a neighbour", "self.port_to(self.id)", 'knows = ("neighbours",)'),
    case("an undeclared look at its position", "self.x = self.position", 'knows = ("position",)'),
    case("an undeclared look at everyone", "self.x = len(self.everyone)", 'knows = ("everyone",)'),
    case("an unknown port", "self.send(PREVIOUS, Ball())", "no port previous", "ports are: next"),
    case("a message without a port", "self.send(Ball())", "was given one thing", "self.send_all(MESSAGE)"),
    case("a number for a port", "self.send(0, Ball())", "no port 0", "write NEXT, or one of self.ports"),
    case("a name for a port", "self.send('next', Ball())", "no port 'next'", "write NEXT, or one of self.ports"),
    case("a message that is none", "self.send(NEXT, 5)", "5 was sent and is no message"),
    case("a message class", "self.send(NEXT, Ball)", "class Ball was sent and is no message", "messages: Ball(...)"),
    case("a message of the detector", "self.send(NEXT, Down())", "only the failure detector"),
    case("a reply to nothing", "self.reply(Ball())", "outside a receive step", "self.send(port, ...)"),
    case("a choice of nothing", "self.x = self.choose(())", "nothing to choose from"),
    case("a draw of nothing", "self.x = self.draw([])", "nothing to choose from"),
    case("endless options", "self.x = self.choose(iter(int, 1))", "10,000 options"),
    case("an endless loop of choices", "while self.choose((True, False)): pass", "chose more than"),
    case("a choice after a draw", "self.draw((1, 2)); self.choose((1, 2))", "chose after it drew", "choose first"),
    case("weights that do not fit", "self.draw((1, 2), (1,))", "one weight"),
    case("a weight of nothing", "self.draw((1, 2), (1, 0))", "a positive integer"),
    case("options that are equal to Python", "self.choose((1, True))", "equal to Python"),
    case("equal options within tuples", "self.choose(((0, 1), (False, 1)))", "equal to Python"),
    case("a list as an option", "self.choose(([1], [2]))", "list", "use a tuple"),
    case("a list in a field", "self.x = [1]", "list", "use a tuple"),
    case("a dictionary in a field", "self.x = {}", "dict"),
    case("a float in a field", "self.x = 0.5", "a float cannot be part of a state", "rounding", "use integers"),
    case("a value of another type", "self.x = 'one'", "x is declared as int"),
    case("an identifier for a number", "self.x = self.id", "x is declared as int", "declare it as Id"),
    case("a truth value for the leader", "self.leader = True", "was given True", "write self.leader = self.id"),
    case("a number for an identifier", "self.leader = 0", "an identifier is no number: begin with None"),
    case("a truth value for a number", "self.x = True", "x is declared as int"),
    case("an enum that is text in a text field", "self.text = Tint.red", "text is declared as str"),
    case("a named tuple in a tuple's field", "self.pair = Pair(1, 2)", "pair is declared as tuple[int, int]"),
    case("a truth value inside a record", "self.record = Pair(True, 2)", "Pair.a is declared as int"),
    case("a subclass of a tuple", "self.pair = Odd((1, 2))", "Odd"),
    case("an assignment to a parameter", "self.guard = False", "parameter guard was assigned to", "fixed for a run"),
    case("a deleted field", "del self.x", "x was deleted"),
    case("a message with a value of another type", "self.send(NEXT, Token('x'))", "Token.value is declared as int"),
    case("a change through __dict__", "self.__dict__['x'] = 7", "behind the checker's back"),
    case("a change through vars", "vars(self).update(x=True)", "behind the checker's back"),
    case("a change past the language", "object.__setattr__(self, 'x', [])", "behind the checker's back"),
    case("an attribute of a port", "NEXT.seen = True", "ports are shared"),
    case("start_crashed in a step", "self.start_crashed()", "belongs into initially()"),
    case("randomness", "self.x = random.randrange(10**9)", "not a function of what it reads", "self.draw"),
    case("time", "self.x = time.perf_counter_ns()", "not a function of what it reads"),
    case("a global counter", "COUNT.append(1); self.x = len(COUNT)", "not a function of what it reads"),
    case("an attribute of the class", "Model.seen += 1; self.x = Model.seen", "not a function of what it reads"),
    case("other options each time", "self.choose(range(random.randrange(1, 10**9) % 97 + 1))", "not a function"),
    case(
        "an error that is swallowed",
        "try: self.send(7, Ball())\n        except Exception: pass",
        "no port 7",
    ),
    case(
        "a guard that is swallowed",
        "try: self.require(False)\n        except: pass",
        "went on after self.require had failed",
    ),
    case(
        "a guard that a return swallows",
        "try: self.require(False)\n        finally: return",
        "went on after self.require had failed",
    ),
]


def with_step(body: str) -> str:
    return f"""
COUNT = []
class Ball(Message):
    pass
class Token(Message):
    value: int
class Tint(str, enum.Enum):
    red = "red"
class Pair(NamedTuple):
    a: int
    b: int
class Odd(tuple):
    pass
class Model(Process):
    topology = one_way_ring
    specs = ()
    guard = Parameter(True, "")
    seen = 0
    leader: Id | None = None
    x: int = 0
    text: str = ""
    pair: tuple[int, int] = (0, 0)
    record: Pair = Pair(0, 0)
    @step
    def idle(self):
        self.require(self.x == -1)
    @step
    def act(self):
        self.require(self.x == 0)
        {body}
    @receive(Ball, Token)
    def get(self, message):
        pass
"""


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(("body", "words"), STEPS)
def test_a_step_that_breaks_a_rule_is_named_with_process_state_and_place(
    run: Run, body: str, words: tuple[str, ...]
) -> None:
    error = the_error(run(with_step(body), n=2))
    assert isinstance(error, StepError)
    for word in words:
        assert word in str(error)
    assert error.step == "act"
    assert "identifier" in error.process
    assert "x=" in error.state
    assert ".py" in error.where


def test_the_line_at_fault_is_shown_and_the_steps_that_lead_there(run: Run) -> None:
    error = the_error(
        run(
            """
            class Model(Process):
                topology = one_way_ring
                x: int = 0
                @step
                def first(self):
                    self.require(self.x == 0)
                    self.x = 1
                @step
                def second(self):
                    self.require(self.x == 1)
                    self.x = self.n
            """,
            n=1,
        )
    )
    assert error.where.endswith("self.x = self.n")
    assert error.trace == ("one-way ring of 1, ids 1", "p1 (id 1) first")


def test_a_reply_over_a_one_way_link_is_named(run: Run) -> None:
    error = the_error(
        run(
            """
            class Ball(Message):
                pass
            class Model(Process):
                topology = one_way_ring
                @initiate
                def go(self): self.send(NEXT, Ball())
                @receive(Ball)
                def back(self, message): self.reply(message)
            """
        )
    )
    assert "leads one way only" in error.what
    assert "use a two-way topology" in error.remedy
    assert "receiving Ball()" in error.state


def test_an_anonymous_process_has_no_identifier_to_look_at(run: Run) -> None:
    text = with_step("self.leader = self.id").replace("specs = ()", "identifiers = 'none'; specs = ()")
    error = the_error(run(text, n=2))
    assert "anonymous process looked at its identifier" in error.what


@pytest.mark.parametrize(
    "options",
    [
        {"initiators": []}, {"initiators": [0]}, {"property": []}, {"n": []}, {"n": True}, {"n": 0},
        {"ids": ()}, {"ids": (0, 1)}, {"ids": ("a", "b")}, {"ids": (1, 2), "n": 3}, {"initiators": [4]},
    ],
)  # fmt: skip
def test_a_request_that_asks_for_nothing_or_nonsense_is_refused_at_the_door(
    run: Run, options: dict[str, object]
) -> None:
    """With no initiator, or no property, everything would hold."""
    with pytest.raises(UsageError):
        run(with_step("self.x = 1"), **options)


# --- hidden state ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hidden",
    [
        pytest.param("return sys.calls > 20", id="a change much later"),
        pytest.param(
            "return sys.calls // 2 % 2 == 1", id="a change at every other call, which running twice cannot see"
        ),
    ],
)
def test_a_step_that_changes_its_mind_later_is_caught_by_running_everything_again(run: Run, hidden: str) -> None:
    """Every step runs twice at first, and once more at the very end, last to first."""
    error = the_error(
        run(
            f"""
            sys.calls = 0
            def late():
                sys.calls += 1
                {hidden}
            class Model(Process):
                topology = one_way_ring
                specs = ()
                x: int = 0
                @step
                def count(self):
                    self.require(self.x < 9)
                    self.x += 1
                    if late():
                        self.x = 9
            """,
            n=1,
        )
    )
    assert "is not a function of what it reads" in error.what


def test_initial_values_that_change_during_the_run_are_caught(run: Run) -> None:
    """Initial values are computed once for each kind of process: what a global does to them later would not be seen."""
    error = the_error(
        run(
            """
            sys.later = False
            class Model(Process):
                topology = one_way_ring
                specs = ()
                x: int = 0
                def initially(self):
                    self.x = 1 if sys.later else 0
                @step
                def go(self):
                    self.require(self.x == 0)
                    sys.later = True
                    self.x = 2
            """
        )
    )
    assert "initially() is not a function of what it reads" in error.what


def test_initial_values_are_no_place_to_change_a_shared_variable(run: Run) -> None:
    """Everybody computes them for itself, in no order: there is nobody after whom it would have that value."""
    error = the_error(
        run(
            """
            class Model(Process):
                topology = one_way_ring
                specs = ()
                tickets: int = shared(0)
                def initially(self):
                    self.tickets = 1
            """
        )
    )
    assert error.what == "initially() changed a shared variable"
    assert "shared(...)" in error.remedy


def test_a_step_that_after_a_while_chooses_less_often_is_caught(run: Run) -> None:
    """Four times it chooses twice: both runs of its first two ways. From then on once, which runs of the same way agree on."""
    error = the_error(
        run(
            """
            sys.looked = 0
            class Model(Process):
                topology = one_way_ring
                specs = ()
                x: int = 0
                @step
                def go(self):
                    self.require(self.x == 0)
                    sys.looked += 1
                    self.x = 1 + self.choose((0, 1))
                    if sys.looked <= 4:
                        self.x = 3 + self.choose((0, 1, 2))
            """,
            n=1,
        )
    )
    assert error.step == "go"
    assert "is not a function of what it reads" in error.what


# --- what a step may do ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "kind", "code", "sentence"),
    [
        ("assert self.x == 1, 'x is one'", "assertions", 14, "x is one"),
        ("raise ValueError('no')", "no_exceptions", 75, "ValueError: no"),
        ("{}[1]", "no_exceptions", 75, "KeyError: 1"),
        ("sys.exit(0)", "no_exceptions", 75, "SystemExit"),
        ("self.act()", "no_exceptions", 75, "RecursionError"),
        ("self.x = 1; self.send(NEXT, Unheard())", "every_message_is_received", 12, "no step receives it"),
    ],
)
def test_a_step_that_fails_is_a_violation_with_a_trace(
    run: Run, body: str, kind: str, code: int, sentence: str
) -> None:
    """Never a crash of the checker, and never success: not even where the model asks for exit code 0."""
    result = run("class Unheard(Message):\n    pass\n" + with_step(body), n=1)
    found = result.property(kind)
    assert (result.verdict, result.exit_code, found.verdict) == ("VIOLATED", code, "violated")
    assert found.trace is not None
    assert sentence in str(found.trace.steps[-1].failure)


def test_a_guard_may_stand_after_assignments_and_sends_and_undoes_them(run: Run) -> None:
    """Nothing the step did happened: one state, no transition."""
    result = run(with_step("self.x = 1; self.send(NEXT, Ball()); self.require(False)"), n=2)
    assert (result.verdict, result.states, result.transitions) == ("HOLDS", 1, 0)


def test_a_parameter_is_unknown_or_inadmissible_with_the_nearest_named(run: Run) -> None:
    with pytest.raises(UsageError, match="did you mean guard"):
        run(with_step("pass"), parameters={"gard": True})
    with pytest.raises(UsageError, match="one of true, false"):
        run(with_step("pass"), parameters={"guard": 1})


def test_fields_may_hold_enums_tuples_sets_records_and_messages(run: Run) -> None:
    """Each value is kept as it was assigned: every one of the 2 x 2 runs of two processes ends with all of them."""
    result = run(
        """
        class Colour(enum.Enum):
            red = 1
            blue = 2
        class Pair(NamedTuple):
            a: int
            b: Colour
        @dataclass(frozen=True)
        class Record:
            names: frozenset[str]
        class Note(Message):
            who: Id
        class Model(Process):
            topology = one_way_ring
            colour: Colour = Colour.red
            pair: Pair | None = None
            record: Record | None = None
            heard: frozenset[Note] = frozenset()
            port: Port | None = None
            @step
            def fill(self):
                self.require(self.pair is None)
                self.colour = self.choose(Colour)
                self.pair = Pair(1, self.colour)
                self.record = Record(frozenset({"a", "b"}))
                self.heard = self.heard | {Note(self.id)}
                self.port = NEXT
        @at_the_end
        def all_kept(view):
            return all(
                p.pair == (1, p.colour) and p.record.names == {"a", "b"} and p.port == 0
                and [note.who for note in p.heard] == [p.id]
                for p in view.processes
            )
        """,
        n=2,
    )
    assert (result.verdict, result.terminal_states, result.states) == ("HOLDS", 4, 9)


def test_a_message_to_oneself_is_answered_with_what_to_do_instead(run: Callable[..., Result]) -> None:
    text = with_step("self.port_to(self.id)").replace("specs = ()", 'specs = ()\n    knows = ("neighbours",)')
    error = the_error(run(text, n=2, ids="1,2"))
    assert "no link leads there" in error.cause
    assert "at once" in error.remedy
