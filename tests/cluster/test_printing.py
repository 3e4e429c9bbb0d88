"""What a model prints in a worker goes to standard error: the standard output of a worker of this machine is that of the command."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from modelcheck import Limits, check
from modelcheck.book.reading import read_source
from modelcheck.book.trying import Reader
from modelcheck.cluster.gathering import Cluster
from modelcheck.cluster.sampled import SampledElsewhere
from modelcheck.cluster.tried import trying
from modelcheck.explore.limits import Meter
from modelcheck.simulate.sampling import simulate

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # what Dask warns of is not ours

PRINTS = """
from modelcheck import *

class Mine(Process):
    topology = one_way_ring
    specs = ()
    said: bool = False

    @step
    def go(self):
        self.require(not self.said)
        print("said by the model")
        self.said = True
"""
BOOK = """
title = "Mine"
[[claim]]
name = "one"
where = "page 1"
states = "It says so."
tests = [{ run = "./mine.py", n = 2, holds = true }]
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(PRINTS)
    return path


def _listen() -> None:
    sys.stdout = io.StringIO()


def _heard() -> str:
    heard, sys.stdout = sys.stdout, sys.__stdout__
    assert isinstance(heard, io.StringIO)
    return heard.getvalue()


@pytest.fixture(autouse=True)
def _nothing_is_printed(cluster: Any) -> Iterator[None]:
    """By a worker, in a test, to its standard output."""
    with distributed.Client(cluster) as client:
        client.run(_listen)
        yield
        assert set(client.run(_heard).values()) == {""}


def test_of_a_run(cluster: Any, model: Path) -> None:
    assert check(model, n=2, cluster=cluster.scheduler_address).verdict == "HOLDS"


def test_of_random_runs(cluster: Any, model: Path) -> None:
    elsewhere = SampledElsewhere(Cluster(cluster.scheduler_address))
    found = simulate(str(model), n=2, runs=2, elsewhere=elsewhere)
    assert len(found.samples) == 2


def test_of_the_book_of_claims(cluster: Any, model: Path) -> None:
    book = model.parent / "mine.toml"
    book.write_text(BOOK)
    reader, claims = Reader(Limits()), read_source(book).claims
    with trying(
        Cluster(cluster.scheduler_address), reader, reader.tests(claims), lambda limits: nullcontext(Meter(limits))
    ):
        [found] = reader.claims(claims)
    assert found.word == "confirmed"
