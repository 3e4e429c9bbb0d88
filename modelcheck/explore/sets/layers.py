"""What runs reach in so many steps: layer after layer as sets, and the way back from a state as a run."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from ...pulse import beat
from .reading import SetReader, Vector
from .records import AT, BLOCK, DEED, EMPTY, FROM, NONE, PLAIN, TURNS

MOST = 1_000_000  # states that are looked at as the one before another


class Layers:
    """The states that runs reach in so many steps, of a set of initial states. What these can do is known already."""

    def __init__(self, reader: SetReader, initial: int) -> None:
        self.reader, self.sets = reader, [initial]
        self.events = reader.tables.all_events()
        self._before: dict[tuple[int, int], dict[int, list[int]]] = {}

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
            at, deed, block, turns = (int(tables.event[event, column]) for column in (AT, DEED, BLOCK, TURNS))
            options: list[Sequence[int]] = [[number] for number in vector]
            if block != PLAIN:
                if vector[0] != turns:
                    continue
                options[0] = [int(tables.event[event, FROM]) - 1]
            for level, number in enumerate(vector):
                delivery = int(tables.delivery[event, level])
                if delivery:
                    options[level] = np.flatnonzero(tables.push[delivery] == number).tolist()
            options[at] = sorted({g for after in options[at] for g in self._doing(block, deed).get(after, ())})
            yield from itertools.islice(itertools.product(*options), MOST)

    def _doing(self, block: int, deed: int) -> dict[int, list[int]]:
        """By what becomes of them, the members that do this."""
        known = self._before.get((block, deed))
        if known is None:
            found = defaultdict[int, list[int]](list)
            tables = self.reader.tables
            for number in range(len(tables.members)):
                begin, end = tables.span[block, number].tolist()
                for row in range(begin, end) if begin != NONE else ():
                    if tables.row[row, 0] == deed:
                        found[int(tables.row[row, 1])].append(number)
            known = self._before[block, deed] = dict(found)
        return known
