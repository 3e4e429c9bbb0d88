"""Random runs (simulate/sampling.py) made by the workers of a cluster. Each has the seed that it has anywhere, so they are the same runs."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout

from ..check.fingerprint import Fingerprint, difference, fingerprint, sources
from ..errors import UsageError
from ..explore.limits import Meter
from ..simulate.sampling import Asked, Sample, Sampler, Task
from .errands import Errands
from .gathering import WAITING, Cluster, wherever

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
        waiting, made, place = deque(tasks), dict[Task, Sample | None](), 0
        with self._cluster.client() as client:
            errands: Errands[list[Task]] = Errands(client, "random runs")
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
                    while waiting and not errands.are_enough:
                        size = max(1, min(MOST, len(waiting) // (2 * WAITING * errands.lanes)))
                        stretch = [waiting.popleft() for _ in range(size)]
                        errands.send(stretch, take, told, now, stretch)
                    for stretch, answer in errands.back():
                        found: list[Sample | None] = answer or []
                        made.update(zip(stretch, found, strict=False))
                        waiting.extendleft(reversed(stretch[len(found) :]))
            finally:
                errands.cancel()


_mine: dict[str, Sampler] = {}  # of a worker, that of the last command


def take(asked: Asked, wanted: Fingerprint, tasks: list[Task]) -> list[Sample | None]:
    """In a worker: the first of these runs, as many as some seconds are enough for; None for one that failed."""
    with redirect_stdout(sys.stderr):
        return _take(asked, wanted, tasks)


def _take(asked: Asked, wanted: Fingerprint, tasks: list[Task]) -> list[Sample | None]:
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
