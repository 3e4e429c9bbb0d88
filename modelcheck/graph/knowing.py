"""Who knows the leader in which states, or has decided otherwise what the protocol is about."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..explore.exploration import Array
from ..semantics.components import Component
from .classes import Collapse, listed

KNOWN = ("leader", "status")


class Knowing:
    """In an election a process knows when it has decided who leads, unless that one is down. In any other protocol it is counted
    whose fields that properties read are no longer what they were at first."""

    def __init__(self, observer: Collapse, reads: set[Any]) -> None:
        self._observer, self._names = observer, observer.names
        varying = observer.varying()
        self._election = any(name in self._names for name in KNOWN)
        if self._election:
            self.decisions = tuple(name for name in KNOWN if name in self._names)
            self.word = next((name for name in KNOWN if name in varying), "leader")
        else:
            self.decisions = tuple(name for name in varying if name in reads)
            self.word = listed(self.decisions)

    def of(self, of: Array, many: int) -> list[str]:
        """For each class of states who knows in them: "all" of those alive in all of its states, "none" in any, or "some"."""
        if not self.decisions:
            return ["none"] * many
        world = self._observer.world
        alive = np.stack([self._told(place, _is_alive) for place in range(world.n)])
        knowing = np.zeros(len(of), np.int64)
        for place in range(world.n):
            knows = (self._told(place, partial(self._decided, place)) & alive[place]).astype(bool)
            if "leader" in self.decisions and world.distinct:
                leader = self._told(place, self._leader)
                knows &= np.where(leader >= 0, alive[leader, np.arange(len(of))], 1).astype(bool)
            knowing += knows
        living = alive.sum(axis=0)
        everyone = np.bincount(of[(knowing == living) & (living > 0)], minlength=many)
        someone = np.bincount(of[knowing > 0], minlength=many)
        states = np.bincount(of, minlength=many)
        return ["all" if everyone[k] == states[k] else "some" if someone[k] else "none" for k in range(many)]

    def _told(self, place: int, tell: Callable[[Component], int]) -> Array:
        """Something told of one process's component, for each state."""
        column = self._observer.processes[place]
        return np.array([tell(component) for component in column.values] or [0], np.int64)[column.numbers]

    def _decided(self, place: int, component: Component) -> int:
        values = dict(zip(self._names, component.fields, strict=True))
        if self._election:
            return values.get("leader") is not None or values.get("status") not in (None, "undecided")
        first = dict(zip(self._names, self._observer.at_first[place + 1].fields, strict=True))
        return any(values[name] != first[name] for name in self.decisions)

    def _leader(self, component: Component) -> int:
        """The place of the process that is taken for the leader; -1 where that is none."""
        leader = component.fields[self._names.index("leader")]
        owners = [process.profile.identifier for process in self._observer.at_first[1 : self._observer.world.n + 1]]
        return next((k for k, own in enumerate(owners) if type(own) is type(leader) and own == leader), -1)


def _is_alive(component: Component) -> int:
    return not component.crashed
