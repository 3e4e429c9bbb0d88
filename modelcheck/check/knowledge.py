"""What a search knows, while it goes on: what the worlds done add up to, what was found in them, and what properties met.

known = Knowledge(system, properties, meter, earlier, keeper)    with what an earlier run knew, where one is resumed
known.recall(worlds)                                             counterexamples of that run are taken again
known.add(order, counted)                                        by any thread: one more world is done
known.save_where_due()                                           and it is written to the checkpoint
known.memory()                                                   all of it as plain data
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from ..count.tally import Tally
from ..errors import ReplayError, StepError, UsageError
from ..explore.limits import Meter
from ..language.properties import LASTING, Property
from ..properties.monitor import EVER, EVERYWHERE, Monitor
from ..pulse import attended
from ..runs import trace
from ..runs.trace import Trace
from ..semantics.purity import Outside
from ..semantics.system import Known, System
from ..semantics.worlds import World
from .checkpoint import Keeper
from .findings import ALWAYS_CHECKED, Book, Findings
from .memory import Done, Memory, Route
from .result import PropertyResult

ATTEMPTS = 10  # at a last checkpoint
PART = 500  # outcomes that are verified at a time


class UnfitError(UsageError):
    """What is known from elsewhere is not what comes about here."""


class Knowledge:
    """What is known of the worlds that are done, in this run and in those it resumes (`earlier`). A `keeper` writes it down."""

    def __init__(
        self,
        system: System,
        properties: Sequence[Property],
        meter: Meter,
        earlier: Memory | None = None,
        keeper: Keeper | None = None,
    ) -> None:
        self.system, self.properties, self.meter, self.keeper = system, tuple(properties), meter, keeper
        self.earlier = earlier or Memory()
        self.foreseen = self.earlier.foreseen.copy()  # and what is foreseen by this run
        self.findings = Findings(system, properties)
        self.findings.failed = self.earlier.failed
        self.outside = Outside(system.definition, self.properties)
        self.monitors: list[Mapping[str, Monitor]] = []  # those of each worker
        self.undecided: dict[str, str] = {}  # properties of which the search can say nothing, with the reason
        self.doubt: StepError | None = None  # the model broke a rule, as was seen when a checkpoint was to be written
        self._lock = threading.Lock()
        self._done = self.earlier.done.copy()
        # what of the system's knowledge the worlds done rest on, and how much of that is verified
        self._rests_on: Known = (0, 0)
        self.verified: Known = (0, 0)
        self._pace = 0.0003  # seconds that it takes to verify one outcome
        system.runner.watched.noted |= self.earlier.lines

    def add(self, orders: Iterable[int], counted: Tally) -> None:
        """Worlds were explored to their end, with what was counted in them."""
        with self._lock:
            self._done.add(orders, counted)
            self._rests_on = self.system.known

    @property
    def violations(self) -> dict[str, Trace]:
        """The shortest counterexample of each property that has one."""
        return self.findings.violations.traces

    @property
    def improbable(self) -> dict[str, Trace]:
        """The shortest lasso of probability 0 of each property that has one."""
        return self.findings.improbable.traces

    def results(self, complete: bool) -> tuple[PropertyResult, ...]:
        """What the properties come to, those of the model before those that are always checked; `complete` where every world was searched to its
        end."""
        failures = []
        for name, kind, claim in ALWAYS_CHECKED:
            found = self.violations.get(name)
            verdict = "violated" if found else "holds" if complete else "inconclusive"
            failures.append(PropertyResult(name, kind, claim, verdict, trace=found, shortest=complete))
        results = []
        for prop in self.properties:
            found, note = self.violations.get(prop.name), ""
            verdict = "violated" if found else "holds" if complete and not self.findings.failed else "inconclusive"
            if verdict == "holds" and prop.name in self.improbable:
                note, found = "with probability 1", self.improbable[prop.name]
            undecided = self.undecided.get(prop.name, "")
            if verdict == "holds" and undecided:
                verdict, note = "inconclusive", undecided
            if verdict == "violated" and undecided:  # by ends of runs: those that never end were not looked at
                note = undecided
            if verdict == "inconclusive" and self.findings.failed:
                note = "runs end where a step fails"
            mattered = verdict != "holds" or self.mattered(prop)
            results.append(
                PropertyResult(
                    prop.name, prop.kind, prop.claim, verdict, note, mattered, found, complete and not undecided
                )
            )
        return (*results, *failures)

    def mattered(self, prop: Property) -> bool:
        """Whether what a property reads ever changed; for one about ends, whether there was an end, and for one about what leads to it, whether
        that ever was."""
        if not any(prop.name in monitors for monitors in self.monitors):
            return True
        if prop.trigger is not None:
            return EVER in self._met(prop.trigger.name)
        met = self._met(prop.name)
        seen = met - {EVER, EVERYWHERE}
        # ends that all look alike are no sign of vacuity; no end at all is
        if prop.kind == "at the end" or (prop.kind in LASTING and EVERYWHERE not in met):
            return bool(seen)
        return len(seen) > 1

    def _met(self, name: str) -> set[str]:
        """What a property met, in this run and in those it resumes: as many digests as it has seen different things."""
        return self.earlier.met.get(name, set()).union(*(monitors[name].digests() for monitors in self.monitors))

    @property
    def worlds_before(self) -> int:
        """How many worlds the run had explored that this one resumes."""
        return self.earlier.done.worlds

    def steps_taken(self) -> set[str]:
        """The names of the steps that were taken, in this run and in those it resumes."""
        return self.earlier.steps | self.system.steps_taken()

    def memory(self) -> Memory:
        """All of it, as plain data."""
        with self._lock:
            done = self._done.copy()
        return self._memory(done)

    def _memory(self, done: Done) -> Memory:
        """What is known of these worlds, and perhaps of others that are not done yet: they will tell the same again."""
        return Memory(
            done=done,
            seconds=self.meter.all_seconds(),
            failed=self.findings.failed,
            violations=self._routes(self.findings.violations),
            improbable=self._routes(self.findings.improbable),
            met={name: self._met(name) for name in self.monitors[0]} if self.monitors else {},
            steps=self.steps_taken(),
            lines=self.system.runner.watched.noted.copy(),
            foreseen=self.foreseen.copy(),
        )

    def _routes(self, book: Book) -> dict[str, Route]:
        found = {}
        for name, entry in book.entries.copy().items():
            start, taken = trace.numbered(self.system, entry.trace.world, entry.start, entry.transitions)
            found[name] = Route(entry.order, start, taken, entry.trace.reason, entry.loop)
        return found

    # --- from an earlier run

    def check_earlier(self, passed: Mapping[int, Tally]) -> None:
        """Raises UsageError where the worlds that were `passed` as done already are not those of which the checkpoint tells."""
        told = {n: (tally.worlds, tally.represented) for n, tally in self.earlier.done.sizes.items() if tally.worlds}
        if told != {n: (tally.worlds, tally.represented) for n, tally in passed.items()}:
            raise self._does_not_fit("the worlds done are others than it counts")

    def recall(self, worlds: Iterable[World]) -> None:
        """Finds again what the runs that this one resumes have found, given all worlds in their order. Raises StoppedError."""
        findings, earlier = self.findings, self.earlier
        routes = [(findings.violations, name, route) for name, route in earlier.violations.items()]
        routes += [(findings.improbable, name, route) for name, route in earlier.improbable.items()]
        routes.sort(key=lambda item: item[2].order, reverse=True)
        for order, world in attended(enumerate(worlds, 1)) if routes else ():
            while routes and routes[-1][2].order == order:
                self._retake(*routes.pop(), world)
            if not routes:
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
        if self.keeper is None:
            return UnfitError(f"the parts do not fit this run: {why}")
        return UnfitError(
            f"the checkpoint {self.keeper.file} does not fit this run: {why}; start again without --resume"
        )

    # --- checkpoints

    def save_where_due(self) -> None:
        """Writes a checkpoint where one is due; where much has come together that is not verified, verifies it."""
        if self.keeper is None or self.meter.reached:
            return
        behind = (self._rests_on[1] - self.verified[1]) * self._pace
        if self.keeper.due or behind > self.keeper.behind:
            self.save(self.meter.stop)

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
                keeper.write(self._memory(done))

    def _verify(self, upto: Known, hurried: Callable[[], bool]) -> bool:
        """Verifies what was not verified before, in parts: what is done of it need not be done again."""
        while self.verified != upto:
            began, part = time.monotonic(), (upto[0], min(self.verified[1] + PART, upto[1]))
            if not self.system.verify(self.verified, part, hurried):
                return False
            if part[1] - self.verified[1] == PART:
                self._pace = (time.monotonic() - began) / PART
            self.verified = part
        return True
