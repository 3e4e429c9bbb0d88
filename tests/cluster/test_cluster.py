"""A run whose worlds are explored by other processes is the run, whoever dies meanwhile."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from modelcheck import Limits, StepError, UsageError, check
from modelcheck.check.counting import count_messages
from modelcheck.check.memory import Memory
from modelcheck.cluster import chunks
from modelcheck.cluster.gathering import Cluster
from tests.conftest import said

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # what Dask warns of is not ours


@pytest.mark.parametrize(
    "options",
    [
        {"n": 4},
        {"n": "2..4", "reduce": "order"},
        {"ids": "any", "n": 3},  # violations, with the shortest runs in different chunks
        {"model": "itai_rodeh_async", "n": 2},  # a lasso of probability 0
        {"model": "spanning_tree", "n": 3, "losses": 1},
        {"n": 5, "max_states": 3_000},  # where it is reduced, for there are 6,002
    ],
    ids=str,
)
def test_what_workers_find_is_the_run(options: dict[str, Any], cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "FIRST", 1)
    asked = {"model": "chang_roberts", **options}
    found = check(**asked, cluster=cluster.scheduler_address)
    assert said(found) == said(check(**asked))
    assert found.taken_again is not None
    assert found.taken_again.components == found.taken_again.of_components > 0


def test_a_worker_that_is_killed_costs_no_world(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "MOST", 4)  # worlds of a chunk: there are many left when it dies
    merge, killed = Memory.merge, threading.Event()

    def merged(self: Memory, other: Memory) -> None:
        merge(self, other)
        if not killed.is_set():
            killed.set()
            with distributed.Client(cluster) as client:
                pids = client.run(os.getpid)
            os.kill(next(iter(pids.values())), signal.SIGKILL)

    monkeypatch.setattr(Memory, "merge", merged)
    found = check("chang_roberts", n=6, cluster=cluster.scheduler_address)
    assert killed.is_set()
    monkeypatch.setattr(Memory, "merge", merge)
    assert said(found) == said(check("chang_roberts", n=6))


def test_an_interrupt_of_all_processes_is_left_to_the_command(cluster: Any) -> None:
    with distributed.Client(cluster) as client:
        assert [*client.run(signal.getsignal, signal.SIGINT).values()] == [signal.SIG_IGN] * 2


def test_a_limit_ends_it_and_it_can_be_resumed(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "MOST", 4)
    file, at = tmp_path / "left.json", cluster.scheduler_address
    left = check("chang_roberts", n=5, reduce="none", cluster=at, checkpoint=file, limits=Limits(max_states=3_000))
    assert (left.verdict, left.stopped) == ("INCONCLUSIVE", "the limit of 3,000 states was reached")
    assert left.kept is not None
    assert left.kept.worlds == left.worlds > 0
    found = check("chang_roberts", n=5, reduce="none", cluster=at, checkpoint=file, resume=True)
    assert said(found) == said(check("chang_roberts", n=5, reduce="none"))
    assert not file.exists()


def test_a_run_that_has_no_time_says_so(cluster: Any) -> None:
    found = check("chang_roberts", n=8, cluster=cluster.scheduler_address, max_seconds=1)
    assert (found.verdict, found.stopped) == ("INCONCLUSIVE", "the limit of 1 seconds was reached")


BROKEN = """
from modelcheck import *

class Mine(Process):
    topology = one_way_ring
    count: int = 0

    @step
    def go(self):
        self.require(self.count < LAST)
        self.count += 1
        if self.count == 2:
            self.count = "two"
