"""Where properties fail in a world: in which states, and in which steps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..explore.exploration import FAILED, Array, Column, Steps
from ..language.properties import Property
from ..properties.monitor import Monitor
from ..semantics.components import Component
from .classes import Classes, classes
from .one_world import OneWorld


class Breaches:
    """`states` has for each violated property of states which of them break it; `steps` are the violated ones of steps.

    A property is asked of one state (or step) of all that look alike to it, again until it reads nothing new; so the answer
    is exact for all of them, as in the search (properties/view.py).
    """

    def __init__(self, one: OneWorld) -> None:
        self._one, self._found = one, one.found
        self.states: dict[str, Array] = {}
        self.steps: dict[str, Monitor] = {}
        for prop in one.request.properties:
            if prop.name not in one.violations or prop.kind not in ("always", "at the end", "every step"):
                continue
            monitor = Monitor(prop, one.system)
            monitor.enter(one.world, False)
            if prop.kind == "every step":
                self.steps[prop.name] = monitor
            else:
                self.states[prop.name] = self._broken_by(prop, monitor)

    def _broken_by(self, prop: Property, monitor: Monitor) -> Array:
        states, count = self._found.states, len(self._found.states)
        considered = np.asarray(self._found.terminals, np.int64) if prop.kind == "at the end" else np.arange(count)
        broken = np.zeros(count, bool)
        while True:
            breadth = monitor.breadth
            of = self._as_seen_by(monitor).of[considered]
            kinds, first = np.unique(of, return_index=True)
            asked = zip(kinds, considered[first], strict=True)
            wrong = [kind for kind, number in asked if not monitor.holds(states[int(number)])]
            if monitor.breadth == breadth:
                broken[considered] = np.isin(of, wrong)
                return broken

    def of_steps(self, batch: Steps) -> Iterator[tuple[str, int]]:
        """The transitions of a batch that break a property of steps: its name, and the place in the batch."""
        states = self._found.states
        places = np.flatnonzero(batch.target != FAILED)
        source, target = batch.source[places], batch.target[places]
        for name, monitor in self.steps.items():
            while True:
                breadth = monitor.breadth
                seen = self._as_seen_by(monitor)
                pair = seen.of[source] * len(seen) + seen.of[target]
                kinds, first = np.unique(pair, return_index=True)
                asked = [
                    (kind, states[int(source[k])], states[int(target[k])]) for kind, k in zip(kinds, first, strict=True)
                ]
                wrong = [kind for kind, before, after in asked if not monitor.holds(before, after)]
                if monitor.breadth == breadth:
                    break
            for place in places[np.isin(pair, wrong)]:
                yield name, int(place)

    def _as_seen_by(self, monitor: Monitor) -> Classes:
        listing = self._one.listing
        return classes([_seen(monitor, column) for column in listing.columns], len(listing))


def _seen(monitor: Monitor, column: Column) -> Array:
    """What a property sees of the slot in each state, as a number."""
    known: dict[object, int] = {}
    seen = [
        known.setdefault(monitor.projection(value) if isinstance(value, Component) else value.shared, len(known))
        for value in column.values
    ]
    return np.array(seen or [0], np.int64)[column.numbers]
