"""What the engine of sets says is what the reference engine says: of every model, network and fault, and of random protocols."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given, settings

from modelcheck import check
from modelcheck.catalog import model_files
from modelcheck.language.networks import NETWORKS
from tests.explore.compiled.test_engine import FAULTS, MEANINGLESS, sizes
from tests.explore.random_protocols import RandomProtocol, examples, protocols
from tests.explore.sets.agreement import disagreements

MOST = 3_000  # states that the reference engine visits
FAILS_TO_RECOVER = """
from modelcheck import *

class Fails(Process):
    topology = one_way_ring
    tolerates = ("crashes", "recoveries")
    specs = ()
    a: int = 0

    @initiate
    def begin(self):
        self.require(self.a == 0)
        self.a = 1

    @recover
    def come_back(self):
        1 // self.a
"""
LOOKS_AGAIN = """
from modelcheck import *

class Note(Message):
    pass

class Looks(Process):
    topology = one_way_ring
    networks = ("sticky",)
    specs = ()
    sent: bool = False
    a: int = 0

    @initiate
    def begin(self):
        self.require(not self.sent)
        self.sent = True
        self.send(self.ports[0], Note())

    @receive(Note)
    def look(self, message):
        self.a = min(self.a + 1, 2)

@every_step
def something_changes(before, after):
    return any(p.a != after.processes[k].a or p.sent != after.processes[k].sent for k, p in enumerate(before.processes))
"""
LOOKS_AND_LEAVES = """
from modelcheck import *

class Looks(Process):
    topology = one_way_ring
    identifiers = "none"
    specs = ()
    a: int = 0

    def initially(self):
        self.a = self.choose((0, 1))

    @step
    def look(self):
        self.require(self.a == 0)
        self.a = 0

@every_step
def nothing_is_lost(before, after):
    return all(p.a <= q.a for p, q in zip(before.processes, after.processes))
"""
FAILS_FIRST = """
from modelcheck import *

class Note(Message):
    pass

class Fails(Process):
    topology = one_way_ring
    specs = ("termination",)
    a: int = 0

    @initiate
    def begin(self):
        self.require(self.a == 0)
        self.a = 1
        self.send(NEXT, Note())
        1 // 0

    @receive(Note)
    def get(self, message):
        self.a = 2
"""
GOES_ROUND_OR_FAILS = """
from modelcheck import *

class Goes(Process):
    topology = one_way_ring
    specs = ()
    a: int = 0

    @step
    def go_round(self):
        self.require(self.a < 2)
        self.a = 1 - self.a

    @step
    def go_on(self):
        self.require(self.a in (0, 2, 3, 4, 5))
        self.a = max(self.a, 1) + 1

    @step
    def fail(self):
        self.require(self.a == 2)
        1 // 0

@eventually_always
def it_is_back(view):
    return all(p.a == 0 for p in view.processes)
"""
SENDS_ON = """
from modelcheck import *

class Name(Message):
    id: Id

class SendsOn(Process):
    topology = two_way_ring
    specs = ()
    best: Id | None = None

    @initiate
    def begin(self):
        self.require(self.best is None)
        self.best = self.id
        self.send(self.ports[0], Name(self.id))

    @receive(Name)
    def get(self, message, port):
        self.send(port, message)
