"""A world that was explored, as arrays: what stands in each slot of each state, and every transition out of every state.

An exploration keeps where transitions lead, and not by which step; those that change nothing and those that fail it only
counts. Here all of them are listed again, as many as were counted, by whichever engine explored. No state is a twin of
another here: worlds are explored without a group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..pulse import attended
from ..semantics.components import State
from ..semantics.system import Outcome, System
from .exploration import Exploration

Array = NDArray[Any]
SLICE = 200_000  # states whose transitions are listed together
FAILED = -1  # as a target: the step failed, and there is no state after it


class Column(NamedTuple):
    """One slot of all states: `values[numbers[k]]` is what stands there in state k."""

    numbers: Array
    values: Sequence[Any]


class Steps(NamedTuple):
    """Transitions in order: from which state, to which (or FAILED), by which process (-1: by all), with which outcome."""

    source: Array
    target: Array
    process: Array
    outcome: Array


class Listing:
    """The states and transitions of a world. `columns` are the environment, the processes, and the network where it can
    split; `outcomes` are those that transitions were listed with, by number."""

    def __init__(self, system: System, found: Exploration) -> None:
        assert not found.group, "states that stand for their twins cannot be listed one by one"
        self.system, self.found = system, found
        self.outcomes: list[Outcome] = []
        self._compiled = not isinstance(found.states, list)
        self.columns = self._decoded() if self._compiled else _interned(found.states)

    def __len__(self) -> int:
        return len(self.found.states)

    @cached_property
    def depths(self) -> Array:
        """The least number of steps that leads to each state."""
        if not self._compiled:
            return np.asarray(self.found.depths, np.int64)
        from .compiled.cycles import fill_depths

        depths = np.zeros(len(self), np.int64)
        fill_depths(np.asarray(self.found.parents), depths)
        return depths

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
        yield from self._by_tables() if self._compiled else self._by_semantics()

    # --- of the reference engine

    def _by_semantics(self) -> Iterator[Steps]:
        found, system = self.found, self.system
        numbers = {state: number for number, state in enumerate(found.states)}
        known: dict[int, int] = {}
        for begin in range(0, len(self), SLICE):
            steps = []
            for source in attended(range(begin, min(begin + SLICE, len(self)))):
                for taken in system.successors(found.world, found.states[source]):
                    outcome = known.setdefault(id(taken.outcome), len(self.outcomes))
                    if outcome == len(self.outcomes):
                        self.outcomes.append(taken.outcome)  # which keeps its id from being used again
                    target = FAILED if taken.after is None else numbers[taken.after]
                    steps.append((source, target, taken.process, outcome))
            yield Steps(*np.array(steps, np.int64).reshape(-1, 4).T)

    # --- of the compiled engine

    def _decoded(self) -> list[Column]:
        states: Any = self.found.states
        layout, tables = states.layout, states.tables
        width = len(layout.shape.width)
        words = states.words[: len(states) * width].reshape(-1, width)
        columns = [
            Column(((words[:, word] >> np.uint64(shift)) & np.uint64(mask)).astype(np.int32), values)
            for (word, shift, mask), values in zip(
                layout.packing,
                [tables.environments.by_number] * layout.offset + [family.members for family in layout.families],
                strict=True,
            )
        ]
        if not layout.offset:
            columns.insert(0, Column(np.zeros(len(states), np.int32), tables.environments.by_number))
        return columns

    def _by_tables(self) -> Iterator[Steps]:
        from .compiled import steps

        states: Any = self.found.states
        of_row = steps.outcomes(self.system, states.layout, states.tables)
        self.outcomes.extend(of_row.outcomes)
        targets, first = np.asarray(self.found.targets), np.asarray(self.found.first)
        for begin in attended(range(0, len(self), SLICE)):
            end = min(begin + SLICE, len(self))
            source, slot, row, kind = steps.listed(states, begin, end)
            target = np.where(kind == steps.FAILS, FAILED, source)
            target[kind == steps.CHANGES] = targets[first[begin] : first[end]]
            yield Steps(source, target, slot - states.layout.offset, of_row.number[row])


def _interned(states: Sequence[State]) -> list[Column]:
    columns = []
    for place in range(len(states[0]) if states else 0):
        known: dict[Any, int] = {}
        numbers = np.fromiter((known.setdefault(state[place], len(known)) for state in states), np.int32, len(states))
        columns.append(Column(numbers, list(known)))
    return columns
