"""The tests of the book of claims (book/trying.py) tried by the workers of a cluster: each test is a run, or a few, of its own."""

from __future__ import annotations

import math
import sys
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from dataclasses import replace
from functools import cache
from typing import Any

from .. import ahead
from ..book.claim import Trial
from ..book.trying import Reader, TrialOutcome, request_of
from ..check.fingerprint import MADE_BY, Fingerprint, difference, fingerprint, sources
from ..errors import ModelcheckError, UsageError
from ..explore.limits import LOOK, Limits, Meter
from ..interrupts import interruptible
from ..options import asked_for
from ..witness.interpreters import prepare
from .errands import Errands
from .gathering import Cluster, wherever

Test = tuple[Trial, tuple[int, ...]]  # and the sizes to try
WITHOUT_END = Limits(max_states=10**18, max_seconds=math.inf, max_memory=10**9)  # each search has limits of its own
HERE = "to be tried here"


@contextmanager
def trying(
    cluster: Cluster, reader: Reader, tests: Sequence[Test], watch: Callable[[Limits], AbstractContextManager[Meter]]
) -> Iterator[None]:
    """Meanwhile the reader has these tests, which it will come to in this order, tried by a cluster. `watch` gives a meter that
    may show how many are done, and heed Ctrl-C. Raises UsageError where there is no such cluster."""
    _made_of.cache_clear()
    with cluster.client() as client:
        elsewhere = reader.others = TriedElsewhere(client, reader, tests, watch)
        try:
            yield
        finally:
            reader.others = None
            elsewhere.errands.cancel()


class TriedElsewhere:
    """Has tests tried by the workers of a cluster. Whatever fails there is tried again here, where it raises what a reader understands;
    a worker that dies costs the test that it was at, which another tries."""

    def __init__(
        self, client: Any, reader: Reader, tests: Sequence[Test], watch: Callable[[Limits], AbstractContextManager[Meter]]
    ) -> None:  # fmt: skip
        self.errands: Errands[int] = Errands(client, "tests of the book")
        self._reader, self._tests, self._watch = reader, tests, watch
        self._command = uuid.uuid4().hex
        self._waiting = deque(range(len(tests)))
        self._back: dict[int, TrialOutcome | str] = {}  # by place, and HERE where it was not tried
        self._done = self._next = 0  # tests; the place of the one that is asked for next
        self._began = time.monotonic()

    def outcome(self) -> TrialOutcome | None:
        """What comes of the next test; None where it is to be tried here. After Ctrl-C they all are, by a reader that knows of it."""
        place, self._next = self._next, self._next + 1
        if place not in self._back and not self._reader.interrupted:
            with self._watch(WITHOUT_END) as meter:
                meter.earlier_seconds = time.monotonic() - self._began
                self._wait_for(place, meter)
                self._reader.interrupted = meter.interrupted
        found = self._back.pop(place, HERE)
        if isinstance(found, str):
            if found not in (HERE, ""):
                raise UsageError(f"the workers of the cluster do not make these runs: {found}")
            return None
        return _as_here(found, self._tests[place])

    def _wait_for(self, place: int, meter: Meter) -> None:
        """Hands out tests and takes in what came of them, until this one is there or the meter says stop."""
        seen = time.monotonic()
        while place not in self._back and not meter.stop():
            self._hand_out()
            for which, found in self.errands.back():
                if found is None:
                    self._waiting.appendleft(which)
                else:
                    self._back[which] = found
                    self._done += 1
            meter.represented, meter.to_represent = self._done, len(self._tests)
            if self.errands.lanes:
                seen = time.monotonic()
            elif time.monotonic() - seen > self._reader.limits.max_seconds:
                raise UsageError("the cluster has no workers")

    def _hand_out(self) -> None:
        while self._waiting and not self.errands.are_enough:
            place = self._waiting.popleft()
            trial, sizes = self._tests[place]
            made_by = None if trial.comparison else _made_by(trial.words)
            if made_by is None:
                self._back[place] = HERE
                self._done += 1
                continue
            there = replace(trial, words=tuple(map(wherever, trial.words)))
            threads = self.errands.threads
            self.errands.send(place, try_out, self._command, self._reader.limits, threads, made_by, there, sizes)


def _as_here(found: TrialOutcome, test: Test) -> TrialOutcome:
    """What a worker has found, with what it was not told and could not tell: the words as they are written, and the request."""
    trial, _ = test
    result = found.result
    if result is not None:
        model, _, asked = asked_for(trial.words)
        request = request_of(model, {**asked, "n": result.sizes[0].n} if trial.sizes and result.sizes else asked)
        result = replace(result, request=request, reference=request.reference)
    return replace(found, trial=trial, result=result)


def _made_by(words: tuple[str, ...]) -> Fingerprint | None:
    """What the runs of a test are made by; None where there are none, for there is something wrong with it."""
    model, _, asked = asked_for(words)
    return _made_of(model, asked["spec"])


@cache
def _made_of(model: str, spec: str | None) -> Fingerprint | None:
    try:
        request = request_of(model, {"spec": spec})
        made = fingerprint(request, sources(request))
    except ModelcheckError:
        return None
    return {name: value for name, value in made.items() if name in ("model", *MADE_BY)}


# --- in the process of a worker --------------------------------------------------------------------------------------

_readers: dict[str, Reader] = {}  # that of the last command
_one = threading.Lock()  # test at a time


def try_out(
    command: str, limits: Limits, threads: int, wanted: Fingerprint, trial: Trial, sizes: tuple[int, ...]
) -> TrialOutcome | str:
    """Tries a test of a command, as its reader would. Or says why it does not, where this is another version of modelcheck or of the model;
    "" where it fails."""
    with _one, redirect_stdout(sys.stderr):
        if command not in _readers:
            _readers.clear()
            _made_of.cache_clear()
            ahead.decline()
            prepare()
            _readers[command] = Reader(limits, watch=_watched, workers=threads)
        made = _made_by(trial.words)
        if made is not None and (differs := difference(wanted, {}, made)):
            return differs
        reader = _readers[command]
        reader.interrupted = False
        try:
            found = reader.outcome(trial, sizes)
        except (Exception, KeyboardInterrupt):
            return ""
        return found if found.result is None else replace(found, result=replace(found.result, request=None))


@contextmanager
def _watched(limits: Limits) -> Iterator[Meter]:
    meter = _Wanted(limits)
    with interruptible(meter):
        yield meter


class _Wanted(Meter):
    """Is interrupted where nobody waits any more for what the worker is at: the command was, or is gone."""

    def __init__(self, limits: Limits) -> None:
        from distributed import get_worker

        super().__init__(limits)
        self._worker = get_worker()
        self._call = self._worker.get_current_task()
        self._asked = 0.0

    def stop(self, states: int | None = None) -> bool:
        now = self.clock()
        if now - self._asked > LOOK:
            self._asked = now
            call = self._worker.state.tasks.get(self._call)
            self.interrupted = self.interrupted or call is None or call.state != "executing"
        return super().stop(states)
