"""Properties that are slow, wrong, or mean: what the checker remembers of them must never change a verdict."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from modelcheck import DefinitionError, StepError, UsageError, catalog
from modelcheck.check.result import Result
from modelcheck.properties.monitor import Monitor
from modelcheck.properties.view import StateView, evaluate
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.worlds import Policy
from tests.conftest import explore_worlds

Run = Callable[..., Result]

SWITCH = """
class Note(Message):
    x: int
class Switch(Process):
    topology = two_way_ring
    networks = ("bag",)
    tolerates = ("crashes",)
    a: int = 0
    b: int = 0
    c: int = 0
    total: int = shared(0)
    @step
    def move(self):
        self.require(self.a < 2)
        self.a += 1
        self.b = self.choose((self.b, self.a))
        self.c = 1 - self.c
        self.total = (self.total + self.b) % 3
        self.send(NEXT, Note(self.b))
    @receive(Note)
    def get(self, message, port):
        self.c = message.x % 2
    @receive(Down)
    def down(self, message):
        self.c = 2
def v(value):
    return value or 0  # a crashed process has no fields
@always
def reads_one_then_another(view):
    first, second = view.processes
    return (v(second.b) < 2) if first.a == 1 else (v(first.c) < 2 or v(second.a) > 0)
@always
def reads_neighbours(view):
    return all(v(p.at(p.ports[0]).b) >= p.a - 1 for p in view.processes if p.c)
@always
def reads_what_waits(view):
    return not view.in_transit() or max(t.message.x for t in view.in_transit()) <= max(v(p.a) for p in view.processes)
@always
def reads_ends_of_what_waits(view):
    return all(v(t.source.a) >= t.message.x and t.target.c != 1 for t in view.in_transit())
@always
def reads_shared(view):
    return view.shared.total < 2 or any(p.b for p in view.alive)
@always
def reads_crashed(view):
    return not any(p.crashed for p in view.processes) or any(p.c == 2 for p in view.alive)
@every_step
def reads_both(before, after):
    return all(p.c != q.c or p.a == q.a for p, q in zip(before.processes, after.processes))
@every_step
def reads_one_side(before, after):
    return before.processes[0].a != 1 or len(after.in_transit()) < 2
"""


def test_remembered_verdicts_are_those_of_plain_evaluation_on_every_state_and_step(write: Callable[..., str]) -> None:
    """Properties that look at other fields depending on what they saw; each against itself without any memory."""
    model = catalog.find_model(write(SWITCH))
    asked = 0
    for explored in explore_worlds(model.definition, 2, Policy(), Settings("bag", crashes=1)):
        monitors = [Monitor(prop, explored.system) for prop in model.properties]
        for monitor in monitors:
            monitor.enter(explored.world, False)
        for state in explored.found.states:
            steps = [(state, t.after) for t in explored.system.successors(explored.world, state) if t.after]
            for monitor in monitors:
                for states in steps if monitor.property.kind == "every step" else [(state,)]:
                    views = tuple(StateView(explored.system, explored.world, s) for s in states)
                    assert monitor.holds(*states) == bool(evaluate(monitor.property, views)), monitor.property.name
                    asked += 1
    assert asked > 10_000


def test_the_same_properties_each_hold_somewhere_and_fail_somewhere(run: Run) -> None:
    """Otherwise the test above would prove little: these are violated in some state, and hold in the initial one."""
    result = run(SWITCH, n=2, crashes=1, symmetry=False)
    violated = {found.name for found in result.properties if found.verdict == "violated"}
    assert {"reads_one_then_another", "reads_neighbours", "reads_ends_of_what_waits", "reads_shared"} <= violated


# --- properties at fault -----------------------------------------------------------------------------------------

PLAIN = """
class Plain(Process):
    topology = one_way_ring
    x: int = 0
    @step
    def go(self):
        self.require(self.x == 0)
        self.x = 1
"""


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return 1 / 0", "ZeroDivisionError"),
        ("return view.processes[0].y", "no field y"),
        ("return view.leader", "leader"),
        ("return view.shared.total", "no shared variable total"),
        ("return view.processes[0].id == 1", "compared with a number"),
        ("return None", "return a truth value"),
        ("yield True", "return a truth value"),
        ("sys.exit(0)", "SystemExit"),
        ("raise KeyError('x')", "KeyError"),
        ("return random.random() < 0.5", "gave two verdicts"),
        ("return [p for p in view.processes]", "return a truth value"),
        ("assert False", "AssertionError"),
    ],
)
def test_a_property_at_fault_is_named_and_never_holds(run: Run, body: str, words: str) -> None:
    text = "\n".join([PLAIN, "random.seed(1)", "@always", "def p(view):", f"    {body}", "    return True"])
    result = run(text.replace("random.seed(1)", "") if "random" not in body else text, n=3)
    assert isinstance(result.error, StepError)
    assert (result.verdict, result.exit_code) == ("INCONCLUSIVE", 75)
    assert words in str(result.error)
    assert ".py:" in result.error.where


def test_a_condition_that_raises_is_named(run: Run) -> None:
    result = run(PLAIN + "@always(when=lambda protocol: 1 / 0)\ndef p(view): return True")
    assert isinstance(result.error, StepError)
    assert "condition of the property p raised" in str(result.error)


def test_two_properties_of_one_name_are_refused(run: Run) -> None:
    """A property of the model would replace that of the specification, and only one would be checked."""
    result = run(
        """
        class Model(ElectionProcess):
            topology = one_way_ring
            @step
            def go(self):
                self.require(self.leader is None)
                self.leader = self.id
        @always
        def agreement(view):
            return True
        """
    )
    assert isinstance(result.error, DefinitionError)
    assert "two properties called agreement" in str(result.error)


@pytest.mark.parametrize("name", ["assertions", "no_exceptions", "every_message_is_received"])
def test_a_property_may_not_take_the_name_of_what_is_always_checked(run: Run, name: str) -> None:
    assert isinstance(run(PLAIN + f"@always\ndef {name}(view): return True").error, DefinitionError)


def test_an_unknown_property_is_a_usage_error_with_the_nearest(run: Run) -> None:
    with pytest.raises(UsageError, match="did you mean termination"):
        run(PLAIN, property="terminaton")


# --- properties that look at the numbering -----------------------------------------------------------------------

NUMBERED = """
class Model(Process):
    topology = one_way_ring
    x: int = 0
    greatest: Id | None = None
    @step
    def go(self):
        self.require(self.x == 0)
        self.x = 1
        self.greatest = max(self.everyone)
    knows = ("everyone",)
