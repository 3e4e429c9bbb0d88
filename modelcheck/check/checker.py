"""`check`: from what the user asked for to a result. The command line is a thin layer over this function."""

from __future__ import annotations

import linecache
import os
import time
import traceback
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Unpack

from .. import reads
from ..count.census import AFFORDABLE, Census
from ..count.tally import Tally
from ..errors import AssumptionError, ModelcheckError, ModelError, StepError, UsageError
from ..explore.growth import growth
from ..explore.limits import Limits, Meter, Stopped
from ..language.definition import Definition
from ..language.process import Process
from ..language.properties import OF_WHOLE_RUNS
from ..pulse import StoppedError, watched_by
from ..semantics.lines import step_code_lines
from ..semantics.lockstep import system_for
from ..semantics.system import Known, System
from ..witness.interpreters import prepare
from .by_sets.preferring import Effort, by_states_or_sets, could_prefer
from .by_sets.refusing import alone
from .checkpoint import Keeper, Keeping
from .comparing import compared, compared_in_full
from .knowledge import Knowledge, UnfitError
from .memory import Memory, Outlook
from .parts import Part, in_plain_data, joined
from .request import Asked, Request, read_request, usual_limits
from .result import Kept, ModelFile, Result, TakenAgain
from .search import Search, check_engine, engine_for
from .taken_again import Witness
from .verdict import Ledger, check_expectation, judge
from .worker import Engine

if TYPE_CHECKING:
    from ..explore.compiled.tables import Tables

WITHIN = "states up to the symmetry of their world"
PARTIAL_ORDER = "steps that do not meet in one order (partial order)"
WITHIN_PROCESSES = "those of one process as well"
BY_CHANCE = (
    "a step, or a property, is not a function of what it reads: a run that one process has found another does not find",
    "it uses a global variable or an object that changes",
    "use self.choose for chance; nothing else survives between processes or runs",
)


@dataclass
class Grounds:
    """What a search of some worlds leaves to a search of others of the same run: its system, the tables of the compiled engine, how much
    of what the system knows is verified, the witness, which somebody else then asks in the end, and what is foreseen, by which worlds are
    reduced: where all would have more than the `most` states. Beside that what the latest search knows of its own worlds."""

    system: System
    tables: Tables | None = None
    verified: Known = (0, 0)
    witness: Witness | None = None
    foreseen: dict[int, Outlook] = field(default_factory=dict)
    most: int | None = None
    known: Knowledge | None = None

    def verify(self, hurried: Callable[[], bool] | None = None) -> None:
        """Verifies what was not verified before. Raises StepError."""
        now = self.system.known
        if self.system.verify(self.verified, now, hurried):
            self.verified = now


@dataclass
class Gathered:
    """What others say who have explored worlds, beside what they know: what each of them found again, what they did not (`error`), and the
    first worlds, in their order, in which the model breaks a rule, with how (`failed`)."""

    taken: list[TakenAgain] = field(default_factory=list)
    error: StepError | None = None
    failed: tuple[range, StepError] | None = None


class Elsewhere(Protocol):
    """Who explores worlds in other processes, on this machine or on others (cluster/)."""

    def explore(
        self, request: Request, arguments: Mapping[str, Any], engine: Engine, meter: Meter, known: Memory, keep: Callable[[], None],
        census: Census | None = None,
    ) -> Gathered:  # fmt: skip
        """Has the worlds of the run explored that are not `known` yet, adds what is found, and calls `keep` now and then. Where there is a
        census messages are counted into it, and nothing else is looked at."""


