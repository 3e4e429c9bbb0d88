"""What is wrong with a model, as a lesson: what happened, where, the likely cause, what to do; never the checker's traceback."""

from __future__ import annotations

from rich.text import Text

from ..errors import AssumptionError, ModelcheckError, ModelError
from .page import Page

_LABELS = ("where", "process", "step", "state", "cause", "remedy")


def write_error(error: ModelcheckError, page: Page) -> None:
    """All that an error knows, one labelled line each."""
    kind = "FALSE ASSUMPTION" if isinstance(error, AssumptionError) else "MODEL ERROR"
    what = error.what if isinstance(error, ModelError) else str(error)
    page.line(Text(kind, style="bold red") + "  " + Text(what, style="bold"), hang=len(kind) + 2)
    if not isinstance(error, ModelError):
        return
    for label in _LABELS:
        if text := getattr(error, label):
            page.entry(label, text)
    if error.trace:
        page.entry("reached by", error.trace[0])
        for line in error.trace[1:]:
            page.entry("", line)
    write_traceback(error.traceback, page)


def write_traceback(lines: tuple[str, ...], page: Page) -> None:
    """The frames of the model's own code."""
    if lines:
        page.entry("traceback", "of the model's own code, the innermost call last")
        for line in lines:
            page.line(line, indent=4, hang=8)
