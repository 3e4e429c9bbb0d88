"""What a run is, on protocols small enough to count by hand."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import Id, UsageError, check
from modelcheck.check.result import Result
from modelcheck.semantics.execution import Runner
from modelcheck.semantics.worlds import Policy
from tests.conftest import Explored

Write = Callable[..., str]

Explore = Callable[..., list[Explored]]

# p1 sends the numbers given, in one step; p2 writes down what it gets.
SEND = """
class Number(Message):
    x: int
class Send(Process):
    topology = one_way_ring
    networks = ("fifo", "bag", "set", "sticky")
    sent: bool = False
    got: tuple[int, ...] = ()
    @initiate
    def send_all_numbers(self):
        self.require(not self.sent)
        self.sent = True
        for x in {numbers}:
            self.send(NEXT, Number(x))
    @receive(Number)
    def write_down(self, message):
        self.require(len(self.got) < 3)
        self.got = (*self.got, message.x)
"""
FIRST = Policy("none", (1,))


def received(explore: Explore, numbers: tuple[int, ...], **settings: Any) -> set[tuple[int, ...]]:
    """What p2 has written down when nothing more can happen."""
    (world,) = explore(SEND.replace("{numbers}", repr(numbers)), 2, FIRST, **settings)
    return {fields[1][1] for fields in world.endings}


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        ("fifo", {(1, 2, 1)}),
        ("bag", {(1, 1, 2), (1, 2, 1), (2, 1, 1)}),
        ("set", {(1, 2), (2, 1)}),  # the second 1 merges with the first
        ("sticky", {(a, b, c) for a in (1, 2) for b in (1, 2) for c in (1, 2)}),  # each again and again
    ],
)
def test_each_network_delivers_1_2_1_in_its_own_orders(
    explored: Explore, network: str, expected: set[tuple[int, ...]]
) -> None:
    assert received(explored, (1, 2, 1), network=network) == expected


def test_counts_of_three_messages_by_hand(explored: Explore) -> None:
    """fifo: not sent, then 0..3 received: 5 states in a row. bag of 1,2,1: the sub-multisets still waiting, each with the
    orders in which the others came: 1 + (1 + 2 + 3 + 3) states, 1 + 2 + 3 + 3 transitions."""
    (fifo,) = explored(SEND.replace("{numbers}", "(1, 2, 1)"), 2, FIRST, network="fifo")
    assert fifo.counts == (5, 4, 1, 4)
    (bag,) = explored(SEND.replace("{numbers}", "(1, 2, 1)"), 2, FIRST, network="bag")
    assert bag.counts == (10, 9, 3, 4)


def test_a_loss_takes_any_one_message_and_a_duplication_puts_the_copy_behind_it(explored: Explore) -> None:
    """Both may also not happen: faults are never owed."""
    assert received(explored, (1, 2), network="fifo", losses=1) == {(1, 2), (1,), (2,)}
    assert received(explored, (1, 2), network="fifo", duplications=1) == {(1, 2), (1, 1, 2), (1, 2, 2)}
    assert received(explored, (1, 2), network="bag", losses=2) == {(1, 2), (2, 1), (1,), (2,), ()}
    both = received(explored, (1,), network="fifo", losses=1, duplications=1)
    assert both == {(1,), (), (1, 1)}


def test_faults_beyond_their_budget_do_not_happen(explored: Explore) -> None:
    assert () not in received(explored, (1, 2), network="fifo", losses=1)
    assert max(map(len, received(explored, (1, 2), network="fifo", duplications=1))) == 3


def test_duplications_mean_nothing_on_a_sticky_network(run: Callable[..., Result]) -> None:
    with pytest.raises(UsageError, match="sticky"):
        run(SEND.replace("{numbers}", "(1,)"), network="sticky", duplications=1)


def test_a_bag_loses_each_of_the_messages_that_differ_once(explored: Explore) -> None:
    """Which of two equal ones is lost makes no difference: 1, 1 and 2 are lost in two ways. Before p1 has sent nothing is lost."""
    (world,) = explored(SEND.replace("{numbers}", "(1, 1, 2)"), 2, FIRST, network="bag", losses=1)
    (start,) = world.system.starts(world.world)
    (sent,) = world.system.successors(world.world, start.state)
    assert sent.after is not None
    kinds = [step.outcome.kind for step in world.system.successors(world.world, sent.after)]
    assert sorted(kinds) == ["lose", "lose", "receive", "receive"]


def test_of_several_steps_that_receive_a_message_any_may(explored: Explore) -> None:
    text = (
        SEND.replace("{numbers}", "(1,)")
        + """\
    @receive(Number)
    def write_it_down_twice(self, message):
        self.got = (*self.got, message.x, message.x)
