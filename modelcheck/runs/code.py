"""Which lines of a model ran in a step: the step runs once more, and is watched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..errors import ModelError
from ..semantics.components import State
from ..semantics.lines import Line
from ..semantics.lockstep import Round
from ..semantics.partitions import Network
from ..semantics.system import Start, System, Transition
from .looking import OneByOne, is_the_same
from .trace import Trace


def lines_that_ran(system: System, transition: Transition, before: State) -> set[Line]:
    """The lines of the model's files that this very step executed; empty where that cannot be told."""
    if isinstance(transition, Round) or transition.process >= len(before) - 1:
        return set()
    if isinstance(before[transition.process + 1], Network):  # it splits, or heals: no line of the model does
        return set()
    watched = _Watched(system.definition, system.settings, twice=True)
    component = watched._intern(
        *(getattr(before[transition.process + 1], name) for name in ("profile", "crashed", "fields", "inbox"))
    )
    environment = watched._environment(*before[0].values())
    wanted = transition.outcome
    try:
        for other in watched._outcomes(environment, component):
            if is_the_same(other, wanted):
                return watched.ran
    except ModelError:
        pass
    return set()


def with_lines(system: System, trace: Trace, start: Start, transitions: Sequence[Transition]) -> Trace:
    """The trace of this run with the lines that ran in each step. Those of a round are not told apart, and left out."""
    if trace.rounds is not None:
        return trace
    steps, state = [], start.state
    for step, transition in zip(trace.steps, transitions, strict=True):
        known = step.deed is None or step.deed.runs_code
        ran = lines_that_ran(system, transition, state) if known else ()
        steps.append(replace(step, ran=tuple(sorted(ran))))
        state = state if transition.after is None else transition.after
    return replace(trace, steps=tuple(steps))


class _Watched(OneByOne):
    """A System that knows of the outcome it has just given which lines ran for it."""

    ran: set[Line] = set()

    def _run(self, *arguments: Any, **named: Any) -> Any:
        watched = self.runner.watched
        watched.begin_again()
        for outcome in super()._run(*arguments, **named):
            self.ran = set(watched.noted)
            yield outcome
            watched.begin_again()
