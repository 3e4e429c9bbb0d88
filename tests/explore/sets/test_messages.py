"""What the engine of sets counts of messages, by type, is what the reference engine counts and what is published."""

from __future__ import annotations

import math
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given, settings

from modelcheck.catalog import model_files
from modelcheck.check.counting import MessagesResult, count_messages
from modelcheck.count.census import Count
from modelcheck.count.ranges import Amount
from modelcheck.errors import UsageError
from modelcheck.language.networks import NETWORKS
from tests.explore.compiled.test_engine import FAULTS, MEANINGLESS, sizes
from tests.explore.random_protocols import RandomProtocol, examples, protocols
from tests.explore.sets.agreement import miscounted

MOST = 3_000  # states that the reference engine visits


def by_sets(model: str, **options: Any) -> MessagesResult:
    return count_messages(model, engine="sets", **options)


def ranges(count: Count) -> dict[str, tuple[Amount, Amount]]:
    """By type, the least and the greatest number."""
    return {name: (count.over(k).least, count.over(k).greatest) for k, name in enumerate(count.names)}


# --- beside the reference engine


@pytest.mark.parametrize(("turn", "model"), list(enumerate(model_files())), ids=list(model_files()))
def test_sets_count_the_same_messages_of_every_model(turn: int, model: str, thorough: bool) -> None:
    """Every day each model meets one network, and one fault at most."""
    n = sizes(model)[0]
    pairs = [(network, faults) for network in NETWORKS for faults in FAULTS]
    for network, faults in pairs if thorough else pairs[turn % len(pairs) :: len(pairs)]:
        if faults.keys() & MEANINGLESS.get(network, set()):
            continue  # refused: it has no meaning there
        assert not miscounted(model, MOST, n=n, network=network, **faults), (network, faults)


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("chang_roberts", {"n": (2, 3, 4)}),
        ("chang_roberts", {"n": 4, "ids": "any"}),
        ("chang_roberts", {"n": 4, "ids": [1, 2, 1, 2]}),
        ("chang_roberts", {"n": 3, "initiators": "each", "start": "simultaneous"}),
        ("chang_roberts", {"n": 4, "initiators": "size:2", "network": "bag"}),
        ("chang_roberts", {"n": 3, "symmetry": False, "losses": 1}),
        ("chang_roberts", {"n": 2, "network": "sticky"}),
        ("stages", {"n": 2, "start": "simultaneous"}),  # every port naming
        ("flooding", {"n": 3, "start": "simultaneous"}),  # every connected graph: a formula that speaks of links
        ("bully", {"n": 3, "crashes": 1}),  # a detector, whose messages nobody sends
        ("harmony_leader", {"n": 3}),  # shared variables, and processes that go round
        ("tree_elect_root", {"n": 3}),  # a root
    ],
    ids=str,
)
def test_sets_count_the_same_messages_of_worlds_of_every_kind(model: str, options: dict[str, Any]) -> None:
    assert miscounted(model, **options) == []


@settings(max_examples=examples(15, 150))
@given(protocols())
def test_sets_count_the_same_messages_of_a_random_protocol(protocol: RandomProtocol) -> None:
    if protocol.options.get("schedule") == "lockstep":
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.py"
        path.write_text(protocol.source)
        found = miscounted(str(path), 1_500, **protocol.options)
    event("compared" if found is not None else "too large, or at fault")
    assert not found


# --- what is known


@pytest.mark.parametrize("n", [2, 5, 6])
def test_chang_and_roberts_send_as_many_as_they_proved(n: int) -> None:
    # Chang, Roberts 1979: 2n-1 to n(n+1)/2, n H_n on average; and n more to announce the leader
    result = by_sets("chang_roberts", n=n, start="simultaneous")
    total, election, leader = (result.counts[0].over(column) for column in range(3))
    mean = n * sum((Fraction(1, i) for i in range(1, n + 1)), Fraction(0))
    assert (election.least, election.greatest) == (2 * n - 1, n * (n + 1) // 2)
    assert election.mean_least == election.mean_greatest == mean
    assert (leader.least, leader.greatest) == (n, n)
    assert (total.least, total.greatest, total.mean_least) == (3 * n - 1, n * (n + 1) // 2 + n, mean + n)
    assert result.verdict == "HOLDS"
    assert not result.refuted


def test_the_run_that_is_shown_is_a_shortest_of_the_first_world() -> None:
    result = by_sets("chang_roberts", n=4)
    least, greatest = (result.traces[4, which] for which in ("least", "greatest"))
    assert least.world.identifiers == (1, 2, 3, 4)  # ascending: each Election is swallowed at once
    assert greatest.world.identifiers == (1, 4, 3, 2)
    # each message is received in a step. The least: 4 alone starts; the greatest: all but 4, which 1 wakes, for who is woken by a greater one stands back
    assert (least.length, greatest.length) == (8 + 1, 14 + 3)


# --- runs that do not end


TURNS_ROUND = """
from modelcheck import *

class Note(Message):
    pass

class Done(Message):
    pass

class TurnsRound(Process):
    topology = one_way_ring
    identifiers = "none"
    specs = ()
    sent: bool = False
    turned: bool = False
    stopped: bool = False

    @initiate
    def begin(self):
        self.require(not self.sent)
        self.sent = True
        for _ in range(self.choose((1, 3))):
            self.send(NEXT, Note())

    @step
    def turn(self):
        self.require(self.sent and not self.stopped)
        self.turned = not self.turned
{stop}
    @receive(Note)
    def take(self, message):
        pass
"""
STOP = """
    @step
    def stop(self):
        self.require(self.sent and not self.stopped)
        self.stopped = True
        self.send(NEXT, Done())

    @receive(Done)
    def end(self, message):
        pass
"""


def test_processes_that_turn_round_without_sending_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(TURNS_ROUND.format(stop=STOP))
    count = by_sets(str(path), n=2).counts[0]
    # each process sends one Note or three, and Done before it comes to rest
    assert ranges(count) == {"total": (4, 8), "Note": (2, 6), "Done": (2, 2), "others": (0, 0)}
    assert miscounted(str(path), n=2) == []


def test_where_no_run_ends_there_is_a_greatest_number_alone(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(TURNS_ROUND.format(stop=""))
    result = by_sets(str(path), n=2)
    count, never = result.counts[0], math.inf
    assert ranges(count) == {"total": (never, 6), "Note": (never, 6), "others": (never, 0)}
    assert set(result.traces) == {(2, "greatest")}
    assert miscounted(str(path), n=2) == []


def test_where_a_run_sends_without_end_sets_do_not_count() -> None:
    # anonymous processes that draw the same number draw again, and again
    with pytest.raises(UsageError, match="some process can send more than 96 messages"):
        by_sets("itai_rodeh", n=2)