def check(
    model: str | type[Process],
    *,
    check_symmetry: bool = False,
    check_reductions: bool = False,
    engine: Engine = "auto",
    workers: int | None = None,
    limits: Limits | None = None,
    progress: Callable[[Meter], None] | None = None,
    meter: Meter | None = None,
    checkpoint: str | Path | Keeping | None = None,
    resume: bool = False,
    part: str | None = None,
    parts: Sequence[Path] = (),
    elsewhere: Elsewhere | None = None,
    **asked: Unpack[Asked],
) -> Result:
    """Explores every run of a protocol and says whether its properties hold.

    `model` is a bundled model's name, a path, or a Process subclass; the other arguments are the options of
    `modelcheck run`. Raises UsageError for what does not exist or make sense; whatever is wrong with the model itself
    comes back as a Result with `error` set. `checkpoint` is a file that is written between worlds, from which a run that was
    stopped goes on with `resume`.

    Of `part` "2/8" every eighth world is explored, from the second on, and what is known then is kept in the checkpoint; given as `parts`
    such files make up the run. With `elsewhere` others explore the worlds.

    With `check_symmetry` everything is searched a second time without symmetry, under the same limits for both together.
    Where that comes to anything else, it is looked for in the model, and SymmetryError is raised where it is not found there. With
    `check_reductions` it is searched with partial-order reduction, and a second time without; ReductionError is raised where they differ.
    """
    if workers is not None and workers < 1:
        raise UsageError(f"a search needs at least one worker, not {workers}")
    check_engine(engine)
    _check_comparisons(check_symmetry, check_reductions, asked)
    if check_symmetry or check_reductions:  # what both searches do must not depend on how many states there are
        asked["reduce"] = "none" if check_symmetry else "order"
    expect, symmetry = asked.get("expect"), asked.get("symmetry", True)
    check_expectation(expect)
    keeping = Keeping(Path(checkpoint), resume=resume) if isinstance(checkpoint, (str, Path)) else checkpoint
    if resume and keeping is None:
        raise UsageError("resume needs the checkpoint to resume from")
    if engine == "sets":
        kept = keeping is not None and (keeping.named or keeping.resume)
        alone(check_symmetry or check_reductions or part is not None or kept or elsewhere is not None, asked)
        keeping = None  # there is nothing to go on from
    if part is not None:
        if check_symmetry or check_reductions:
            raise UsageError("what is compared with another run is explored in one part: leave out --part")
        keeping = _of_a_part(part, keeping, model, asked)
    if elsewhere is not None and (part is not None or check_symmetry or check_reductions):
        raise UsageError(
            "a cluster explores one run and all of it: leave out --part, --check-symmetry and --check-reductions"
        )
    arguments = in_plain_data(model, asked) if elsewhere is not None else {}
    began = time.monotonic()
    prepare()
    meter = meter or Meter(limits or usual_limits(), progress)
    name = model if isinstance(model, str) else model.__name__
    if keeping is not None or parts or elsewhere is not None:
        reads.begin()
    try:
        with watched_by(meter):
            request = replace(read_request(model, **asked), part=part)
            engine = engine_for(engine, request.settings)
    except (ModelError, AssumptionError) as error:
        return failed(name, error, expect, time.monotonic() - began, symmetry)
    except StoppedError:
        return not_begun(name, meter, expect, time.monotonic() - began, symmetry)
    if parts:
        earlier = joined(parts, request)
        states = sum(tally.states for tally in earlier.done.sizes.values())  # which no limit kept from being explored
        meter.limits = replace(meter.limits, max_states=max(meter.limits.max_states, states))
        return search_worlds(request, engine, 1, meter, began, census=in_passing(request), earlier=earlier)
    keeper = None if keeping is None else Keeper(keeping, request)
    if elsewhere is not None:
        return gathered(elsewhere, request, arguments, engine, meter, began, keeper)
    workers = workers or cores()
    if not (check_symmetry or check_reductions):

        def searched(engine: Engine, **how: Any) -> Result:
            kept = None if engine == "sets" else keeper
            if kept is None and keeper is not None:
                keeper.remove()  # there is nothing to go on from
            return search_worlds(request, engine, workers, meter, began, kept, in_passing(request), **how)

        named = keeping is not None and (keeping.named or keeping.resume)
        return by_states_or_sets(searched, meter) if engine == "auto" and not named else searched(engine)
    result = again = search_worlds(request, engine, workers, meter, began, keeper, in_passing(request))
    if not (result.stopped or result.error):
        plain = replace(request, policy=replace(request.policy, symmetry=False))
        plain = replace(request, reduce="none") if check_reductions else plain
        again = search_worlds(plain, engine, workers, meter, time.monotonic(), census=in_passing(plain))
    if check_reductions:
        return compared_in_full(result, again)

    def closely() -> Result:
        own = Meter(meter.limits, progress)
        return search_worlds(request, engine, workers, own, time.monotonic(), thorough=True)

    return compared(result, again, closely)


