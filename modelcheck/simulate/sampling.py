"""`simulate`: how many messages random runs send, for sizes that no search reaches.

Each run has a world of its own, drawn at random, and a schedule drawn as it goes (simulate/walk.py). Its random numbers depend on the
seed, the size and the number of the run and on nothing else, so results do not depend on the number of workers. At the
end of a run the properties that speak of one state are evaluated: they may refute a protocol, and prove nothing.
"""

from __future__ import annotations

import math
import multiprocessing
import signal
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Any, Literal, Protocol

from ..check.counting import stated_elsewhere
from ..check.findings import FAILURES
from ..check.request import Request, read_request, usual_limits
from ..check.verdict import EXIT_CODES, INCONCLUSIVE, KIND_OF
from ..count.census import measures, variables
from ..count.extremes import Columns
from ..errors import ReplayError, UnfinishedError, UsageError
from ..explore.limits import Limits, Meter
from ..language.formulas import Formula, Number, UndefinedError
from ..language.networks import NETWORKS, either
from ..language.process import Process
from ..language.properties import LASTING
from ..properties.view import Reason, StateView, reason_against
from ..pulse import StoppedError, attended, beat, watched_by
from ..runs import trace
from ..runs.trace import Trace
from ..semantics.system import Start, System, Transition
from ..semantics.worlds import World, Worlds
from ..text.typed import natural
from .walk import Taken, Walk, random_world

MOST_SHOWN = 2_000  # steps of a run that is shown
WORTH_A_POOL = 4.0  # seconds of work left before processes are started to share it
ROUNDING = 1e-9
CHANGING = ("each", "size:")  # initiators that differ from run to run
AT_ENDS = ("always", "at the end", *LASTING)  # the kinds of properties that are judged where a run has ended
Task = tuple[int, int]  # size and number of a run
Asked = tuple[Any, ...]  # what makes a Sampler


@dataclass(frozen=True)
class Sample:
    """One random run. `failures` are names, kinds and reasons of the properties that fail at its end."""

    n: int
    number: int  # from 1
    sent: tuple[int, ...]  # in total, then by type
    steps: int
    failures: tuple[tuple[str, str, Reason], ...] = ()
    world: str = ""


@dataclass(frozen=True)
class Spread:
    """What the numbers of one column are like: the deviation is the sample's, the error that of the mean."""

    least: int
    mean: float
    deviation: float
    greatest: int
    runs: int

    @property
    def error(self) -> float:
        return self.deviation / math.sqrt(self.runs)


@dataclass(frozen=True)
class Compared:
    """A formula beside what was sampled at one size. `agrees` is False where some run contradicts it, None where no run
    could; `errors` is how many standard errors the mean lies above a formula for the mean."""

    n: int
    formula: Formula
    value: Number | None
    agrees: bool | None = None
    errors: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Simulation:
    """What was sampled, in the order of sizes and of runs."""

    request: Request
    asked: int  # runs of each size
    seed: int
    names: tuple[str, ...]  # of the columns
    samples: tuple[Sample, ...] = ()
    compared: tuple[Compared, ...] = ()
    stopped: str | None = None
    seconds: float = 0.0
    sizes: tuple[int, ...] = ()
    sampler: Sampler | None = field(default=None, repr=False, compare=False)
    meter: Meter | None = field(default=None, repr=False, compare=False)

    def of(self, n: int) -> tuple[Sample, ...]:
        return tuple(sample for sample in self.samples if sample.n == n)

    def spread(self, n: int, column: int = 0) -> Spread | None:
        """None where no run of this size ended."""
        numbers = [sample.sent[column] for sample in self.of(n)]
        if not numbers:
            return None
        deviation = statistics.stdev(numbers) if len(numbers) > 1 else 0.0
        return Spread(min(numbers), statistics.fmean(numbers), deviation, max(numbers), len(numbers))

    def chosen(self, which: str) -> Sample:
        """A run of the greatest size: "best", "worst" (the first that sends as few or as many messages), or a number.

        Raises UsageError where there is none, UnfinishedError where a limit kept it from being made.
        """
        samples = self.of(self.sizes[-1])
        if which in ("best", "worst") and samples:
            return (min if which == "best" else max)(samples, key=lambda sample: sample.sent[0])
        for sample in samples:
            if which == str(sample.number):
                return sample
        if self.stopped and (which in ("best", "worst") or 0 < (natural(which) or 0) <= self.asked):
            raise UnfinishedError(f"{self.stopped} before run {which!r} of n={self.sizes[-1]} was made")
        raise UsageError(
            f"there is no run {which!r} of n={self.sizes[-1]}: it is worst, best, or a number up to {len(samples)}"
        )

    def run(self, which: str) -> Trace:
        """That run, step by step.

        Raises UsageError where there is none, or it is too long, UnfinishedError where a limit was reached and no more time is left.
        """
        assert self.sampler is not None
        assert self.meter is not None
        chosen = self.chosen(which)
        try:
            with watched_by(self.meter.last_words()):
                return self.sampler.shown(chosen)
        except StoppedError:
            raise UnfinishedError(f"{self.meter.reached} before run {chosen.number} could be shown") from None

    @property
    def failing(self) -> dict[str, list[Sample]]:
        """The runs in which something fails, by the name of what does."""
        found: dict[str, list[Sample]] = {}
        for sample in self.samples:
            for name, _, _ in sample.failures:
                found.setdefault(name, []).append(sample)
        return found

    @property
    def refuted(self) -> tuple[Compared, ...]:
        return tuple(one for one in self.compared if one.agrees is False)

    @property
    def exit_code(self) -> int:
        """That of the gravest failure that was met; 12 where a run refutes a formula; 20 where runs were left out."""
        kinds = {KIND_OF[kind] for sample in self.samples for _, kind, _ in sample.failures}
        if kinds:
            return EXIT_CODES[next(kind for kind in EXIT_CODES if kind in kinds)]
        if self.refuted:
            return EXIT_CODES["safety"]
        return INCONCLUSIVE if self.stopped else 0


