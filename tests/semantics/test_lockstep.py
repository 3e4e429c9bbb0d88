"""What a round is, on protocols small enough to follow by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest

from modelcheck import StepError, UsageError, check
from modelcheck.check.result import Result
from modelcheck.semantics.lockstep import Round
from modelcheck.semantics.worlds import Policy
from tests.conftest import Explored

Explore = Callable[..., list[Explored]]
Run = Callable[..., Result]
FIRST = Policy("none", (1,))

# p1 sends three letters round the ring; everybody notes what it got, and in which order.
RELAY = """
class Letter(Message):
    text: str
class Relay(Process):
    topology = one_way_ring
    identifiers = "none"
    got: str = ""
    @initiate
    def send_all_letters(self):
        self.require(self.got == "")
        self.got = "-"
        for text in "abc":
            self.send(NEXT, Letter(text))
    @receive(Letter)
    def pass_on(self, letter):
        if "-" not in self.got:
            self.send(NEXT, letter)
        self.got += letter.text
"""

# Of two-way rings: p1 sends on both ports; who hears from PREVIOUS answers only once it has heard from NEXT.
PORTS = """
class Letter(Message):
    text: str
class Ports(Process):
    topology = two_way_ring
    identifiers = "none"
    got: str = ""
    @initiate
    def send_letters(self):
        self.require(self.got == "")
        self.got = "-"
        self.send(PREVIOUS, Letter("p"))
        self.send(PREVIOUS, Letter("q"))
        self.send(NEXT, Letter("n"))
    @receive(Letter)
    def note(self, letter, port):
        {guard}
        self.got += letter.text
"""

# Everybody counts its rounds to two, in two steps of which the second looks at the first.
STEPS = """
class Tick(Message):
    pass
class Steps(Process):
    topology = one_way_ring
    identifiers = "none"
    log: str = ""
    @step
    def first(self):
        self.require(len(self.log) < 6)
        self.log += "1"
        self.send(NEXT, Tick())
    @receive(Tick)
    def hear(self, tick):
        self.log += "h"
    @receive(Tick)
    def hear_again(self, tick):
        self.log += "H"
    @step
    def second(self):
        self.require(self.log.endswith("1") and len(self.log) < 6)
        self.log += "2"
"""

CHANCE = """
class Chance(Process):
    topology = one_way_ring
    identifiers = "none"
    face: int = 0
    @initiate
    def throw(self):
        self.require(self.face == 0)
        self.face = self.{how}((1, 2, 3))
"""

ENDLESS = """
class Token(Message):
    pass
class Endless(Process):
    topology = one_way_ring
    identifiers = "none"
    awake: bool = False
    @initiate
    def wake_up(self):
        self.require(not self.awake)
        self.awake = True
        self.send(NEXT, Token())
    @receive(Token)
    def pass_on(self, token):
        self.send(NEXT, token)
"""


def rounds_of(world: Explored) -> list[tuple[Any, ...]]:
    """The local variables after each round, of a protocol with a single lock-step run."""
    count = len(world.found.states)
    assert list(world.found.depths) == list(range(count)), "there is more than one run"
    return [tuple(fields[0] for fields in world.fields(number)) for number in range(count)]


# --- a round


def test_what_is_sent_arrives_for_the_next_round_all_of_it_and_in_order(explored: Explore) -> None:
    (world,) = explored(RELAY, 3, FIRST, schedule="lockstep")
    assert rounds_of(world) == [
        ("", "", ""),
        ("-", "", ""),
        ("-", "abc", ""),
        ("-", "abc", "abc"),
        ("-abc", "abc", "abc"),
    ]


def test_a_process_that_sends_to_itself_gets_it_in_the_next_round(explored: Explore) -> None:
    (world,) = explored(RELAY, 1, FIRST, schedule="lockstep")
    assert rounds_of(world) == [("",), ("-",), ("-abc",)]


def test_ports_are_gone_through_in_their_order(explored: Explore) -> None:
    """Of two: what p1 sends to PREVIOUS arrives at p2's NEXT, the first of its ports."""
    (world,) = explored(PORTS.format(guard="pass"), 2, FIRST, schedule="lockstep")
    assert rounds_of(world) == [("", ""), ("-", ""), ("-", "pqn")]


