"""Searching worlds for violations: properties watch an engine explore, and the shortest counterexample of each is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from ..errors import ReplayError, StepError
from ..explore import reference
from ..explore.exploration import Exploration, Meter, UnsupportedError
from ..language.properties import Because, Property
from ..semantics.components import State
from ..semantics.purity import Outside
from ..semantics.system import Start, System, Transition
from ..semantics.worlds import World, Worlds
from . import trace
from .claims import MonitorClaims
from .liveness import InterruptedAnalysis, Lasso, endless_runs, restrict
from .result import Tally
from .trace import Trace
from .view import Monitor

if TYPE_CHECKING:
    from ..explore.compiled import Worker

Engine = Literal["auto", "compiled", "reference"]
ENGINES: tuple[Engine, ...] = ("auto", "compiled", "reference")
PATIENCE = 20_000  # states the reference engine explores before the compiled one, slower to start, is worth it

# What is checked in every run, whatever the specification: name, kind, claim.
ALWAYS_CHECKED = (
    ("assertions", "assert", "No assertion in a step fails."),
    ("no_exceptions", "exception", "No step raises an exception."),
    (
        "every_message_is_received",
        "unspecified reception",
        "For every message that arrives there is a step that receives it.",
    ),
)
_FAILURES = {kind: name for name, kind, _ in ALWAYS_CHECKED}


class Search:
    """Explores worlds, one after another, and keeps what is found.

    `violations` and `improbable` map property names to the least trace by (length, order of worlds).
    """

    def __init__(self, system: System, properties: Sequence[Property], meter: Meter, engine: Engine = "auto") -> None:
        self.system, self.properties, self.meter, self.engine = system, tuple(properties), meter, engine
        self._worker: Worker | None = None
        self.violations: dict[str, Trace] = {}
        self.improbable: dict[str, Trace] = {}
        self.monitors = {p.name: Monitor(p, system) for p in self.properties if p.kind != "terminates"}
        self._always = [self.monitors[p.name] for p in self.properties if p.kind == "always"]
        self._steps = [self.monitors[p.name] for p in self.properties if p.kind == "every step"]
        self._ends = [self.monitors[p.name] for p in self.properties if p.kind == "at the end"]
        self._lively = [p for p in self.properties if p.kind in ("eventually", "terminates")]
        self.outside = Outside(system.definition)
        self.failed = False  # some step failed: runs end there
        self.worlds_complete = True

    def run(self, worlds: Worlds, tally: Tally) -> None:
        """Explores each world and adds to the tally, until done or until the meter says stop.

        Raises StepError where the model's code breaks a rule of the language, or remembers something outside the state.
        """
        self._run(worlds, tally)
        self.outside.check()

    def _run(self, worlds: Worlds, tally: Tally) -> None:
        for world in worlds:
            if self.meter.stop():
                self.worlds_complete = False
                return
            self._explore(world, worlds.symmetric, tally)
            if self.meter.reached:
                self.worlds_complete = False
                return

    def _explore(self, world: World, symmetric: bool, tally: Tally) -> None:
        found = Exploration(world)
        watch = _Watch(self, found)
        for monitor in self.monitors.values():
            monitor.enter(world, symmetric)
        try:
            if self.engine == "auto" and self.meter.earlier_states <= PATIENCE:
                reference.explore(self.system, found, watch, self.meter, PATIENCE)
            if self.engine == "reference":
                reference.explore(self.system, found, watch, self.meter)
            elif not found.complete and not self.meter.reached:
                found, watch = self._explore_compiled(world)
            watch.settle()
            if found.complete:
                self._check_liveness(found)
        except StepError as error:
            expanded = len(found.first) - 1
            error.trace = error.trace or self.steps_to(found, expanded, None)
            raise
        except InterruptedAnalysis:
            found.complete = False
        finally:
            watch.settle()
            tally.states += len(found.states)
            tally.transitions += found.transitions
            tally.terminal_states += len(found.terminals)
            tally.depth = max(tally.depth, found.depths[len(found.states) - 1] if found.states else 0)
            self.meter.earlier_states += len(found.states)
            self.meter.transitions += found.transitions
        if found.complete:
            tally.worlds += 1
            tally.represented += world.weight
            self.meter.represented += world.weight

    def _explore_compiled(self, world: World) -> tuple[Exploration, _Watch]:
        """The same by the compiled engine; where that cannot tell, by the reference engine after all."""
        found = Exploration(world)
        watch = _Watch(self, found)
        try:
            self._compiled_worker(world.n).explore(found, watch.claims(), self.meter, bool(self._lively))
            watch.look_at_terminals()
        except (UnsupportedError, StepError):  # for an error the reference engine finds the steps that lead to it
            found = Exploration(world)
            watch = _Watch(self, found)
            reference.explore(self.system, found, watch, self.meter)
        return found, watch

    def _compiled_worker(self, n: int) -> Worker:
        from ..explore.compiled import Worker  # Numba takes a while to import, and small runs do without it
        from ..explore.tables import Tables

        if self._worker is None or self._worker.tables.ports < n + 2:
            self._worker = Worker(self.system, Tables(self.system, n + 2))
        return self._worker

    # --- liveness

    def _check_liveness(self, found: Exploration) -> None:
        for prop in self._lively:
            part = found
            if prop.kind == "eventually":
                monitor = self.monitors[prop.name]
                part = restrict(found, lambda number: not monitor.holds(found.states[number]))  # noqa: B023 (called at once)
                if part.terminals:
                    ends = min(part.terminals, key=lambda number: (part.depths[number], number))
                    start, transitions = part.path(self.system, ends)
                    self.report(prop.name, part.world, start, transitions, "The run ends and it has never held.")
            if part.states:
                self._check_cycles(prop, part)

    def _check_cycles(self, prop: Property, part: Exploration) -> None:
        analysis = endless_runs(self.system, part, self.meter)
        goal = "ends" if prop.kind == "terminates" else "reaches a state where it holds"
        if analysis.violation:
            self._report_lasso(
                prop, part, analysis.violation, f"A fair run repeats for ever and never {goal}.", self.violations
            )
        if analysis.improbable:
            sentence = f"A run that is unlucky in every draw never {goal}; it has probability 0."
            self._report_lasso(prop, part, analysis.improbable, sentence, self.improbable)

    def _report_lasso(
        self, prop: Property, part: Exploration, lasso: Lasso, sentence: str, book: dict[str, Trace]
    ) -> None:
        start, stem = part.path(self.system, lasso.entry)
        self._keep(prop.name, part.world, start, (*stem, *lasso.loop), sentence, book, len(stem))

    # --- keeping the shortest

    def shorter(self, name: str, length: int) -> bool:
        """Whether a violation of this length would be the shortest known."""
        return name not in self.violations or length < self.violations[name].length

    def report(self, name: str, world: World, start: Start, transitions: Sequence[Transition], reason: str) -> None:
        """Keeps this run as the counterexample to the property, if none is as short."""
        self._keep(name, world, start, transitions, reason, self.violations)

    def _keep(
        self,
        name: str,
        world: World,
        start: Start,
        transitions: Sequence[Transition],
        reason: str,
        book: dict[str, Trace],
        loop: int | None = None,
    ) -> None:
        if name in book and book[name].length <= len(transitions):
            return
        last = trace.replay(self.system, world, start, transitions)
        prop = next((p for p in self.properties if p.name == name), None)
        if prop is not None and prop.kind in ("always", "every step", "at the end"):
            reason = self._confirmed(prop, world, last, start, transitions)
        if loop is not None:
            entry = trace.replay(self.system, world, start, transitions[:loop])
            if trace.values(entry) != trace.values(last):
                raise ReplayError("the loop of the counterexample does not return to where it began")
        book[name] = trace.build(self.system, world, start, transitions, reason, loop)

    def _confirmed(
        self, prop: Property, world: World, last: State, start: Start, transitions: Sequence[Transition]
    ) -> str:
        """Why the property fails at the end of the replayed run. Raises ReplayError if it does not."""
        states: tuple[State, ...] = (last,)
        if prop.kind == "every step":
            states = (trace.replay(self.system, world, start, transitions[:-1]), last)
        verdict = trace.confirm(self.system, world, prop, states)
        if verdict:
            raise ReplayError(f"{prop.name} holds at the end of the run that was to show its violation")
        return verdict.sentence if isinstance(verdict, Because) else f"It is not so here: {prop.claim}"

    def steps_to(self, found: Exploration, number: int, transition: Transition | None) -> tuple[str, ...]:
        """The steps that lead to a state, and perhaps one out of it, for the report of a model's error."""
        if not 0 <= number < len(found.states):
            return ()
        start, transitions = found.path(self.system, number)
        taken = [*transitions, transition] if transition is not None else transitions
        steps = trace.build(self.system, found.world, start, taken, "").steps
        return (
            str(found.world),
            *(f"{step.process} {step.step}" + (f" {step.received}" if step.received else "") for step in steps),
        )


