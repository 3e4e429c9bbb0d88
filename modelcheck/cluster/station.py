"""What runs in the process of a worker: chunks of the worlds of a run, one after another. What is tabulated for one is there for the next.

What a model prints goes to standard error: the standard output of a worker may be that of the command.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import Any

from .. import ahead, reads
from ..check import checkpoint
from ..check.checker import Grounds, in_passing, search_worlds
from ..check.findings import Candidate
from ..check.fingerprint import fingerprint, sources
from ..check.memory import Outlook
from ..check.request import read_request
from ..check.result import TakenAgain
from ..check.taken_again import Witness
from ..check.worker import Engine
from ..count.census import Census
from ..errors import StepError, UsageError
from ..explore.limits import Limits, Meter, Stopped
from ..semantics.lockstep import system_for
from ..witness.interpreters import prepare
from .counted import Counted

MOST = 4  # runs that a process remembers


@dataclass(frozen=True)
class ChunkResult:
    """What came of a chunk: a checkpoint of its worlds, and how many there were; or how the model `failed`."""

    record: bytes = b""
    worlds: int = 0
    seconds: float = 0.0
    stopped: Stopped | None = None
    failed: StepError | None = None
    counted: Counted | None = None


@dataclass(frozen=True)
class Foresight:
    """By which all chunks reduce the same worlds: so many states the run may have, and what is foreseen of its sizes so far."""

    most: int
    foreseen: dict[int, Outlook]


class Station:
    """One run, as far as this process explores it. One chunk is explored at a time, by so many threads."""

    def __init__(self, arguments: Mapping[str, Any], counts: bool) -> None:
        """If it `counts`, messages are counted, and no property is looked at."""
        ahead.decline()
        reads.begin()
        prepare()
        self.lock = threading.Lock()
        self._request, self._counts = read_request(**arguments), counts
        if counts:
            self._request = replace(self._request, properties=())
        self._grounds = Grounds(system_for(self._request.model.definition, self._request.settings))
        self._states = 0
        self._runs: dict[str, Candidate] = {}  # counterexamples, by property

    def explore(
        self, chunk: range, but: frozenset[int], engine: Engine, threads: int, limits: Limits, foresight: Foresight
    ) -> ChunkResult:
        """Explores the worlds of these orders, but not those that are done."""
        began, meter, grounds = time.monotonic(), Meter(limits), self._grounds
        grounds.most, grounds.foreseen = foresight.most, grounds.foreseen | foresight.foreseen
        grounds.witness = grounds.witness or Witness(self._request, grounds.system)
        orders, request = Stretch(chunk, but), self._request
        census = Census(request.model.definition, request.settings) if self._counts else in_passing(request)
        result = search_worlds(request, engine, threads, meter, began, None, census, share=orders, grounds=grounds)
        known = grounds.known
        assert known is not None
        if isinstance(result.error, StepError):
            return ChunkResult(failed=result.error)
        if result.error is not None:
            raise result.error
        stopped = None if result.stopped is None or result.stopped.kind == "part" else result.stopped
        if stopped:
            grounds.verify()
        made_of = sources(request)
        read, beyond = made_of.read()
        if beyond:
            raise UsageError(
                f"the model {beyond[0]}, so nobody can tell whether another process sees the same: leave out --cluster"
            )
        self._states += result.states
        self._runs |= known.findings.violations.entries
        record = checkpoint.record(fingerprint(request, made_of), read, known.memory())
        counted = Counted.of(census, grounds.system) if self._counts and census is not None else None
        return ChunkResult(record, orders.passed, time.monotonic() - began, stopped, counted=counted)

    def confirm(self, limits: Limits) -> TakenAgain | StepError | None:
        """Has the witness take again what all chunks rest on. None where there was no chunk; a StepError where something came to
        something else."""
        witness, self._grounds.witness = self._grounds.witness, None
        if witness is None:
            return None
        try:
            witness.ask(self._states, self._runs.values())
            witness.confirm(Meter(limits))
        except StepError as error:
            return error
        finally:
            witness.close()
        self._states, self._runs = 0, {}
        return witness.report


class Stretch:
    """The orders of a chunk, but for some. `passed` are those that were asked about: there are no worlds beyond."""

    def __init__(self, chunk: range, but: frozenset[int]) -> None:
        self._chunk, self._but = chunk, but
        self.last = chunk.stop - 1
        self.passed = 0

    def __contains__(self, order: object) -> bool:
        if order not in self._chunk:
            return False
        self.passed += 1
        return order not in self._but


_stations: dict[str, Station] = {}
_opening = threading.Lock()


def explore(
    arguments: dict[str, Any], counts: bool, run: str, chunk: range, but: frozenset[int], engine: Engine, threads: int, limits: Limits,
    foresight: Foresight,
) -> ChunkResult:  # fmt: skip
    """Explores a chunk of the worlds of the run that these `arguments` of `check` ask for; what is known of it is kept under the name `run`,
    which is another where the model is another. Raises UsageError where this process cannot do what they ask, as where there is no
    such model."""
    with _opening, redirect_stdout(sys.stderr):
        station = _stations.pop(run, None)
        if station is None:
            station = Station(arguments, counts)
        _stations[run] = station  # as the last one that was asked for
        for forgotten in [*_stations][:-MOST]:
            del _stations[forgotten]
    with station.lock, redirect_stdout(sys.stderr):
        return station.explore(chunk, but, engine, threads, limits, foresight)


def confirm(run: str, limits: Limits) -> TakenAgain | StepError | None:
    """Has a witness take again what this process knows of the run: Station.confirm. None where it has explored none of it."""
    station = _stations.get(run)
    if station is None:
        return None
    with station.lock:
        return station.confirm(limits)
