"""`expect`: what to expect of a protocol that draws, for each size, and whether the model's own formulas agree.

Worlds are explored as for `messages`, and each is made a Markov decision process of its own. Over the worlds of a size there are a
least and a greatest value, and two means over the assignments that they stand for, of the least values and of the greatest.

A formula for what is expected ("expected messages of Token") agrees where every scheduler comes to its value, in the mean over
the assignments; one for "least expected" or "greatest expected" speaks of that extreme over all worlds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Unpack

import numpy as np

from ..check.checker import cores, failed, not_begun, search_worlds
from ..check.counting import stated_elsewhere
from ..check.request import Asked, Request, read_request, usual_limits
from ..check.worker import Engine
from ..count.census import Census, Kind, variables
from ..count.extremes import TOTAL, Columns, Values
from ..count.ranges import Range
from ..errors import AssumptionError, ModelError, ReplayError, UsageError, nearest
from ..explore.exploration import Exploration
from ..explore.limits import Limits, Meter
from ..language.formulas import Formula, Number, UndefinedError, close
from ..language.process import Process
from ..properties.everywhere import holds_in
from ..properties.monitor import Monitor
from ..pulse import StoppedError, watched_by
from ..runs import trace
from ..runs.trace import Trace
from ..semantics.lockstep import system_for
from ..semantics.outcomes import Outcome
from ..semantics.system import System
from .building import lotteries
from .decisions import Array
from .endless import endless
from .expectations import expected
from .result import Expectation, ExpectResult, Extent, JudgedExpectation
from .values import ROUNDS, STEPS, of_type

ENGINES: tuple[Engine, ...] = ("auto", "compiled", "reference")


def expect(
    model: str | type[Process],
    *,
    until: str | None = None,
    engine: Engine = "auto",
    workers: int | None = None,
    limits: Limits | None = None,
    progress: Callable[[Meter], None] | None = None,
    meter: Meter | None = None,
    **asked: Unpack[Asked],
) -> ExpectResult:
    """Computes what is to be expected of a protocol, with the arguments of `check`. With `until`, the name of a property, runs go on until it
    holds and not until their end.

    Raises UsageError for what does not exist or make sense.
    """
    if engine not in ENGINES:
        raise UsageError(f"there is no engine {engine!r} for what is expected; {nearest(engine, ENGINES)}")
    if asked.get("reduce", "auto") not in ("auto", "none"):
        raise UsageError("what is expected is computed of all steps in every order: leave out the reduction")
    began = time.monotonic()
    meter = meter or Meter(limits or usual_limits(), progress)
    name, symmetry = model if isinstance(model, str) else model.__name__, asked.get("symmetry", True)
    try:
        with watched_by(meter):
            whole = read_request(model, **asked)
    except (ModelError, AssumptionError) as error:
        return ExpectResult(search=failed(name, error, None, time.monotonic() - began, symmetry))
    except StoppedError:
        return ExpectResult(search=not_begun(name, meter, None, time.monotonic() - began, symmetry))
    if until is not None:
        _check_until(until, whole)
    request = replace(whole, properties=(), reduce="none")
    lockstep = request.settings.schedule == "lockstep"
    if lockstep and engine == "compiled":
        raise UsageError("only the reference engine goes in lock-step: leave out --engine")
    if lockstep and request.settings.crashes:
        raise UsageError(
            "what is expected in lock-step is computed without crashes: leave out --crashes, or take --schedule any"
        )
    census = _Weighing(whole, until)
    result = search_worlds(
        request, "reference" if lockstep else engine, workers or cores(), meter, began, census=census
    )
    result = replace(result, request=replace(whole, properties=()))
    sizes = () if result.error is not None or result.verdict != "HOLDS" else tuple(census.found.values())
    for size in sizes:
        _add_rounds(size, whole)
    formulas = [formula for formula in whole.model.definition.formulas if formula.of_chance]
    judged = [one for formula in formulas for size in sizes for one in judge(formula, size, whole, until)]
    return ExpectResult(search=result, sizes=sizes, judged=tuple(judged), traces=_traces(whole, sizes), until=until)


def _check_until(until: str, whole: Request) -> None:
    kinds = {prop.name: prop.kind for prop in whole.properties}
    names = [name for name, kind in kinds.items() if kind in ("eventually", "always")]
    if until in kinds and until not in names:
        raise UsageError(
            f"{until} is claimed {kinds[until]!r}, and runs can go on until what is claimed 'eventually' or 'always': "
            "state it with @eventually"
        )
    if until not in names:
        raise UsageError(
            f"no property of states called {until!r} is claimed of {whole.model.name}; {nearest(until, names)}"
        )


class _Weighing(Census):
    """A census that makes of every world that was explored a decision process."""

    def __init__(self, request: Request, until: str | None) -> None:
        super().__init__(request.model.definition, request.settings, only_total=True)
        self.columns = Columns.of(request.model.definition)  # rounds of its own are counted here, in lock-step or not
        self.found: dict[int, Expectation] = {}
        self._request, self._until = request, until

    def add_counted(self, *_: object) -> Range | None:
        """Worlds are explored one by one: of those explored at once transitions are not kept."""
        return None

    def add(self, system: System, found: Exploration, order: int, values: Iterable[Values]) -> Range | None:
        """Takes in a world that was explored to its end."""
        goal = None if self._until is None else self._holding(system, found, [self._until])
        chances = lotteries(system, found, self.columns, goal)
        if chances is None:
            return None
        well = self._well(system, found) if goal is None else goal
        weighed = expected(chances, self.columns.names, well)
        runs = {}
        for name, seed in weighed.endless.items():
            known = self.found.get(found.world.n)
            if known is None or name not in known.endless or known.endless[name].order > order:
                counts = self._counting(name)
                runs[name] = endless(system, found, chances.decisions, seed, order, counts)
        kind, weight = self.kind_of(found.world), found.world.weight
        with self._lock:
            size = self.found.setdefault(found.world.n, Expectation(found.world.n))
            spreads = {name: Extent.of(quantity, weight) for name, quantity in weighed.quantities.items()}
            known_spreads = size.kinds.get(kind)
            if known_spreads is not None:
                spreads = {name: known_spreads[name].and_of(spread) for name, spread in spreads.items()}
            size.kinds[kind] = spreads
            size.curves.append(weighed.distribution)
            for name, run in runs.items():
                if name not in size.endless or run.order < size.endless[name].order:
                    size.endless[name] = run
        return None

    def _counting(self, name: str) -> Callable[[Outcome], bool]:
        """Which steps count for a quantity."""
        if name == STEPS:
            return lambda _: True
        column = next(place for place, own in enumerate(self.columns.names) if of_type(own) == name)
        return lambda outcome: self.columns.sent(outcome)[column] > 0

    def _holding(self, system: System, found: Exploration, names: Iterable[str]) -> Array:
        """The mask of the states in which these properties hold."""
        holds = np.ones(len(found.states), np.bool_)
        for prop in self._request.properties:
            if prop.name in names:
                monitor = Monitor(prop, system)
                monitor.enter(found.world, self._request.policy.symmetry, found.group)
                holds &= holds_in(monitor, found)
        return holds

    def _well(self, system: System, found: Exploration) -> Array:
        """The mask of the terminal states in which all holds that must hold in a state or at the end."""
        holds = np.zeros(len(found.states), np.bool_)
        ends = np.asarray(found.terminals, np.int64)
        monitors = [Monitor(p, system) for p in self._request.properties if p.kind in ("always", "at the end")]
        for monitor in monitors:
            monitor.enter(found.world, self._request.policy.symmetry, found.group)
        holds[ends] = [all(monitor.holds(found.states[int(end)]) for monitor in monitors) for end in ends]
        return holds


def _traces(request: Request, sizes: Iterable[Expectation]) -> dict[tuple[int, str], Trace]:
    """The runs that keep going, each replayed."""
    system = system_for(request.model.definition, request.settings)
    found = {}
    for size in sizes:
        for name, run in size.endless.items():
            last = trace.replay(system, run.world, run.start, run.transitions)
            if trace.values(last) != trace.values(
                trace.replay(system, run.world, run.start, run.transitions[: run.loop])
            ):
                raise ReplayError("the run that keeps going does not return to where it began")
            sentence = f"A scheduler may go on like this for ever: the greatest expected number of {name} is infinite."
            found[size.n, name] = trace.build(system, run.world, run.start, run.transitions, sentence, run.loop)
    return found


# --- formulas ----------------------------------------------------------------------------------------------------------


def _values(size: Expectation, kind: Kind, request: Request) -> dict[str, int]:
    """What the letters of a formula, and the names of parameters, stand for."""
    numbers = {name: value for name, value in request.settings.parameters if type(value) is int}
    return {**variables(size.n, kind), **numbers}


def _add_rounds(size: Expectation, request: Request) -> None:
    """Rounds are counted by the messages that each of them has, where the model says so."""
    for formula in request.model.definition.formulas:
        if formula.word != "each round" or stated_elsewhere(formula, request):
            continue
        for kind, spreads in size.kinds.items():
            try:
                value = formula.value(_values(size, kind, request))
            except UndefinedError:
                return
            if not isinstance(value, Fraction) or value <= 0:  # as on a ring of one, where nothing is sent
                return
            spreads[ROUNDS] = spreads[of_type(formula.message or TOTAL)].times(1 / value)


def judge(formula: Formula, size: Expectation, request: Request, until: str | None) -> list[JudgedExpectation]:
    """What a formula says of the worlds of one size, those for which it has the same value together."""
    name = formula.quantity
    if formula.word == "each round":
        return []
    if name not in size.names:
        return [JudgedExpectation(size.n, formula, None, None, None, "the model does not say what a round is")]
    elsewhere = stated_elsewhere(formula, request, until=until)
    groups: dict[Number | None, list[Kind]] = {}
    try:
        for kind in sorted(size.kinds):
            groups.setdefault(formula.value(_values(size, kind, request)), []).append(kind)
    except (UndefinedError, KeyError) as error:
        note = elsewhere or f"has no value: {error}"
        return [JudgedExpectation(size.n, formula, None, size.over(name), None, note)]
    found = []
    for value, kinds in groups.items():
        spread = size.over(name, kinds)
        agrees = None if elsewhere or value is None else _agrees(formula, value, spread)
        note = elsewhere or ("" if agrees is not None else "known only between bounds")
        found.append(JudgedExpectation(size.n, formula, value, spread, agrees, note))
    return found


def _agrees(formula: Formula, value: Number, spread: Extent) -> bool | None:
    """Whether it is what is to be expected; None where that is not known well enough."""
    if formula.word.startswith("least"):
        wanted = [spread.least]
    elif formula.word.startswith("greatest"):
        wanted = [spread.greatest]
    else:
        wanted = [spread.mean_least, spread.mean_greatest]
    if any(one.infinite for one in wanted):
        return False
    if all(one.exact is not None for one in wanted):
        return all(close(value, one.exact) for one in wanted if one.exact is not None)
    outside = any(value < one.low or value > one.high for one in wanted if one.low is not None and one.high is not None)
    return False if outside else None