class RunsElsewhere(Protocol):
    """Who makes random runs in other processes, on this machine or on others (cluster/)."""

    def sample(self, one: Sampler, asked: Asked, tasks: Sequence[Task], meter: Meter) -> Iterator[Sample]:
        """The run of each task, in order, until the meter says stop."""


def simulate(
    model: str | type[Process],
    *,
    n: int | Iterable[int] | None = None,
    runs: int = 100,
    seed: int = 1,
    graph: str | None = None,
    network: str | None = None,
    capacity: int | None = None,
    ids: str | Sequence[int] | None = None,
    initiators: str | Sequence[int] | None = None,
    root: str | int | None = None,
    start: Literal["any", "simultaneous"] = "any",
    parameters: Mapping[str, object] | None = None,
    workers: int = 1,
    elsewhere: RunsElsewhere | None = None,
    limits: Limits | None = None,
    progress: Callable[[Meter], None] | None = None,
    meter: Meter | None = None,
) -> Simulation:
    """Runs a protocol at random, `runs` times for each size, and counts the messages.

    With several `workers` long runs are made by processes side by side, which import the program that calls this: that must be
    a module which does nothing when it is imported. A model that is given as a class is run in this process. With `elsewhere` others
    make the runs.

    Raises UsageError for what does not exist or make sense, and ModelError where the model's code is at fault.
    """
    if runs < 1:
        raise UsageError("--runs is at least 1")
    meter = meter or Meter(limits or usual_limits(), progress)
    asked = (model, n, graph, network, capacity, ids, initiators, root, start, tuple((parameters or {}).items()), seed)
    one = Sampler(*asked)
    request = one.request
    tasks = [(size, number) for size in request.sizes for number in range(1, runs + 1)]
    samples: list[Sample] = []
    meter.size, meter.to_represent = request.sizes[0], len(tasks)
    processes = min(workers, len(tasks)) if isinstance(model, str) else 1
    if elsewhere is not None and not isinstance(model, str):
        raise UsageError("a model that others are to run is a bundled one, or a file")
    made = (
        _sampled(one, asked, tasks, processes, meter)
        if elsewhere is None
        else elsewhere.sample(one, asked, tasks, meter)
    )
    for sample in made:
        samples.append(sample)
        meter.size, meter.represented = sample.n, len(samples)
    found = Simulation(
        request, runs, seed, one.names, tuple(samples), (), meter.reached, meter.seconds(), request.sizes, one, meter
    )
    formulas = [formula for formula in request.model.definition.formulas if not formula.of_chance]
    compared = tuple(c for formula in formulas for size in request.sizes for c in _compare(formula, size, found, one))
    return replace(found, compared=compared)


