"""What happens next? The questions that the page asks before it shows the answer, and what is said to those that are given."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from ..errors import UsageError
from ..explore.limits import Limits, Meter
from ..predict import effects, ending, possible
from ..runs.trace import snapshot, steps_of
from ..semantics.components import State
from ..semantics.worlds import World
from . import paths
from .paths import WrittenRun
from .searching import same
from .subject import Subject

ENDS = Limits(max_states=20_000, max_seconds=5)
Data = dict[str, Any]


def endings_from(subject: Subject, world: World, state: State) -> ending.Endings:
    """How the runs from a state end, looked for within a few seconds."""
    system = subject.fresh_system()
    return ending.endings(system, world, same(system, state), Meter(ENDS))


def refuse_rounds(subject: Subject) -> None:
    """Raises UsageError in lock-step, where nobody chooses what happens next."""
    if subject.settings.schedule == "lockstep":
        raise UsageError("in lock-step all take their steps at once: there is nothing to predict; leave out --schedule lockstep")  # fmt: skip


def asked(subject: Subject, run: WrittenRun, of: str) -> Data:
    """What can be answered: which steps are `possible`, or who leads in the `end`."""
    refuse_rounds(subject)
    if run.failure is not None or run.loop is not None:
        raise UsageError("the run is over: there is nothing to predict")
    if of == "possible":
        offered = possible.candidates(subject.system, run.world, run.state)
        return {"candidates": [[one.process, one.step, one.received] for one in offered], "end": ending.can_be_asked(subject.system)}  # fmt: skip
    if of == "end":
        return {"answers": list(ending.answers(run.world))}
    raise UsageError(f"one can be asked what is possible, or who leads in the end, not {of[:40]!r}")


def judged(subject: Subject, run: WrittenRun, of: str, answer: str) -> Data:
    """What is said to an answer: the numbers of the steps that are `possible`; the name of who leads in the `end`; of the last
    `step` of the run what changes and what is sent."""
    refuse_rounds(subject)
    if of == "possible":
        offered = possible.candidates(subject.system, run.world, run.state)
        return {"said": [{"possible": one.possible, "why": one.why} for one in offered]}
    if of == "end":
        truth = endings_from(subject, run.world, run.state)
        ways = [[who, paths.continued(subject, run, way)] for who, way in truth.leaders.items()]
        return {"right": truth.complete and answer == truth.truth, "known": truth.complete, "said": truth.said, "ways": ways}  # fmt: skip
    if of == "step":
        return {"said": _of_last(subject, run, answer)}
    raise UsageError(f"there is no question about {of[:40]!r}")


def _of_last(subject: Subject, run: WrittenRun, answer: str) -> list[Data]:
    if not run.transitions:
        raise UsageError("no step has been taken")
    system, before, taken = subject.system, run.states[-2], run.transitions[-1]
    (step,) = steps_of(system, run.world, before, taken)
    try:
        given = json.loads(answer)
        variables, sent = {str(name): str(value) for name, value in given["variables"].items()}, str(given["sent"])
    except (ValueError, TypeError, KeyError, AttributeError):
        raise UsageError('an answer is {"variables": {NAME: VALUE}, "sent": TEXT}') from None
    found = effects.judged(snapshot(system, run.world, before), step, variables, sent)
    return [
        asdict(one) | {"code": [] if one.right else effects.behind(system, before, taken, one.about)} for one in found
    ]