@always
def p(view):
    return {claim}
"""
BY_NUMBER = "not any(p.position == 0 and p.greatest == p.id for p in view.processes)"
BY_PLACE = [
    "view.processes[0].greatest != view.processes[0].id",
    "not any(k == 0 and p.greatest == p.id for k, p in enumerate(view.processes))",
    "next(iter(view.processes)).greatest != next(iter(view.processes)).id",
]
ANONYMOUS = """
class Model(Process):
    topology = one_way_ring
    identifiers = "none"
    knows = ("root",)
    x: int = 0
    @step
    def go(self):
        self.require(self.x == 0)
        self.x = 1
@always
def p(view):
    return {claim}
"""
ROOT_BY_PLACE = [
    "view.processes[0].is_root",
    "any(k == 0 and p.is_root for k, p in enumerate(view.processes))",
    "next(iter(view.processes)).is_root",
    "any(str(p) == 'p1' and p.is_root for p in view.processes)",
]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_property_of_the_numbering_is_refused_where_worlds_are_merged_by_it(run: Run, n: int) -> None:
    """Among the worlds explored p1 always has the least identifier, so the claim 'p1 has not the greatest' would hold
    in all of them, and does not in those they stand for."""
    _is_refused(run, NUMBERED.replace("{claim}", BY_NUMBER), n)


@pytest.mark.parametrize("claim", ROOT_BY_PLACE)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_without_identifiers_a_property_of_the_place_is_one_of_the_numbering(run: Run, claim: str, n: int) -> None:
    """Among the worlds explored p1 is always the root."""
    _is_refused(run, ANONYMOUS.replace("{claim}", claim), n)


@pytest.mark.parametrize("claim", BY_PLACE)
def test_processes_stand_in_the_order_of_their_identifiers(run: Run, claim: str) -> None:
    """The first process of a view is the one with the least identifier, wherever it stands: so the claim that it is not
    the greatest means the same in every world, holds, and needs no numbering."""
    text = NUMBERED.replace("{claim}", claim)
    for symmetry in (True, False):
        assert run(text, n=3, symmetry=symmetry).property("p").verdict == "holds"


def _is_refused(run: Run, text: str, n: int) -> None:
    result = run(text, n=n)
    assert (result.verdict, result.exit_code) == ("INCONCLUSIVE", 75)
    assert "depends on how the processes are numbered" in str(result.error)
    assert "--no-symmetry" in str(result.error)
    assert run(text, n=n, symmetry=False).verdict == "VIOLATED"


def test_a_property_may_use_numbers_where_they_make_no_difference(run: Run) -> None:
    claim = "all(view.processes[p.position].x <= 1 for p in view.processes)"
    result = run(NUMBERED.replace("{claim}", claim))
    assert (result.error, result.verdict) == (None, "HOLDS")


def test_a_property_may_ask_whether_something_waits_for_a_process(run: Run) -> None:
    """`has_waiting` says what in_transit says, in both engines, and reads no more than that."""
    text = """
    class Ball(Message):
        pass

    class Other(Message):
        pass

    class Model(Process):
        topology = one_way_ring
        specs = ()
        thrown: bool = False
        caught: int = 0

        @initiate
        def throw(self):
            self.require(not self.thrown)
            self.thrown = True
            self.send(NEXT, self.choose((Ball(), Other())))

        @receive(Ball, Other)
        def catch(self, message):
            self.caught = self.caught + 1

    @always
    def the_same(view):
        asked = [p.has_waiting(Ball) for p in view.processes]
        return asked == [any(t.target is p for t in view.in_transit(Ball)) for p in view.processes]

    @always
    def nothing_waits_for_the_first(view):
        return not min(view.processes, key=lambda p: p.id).has_waiting(Ball)

    @always
    def never_two(view):
        return sum(p.has_waiting() for p in view.processes) < 2
    """
    for engine in ("reference", "compiled"):
        found = run(text, n=3, engine=engine)
        assert found.property("the_same").verdict == "holds"
        for name, length in (("nothing_waits_for_the_first", 1), ("never_two", 2)):
            trace = found.property(name).trace
            assert trace is not None
            assert trace.length == length
