"""What is wrong with a model, as a lesson: what happened, where, the likely cause, what to do; never the checker's traceback."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import AssumptionError, ModelcheckError, ModelError, UnfinishedError
from .entries import Entry, Said

OF_THE_MODEL = "of the model's own code, the innermost call last"
_LABELS = ("where", "process", "step", "state", "cause", "remedy")


@dataclass(frozen=True)
class Lesson:
    """All that an error knows: what kind it is, what happened, labelled lines, the frames of the model's own code."""

    kind: str
    what: str
    entries: tuple[Entry, ...] = ()
    traceback: tuple[str, ...] = ()


def lesson(error: ModelcheckError) -> Lesson:
    kinds = ((AssumptionError, "FALSE ASSUMPTION"), (UnfinishedError, "INCONCLUSIVE"))
    kind = next((word for known, word in kinds if isinstance(error, known)), "MODEL ERROR")
    if not isinstance(error, ModelError):
        return Lesson(kind, str(error))
    said = [Said(label, text) for label in _LABELS if (text := getattr(error, label))]
    said += [Said("" if number else "reached by", line) for number, line in enumerate(error.trace)]
    return Lesson(kind, error.what, tuple(said), error.traceback)