"""
    )
    (world,) = explored(text, 2, FIRST)
    assert {fields[1][1] for fields in world.endings} == {(1,), (1, 1)}


def test_what_waits_at_any_port_can_be_received(explored: Explore) -> None:
    """The middle of a line has two: it hears of its neighbours in either order."""
    (world,) = explored(
        """
        class Hello(Message):
            pass
        class Greets(Process):
            topology = line
            greeted: bool = False
            heard: tuple[Port, ...] = ()
            @initiate
            def greet(self):
                self.require(not self.greeted and len(self.ports) == 1)
                self.greeted = True
                self.send(self.ports[0], Hello())
            @receive(Hello)
            def hear(self, message, port):
                self.heard = (*self.heard, port)
        """,
        3,
        Policy("none"),
    )
    heard = {fields[1][1] for fields in world.endings}
    assert {tuple(map(int, ports)) for ports in heard} == {(0, 1), (1, 0)}


def test_a_step_that_fails_leaves_its_process_as_it_was(explored: Explore) -> None:
    """The message that it was about to receive is still there to be looked at, and the state is no end."""
    text = SEND.replace("{numbers}", "(1,)").replace("self.require(len(self.got) < 3)", "assert False")
    (world,) = explored(text, 2, FIRST)
    (start,) = world.system.starts(world.world)
    (sent,) = world.system.successors(world.world, start.state)
    assert sent.after is not None
    (failed,) = world.system.successors(world.world, sent.after)
    assert failed.after is None
    assert failed.outcome.component is sent.after[2]
    assert failed.outcome.component.inbox != ((),)
    assert not world.endings


# --- crashes -----------------------------------------------------------------------------------------------------

HEARS = """
class Note(Message):
    x: int
class Hears(Process):
    topology = one_way_ring
    networks = ("fifo", "bag")
    tolerates = ("crashes", "recoveries", "suspicions")
    sent: bool = stable(False)
    lives: int = 0
    heard: tuple[str, ...] = ()
    @initiate
    def speak(self):
        self.require(not self.sent)
        self.sent = True
        self.send(NEXT, Note(2))
        self.send(NEXT, Note(1))
    @receive(Note)
    def note(self, message):
        self.heard = (*self.heard, str(message.x))
    @receive(Down, Up)
    def told(self, message):
        self.heard = (*self.heard, type(message).__name__)
    @recover
    def back(self):
        self.lives += 1
