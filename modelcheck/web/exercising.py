"""An exercise of the book in the explorer: where its counterexample begins, half of the way, or where it ends."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from ..book.claim import Claim, Trial
from ..book.trying import Reader
from ..check.result import Result
from ..errors import UsageError
from ..explore.limits import Limits
from ..options import asked_for
from ..report.files import as_json
from . import paths
from .opening import WorldError, opened
from .subject import Subject, subject_of

Stage = Literal["try", "hint", "answer"]


def opened_at(exercise: Claim, stage: Stage, limits: Limits) -> tuple[Subject, str]:
    """The system of an exercise, and the path to begin with: nothing of its run to try, half of it as a hint, all of it for the answer.

    Raises UsageError where there is nothing in it that can be explored.
    """
    for trial in exercise.trials:
        if trial.expected.violated:
            with suppress(WorldError):
                return _broken(trial, stage, limits)
    for trial in exercise.trials:
        if trial.comparison is None:
            model, _, asked = asked_for(trial.words)
            system: Any = _sized(trial, {name: asked[name] for name in asked if name in _SYSTEM})
            return subject_of(model, **system), ""
    raise UsageError(f"{exercise.reference} is about formulas; there is nothing to explore")


_SYSTEM = (
    "graph", "network", "capacity", "ids", "initiators", "root", "may_crash", "start", "schedule", "losses", "duplications", "crashes", "recoveries",
    "partitions", "heals", "across", "detector", "parameters", "spec", "n",
)  # fmt: skip


def _sized(trial: Trial, asked: dict[str, Any]) -> dict[str, Any]:
    return asked | ({"n": max(trial.fast or trial.sizes[:1])} if trial.sizes else {})


def _broken(trial: Trial, stage: Stage, limits: Limits) -> tuple[Subject, str]:
    """The shortest of the runs that are expected to fail, as far as this step of the exercise tells of it."""
    outcome = Reader(limits).outcome(trial, trial.sizes[:1])
    traces = (
        [p for p in outcome.result.properties if p.trace and p.name in trial.expected.violated]
        if outcome.result
        else []
    )
    if outcome.status != "as expected" or not traces:
        raise UsageError(f"its run was not found: {outcome.found}")
    subject, path = _written(outcome.result)
    if stage == "answer":
        return subject, path
    run = paths.read(subject, path)
    length = len(run.transitions) // 2 if stage == "hint" else 0
    return subject, run.base + "".join(paths.tokens(run.steps)[:length])


def _written(result: Result | None) -> tuple[Subject, str]:
    assert result is not None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.json"
        file.write_text(as_json.dumps(as_json.traces(result)), encoding="utf-8")
        return opened(str(file))
