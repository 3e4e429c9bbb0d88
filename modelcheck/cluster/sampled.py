"""Random runs (simulate/sampling.py) made by the workers of a cluster. Each has the seed that it has anywhere, so they are the same runs."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from ..check.fingerprint import Fingerprint, difference, fingerprint, sources
from ..errors import UsageError
from ..explore.limits import Meter
from ..simulate.sampling import Asked, Sample, Sampler, Task
from .gathering import DEATHS, LOOK, WAITING, Cluster, is_gone, wherever

SECONDS = 3.0  # after which a worker tells what it has made
MOST = 1_000  # runs that are handed out together


class SampledElsewhere:
    """Has runs made by a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def sample(self, one: Sampler, asked: Asked, tasks: Sequence[Task], meter: Meter) -> Iterator[Sample]:
        """The run of each task, in order, until the meter says stop. Whatever fails there is done again here, where it raises what a reader
        understands; a worker that dies costs what it had not told.

        Raises UsageError where there is no such cluster, or where its workers have another version of modelcheck or of the model.
        """
        model, n, graph, *others = asked
        told = (wherever(model), n, wherever(graph), *others)
        now = fingerprint(one.request, sources(one.request))
        waiting, made = deque(tasks), dict[Task, Sample | None]()
        under_way: dict[Any, list[Task]] = {}
        place = deaths = 0
        with self._cluster.client() as client:
            try:
                while place < len(tasks):
                    while place < len(tasks) and tasks[place] in made:
                        sample = made.pop(tasks[place]) or one.take(*tasks[place], meter.stop)
                        if sample is None:
                            return
                        yield sample
                        place += 1
                    if meter.stop():
                        return
                    lanes = len(client.nthreads())
                    while waiting and len(under_way) < WAITING * lanes:
                        size = max(1, min(MOST, len(waiting) // (2 * WAITING * lanes)))
                        stretch = [waiting.popleft() for _ in range(size)]
                        under_way[client.submit(take, told, now, stretch, pure=False)] = stretch
                    done = [future for future in under_way if future.done()]
                    for future in done:
                        stretch = under_way.pop(future)
                        error = future.exception()
                        if error is not None and not is_gone(error):
                            raise error
                        found: list[Sample | None] = [] if error is not None else future.result()
                        made.update(zip(stretch, found, strict=False))
                        waiting.extendleft(reversed(stretch[len(found) :]))
                        deaths += error is not None
                    if deaths > DEATHS:
                        raise UsageError(f"{deaths} workers have died over random runs")
                    if not done:
                        time.sleep(LOOK / 10)
            finally:
                client.cancel([*under_way])


_mine: dict[str, Sampler] = {}  # of a worker, that of the last command


def take(asked: Asked, wanted: Fingerprint, tasks: list[Task]) -> list[Sample | None]:
    """In a worker: the first of these runs, as many as some seconds are enough for; None for one that failed."""
    name = repr((asked, wanted))
    if name not in _mine:
        _mine.clear()
        one = Sampler(*asked)
        made_of = sources(one.request)
        if differs := difference(wanted, made_of.read()[0], fingerprint(one.request, made_of)):
            raise UsageError(f"the workers of the cluster do not make these runs: {differs}")
        _mine[name] = one
    began, found = time.monotonic(), list[Sample | None]()
    for task in tasks:
        try:
            found.append(_mine[name].take(*task))
        except Exception:
            found.append(None)
        if time.monotonic() - began > SECONDS:
            break
    return found
