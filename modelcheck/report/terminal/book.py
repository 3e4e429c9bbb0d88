"""The faces of the book of claims: the table as it fills, a claim in full, the list of exercises, JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.text import Text

from ...book.claim import Claim, Source, span
from ...book.trying import WORDS, ClaimOutcome, TrialOutcome, exit_code
from ...check.result import Result
from ..files import as_json
from .page import Page
from .writing import write_run

COLOURS = {
    "confirmed": "green",
    "refuted": "red",
    "OTHERWISE": "bold red",
    "not reached": "bold yellow",
    "reading": "dim",
}
_WIDTH = max(map(len, WORDS))
FORMAT = 1


# --- the table -----------------------------------------------------------------------------------------------------


def write_source(source: Source, page: Page) -> None:
    """What stands above the claims of a source."""
    page.line(Text.assemble((source.name, "bold"), f"  {source.title}"))


def write_row(outcome: ClaimOutcome, page: Page) -> None:
    """A claim: what came of it, where it stands, what it says; then what was tried."""
    claim, word = outcome.claim, outcome.word
    head = Text.assemble((word.ljust(_WIDTH), COLOURS[word]), "  ", (claim.name, "bold"), f"  {claim.where}")
    page.line(head, indent=2, hang=_WIDTH + 4)
    page.line(claim.states, indent=_WIDTH + 4)
    if claim.errs:
        page.line(_errs(claim), indent=_WIDTH + 4)
    for trial in outcome.trials:
        page.line(Text(_evidence(trial), style="dim"), indent=_WIDTH + 4, hang=_WIDTH + 6)
        if trial.status != "as expected" or (claim.errs and trial.result and trial.result.verdict == "VIOLATED"):
            page.line(Text(trial.command, style="bold"), indent=_WIDTH + 6)


def _errs(claim: Claim) -> Text:
    return Text.assemble(("the source errs: ", "red"), claim.errs)


def _evidence(trial: TrialOutcome) -> str:
    """One line on a trial."""
    sizes = f"n={span(trial.sizes)}" if trial.sizes else ""
    settings = " ".join(trial.trial.words)
    if trial.status == "otherwise":
        return f"{settings}: {trial.found}; expected: {trial.wanted}"
    return ": ".join(filter(None, ["  ".join(filter(None, [settings, sizes])), trial.found]))


def write_sum(outcomes: Sequence[ClaimOutcome], seconds: float, page: Page) -> None:
    """How many of each."""
    counts = Counter(outcome.word for outcome in outcomes)
    meaning = {
        "confirmed": "confirmed",
        "refuted": "refuted as is known",
        "OTHERWISE": "otherwise than expected",
        "not reached": "not reached within the limits",
        "reading": "for reading only",
    }
    said = [f"{counts[word]} {meaning[word]}" for word in WORDS if counts[word]]
    page.blank()
    page.line(f"{len(outcomes)} claims: {', '.join(said)}; in {seconds:.1f} s")
    surprises = [outcome.claim.reference for outcome in outcomes if outcome.word == "OTHERWISE"]
    if surprises:
        page.line(Text.assemble(("otherwise: ", "bold red"), ", ".join(surprises)), hang=11)
    for outcome in outcomes:
        if outcome.word in ("OTHERWISE", "not reached"):
            page.command("next", f"modelcheck claims {outcome.claim.reference}")
            return


# --- one claim -----------------------------------------------------------------------------------------------------


def write_claim(outcome: ClaimOutcome, page: Page) -> None:
    """A claim in full, with its counterexamples; an exercise with what it teaches."""
    claim, word = outcome.claim, outcome.word
    page.line(Text.assemble((word, COLOURS[word]), "  ", (claim.reference, "bold"), f"  {claim.where}"))
    page.entry("exercise" if claim.is_exercise else "states", claim.states)
    if claim.errs:
        page.entry("source errs", claim.errs)
    if claim.attempt:
        page.entry("try", claim.attempt)
        page.entry("look for", claim.look)
    if claim.read:
        page.entry("reading", claim.read)
    for trial in outcome.trials:
        page.blank()
        _write_trial(trial, page)
    if claim.explains:
        page.blank()
        page.entry("explained", claim.explains)


def _write_trial(trial: TrialOutcome, page: Page) -> None:
    if trial.command:
        page.command("tried", trial.command)
    if trial.status == "otherwise":
        page.entry("expected", trial.wanted)
        page.entry("found", Text(trial.found, style="bold red"))
    else:
        page.entry("found" if trial.status == "as expected" else "not reached", trial.found)
    if trial.states:
        page.entry("explored", f"{trial.states:,} states in {trial.seconds:.1f} s")
    if trial.result is not None:
        _write_traces(trial, trial.result, page)


def _write_traces(trial: TrialOutcome, result: Result, page: Page) -> None:
    """The runs against what was expected to fail, or else against whatever failed."""
    expected = trial.trial.expected
    names = list(expected.violated) if trial.status == "as expected" else []
    violated = [p for p in result.properties if p.verdict == "violated" and p.trace and (p.name in names or not names)]
    if trial.status == "as expected" and not names:
        return
    before: dict[str, Any] = {}
    for found in sorted(violated, key=lambda p: p.trace.length if p.trace else 0):
        page.blank()
        write_run(result, found, page, before)
        before[found.name] = found.trace


# --- exercises -----------------------------------------------------------------------------------------------------


def write_exercises(found: Sequence[tuple[Source, Sequence[Claim]]], page: Page) -> None:
    """What there is to try, and what to look for."""
    first = ""
    for source, claims in found:
        if not claims:
            continue
        if first:
            page.blank()
        write_source(source, page)
        for claim in claims:
            first = first or claim.reference
            page.blank()
            page.line(Text.assemble((claim.reference, "bold"), f"  {claim.where}"), indent=2)
            page.line(claim.states, indent=4)
            page.line(Text.assemble(("try   ", "cyan"), claim.attempt), indent=4, hang=10)
            page.line(Text.assemble(("look  ", "cyan"), claim.look), indent=4, hang=10)
    page.blank()
    page.command("next", f"modelcheck exercise {first}")


def write_questions(found: Sequence[tuple[Source, Sequence[Claim]]], page: Page) -> None:
    """The exercises, each with its question and nothing that leads to its answer."""
    first = ""
    for source, claims in found:
        if claims:
            if first:
                page.blank()
            write_source(source, page)
        for claim in claims:
            first = first or claim.reference
            page.blank()
            page.line(Text.assemble((claim.reference, "bold"), f"  {claim.where}"), indent=2)
            page.line(claim.states, indent=4)
    page.blank()
    page.command("next", f"modelcheck exercise {first}")


def write_question(claim: Claim, page: Page, *, hint: bool) -> None:
    """One exercise and what to try; with a hint also what to look for."""
    page.line(Text.assemble((claim.reference, "bold"), f"  {claim.where}"))
    page.entry("exercise", claim.states)
    page.entry("try", claim.attempt)
    if hint:
        page.entry("look for", claim.look)
    page.blank()
    page.command("next", f"modelcheck exercise {claim.reference} --{'answer' if hint else 'hint'}")
    page.command("explore", f"modelcheck exercise {claim.reference}{' --hint' if hint else ''} --explore")
    page.command("predict", f"modelcheck exercise {claim.reference} --predict")


# --- JSON ----------------------------------------------------------------------------------------------------------


def document(outcomes: Sequence[ClaimOutcome], seconds: float) -> dict[str, Any]:
    """All that came of them as plain data."""
    counts = Counter(outcome.word for outcome in outcomes)
    return {
        "format": FORMAT,
        "exit_code": exit_code(outcomes),
        "seconds": round(seconds, 3),
        "counts": {word.lower(): counts[word] for word in WORDS},
        "claims": [_claim(outcome) for outcome in outcomes],
    }


def _claim(outcome: ClaimOutcome) -> dict[str, Any]:
    claim = outcome.claim
    return {
        "source": claim.source,
        "name": claim.name,
        "where": claim.where,
        "states": claim.states,
        "errs": claim.errs or None,
        "outcome": outcome.word.lower(),
        "reading": claim.read or None,
        "exercise": {"try": claim.attempt, "look": claim.look, "explains": claim.explains} if claim.attempt else None,
        "tests": [_trial(trial) for trial in outcome.trials],
    }


def _trial(trial: TrialOutcome) -> dict[str, Any]:
    result = trial.result
    expected = trial.trial.expected
    violated = [] if result is None else [p for p in result.properties if p.verdict == "violated" and p.trace]
    return {
        "command": trial.command or None,
        "formula": trial.trial.comparison.text if trial.trial.comparison else None,
        "sizes": list(trial.sizes),
        "status": trial.status,
        "found": trial.found,
        "expected": trial.wanted or None,
        "states": trial.states,
        "seconds": round(trial.seconds, 3),
        "counterexamples": [
            as_json.property_of(result, p) for p in violated if result is not None and p.name in expected.violated
        ],
    }


def exercises_document(found: Sequence[tuple[Source, Sequence[Claim]]]) -> dict[str, Any]:
    """The list of exercises as plain data."""
    return {
        "format": FORMAT,
        "exercises": [
            {
                "reference": claim.reference,
                "where": claim.where,
                "states": claim.states,
                "try": claim.attempt,
                "look": claim.look,
            }
            for _, claims in found
            for claim in claims
        ],
    }