"""


@pytest.mark.parametrize("model", list(model_files()))
def test_sets_tell_the_same_of_every_model(model: str, thorough: bool) -> None:
    small, larger = sizes(model)
    assert not disagreements(model, MOST, n=small)
    if thorough:
        assert not disagreements(model, 10 * MOST, n=larger)


@pytest.mark.parametrize(("turn", "model"), list(enumerate(model_files())), ids=list(model_files()))
def test_sets_tell_the_same_under_every_network_and_fault(turn: int, model: str, thorough: bool) -> None:
    """Every day each model meets one network and one fault: three models meet each pair."""
    n = sizes(model)[0]
    pairs = [(network, faults) for network in NETWORKS for faults in FAULTS[1:]]
    for network, faults in pairs if thorough else pairs[turn % len(pairs) :: len(pairs)]:
        if faults.keys() & MEANINGLESS.get(network, set()):
            continue  # refused: it has no meaning there
        assert not disagreements(model, MOST, n=n, network=network, **faults), (network, faults)


@pytest.mark.parametrize(
    "options",
    [
        {"n": 4, "ids": "any"},
        {"n": 4, "ids": [1, 2, 1, 2]},
        {"n": 3, "ids": "from:4"},
        {"n": 4, "start": "simultaneous"},
        {"n": 3, "initiators": "each"},
        {"n": 4, "initiators": "size:2", "network": "bag"},
        {"n": 3, "symmetry": False, "losses": 1},
        {"n": 3, "crashes": 1, "recoveries": 1},
        {"n": (2, 3, 4)},
    ],
    ids=str,
)
def test_sets_tell_the_same_of_every_policy(options: dict[str, Any]) -> None:
    assert disagreements("chang_roberts", **options) == []


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("flooding", {"n": 4}),  # every connected graph
        ("stages", {"n": 3}),  # every port naming
        ("bully", {"n": 3, "crashes": 2}),  # a detector
        ("bully", {"n": 3, "detector": "unreliable:1"}),
        ("harmony_leader", {"n": 3}),  # shared variables
        ("itai_rodeh", {"n": 3}),  # draws
        ("tree_elect_root", {"n": 3}),  # a root
    ],
    ids=str,
)
def test_sets_tell_the_same_whatever_a_model_makes_use_of(model: str, options: dict[str, Any]) -> None:
    assert disagreements(model, **options) == []


def test_a_process_that_sends_itself_what_it_received_has_come_to_its_end(tmp_path: Path) -> None:
    """Taking the message changes it, and so does the message that comes; both together change nothing."""
    path = tmp_path / "model.py"
    path.write_text(SENDS_ON)
    assert disagreements(str(path), n=1) == []
    assert disagreements(str(path), n=2, crashes=1) == []


def test_worlds_that_nobody_can_tell_apart_are_counted_each(tmp_path: Path) -> None:
    """A process alone on a ring has its two ports in either order, and they lead to one another."""
    path = tmp_path / "model.py"
    path.write_text(SENDS_ON.replace("two_way_ring", "two_way_ring.unoriented"))
    assert disagreements(str(path), n=1, symmetry=False) == []


def test_a_process_whose_recovery_fails_has_not_come_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(FAILS_TO_RECOVER)
    assert disagreements(str(path), n=2, crashes=1, recoveries=1) == []


def test_a_step_that_changes_nothing_is_one_of_which_properties_are_asked(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(LOOKS_AGAIN)
    assert disagreements(str(path), n=2) == []
    assert check(str(path), n=2, engine="sets").property("something_changes").verdict == "violated"


def test_what_never_changes_in_a_step_does_not_matter_though_states_differ(tmp_path: Path) -> None:
    """Two states, and the only step leads from one of them to itself."""
    path = tmp_path / "model.py"
    path.write_text(LOOKS_AND_LEAVES)
    assert disagreements(str(path), n=1) == []
    assert not check(str(path), n=1, engine="sets").property("nothing_is_lost").mattered


@pytest.mark.parametrize("n", [1, 2])
def test_nothing_runs_beside_that_does_not_run_where_starting_fails(n: int, tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(FAILS_FIRST)
    assert disagreements(str(path), n=n, start="simultaneous", workers=2) == []
    assert check(str(path), n=n, start="simultaneous", engine="sets", workers=2).steps["get"] is False


def test_where_a_step_fails_a_run_that_ends_is_not_called_the_shortest(tmp_path: Path) -> None:
    """To go round is shorter, and sets do not look for it."""
    path = tmp_path / "model.py"
    path.write_text(GOES_ROUND_OR_FAILS)
    plain, sets = (check(str(path), n=1, engine=engine).property("it_is_back") for engine in ("reference", "sets"))
    assert plain.verdict == sets.verdict == "violated"
    assert plain.trace.length < sets.trace.length  # type: ignore[union-attr]
    assert (plain.shortest, sets.shortest) == (True, False)


@settings(max_examples=examples(25, 150))
@given(protocols())
def test_sets_tell_the_same_of_a_random_protocol(protocol: RandomProtocol) -> None:
    if protocol.options.get("schedule") == "lockstep":
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.py"
        path.write_text(protocol.source)
        found = disagreements(str(path), 1_500, **protocol.options)
    event("compared" if found is not None else "too large, or at fault")
    assert not found
