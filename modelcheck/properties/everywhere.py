"""A property judged in all states of a world at once: what it sees of them is looked at column by column, and each view judged once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from ..explore.exploration import Column, Exploration
from ..later import Later
from ..pulse import beat, make_room
from ..semantics.components import Component, Environment
from .monitor import Monitor
from .view import SHARED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]
else:
    np, Array = Later("numpy"), Any

MOST = 1 << 62  # views that are told apart by one number


def holds_in(monitor: Monitor, found: Exploration) -> Array:
    """The mask of the states in which the property holds. Raises StepError where it breaks a rule, StoppedError at a limit."""
    columns = found.columns()
    while True:  # once more where it was seen to read more than it was known to read
        known = monitor.breadth
        seen = _views(monitor, columns, len(found.states))
        _, first, which = np.unique(seen, return_index=True, return_inverse=True)
        verdicts = np.zeros(len(first), np.bool_)
        for place, number in enumerate(first.tolist()):
            beat()
            verdicts[place] = monitor.holds(found.states[number])
            if monitor.breadth != known:
                break
        else:
            return np.asarray(verdicts[which.reshape(-1)])


def _views(monitor: Monitor, columns: Sequence[Column], states: int) -> Array:
    """A number for each state, equal where the property sees the same as far as is known."""
    make_room(24 * states)
    seen, kinds = np.zeros(states, np.int64), 1
    for numbers, values in columns:
        used, which = np.unique(numbers, return_inverse=True)
        names: dict[Hashable, int] = {}
        named = [names.setdefault(_seen_of(monitor, values[place]), len(names)) for place in used.tolist()]
        if kinds * len(names) >= MOST:
            kept, seen = np.unique(seen, return_inverse=True)
            seen, kinds = seen.reshape(-1), len(kept)
        seen = seen * len(names) + np.array(named, np.int64)[which.reshape(-1)]
        kinds *= len(names)
    return seen


def _seen_of(monitor: Monitor, part: Component | Environment) -> Hashable:
    if isinstance(part, Environment):
        return part.shared if SHARED in monitor.reads else None
    return monitor.projection(part)
