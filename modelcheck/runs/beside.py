"""Two runs side by side: which steps they share, and where they first differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from .moments import Moment, moments
from .trace import Snapshot, Trace, TraceStep


@dataclass(frozen=True)
class Pair:
    """Two moments of the one and the other run that belong together; None where one run has nothing to match. They are the `same`
    where all that can be seen of the steps is, and `alike` where who took which step is."""

    one: Moment | None
    other: Moment | None
    same: bool
    alike: bool


def beside(one: Trace, other: Trace) -> tuple[Pair, ...]:
    """Both runs in pairs, in order, each moment once. The first pair is of the states at first. A variable that only one of the protocols
    has, such as what a variation keeps for itself, makes no difference."""
    left, right = moments(one), moments(other)
    common = frozenset(_variables(one) & _variables(other))
    keys = [_key(moment.steps) for moment in left], [_key(moment.steps) for moment in right]
    found: list[Pair] = []
    for kind, a, b, c, d in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if kind == "equal":
            found += [_pair(left[a + k], right[c + k], common) for k in range(b - a)]
        else:
            found += [Pair(moment, None, False, False) for moment in left[a:b]]
            found += [Pair(None, moment, False, False) for moment in right[c:d]]
    return tuple(found)


def first_difference(pairs: Sequence[Pair]) -> int | None:
    """The first pair that is not the same."""
    return next((number for number, pair in enumerate(pairs) if not pair.same), None)


def _variables(trace: Trace) -> set[str]:
    return {name for process in trace.initial.processes for name, _ in process.fields}


def _pair(one: Moment, other: Moment, common: frozenset[str]) -> Pair:
    same = (
        _begun(one.state, common) == _begun(other.state, common)
        if one.number == 0
        else [_seen(step, common) for step in one.steps] == [_seen(step, common) for step in other.steps]
    )
    return Pair(one, other, same, True)


def _begun(state: Snapshot, common: frozenset[str]) -> tuple[object, ...]:
    processes = (
        (one.process, one.crashed, [field for field in one.fields if field[0] in common], one.waiting)
        for one in state.processes
    )
    return (*processes, state.shared, state.blocks)


def _key(steps: Sequence[TraceStep]) -> tuple[object, ...]:
    """What makes two moments belong together: who took which step by which port."""
    return tuple((step.process, step.step, step.kind, step.port) for step in steps)


def _seen(step: TraceStep, common: frozenset[str]) -> tuple[object, ...]:
    """All that a line says of a step; not the state after it, which keeps every difference there ever was."""
    shared = {name for name, _ in step.state.shared}
    changed = tuple(change for change in step.changed if change[0] in common or change[0] in shared)
    return (_key((step,)), step.received, step.source, changed, step.sent, step.choices, step.failure)