class Sampler:
    """Everything that all runs have in common; `take` makes one."""

    def __init__(
        self, model: str | type[Process], n: Any, graph: str | None, network: str | None, capacity: int | None, ids: Any, initiators: Any, root: str | int | None, start: Any,
        parameters: tuple[tuple[str, object], ...], seed: int,
    ) -> None:  # fmt: skip
        request = read_request(
            model, n=n, graph=graph, network=network, capacity=capacity, ids=ids, initiators=initiators, root=root, start=start, parameters=dict(parameters)
        )  # fmt: skip
        if request.settings.schedule == "lockstep":
            raise UsageError(
                f"{request.model.name} is written for lock-step, and in a random run one process steps at a time; "
                "`modelcheck run` follows its rounds"
            )
        if request.settings.links.keeps:
            others = either([kind.name for kind in NETWORKS.values() if not kind.keeps])
            raise UsageError(
                f"on a {request.settings.network} network messages are received again and again: how often a random run "
                f"receives one says nothing; use --network {others}"
            )
        self.request = request
        self.seed = seed
        self.types = Columns.of(request.model.definition).types
        self.names = ("total", *(kind.__name__ for kind in self.types))
        self._worlds = dict(self.request.worlds())
        self._shown: dict[tuple[int, int], Trace] = {}

    def worlds(self, n: int) -> list[Worlds]:
        return self._worlds[n]

    def world(self, n: int, random: Random) -> World:
        return random_world(random.choice(self.worlds(n)), random)

    def take(self, n: int, number: int, stop: Callable[[], bool] = lambda: False) -> Sample | None:
        """The run of this number; None where it was stopped."""
        random = Random(f"{self.seed} {n} {number}")
        world = self.world(n, random)
        system = System(self.request.model.definition, self.request.settings, twice=False)
        walk = Walk(system, world, random)
        walk.run(stop)
        if not walk.ended and not walk.failure:
            return None
        by_type = tuple(walk.sent[kind] for kind in self.types)
        failures = tuple(self._failures(system, world, walk))
        described = str(world) if failures and n <= 20 else ""
        return Sample(n, number, (sum(walk.sent.values()), *by_type), walk.steps, failures, described)

    def shown(self, sample: Sample) -> Trace:
        """A run that was sampled, step by step: taken again at random, and then once more through the plain semantics.

        Raises UsageError where it is too long to be looked at, ReplayError where the semantics does not know it.
        """
        if sample.steps > MOST_SHOWN:
            raise UsageError(
                f"run {sample.number} of n={sample.n} has {sample.steps:,} steps, and up to {MOST_SHOWN:,} are shown: choose a smaller --n"
            )
        known = self._shown.get((sample.n, sample.number))
        if known is not None:
            return known
        random = Random(f"{self.seed} {sample.n} {sample.number}")
        world = self.world(sample.n, random)
        system = System(self.request.model.definition, self.request.settings)
        walk = Walk(system, world, random, keeps=True)
        walk.run(_beaten)
        start, transitions = _retaken(system, world, walk)
        reasons = [reason for _, _, reason in sample.failures]
        reason = "; ".join(why.sentence for why in reasons) or f"{sample.sent[0]:,} messages are sent."
        about = sorted({process for why in reasons for process in why.about})
        found = trace.build(system, world, start, transitions, reason, final=walk.ended, about=about)
        self._shown[sample.n, sample.number] = found
        return found

    def _failures(self, system: System, world: World, walk: Walk) -> Iterator[tuple[str, str, Reason]]:
        if walk.failure:
            kind = walk.failure.kind
            yield FAILURES[kind], kind, Reason(f"{walk.failed}: {walk.failure.sentence}")
            return
        view = StateView(system, world, walk.state())
        for prop in self.request.properties:
            if prop.kind in AT_ENDS:
                reason = reason_against(prop, (view,))
                if reason is not None:
                    yield prop.name, prop.kind, reason


def _beaten() -> bool:
    beat()
    return False


def _retaken(system: System, world: World, walk: Walk) -> tuple[Start, list[Transition]]:
    """The run of a walk in the plain semantics. Raises ReplayError with the first step that it does not know."""
    assert walk.begun is not None
    assert walk.taken is not None
    taken, begun = walk.taken, trace.values(walk.begun)

    def same(transition: Transition, wanted: Taken) -> bool:
        outcome = transition.outcome
        return (transition.process, outcome.step, outcome.received, outcome.choices) == wanted

    for start in system.starts(world):
        begins_so = trace.values(start.before) == begun and len(start.steps) == walk.started
        if begins_so and all(map(same, start.steps, taken)):
            break
    else:
        raise ReplayError("the random run does not begin as runs begin")
    transitions: list[Transition] = []
    state = start.state
    for number, wanted in enumerate(attended(taken[walk.started :]), 1):
        found = next((t for t in system.successors(world, state) if same(t, wanted)), None)
        if found is None:
            raise ReplayError(f"step {number} of the random run ({wanted[1]}) cannot be taken")
        transitions.append(found)
        state = found.after or state
    if not walk.failure and trace.values(state) != trace.values(walk.state()):
        raise ReplayError("the random run ends otherwise than it should")
    return start, transitions


