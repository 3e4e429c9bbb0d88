"""Random runs made by a cluster are the runs that are made here."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from modelcheck import UsageError
from modelcheck.cluster import sampled
from modelcheck.cluster.gathering import Cluster
from modelcheck.cluster.sampled import SampledElsewhere
from modelcheck.explore.limits import Limits, Meter
from modelcheck.simulate.sampling import simulate

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # what Dask warns of is not ours


@pytest.fixture
def elsewhere(cluster: Any) -> SampledElsewhere:
    return SampledElsewhere(Cluster(cluster.scheduler_address))


def test_the_runs_of_a_cluster_are_those_made_here(elsewhere: SampledElsewhere) -> None:
    found = simulate("chang_roberts", n=[10, 20], runs=30, seed=7, elsewhere=elsewhere)
    assert found.samples == simulate("chang_roberts", n=[10, 20], runs=30, seed=7).samples


def test_a_worker_that_is_killed_costs_no_run(cluster: Any, elsewhere: SampledElsewhere) -> None:
    killed: list[int] = []

    class Kills(Meter):
        def stop(self, states: int | None = None) -> bool:
            if self.represented and not killed:
                with distributed.Client(cluster) as client:
                    killed.append(next(iter(client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)
            return super().stop(states)

    found = simulate("chang_roberts", n=20, runs=200, elsewhere=elsewhere, meter=Kills(Limits()))
    assert killed
    assert [sample.number for sample in found.samples] == list(range(1, 201))
    assert found.samples == simulate("chang_roberts", n=20, runs=200).samples


def test_what_fails_there_fails_here_as_a_reader_understands(elsewhere: SampledElsewhere, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from modelcheck import *\n\nclass Mine(Process):\n    topology = one_way_ring\n    count: int = 0\n\n"
        "    @step\n    def go(self):\n        self.require(self.count == 0)\n        self.count = 'one'\n"
    )
    told = []
    for others in (elsewhere, None):
        with pytest.raises(Exception, match="count") as error:
            simulate(str(path), n=3, runs=2, elsewhere=others)
        told.append(str(error.value))
    assert told[0] == told[1]


def test_after_an_interrupt_the_runs_until_then_are_told(cluster: Any, elsewhere: SampledElsewhere) -> None:
    with distributed.Client(cluster) as client:  # nobody waits until they tell what they have made
        client.run(setattr, sampled, "SECONDS", 0.1)

    class Interrupted(Meter):
        def stop(self, states: int | None = None) -> bool:
            self.interrupted = self.represented >= 3
            return super().stop(states)

    found = simulate("chang_roberts", n=10, runs=5_000, elsewhere=elsewhere, meter=Interrupted(Limits()))
    assert found.stopped == "interrupted"
    assert found.samples == simulate("chang_roberts", n=10, runs=len(found.samples)).samples


def test_workers_with_another_version_are_refused(elsewhere: SampledElsewhere, monkeypatch: pytest.MonkeyPatch) -> None:
    fingerprint = sampled.fingerprint
    monkeypatch.setattr(sampled, "fingerprint", lambda *asked: fingerprint(*asked) | {"modelcheck": "0"})
    with pytest.raises(UsageError, match="do not make these runs"):
        simulate("chang_roberts", n=5, runs=3, elsewhere=elsewhere)
