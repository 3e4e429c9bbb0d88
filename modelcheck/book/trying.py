"""Trying out claims: each trial is run, and what comes out is held against what the book expects."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from ..check.checker import check, cores
from ..check.request import Asked, Request, read_request
from ..check.result import Result
from ..check.verdict import INCONCLUSIVE, UNEXPECTED
from ..errors import UsageError
from ..explore.limits import Limits, Meter
from ..options import asked_for
from ..runs.trace import Trace
from .claim import Claim, Trial, span
from .counting import count_messages, faults, variables
from .formulas import shown
from .weighing import INFINITE, differences

Status = Literal["as expected", "otherwise", "not reached"]
Word = Literal["confirmed", "refuted", "OTHERWISE", "not reached", "reading"]
WORDS: tuple[Word, ...] = ("confirmed", "refuted", "OTHERWISE", "not reached", "reading")


@dataclass
class TrialOutcome:
    """What came of one trial. `result` is that of the run that shows a counterexample, or of the last one."""

    trial: Trial
    sizes: tuple[int, ...]  # those that came out as expected, or up to the first that did not
    status: Status
    found: str
    wanted: str = ""
    result: Result | None = None
    seconds: float = 0.0
    states: int = 0

    @property
    def command(self) -> str:
        """What one types to see it, "" where nothing but arithmetic is tried."""
        return "" if self.trial.comparison else self.trial.command(self.sizes or self.trial.sizes)


@dataclass
class ClaimOutcome:
    """What came of a claim."""

    claim: Claim
    trials: list[TrialOutcome] = field(default_factory=list)

    @property
    def word(self) -> Word:
        """confirmed; refuted, as is known of this claim; OTHERWISE than the book has it; not reached; or nothing to run."""
        states = [trial.status for trial in self.trials]
        if "otherwise" in states:
            return "OTHERWISE"
        if "not reached" in states:
            return "not reached"
        if not self.trials:
            return "reading"
        return "refuted" if self.claim.errs else "confirmed"


def exit_code(outcomes: Sequence[ClaimOutcome]) -> int:
    """0 where all came out as the book has it."""
    words = {outcome.word for outcome in outcomes}
    return UNEXPECTED if "OTHERWISE" in words else INCONCLUSIVE if "not reached" in words else 0


class Others(Protocol):
    """Who tries tests in other processes, on this machine or on others (cluster/tried.py)."""

    def outcome(self) -> TrialOutcome | None:
        """What comes of the next test of those it was told of; None where it is to be tried here."""


@dataclass
class Reader:
    """How a book is gone through: how far, and under which limits.

    `watch` gives each search its meter, which may show progress and heed Ctrl-C. `workers` are the threads of each search, where a test
    does not say; as many as there are cores if nobody does. Where there are `others` they try the tests.
    """

    limits: Limits
    up_to: int | None = None
    fast: bool = False
    watch: Callable[[Limits], AbstractContextManager[Meter]] = lambda limits: nullcontext(Meter(limits))
    interrupted: bool = False
    workers: int | None = None
    others: Others | None = None
    _known: dict[tuple[tuple[str, ...], int | None], Result] = field(
        default_factory=dict, repr=False
    )  # several claims ask for the same run

    def claims(self, claims: Sequence[Claim]) -> Iterator[ClaimOutcome]:
        """The outcome of each claim in turn. After Ctrl-C those left come out as not reached."""
        for claim in claims:
            outcome = ClaimOutcome(claim)
            for number, trial, sizes in self._tests(claim):
                try:
                    found = self.others.outcome() if self.others is not None else None
                    outcome.trials.append(found or self.outcome(trial, sizes))
                except UsageError as error:
                    raise UsageError(f"claim {claim.reference}, test {number}: {error}") from None
            if outcome.trials or not claim.trials:
                yield outcome

    def tests(self, claims: Sequence[Claim]) -> list[tuple[Trial, tuple[int, ...]]]:
        """Those that it comes to in going through these claims, each with the sizes to try."""
        return [(trial, sizes) for claim in claims for _, trial, sizes in self._tests(claim)]

    def _tests(self, claim: Claim) -> Iterator[tuple[int, Trial, tuple[int, ...]]]:
        """Those of one claim, with their numbers."""
        for number, trial in enumerate(claim.trials, 1):
            if (sizes := self._sizes(trial)) is not None:
                yield number, trial, sizes

    def _sizes(self, trial: Trial) -> tuple[int, ...] | None:
        """Those to try, () where the command itself says; None where there are none."""
        sizes = trial.fast if self.fast else trial.sizes
        if sizes is None or self.up_to is None or not trial.sizes:
            return sizes
        if trial.general and not trial.comparison:
            sizes = tuple(range(trial.sizes[0], self.up_to + 1))
        return tuple(n for n in sizes if n <= self.up_to) or None

    # --- one trial -----------------------------------------------------------------------------------------------

    def outcome(self, trial: Trial, sizes: tuple[int, ...]) -> TrialOutcome:
        """What comes of one test, tried here. Raises UsageError where it asks for what is not there."""
        began = time.monotonic()
        if trial.comparison:
            outcome = _arithmetic(trial, sizes)
        elif trial.counts_messages:
            outcome = self._count(trial, sizes)
        elif trial.expected.expected:
            outcome = self._weigh(trial, sizes)
        else:
            outcome = self._run(trial, sizes)
        outcome.seconds = time.monotonic() - began
        return outcome

    def _run(self, trial: Trial, sizes: tuple[int, ...]) -> TrialOutcome:
        model, limits, asked = self._asked_for(trial)
        shows: Result | None = None
        texts: list[str] = []
        states = 0
        done: list[int] = []
        for n in sizes or (None,):
            if self.interrupted:
                return self._unreached(trial, done, "interrupted", shows)
            known = self._known.get((trial.words, n))
            if known is None:
                with self.watch(limits) as meter:
                    known = check(model, meter=meter, **(asked if n is None else {**asked, "n": n}))
                if not meter.reached:
                    self._known[trial.words, n] = known
                self.interrupted = self.interrupted or meter.interrupted
            result = known
            states += result.states
            if isinstance(result.error, UsageError):
                raise result.error
            wanted, found, status = _judge(trial, result, n or max((t.n for t in result.sizes), default=0))
            if status == "not reached":
                return self._unreached(trial, done, result.stopped or "", shows, states)
            if status == "otherwise":
                at = (n,) if n else ()
                return TrialOutcome(trial, at, "otherwise", found, wanted, result, states=states)
            if n is not None:
                done.append(n)
            texts.append(found)
            if shows is None or (result.verdict == "VIOLATED" and shows.verdict != "VIOLATED"):
                shows = result
        summary = (
            texts[0] if len(set(texts)) == 1 else "; ".join(f"n={n}: {t}" for n, t in zip(done, texts, strict=True))
        )
        return TrialOutcome(trial, tuple(done), "as expected", summary, "", shows, states=states)

    def _unreached(
        self, trial: Trial, done: Sequence[int], why: str, result: Result | None = None, states: int = 0
    ) -> TrialOutcome:
        before = f"as expected for n={span(tuple(done))}, then " if done else ""
        return TrialOutcome(trial, tuple(done), "not reached", before + why, "", result, states=states)

    def _asked_for(self, trial: Trial) -> tuple[str, Limits, dict[str, Any]]:
        """Model, limits and arguments of `check`: limits and threads are those of the trial where it sets its own, those of the reader
        otherwise."""
        model, given, asked = asked_for(trial.words)
        states = given.max_states if given.max_states != Limits().max_states else self.limits.max_states
        return model, replace(self.limits, max_states=states), {**asked, "workers": asked["workers"] or self.workers}

    def _count(self, trial: Trial, sizes: tuple[int, ...]) -> TrialOutcome:
        model, limits, asked = self._asked_for(trial)
        done: list[int] = []
        misprinted: list[str] = []
        for n in sizes or (None,):
            if self.interrupted:
                return self._unreached(trial, done, "interrupted")
            request = request_of(model, asked if n is None else {**asked, "n": n})
            with self.watch(limits) as meter:
                try:
                    counts = count_messages(request, meter, asked["workers"] or cores())
                except KeyboardInterrupt:
                    if not meter.reached:
                        raise
                    counts = []
            self.interrupted = self.interrupted or meter.interrupted
            if meter.reached:
                return self._unreached(trial, done, meter.reached)
            size = max(request.sizes)
            counts = [count for count in counts if trial.where is None or trial.where(**variables(count.world))]
            if not counts:
                raise UsageError("there is no such world")
            if wrong := faults(trial.expected.messages, counts, size):
                wanted = "; ".join(f"{key} {formula}" for key, formula in trial.expected.messages.items())
                return TrialOutcome(trial, (n,) if n else (), "otherwise", "; ".join(wrong), wanted)
            misprinted += faults(trial.expected.misprinted, counts, size)
            if n is not None:
                done.append(n)
        said = ", ".join(f"{key} {formula}" for key, formula in trial.expected.messages.items())
        if trial.expected.misprinted:
            printed = ", ".join(f"{key} {formula}" for key, formula in trial.expected.misprinted.items())
            if not misprinted:
                return TrialOutcome(trial, tuple(done), "otherwise", "it holds of these sizes", f"not {printed}")
            said = "; ".join(filter(None, [said, f"not {printed}: {misprinted[0]}"]))
        return TrialOutcome(trial, tuple(done), "as expected", f"messages: {said}")

    def _weigh(self, trial: Trial, sizes: tuple[int, ...]) -> TrialOutcome:
        from ..chance.expecting import expect  # with it come SciPy's equations

        model, limits, asked = self._asked_for(trial)
        asked = {name: value for name, value in asked.items() if name in {*Asked.__annotations__, "workers", "engine"}}
        states, done = 0, list[int]()
        for n in sizes or (None,):
            if self.interrupted:
                return self._unreached(trial, done, "interrupted")
            with self.watch(limits) as meter:
                found = expect(model, until=trial.until, meter=meter, **(asked if n is None else {**asked, "n": n}))
            self.interrupted = self.interrupted or meter.interrupted
            states += found.search.states
            if meter.reached:
                return self._unreached(trial, done, meter.reached, states=states)
            if found.search.verdict != "HOLDS":
                return TrialOutcome(trial, (n,) if n else (), "otherwise", _plain(found.search), "a run that ends")
            if n is not None:
                done.append(n)
            for size in found.sizes:
                if wrong := differences(trial.expected.expected, size, {"n": size.n}):
                    return TrialOutcome(trial, (size.n,), "otherwise", "; ".join(wrong), _wanted(trial), states=states)
        return TrialOutcome(trial, tuple(done), "as expected", f"expected: {_wanted(trial)}", states=states)


def _wanted(trial: Trial) -> str:
    return ", ".join(f"{key} {formula or INFINITE}" for key, formula in trial.expected.expected.items())


def request_of(model: str, asked: dict[str, Any]) -> Request:
    """The request that `check` makes of its arguments."""
    return read_request(
        model,
        **{
            name: value
            for name, value in asked.items()
            if name not in ("engine", "workers", "check_symmetry", "check_reductions", "part")
        },
    )


def _arithmetic(trial: Trial, sizes: tuple[int, ...]) -> TrialOutcome:
    comparison = trial.comparison
    assert comparison is not None
    fails = [n for n in sizes if not comparison(n=n)]
    if bool(fails) == trial.differs:
        if not fails:
            return TrialOutcome(trial, sizes, "as expected", f"{comparison.text} for n={span(sizes)}")
        n = fails[0]
        values = f"{shown(comparison.left(n=n))} and {shown(comparison.right(n=n))}"
        return TrialOutcome(trial, sizes, "as expected", f"not {comparison.text}: {values} at n={n}")
    return TrialOutcome(
        trial, sizes, "otherwise", f"{'fails for n=' + span(tuple(fails)) if fails else 'never fails'}", comparison.text
    )


# --- what a run comes to ---------------------------------------------------------------------------------------------


def _judge(trial: Trial, result: Result, n: int) -> tuple[str, str, Status]:
    """What was wanted, what was found, and how that compares."""
    expected = trial.expected
    if expected.grows:
        if result.growth and expected.grows in result.growth:
            rest = _differences(trial, result, n)
            return ("; ".join(w for w, _ in rest), "; ".join(f for _, f in rest), "otherwise") if rest else (
                "", _with(_found(trial, result), f"without bound: {result.growth}"), "as expected"
            )  # fmt: skip
        return f"{expected.grows} grows without bound", _plain(result), "otherwise"
    differing = _differences(trial, result, n)
    if result.stopped and (differing or expected.holds or expected.holding):
        return "", "", "not reached"
    if differing:
        return "; ".join(w for w, _ in differing), "; ".join(f for _, f in differing), "otherwise"
    return "", _found(trial, result), "as expected"


def _differences(trial: Trial, result: Result, n: int) -> list[tuple[str, str]]:
    """Pairs of what was wanted and what was found instead."""
    expected = trial.expected
    found: list[tuple[str, str]] = []
    if result.error is not None:
        return [("a run", str(result.error).split("\n")[0])]
    verdicts = {prop.name: prop for prop in result.properties}
    for name in (*expected.violated, *expected.holding, *expected.almost_surely):
        if name not in verdicts:
            raise UsageError(f"no property {name!r} is checked of {result.model}")
    if expected.holds and result.verdict != "HOLDS":
        found.append(("all holds", _plain(result)))
    for name in expected.holding:
        if verdicts[name].verdict != "holds":
            found.append((f"{name} holds", f"it is {verdicts[name].verdict}"))
    for name in expected.almost_surely:
        if (verdicts[name].verdict, verdicts[name].note) != ("holds", "with probability 1"):
            found.append((f"{name} holds with probability 1", verdicts[name].note or f"it {verdicts[name].verdict}"))
    for name, formula in expected.violated.items():
        trace = verdicts[name].trace
        if verdicts[name].verdict != "violated" or trace is None:
            found.append(
                (f"{name} is violated", "it holds" if verdicts[name].verdict == "holds" else "it is undecided")
            )
        elif formula is not None and trace.length != formula(n=n):
            found.append((f"{name} is violated after {shown(formula(n=n))} {trace.unit}s", f"after {trace.length}"))
    for name, formula in expected.counts.items():
        value = getattr(result, name)
        if value != formula(n=n):
            found.append((f"{shown(formula(n=n))} {name.replace('_', ' ')}", f"{value}"))
    return found


def _found(trial: Trial, result: Result) -> str:
    """What a run that came out as expected showed."""
    expected = trial.expected
    parts = []
    if expected.violated:
        broken = []
        for name, formula in expected.violated.items():
            trace = result.property(name).trace
            general = formula.text if formula is not None and formula.variables else ""
            broken.append(f"{name} after {_length(trace, general)}" if trace else name)
        parts.append("violates " + ", ".join(broken))
    if expected.holds:
        parts.append("holds")
    if expected.holding:
        parts.append(", ".join(expected.holding) + (" holds" if len(expected.holding) == 1 else " hold"))
    if expected.almost_surely:
        parts.append(f"{', '.join(expected.almost_surely)} with probability 1")
    parts += [f"{getattr(result, name):,} {name.replace('_', ' ')}" for name in expected.counts]
    return "; ".join(parts)


def _length(trace: Trace, formula: str) -> str:
    return f"{formula or trace.length} {trace.unit}" + ("" if trace.length == 1 and not formula else "s")


def _with(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _plain(result: Result) -> str:
    """The verdict, and of what."""
    broken = [prop.name for prop in result.properties if prop.verdict == "violated"]
    if result.error is not None:
        return str(result.error).split("\n")[0]
    return f"{result.verdict} {', '.join(broken)}".strip() + (f", {result.stopped}" if result.stopped else "")
