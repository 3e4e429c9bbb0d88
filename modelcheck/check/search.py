"""Searching all worlds, by as many threads as there are cores where the compiled engine does it.

Worlds are handed out in order. What is found does not depend on which thread explored which world: of each property the
least counterexample by (length, order of worlds) is kept, and counts are sums. So it does not matter either which worlds were
explored by this run, and which by one that it resumes.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from contextvars import copy_context
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..count.census import Census
from ..count.tally import Tally
from ..errors import ReplayError, SearchError, StepError, UsageError
from ..explore.exploration import Counts, Exploration
from ..explore.limits import Meter
from ..language.properties import Property
from ..pulse import StoppedError, watched_by
from ..runs import trace
from ..runs.trace import Trace
from ..semantics.purity import Outside
from ..semantics.renaming import SOME, THOROUGH
from ..semantics.system import System
from ..semantics.worlds import World, Worlds
from .checkpoint import COUNTS, Done, Keeper, Memory, Route
from .findings import ALWAYS_CHECKED, Book, Findings
from .worker import PATIENCE, Engine, Worker

if TYPE_CHECKING:
    from ..explore.compiled.tables import Tables
    from ..semantics.system import Known
    from .request import Request
    from .taken_again import Witness

ATTEMPTS = 10  # at a last checkpoint
PART = 500  # outcomes that are verified at a time
WAIT = 1.0  # seconds that the other threads have after a Ctrl-C that was not heard
ENGINES: tuple[Engine, ...] = ("auto", "compiled", "reference")


class Search:
    """Explores worlds and keeps what is found."""

    def __init__(
        self,
        system: System,
        properties: Sequence[Property],
        meter: Meter,
        engine: Engine = "auto",
        workers: int = 1,
        keeper: Keeper | None = None,
        census: Census | None = None,
    ) -> None:
        self.system, self.properties, self.meter = system, tuple(properties), meter
        self.findings = Findings(system, properties)
        self.lanes = [Worker(system, properties, self.findings, meter, engine, census) for _ in range(max(1, workers))]
        self.outside = Outside(system.definition, self.properties)
        self.worlds_complete = True
        self.doubt: StepError | None = None  # the model broke a rule, as was seen when a checkpoint was to be written
        self.keeper, self.census = keeper, census
        self.reductions: dict[str, None] = {}  # those in force, in order
        self._tables: Tables | None = None
        self._lock = threading.Lock()
        self._handing = threading.Lock()  # for whoever takes a world
        self._order = 0  # of the last world that was handed out
        self._landed = 0  # worlds that are done, in this run or in those it resumes
        self._under_way: dict[int, tuple[World, Worker]] = {}  # by their order
        self._others: list[threading.Thread] = []
        self._error: tuple[int, BaseException] | None = None  # of the first world that ended in one
        # worlds that were done already, by size, and how many assignments they stand for
        self._passed: Counter[int] = Counter()
        self._passed_weight: Counter[int] = Counter()
        # what of the system's knowledge the worlds done rest on, and how much of that is verified
        self._rests_on: Known = (0, 0)
        self._verified: Known = (0, 0)
        self._pace = 0.0003  # seconds that it takes to verify one outcome
        self._earlier = Memory() if keeper is None else keeper.open()
        self._done = self._earlier.done.copy()
        self.findings.failed = self._earlier.failed
        self.system.runner.lines |= self._earlier.lines
        sizes = self._done.sizes.values()
        states, transitions = sum(tally.states for tally in sizes), sum(tally.transitions for tally in sizes)
        meter.resume(states, transitions, self._earlier.seconds)

    @property
    def violations(self) -> dict[str, Trace]:
        """The shortest counterexample of each property that has one."""
        return self.findings.violations.traces

    @property
    def improbable(self) -> dict[str, Trace]:
        """The shortest lasso of probability 0 of each property that has one."""
        return self.findings.improbable.traces

    def mattered(self, prop: Property) -> bool:
        """Whether what a property reads ever changed; for one about ends, whether there was an end."""
        if prop.name not in self.lanes[0].monitors:
            return True
        met = self._met(prop.name)
        # ends that all look alike are no sign of vacuity; no end at all is
        return bool(met) if prop.kind == "at the end" else len(met) > 1

    def _met(self, name: str) -> set[str]:
        """What a property met, in this run and in those it resumes: as many digests as it has seen different things."""
        return self._earlier.met.get(name, set()).union(*(lane.monitors[name].digests() for lane in self.lanes))

    def witnessed_by(self, witness: Witness) -> Witness:
        """From now on it is told of the worlds that are explored."""
        for lane in self.lanes:
            lane.witness = witness
        return witness

    @property
    def worlds_before(self) -> int:
        """How many worlds the run had explored that this one resumes."""
        return self._earlier.done.worlds

    def steps_taken(self) -> set[str]:
        """The names of the steps that were taken, in this run and in those it resumes."""
        return self._earlier.steps | self.system.steps_taken()

    def run_all(self, request: Request, tallies: list[Tally]) -> None:
        """Explores all that was asked for, size after size, and adds the tally of each as it is begun, in this run or in those that it
        resumes. Raises what `run` raises."""
        with suppress(StoppedError):
            for n, families in request.worlds():
                stopped = self.meter.stop()
                if stopped and n not in self._earlier.done.sizes:
                    break
                with watched_by(self.meter.last_words() if stopped else self.meter):
                    tally = Tally(n, sum(worlds.represented for worlds in families))
                tallies.append(tally)
                self.begin(tally)
                for worlds in families:
                    tally.graphs += 1
                    self.reductions.update(dict.fromkeys(worlds.reductions))
                    self.run(worlds, tally)

    def run(self, worlds: Worlds, tally: Tally) -> None:
        """Explores each world and adds to the tally, until done or until the meter says stop.

        Raises StepError where the model's code breaks a rule of the language, or remembers something outside the state, and SearchError
        where the search lost a world.
        """
        self.system.renamings = worlds.renamings(THOROUGH if self.system.thorough else SOME)
        try:
            with watched_by(self.meter):
                self._run(iter(worlds), worlds, tally)
        except KeyboardInterrupt:
            self.meter.reached = self.meter.reached or self.meter.interruption  # the other threads stop by themselves
            self._wait_for_the_others()
            raise
        finally:
            self._abandon(tally)
        if self.meter.reached:
            self.worlds_complete = False
        if self._error is not None:
            raise self._error[1]
        if not self.meter.reached and self._landed != self._order:
            raise SearchError(f"{self._order:,} worlds were handed out, and {self._landed:,} were explored")
        self.outside.check()

    def _run(self, waiting: Iterator[World], worlds: Worlds, tally: Tally) -> None:
        first = self.lanes[0]
        while not first.compiles:  # by one lane alone until the compiled engine takes over
            taken = self._take(waiting)
            if taken is None:
                return
            self._explore(first, *taken, worlds.symmetric, tally)
            left = tally.to_represent - tally.represented
            if tally.represented and tally.states * left > PATIENCE * tally.represented:
                for lane in self.lanes:  # worlds of one size are much alike
                    lane.much_to_do = True
        self._share(waiting, worlds, tally)

    def _share(self, waiting: Iterator[World], worlds: Worlds, tally: Tally) -> None:
        """All lanes, each in a thread, the first in this one."""
        from ..explore.compiled.crew import Crew
        from ..explore.compiled.tables import Tables

        if self._tables is None or self._tables.ports < worlds.n + 2:
            self._tables = Tables(self.system, worlds.n + 2)

        crew = Crew(len(self.lanes), self.meter)

        def work(lane: Worker) -> None:
            lane.crew = crew
            try:
                while (taken := self._take(waiting)) is not None:
                    self._explore(lane, *taken, worlds.symmetric, tally)
            finally:
                crew.leave()
            crew.help()

        def work_elsewhere(lane: Worker) -> None:
            try:
                work(lane)
            except BaseException as error:  # a thread has nobody else to tell
                self._fail(self._order, error)

        self._others = [
            threading.Thread(target=copy_context().run, args=(work_elsewhere, lane), daemon=True)
            for lane in self.lanes[1:]
        ]
        for thread in self._others:
            thread.start()
        work(self.lanes[0])
        for thread in self._others:
            while thread.is_alive():
                thread.join(0.1)  # in slices, so that Ctrl-C gets through
                self.meter.stop()  # which shows how far the others are

    def _take(self, waiting: Iterator[World]) -> tuple[World, int] | None:
        """The next world that is not done, and its order; None when there is none, or no reason to go on."""
        while not self._handing.acquire(timeout=0.1):
            self.meter.stop()  # the thread that is at it may be looking for the next world for long
        try:
            while self._error is None and not self.meter.stop():
                world = next(waiting, None)
                if world is None:
                    return None
                self._order += 1
                if self._order not in self._earlier.done:
                    return world, self._order
                self._landed += 1
                self._passed[world.n] += 1
                self._passed_weight[world.n] += world.weight
        except StoppedError:
            pass
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the others would take it that there are no more worlds
            self._fail(self._order + 1, error)
        finally:
            self._handing.release()
        return None

    def _explore(self, lane: Worker, world: World, order: int, symmetric: bool, tally: Tally) -> None:
        self._under_way[order] = world, lane
        lane.exploring = Exploration(world)
        try:
            found = lane.explore(world, order, symmetric, self._tables)
            with self._lock:
                if self._under_way.pop(order, None) is None:
                    return  # nobody waits for it any more
                counts = self._count(world, found.counts, tally, found)
                if found.complete:
                    self._landed += 1
                    self._done.add(order, tally.n, *counts)
                    self._rests_on = self.system.known
            if self.keeper is not None and not self.meter.reached:
                behind = (self._rests_on[1] - self._verified[1]) * self._pace
                if self.keeper.due or behind > self.keeper.behind:
                    self.save(self.meter.stop)
        except StoppedError:
            pass  # it is counted at the end, as far as it was explored
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if not isinstance(error, MemoryError):
                self._under_way.pop(order, None)
            self._fail(order, error)

    def _fail(self, order: int, error: BaseException) -> None:
        """Notes what put an end to the search, at or before the world of this order: the first in the order of worlds is raised."""
        with self._lock:
            if self._error is None or order < self._error[0]:
                self._error = (order, error)

    def _count(self, world: World, counted: Counts, tally: Tally, found: Exploration | None = None) -> tuple[Any, ...]:
        """Adds what was counted in a world, which stands for others only where it was `found` to the end. The lock is held."""
        complete = found is not None and found.complete
        represented = world.weight if complete else 0
        counts: tuple[Any, ...] = (
            *(
                *counted[:4],
                represented,
                int(found is not None and bool(found.group)),
                found.sent if found and complete else None,
            ),
            *(world.weight * count for count in counted.every),
        )
        tally.add(*counts)
        self.meter.landed(counted.states, counted.transitions)
        self.meter.represented += represented
        return counts

    def _wait_for_the_others(self) -> None:
        """Gives the other threads a moment to come to their end."""
        end = time.monotonic() + WAIT
        for thread in self._others:
            thread.join(max(0.0, end - time.monotonic()))

    def _abandon(self, tally: Tally) -> None:
        """Counts the worlds that were begun and are not done, as far as their threads came with them."""
        with self._lock:
            for order in list(self._under_way):
                world, lane = self._under_way.pop(order)
                self._count(world, lane.so_far(), tally)

    # --- checkpoints

    def begin(self, tally: Tally) -> None:
        """Turns to the worlds of one size: those that are done already count."""
        known = self._earlier.done.sizes.get(tally.n)
        for name in COUNTS if known else ():
            setattr(tally, name, getattr(known, name))
        if known:
            tally.unreduced, tally.sent = replace(known.unreduced), replace(known.sent)
        if self.census is not None:
            self.census.begin(tally)
        meter = self.meter
        meter.size, meter.represented, meter.to_represent = tally.n, tally.represented, tally.to_represent

    def check_earlier(self) -> None:
        """Raises UsageError where the worlds that were done already are not those of which the checkpoint tells."""
        told = {n: (tally.worlds, tally.represented) for n, tally in self._earlier.done.sizes.items() if tally.worlds}
        if told != {n: (worlds, self._passed_weight[n]) for n, worlds in self._passed.items()}:
            raise self._does_not_fit("the worlds done are others than it counts")

    def recall(self, worlds: Iterable[World]) -> None:
        """Finds again what the runs that this one resumes have found, given all worlds in their order."""
        findings, earlier = self.findings, self._earlier
        routes = [(findings.violations, name, route) for name, route in earlier.violations.items()]
        routes += [(findings.improbable, name, route) for name, route in earlier.improbable.items()]
        routes.sort(key=lambda item: item[2].order, reverse=True)
        for order, world in enumerate(worlds, 1) if routes else ():
            while routes and routes[-1][2].order == order:
                self._retake(*routes.pop(), world)
            if not routes or self.meter.stop():
                return
        if routes:
            raise self._does_not_fit(f"it has no world {routes[-1][2].order}")

    def _retake(self, book: Book, name: str, route: Route, world: World) -> None:
        known = [prop.name for prop in self.properties] + [always for always, _, _ in ALWAYS_CHECKED]
        try:
            if name not in known:
                raise ReplayError(f"it has no property {name}")
            start, transitions = trace.retake(self.system, world, route.start, route.taken)
            self.findings.keep(book, name, world, route.order, start, transitions, route.reason, route.loop)
        except ReplayError as error:
            raise self._does_not_fit(str(error)) from None

    def _does_not_fit(self, why: str) -> UsageError:
        assert self.keeper is not None
        return UsageError(
            f"the checkpoint {self.keeper.file} does not fit this run: {why}; start again without --resume"
        )

    def save(self, hurried: Callable[[], bool], last: bool = False) -> None:
        """Verifies the steps that the worlds done rest on, and writes these down where a checkpoint is due or it is the `last`; not if `hurried`
        puts an end to that. Where another thread is at it, only the last one waits.

        What was verified once is not verified again here, so that there is never much left to do when a run is stopped: resuming it rests
        on this alone. At the end of a run everything is.
        """
        keeper, began = self.keeper, time.monotonic()
        if keeper is None:
            return
        while not keeper.lock.acquire(timeout=0.1 if last else 0):
            if not last or hurried():
                return
        written = last or keeper.due
        try:
            # a model that changes its globals does so while they are looked at, and a thread that hangs may go on meanwhile
            for _ in range(ATTEMPTS if last else 1):
                with suppress(MemoryError, RuntimeError):
                    self._save(keeper, hurried, written)
                    break
        except StepError as error:
            self.doubt = error
            keeper.give_up(error.what)
        finally:
            if written:
                keeper.rest(began)
            keeper.lock.release()

    def _save(self, keeper: Keeper, hurried: Callable[[], bool], written: bool) -> None:
        with self._lock:
            wanted = self._done.whole and keeper.wants(self._done)
            done, rests_on = self._done.copy(), self._rests_on
        if not wanted:
            return
        keeper.unverified = True
        self.outside.check()
        if self._verify(rests_on, hurried):
            keeper.unverified = False
            if written:
                keeper.write(self._known(done))

    def _verify(self, upto: Known, hurried: Callable[[], bool]) -> bool:
        """Verifies what was not verified before, in parts: what is done of it need not be done again."""
        while self._verified != upto:
            began, part = time.monotonic(), (upto[0], min(self._verified[1] + PART, upto[1]))
            if not self.system.verify(self._verified, part, hurried):
                return False
            if part[1] - self._verified[1] == PART:
                self._pace = (time.monotonic() - began) / PART
            self._verified = part
        return True

    def _known(self, done: Done) -> Memory:
        """What is known of these worlds, and perhaps of others that are not done yet: they will tell the same again."""
        return Memory(
            done=done,
            seconds=self.meter.all_seconds(),
            failed=self.findings.failed,
            violations=self._routes(self.findings.violations),
            improbable=self._routes(self.findings.improbable),
            met={name: self._met(name) for name in self.lanes[0].monitors},
            steps=self.steps_taken(),
            lines=self.system.runner.lines.copy(),
        )

    def _routes(self, book: Book) -> dict[str, Route]:
        found = {}
        for name, entry in book.entries.copy().items():
            start, taken = trace.numbered(self.system, entry.trace.world, entry.start, entry.transitions)
            found[name] = Route(entry.order, start, taken, entry.trace.reason, entry.loop)
        return found