def test_a_closed_port_is_tried_again_in_the_same_round_and_after_each_reception(explored: Explore) -> None:
    """p2 takes from NEXT only after it has got something from PREVIOUS."""
    guard = 'self.require(port == PREVIOUS or "n" in self.got)'
    (world,) = explored(PORTS.format(guard=guard), 2, FIRST, schedule="lockstep")
    assert rounds_of(world)[-1] == ("-", "npq")


def test_what_no_step_takes_stays_and_what_is_behind_it_too(explored: Explore) -> None:
    guard = 'self.require(letter.text != "p")'
    (world,) = explored(PORTS.format(guard=guard), 2, FIRST, schedule="lockstep")
    assert rounds_of(world)[-1] == ("-", "n")
    (waiting, _) = world.found.states[-1][2].inbox
    assert [letter.text for letter in waiting] == ["p", "q"]


def test_receptions_come_first_then_each_spontaneous_step_once_in_the_order_of_definition(explored: Explore) -> None:
    """And of two steps that receive the same it is the first. Round 1: first, second. Round 2: hear, first, second."""
    (world,) = explored(STEPS, 1, schedule="lockstep")
    assert rounds_of(world) == [("",), ("12",), ("12h12",), ("12h12h",)]


def test_of_several_steps_that_could_receive_the_first_whose_guard_allows_does(explored: Explore) -> None:
    text = STEPS.replace('self.log += "h"', 'self.require(len(self.log) > 2)\n        self.log += "h"')
    (world,) = explored(text, 1, schedule="lockstep")
    assert rounds_of(world)[-1] == ("12H12h",)