"""


def heard(worlds: list[Explored]) -> set[tuple[str, ...]]:
    """What p2 has heard at the end of the runs in which it never crashed."""
    (world,) = worlds
    return {
        world.found.states[number][2].fields[2]
        for number in world.found.terminals
        if not world.found.states[number][2].crashed
    }


def test_down_stands_behind_everything_the_crashed_process_sent(explored: Explore) -> None:
    """p1 may crash before it speaks, after, or not at all; so may p2, of which p1 then hears."""
    assert heard(explored(HEARS, 2, FIRST, crashes=1)) == {("2", "1"), ("2", "1", "Down"), ("Down",)}


def test_down_is_the_last_to_come_out_of_a_bag(explored: Explore) -> None:
    orders = {("1", "2"), ("2", "1")}
    assert heard(explored(HEARS, 2, FIRST, network="bag", crashes=1)) == {
        ("Down",),
        *orders,
        *((*order, "Down") for order in orders),
    }


def test_up_follows_down_and_stable_fields_survive(explored: Explore) -> None:
    """p1 speaks before it crashes, or after it came back; never twice, since it remembers."""
    (world,) = worlds = explored(HEARS, 2, FIRST, crashes=1, recoveries=1)
    alone = {record for record in heard(worlds) if "Up" in record and record[0] != "Up"}
    assert alone == {("2", "1", "Down", "Up"), ("Down", "Up", "2", "1")}
    for state in world.found.states:
        for component in state[1:]:
            if not component.crashed and component.fields[1]:
                assert component.fields[1] == 1, "one recovery each at most, and a fresh count of lives"


def test_up_stands_before_what_a_process_sends_as_it_recovers(explored: Explore) -> None:
    """And before it has spoken nothing else is heard of it."""
    text = HEARS.replace("self.lives += 1", "self.lives += 1\n        self.send(NEXT, Note(3))")
    records = heard(explored(text, 2, FIRST, crashes=1, recoveries=1))
    assert {record for record in records if "3" in record} == {
        ("2", "1", "Down", "Up", "3"),
        ("Down", "Up", "3", "2", "1"),
    }


def test_in_a_bag_what_a_recovered_process_sends_may_overtake_what_was_said_of_it(explored: Explore) -> None:
    """Only what p1 sent before it crashed comes before Down, and Down before Up: with 2 and 1 that is 4! / 2 orders."""
    records = heard(explored(HEARS, 2, FIRST, network="bag", crashes=1, recoveries=1))
    orders = set(itertools.permutations(("Down", "Up", "2", "1")))
    assert {record for record in records if "Up" in record and len(record) == 4} == {
        order for order in orders if order.index("Down") < order.index("Up")
    }


def test_who_does_not_ask_whether_others_are_up_again_is_not_told(explored: Explore) -> None:
    text = HEARS.replace("@receive(Down, Up)", "@receive(Down)")
    (world,) = explored(text, 2, FIRST, crashes=1, recoveries=1)
    assert {record for record in heard([world]) if "Down" in record} == {
        ("2", "1", "Down"),
        ("Down",),
        ("Down", "2", "1"),
    }


def test_who_was_down_hears_the_last_word_of_the_detector_all_the_same(explored: Explore) -> None:
    """p2 remembers what it heard before its crash: at the end it knows whether p1 is down, or came back, whenever that was."""
    text = HEARS.replace("heard: tuple[str, ...] = ()", "heard: tuple[str, ...] = stable(())")
    (world,) = explored(text, 2, FIRST, crashes=2, recoveries=2)
    ends = [world.found.states[number] for number in world.found.terminals]
    known = set()
    for _, p1, p2 in ends:
        if p2.crashed or p2.fields[1] == 0:
            continue
        words = [word for word in p2.fields[2] if word in ("Down", "Up")]
        is_so = "Down" if p1.crashed else "Up" if p1.fields[1] else None
        assert (words[-1] if words else None) == is_so
        known.add((is_so, tuple(words)))
    assert known >= {("Down", ("Down",)), ("Up", ("Up",)), ("Up", ("Down", "Up")), (None, ())}


def test_messages_to_a_crashed_process_vanish_and_its_inbox_is_emptied(explored: Explore) -> None:
    (world,) = explored(HEARS, 2, FIRST, crashes=1)
    for state in world.found.states:
        for component in state[1:]:
            if component.crashed:
                assert component.inbox == ((),), "nothing waits for it"
                assert component.fields[1:] == (None, None), "only stable fields are left"


def test_a_false_suspicion_says_down_of_the_living(explored: Explore) -> None:
    """It may stand before, between the steps, or behind what is sent; p1 speaks in one step, so never between 2 and 1.
    And it may not happen to p1 at all."""
    records = heard(explored(HEARS, 2, FIRST, suspicions=1))
    assert records == {("2", "1"), ("Down", "2", "1"), ("2", "1", "Down")}


# --- starting ----------------------------------------------------------------------------------------------------

TICKET = """
class Ticket(Process):
    topology = one_way_ring
    mine: int = 0
    next: int = shared(1)
    @initiate
    def take(self):
        self.require(not self.mine)
        self.mine = self.next
        self.next += 1
