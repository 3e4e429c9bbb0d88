"""`count_messages`: exact numbers of messages for each size, and whether the model's own formulas agree with them.

A formula without conditions speaks of all processes starting simultaneously, without faults, under the model's default
parameters, over all assignments. A condition such as `swallow=true` replaces a default, and `swallow=any` leaves it open; any other condition is for people, and such a
formula is shown and not judged.

    best, worst    the least and the greatest number, over all worlds for which the formula has one value
    mean           the mean over their assignments. Where schedules differ in one world there are two means, of the least and of the
                   greatest numbers, and the formula agrees if it lies between them
    exactly        in every world every run sends as many
    at least       no run sends fewer       at most    no run sends more       about    not judged
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from typing import ClassVar, Unpack

from ..count.census import Census, Count, Extreme, variables
from ..count.extremes import ROUNDS, TOTAL
from ..count.ranges import Amount, Range
from ..errors import AssumptionError, ModelError, ReplayError
from ..explore.limits import Limits, Meter
from ..language.definition import spelled
from ..language.formulas import Formula, Number, UndefinedError, close, less
from ..language.process import Process
from ..pulse import StoppedError, watched_by
from ..runs import trace
from ..runs.trace import Trace
from ..semantics.lockstep import system_for
from ..semantics.system import System
from .by_sets.refusing import alone
from .checker import Elsewhere, cores, failed, gathered, not_begun, search_worlds
from .parts import in_plain_data
from .request import Circumstances, Request, read_request, usual_limits
from .result import Judged, Judging
from .search import check_engine, engine_for
from .worker import Engine

SHOWN = {"best": "least", "least": "least", "worst": "greatest", "greatest": "greatest"}


JudgedCount = Judged[Range]


@dataclass(frozen=True, kw_only=True)
class MessagesResult(Judging[Range]):
    """What was counted. `traces` are the runs that attain "least" and "greatest" in total, by size."""

    DONE: ClassVar[str] = "every run was counted"
    DISAGREES: ClassVar[str] = "a formula of the model disagrees with what was counted"

    counts: tuple[Count, ...] = ()
    formulas: tuple[Formula, ...] = ()
    traces: dict[tuple[int, str], Trace] = field(default_factory=dict)
    start: str = "any"


def count_messages(
    model: str | type[Process],
    *,
    engine: Engine = "auto",
    workers: int | None = None,
    limits: Limits | None = None,
    progress: Callable[[Meter], None] | None = None,
    meter: Meter | None = None,
    elsewhere: Elsewhere | None = None,
    **circumstances: Unpack[Circumstances],
) -> MessagesResult:
    """Counts the messages of every run of a protocol, with the arguments of `check`. Properties are not looked at. With `elsewhere` others
    explore the worlds.

    Raises UsageError for what does not exist or make sense.
    """
    check_engine(engine)
    if engine == "sets":
        alone(elsewhere is not None, circumstances)
    began = time.monotonic()
    meter = meter or Meter(limits or usual_limits(), progress)
    arguments = in_plain_data(model, circumstances) if elsewhere is not None else {}
    name, symmetry = model if isinstance(model, str) else model.__name__, circumstances.get("symmetry", True)
    try:
        with watched_by(meter):
            request = replace(read_request(model, **circumstances), properties=())
            engine = engine_for(engine, request.settings)
    except (ModelError, AssumptionError) as error:
        return MessagesResult(search=failed(name, error, None, time.monotonic() - began, symmetry))
    except StoppedError:
        return MessagesResult(search=not_begun(name, meter, None, time.monotonic() - began, symmetry))
    census = Census(request.model.definition, request.settings)
    if elsewhere is not None:
        result = gathered(elsewhere, request, arguments, engine, meter, began, census=census)
    else:
        result = search_worlds(request, engine, workers or cores(), meter, began, census=census)
    counts = () if result.error is not None else tuple(census.counts[n] for n in result.messages)
    formulas = tuple(formula for formula in request.model.definition.formulas if not formula.of_chance)
    judged = [one for formula in formulas for count in counts for one in judge_formula(formula, count, request)]
    return MessagesResult(
        search=result,
        counts=counts,
        formulas=formulas,
        judged=tuple(judged),
        traces=_traces(request, counts),
        start=request.settings.start,
    )


# --- runs --------------------------------------------------------------------------------------------------------------


def _traces(request: Request, counts: Iterable[Count]) -> dict[tuple[int, str], Trace]:
    """The runs that attain the extremes of the total, each replayed."""
    system = system_for(request.model.definition, request.settings)
    return {
        (count.n, which): _trace(system, extreme, which)
        for count in counts
        for (column, which), extreme in count.extremes.items()
        if column == 0
    }


def _trace(system: System, extreme: Extreme, which: str) -> Trace:
    last = trace.replay(system, extreme.world, extreme.start, extreme.transitions)
    if extreme.loop is not None:
        entry = trace.replay(system, extreme.world, extreme.start, extreme.transitions[: extreme.loop])
        if trace.values(entry) != trace.values(last):
            raise ReplayError("the cycle that sends does not return to where it began")
    amount = "without bound" if extreme.amount == math.inf else f"{extreme.amount:,}"
    sentence = f"The {which} number of messages: {amount}."
    found = trace.build(
        system, extreme.world, extreme.start, extreme.transitions, sentence, extreme.loop, final=extreme.loop is None
    )
    sent = sum(len(step.sent) for step in (*found.starts, *found.steps))
    if extreme.loop is None and sent != extreme.amount:
        raise ReplayError(f"the run that was to send {extreme.amount} messages sends {sent}")
    return found


# --- formulas ----------------------------------------------------------------------------------------------------------


def judge_formula(formula: Formula, count: Count, request: Request) -> list[JudgedCount]:
    """What a formula says of the worlds of one size, those for which it has the same value together."""
    elsewhere = stated_elsewhere(formula, request)
    if formula.message == ROUNDS and ROUNDS not in count.names:
        return [Judged(count.n, formula, None, Range(), None, elsewhere)]
    column = count.names.index(formula.message or TOTAL)
    parameters = {name: value for name, value in request.settings.parameters if type(value) is int}
    if not formula.variables <= {"n", "m", "d", "k", *parameters} or any("=" not in c for c in formula.conditions):
        return [Judged(count.n, formula, None, count.over(column), None, elsewhere)]
    groups: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    for kind in sorted(count.ranges):
        values = {**variables(count.n, kind), **parameters}
        groups.setdefault(tuple(values[name] for name in sorted(formula.variables)), []).append(kind)
    found = []
    for kinds in groups.values():
        counted = count.over(column, kinds)
        try:
            value = formula.value({**variables(count.n, kinds[0]), **parameters})
        except UndefinedError as error:
            found.append(Judged(count.n, formula, None, counted, None, f"has no value: {error}"))
            continue
        if formula.word == "about":
            found.append(Judged(count.n, formula, value, counted, None, elsewhere or "an estimate, not judged"))
        elif elsewhere:
            found.append(Judged(count.n, formula, value, counted, None, elsewhere))
        else:
            found.append(Judged(count.n, formula, value, counted, agrees(formula.word, value, counted)))
    return found


def agrees(word: str, value: Number, counted: Range) -> bool:
    """Whether what was counted is what a formula says, by its word."""
    least, greatest = _number(counted.least), _number(counted.greatest)
    if word in ("best", "at least"):
        return least is not None and (close(value, least) if word == "best" else not less(least, value))
    if word in ("worst", "at most"):
        return greatest is not None and (close(value, greatest) if word == "worst" else not less(value, greatest))
    if word == "exactly":
        return least is not None and greatest is not None and close(value, least) and close(value, greatest)
    low, high = counted.mean_least, counted.mean_greatest
    return low is not None and not less(value, low) and (high is None or not less(high, value))


def _number(amount: Amount) -> Fraction | None:
    return None if amount == math.inf else Fraction(int(amount))


def stated_elsewhere(formula: Formula, request: Request, *, until: str | None = None) -> str:
    """Why a formula does not speak of this run; nothing where it does. `until` is the property that runs go on to."""
    definition, settings, policy = request.model.definition, request.settings, request.policy
    chosen = dict(settings.parameters)
    conditions = dict(condition.partition("=")[::2] for condition in formula.conditions if "=" in condition)
    by_default = "lockstep" if formula.message == ROUNDS else definition.schedule
    circumstances = {"schedule": (by_default, settings.schedule), "until": ("the end", until or "the end")}
    for name, (default, value) in circumstances.items():
        wanted = conditions.get(name, default).strip()
        anyhow = formula.anyhow or (wanted == "any" and formula.word in ("exactly", "at least", "at most"))
        if wanted != value and not (name == "schedule" and anyhow):
            return f"stated for {name}={wanted}"
    for condition in formula.conditions:
        name = condition.partition("=")[0].strip()
        if name in circumstances:
            continue
        if name not in chosen or "=" not in condition:
            return f"stated for {', '.join(formula.conditions)}"
    for name, value in chosen.items():
        wanted = conditions.get(name, spelled(definition.parameters[name].default)).strip()
        if wanted not in ("any", spelled(value)) and name not in formula.variables:
            return f"stated for {name}={wanted}"
    if (
        settings.start != "simultaneous"
        and settings.schedule != "lockstep"
        and not formula.anyhow
        and any(step.kind == "initiate" for step in definition.steps)
    ):
        return "stated for a simultaneous start"
    if any(settings.budgets().values()):
        return "stated for runs without faults"
    if request.broken:
        return "stated under the model's assumptions"
    if policy.initiators != "all" and "k" not in formula.variables:
        return "stated for all processes starting"
    if formula.word in ("best", "worst", "mean") or formula.of_chance:
        if policy.identifiers != definition.identifiers:
            return "stated over all assignments"
        if request.given and not formula.variables & {"m", "d"} and not _only_graph(request):
            return "stated over all graphs of a size"
    return ""


def _only_graph(request: Request) -> bool:
    """Whether the model's topology has one graph of each size."""
    return all(len(list(islice(request.model.definition.topologies[0].shapes(n), 2))) == 1 for n in request.sizes)
