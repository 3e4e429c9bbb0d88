"""Every error this project raises on purpose.

    ModelcheckError
    ├── UsageError           the command or call asks for what does not exist or make sense    exit 2
    ├── AssumptionError      an assumption of the model is false, and nobody chose to break it exit 10
    ├── ModelError           the model's own code is at fault                                  exit 75
    │   ├── DefinitionError  found while the model is read
    │   └── StepError        found while a step, a hook or a property runs
    ├── ReplayError          a counterexample did not replay: a bug in modelcheck itself       exit 70
    ├── SymmetryError        runs with and without symmetry differ: a bug in modelcheck too    exit 70
    ├── ReductionError       runs with and without partial-order reduction differ: so is this  exit 70
    ├── SearchError          what was searched does not add up: a bug in modelcheck as well     exit 70
    ├── UnfinishedError      a limit was reached before there was anything to show             exit 20
    └── ChangedError         a run that was kept no longer fits its model (check/retaking.py) exit 1

Errors teach: `what` happened, `where`, the likely `cause`, and the `remedy`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any


class ModelcheckError(Exception):
    """Base of all errors raised on purpose; `exit_code` is what the command line returns."""

    exit_code = 70


class UsageError(ModelcheckError):
    """The request names something unknown or contradictory."""

    exit_code = 2


class AssumptionError(ModelcheckError):
    """The system at hand is not one the model was written for (a star for a ring protocol)."""

    exit_code = 10


class ReplayError(ModelcheckError):
    """A counterexample that does not replay through the plain semantics. Never shown as a verdict."""

    exit_code = 70


class SymmetryError(ModelcheckError):
    """Runs with and without symmetry differ, and not because of the model. Never shown as a verdict."""

    exit_code = 70


class ReductionError(ModelcheckError):
    """Runs with and without partial-order reduction differ. Never shown as a verdict."""

    exit_code = 70


class SearchError(ModelcheckError):
    """A search that came to its end, and not all was searched. Never shown as a verdict."""

    exit_code = 70


class UnfinishedError(ModelcheckError):
    """A limit was reached, or Ctrl-C typed, before there was anything to show."""

    exit_code = 20


@dataclass(eq=False)
class ModelError(ModelcheckError):
    """The model's own code is at fault. Printed as a lesson, not as a stack trace of the checker."""

    what: str
    cause: str = ""
    remedy: str = ""
    where: str = ""  # file:line
    step: str = ""
    process: str = ""
    state: str = ""
    traceback: tuple[str, ...] = field(default=(), repr=False)  # of the model's own code only
    trace: tuple[str, ...] = field(default=(), repr=False)  # the steps that lead there

    exit_code = 75

    def __str__(self) -> str:
        parts = [self.what]
        labels = ("where", "process", "step", "state", "cause", "remedy")
        parts += [f"  {label:<8}{text}" for label in labels if (text := getattr(self, label))]
        if self.trace:
            parts += ["  steps that lead there", *(f"    {line}" for line in self.trace)]
        if self.traceback:
            parts += ["  traceback of the model's own code", *(f"    {line}" for line in self.traceback)]
        return "\n".join(parts)

    def __reduce__(self) -> tuple[type[ModelError], tuple[Any, ...]]:
        """It is made anew in another process, of its fields."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


class DefinitionError(ModelError):
    """A model that cannot be read: syntax error, mutable field, unknown word in a declaration."""


class StepError(ModelError):
    """A step, hook or property that broke a rule of the language while it ran."""


def nearest(word: str, known: Iterable[str]) -> str:
    """A half-sentence with the known words nearest to `word`, or all of them when they are few."""
    words = sorted(known)
    close = get_close_matches(word, words, n=3, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(close) + "?"
    if not words:
        return "there are none"
    return "known are " + ", ".join(words[:20]) + (", ..." if len(words) > 20 else "")