class _Watch:
    """The observer of one world's exploration. Keeps the first violation of each property, which is the shortest."""

    def __init__(self, search: Search, found: Exploration) -> None:
        self.search, self.found = search, found
        self.first: dict[str, tuple[int, Transition | None, str]] = {}
        self.always = list(search._always)
        self.steps = list(search._steps)
        self.ends = list(search._ends)

    def on_state(self, number: int, state: State) -> None:
        self._check(self.always, number, None, state)

    def on_step(self, source: int, before: State, transition: Transition) -> None:
        if self.steps and transition.after is not None:
            self._check(self.steps, source, transition, before, transition.after)

    def on_terminal(self, number: int, state: State) -> None:
        self._check(self.ends, number, None, state)

    def on_failure(self, source: int, transition: Transition) -> None:
        failure = transition.outcome.failure
        assert failure is not None
        self.search.failed = True
        self.first.setdefault(_FAILURES[failure.kind], (source, transition, failure.sentence))

    def _check(self, monitors: list[Monitor], number: int, transition: Transition | None, *states: State) -> None:
        for monitor in tuple(monitors):
            try:
                holds = monitor.holds(*states)
            except StepError as error:
                error.trace = error.trace or self.search.steps_to(self.found, number, transition)
                raise
            if not holds:
                monitors.remove(monitor)
                self._note(monitor, number, transition)

    def claims(self) -> MonitorClaims:
        """The same properties as the compiled engine wants them told."""
        return MonitorClaims(self.search.system, self.found, self.always, self.steps, self._note, self.on_failure)

    def _note(self, monitor: Monitor, number: int, transition: Transition | None) -> None:
        self.first[monitor.property.name] = (number, transition, "")

    def look_at_terminals(self) -> None:
        """Checks the terminal states an engine has found, if it did not tell of them one by one."""
        if self.ends:
            for number in self.found.terminals:
                self.on_terminal(int(number), self.found.states[int(number)])

    def settle(self) -> None:
        """Hands what was found to the search, as runs."""
        first, self.first = self.first, {}
        for name, (number, transition, reason) in first.items():
            if number < 0:  # a starting step failed
                self.search.report(name, self.found.world, self.found.starts[-1 - number], (), reason)
                continue
            length = self.found.depths[number] + (transition is not None)
            if self.search.shorter(name, length):
                start, transitions = self.found.path(self.search.system, number)
                if transition is not None:
                    transitions = [*transitions, transition]
                self.search.report(name, self.found.world, start, transitions, reason)