"""


def test_simultaneous_starts_that_share_a_variable_happen_in_every_order(explored: Explore) -> None:
    """Three tickets for three processes: 3! initial states, in which everyone has one."""
    (world,) = explored(TICKET, 3, Policy("none"), start="simultaneous")
    assert world.counts == (6, 0, 6, 0)
    assert {tuple(f[0] for f in fields) for fields in world.endings} == {
        (a, b, c) for a in (1, 2, 3) for b in (1, 2, 3) for c in (1, 2, 3) if len({a, b, c}) == 3
    }


def test_simultaneous_start_means_that_all_have_sent_before_anything_is_received(explored: Explore) -> None:
    """SEND with two initiators: one initial state; then two independent receptions in any order, 4 states."""
    (world,) = explored(SEND.replace("{numbers}", "(1,)"), 2, Policy("none"), start="simultaneous")
    assert world.counts == (4, 4, 1, 2)


def test_a_starting_step_that_chooses_starts_in_every_way(explored: Explore) -> None:
    """Two processes with two choices each: four initial states, and nothing more to do."""
    text = TICKET.replace("self.mine = self.next", "self.mine = self.choose((1, 2))").replace("self.next += 1", "pass")
    (world,) = explored(text.replace("    next: int = shared(1)\n", ""), 2, Policy("none"), start="simultaneous")
    assert world.counts == (4, 0, 4, 0)


@pytest.mark.parametrize(
    ("initiators", "worlds", "sets"),
    [("all", 1, {3}), ("each", 7, {1, 2, 3}), ("size:2", 3, {2}), ((1, 3), 1, {2})],
)
def test_initiators_are_all_or_each_set_or_those_of_a_size_or_a_list(
    explored: Explore, initiators: Any, worlds: int, sets: set[int]
) -> None:
    """Of 3 processes there are 7 sets that are not empty, 3 of them pairs. Whoever may not initiate never sends."""
    found = explored(SEND.replace("{numbers}", "(1,)"), 3, Policy("none", initiators, symmetry=False))
    assert len(found) == worlds
    assert {len(explored.world.initiators) for explored in found} == sets
    for each in found:
        for fields in each.endings:
            assert {i for i, own in enumerate(fields) if own[0]} == each.world.initiators


def test_initially_may_choose_and_each_choice_is_an_initial_state(explored: Explore) -> None:
    """Two processes with 3 values each: 9 initial states and nothing to do."""
    (world,) = explored(
        """
        class Choose(Process):
            topology = one_way_ring
            x: int
            def initially(self):
                self.x = self.choose((1, 2, 3))
        """,
        2,
        Policy("none"),
    )
    assert world.counts == (9, 0, 9, 0)


# --- reduced and unreduced ---------------------------------------------------------------------------------------

RACE = """
class Token(Message):
    id: Id
    hops: int
class Race(Process):
    topology = {topology}
    knows = {knows}
    best: Id | None = None
    @initiate
    def start(self):
        self.require(self.best is None)
        self.best = self.id
        self.send(self.ports[0], Token(self.id, 2))
    @receive(Token)
    def pass_on(self, message, port):
        if self.best is None or message.id > self.best:
            self.best = message.id
            if message.hops:
                self.send(self.ports[-1], message.replace(hops=message.hops - 1))
@at_the_end
def all_agree(view):
    return len({p.best for p in view.processes}) == 1
@always
def none_beats_the_greatest(view):
    return all(p.best is None or p.best <= max(q.id for q in view.processes) for p in view.processes)