@pytest.mark.parametrize("how", ["draw", "choose"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_everybody_chooses_and_draws_for_itself(explored: Explore, n: int, how: str) -> None:
    (world,) = explored(CHANCE.format(how=how), n, Policy("none"), schedule="lockstep")
    assert world.counts == (1 + 3**n, 3**n, 3**n, 1)


def test_to_choose_after_a_draw_in_one_round_is_refused_as_it_is_within_a_step(run: Run) -> None:
    text = (
        CHANCE.format(how="draw")
        + """
    @step
    def look(self):
        self.require(0 < self.face < 4)
        self.face = self.choose((4, 5))
"""
    )
    found = run(text, n=2, schedule="lockstep")
    assert found.exit_code == 75
    assert "in one round a process draws in throw and then chooses in look" in str(found.error)
    assert run(text.replace("draw", "choose"), n=2, schedule="lockstep").verdict == "HOLDS"
    assert run(text, n=2).verdict == "HOLDS"


# --- starting


@pytest.mark.parametrize("initiators", [(1,), (1, 3), "all"])
def test_initiators_start_in_the_first_round_and_nobody_else_does(explored: Explore, initiators: Any) -> None:
    (world,) = explored(RELAY, 3, Policy("none", initiators), schedule="lockstep")
    (first,) = world.system.successors(world.world, world.found.states[0])
    assert len(first.outcome.sends) == 3 * len(world.world.initiators)
    assert {fields[0] for fields in world.fields(1)} == ({"-"} if initiators == "all" else {"", "-"})


@pytest.mark.parametrize("n", [2, 3, 4])
def test_where_all_have_started_before_the_first_round_there_is_one_round_less(n: int) -> None:
    late = check("chang_roberts", n=n, schedule="lockstep")
    early = check("chang_roberts", n=n, schedule="lockstep", start="simultaneous")
    assert (early.verdict, early.depth) == (late.verdict, late.depth - 1)


# --- ends and endless runs


def test_a_state_in_which_nobody_does_anything_is_terminal(explored: Explore) -> None:
    """A step that is enabled for ever and does nothing is no obstacle."""
    text = RELAY + "\n    @step\n    def idle(self):\n        pass\n"
    (world,) = explored(text, 3, FIRST, schedule="lockstep")
    assert world.counts == (5, 4, 1, 4)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_round_that_leads_back_to_its_own_state_repeats_for_ever(run: Run, n: int) -> None:
    """Everybody passes on the token that everybody had: nothing changes, and it never ends."""
    found = run(ENDLESS, n=n, schedule="lockstep")
    assert (found.exit_code, found.states, found.transitions, found.terminal_states) == (13, 2, 2, 0)
    trace = found.property("termination").trace
    assert trace is not None
    assert (trace.length, trace.unit, trace.loop, len(trace.steps)) == (2, "round", n, 2 * n)


def test_a_turn_that_ends_where_it_began_has_done_something_all_the_same(run: Run) -> None:
    """One step switches on, the other off again: under any schedule this goes on for ever."""
    text = """
        class Blink(Process):
            topology = one_way_ring
            on: bool = False
            @step
            def switch_on(self):
                self.require(not self.on)
                self.on = True
            @step
            def switch_off(self):
                self.require(self.on)
                self.on = False
        """
    assert run(text, n=1).exit_code == 13
    found = run(text, n=1, schedule="lockstep")
    assert (found.exit_code, found.states, found.transitions) == (13, 1, 1)


def test_an_endless_run_of_probability_0_is_no_violation() -> None:
    found = check("itai_rodeh", n=2, schedule="lockstep").property("termination")
    assert (found.verdict, found.note) == ("holds", "with probability 1")
    assert found.trace is not None
    assert found.trace.unit == "round"


def test_to_choose_after_a_draw_that_changed_nothing_is_refused_too(run: Run) -> None:
    """Whether there is a choice depends on the draw, as where the draw is written down."""
    found = run(
        """
        class Coin(Process):
            topology = one_way_ring
            identifiers = "none"
            over: bool = False
            x: int = 0
            @step
            def toss(self):
                self.require(not self.over)
                self.over = self.draw((False, True))
            @step
            def pick(self):
                self.require(not self.over)
                self.over = True
                self.x = self.choose((1, 2))
        """,
        n=1,
        schedule="lockstep",
    )
    assert isinstance(found.error, StepError)
    assert found.error.what == "in one round a process draws in toss and then chooses in pick"


def test_drawing_among_what_leads_to_the_same_state_again_is_certain_not_to_end(run: Run) -> None:
    text = ENDLESS.replace("self.send(NEXT, token)", "self.draw((1, 2))\n        self.send(NEXT, token)")
    assert run(text, n=2, schedule="lockstep").exit_code == 13


def test_a_step_that_fails_ends_the_run_in_its_round(run: Run) -> None:
    text = RELAY.replace(
        "self.got += letter.text", 'assert letter.text != "b", "a b came"\n        self.got += letter.text'
    )
    found = run(text, n=3, initiators="1", schedule="lockstep")
    assert found.exit_code == 14
    trace = found.property("assertions").trace
    assert trace is not None
    assert trace.length == 2
    assert [(step.round, step.process, step.received) for step in trace.steps] == [
        (1, "p1", None),
        (2, "p2", "Letter(a)"),
        (2, "p2", "Letter(b)"),
    ]
    assert trace.steps[-1].failure == "the assertion fails: a b came"


def test_a_message_nobody_receives_is_found(run: Run) -> None:
    text = RELAY.split("    @receive")[0]
    assert run(text, n=2, schedule="lockstep").property("every_message_is_received").verdict == "violated"


def test_a_step_that_was_enabled_and_never_taken_is_reported_as_one_that_never_ran(run: Run) -> None:
    found = run(STEPS, n=1, schedule="lockstep")
    assert found.steps == {"first": True, "hear": True, "hear_again": False, "second": True}
    assert all(run(STEPS, n=1).steps.values())
    early = check("chang_roberts", n=2, schedule="lockstep", start="simultaneous")
    assert all(early.steps.values())


# --- what is refused


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"losses": 1}, "leave out --losses"),
        ({"duplications": 1}, "leave out --duplications"),
        ({"partitions": 1, "heals": 1}, "leave out --partitions"),
        ({"crashes": 1, "recoveries": 1}, "leave out --recoveries"),
        ({"network": "bag"}, "--network bag has no meaning in lock-step"),
        ({"engine": "compiled"}, "only the reference engine goes in lock-step"),
        ({"schedule": "lock-step"}, "did you mean lockstep?"),
    ],
)
def test_what_has_no_place_in_a_round_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        check("chang_roberts", n=2, **({"schedule": "lockstep"} | options))


def test_false_suspicions_and_shared_variables_are_refused() -> None:
    with pytest.raises(UsageError, match="leave out --detector"):
        check("bully", n=2, schedule="lockstep", detector="unreliable:1")
    with pytest.raises(UsageError, match="HarmonyLeader has shared variables"):
        check("harmony_leader", n=2, schedule="lockstep")


