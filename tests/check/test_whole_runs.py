"""Properties of whole runs from a model's file to the report: what is said, by which engine, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from modelcheck import Limits, catalog, check
from modelcheck.check.result import Result
from modelcheck.check.retaking import Retraced, retrace
from modelcheck.cli import cli
from tests.check.test_parts import joined, parts_of
from tests.conftest import said

Run = Callable[..., Result]
Write = Callable[..., str]

TURNS = (Path(__file__).parents[1] / "models/protocols/turns.py").read_text()
NAMES = ("asks_leads_to_works", "everyone_works", "nobody_works")
# One that ends: each sends its neighbour a token, and counts those it gets.
ONCE = """
class Token(Message):
    pass
class Once(Process):
    topology = one_way_ring
    specs = ()
    begun: bool = False
    got: int = 0
    @initiate
    def begin(self):
        self.require(not self.begun)
        self.begun = True
        self.send(NEXT, Token())
    @receive(Token)
    def get(self, message):
        self.got += 1
"""


def verdicts(result: Result) -> dict[str, str]:
    assert result.error is None
    return {name: result.property(name).verdict for name in NAMES}


def test_a_token_that_goes_round_gives_everyone_a_turn(run: Run) -> None:
    """Who has asked waits with the token before it, at last: nobody else can take that. So somebody works again and again."""
    found = run(TURNS, n=3, initiators="1")
    assert verdicts(found) == {
        "asks_leads_to_works": "holds", "everyone_works": "holds", "nobody_works": "violated",
    }  # fmt: skip
    assert all(found.property(name).mattered for name in NAMES)


def test_a_token_that_may_pass_by_gives_nobody_a_turn_for_certain(run: Run) -> None:
    """Shown is one step to send it, one to ask, and once round the ring of two."""
    found = run(TURNS, n=2, initiators="1", set={"patient": False})
    assert verdicts(found) == dict.fromkeys(NAMES[:2], "violated") | {"nobody_works": "violated"}
    trace = found.property("asks_leads_to_works").trace
    assert trace is not None
    assert trace.reason.startswith("p1 (id 1): once asks holds, after step ")
    assert trace.about == ("p1 (id 1)",)


def test_where_the_token_is_lost_the_run_ends_with_somebody_waiting(run: Run) -> None:
    """All ask, the token is sent and lost: with two processes that is four steps, and no run breaks it sooner, for one that repeats
    loses nothing."""
    found = run(TURNS, n=2, initiators="1", losses=1)
    prop = found.property("asks_leads_to_works")
    assert prop.trace is not None
    assert (prop.verdict, prop.trace.length, prop.trace.loop, prop.trace.final) == ("violated", 4, None, True)
    assert found.exit_code == 13


def test_whom_it_is_not_so_of_at_the_end_is_said(run: Run) -> None:
    found = run(ONCE + "@always_eventually\ndef none(view, p): return p.got == 0\n", n=2).property("none")
    assert found.trace is not None
    assert (found.trace.reason, found.trace.about) == ("It is not so of p1 (id 1) here: none", ("p1 (id 1)",))


def test_a_run_that_ends_is_judged_by_how_it_ends(run: Run) -> None:
    """Both have got one at the end, after four steps, and had got none before: that is no more the case."""
    text = ONCE + (
        "@always_eventually\ndef all_got(view): return all(p.got == 1 for p in view.processes)\n"
        "@eventually_always\ndef all_have(view, p): return p.got == 1\n"
        "@always_eventually\ndef none_got(view): return all(p.got == 0 for p in view.processes) or because('one has')\n"
    )
    found = run(text, n=2)
    assert {p.name: p.verdict for p in found.properties[:3]} == {
        "all_got": "holds", "all_have": "holds", "none_got": "violated",
    }  # fmt: skip
    trace = found.property("none_got").trace
    assert trace is not None
    assert (trace.length, trace.reason, trace.final) == (4, "one has", True)


@pytest.mark.parametrize("engine", ["reference", "sets"])
def test_ends_are_enough_for_sets_where_all_runs_end(run: Run, engine: Any) -> None:
    text = ONCE + (
        "@eventually_always\ndef one_each(view, p): return p.got == 1\n"
        "@always_eventually\ndef none_yet(view): return all(p.got == 0 for p in view.processes)\n"
        "@always_eventually\ndef few(view): return all(p.got < 9 for p in view.processes)\n"
    )
    found = run(text, n=2, engine=engine)
    assert [(p.verdict, p.mattered, p.shortest) for p in found.properties[:3]] == [
        ("holds", True, True), ("violated", True, True), ("holds", True, True),
    ]  # fmt: skip


def test_sets_do_not_decide_what_is_on_the_way_nor_where_runs_may_never_end(run: Run) -> None:
    found = run(TURNS, n=2, initiators="1", engine="sets")
    assert verdicts(found) == dict.fromkeys(NAMES, "inconclusive")
    assert found.property("asks_leads_to_works").note == "sets of states do not decide it: --engine compiled does"
    assert "some process can send more than" in found.property("everyone_works").note


def test_a_bad_end_that_sets_find_is_not_said_to_be_the_shortest_where_runs_may_never_end(run: Run) -> None:
    found = run(TURNS, n=2, initiators="1", losses=1, engine="sets").property("everyone_works")
    assert (found.verdict, found.shortest) == ("violated", False)


ENDLESS = """
class Ticks(Process):
    topology = one_way_ring
    identifiers = "none"
    specs = ()
    on: bool = False
    @step
    def tick(self):
        self.on = not self.on