def _check_comparisons(of_symmetry: bool, of_reductions: bool, asked: Asked) -> None:
    """Raises UsageError where a run is to be compared with one that is no other, or not to be compared with."""
    if of_symmetry and not asked.get("symmetry", True):
        raise UsageError("--check-symmetry compares with a run without symmetry: leave out --no-symmetry")
    if of_reductions and asked.get("reduce") == "none":
        raise UsageError("--check-reductions compares with a run without reduction: leave out --reduce")
    if of_symmetry and (of_reductions or asked.get("reduce") == "order"):
        raise UsageError("--check-symmetry compares the states of whole worlds: leave out the reduction")


def _of_a_part(part: str, keeping: Keeping | None, model: str | type[Process], asked: Asked) -> Keeping:
    """Where to keep what is known of a part, together with what was asked for."""
    Part.read(part)
    if keeping is None or not keeping.named:
        raise UsageError("--part is of no use without --checkpoint FILE, which is to be joined with the others")
    return replace(keeping, arguments=in_plain_data(model, asked))


def gathered(
    elsewhere: Elsewhere, request: Request, arguments: Mapping[str, Any], engine: Engine, meter: Meter, began: float,
    keeper: Keeper | None = None, census: Census | None = None,
) -> Result:  # fmt: skip
    """The result of a run whose worlds others explore: put together here, where counterexamples are taken again step by step. Where there is
    a census that is what they count messages for."""
    known = Memory() if keeper is None else keeper.open()
    counts = known.done.sizes.values()
    meter.resume(sum(tally.states for tally in counts), sum(tally.transitions for tally in counts), known.seconds)
    resumes = known.done.worlds > 0

    def keep() -> None:
        if keeper is not None and keeper.due and keeper.wants(known.done):
            since = time.monotonic()
            keeper.write(known)
            keeper.rest(since)

    found = Gathered()
    try:
        with watched_by(meter), suppress(StoppedError):
            found = elsewhere.explore(request, arguments, engine, meter, known, keep, census)
    except KeyboardInterrupt:
        meter.reached = meter.reached or meter.interruption
    census = census or in_passing(request)

    def broken(error: StepError) -> Result:
        return failed(request.reference, error, request.expected, time.monotonic() - began, request.policy.symmetry)

    if found.error is not None:
        return broken(found.error)
    if found.failed is None:
        try:
            result = search_worlds(request, engine, 1, meter, began, keeper, census, earlier=known)
        except UnfitError:
            if resumes:
                raise
            return broken(StepError(*BY_CHANCE, where=request.model.definition.file))
        steps = result.steps
        if result.stopped is not None:  # a step may have run in a chunk that has not come back
            steps = {name: ran or None for name, ran in steps.items()}
        taken_again = TakenAgain.together(found.taken) if found.taken else result.taken_again
        return replace(result, taken_again=taken_again, steps=steps)
    worlds, error = found.failed
    result = search_worlds(request, engine, 1, meter, began, census=census, share=worlds)
    return result if result.error is not None else broken(error)  # it came there once, as by chance, and not here


def in_passing(request: Request) -> Census | None:
    """Counts messages as a run goes, where transitions are kept anyway."""
    kept = any(prop.kind in OF_WHOLE_RUNS for prop in request.properties)
    return Census(request.model.definition, request.settings, only_total=True, most=AFFORDABLE) if kept else None


