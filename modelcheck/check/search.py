"""Who explores: workers, as many as there are cores where the compiled engine does it, each in a thread.

    Plan         which worlds there are to explore, in their order (plan.py)
    Search       workers take world after world, and explore it (worker.py)
    Knowledge    what the worlds done add up to, and what was found in them (knowledge.py)

What is found does not depend on which worker explored which world: of each property the least counterexample by (length, order
of worlds) is kept, and counts are sums. So it does not matter either which worlds were explored by this run, and which by one
that it resumes.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from contextvars import copy_context
from typing import TYPE_CHECKING

from ..count.census import Census
from ..count.ranges import Range
from ..count.tally import Tally, Unreduced
from ..errors import SearchError, UsageError, nearest
from ..explore.exploration import Counts, Exploration, PlainExploration
from ..explore.limits import Aside, Meter
from ..language.properties import Property
from ..language.values import Renaming
from ..pulse import StoppedError, watched_by
from ..semantics.renaming import SOME, THOROUGH
from ..semantics.settings import Settings
from ..semantics.system import System
from ..semantics.worlds import World, Worlds, port_numbers
from .by_sets.preferring import Effort, look_ahead
from .checkpoint import Keeper
from .findings import Findings
from .knowledge import Knowledge
from .memory import Memory
from .plan import Plan, Reducing
from .worker import PATIENCE, Engine, Worker

if TYPE_CHECKING:
    from ..explore.compiled.sweeping import Landed
    from ..explore.compiled.tables import Tables
    from .request import Request
    from .taken_again import Witness

MANY = 1_000  # worlds of one size, for which it is worth compiling what explores many at once
AT_ONCE, MOST_AT_ONCE = 400_000, 512  # states, and worlds, that are handed to the kernel at once
SHARES = 4  # of what is left for each thread, so that all come to their end together
WAIT = 1.0  # seconds that the other threads have after a Ctrl-C that was not heard
ENGINES: tuple[Engine, ...] = ("auto", "compiled", "reference", "sets")


def check_engine(engine: Engine) -> None:
    """Raises UsageError where there is none of this name."""
    if engine not in ENGINES:
        raise UsageError(f"there is no engine {engine!r}; {nearest(engine, ENGINES)}")


def engine_for(engine: Engine, settings: Settings) -> Engine:
    """The engine to use under these settings. Raises UsageError where it cannot do what is asked."""
    if settings.schedule != "lockstep":
        return engine
    if engine in ("compiled", "sets"):
        raise UsageError("only the reference engine goes in lock-step: leave out --engine")
    return "reference"


class Search:
    """Explores the worlds of a plan, and adds what is found to what is known.

    earlier  what is known of worlds that are done already, which are not explored again
    share    the orders of the worlds to explore; None for all of them
    tables   what the compiled engine has tabulated before, where it has
    most     states that a run may have in which nothing is reduced; None for as many as the meter admits
    """

    def __init__(
        self,
        system: System,
        properties: Sequence[Property],
        meter: Meter,
        engine: Engine = "auto",
        workers: int = 1,
        census: Census | None = None,
        *,
        keeper: Keeper | None = None,
        earlier: Memory | None = None,
        share: Container[int] | None = None,
        tables: Tables | None = None,
        most: int | None = None,
    ) -> None:
        self.system, self.meter, self.census = system, meter, census
        engine = engine_for(engine, system.settings)
        self.known = Knowledge(system, properties, meter, earlier, keeper)
        self.plan = Plan(meter, self.known.earlier.done, share)
        self._has_all, self._most = share is None, meter.limits.max_states if most is None else most
        self._begun: list[
            tuple[Tally, Worlds, int]
        ] = []  # sizes, each with its first worlds, and the order of the first
        self.workers = [
            Worker(system, properties, self.known.findings, meter, engine, census) for _ in range(max(1, workers))
        ]
        for worker in self.workers:
            worker.much_to_do = tables is not None
        self.known.monitors = [worker.monitors for worker in self.workers]
        self.worlds_complete = True
        self.prefers = False  # sets of states, where there are very many
        self.effort = Effort()
        self.reducing = Reducing()
        self.reductions: dict[str, None] = {}  # those in force, in order
        self.tables = tables
        self._lock = threading.Lock()
        self._landed = 0  # worlds that were handed out and are done
        self._under_way: dict[int, tuple[World, Worker]] = {}  # by their order
        self._others: list[threading.Thread] = []
        self._error: tuple[int, BaseException] | None = None  # of the first world that ended in one
        sizes = self.known.earlier.done.sizes.values()
        states, transitions = sum(tally.states for tally in sizes), sum(tally.transitions for tally in sizes)
        meter.resume(states, transitions, self.known.earlier.seconds)

    def witnessed_by(self, witness: Witness) -> Witness:
        """From now on it is told of the worlds that are explored."""
        for worker in self.workers:
            worker.witness = witness
        return witness

    def run_all(self, request: Request, tallies: list[Tally]) -> None:
        """Explores all that was asked for, size after size, and adds the tally of each as it is begun, in this run or in those that it
        resumes. Raises what `run` raises."""
        reducing = self.reducing = Reducing(request, self.system, self.census, self.known.foreseen, self._most)
        if reducing.refused and request.reduce == "order":
            self.reductions[f"no partial order: {reducing.refused}"] = None
        with suppress(StoppedError):
            for n, families in request.worlds():
                stopped = self.meter.stop()
                if stopped and n not in self.known.earlier.done.sizes:
                    break
                with watched_by(self.meter.last_words() if stopped else self.meter):
                    tally = Tally(n, sum(worlds.represented for worlds in families))
                tallies.append(tally)
                self._begin(tally)
                self._begun.append((tally, families[0], self.plan.order + 1))
                for worlds in families:
                    tally.graphs += 1
                    self.reductions.update(dict.fromkeys(worlds.reductions))
                    self.run(worlds, tally)

    def run(self, worlds: Worlds, tally: Tally) -> None:
        """Explores each world and adds to the tally, until done or until the meter says stop.

        Raises StepError where the model's code breaks a rule of the language, or remembers something outside the state, and SearchError
        where the search lost a world.
        """
        self.system.renamings = self._renamings(worlds)
        try:
            with watched_by(self.meter):
                self.plan.begin(worlds)
                self._run(worlds, tally)
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
        if not self.meter.reached and self._landed != self.plan.handed_out:
            raise SearchError(f"{self.plan.handed_out:,} worlds were handed out, and {self._landed:,} were explored")
        self.known.outside.check()

    def _run(self, worlds: Worlds, tally: Tally) -> None:
        first = self.workers[0]
        if not self._has_all and self.reducing.is_open(tally):
            self._foresee(worlds)
        self._decide(tally)
        while not first.compiles:  # by one worker alone until the compiled engine takes over
            taken = self._take()
            if taken is None:
                return
            self._explore(first, *taken, worlds.symmetric, tally)
            self._decide(tally)
            left = tally.to_represent - tally.represented
            if tally.represented and tally.states * left > PATIENCE * tally.represented:
                for worker in self.workers:  # worlds of one size are much alike
                    worker.much_to_do = True
        # one world with which all may help: from the first the others are foreseen, and code may have to be waited for
        while self._is_open(tally) or all(worker.waits for worker in self.workers):
            one, before = iter((True,)), self.plan.handed_out
            self._share(worlds, tally, lambda _, one=one: self._take_one() if next(one, False) else [])  # type: ignore[misc]
            self._decide(tally)
            if self.plan.handed_out == before:
                return
        self._share(worlds, tally, lambda worker: self._take_some(worker, tally))

    def _decide(self, tally: Tally) -> None:
        """Whether the worlds that come are reduced. Raises ManyStatesError where they had better not be explored one by one."""
        if self.prefers:
            look_ahead(tally)
        if self.reducing.is_open(tally) and tally.worlds:
            self.reducing.foresee(tally, tally.states, tally.represented)
        for worker in self.workers:
            worker.reduces = self.reducing.reduces(tally)

    def _foresee(self, worlds: Worlds) -> None:
        """Finds out how many states the first worlds of this size and of smaller ones have, where others see to these: they are explored
        aside, and nothing is said of them. Only if there is a world that it matters for."""
        taken = self._take()
        if taken is None:
            return
        self.plan.give_back(taken[0])
        try:
            for tally, firsts, order in self._begun:
                if self.reducing.is_open(tally) and order != taken[1]:
                    world = next(iter(firsts))
                    self.system.renamings = self._renamings(firsts)
                    room = self.reducing.room(tally, world.weight)
                    meter = Aside(self.meter, room)
                    found = self._aside(meter).explore(world, 0, firsts.symmetric, None)
                    if self.meter.stop():
                        return
                    self.reducing.foresee(tally, found.counts.states if found.complete else room + 1, world.weight)
        finally:
            self.system.renamings = self._renamings(worlds)

    def _aside(self, meter: Meter) -> Worker:
        """Who explores a world and keeps nothing of it."""
        properties = self.known.properties
        worker = Worker(self.system, properties, Findings(self.system, properties), meter, self.workers[0].engine)
        worker.much_to_do = self.workers[0].much_to_do
        return worker

    def _renamings(self, worlds: Worlds) -> tuple[Renaming, ...]:
        return worlds.renamings(THOROUGH if self.system.thorough else SOME)

    def _is_open(self, tally: Tally) -> bool:
        """Whether it depends on the first world of this size, which is not known yet, how the others are explored."""
        return self.reducing.is_open(tally) or (self.prefers and not tally.worlds)

    def _share(self, worlds: Worlds, tally: Tally, take: Callable[[Worker], list[tuple[World, int]]]) -> None:
        """All workers, each in a thread, the first in this one, take worlds until there are none."""
        from ..explore.compiled.crew import Crew
        from ..explore.compiled.tables import Tables

        if self.tables is None or self.tables.ports < port_numbers(worlds.n):
            self.tables = Tables(self.system, port_numbers(worlds.n))

        crew = Crew(len(self.workers), self.meter)

        def work(worker: Worker) -> None:
            worker.crew = crew
            try:
                while taken := take(worker):
                    self._explore_all(worker, taken, worlds.symmetric, tally)
            finally:
                crew.leave()
            crew.help()

        def work_elsewhere(worker: Worker) -> None:
            try:
                work(worker)
            except BaseException as error:  # a thread has nobody else to tell
                self._fail(self.plan.order, error)

        self._others = [
            threading.Thread(target=copy_context().run, args=(work_elsewhere, worker), daemon=True)
            for worker in self.workers[1:]
        ]
        for thread in self._others:
            thread.start()
        work(self.workers[0])
        for thread in self._others:
            while thread.is_alive():
                thread.join(0.1)  # in slices, so that Ctrl-C gets through
                self.meter.stop()  # which shows how far the others are

    def _take(self) -> tuple[World, int] | None:
        """The next world to explore, and its order; None when there is none, or no reason to go on."""
        if self._error is not None:
            return None
        try:
            return self.plan.take()
        except StoppedError:
            return None
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the others would take it that there are no more worlds
            self._fail(self.plan.order + 1, error)
            return None

    def _take_one(self) -> list[tuple[World, int]]:
        taken = self._take()
        return [] if taken is None else [taken]

    def _take_some(self, worker: Worker, tally: Tally) -> list[tuple[World, int]]:
        """The next worlds: one, or where they are small and many are left as many as are worth handing to the kernel at once."""
        most = 1
        if tally.worlds and worker.may_sweep(self.tables):
            all_worlds = tally.to_represent * tally.worlds // max(1, tally.represented)  # if each stands for as many
            if all_worlds >= MANY:
                left = all_worlds - tally.worlds
                most = min(
                    MOST_AT_ONCE, AT_ONCE * tally.worlds // max(1, tally.states), left // (SHARES * len(self.workers))
                )
        taken: list[tuple[World, int]] = []
        while len(taken) < max(1, most) and (one := self._take()) is not None:
            taken.append(one)
        return taken

    def _explore_all(self, worker: Worker, taken: list[tuple[World, int]], symmetric: bool, tally: Tally) -> None:
        """Explores worlds at once, as far as that goes, and the others one by one."""
        done: set[int] = set()
        tables, census = self.tables, self.census if self.census is not None and self.census.wants() else None
        if len(taken) > 1 and tables is not None:
            alone = [worker.witness is not None and worker.witness.wants(order) for _, order in taken]
            others = [one for one, kept in zip(taken, alone, strict=True) if not kept]
            try:
                for _, group in itertools.groupby(others, lambda one: id(one[0].shape)):
                    fleet = list(group)
                    if len(fleet) < 2:
                        continue
                    landed = worker.sweep([world for world, _ in fleet], symmetric, tables, census is not None)
                    done |= self._land(fleet, landed, census, tally)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                self._fail(taken[0][1], error)
                return
        for world, order in taken:
            if order not in done:
                if self.meter.stop():
                    break
                self._explore(worker, world, order, symmetric, tally)
        if worker.seen is not None:  # where none of them has come to it, it was there once, as by chance
            self._fail(taken[-1][1], worker.seen)

    def _land(
        self, fleet: list[tuple[World, int]], landed: list[Landed], census: Census | None, tally: Tally
    ) -> set[int]:
        """Adds what was counted in worlds that were explored at once; returns the orders of those."""
        counted, done = Tally(tally.n, 0), set[int]()
        for found in landed:
            world, order = fleet[found.place]
            sent = Range()
            if census is not None:
                range_of = census.add_counted(world, order, found.messages)
                if range_of is None:
                    continue
                sent = range_of
            weight, counts = world.weight, (found.states, found.transitions, found.terminal_states)
            one = Tally(tally.n, 0, 1, weight, *counts, found.depth, reduced=int(found.reduced), sent=sent)
            one.unreduced.add(*(weight * count for count in counts))
            counted.add(one)
            done.add(order)
        with self._lock:
            self._add(tally, counted)
            self._landed += counted.worlds
            if done:
                self.known.add(done, counted)
        self.known.save_where_due()
        return done

    def _explore(self, worker: Worker, world: World, order: int, symmetric: bool, tally: Tally) -> None:
        self._under_way[order] = world, worker
        worker.exploring = PlainExploration(world)
        try:
            found = worker.explore(world, order, symmetric, self.tables)
            with self._lock:
                if self._under_way.pop(order, None) is None:
                    return  # nobody waits for it any more
                counted = self._count(world, found.counts, tally, found)
                if found.complete:
                    self._landed += 1
                    self.known.add((order,), counted)
            self.known.save_where_due()
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

    def _count(self, world: World, counts: Counts, tally: Tally, found: Exploration | None = None) -> Tally:
        """Adds what was counted in a world, which stands for others only where it was `found` to the end. The lock is held."""
        complete = found is not None and found.complete
        counted = Tally(
            tally.n,
            0,
            worlds=int(complete),
            represented=world.weight if complete else 0,
            states=counts.states,
            transitions=counts.transitions,
            terminal_states=counts.terminal_states,
            depth=counts.depth,
            turned=int(found is not None and bool(found.group)),
            reduced=int(found is not None and found.reduced),
            within=int(found is not None and found.independence is not None),
            unreduced=Unreduced(*(world.weight * count for count in counts.every)),
            sent=found.sent if found is not None and complete and found.sent is not None else Range(),
        )
        self._add(tally, counted)
        return counted

    def _add(self, tally: Tally, counted: Tally) -> None:
        """Adds what was counted to what is known, and to what the meter looks at. The lock is held."""
        tally.add(counted)
        self.meter.landed(counted.states, counted.transitions)
        self.meter.represented += counted.represented
        self.meter.violated = len(self.known.findings.violations.entries)

    def _wait_for_the_others(self) -> None:
        """Gives the other threads a moment to come to their end."""
        end = time.monotonic() + WAIT
        for thread in self._others:
            thread.join(max(0.0, end - time.monotonic()))

    def _abandon(self, tally: Tally) -> None:
        """Counts the worlds that were begun and are not done, as far as their threads came with them."""
        with self._lock:
            for order in list(self._under_way):
                world, worker = self._under_way.pop(order)
                self._count(world, worker.so_far(), tally)

    def _begin(self, tally: Tally) -> None:
        """Turns to the worlds of one size: those that are done already count."""
        if (done := self.known.earlier.done.sizes.get(tally.n)) is not None:
            tally.add(done)
        if self.census is not None:
            self.census.begin(tally)
        meter = self.meter
        meter.size, meter.represented, meter.to_represent = tally.n, tally.represented, tally.to_represent