"""


def test_what_never_happens_leads_to_nothing_and_what_never_changes_does_not_matter(run: Run) -> None:
    text = ENDLESS + (
        "def never(view, p): return p.on and not p.on\n"
        "def on(view, p): return p.on\n"
        "never_leads_to_on = leads_to(never, on)\n"
        "on_leads_to_on = leads_to(on, on)\n"
        "@always_eventually\ndef true(view): return True\n"
        "@always_eventually\ndef often(view): return any(p.on for p in view.processes)\n"
    )
    for engine in ("reference", "compiled"):
        found = run(text, n=2, engine=engine)
        mattered = {p.name: p.mattered for p in found.properties[:4]}
        assert mattered == {"never_leads_to_on": False, "on_leads_to_on": True, "true": False, "often": True}
        assert {p.verdict for p in found.properties[:4]} == {"holds"}


def test_what_processes_that_are_alike_do_by_turns_each_does_again_and_again(run: Run) -> None:
    """Each ticks for ever, weakly fair, yet never need both be on at once: states up to symmetry could not tell whose turn it was."""
    text = ENDLESS + (
        "@always_eventually\ndef each(view, p): return p.on\n"
        "@always_eventually\ndef both(view): return all(p.on for p in view.processes)\n"
    )
    for options in ({}, {"symmetry": False}):
        found = run(text, n=2, **options)
        assert [p.verdict for p in found.properties[:2]] == ["holds", "violated"]
    trace = found.property("both").trace
    assert trace is not None
    assert (trace.loop, trace.length) == (0, 4)  # one on, off, the other on, off


def test_rounds_that_repeat_break_what_is_asked_of_whole_runs(run: Run) -> None:
    """In lock-step both tick at once, and are on in every other round; what each round does again is a loop though nothing changes."""
    text = """
        class Tok(Message):
            pass
        class Beats(Process):
            topology = one_way_ring
            specs = ()
            begun: bool = False
            @initiate
            def begin(self):
                self.require(not self.begun)
                self.begun = True
                self.send(NEXT, Tok())
            @receive(Tok)
            def on(self, message):
                self.send(NEXT, message)
        @eventually_always
        def nothing_waits(view): return not view.in_transit()
        @always_eventually
        def something_waits(view): return bool(view.in_transit())
        """
    found = run(text, n=2, schedule="lockstep")
    assert [p.verdict for p in found.properties[:2]] == ["violated", "holds"]
    trace = found.property("nothing_waits").trace
    assert trace is not None
    assert (trace.unit, trace.length) == ("round", 2)  # one in which they begin, and one that repeats


@pytest.mark.parametrize(
    ("stated", "why"),
    [
        ("@always_eventually\ndef p(view): return not view.in_transit()\n", ""),
        ("def a(view, p): return p.begun\ndef b(view, p): return p.got == 1\np = leads_to(a, b)\n", "leads_to"),
    ],
)
def test_what_is_on_the_way_is_not_reduced_and_ends_are(run: Run, stated: str, why: str) -> None:
    full, reduced = (run(ONCE + stated, n=3, reduce=how) for how in ("none", "order"))
    assert full.verdict == reduced.verdict == "HOLDS"
    assert (
        f"no partial order: a property of {why} is looked at in every state of every run"
        if why
        else "steps that do not meet in one order (partial order)"
    ) in reduced.reductions
    assert (reduced.states < full.states) == (not why)


def test_parts_and_workers_say_the_same_of_whole_runs(write: Write, tmp_path: Path) -> None:
    file = write(TURNS)
    options: dict[str, Any] = {"model": file, "n": 3, "initiators": "size:1", "set": {"patient": False}, "losses": 1}
    whole = check(**options)
    assert verdicts(whole) == dict.fromkeys(NAMES, "violated")
    assert said(joined(parts_of(tmp_path, 2, **options))) == said(whole)
    assert said(check(**options, workers=3)) == said(whole)
    kept = tmp_path / "kept.json"
    assert check(**options, limits=Limits(max_states=whole.states // 2), checkpoint=kept).stopped
    assert said(check(**options, checkpoint=kept, resume=True)) == said(whole)


def test_a_run_in_a_file_is_judged_anew(write: Write) -> None:
    """By the model it is of it is broken as ever; by one whose property says less it is kept."""
    options: dict[str, Any] = {"n": 2, "initiators": "1", "set": {"patient": False}}
    found = check(write(TURNS), **options)
    other = catalog.find_model(
        write(TURNS.replace("return p.works", "return p.works or p.begun").replace("not any(p.works", "not any(False"))
    )
    kept = {
        "asks_leads_to_works": "whenever that is so which leads to it, it holds then or later",
        "everyone_works": "it holds in a state of the loop",
        "nobody_works": "it holds in every state of the loop",
    }
    assert found.request is not None
    for name, why in kept.items():
        prop = found.property(name)
        assert prop.trace is not None
        again = [
            retrace(model, found.request.settings, None, name, prop.kind, prop.trace)
            for model in (found.request.model, other)
        ]
        assert again[0] == Retraced(True, prop.trace.reason)
        assert again[1].violated is False or name != "nobody_works"
        if not again[1].violated:
            assert again[1].because == why


def test_random_runs_say_what_they_do_not_judge(write: Write) -> None:
    text = ONCE + (
        "def a(view, p): return p.begun\ndef b(view, p): return p.got == 1\np = leads_to(a, b)\n"
        "@eventually_always\ndef one_each(view, p): return p.got == 1\n"
        "@always_eventually\ndef none(view): return all(p.got == 0 for p in view.processes)\n"
    )
    result = CliRunner().invoke(cli, ["simulate", write(text), "--n", "4", "--runs", "3"])
    assert "at the end   one_each: so in every run" in result.output
    assert "not judged   a_leads_to_b: that takes all the states of a run" in result.output
    assert "none in 3 of 3 runs" in result.output


def test_a_function_without_a_name_is_refused(run: Run) -> None:
    found = run(ONCE + "p = leads_to(lambda view: True, lambda view: True)\n", n=2)
    assert "leads_to is given a function without a name" in str(found.error)
    named = run(ONCE + "p = leads_to(lambda view: True, lambda view: True, name='always_true')\n", n=2)
    assert named.property("always_true").verdict == "holds"