def search_worlds(
    request: Request,
    engine: Engine,
    workers: int,
    meter: Meter,
    began: float,
    keeper: Keeper | None = None,
    census: Census | None = None,
    *,
    thorough: bool = False,
    earlier: Memory | None = None,
    share: Container[int] | None = None,
    grounds: Grounds | None = None,
    may_prefer: bool = False,
    effort: Effort | None = None,
) -> Result:
    """Explores all that was asked for, and counts messages where there is a census. If `thorough`, steps and properties are tried
    under all the identifiers there are (semantics/renaming.py). What is known `earlier` from elsewhere is all there is to know. Of the
    worlds only those of the `share` are explored, where there is one. What the `grounds` hold is there already, and what is found out is
    left there. If it `may_prefer` sets of states it raises ManyStatesError where it does; those may cost as much `effort`."""
    definition = request.model.definition
    grounds = grounds or Grounds(system_for(definition, request.settings))
    system = grounds.system
    system.thorough = thorough
    if request.part is not None:
        share = Part.read(request.part)
    if earlier is not None:
        share = ()
    elif keeper is not None:
        earlier = keeper.open()
    search = _search_of(engine)(
        system, request.properties, meter, engine, workers, census, keeper=keeper, earlier=earlier, share=share, tables=grounds.tables,
        most=grounds.most,
    )  # fmt: skip
    search.prefers = may_prefer and could_prefer(request, system)
    search.effort = effort or Effort()
    known = grounds.known = search.known
    known.foreseen = grounds.foreseen = grounds.foreseen | known.foreseen
    known.verified = grounds.verified
    witness = search.witnessed_by(grounds.witness or Witness(request, system))
    is_own = grounds.witness is None
    ledger = Ledger(
        expected=request.expected, lockstep=request.settings.schedule == "lockstep", by_sets=engine == "sets"
    )
    tallies: list[Tally] = []
    try:
        with watched_by(meter.last_words() if meter.reached else meter), suppress(StoppedError):
            known.recall(world for _, families in request.worlds() for worlds in families for world in worlds)
        search.run_all(request, tallies)
        if is_own and (not meter.reached or (known.violations and not meter.interrupted)):
            states, runs = sum(tally.states for tally in tallies), known.findings.violations.entries.values()
            witness.ask(states, runs, known.worlds_before)
        if not meter.reached:
            grounds.verify(meter.stop)
            if known.doubt is not None:
                raise known.doubt
            if keeper is not None:
                keeper.check()
            if earlier is not None:
                known.check_earlier(search.plan.passed)
        witness.confirm(meter)
    except (ModelError, AssumptionError) as error:
        ledger.error = error
    except KeyboardInterrupt as stop:
        meter.reached = (meter.reached or meter.interruption).while_running(_hanging(definition, stop))
    except MemoryError as error:
        meter.reached = meter.reached or Stopped("room", text=str(error))
    finally:
        if is_own:
            witness.close()
    grounds.tables = search.tables
    ledger.stopped = meter.reached
    if share is not None and meter.reached is None and any(tally.missing for tally in tallies):
        elsewhere = (
            f"{share} is done, and the other worlds are explored elsewhere"
            if isinstance(share, Part)
            else "a part is missing"
        )
        ledger.stopped = Stopped("part", text=elsewhere)
    ledger.missing = [tally.missing for tally in tallies if tally.missing]
    kept = None if keeper is None else _kept(known, keeper, ledger)
    results = known.results(search.worlds_complete and ledger.error is None and ledger.stopped is None)
    ledger.violated = [found.kind for found in results if found.verdict == "violated"]
    ledger.unchecked = [found.name for found in results if found.verdict == "inconclusive"]
    return Result(
        request,
        request.reference,
        request.policy.symmetry,
        request.expected,
        judge(ledger),
        meter.earlier_seconds + time.monotonic() - began,
        properties=results,
        sizes=tuple(tallies),
        limits=meter.limits,
        stopped=ledger.stopped,
        error=ledger.error,
        reductions=_reductions(search, tallies),
        reducible=search.reducing.is_possible and not any(tally.reduced for tally in tallies),
        steps=_steps_exercised(known, ledger.error),
        # another order of a process's steps, which comes to the same, may come to other lines
        never_ran=() if meter.reached or ledger.error or any(tally.within for tally in tallies) else _never_ran(system),
        growth=growth(system, tallies[-1].n) if meter.reached and tallies and not meter.reached.running else "",
        kept=kept,
        messages={} if census is None or known.findings.failed else {t.n: t.sent for t in census.complete()},
        uncounted=() if census is None else census.given_up(),
        types=() if census is None else tuple(kind.__name__ for kind in census.columns.types),
        taken_again=witness.report if ledger.error is None and witness.report != TakenAgain() else None,
        files=ModelFile.all_of(definition),
    )


