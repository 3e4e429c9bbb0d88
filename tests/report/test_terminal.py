"""The verdict block and the traces, as people read them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import Limits, check
from modelcheck.check.result import Result

from ..protocols import ALL_FAULTY, ASSERTS, ENDLESS, GROWS, LOOKS_AT_N, RAISES, STUCK, UNHEARD, UNLUCKY
from .conftest import Draw

Run = Callable[..., Result]

LATE = """
class Late(Process):
    topology = one_way_ring
    knows = ("neighbours",)
    count: int = 0

    @step
    def tick(self):
        self.require(self.count < 1)
        self.count += 1
        if self.neighbour(NEXT) != self.id:
            self.count = self.n

@always
def small(view):
    "Counters stay below one."
    return all(p.count < 1 for p in view.processes)
"""

TURNED = """
class Token(Message):
    pass

class Turned(Process):
    topology = two_way_ring.unoriented
    heard: Port | None = None
    awake: bool = False

    @initiate
    def wake_up(self):
        self.require(not self.awake)
        self.awake = True
        self.send(NEXT, Token())

    @receive(Token)
    def hear(self, message, port):
        self.heard = port

@always
def heard_from_behind(view):
    "Nobody hears from the process that is next."
    return all(p.heard != NEXT for p in view.processes)
"""

SEEN = """
class Token(Message):
    id: Id

class Seen(Process):
    topology = one_way_ring
    seen: KIND | None = START
    awake: bool = False

    @initiate
    def wake_up(self):
        self.require(not self.awake)
        self.awake = True
        self.send(NEXT, Token(self.id))

    @receive(Token)
    def learn(self, message):
        self.seen = VALUE
        self.send(NEXT, message)
