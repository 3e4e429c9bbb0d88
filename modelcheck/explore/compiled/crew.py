"""One large world explored by several threads, level by level.

The states of a level are dealt out in pieces of consecutive states. Any thread expands any piece; one thread at a time inserts the
successors of the pieces, in the order of the pieces: so states get the same numbers as when one thread does it all, and whatever
follows from them is the same. Expanding is about two thirds of the work, so that up to three threads are of use.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from . import calls, kernel, records

if TYPE_CHECKING:
    from ..limits import Meter
    from .engine import CompiledEngine
    from .layout import StateLayout
    from .predicates import Predicates
    from .tables import Array

PIECE = 4096  # states
WINDOW = 8  # pieces that are expanded or wait to be inserted


class Again(Exception):
    """The world must be explored from its beginning, with wider slots or other observations."""


class Crew:
    """The threads of a search. Those that find no world any more help with the large ones of the others.

    Whoever waits asks the meter now and then: it may be the main thread, that shows how the others get on.
    """

    def __init__(self, size: int, meter: Meter) -> None:
        self._meter = meter
        self._condition = threading.Condition()
        self._busy = size  # with worlds of their own
        self._idle = 0
        self._jobs: list[SharedWorld] = []

    def would_help(self, left: int) -> bool:
        """Whether somebody is idle, and a level has enough states left for two."""
        return self._idle > 0 and left >= 2 * PIECE

    def leave(self) -> None:
        """A thread has no world of its own any more."""
        with self._condition:
            self._busy -= 1
            self._condition.notify_all()

    def help(self) -> None:
        """What a thread does after it has left; returns when nobody has a world."""
        while (job := self._next_job()) is not None:
            job.work(owner=False)

    def _next_job(self) -> SharedWorld | None:
        with self._condition:
            self._idle += 1
            try:
                while self._busy:
                    for job in self._jobs:
                        if job.wants_help:
                            return job
                    self._condition.wait(0.1)
                    self._meter.stop()
                return None
            finally:
                self._idle -= 1

    def offer(self, job: SharedWorld) -> None:
        with self._condition:
            self._jobs.append(job)
            self._condition.notify_all()

    def withdraw(self, job: SharedWorld) -> None:
        with self._condition:
            self._jobs.remove(job)


class Piece:
    """Consecutive states of a level, and their successors until these are inserted."""

    def __init__(self, layout: StateLayout, first: int, last: int) -> None:
        self.first, self.last = first, last
        self.counters: Array = np.zeros(calls.COUNTERS, np.int64)
        self.counters[calls.CURSOR] = first
        self.counters[calls.MOST] = np.iinfo(np.int64).max
        self.batch = layout.new_batch(4 * PIECE)
        self.terminals: Array = np.zeros(last - first, np.int32)
        self.firsts: Array = np.zeros((64, 2), np.int64)
        self.expanded = False


class SharedWorld:
    """What is left of a level of one world, explored by its owner and by whoever is idle."""

    def __init__(
        self, worker: CompiledEngine, layout: StateLayout, claims: Predicates, keeps_targets: bool, meter: Meter
    ) -> None:
        self.worker, self.layout, self.claims, self.keeps_targets, self.meter = (
            worker,
            layout,
            claims,
            keeps_targets,
            meter,
        )
        self.next = int(worker.counters[calls.CURSOR])
        self.last = int(worker.counters[calls.LEVEL_END])
        self._condition = threading.Condition()
        self._pieces: deque[Piece] = deque()  # in order
        self._expanding = 0
        self._inserting = False
        self._growing = False  # arrays that those who expand write to will be replaced
        self._over = False
        self._stop = False  # the meter says so
        self._error: BaseException | None = None

    def run(self, crew: Crew) -> bool:
        """Explores until the level is done, or near the limit on states; returns whether the meter says stop.

        Raises what provides for the kernel raises.
        """
        crew.offer(self)
        try:
            self.work(owner=True)
        finally:
            self._finish()
            crew.withdraw(self)
        if self._error is not None:
            raise self._error
        return self._stop

    @property
    def wants_help(self) -> bool:
        return not self._over and self.next < self.last

    def work(self, owner: bool) -> None:
        """What each thread does: whatever is to be done next. The states are its owner's to tell."""
        while True:
            if self.meter.stop(int(self.worker.counters[calls.STATES]) if owner else None) and not self._over:
                self._stop = self._over = True
            with self._condition:
                task = self._task()
                if task is None:
                    if self._over or (self.next == self.last and not self._pieces):
                        return
                    self._condition.wait(0.1)
                    continue
            try:
                task()
            except KeyboardInterrupt:
                self._stop = self._over = True
                raise
            except BaseException as error:
                self._error, self._over = self._error or error, True
            finally:
                with self._condition:
                    self._condition.notify_all()

    def _finish(self) -> None:
        """Waits until nobody is at work any more."""
        with self._condition:
            self._over = True
            while self._expanding or self._inserting:
                self._condition.wait(0.1)

    def _task(self) -> Callable[[], None] | None:
        if self._over:
            return None
        if self._pieces and self._pieces[0].expanded and not self._inserting:
            self._inserting = True
            return self._insert
        if self.next < self.last and len(self._pieces) < WINDOW and not self._growing:
            first, self.next = self.next, min(self.next + PIECE, self.last)
            piece = Piece(self.layout, first, self.next)
            self._pieces.append(piece)
            self._expanding += 1
            return lambda: self._expand(piece)
        return None

    # --- expanding

    def _expand(self, piece: Piece) -> None:
        try:
            while piece.counters[calls.CURSOR] < piece.last and not self._over:
                table, observations, store = self.worker.arrays(self.layout, self.keeps_targets)
                store = store._replace(terminals=piece.terminals, firsts=piece.firsts)
                counters, batch = piece.counters, piece.batch
                why = int(kernel.expand(self.layout.record, table, observations, store, batch, counters, piece.last))
                if why == calls.MANY_SUCCESSORS or (why == calls.DONE and counters[calls.CURSOR] < piece.last):
                    piece.batch = self._larger(batch, int(counters[calls.FILLED]))
                elif why != calls.DONE:
                    self.worker.provide(why, self.layout, self.claims, batch, counters)
            piece.expanded = not self._over
        finally:
            with self._condition:
                self._expanding -= 1

    def _larger(self, batch: records.BatchRecord, filled: int) -> records.BatchRecord:
        larger = self.layout.new_batch(2 * len(batch.hashes))
        width = len(self.layout.record.width)
        for old, new, each in (
            (batch.words, larger.words, width),
            (batch.keys, larger.keys, width),
            (batch.hashes, larger.hashes, 1),
            (batch.sources, larger.sources, 1),
            (batch.marks, larger.marks, 1),
        ):
            new[: filled * each] = old[: filled * each]
        return larger

    # --- inserting

    def _insert(self) -> None:
        piece = self._pieces[0]
        worker, counters, found = self.worker, self.worker.counters, piece.counters
        try:
            if counters[calls.STATES] + found[calls.FILLED] > counters[calls.MOST]:
                self._over = True  # one thread alone stops at the right state
                return
            begin = int(counters[calls.TARGETS])
            counters[calls.FILLED] = found[calls.FILLED]
            counters[calls.TARGETS] += found[calls.FILLED]
            while True:
                table, observations, store = worker.arrays(self.layout, self.keeps_targets)
                why = int(kernel.insert(self.layout.record, table.slots, observations, store, piece.batch, counters))
                if why == calls.DONE:
                    break
                del table, observations, store  # arrays that are replaced are to be let go
                if why == calls.MANY_STATES:
                    self._wait_for_the_expanding()
                worker.provide(why, self.layout, self.claims, piece.batch, counters)
                self._growing = False
            worker.edges_begin[piece.first : piece.last] += begin
            worker.keep_terminals(piece.terminals[: int(found[calls.TERMINALS])])
            for bit in range(63):
                if int(piece.firsts[0, 0]) >> bit & 1:
                    kernel.note(worker.firsts, np.int64(1 << bit), *piece.firsts[bit + 1])
            for place in (calls.TRANSITIONS, calls.ALL_TRANSITIONS, calls.ALL_TERMINALS):
                counters[place] += found[place]
            counters[calls.CURSOR] = piece.last
        finally:
            with self._condition:
                self._pieces.popleft()
                self._inserting = False

    def _wait_for_the_expanding(self) -> None:
        with self._condition:
            self._growing = True
            while self._expanding:
                self._condition.wait(0.1)
