"""Verdict and exit code, from one ledger, by one function: nothing else in the project decides either."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ..errors import ModelcheckError, SearchError, UsageError, nearest
from ..explore.limits import Stopped
from ..language.properties import OF_WHOLE_RUNS

Word = Literal["HOLDS", "VIOLATED", "INCONCLUSIVE"]

# The kinds of violation, the gravest first, with their exit codes (those of TLC where the meaning is the same).
EXIT_CODES = {"exception": 75, "assert": 14, "safety": 12, "stuck": 11, "liveness": 13}
KIND_OF = {
    "always": "safety",
    "every step": "safety",
    "unspecified reception": "safety",
    "at the end": "stuck",
    **dict.fromkeys(OF_WHOLE_RUNS, "liveness"),
    "assert": "assert",
    "exception": "exception",
}
INCONCLUSIVE, UNEXPECTED = 20, 1
EXPECTATIONS = ("holds", "violation", *EXIT_CODES, "inconclusive")


@dataclass
class Ledger:
    """All that a verdict rests on."""

    violated: list[str] = field(default_factory=list)  # kinds of the properties found violated
    unchecked: list[str] = field(default_factory=list)  # properties neither violated nor searched to the end
    stopped: Stopped | None = None  # the limit that was reached, or the interruption
    error: ModelcheckError | None = None  # the model, or an assumption of it, is at fault
    expected: str | None = None
    lockstep: bool = False  # only lock-step runs were explored
    by_sets: bool = False  # no state was visited by itself
    missing: list[str] = field(
        default_factory=list
    )  # of what should have been explored, where nothing stopped the search


@dataclass(frozen=True)
class Judgement:
    """What the ledger amounts to. `reason` is half a sentence; `expectation` says whether --expect was met."""

    word: Word
    exit_code: int
    reason: str
    expectation: bool | None = None


def judge(ledger: Ledger) -> Judgement:
    """The verdict. HOLDS only when the search was complete and found nothing.

    Raises SearchError where a search that nothing stopped left something out.
    """
    all_explored(ledger)
    kinds = {KIND_OF[kind] for kind in ledger.violated}
    word: Word
    if ledger.error is not None:
        word, code, reason = "INCONCLUSIVE", ledger.error.exit_code, str(ledger.error).split("\n")[0]
    elif kinds:
        gravest = next(kind for kind in EXIT_CODES if kind in kinds)
        word, code, reason = "VIOLATED", EXIT_CODES[gravest], _SENTENCES[gravest]
    elif ledger.stopped or ledger.unchecked:
        left = "sets of states do not decide everything" if ledger.by_sets else "not everything was searched"
        word, code, reason = "INCONCLUSIVE", INCONCLUSIVE, ledger.stopped or left
    else:
        word, code, reason = "HOLDS", 0, "every reachable state was visited"
        if ledger.lockstep:
            reason = "every state reachable in lock-step was visited"
        if ledger.by_sets:
            reason = "every reachable state is in the set that was judged"
    if ledger.expected is None:
        return Judgement(word, code, reason)
    met = ledger.expected == word.lower() or (
        bool(kinds) and (ledger.expected == "violation" or ledger.expected in kinds)
    )
    if ledger.error is not None:
        met = False
    return Judgement(word, 0 if met else code or UNEXPECTED, reason, met)


def all_explored(ledger: Ledger) -> None:
    """Raises SearchError where a search that nothing stopped left something out, with what it found."""
    if ledger.missing and ledger.stopped is None and ledger.error is None:
        found = ", ".join(KIND_OF[kind] for kind in ledger.violated)
        raise SearchError("\n".join([*ledger.missing, *([f"what was found: a violation ({found})"] if found else [])]))


def check_expectation(expected: str | None) -> None:
    """Raises UsageError for an expectation that no run can meet."""
    if expected is not None and expected not in EXPECTATIONS:
        raise UsageError(f"--expect does not know {expected!r}; {nearest(expected, EXPECTATIONS)}")


_SENTENCES = {
    "exception": "the model's own code raised",
    "assert": "an assertion in a step fails",
    "safety": "a safety property is violated",
    "stuck": "a run gets stuck: it ends where it should not",
    "liveness": "a run never gets where it should",
}
