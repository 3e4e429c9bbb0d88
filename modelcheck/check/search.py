"""Searching all worlds, by as many threads as there are cores where the compiled engine does it.

Worlds are handed out in order. What is found does not depend on which thread explored which world: of each property the
least counterexample by (length, order of worlds) is kept, and counts are sums.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..explore.exploration import Exploration, Meter
from ..language.properties import Property
from ..semantics.purity import Outside
from ..semantics.system import System
from ..semantics.worlds import World, Worlds
from .findings import Findings
from .lane import Engine, Lane
from .result import Tally
from .trace import Trace

if TYPE_CHECKING:
    from ..explore.tables import Tables

ENGINES: tuple[Engine, ...] = ("auto", "compiled", "reference")


class Search:
    """Explores worlds and keeps what is found."""

    def __init__(
        self, system: System, properties: Sequence[Property], meter: Meter, engine: Engine = "auto", workers: int = 1
    ) -> None:
        self.system, self.properties, self.meter = system, tuple(properties), meter
        self.findings = Findings(system, properties)
        self.lanes = [Lane(system, properties, self.findings, meter, engine) for _ in range(max(1, workers))]
        self.outside = Outside(system.definition)
        self.worlds_complete = True
        self._tables: Tables | None = None
        self._lock = threading.Lock()
        self._order = 0  # of the next world
        self._error: tuple[int, BaseException] | None = None  # of the first world that ended in one

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
        monitors = [lane.monitors[prop.name] for lane in self.lanes]
        met = {monitor.met for monitor in monitors if monitor.met is not None}
        # ends that all look alike are no sign of vacuity; no end at all is
        return bool(met) if prop.kind == "at the end" else len(met) > 1 or any(monitor.varied for monitor in monitors)

    def run(self, worlds: Worlds, tally: Tally) -> None:
        """Explores each world and adds to the tally, until done or until the meter says stop.

        Raises StepError where the model's code breaks a rule of the language, or remembers something outside the state.
        """
        waiting = iter(worlds)
        first = self.lanes[0]
        while not first.compiles:  # by one lane alone until the compiled engine takes over
            taken = self._take(waiting)
            if taken is None:
                break
            self._explore(first, *taken, worlds.symmetric, tally)
        else:
            self._share(waiting, worlds, tally)
        if self.meter.reached:
            self.worlds_complete = False
        if self._error is not None:
            raise self._error[1]
        self.outside.check()

    def _share(self, waiting: Iterator[World], worlds: Worlds, tally: Tally) -> None:
        """All lanes, each in a thread, the first in this one."""
        from ..explore.tables import Tables

        if self._tables is None or self._tables.ports < worlds.n + 2:
            self._tables = Tables(self.system, worlds.n + 2)

        def work(lane: Lane) -> None:
            while (taken := self._take(waiting)) is not None:
                self._explore(lane, *taken, worlds.symmetric, tally)

        others = [threading.Thread(target=work, args=(lane,), daemon=True) for lane in self.lanes[1:]]
        for thread in others:
            thread.start()
        try:
            work(self.lanes[0])
            for thread in others:
                while thread.is_alive():
                    thread.join(0.1)  # in slices, so that Ctrl-C gets through
        except KeyboardInterrupt:
            self.meter.reached = self.meter.reached or "interrupted"  # the others stop by themselves
            raise

    def _take(self, waiting: Iterator[World]) -> tuple[World, int] | None:
        """The next world and its order; None when there is none, or no reason to go on."""
        with self._lock:
            if self._error is not None or self.meter.stop():
                return None
            world = next(waiting, None)
            self._order += 1
            return None if world is None else (world, self._order)

    def _explore(self, lane: Lane, world: World, order: int, symmetric: bool, tally: Tally) -> None:
        try:
            found = lane.explore(world, order, symmetric, self._tables)
        except KeyboardInterrupt:
            self._count(lane.exploring, tally)
            raise
        except BaseException as error:
            with self._lock:
                if self._error is None or order < self._error[0]:
                    self._error = (order, error)
            return
        with self._lock:
            self._count(found, tally)

    def _count(self, found: Exploration, tally: Tally) -> None:
        tally.states += len(found.states)
        tally.transitions += found.transitions
        tally.terminal_states += len(found.terminals)
        tally.depth = max(tally.depth, found.depths[len(found.states) - 1] if found.states else 0)
        self.meter.landed(len(found.states), found.transitions)
        if found.complete:
            tally.worlds += 1
            tally.represented += found.world.weight
            self.meter.represented += found.world.weight