# --- against what is known


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_rounds_are_time_the_election_of_chang_and_roberts_takes_2n_plus_1(n: int) -> None:
    """One round to start, n hops of the greatest identifier, n of the announcement; and one run in each world."""
    found = check("chang_roberts", n=n, schedule="lockstep")
    assert found.verdict == "HOLDS"
    assert found.states == found.worlds * (2 * n + 2)
    assert found.transitions == found.states - found.worlds


FLOOD = """
class Best(Message):
    id: int
class Flood(Process):
    knows = ("integers",)
    best: int | None = None
    @initiate
    def start(self):
        self.require(self.best is None)
        self.best = self.id
        self.send_all(Best(self.id))
    @receive(Best)
    def compare(self, message, port):
        if message.id > self.best:
            self.best = message.id
            self.send_all(message, but=port)
"""


@pytest.mark.parametrize("n", [2, 3, 4])
def test_when_flooding_everyone_knows_after_r_rounds_the_greatest_within_r_hops(explored: Explore, n: int) -> None:
    """FloodMax (Lynch, section 4.1), on every connected graph; the distances are those of NetworkX."""
    for world in explored(FLOOD, n, Policy("unique"), schedule="lockstep"):
        distance = dict(nx.all_pairs_shortest_path_length(world.world.shape.graph()))
        known = rounds_of(world)
        for after, best in enumerate(known[1:]):
            for i in range(n):
                near = [world.world.identifiers[j] or 0 for j in range(n) if distance[i][j] <= after]
                assert best[i] == max(near), (str(world.world), after)
        assert len(known) >= 2


# It speaks only in rounds that are its own, and takes silence for an answer (Lynch, section 3.7.1, TimeSlice).
TIME_SLICE = """
class Least(Message):
    id: int
class TimeSlice(ElectionProcess):
    topology = one_way_ring
    knows = ("n", "integers")
    elects = "min"
    time: int = 0
    @receive(Least)
    def hear(self, message):
        if self.leader is None:
            self.leader = message.id
            self.send(NEXT, message)
    @step
    def tick(self):
        self.require(self.leader is None)
        if self.time == (self.id - 1) * self.n:
            self.leader = self.id
            self.send(NEXT, Least(self.id))
        self.time += 1
"""


@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_protocol_that_counts_rounds_is_right_in_lock_step_and_wrong_otherwise(run: Run, n: int) -> None:
    found = run(TIME_SLICE, n=n, ids="from:4", schedule="lockstep")
    assert found.verdict == "HOLDS"
    assert found.depth == (4 - n) * n + n + 1  # (least identifier - 1) n rounds of silence, one to speak, n hops
    assert run(TIME_SLICE, n=2).property("leader_is_the_minimum").verdict == "violated"


# --- the steps of a round, and how many there may be


def test_a_round_lists_the_steps_of_each_process_in_turn(explored: Explore) -> None:
    (world,) = explored(STEPS, 2, Policy("none"), schedule="lockstep")
    (second,) = world.system.successors(world.world, world.found.states[1])
    assert isinstance(second, Round)
    taken = [(transition.process, transition.outcome.step) for _, transition in second.singly(world.found.states[1])]
    assert taken == [(p, step) for p in (0, 1) for step in ("hear", "first", "second")]


def test_messages_that_double_with_every_round_come_to_a_limit_in_time(run: Run) -> None:
    """The states are few; their size is what grows."""
    text = ENDLESS.replace("self.send(NEXT, token)", "self.send(NEXT, token)\n        self.send(NEXT, token)")
    found = run(text, n=2, schedule="lockstep")
    assert found.exit_code == 20
    assert found.stopped == "the limit of 1,000 messages for one process in one round was reached"
    assert found.states == 12  # 1, 2, 4, ... 1024 messages, and none
    assert "a channel grew to 1024 messages, most of them Token" in found.growth


def test_too_many_ways_for_a_round_to_go_are_a_limit_too(run: Run) -> None:
    found = run(CHANCE.format(how="draw").replace("(1, 2, 3)", "range(1, 102)"), n=3, schedule="lockstep")
    assert (found.exit_code, found.states) == (20, 1)
    assert found.stopped == "the limit of 1,000,000 ways for one round to go was reached"
