"""What runs reach in so many steps: layer after layer as sets, and the way back from a state as a run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from ...pulse import beat
from .reading import SetReader, Vector
from .records import AT, EMPTY, FROM, TURNS


class Layers:
    """The states that runs reach in so many steps, of a set of initial states. What these can do is known already."""

    def __init__(self, reader: SetReader, initial: int) -> None:
        self.reader, self.sets = reader, [initial]
        self.events = reader.tables.all_events()

    def deepen(self) -> int:
        """The next layer."""
        found = EMPTY
        for event in self.events:
            beat()
            found = self.reader.diagram.union(found, self.reader.diagram.image(event, self.sets[-1]))
        self.sets.append(found)
        return found

    def way(self, vector: Vector, layer: int | None = None) -> list[Vector]:
        """A run from an initial state to a state of a layer, or of the last: in so many steps."""
        found = [vector]
        for before in reversed(self.sets[: len(self.sets) - 1 if layer is None else layer]):
            found.append(next(one for one in self._predecessors(found[-1]) if self.reader.has(before, one)))
        return found[::-1]

    def _predecessors(self, vector: Vector) -> Iterator[Vector]:
        """Vectors from which an event leads to this one."""
        tables = self.reader.tables
        for event in self.events:
            beat()
            at, turns, came_from = (int(tables.event[event, column]) for column in (AT, TURNS, FROM))
            options: list[Sequence[int]] = [[number] for number in vector]
            if came_from:
                if vector[0] != turns:
                    continue
                options[0] = [came_from - 1]
            for level, number in enumerate(vector):
                delivery = int(tables.delivery[event, level])
                if delivery:
                    options[level] = np.flatnonzero(tables.push[delivery] == number).tolist()
            rows = tables.rows_of(event)
            options[at] = sorted(set(rows[rows[:, 1] == vector[at], 0].tolist()))
            yield from itertools.product(*options)