"""


def combinations() -> list[Any]:
    """Every identifier policy with every choice of initiators, on the topologies where that can be enumerated."""
    topologies = ["one_way_ring", "two_way_ring", "two_way_ring.unoriented", "complete", "line.unoriented", "any_graph"]
    known = {"two_way_ring": ("root",), "complete": ("neighbours",), "any_graph": ("neighbours",)}
    return [
        pytest.param(topology, known.get(topology, ()), ids, initiators, id=f"{topology}-{ids}-{initiators}")
        for topology in topologies
        for ids in ("unique", "any", "from:4", (3, 1, 2))
        for initiators in ("all", "each", "size:1", (1, 3))
        if topology in ("one_way_ring", "line.unoriented") or (initiators != "each" and ids in ("unique", (3, 1, 2)))
    ]


@pytest.mark.parametrize(("topology", "knows", "ids", "initiators"), combinations())
def test_reduced_worlds_weighted_make_up_the_unreduced_ones(
    explored: Explore, topology: str, knows: tuple[str, ...], ids: Any, initiators: Any
) -> None:
    """States, transitions and terminal states, each world of the reduction counted as often as it stands for others."""
    text = RACE.replace("{topology}", topology).replace("{knows}", repr(knows))
    sums = []
    for symmetry in (True, False):
        total = [0, 0, 0, 0]
        for each in explored(text, 3, Policy(ids, initiators, symmetry)):
            for k, count in enumerate((*each.counts[:3], 1)):
                total[k] += each.world.weight * count
        sums.append(total)
    assert sums[0] == sums[1]


@pytest.mark.parametrize("topology", ["one_way_ring", "two_way_ring.unoriented", "complete", "line"])
def test_reduced_and_unreduced_runs_give_the_same_verdicts_and_shortest_lengths(
    write: Callable[..., str], topology: str
) -> None:
    path = write(RACE.replace("{topology}", topology).replace("{knows}", "()"))
    reduced, whole = (check(path, n=3, initiators="each", symmetry=symmetry) for symmetry in (True, False))
    assert reduced.represented == whole.represented == whole.worlds
    for one, other in zip(reduced.properties, whole.properties, strict=True):
        assert (one.name, one.verdict) == (other.name, other.verdict)
        assert (one.trace and one.trace.length) == (other.trace and other.trace.length)


def test_an_alias_of_a_type_is_not_taken_for_something_that_changes(write: Write) -> None:
    path = write(
        """
        Weight = tuple[int, int]
        class Model(Process):
            topology = one_way_ring
            specs = ()
            weight: Weight = (0, 0)
            @step
            def grow(self):
                self.require(self.weight == (0, 0))
                self.weight = (1, 2)
        ends = terminates()
        """
    )
    assert check(path, n=2).exit_code == 0


def test_a_step_runs_once_for_all_components_that_look_the_same_to_it(
    explored: Explore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not see what else waits in the inbox, nor how many messages may still be lost. Before the first message was received p2 has
    1, 2 and 3 waiting, or two of them: nine ways to receive one, and three runs of the step."""
    runs: list[tuple[Any, ...]] = []
    effects = Runner.effects

    def noted(runner: Runner, function: Any, profile: Any, fields: Any, message: Any = (), **rest: Any) -> Any:
        runs.append((rest["name"], profile, fields.get("got"), message))
        return effects(runner, function, profile, fields, message, **rest)

    monkeypatch.setattr(Runner, "effects", noted)
    (world,) = explored(SEND.replace("{numbers}", "(1, 2, 3)"), 2, FIRST, network="bag", losses=1)
    components = [component for component in world.system.components() if component.fields == (False, ())]
    known = [found for component in components for found in component.cache.values() if isinstance(found, tuple)]
    outcomes = [outcome for found in known for outcome in found]
    assert sum(outcome.step == "write_down" for outcome in outcomes) == 9
    first = [run for run in runs if run[0] == "write_down" and run[2] == ()]
    assert len(first) == len(set(first)) == 3


TICKETS = """
class Ticket(Process):
    topology = one_way_ring
    next: int = shared(0)
    mine: int = -1
    @step
    def take(self):
        {guard}
        self.mine = self.next
        self.next += 1
"""


@pytest.mark.parametrize(
    ("guard", "runs"),
    [
        ("self.require(self.mine < 0)", 1),
        ("self.require(self.next >= 0 and self.mine < 0)", 2),
        ("self.require(getattr(self, 'next') >= 0 and self.mine < 0)", 2),
        ("self.require(vars(self)['next'] >= 0 and self.mine < 0)", 2),
        (
            "try:\n            self.next\n        except BaseException:\n            pass\n        self.require(self.mine < 0)",
            2,
        ),
        ("self.require(self.mine < 0 and self.choose((1, 2)))", 1),
        ("self.choose((1, 2))\n        self.require(self.mine < 0)", 2),  # of its ways only one is tried
    ],
)
def test_a_guard_that_fails_without_a_look_at_what_is_shared_is_asked_in_one_environment(
    explored: Explore, guard: str, runs: int
) -> None:
    """Two processes take a ticket each. Who has number 0 may take none any more, with 1 and with 2 as the next one: two environments."""
    (world,) = explored(TICKETS.replace("{guard}", guard), 2, Policy((1, 2)))
    assert len(world.found.states) == 5  # none has one, either has 0, and then the other has 1
    asked = [call for call in world.system._executed if call.fields == (0,) and call.profile.identifier == Id(1)]
    assert len(asked) == runs
