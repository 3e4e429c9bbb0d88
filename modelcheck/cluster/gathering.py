"""Hands out the worlds of a run to the workers of a Dask cluster, and puts together what they find."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..check import checkpoint
from ..check.checker import Gathered
from ..check.fingerprint import difference, fingerprint, sources
from ..check.memory import Memory
from ..check.request import Request
from ..check.result import TakenAgain
from ..check.worker import Engine
from ..count.census import Census
from ..errors import UsageError
from ..explore.limits import Limits, Meter, Stopped
from ..reads import adopt
from ..semantics.lockstep import system_for
from ..text.typed import natural
from . import station
from .chunks import Chunks
from .counted import Counted
from .station import ChunkResult, Foresight

LOOK = 0.2  # seconds between two looks at the limits
WAITING = 2  # chunks handed out for each lane: the one that is explored, and one more
PATIENCE = 3.0  # seconds that workers have to tell what they know when a limit is reached
REACHED = 10.0  # seconds in which a scheduler answers
DEATHS = 100  # of workers, before it is taken that a chunk kills them


class Cluster:
    """The workers at an address: `tcp://HOST:PORT` of a Dask scheduler, or `local:K`, so many processes on this machine for this run."""

    def __init__(self, address: str) -> None:
        """Raises UsageError for what is no address."""
        kind, _, number = address.partition(":")
        self.address = address
        self.processes = natural(number) if kind == "local" else None
        if (kind == "local" and not self.processes) or ("://" not in address and kind != "local"):
            raise UsageError(
                f"a cluster is tcp://HOST:PORT, where a Dask scheduler listens, or local:K; not {address!r}"
            )

    def explore(
        self, request: Request, arguments: Mapping[str, Any], engine: Engine, meter: Meter, known: Memory, keep: Callable[[], None],
        census: Census | None = None,
    ) -> Gathered:  # fmt: skip
        """Has all worlds of a run explored that are not known yet, and adds to what is `known`. Now and then `keep` is called. Where there
        is a census messages are counted into it, and nothing else is looked at.

        Raises UsageError where there is no such cluster, or where its workers have another version of modelcheck or of the model.
        """
        with self.client() as client:
            gathering = _Gathering(client, request, arguments, engine, meter, known, keep, counts=census is not None)
            found = gathering.run()
            if census is not None:
                system = system_for(request.model.definition, request.settings)
                worlds = (world for _, families in request.worlds() for some in families for world in some)
                gathering.counted.recall(census, system, worlds)
            return found

    @contextmanager
    def client(self) -> Iterator[Any]:
        """Whoever speaks to the scheduler, for as long as it is needed. Raises UsageError where there is none."""
        try:
            import dask
            from distributed import Client, LocalCluster
        except ImportError:
            raise UsageError("--cluster needs Dask: pip install 'modelcheck[cluster]'") from None
        quiet = logging.CRITICAL + 1
        if self.processes is not None:
            with (
                dask.config.set({"distributed.scheduler.allowed-failures": DEATHS}),
                LocalCluster(
                    n_workers=self.processes,
                    threads_per_worker=1,
                    dashboard_address=None,
                    memory_limit=0,
                    preload=["modelcheck.cluster.deaf"],
                    silence_logs=quiet,
                ) as cluster,
                Client(cluster) as client,
            ):
                yield client
            return
        try:
            client = Client(self.address, timeout=REACHED)
        except (OSError, ValueError) as error:
            raise UsageError(f"there is no cluster at {self.address}: {error}") from None
        with client:
            yield client


class _Gathering:
    """One run."""

    def __init__(
        self, client: Any, request: Request, arguments: Mapping[str, Any], engine: Engine, meter: Meter, known: Memory,
        keep: Callable[[], None], *, counts: bool,
    ) -> None:  # fmt: skip
        self._client, self._engine = client, engine
        self._arguments = {
            name: wherever(value) if name in ("model", "graph", "spec") else value for name, value in arguments.items()
        }
        self._meter, self._known, self._keep = meter, known, keep
        self._made_of = sources(request)
        self._asked = fingerprint(request, self._made_of)
        self._counts, self.counted = counts, Counted()
        self._name = json.dumps([self._arguments, self._asked, counts], sort_keys=True, default=str)
        self._chunks = Chunks(known.done.upto + 1)
        self._under_way: dict[Any, range] = {}  # by future
        self._deaths = 0
        self._found = Gathered()
        self._to_represent = {n: sum(worlds.represented for worlds in families) for n, families in request.worlds()}

    def run(self) -> Gathered:
        from distributed import wait

        try:
            while not self._meter.stop() and self._found.failed is None:
                self._hand_out()
                if not self._under_way:
                    if self._chunks.are_over:
                        break
                    time.sleep(LOOK)  # no worker is there yet
                    continue
                try:
                    done, _ = wait([*self._under_way], timeout=LOOK, return_when="FIRST_COMPLETED")
                except TimeoutError:
                    continue
                for future in done:
                    self._take_in(future, self._under_way.pop(future))
                self._keep()
            if self._meter.reached and not self._meter.interrupted:
                self._wait_for_the_last()
            elif self._found.failed is None:
                self._confirm()
        finally:
            self._client.cancel([*self._under_way])
        return self._found

    def _rest(self) -> Limits:
        """What is left of the limits."""
        limits, meter = self._meter.limits, self._meter
        states, seconds = limits.max_states - meter.earlier_states, limits.max_seconds - meter.seconds()
        return Limits(max(1, states), max(0.1, seconds), limits.max_memory)

    def _confirm(self) -> None:
        """Has the witness of each worker take again what that one knows. Where a worker dies over it, its witness is gone with it."""
        asked = [
            self._client.submit(station.confirm, self._name, self._rest(), workers=[worker], pure=False)
            for worker in self._lanes()
        ]
        while not all(future.done() for future in asked):
            if self._meter.stop():
                self._client.cancel(asked)
                return
            time.sleep(LOOK / 4)
        for future in asked:
            found = future.result() if future.exception() is None else None
            if isinstance(found, TakenAgain):
                self._found.taken.append(found)
            elif found is not None and self._found.error is None:
                self._found.error = found

    def _lanes(self) -> dict[str, int]:
        return dict(self._client.nthreads())

    def _hand_out(self) -> None:
        lanes = self._lanes()
        threads = min(lanes.values(), default=1)
        while len(self._under_way) < WAITING * len(lanes):
            chunk = self._chunks.take(len(lanes), self._left())
            if chunk is None:
                return
            done = self._known.done
            but = frozenset(order for order in chunk if order in done)
            rest = self._rest()
            future = self._client.submit(
                station.explore,
                self._arguments,
                self._counts,
                self._name,
                chunk,
                but,
                self._engine,
                threads,
                rest,
                Foresight(self._meter.limits.max_states, self._known.foreseen.copy()),
                pure=False,
            )
            self._under_way[future] = chunk

    def _left(self) -> float:
        """About how many worlds are not handed out: as if each stood for as many assignments as those that are done."""
        sizes = self._known.done.sizes
        represented = sum(tally.represented for tally in sizes.values())
        worlds = sum(tally.worlds for tally in sizes.values())
        if not represented:
            return float("inf")
        left = sum(self._to_represent.values()) - represented
        return left * worlds / represented - sum(map(len, self._under_way.values()))

    def _take_in(self, future: Any, chunk: range) -> None:
        error = future.exception()
        if error is not None:
            if not is_gone(error):
                raise error
            self._deaths += 1
            if self._deaths > DEATHS:
                raise UsageError(
                    f"{self._deaths} workers have died, the last as it explored worlds {chunk.start} to {chunk.stop - 1}"
                )
            self._chunks.again(chunk)
            return
        answer: ChunkResult = future.result()
        if answer.failed:
            first = self._found.failed
            if first is None or chunk.start < first[0].start:
                self._found.failed = chunk, answer.failed
            return
        then, read, memory = checkpoint.parse(answer.record, Path("what a worker has found"))
        if differs := difference(then, read, self._asked):
            raise UsageError(f"the workers of the cluster do not explore this run: {differs}")
        adopt(self._made_of.model, read)
        memory.seconds = 0.0  # side by side with this run's own
        self._known.merge(memory)
        for n, tally in memory.done.sizes.items():
            self._meter.landed(tally.states, tally.transitions)
            self._meter.size, self._meter.to_represent = n, self._to_represent.get(n, 0)
            self._meter.represented = self._known.done.sizes[n].represented
        if answer.counted is not None:
            self.counted.merge(answer.counted)
        if answer.stopped is None:
            self._chunks.learned(chunk, answer.worlds, answer.seconds)
        else:
            self._meter.reached = self._meter.reached or self._in_all(answer.stopped)

    def _in_all(self, stopped: Stopped) -> Stopped:
        """What a worker says that came to the end of what was left of a limit, as the run says it."""
        limits = self._meter.limits
        of_the_run = {"states": limits.max_states, "seconds": limits.max_seconds, "memory": limits.max_memory}
        kind = stopped.kind
        return Stopped(kind, of_the_run[kind]).while_running(stopped.running) if kind in of_the_run else stopped

    def _wait_for_the_last(self) -> None:
        """Takes in what workers know that have come to a limit as well."""
        until = time.monotonic() + PATIENCE
        while self._under_way and time.monotonic() < until:
            for future in [future for future in self._under_way if future.done()]:
                self._take_in(future, self._under_way.pop(future))
            time.sleep(LOOK)


def is_gone(error: BaseException) -> bool:
    """Whether it says that the worker has died, and not that it has failed."""
    return type(error).__name__ in ("KilledWorker", "CancelledError", "FutureCancelledError")


def wherever(value: Any) -> Any:
    """What names a file here, as the same file is named from any folder: a model (`mine.py`, `mine.py:Mine`), a graph, a specification."""
    if isinstance(value, str):
        file, _, name = value.rpartition(":")
        if "." in value and os.path.isfile(value):
            return os.path.abspath(value)
        if "." in file and os.path.isfile(file):
            return f"{os.path.abspath(file)}:{name}"
    return value