"""


def test_a_step_that_breaks_a_rule_is_told_as_here(cluster: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(BROKEN.replace("LAST", "3"))
    found, here = (check(path, n=2, cluster=at).error for at in (cluster.scheduler_address, None))
    assert isinstance(found, StepError)
    assert str(found) == str(here)


def test_a_model_that_was_changed_is_read_again(cluster: Any, tmp_path: Path) -> None:
    path, states = tmp_path / "mine.py", []
    for last in ("1", "1", "0"):
        path.write_text(BROKEN.replace("LAST", last))
        states.append(check(path, n=2, cluster=cluster.scheduler_address).states)
    assert states == [4, 4, 1]


def test_a_file_is_found_from_wherever_the_workers_are(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(BROKEN.replace("LAST", "1"))
    monkeypatch.chdir(tmp_path)
    found = [check(name, n=2, cluster=cluster.scheduler_address) for name in ("mine.py", "mine.py:Mine")]
    assert [result.states for result in found] == [check("mine.py", n=2).states] * 2
    assert [result.reference for result in found] == ["mine.py", "mine.py:Mine"]


def test_a_cluster_without_workers_is_waited_for_until_the_limit() -> None:
    with distributed.LocalCluster(n_workers=0, dashboard_address=None, silence_logs=60) as empty:
        found = check("chang_roberts", n=3, cluster=empty.scheduler_address, max_seconds=1)
    assert (found.verdict, found.stopped) == ("INCONCLUSIVE", "the limit of 1 seconds was reached")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("", "a cluster is tcp://HOST:PORT"),
        ("local", "a cluster is tcp://HOST:PORT"),
        ("local:0", "a cluster is tcp://HOST:PORT"),
        ("host:1", "a cluster is tcp://HOST:PORT"),
        ("tcp://127.0.0.1:1", "there is no cluster at tcp://127.0.0.1:1"),
    ],
)
def test_what_is_no_cluster_is_refused(address: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modelcheck.cluster.gathering.REACHED", 1.0)
    with pytest.raises(UsageError, match=why):
        check("chang_roberts", n=2, cluster=address)


def test_a_run_of_a_cluster_is_whole(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="explores one run and all of it"):
        check("chang_roberts", n=3, cluster="local:2", part="1/2", checkpoint=tmp_path / "part.json")


REMEMBERS = """
from modelcheck import *

class Box:
    __slots__ = ("on",)

BOX = Box()
BOX.on = False

class Mine(Process):
    topology = one_way_ring
    x: int = 0
    bad: bool = False

    @step
    def put(self):
        self.require(self.x == 0)
        self.x = 1
        BOX.on = True

    @step
    def see(self):
        self.require(not BOX.on)
        self.bad = True
"""


def test_what_only_the_witness_of_a_worker_sees_is_an_error_here(cluster: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(REMEMBERS)
    found = check(path, n=2, cluster=cluster.scheduler_address)
    assert (found.verdict, found.exit_code, type(found.error)) == ("INCONCLUSIVE", 75, StepError)


CHANCE = """
import sys
from modelcheck import *

sys.asked = getattr(sys, "asked", 0)

def by_chance():
    sys.asked += 1
    return sys.asked == 1

class Mine(Process):
    topology = one_way_ring
    specs = ()
    count: int = 0
    bad: bool = False

    @step
    def tick(self):
        self.require(self.count < 3)
        self.count += 1
        self.bad = self.count == 3 and by_chance()
"""


def test_what_came_about_once_in_a_worker_is_the_model_s_fault(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(CHANCE)
    errors = []
    for at in (None, cluster.scheduler_address):
        monkeypatch.setattr(sys, "asked", 9 if at else 0, raising=False)  # here it was asked before
        found = check(path, n=1, cluster=at)
        assert found.exit_code == 75
        errors.append(found.error)
    here, there = errors
    assert isinstance(here, StepError)
    assert isinstance(there, StepError)
    assert there.what.startswith("tick is not a function of what it reads")
    assert str(there) == str(here)


def test_a_model_that_nobody_sees_the_whole_of_is_no_work_for_a_cluster(cluster: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text('import os\n\nos.system("true")\n' + BROKEN.replace("LAST", "1"))
    with pytest.raises(UsageError, match="so nobody can tell whether another process sees the same"):
        check(path, n=2, cluster=cluster.scheduler_address)


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("chang_roberts", {"n": 5}),
        ("chang_roberts", {"n": (3, 4), "start": "simultaneous", "network": "bag"}),
        ("spanning_tree", {"n": 3}),  # worlds of several kinds
        ("itai_rodeh_async", {"n": 2}),  # runs without end
    ],
    ids=str,
)
def test_messages_counted_by_workers_are_those_counted_here(
    model: str, options: dict[str, Any], cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "FIRST", 1)
    monkeypatch.setattr(chunks, "MOST", 2)
    found = count_messages(model, elsewhere=Cluster(cluster.scheduler_address), **options)
    here = count_messages(model, **options)
    assert [(count.n, count.ranges) for count in found.counts] == [(count.n, count.ranges) for count in here.counts]
    for one, other in zip(found.counts, here.counts, strict=True):
        assert {place: (run.amount, run.order, run.loop) for place, run in one.extremes.items()} == {
            place: (run.amount, run.order, run.loop) for place, run in other.extremes.items()
        }
    assert found.traces == here.traces
    assert (found.verdict, found.exit_code) == (here.verdict, here.exit_code)