"""


def line_of(report: str, label: str) -> str:
    """The first line with this label, without it."""
    found = re.search(rf"^  {label} +(.*)$", report, re.MULTILINE)
    assert found, f"no line {label!r} in:\n{report}"
    return found[1]


# --- the verdict block


def test_the_block_says_what_the_promises_say(draw: Draw) -> None:
    report = draw(check("chang_roberts", n=5))
    first = report.splitlines()[0]
    assert first.startswith("HOLDS  at_most_one_leader, leader_is_the_maximum, agreement")
    assert first.endswith("chang_roberts  n=5  fifo  ids unique")
    assert line_of(report, "guarantee") == "exhaustive, exact; 24 worlds stand for all 120 assignments"
    assert re.fullmatch(
        r"6,002 states   18,896 transitions   24 terminal states   depth \d+   in \d+\.\d s",
        line_of(report, "explored"),
    )
    assert line_of(report, "exercised") == "3/3 steps"
    assert line_of(report, "reductions") == "worlds up to isomorphism"
    assert "n other than 5" in line_of(report, "not checked")
    assert line_of(report, "next") == "modelcheck run chang_roberts --n 6"


def test_without_symmetry_every_world_stands_for_itself(draw: Draw) -> None:
    report = draw(check("chang_roberts", n=3, symmetry=False))
    assert line_of(report, "guarantee") == "exhaustive, exact; all 6 worlds, one for each of the assignments"
    assert "reductions" not in report


def test_an_assumption_that_an_option_breaks_is_named(draw: Draw) -> None:
    report = draw(check("chang_roberts", ids="1,1,2"))
    assert line_of(report, "broken") == "identifiers 1,1,2 (written for unique ones)"


def test_options_are_part_of_the_first_line(draw: Draw) -> None:
    report = draw(check("chang_roberts", n=2, losses=1, initiators="p1", parameters={"elects": "min"}))
    assert report.splitlines()[0].endswith("n=2  fifo  ids unique  initiators 1  losses 1  elects=min")


def test_a_step_that_never_ran_is_named(draw: Draw, run: Run) -> None:
    never = "\n    @step\n    def never(self):\n        self.require(False)\n        self.awake = False\n"
    report = draw(run(ENDLESS + never))
    assert line_of(report, "exercised") == "2/3 steps; never ran: never"
    assert "self.awake = False" in line_of(report, "never ran")


def test_many_places_that_never_ran_are_folded(draw: Draw, run: Run) -> None:
    branches = "".join(f"        if self.count == -{k}:\n            self.count = -{k + 1}\n" for k in range(1, 20, 2))
    bounded = GROWS.replace("self.count += 1", "self.require(self.count < 2)\n        self.count += 1")
    report = draw(run(bounded + branches, n=1))
    assert "and 6 more places (--json lists them)" in report


def test_a_property_that_never_mattered_is_named(draw: Draw, run: Run) -> None:
    idle = "\n@always\ndef nothing_waits(view):\n    'Nothing is in transit.'\n    return not view.in_transit()\n"
    report = draw(run(GROWS.replace("self.count += 1", "self.require(self.count < 2); self.count += 1") + idle, n=1))
    assert line_of(report, "vacuous") == "nothing_waits: nothing it reads ever changed"


def test_ends_that_all_look_alike_are_not_called_vacuous(draw: Draw) -> None:
    assert "vacuous" not in draw(check("chang_roberts", n=3))


def test_a_verdict_with_probability_1_says_so(draw: Draw, run: Run) -> None:
    report = draw(run(UNLUCKY, n=1))
    assert report.startswith("HOLDS")
    assert "termination holds with probability 1" in line_of(report, "note")


def test_inconclusive_says_how_far_it_came_what_grows_and_what_to_raise(draw: Draw, run: Run) -> None:
    report = draw(run(GROWS, n=2, limits=Limits(max_states=900)))
    assert report.startswith("INCONCLUSIVE  termination")
    assert line_of(report, "because") == "the limit of 900 states was reached"
    assert line_of(report, "guarantee") == "none; 0 worlds searched to the end, standing for 0 of 2 assignments"
    assert "the field `count`" in line_of(report, "growing")
    assert line_of(report, "next").endswith("--n 2 --max-states 9000")


def test_a_violation_found_before_a_limit_says_that_a_shorter_one_may_exist(draw: Draw) -> None:
    report = draw(check("chang_roberts", n=4, losses=1, limits=Limits(max_states=400)))
    assert report.startswith("VIOLATED")
    assert line_of(report, "stopped") == "the limit of 400 states was reached"
    assert "worlds it did not reach may break this in fewer steps" in report


@pytest.mark.parametrize("kind", ["Id", "frozenset[Id]"])
def test_identifiers_are_no_growth(kind: str, run: Run) -> None:
    """Of those there are only n, and of sets of them 2^n."""
    learn = (
        SEEN.replace("KIND", kind)
        .replace("START", "None" if kind == "Id" else "frozenset()")
        .replace("VALUE", "message.id" if kind == "Id" else "self.seen | {message.id}")
    )
    result = run(learn, n=6 if kind == "frozenset[Id]" else 13, limits=Limits(max_states=300))
    assert result.verdict == "INCONCLUSIVE"
    assert result.growth == ""


def test_where_nothing_stands_out_nothing_is_said(draw: Draw) -> None:
    assert "growing" not in draw(check("chang_roberts", n=6, limits=Limits(max_states=100)))


def test_fewer_initiators_are_a_gap_only_where_somebody_initiates(draw: Draw, run: Run) -> None:
    assert "fewer initiators" in line_of(draw(check("chang_roberts")), "not checked")
    report = draw(
        run(STUCK.replace("self.id != max([self.id])", "not self.done"), network="bag", limits=Limits(max_states=600))
    )
    assert report.startswith("HOLDS")
    assert "initiators" not in line_of(report, "not checked")
    assert line_of(report, "next").startswith("modelcheck show")


# --- what is worth typing next


@pytest.mark.parametrize(
    ("options", "following"),
    [
        ({"ids": "1,1,2"}, "--n 3"),
        ({"ids": "any", "n": 2}, "--n 2"),
        ({"ids": "1,1", "start": "simultaneous"}, "--start simultaneous --n 2"),
        ({"network": "set", "losses": 1, "n": 2, "initiators": "1"}, "--network set --n 2 --initiators 1"),
        ({"losses": 1, "ids": "2,1"}, "--ids 2,1"),
    ],
)
def test_after_a_broken_assumption_comes_the_same_without_it(
    options: dict[str, Any], following: str, draw: Draw
) -> None:
    assert line_of(draw(check("chang_roberts", **options)), "next") == f"modelcheck run chang_roberts {following}"


def test_after_a_fault_that_a_variation_has_comes_the_correct_protocol(draw: Draw) -> None:
    report = draw(check("spanning_tree:AsPrinted", n=3))
    assert line_of(report, "next") == "modelcheck run spanning_tree --n 3"


def test_a_report_that_has_not_said_why_ends_with_the_command_that_does(draw: Draw, run: Run) -> None:
    assert line_of(draw(run(STUCK, n=2)), "next").endswith("model_1.py --ids 1,2 --property everyone_is_done --why")


# --- traces


def test_where_a_run_speaks_of_numbered_ports_its_header_says_whom_they_lead_to(draw: Draw) -> None:
    report = draw(check("spanning_tree:AsPrinted", graph="line", n=3))
    assert line_of(report, "ports") == "p1: 0->p2   p2: 0->p1 1->p3   p3: 0->p2"
    assert "ports" not in draw(check("chang_roberts", ids="1,1,2"))


def test_where_next_does_not_lead_around_the_ring_the_header_says_where_it_leads(draw: Draw, run: Run) -> None:
    """On a ring that every process may name in its own way."""
    report = draw(run(TURNED, n=3, ids="1,2,3"))
    assert re.fullmatch(r"p1: next->p\d previous->p\d   p2: .*", line_of(report, "ports"))
    leads = re.findall(r"p(\d): next->p(\d)", line_of(report, "ports"))
    assert ("1", "2") not in leads or ("2", "3") not in leads or ("3", "1") not in leads
    oriented = draw(run(TURNED.replace("p.heard != NEXT", "p.heard is None"), n=3, ids="1,2,3", graph="two_way_ring"))
    assert "VIOLATED" in oriented
    assert "  ports " not in oriented


def test_a_property_without_a_reason_is_told_once_how_to_give_one(draw: Draw, run: Run) -> None:
    silent = STUCK.replace(' or because("p1 is not done")', "")
    another = silent[silent.index("@at_the_end") :].replace("everyone_is_done", "again_everyone_is_done")
    report = draw(run(silent + another, n=1))
    assert line_of(report, "fails") == "It is not so here: At the end everyone is done."
    assert report.count('a property can say why: return ... or because("...")') == 1
    assert "can say why" not in draw(run(STUCK, n=1))


def test_a_trace_has_one_line_a_step(draw: Draw) -> None:
    report = draw(check("chang_roberts", ids="1,1,2", property="leader_is_the_maximum"))
    start = report.index("VIOLATED  leader_is_the_maximum  (always)  after 3 steps")
    assert report[start:].splitlines()[1:14] == [
        "  claim        Whoever leads, or is named as the leader, has the greatest identifier of all.",
        "  world        one-way ring of 3, ids 1,1,2",
        "  at first     every process: leader=None, awake=False",
        "  1  p1 (id 1)  wake_up                       awake False -> True; sends Election(1) to p2",
        "  2  p2 (id 1)  compare  Election(1) from p1  awake False -> True; sends Leader(1) to p3",
        "  3  p3 (id 2)  learn    Leader(1) from p2    leader None -> 1; sends Leader(1) to p1",
        "  at last      p1 (id 1): leader=None, awake=True; waiting: Leader(1)",
        "               p2 (id 1): leader=None, awake=True",
        "               p3 (id 2): leader=1, awake=False",
        "  fails        p3 (id 2) takes 1 for the leader, and the greatest identifier is 2",
        "  again        modelcheck run chang_roberts --ids 1,1,2 --property leader_is_the_maximum",
        "",
        "  next         modelcheck run chang_roberts --n 3 --property leader_is_the_maximum",
    ]


def test_the_shortest_violation_comes_first(draw: Draw) -> None:
    report = draw(check("chang_roberts", ids="1,1,2"))
    lengths = [int(length) for length in re.findall(r"^VIOLATED .* after (\d+) step", report, re.MULTILINE)]
    assert len(lengths) == 4
    assert lengths == sorted(lengths)


def test_a_run_that_breaks_two_properties_is_printed_once(draw: Draw) -> None:
    report = draw(check("chang_roberts", ids="1,1,2"))
    assert line_of(report, "run") == "the same as for agreement, above"


def test_a_lasso_marks_what_repeats(draw: Draw, run: Run) -> None:
    report = draw(run(ENDLESS, n=2))
    assert re.findall(r"^  ( |\*) (\d)  p\d \(id \d\)  (\w+)", report, re.MULTILINE) == [
        (" ", "1", "wake_up"),
        (" ", "2", "wake_up"),
        ("*", "3", "pass_on"),
        ("*", "4", "pass_on"),
    ]
    assert "after step 4 all is as it was before step 3" in line_of(report, "loop")


def test_an_exception_shows_the_models_traceback_and_only_that(draw: Draw, run: Run) -> None:
    report = draw(run(RAISES, n=1))
    assert line_of(report, "fails") == "ZeroDivisionError: integer division or modulo by zero"
    assert re.search(r"model_1.py:\d+$", line_of(report, "where"))
    assert "in take" in report
    assert "return 1 // (message.hops - 1)" in report
    assert "modelcheck/" not in report


def test_an_assertion_shows_its_text_and_its_line(draw: Draw, run: Run) -> None:
    report = draw(run(ASSERTS, n=1))
    assert "too few hops" in line_of(report, "fails")
    assert re.search(r"model_1.py:\d+$", line_of(report, "where"))


def test_a_message_nobody_receives_is_shown_where_it_arrives(draw: Draw, run: Run) -> None:
    report = draw(run(UNHEARD, n=1))
    assert "receive  Token(1) from p1  Token(1) arrives and no step receives it" in report


def test_a_stuck_run_gives_its_reason(draw: Draw, run: Run) -> None:
    assert line_of(draw(run(STUCK, n=1)), "fails") == "p1 is not done"


def test_starting_steps_come_before_the_first(draw: Draw) -> None:
    report = draw(check("chang_roberts", ids="1,1", start="simultaneous"))
    assert re.search(r"^  start  p1 \(id 1\)  wake_up", report, re.MULTILINE)


def test_faults_are_steps_of_a_trace(draw: Draw) -> None:
    report = draw(check("chang_roberts", n=2, losses=1))
    assert re.search(r"p\d \(id \d\)  lose +\w+\(\d\) from p\d", report)


# --- errors


def test_a_model_error_names_all_that_is_known(draw: Draw, run: Run) -> None:
    report = draw(run(LOOKS_AT_N))
    assert report.startswith("MODEL ERROR  the process looked at how many processes there are")
    for label in ("where", "process", "step", "state", "cause", "remedy", "reached by"):
        assert f"\n  {label}" in report
    assert "Traceback" not in report


def test_after_a_model_error_nothing_is_decided_and_nothing_else_is_said(draw: Draw, run: Run) -> None:
    report = draw(run(LOOKS_AT_N))
    assert report.splitlines()[-2:] == ["", "INCONCLUSIVE  nothing is decided about model_1"]
    for label in ("explored", "exercised", "reductions", "not checked", "next"):
        assert f"\n  {label} " not in report


def test_a_violation_found_before_a_model_error_is_mentioned(draw: Draw, run: Run) -> None:
    result = run(LATE, n=range(1, 3))
    assert result.exit_code == 75
    assert draw(result).splitlines()[-1].endswith("but that it violates small (--json shows how)")


def test_the_step_that_a_model_error_stopped_counts_as_exercised(run: Run) -> None:
    assert run(LOOKS_AT_N).steps == {"look": True}


@pytest.mark.parametrize("text", [RAISES, ASSERTS, RAISES.replace("self.awake = True", "self.awake = 1 // 0 == 0")])
def test_a_step_that_raised_counts_as_exercised(text: str, run: Run) -> None:
    steps = run(text, n=1).steps
    assert steps[next(iter(steps))]
    assert text != RAISES or all(steps.values())


# --- terminals


@pytest.mark.parametrize("name", ALL_FAULTY)
def test_nothing_is_lost_on_a_narrow_terminal(name: str, draw: Draw, run: Run) -> None:
    result = run(ALL_FAULTY[name][0], n=2)

    def words(text: str) -> set[str]:
        return set(text.replace(":", " ").split())

    assert words(draw(result)) <= words(draw(result, 80))


@pytest.mark.parametrize("width", [80, 120])
def test_lines_fit_the_terminal_but_for_commands_and_paths(width: int, draw: Draw) -> None:
    for result in (check("chang_roberts", n=4), check("chang_roberts", ids="1,1,2", limits=Limits(max_states=50))):
        for line in draw(result, width).splitlines():
            assert len(line) <= width or line.lstrip().startswith(("again", "next"))


def test_what_is_no_terminal_gets_no_colours_and_no_wrapping(draw: Draw) -> None:
    report = draw(check("chang_roberts", ids="1,1,2"))
    assert "\x1b" not in report
    assert max(map(len, report.splitlines())) > 100
    assert not any(line != line.rstrip() for line in report.splitlines())


def test_a_terminal_gets_colours_unless_no_color_is_set(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    result = check("chang_roberts", n=2)
    assert "\x1b[1;32mHOLDS" in draw(result, 80, colour=True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1;32m" not in draw(result, 80, colour=True)


def test_names_in_brackets_are_text_and_no_markup(draw: Draw, run: Run) -> None:
    text = STUCK.replace("p1 is not done", "[red]p1[/red] is not done :bug:")
    assert line_of(draw(run(text, n=1)), "fails") == "[red]p1[/red] is not done :bug:"


GOES_ROUND = """
class Goes(Process):
    topology = one_way_ring
    asked: bool = False
    @step
    def ask(self):
        self.asked = not self.asked
@always_eventually
def somebody_asks(view: View) -> Verdict:
    "Somebody asks again and again."
    return any(p.asked for p in view.processes)
"""


def test_whoever_did_not_ask_that_runs_end_is_told_how_a_protocol_goes_on_for_ever(draw: Draw, run: Run) -> None:
    assert "a protocol that is to go on for ever declares specs = ()" in draw(run(GOES_ROUND, n=1))
    asked = GOES_ROUND.replace("    topology", '    specs = ("termination",)\n    topology')
    assert "VIOLATED  termination" in draw(run(asked, n=1))
    assert "specs = ()" not in draw(run(asked, n=1))