def _search_of(engine: Engine) -> type[Search]:
    if engine == "sets":
        from .by_sets.search import SearchBySets  # with it come arrays, and a compiler

        return SearchBySets
    return Search


def _reductions(search: Search, tallies: Sequence[Tally]) -> tuple[str, ...]:
    """Those in force, in words."""
    found = [*search.reductions]
    if any(tally.turned for tally in tallies):
        found.append(WITHIN)
    reduced, worlds = sum(tally.reduced for tally in tallies), sum(tally.worlds for tally in tallies)
    if reduced:
        found.append(PARTIAL_ORDER + _where(reduced, worlds))
        if within := sum(tally.within for tally in tallies):
            found.append(WITHIN_PROCESSES + _where(within, worlds))
    elif worlds and search.reducing.asked and not search.reducing.refused:
        found.append(
            "no partial order: every world has a cycle, breaks a property, or has a process that sends to itself"
            + ("" if search.system.settings.links.ordered else " or can do too much to look through")
        )
    return tuple(found)


def _where(some: int, worlds: int) -> str:
    return "" if some == worlds else f", in {some:,} of {worlds:,} worlds"


def _kept(known: Knowledge, keeper: Keeper, ledger: Ledger) -> Kept | None:
    """What a run that was stopped leaves for another to go on from. One that has ended leaves nothing, unless it is a part."""
    if (ledger.stopped is None and not keeper.of_a_part) or ledger.error is not None:
        keeper.remove()
        return None
    with suppress(KeyboardInterrupt):
        known.save(keeper.last(known.meter), last=True)
    return keeper.kept


def _hanging(definition: Definition, stop: BaseException) -> str:
    """The line of the model that was running, where that is why the search had to be stopped from outside."""
    frames = [f for f in traceback.extract_tb(stop.__traceback__) if f.filename in definition.files]
    if not frames:
        return ""
    last = frames[-1]
    return f"{frames[0].name} was running, at {definition.named(last.filename)}:{last.lineno}  {last.line}"


def failed(
    name: str, error: ModelError | AssumptionError, expect: str | None, seconds: float, symmetry: bool
) -> Result:
    return Result(None, name, symmetry, expect, judge(Ledger(error=error, expected=expect)), seconds, error=error)


def not_begun(name: str, meter: Meter, expect: str | None, seconds: float, symmetry: bool) -> Result:
    """Of a run that reached a limit while its graphs were built."""
    judgement = judge(Ledger(stopped=meter.reached, expected=expect))
    return Result(None, name, symmetry, expect, judgement, seconds, limits=meter.limits, stopped=meter.reached)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# --- what was found --------------------------------------------------------------------------------------------------


def _steps_exercised(known: Knowledge, error: ModelcheckError | None) -> dict[str, bool | None]:
    """Whether each step ever ran, if only until it raised."""
    ran = known.steps_taken() | ({error.step} if isinstance(error, ModelError) else set())
    system = known.system
    steps: dict[str, bool | None] = {step.name: step.name in ran for step in system.definition.steps}
    if system.definition.recovery is not None and system.settings.recoveries:
        steps[system.definition.recovery.name] = system.definition.recovery.name in ran
    return steps


def _never_ran(system: System) -> tuple[str, ...]:
    """Lines of the model's methods that never ran, as 'file:12-14  source of line 12'."""
    ran = system.runner.watched.noted
    if not ran or system.runner.watched.blind:
        return ()
    definition, found = system.definition, []
    for lines in step_code_lines(definition).values():
        missing = sorted(lines - ran)
        while missing:
            number, begin = missing.pop(0)
            end = begin
            while missing and missing[0][1] <= end + 1:
                end = missing.pop(0)[1]
            file, span = definition.files[number], str(begin) if begin == end else f"{begin}-{end}"
            found.append(f"{definition.named(file)}:{span}  {linecache.getline(file, begin).strip()}")
    return tuple(found)