# --- one after another, or several at once -------------------------------------------------------------------------------


def _sampled(
    one: Sampler, asked: tuple[Any, ...], tasks: list[tuple[int, int]], processes: int, meter: Meter
) -> Iterator[Sample]:
    """Every run, in order: here, until one takes so long that it is worth while to start processes for those that follow."""
    for place, (n, number) in enumerate(tasks):
        began = time.monotonic()
        sample = None if meter.stop() else one.take(n, number, meter.stop)
        if sample is None:
            return
        yield sample
        left = tasks[place + 1 :]
        if min(processes, len(left)) > 1 and (time.monotonic() - began) * len(left) > WORTH_A_POOL:
            yield from _shared(one, asked, left, processes, meter)
            return


def _shared(
    one: Sampler, asked: tuple[Any, ...], tasks: list[tuple[int, int]], processes: int, meter: Meter
) -> Iterator[Sample]:
    """By processes side by side. Whatever fails there, the processes themselves included, is done again here, where it
    raises what a reader understands."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, _prepare, asked)
    try:
        futures = [pool.submit(_take, task) for task in tasks]
        for task, future in zip(tasks, futures, strict=True):
            sample = _arrived(future, meter)
            if meter.reached:
                return
            found = sample or one.take(*task, meter.stop)
            if found is None:
                return
            yield found
    finally:
        helping = list(multiprocessing.active_children())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in helping if meter.reached else ():
            process.terminate()


def _arrived(future: Future[Sample | None], meter: Meter) -> Sample | None:
    while not meter.stop():
        try:
            return future.result(timeout=0.2)
        except TimeoutError:
            continue
        except BrokenExecutor:  # they cannot be started, as from a program that is read from standard input
            return None
    return None


_mine: Sampler | None = None  # in a process that helps


def _prepare(*asked: Any) -> None:
    global _mine
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asked decides what an interrupt means
    sys.stdout = sys.stderr
    sys.breakpointhook = lambda *_, **__: None  # nobody can type here
    _mine = Sampler(*asked)


def _take(task: tuple[int, int]) -> Sample | None:
    assert _mine is not None
    try:
        return _mine.take(*task)
    except Exception:
        return None


# --- formulas --------------------------------------------------------------------------------------------------------------


def _compare(formula: Formula, n: int, found: Simulation, one: Sampler) -> Iterator[Compared]:
    """What a formula says of one size, beside what was sampled."""
    spread = found.spread(n, one.names.index(formula.message or "total"))
    if spread is None:
        return
    initiators = found.request.policy.initiators
    if not formula.variables <= {"n", "m", "d", "k"} or any("=" not in c for c in formula.conditions):
        yield Compared(n, formula, None, note=stated_elsewhere(formula, found.request))
        return
    several = not found.request.given and len(list(islice(one.worlds(n)[0].shapes(), 2))) > 1
    if ("k" in formula.variables and str(initiators).startswith(CHANGING)) or (
        formula.variables & {"m", "d"} and several
    ):
        yield Compared(n, formula, None, note="what it depends on differs from run to run")
        return
    try:
        value = formula.value(variables(n, _kind(formula, n, one)))
    except UndefinedError as error:
        yield Compared(n, formula, None, note=f"has no value: {error}")
        return
    elsewhere = stated_elsewhere(formula, found.request)
    if elsewhere or formula.word == "about":
        yield Compared(n, formula, value, note=elsewhere or "an estimate")
    elif formula.word == "mean":
        errors = (spread.mean - float(value)) / spread.error if spread.error else None
        yield Compared(n, formula, value, errors=errors)
    else:
        yield Compared(n, formula, value, agrees=not _contradicted(formula.word, float(value), spread))


def _contradicted(word: str, value: float, spread: Spread) -> bool:
    """Whether some run sent fewer or more messages than a formula allows."""
    fewer = word in ("best", "at least", "exactly") and spread.least < value - ROUNDING
    return fewer or (word in ("worst", "at most", "exactly") and spread.greatest > value + ROUNDING)


def _kind(formula: Formula, n: int, one: Sampler) -> tuple[int, int, int]:
    """Links, diameter and initiators of the worlds of this size, as far as the formula asks for them."""
    world = one.world(n, Random(0))
    links, diameter = measures(world.shape) if formula.variables & {"m", "d"} else (0, 0)
    return links, diameter, len(world.initiators)
