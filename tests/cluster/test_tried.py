"""The book of claims comes out as it does here, whoever tries its tests and whoever dies meanwhile."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from modelcheck import UsageError
from modelcheck.book.reading import read_source
from modelcheck.book.trying import ClaimOutcome, Reader
from modelcheck.cli import cli
from modelcheck.cluster import tried
from modelcheck.cluster.gathering import Cluster
from modelcheck.explore.limits import Limits, Meter
from modelcheck.report.terminal.book import document

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # what Dask warns of is not ours

MODEL = """
from modelcheck import *

class Mine(Process):
    topology = one_way_ring
    seen: frozenset[Id] = frozenset()

    @step
    def see(self):
        self.require(not self.seen)
        self.seen = frozenset({self.id})

@always
def nothing_is_seen(view):
    return not any(p.seen for p in view.processes)
"""

BOOK = """
title = "Mine"

[[claim]]
name = "elects"
where = "page 1"
states = "It elects, in so many messages."
tests = [
    { run = "chang_roberts", n = "1..2", holds = true },
    { run = "chang_roberts --start simultaneous", n = "2..3", messages = { worst = "n(n+1)/2 + n" } },
    { formula = "n^2 = n n", n = "2..3" },
]

[[claim]]
name = "errs"
where = "page 2"
states = "Nobody sees anything."
errs = "they do."
tests = [{ run = "./mine.py", n = "2..3", violated = { nothing_is_seen = 1 } }]

[[claim]]
name = "surprises"
where = "page 3"
states = "It has states."
tests = [
    { run = "chang_roberts", n = 3, states = 57 },
    { run = "./broken.py", n = 2, holds = true },
]

[[claim]]
name = "goes-far"
where = "page 4"
states = "It elects."
tests = [{ run = "chang_roberts", n = "3..4", holds = true }]  # of three processes there are 56 states
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(MODEL)
    (tmp_path / "broken.py").write_text(MODEL.replace("frozenset({self.id})", "self.id"))
    path = tmp_path / "mine.toml"
    path.write_text(BOOK)
    return path


def gone_through(
    book: Path,
    cluster: Any = None,
    watch: Callable[[Limits], AbstractContextManager[Meter]] = lambda limits: nullcontext(Meter(limits)),
    **options: Any,
) -> list[ClaimOutcome]:
    """What comes of the claims of a book, here or on a cluster; `watch` is asked for a meter whenever a test is waited for."""
    reader, claims = Reader(Limits(max_states=60), **options), read_source(book).claims
    if cluster is None:
        return [*reader.claims(claims)]
    with tried.trying(Cluster(cluster.scheduler_address), reader, reader.tests(claims), watch):
        return [*reader.claims(claims)]


def said(outcomes: list[ClaimOutcome]) -> dict[str, Any]:
    return but_for_times(document(outcomes, 0.0))


def but_for_times(document: dict[str, Any]) -> dict[str, Any]:
    """What is said but how long it took, and how far a search had come that was at its limit."""
    tests = [test for claim in document["claims"] for test in claim["tests"]]
    for timed in (document, *tests):
        del timed["seconds"]
    for test in tests:
        if test["status"] == "not reached":
            del test["states"]
    return document


def test_what_workers_try_comes_out_as_here(cluster: Any, book: Path) -> None:
    here, there = gone_through(book), gone_through(book, cluster)
    assert [outcome.word for outcome in there] == ["confirmed", "refuted", "OTHERWISE", "not reached"]
    assert said(there) == said(here)
    [example] = said(there)["claims"][1]["tests"][0]["counterexamples"]
    assert example["again"].startswith("modelcheck run")


def test_the_command_prints_the_same(cluster: Any, book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(book.parent)  # where the workers are not
    asked = ["claims", "mine.toml", "--max-states", "60", "--json"]
    told = []
    for others in ([], ["--cluster", cluster.scheduler_address]):
        result = CliRunner().invoke(cli, [*asked[:-1], *others, "--json"])
        data = json.loads(result.stdout)
        assert result.exit_code == data["exit_code"] == 1
        told.append(but_for_times(data))
    assert told[0] == told[1]


def test_a_worker_that_is_killed_costs_no_test(cluster: Any, book: Path) -> None:
    killed: list[int] = []

    @contextmanager
    def watch(limits: Limits) -> Iterator[Meter]:
        yield Meter(limits)
        if not killed:  # one test has come back, and others are under way
            with distributed.Client(cluster) as client:
                killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    assert said(gone_through(book, cluster, watch)) == said(gone_through(book))
    assert killed


def test_after_ctrl_c_the_rest_is_not_reached(cluster: Any, book: Path) -> None:
    @contextmanager
    def watch(limits: Limits) -> Iterator[Meter]:
        meter = Meter(limits)
        meter.interrupted = True
        yield meter

    found = gone_through(book, cluster, watch)
    assert [outcome.word for outcome in found] == ["not reached"] * 4
    assert found[0].trials[0].found == "interrupted"
    assert found[0].trials[2].status == "as expected"  # it is arithmetic


def test_a_worker_leaves_what_nobody_waits_for_any_more(cluster: Any) -> None:
    with distributed.Client(cluster) as client:
        begun, left = distributed.Event("begun", client=client), distributed.Event("left", client=client)

        def search() -> None:
            meter = tried._Wanted(Limits())
            distributed.Event("begun").set()
            while not meter.stop():
                pass
            distributed.Event("left").set()

        call = client.submit(search, pure=False)
        assert begun.wait(60)
        client.cancel([call])
        assert left.wait(60)


def test_what_is_wrong_with_a_test_is_told_as_here(cluster: Any, book: Path) -> None:
    book.write_text(BOOK.replace("./mine.py", "./yours.py").replace("57", "57, violated = { nonsense = true }"))
    told = []
    for others in (cluster, None):
        with pytest.raises(UsageError) as error:
            gone_through(book, others)
        told.append(str(error.value))
    assert told[0] == told[1]
    assert "yours.py" in told[0]


def test_workers_with_another_version_are_refused(cluster: Any, book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fingerprint = tried.fingerprint
    monkeypatch.setattr(tried, "fingerprint", lambda *asked: fingerprint(*asked) | {"modelcheck": "0"})
    with pytest.raises(UsageError, match="do not make these runs: it was made with modelcheck 0"):
        gone_through(book, cluster)
