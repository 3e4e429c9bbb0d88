"""Conditions that people type: they mean what they say, errors point at the place, and nothing is ever run."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelcheck import Limits
from modelcheck.web import meaning, paths, searching
from modelcheck.web.conditions import ConditionError, read
from modelcheck.web.meaning import condition
from modelcheck.web.subject import subject_of

from ..conftest import Write

SUBJECT = subject_of("chang_roberts", n=3)
START = paths.read(SUBJECT, "")


def reachable(steps: int = 200) -> list[Any]:
    """Some states, breadth-first."""
    found = [START.state]
    known = set(found)
    for state in found:
        for transition in SUBJECT.system.successors(START.world, state):
            if transition.after is not None and transition.after not in known and len(found) < steps:
                known.add(transition.after)
                found.append(transition.after)
    return found


STATES = reachable()


def holds(text: str, state: Any = START.state) -> bool:
    return condition(text, SUBJECT.system, START.world)(state)


@pytest.mark.parametrize(
    "text",
    [
        "p1.leader == None",
        "not p1.awake",
        "leaders == 0",
        "count(leader == 3) == 0",
        "count(not awake) == 3",
        "all(leader is None)",
        "not any(awake or crashed)",
        "in_transit(Election) == 0 and in_transit() == 0",
        "p1.id == 1 and p3.id in (1, 2, 3)",
        "p1.status == 'undecided'",
        "not ended",
        "1 + 2 * 3 - 4 == 3",
        "-1 < 0 <= p1.waiting",
        "not p1.leader >= 2",
        "count(id >= 2) == 2",
        "all(status == 'undecided' and not awake)",
        "len(p1.status) == 9",
    ],
)
def test_these_hold_at_the_beginning(text: str) -> None:
    assert holds(text)
    assert not holds(f"not ({text})")


def test_fields_of_messages_stand_by_themselves_in_in_transit() -> None:
    awake = next(state for state in STATES if holds("in_transit(Election) == 2", state))
    numbers = [n for n in (1, 2, 3) if holds(f"in_transit(Election, id == {n}) == 1", awake)]
    assert len(numbers) == 2


def test_the_end_is_where_no_step_is_left() -> None:
    assert sum(holds("ended", state) for state in STATES) == 1
    end = next(state for state in STATES if holds("ended", state))
    assert holds("leaders == 1 and all(leader == 3)", end)


@pytest.mark.parametrize(
    ("text", "at", "why"),
    [
        ("", 0, "there is no condition"),
        ("p1.leader = 3", 10, "for `is equal to` write =="),
        ("p1.leder == 3", 3, "did you mean leader"),
        ("leder == 3", 0, "there is nothing called leder"),
        ("leader == 3", 0, "write p1.leader, or count"),
        ("p9.leader == 3", 0, "there is nothing called p9"),
        ("p1 == 3", 0, "p1 is a process"),
        ("in_transit(Elektion) > 1", 11, "did you mean Election"),
        ("Election > 1", 0, "write in_transit(Election)"),
        ("cnt(leader == 3)", 0, "did you mean count"),
        ("count(leader == 3", 17, "not closed"),
        ("p1.awake && p2.awake", 9, "write `and`"),
        ("p1.awake p2.awake", 9, "join two of them"),
        ("p1.status == 'undecided", 13, "no closing quote"),
        ("p1.awake and", 12, "is missing"),
        ("count", 0, "needs something in parentheses"),
        ("((((((((((((((((((((((((((((((((((((1))))", 31, "nested too deeply"),
        ("__import__('os').system('true')", 23, "is not expected here"),
        ("__import__('os') == 1", 0, "there is no __import__"),
        ("p1.__class__ == 1", 3, "no field __class__"),
        ("lambda: 1", 6, "no meaning"),
        ("x" * 301, 300, "at most 300"),
    ],
)
def test_an_error_points_at_the_character_and_says_what_to_do(text: str, at: int, why: str) -> None:
    with pytest.raises(ConditionError) as error:
        holds(text)
    assert why in str(error.value)
    assert error.value.at == at


PIECES = [
    "p1", "p2", "leader", ".", "(", ")", "[", "]", "==", "!=", "<", "not", "and", "or", "in", "is", "count", "any", "in_transit", "len",
    "Election", "3", "-", "+", "*", ",", "'x'", "None", "True", "ended", "leaders", "id", "awake", "status", "waiting", " ", "=",
]  # fmt: skip


@given(st.text(max_size=320) | st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join))
def test_arbitrary_text_never_raises_anything_but_a_condition_error(text: str) -> None:
    try:
        test = condition(text, SUBJECT.system, START.world)
    except ConditionError as error:
        place = error.at
    else:
        assert {test(state) for state in STATES[:5]} <= {True, False}
        return
    assert 0 <= place <= len(text)


# --- the same condition, evaluated by Python ---------------------------------------------------------------------

NUMBERS = st.integers(0, 4).map(str)
VALUES = st.recursive(
    NUMBERS | st.sampled_from(["p1.id", "p2.id", "p3.id", "p1.waiting", "len(p2.status)"]),
    lambda inner: st.tuples(inner, st.sampled_from([" + ", " - ", " * "]), inner).map(lambda t: f"({''.join(t)})"),
    max_leaves=4,
)
SIMPLE = st.sampled_from(
    ["p1.awake", "p2.awake", "p3.leader == None", "p1.leader is not None", "p2.status == 'undecided'"]
)
COMPARED = st.tuples(VALUES, st.sampled_from([" == ", " != ", " < ", " <= ", " > ", " >= "]), VALUES).map("".join)
WITHIN = st.tuples(VALUES, st.sampled_from([" in ", " not in "]), st.just("(1, 2, 3)")).map("".join)
CONDITIONS = st.recursive(
    SIMPLE | COMPARED | WITHIN,
    lambda inner: (
        st.tuples(inner, st.sampled_from([" and ", " or "]), inner).map("".join)
        | inner.map(lambda text: f"not ({text})")
        | inner.map(lambda text: f"({text})")
    ),
    max_leaves=5,
).filter(lambda text: len(text) <= 300)


class Stand:
    """A process as Python sees it: identifiers are numbers."""

    def __init__(self, number: int, state: Any) -> None:
        component = state[number + 1]
        fields = SUBJECT.system.fields_of(component)
        self.__dict__.update(
            {name: int(repr(v)) if name == "leader" and v is not None else v for name, v in fields.items()}
        )
        self.id = START.world.identifiers[number]
        self.waiting = sum(map(len, component.inbox))


@given(CONDITIONS, st.sampled_from(STATES))
def test_it_agrees_with_python(text: str, state: Any) -> None:
    names = {f"p{k + 1}": Stand(k, state) for k in range(3)}
    assert holds(text, state) == bool(eval(text, {"__builtins__": {"len": len}}, names))


def test_counting_agrees_with_python() -> None:
    for state, least in itertools.product(STATES, range(4)):
        stands = [Stand(k, state) for k in range(3)]
        assert holds(f"count(awake and id > 1) >= {least}", state) == (
            sum(p.awake and p.id > 1 for p in stands) >= least
        )
        assert holds("any(leader == 3)", state) == any(p.leader == 3 for p in stands)


def test_values_of_every_kind_can_be_asked_about(write: Write) -> None:
    subject = subject_of(
        write("""
        class Mood(enum.Enum):
            CALM = 1
            ANGRY = 2
        class Pair(NamedTuple):
            id: Id
            level: int
        class Note(Message):
            pair: Pair
        class Odd(Process):
            topology = one_way_ring
            specs = ()
            turn: int = shared(7)
            mood: Mood = Mood.CALM
            seen: frozenset[int] = frozenset({1, 2})
            best: Pair | None = None
            row: tuple[int, ...] = (4, 5)
            @initiate
            def go(self):
                self.require(self.best is None)
                self.best = Pair(self.id, 3)
                self.send(NEXT, Note(self.best))
            @receive(Note)
            def take(self, message): ...
        """),
        n=2,
    )
    path = paths.read(subject, "").path
    run = paths.read(subject, path)
    after = next(t.after for t in subject.system.successors(run.world, run.state) if t.process == 0)
    said = {
        "p1.mood == CALM": True,
        "p1.mood == Mood.ANGRY": False,
        "p1.mood == 'CALM'": True,
        "1 in p1.seen and 3 not in p1.seen": True,
        "p1.seen == '{1, 2}'": True,
        "p1.best.level == 3 and p1.best.id == 1": True,
        "p2.best.level == None": True,
        "p1.row[1] == 5 and p1.row[7] is None and len(p1.row) == 2": True,
        "turn == 7": True,
        "in_transit(Note, pair.level == 3) == 1": True,
        "p1.best == (1, 3)": False,
        "p1.mood < 3": False,
    }
    assert {text: condition(text, subject.system, run.world)(after) for text in said} == said


def test_a_tree_is_data() -> None:
    assert type(read("p1.leader == 3 and not p2.awake")).__name__ == "Joined"


# --- what would take for ever


def nested(depth: int, inside: str = "1") -> str:
    return "count(" * depth + inside + ")" * depth


def test_a_condition_that_looks_at_too_much_is_given_up() -> None:
    """Three processes, 29 deep: 3 to the power of 29 times one."""
    with pytest.raises(ConditionError, match="looks at more than") as refused:
        holds(nested(29))
    assert refused.value.at >= 0
    assert holds(nested(3) + " == 3")


def test_each_state_is_looked_at_anew() -> None:
    test = condition(nested(9), SUBJECT.system, START.world)  # 3 + 9 + ... + 3 to the power of 9: 29,523 looks
    assert all(test(START.state) for _ in range(20))


def test_a_search_hears_that_it_is_cancelled_in_the_middle_of_a_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is put so high that the first state would not be done with."""
    monkeypatch.setattr(meaning, "MOST_LOOKS", 10**12)
    search = searching.Searching(
        SUBJECT, searching.wanted(SUBJECT, "condition", "", here=False, named="", text=nested(29)), Limits()
    )
    search.cancel()
    assert search.over.wait(60)
    assert search.answer is not None
    assert search.answer["outcome"] == "limit"


def test_a_search_for_a_condition_that_looks_at_too_much_says_so() -> None:
    search = searching.Searching(
        SUBJECT, searching.wanted(SUBJECT, "condition", "", here=False, named="", text=nested(29)), Limits()
    )
    assert search.over.wait(60)
    assert search.answer is not None
    assert "looks at more than" in search.answer["sentence"]
