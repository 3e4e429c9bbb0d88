"""How many messages runs send, as a set: of one column of those that are counted (count/extremes.py), all of them or those of a type.

Every process gets a number that says how many messages of the column it has sent: history, which changes nothing of what it does. The set that is
reachable then is finite if and only if no run sends without bound. A run that ends has sent the sum of the numbers in the terminal state that
it comes to, so the least sum in one is the least number. No run sends more than the greatest sum in any state; where all runs end, that is one in a
terminal state.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from ...count.census import Extreme
from ...count.extremes import Columns
from ...errors import SearchError
from ...explore.sets import passes
from ...explore.sets.alphabet import AlphabetTables, Array, EndlessError
from ...explore.sets.beginning import Beginnings, histories
from ...explore.sets.diagram import Diagram
from ...explore.sets.layers import Layers
from ...explore.sets.reading import SetReader, Vector
from ...explore.sets.records import EMPTY
from ...semantics.system import Outcome, Transition
from ...semantics.worlds import World

SENT = 64, 16  # messages that one process is taken to send at most: so many, and so many for each process


class Sending:
    """All that is reachable in the worlds of a size where processes have such numbers.

    used  the columns of which something is sent
    """

    def __init__(self, begins: Beginnings, columns: Columns, column: int, told: Callable[[Diagram], None]) -> None:
        """Raises EndlessError where some process can send more than it is taken to, and what else a search raises."""
        n, used = begins.tables.n, set[int]()
        most = SENT[0] + SENT[1] * n

        def sent(outcome: Outcome) -> int:
            amounts = columns.sent(outcome)
            used.update(place for place, amount in enumerate(amounts) if amount)
            return amounts[column]

        self.used, self._sent = used, sent
        self.tables = AlphabetTables(begins.system, n, begins.tables.processes[:n], sent, most)
        self.reader = SetReader(Diagram(self.tables, told))
        try:
            initial = self.reader.diagram.of_vectors(begins.with_history(self.tables, sent))
            self.reachable = self.reader.diagram.saturated(initial)
        except EndlessError:
            raise EndlessError(f"some process can send more than {most} messages") from None
        self.terminal = self.reader.terminal(self.reachable)

    @property
    def history(self) -> Array:
        """The number of each member."""
        return np.array([member.history for member in self.tables.members.by_number], np.int64)

    # --- a run

    def run(self, world: World, order: int, amount: int, ends: bool) -> Extreme:
        """A shortest run of a world that sends so many, the least or the greatest number that there is; one that `ends`, if that is asked for."""
        tables, wires = self.tables, self.tables.wires(world)
        begun = {
            tuple(tables.numbered(start.state, wires, histories(start, world.n, self._sent))): start
            for start in tables.system.starts(world)
        }
        layer = reached = self.reader.diagram.of_vectors(np.array(list(begun), np.uint32))
        layers, at_rest = Layers(self.reader, layer), self.reader.present(self.terminal)
        while (last := self._with_sum(self._ended(layer, at_rest) if ends else layer, amount)) is None:
            layer, before = layers.deepen(), reached
            reached = self.reader.diagram.union(reached, layer)
            if reached == before:  # where a process goes round, layers have no end
                raise SearchError(f"{amount:,} messages were counted, and no run sends so many")
        way = layers.way(last)
        taken = tuple(self._step(world, before, after) for before, after in itertools.pairwise(way))
        return Extreme(amount, order, world, begun[way[0]], taken)

    def _ended(self, layer: int, at_rest: Array) -> int:
        """The terminal states of a layer: of those whose members all stand in some terminal state, so that mostly there are none to look at."""
        layer = self.reader.restricted(layer, at_rest)
        return layer if layer == EMPTY else self.reader.terminal(layer)

    def _with_sum(self, root: int, amount: int) -> Vector | None:
        """A vector of a set whose numbers add up to so many, where that is the least or the greatest sum in it."""
        if root == EMPTY:
            return None
        forest, history, above = self.reader.diagram.forest, self.history, self.tables.environments
        least, greatest = np.zeros(root + 1, np.int64), np.zeros(root + 1, np.int64)
        marks = np.zeros(root + 1, np.uint8)
        passes.mark(forest, root, marks)
        passes.least_and_greatest(forest, marks, history, above, least, greatest)
        of = least if least[root] == amount else greatest
        if of[root] != amount:
            return None
        found: list[int] = []
        for level in range(self.tables.levels):
            left, edges = of[root], self.reader.edges(root)
            label, root = next((k, to) for k, to in edges if of[to] == left - (history[k] if level >= above else 0))
            found.append(label)
        return tuple(found)

    def _step(self, world: World, before: Vector, after: Vector) -> Transition:
        """The step of the plain semantics that leads from the one state to the other, and sends as many as the numbers say."""
        tables, history = self.tables, self.history
        above = tables.environments
        more = int(history[list(after[above:])].sum() - history[list(before[above:])].sum())
        state = tables.state(after)
        for step in tables.system.successors(world, tables.state(before)):
            if step.after == state and self._sent(step.outcome) == more:
                return step
        raise SearchError("the way that leads to a state is no run")
