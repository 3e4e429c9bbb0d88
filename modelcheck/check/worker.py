"""Searching one world after another: properties watch an engine explore, and what they find is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Any, Literal

from .. import ahead
from ..count import extremes
from ..count.census import Census
from ..errors import StepError
from ..explore import reference
from ..explore.exploration import Counts, Exploration, NotCompiledError, PlainExploration, UnsupportedError
from ..explore.independence import Behaviours, wanted
from ..explore.limits import Meter
from ..explore.liveness import Lasso, endless_runs
from ..explore.stubborn import Chooses, Stubborn, StubbornWithin, allows
from ..language.properties import LASTING, OF_WHOLE_RUNS, ON_THE_WAY, Property
from ..properties.everywhere import holds_in
from ..properties.monitor import Monitor
from ..properties.predicates import MonitorPredicates
from ..properties.whole_runs import ways
from ..pulse import StoppedError, watched_by
from ..runs import trace
from ..semantics.components import State
from ..semantics.symmetry import Group, own_group, turned
from ..semantics.system import Outcome, System, Transition
from ..semantics.worlds import World, port_numbers
from .findings import FAILURES, Book, Findings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..count.compiled import Counter
    from ..explore.compiled.crew import Crew
    from ..explore.compiled.engine import CompiledEngine
    from ..explore.compiled.sweeping import Landed, Sweep
    from ..explore.compiled.tables import Tables
    from .taken_again import Witness

Engine = Literal["auto", "compiled", "reference", "sets"]
PATIENCE = 20_000  # states the reference engine explores before the compiled one, slower to start, is worth it
MOST_PLAINLY = 200_000  # and in the meantime, while that is compiled: with them goes memory


class Worker:
    """One of the threads of a search: monitors and arrays of its own, everything else shared."""

    def __init__(
        self,
        system: System,
        properties: Sequence[Property],
        findings: Findings,
        meter: Meter,
        engine: Engine,
        census: Census | None = None,
        *,
        records: bool = False,
        reduces: bool = False,
    ) -> None:
        """With `records` the transitions are kept in any case, and not only where something asks for them. Worlds are reduced
        (explore/stubborn.py) where it `reduces`; that may be changed between worlds."""
        self.system, self.findings, self.meter, self.engine, self.census = system, findings, meter, engine, census
        self._records, self.reduces = records, reduces
        self.crew: Crew | None = None  # who may help with a large world
        self.much_to_do = False  # as far as can be foreseen
        self.witness: Witness | None = None
        self._behaviours: Behaviours | None = None
        self._compiled: CompiledEngine | None = None
        self._counter: Counter | None = None
        self._sweep: Sweep | None = None
        self.seen: StepError | None = None  # in one of the worlds that were explored at once
        self.waits = engine == "auto" and not ahead.declined()  # for code, as far as is known
        self._lacking = self._lacking_for_fleets = (
            ""  # the kind of worlds, and of fleets, for which there was no code when last tried
        )
        self.exploring: Exploration  # the world it is at
        self.watching: PropertyWatch | None = None  # who is told of what is met there
        self.monitors = {p.name: Monitor(p, system) for prop in properties for p in prop.judged}
        self.always = [self.monitors[p.name] for p in properties if p.kind == "always"]
        self.steps = [self.monitors[p.name] for p in properties if p.kind == "every step"]
        self.ends = [self.monitors[p.name] for p in properties if p.kind in ("at the end", *LASTING)]
        self._lively = [p for p in properties if p.kind in OF_WHOLE_RUNS]

    @property
    def _keeps_targets(self) -> bool:
        """Whether transitions are kept."""
        return self._records or bool(self._lively) or self.census is not None

    @property
    def compiles(self) -> bool:
        """Whether the compiled engine has taken over."""
        much = self.much_to_do or self.meter.earlier_states > PATIENCE
        return self.engine == "compiled" or (self.engine == "auto" and much)

    def explore(self, world: World, order: int, symmetric: bool, tables: Tables | None) -> Exploration:
        """Explores a world, `order` in the order of worlds, and keeps what is found. Where it is `symmetric`, states are explored
        up to the world's own group.

        A world that was reduced is explored in full after all where it has a cycle, for the sake of what depends on fairness, or where a
        property fails, for the shortest run. Returns the exploration, which is not `complete` if the meter said stop. Raises StepError where
        the model's code breaks a rule of the language.
        """
        shows_runs = self.census is not None and not self.census.only_total  # which have no twins
        # nor are states merged in lock-step, where a round is a step of everyone, or where the network can split, which knows
        # the processes by their numbers
        turns = symmetric and self.system.stutters and not shows_runs and not self.system.settings.partitions
        turns = turns and not any(prop.is_separate for prop in self._lively)  # which tell one process from its twin
        group = own_group(world, self.system.definition.knows) if turns else ()
        found: Exploration
        found = self.exploring = self._begin(world, group)
        for monitor in self.monitors.values():
            monitor.enter(world, symmetric, group)
        try:
            found, watch = self._explore(found, order, tables)
            if found.reduced and found.complete and (watch.first or found.has_cycle()):
                watch.settle()  # should there be no room for more
                found, watch = self._explore(PlainExploration(world, group), order, tables)
            failed = watch.first.copy()
            watch.settle()
            if found.complete:
                self._check_liveness(found, order)
                self._count_messages(found, watch, order)
                if self._compiled is not None and self._compiled.at is found:
                    self._compiled.keep_code()
                if self.witness is not None:
                    self.witness.watch(found, order, failed, self.monitors)
        except StepError as error:
            at = self.exploring
            error.trace = error.trace or self.steps_to(at, len(at.first) - 1, None)
            raise
        except StoppedError:
            found = self.exploring
            found.complete = False
        finally:
            if self.watching is not None:
                self.watching.settle()
        found.add_up()
        return found

    def _begin(self, world: World, group: Group) -> PlainExploration:
        """The exploration of a world, of which nothing is found yet. It is reduced where that is to be and can be."""
        if not (self.reduces and allows(world)):
            return PlainExploration(world, group)
        independence = None
        if wanted(self.system, world):
            self._behaviours = self._behaviours or Behaviours(self.system)
            independence = self._behaviours.independence(world)
        reduced = independence is not None or self.system.settings.links.ordered
        return PlainExploration(world, group, reduced=reduced, independence=independence)

    def _explore(self, begun: PlainExploration, order: int, tables: Tables | None) -> tuple[Exploration, PropertyWatch]:
        """By the reference engine, by the compiled one, or by that after the other has lost patience."""
        self.exploring = begun
        self.watching = watch = PropertyWatch(self, begun, order)
        if self.engine == "reference":
            return begun, self._explore_plainly(begun, order)
        if not self.compiles:
            watch = self._explore_plainly(begun, order, lambda states: states > PATIENCE)
        while not (begun.complete or self.meter.reached):
            if self._lacking and not ahead.ready(self._lacking):
                watch = self._explore_meanwhile(begun, order, self._lacking)
                continue
            try:
                return self._explore_compiled(begun, order, tables)
            except NotCompiledError as missing:
                self._lacking, self.waits = missing.kind, True
        return begun, watch

    def _explore_meanwhile(self, begun: PlainExploration, order: int, kind: str) -> PropertyWatch:
        """By the reference engine, from the beginning, until there is code for the other one."""
        begun.begin_again()
        self.exploring = begun

        def enough(states: int) -> bool:
            return states > MOST_PLAINLY or (states % 64 == 0 and ahead.ready(kind))

        watch = self._explore_plainly(begun, order, enough)
        while not (begun.complete or self.meter.stop() or ahead.ready(kind)):
            time.sleep(0.05)
        return watch

    def _explore_plainly(
        self, found: PlainExploration, order: int, enough: Callable[[int], bool] = lambda _: False
    ) -> PropertyWatch:
        """By the reference engine; anew as soon as a property is seen to read more than the reduction knew of, while there is time for that."""
        while True:
            watch = self.watching = PropertyWatch(self, found, order)
            claims = watch.claims() if found.reduced else None
            if claims is None:
                reference.explore(self.system, found, watch, self.meter, enough)
                return watch
            known = claims.generation
            stubborn: Chooses
            if found.independence is None:
                stubborn = Stubborn(self.system, found.world, claims.shows)
            else:
                stubborn = StubbornWithin(self.system, found.independence, claims)

            def over(states: int, claims: MonitorPredicates = claims, known: int = known) -> bool:
                return enough(states) or claims.generation != known

            reference.explore(self.system, found, watch, self.meter, over, stubborn)
            if claims.generation == known or self.meter.reached:  # what was found until then is true
                return watch
            found.begin_again()

    def _explore_compiled(
        self, begun: Exploration, order: int, tables: Tables | None
    ) -> tuple[Exploration, PropertyWatch]:
        """The same by the compiled engine; where that cannot tell, by the reference engine after all. Raises NotCompiledError."""
        from ..explore.compiled.exploration import CompiledExploration
        from ..explore.compiled.tables import Tables

        world, group = begun.world, begun.group
        engine = self._engine(tables or Tables(self.system, port_numbers(world.n)))
        engine.crew = self.crew
        begun.begin_again()
        found = self.exploring = CompiledExploration(
            world, group, most=begun.most, reduced=begun.reduced, independence=begun.independence
        )
        watch = self.watching = PropertyWatch(self, found, order)
        try:
            engine.explore(found, watch.claims(), self.meter, self._keeps_targets or found.reduced)
            self._lacking, self.waits = "", False
            watch.look_at_terminals()
        except (UnsupportedError, StepError) as error:  # for that the reference engine finds the steps that lead to it
            plain = self.exploring = PlainExploration(
                world, group, most=found.counts, reduced=begun.reduced, independence=begun.independence
            )
            watch = self._explore_plainly(plain, order)
            if isinstance(error, StepError):  # it came once, as by chance, and then no more
                error.trace = error.trace or (str(world),)
                raise error from None
            return plain, watch
        return found, watch

    # --- many worlds at once

    def may_sweep(self, tables: Tables | None) -> bool:
        """Whether worlds that are alike may be handed to the kernel many at a time."""
        if not self.compiles or tables is None or tables.has_environment or self._records:
            return False
        if self._lacking_for_fleets and not ahead.ready(self._lacking_for_fleets):
            return False
        return not any(prop.kind in ON_THE_WAY for prop in self._lively)

    def sweep(self, worlds: Sequence[World], symmetric: bool, tables: Tables, counts: bool) -> list[Landed]:
        """Explores worlds of one graph, as far as each comes to its end and nothing is to be said of it but what is counted. The others
        are to be explored one by one. With `counts` messages are counted."""
        from ..count.compiled import Counter
        from ..explore.compiled.sweeping import Counting, Sweep

        if self.reduces and wanted(self.system, worlds[0]):
            return []  # of each is looked at what its processes can do
        identifiers = sorted(worlds[0].identifiers, key=lambda own: own or 0)
        for world in worlds:  # of others properties may see something else, or they have symmetries of their own
            if not world.distinct or sorted(world.identifiers) != identifiers:  # type: ignore[type-var]
                return []
        engine = self._engine(tables)

        def turn_to(world: World) -> None:
            for monitor in self.monitors.values():
                monitor.enter(world, symmetric)

        turn_to(worlds[0])
        counting = None
        if counts and self.census is not None:
            self._counter = self._counter or Counter(self.census.columns)
            counting = Counting(self.census.width, len(self.census.columns), self._counter.sends_of)
        if self._sweep is None or self._sweep.engine is not engine or self._sweep.counting != counting:
            self._sweep = Sweep(engine, counting)
        nothing = PlainExploration(worlds[0])
        watch = PropertyWatch(self, nothing, 0)
        ends = MonitorPredicates(self.system, nothing, self.ends, (), watch._note, watch.on_failure)
        try:
            landed = self._sweep.explore(
                worlds, watch.claims(), ends, turn_to, self.meter,
                reduced=self.reduces and allows(worlds[0]), cycles_matter=self._keeps_targets or self.reduces,
            )  # fmt: skip
        except NotCompiledError as missing:
            self._lacking_for_fleets = missing.kind
            return []
        self.seen = self.seen or self._sweep.error
        return landed

    def _engine(self, tables: Tables) -> CompiledEngine:
        from ..explore.compiled.engine import CompiledEngine

        if self._compiled is None or self._compiled.tables is not tables:
            self._compiled = CompiledEngine(self.system, tables)
            if self.engine == "auto":
                self._compiled.ready = ahead.ready
        return self._compiled

    def so_far(self) -> Counts:
        """What was counted in the world that it is at; another thread may ask."""
        counted, compiled = self.exploring.counts, self._compiled
        return max(counted, compiled.so_far()) if compiled is not None and compiled.at is self.exploring else counted

    # --- messages

    def _count_messages(self, found: Exploration, watch: PropertyWatch, order: int) -> None:
        census = self.census
        if census is None or not census.wants(len(found.states)):
            return
        if isinstance(found, PlainExploration):
            values = extremes.count(found, watch.taken, census.columns, census.width)
            found.sent = census.add(self.system, found, order, values)
            return
        from ..count.compiled import Counter
        from ..explore.compiled.exploration import CompiledExploration

        assert isinstance(found, CompiledExploration)
        self._counter = self._counter or Counter(census.columns)
        values = self._counter.count(found, self.meter, census.width)
        found.sent = census.add(self.system, found, order, values)

    # --- liveness

    def _check_liveness(self, found: Exploration, order: int) -> None:
        endless = found.has_cycle() or not (found.acyclic or self.system.stutters)
        for prop in self._lively:
            if prop.kind in ON_THE_WAY or endless:  # else the ends of its runs tell
                for place in range(found.world.n) if prop.is_separate else (None,):
                    self._check_ways(prop, found, order, place)

    def _check_ways(self, prop: Property, found: Exploration, order: int, place: int | None) -> None:
        """Whether a run breaks the property, of the process at this place where it is about each by itself."""

        def holds(one: Property) -> NDArray[Any]:
            monitor = self.monitors[one.name]
            monitor.place, monitor.everywhere = place, True
            mask = holds_in(monitor, found)
            monitor.place, monitor.ever = None, monitor.ever or bool(mask.any())
            return mask

        for part, marked in ways(prop, found, holds):
            if prop.kind in ON_THE_WAY and marked is None and len(part.terminals):
                ends = min(part.terminals, key=lambda number: (part.depths[number], number))
                with self.last_words():
                    start, transitions = part.path(self.system, ends)
                    self.findings.keep(self.findings.violations, prop.name, part.world, order, start, transitions, "")
            if not len(part.states):
                return
            analysis = endless_runs(self.system, part, marked)
            if analysis.violation:
                self._keep_lasso(self.findings.violations, prop, part, order, analysis.violation)
            if analysis.improbable:
                self._keep_lasso(self.findings.improbable, prop, part, order, analysis.improbable)
            if not (analysis.violation or analysis.improbable):
                return

    def _keep_lasso(self, book: Book, prop: Property, part: Exploration, order: int, lasso: Lasso) -> None:
        with self.last_words():
            start, stem = part.path(self.system, lasso.entry)
            last = stem[-1].after if stem else start.state
            loop = lasso.loop
            if last != lasso.at:  # it leads to a twin: from there the twin of the loop goes on
                g = next(g for g in part.group if turned(g, lasso.at) == last)
                loop = tuple(Transition(g[t.process], t.outcome, t.after and turned(g, t.after)) for t in loop)
            self.findings.keep(book, prop.name, part.world, order, start, (*stem, *loop), "", len(stem))

    def steps_to(self, found: Exploration, number: int, transition: Transition | None) -> tuple[str, ...]:
        """The steps that lead to a state, and perhaps one out of it, for the report of a model's error; none where they are too many
        to be found again in time."""
        if not 0 <= number < len(found.states):
            return ()
        with suppress(StoppedError), self.last_words():
            start, transitions = found.path(self.system, number)
            taken = [*transitions, transition] if transition is not None else transitions
            return trace.lines(trace.build(self.system, found.world, start, taken, ""))
        return ()

    def last_words(self) -> AbstractContextManager[None]:
        """Within, what was found is written down, though a limit be reached."""
        return watched_by(self.meter.last_words())


class PropertyWatch:
    """The observer of one world's exploration. Keeps the first violation of each property, which is the shortest."""

    def __init__(self, worker: Worker, found: Exploration, order: int) -> None:
        self.worker, self.found, self.order = worker, found, order
        self.first: dict[str, tuple[int, Transition | None, str]] = {}
        self.always = list(worker.always)
        self.steps = list(worker.steps)
        self.ends = list(worker.ends)
        self.taken: list[
            tuple[int, Outcome, bool]
        ] = []  # where messages are counted: where, what, whether it changes the state

    def on_state(self, number: int, state: State) -> None:
        self._check(self.always, number, None, state)

    def on_step(self, source: int, before: State, transition: Transition) -> None:
        if self.worker.census is not None:
            self.taken.append((source, transition.outcome, transition.after != before))
        if self.steps and transition.after is not None:
            self._check(self.steps, source, transition, before, transition.after)

    def on_terminal(self, number: int, state: State) -> None:
        self._check(self.ends, number, None, state)

    def on_failure(self, source: int, transition: Transition) -> None:
        failure = transition.outcome.failure
        assert failure is not None
        self.worker.findings.failed = True
        self.first.setdefault(FAILURES[failure.kind], (source, transition, failure.sentence))

    def _check(self, monitors: list[Monitor], number: int, transition: Transition | None, *states: State) -> None:
        for monitor in tuple(monitors):
            try:
                holds = monitor.holds(*states)
            except StepError as error:
                error.trace = error.trace or self.worker.steps_to(self.found, number, transition)
                raise
            if not holds:
                monitors.remove(monitor)
                self._note(monitor, number, transition)

    def claims(self) -> MonitorPredicates:
        """The same properties as the compiled engine wants them told."""
        return MonitorPredicates(self.worker.system, self.found, self.always, self.steps, self._note, self.on_failure)

    def _note(self, monitor: Monitor, number: int, transition: Transition | None) -> None:
        self.first[monitor.property.name] = (number, transition, "")

    def look_at_terminals(self) -> None:
        """Checks the terminal states an engine has found, if it did not tell of them one by one."""
        if self.ends:
            for number in self.found.terminals:
                self.on_terminal(int(number), self.found.states[int(number)])

    def settle(self) -> None:
        """Hands on what was found, as runs, though a limit be reached."""
        first, self.first = self.first, {}
        with suppress(StoppedError), self.worker.last_words():
            self._keep(first)

    def _keep(self, first: dict[str, tuple[int, Transition | None, str]]) -> None:
        findings, world = self.worker.findings, self.found.world
        for name, (number, transition, reason) in first.items():
            if number < 0:  # a starting step failed
                start = self.found.starts[-1 - number]
                findings.keep(findings.violations, name, world, self.order, start, (), reason)
                continue
            length = self.found.depths[number] + (transition is not None)
            if findings.violations.wants(name, length, self.order):
                start, transitions = self.found.path(self.worker.system, number)
                if transition is not None:
                    transitions = [*transitions, transition]
                findings.keep(findings.violations, name, world, self.order, start, transitions, reason)
