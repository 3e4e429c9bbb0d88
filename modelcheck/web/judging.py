"""What can be said of each property at one moment of a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..check.findings import ALWAYS_CHECKED
from ..errors import ModelError
from ..language.properties import LASTING, ON_THE_WAY, Because, Property
from ..properties.view import Reason, StateView, evaluate, reason_against
from ..properties.whole_runs import breach, sentence
from ..semantics.components import State
from .meaning import is_terminal
from .paths import WrittenRun
from .subject import Subject

Data = dict[str, Any]


def ended(subject: Subject, found: WrittenRun) -> bool:
    """Whether the run has come to a terminal state."""
    return found.loop is None and is_terminal(subject.system, found.world, found.state)


def judged(subject: Subject, found: WrittenRun) -> Iterator[Data]:
    """Each property, and what can be said of it here: `here` is "holds", "fails", "later" (it is about ends, or about whole
    runs, and this one is not over) or "unknown" (it cannot be evaluated); `failed` is the first step after which it failed, counted from 0."""
    states = found.states
    for prop in subject.request.properties:
        words: Data = {"name": prop.name, "kind": prop.kind, "claim": prop.claim, "reason": "", "failed": None}
        try:
            yield words | _judged(subject, found, prop, states)
        except ModelError as error:
            yield words | {"here": "unknown", "note": error.what, "reason": error.cause}
    failure = found.failure
    for name, kind, claim in ALWAYS_CHECKED:
        fails = failure is not None and failure.kind == kind
        yield {
            "name": name, "kind": kind, "claim": claim, "here": "fails" if fails else "holds", "note": "fails here" if fails else "so far",
            "reason": failure.sentence if fails else "", "failed": len(found.transitions) if fails else None,
        }  # fmt: skip


def _judged(subject: Subject, found: WrittenRun, prop: Property, states: list[State]) -> Data:
    last = len(states) - 1
    over = found.failure is None and ended(subject, found)
    if prop.kind == "terminates":
        if over:
            return {"here": "holds", "note": "this run has ended"}
        return {"here": "later", "note": "is about whole runs"}
    if prop.kind == "eventually" and breach(prop, subject.system, found.world, states, None) is None:
        views = ((StateView(subject.system, found.world, state),) for state in states)
        first = next((place for place, view in enumerate(views) if evaluate(prop, view)), None)
        return {"here": "holds", "note": "reached by each" if first is None else f"reached after {_steps(first)}"}
    if prop.kind == "eventually" and not over:
        return {"here": "later", "note": "is about whole runs; not reached yet"}
    if prop.kind in ON_THE_WAY or (prop.kind in LASTING and not over):
        return _judged_as_a_whole(subject, found, prop, over)
    if prop.kind in ("at the end", *LASTING):
        if not over:
            return {"here": "later", "note": "is about the end of a run"}
        ending = evaluate(prop, (StateView(subject.system, found.world, states[-1]),))
        return {
            "here": "holds" if ending else "fails",
            "note": "holds at this end" if ending else "fails at this end",
            "reason": _sentence(ending),
            "failed": None if ending else last,
        }
    failed: int | None = None
    reason = ""
    verdict: Any = None
    for place in range(len(states)):
        verdict = verdict_at(subject, found, prop, states, place)
        if verdict is not None and not verdict and failed is None:
            failed, reason = place, _sentence(verdict)
    if verdict is not None and not verdict:
        return {"here": "fails", "note": "fails here", "reason": _sentence(verdict), "failed": failed}
    if failed is not None:
        return {"here": "fails", "note": f"failed after {_steps(failed)}", "reason": reason, "failed": failed}
    if verdict is None:
        return {"here": "later", "note": "no step yet"}
    return {"here": "holds", "note": "holds here" if prop.kind == "always" else "holds of every step so far"}


def _judged_as_a_whole(subject: Subject, found: WrittenRun, prop: Property, over: bool) -> Data:
    """Of what a run does for ever: whether it has ended well, and what is to be said of one that may still go on."""
    if over:
        reason = reason_at(subject, found, prop)
        if reason is None:
            return {"here": "holds", "note": "holds in this run, which has ended"}
        return {"here": "fails", "note": "fails in this run", "reason": reason.sentence}
    kept = breach(prop, subject.system, found.world, found.states, found.loop) is None
    if found.loop is not None:
        return {"here": "later", "note": f"{'kept' if kept else 'broken'} where these steps repeat for ever"}
    return {
        "here": "later",
        "note": f"is about whole runs; if this one ended here it would {'hold' if kept else 'fail'}",
    }


def verdict_at(subject: Subject, found: WrittenRun, prop: Property, states: list[State], place: int) -> Any:
    """What the property says after so many steps; None where that is no question."""
    views = _asked_at(subject, found, prop, states, place)
    return evaluate(prop, views) if views else None


def reason_at(subject: Subject, found: WrittenRun, prop: Property) -> Reason | None:
    """Why the property does not hold at the end of this run; None where it does, and where that is no question."""
    if prop.kind in ON_THE_WAY:
        return _broken(subject, found, prop) if found.failure is None and ended(subject, found) else None
    views = _asked_at(subject, found, prop, found.states, len(found.states) - 1)
    return reason_against(prop, views) if views else None


def _broken(subject: Subject, found: WrittenRun, prop: Property) -> Reason | None:
    """How a run that has ended breaks a property of what was on the way."""
    how = breach(prop, subject.system, found.world, found.states, None)
    if how is None:
        return None
    who = "" if how.of is None else found.world.label(how.of)
    unit = "step" if subject.system.stutters else "round"
    return Reason(sentence(prop, how, False, True, who, unit), () if how.of is None else (how.of,))


def _asked_at(
    subject: Subject, found: WrittenRun, prop: Property, states: list[State], place: int
) -> tuple[StateView, ...]:
    """What the property is asked about after so many steps; nothing where that is no question."""
    over = found.failure is None and place == len(found.transitions)
    first = {"always": place, "every step": place - 1 if place else None}.get(prop.kind)
    if prop.kind in ("at the end", *LASTING) and over and ended(subject, found):
        first = place
    if first is None:
        return ()
    return tuple(StateView(subject.system, found.world, state) for state in states[first : place + 1])


def _sentence(verdict: Any) -> str:
    return verdict.sentence if isinstance(verdict, Because) else ""


def _steps(number: int) -> str:
    return f"{number} step" + ("" if number == 1 else "s")
