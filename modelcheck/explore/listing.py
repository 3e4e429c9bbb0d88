"""A world that was explored, as arrays: what stands in each slot of each state, and every transition out of every state.

An exploration keeps where transitions lead, and not by which step; those that change nothing and those that fail it only
counts. Here all of them are listed again, as many as were counted, by whichever engine explored. No state is a twin of
another here: worlds are explored without a group.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from ..semantics.components import State
from ..semantics.system import Outcome, System
from .exploration import Array, Exploration, Steps


class Listing:
    """The states and transitions of a world. `columns` are the environment, the processes, and the network where it can
    split; `outcomes` are those that transitions were listed with, by number."""

    def __init__(self, system: System, found: Exploration) -> None:
        assert not found.group, "states that stand for their twins cannot be listed one by one"
        self.system, self.found = system, found
        self.outcomes: list[Outcome] = []
        self.columns = found.columns()

    def __len__(self) -> int:
        return len(self.found.states)

    @cached_property
    def depths(self) -> Array:
        """The least number of steps that leads to each state."""
        return self.found.all_depths()

    def number_of(self, state: State) -> int:
        """The number of a state. Raises KeyError where it is none of this world."""
        same = np.ones(len(self), bool)
        for column, value in zip(self.columns, state, strict=True):
            place = next((number for number, other in enumerate(column.values) if other is value), -1)
            same &= column.numbers == place
        found = np.flatnonzero(same)
        if len(found) != 1:
            raise KeyError(state)
        return int(found[0])

    def batches(self) -> Iterator[Steps]:
        """All transitions, in the order of the states and of the steps in each, many at a time."""
        self.outcomes.clear()
        return self.found.steps(self.system, self.outcomes)
