"""What is said of a step at fault: in the model's own words and lines, without the checker's."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from ..errors import StepError
from ..language.definition import Definition
from ..language.values import Misuse, show
from .outcomes import Effect, Failure

_PACKAGE = Path(__file__).parents[1]
_CHECKER = (*(str(_PACKAGE / inner) for inner in ("language", "semantics", "loading.py")), "<")


def not_a_function(function: Callable[..., None], name: str, first: object, second: object) -> StepError:
    code = function.__code__
    return StepError(
        what=f"{name or code.co_name} is not a function of what it reads: run twice on the same values it gave different results",
        cause=f"it uses randomness, time, a global variable, or an object that changes "
        f"(first: {_summary(first)}; second: {_summary(second)})",
        remedy="use self.choose or self.draw for chance, and fields for everything that is remembered",
        where=f"{code.co_filename}:{code.co_firstlineno}",
        step=name or code.co_name,
    )


def failure_of(kind: str, error: BaseException) -> Failure:
    """The failure that it stands for; of whoever quits a debugger it is none, and is raised again."""
    debugger = sys.modules.get("bdb")
    if debugger is not None and isinstance(error, debugger.BdbQuit):
        raise error
    frames = own_frames(error.__traceback__)
    text = "it calls itself without end" if isinstance(error, RecursionError) else str(error).strip()
    if kind == "assert":
        source = frames[-1].line if frames else ""
        sentence = f"the assertion fails: {text or source}"
    else:
        sentence = f"{type(error).__name__}: {text}" if text else type(error).__name__
    where = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    lines = [part.rstrip() for frame in traceback.format_list(frames) for part in frame.rstrip().split("\n")]
    return Failure(kind, sentence, where, (*lines, f"{type(error).__name__}: {text}".rstrip(": ")))


def misused(definition: Definition, misuse: Misuse, trace: Any, name: str) -> StepError:
    frames = own_frames(trace)
    where = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else definition.file
    source = (frames[-1].line or "") if frames else ""
    return StepError(misuse.what, misuse.cause, misuse.remedy, f"{where}  {source}".rstrip(), name)


def own_frames(trace: Any) -> traceback.StackSummary:
    """The frames of the model, without the checker's."""
    frames = [f for f in traceback.extract_tb(trace) if not f.filename.startswith(_CHECKER)]
    return traceback.StackSummary.from_list(frames if len(frames) <= 20 else [*frames[:5], *frames[-5:]])


def complain(definition: Definition, what: str, cause: str, remedy: str, name: str) -> NoReturn:
    raise StepError(what, cause, remedy, definition.file, name)


def _summary(effect: object) -> str:
    if not isinstance(effect, Effect):
        return "not enabled" if effect is None else str(effect)
    sends = ", ".join(repr(message) for _, message in effect.sends) or "nothing"
    failure = f", and {effect.failure.sentence}" if effect.failure else ""
    return f"{show(effect.fields)} sending {sends}{failure}"
