"""The shortest run that breaks a property, over all worlds: layer after layer of states, up to the first in which it is broken; and from there
back to a state in which runs begin. The run is one of the plain semantics, which replays it like every other."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from ...errors import SearchError
from ...explore.sets.alphabet import Array
from ...explore.sets.layers import Layers
from ...explore.sets.reading import Vector
from ...explore.sets.records import AT, EMPTY, FIRST, FROM, NONE, PLAIN, TURNS
from ...properties.monitor import Monitor
from ...semantics.system import System, Transition
from ...semantics.worlds import World
from .judging import Eye, Judge

Shown = tuple[
    str, list[Vector], str
]  # the property, the states of a run, and of a step that fails behind them what kind of failure


class Breaker:
    """Finds for each property that is broken the first layer in which it is, and a run that leads there."""

    def __init__(self, judge: Judge, initial: int) -> None:
        self.judge, self.reader, self.tables = judge, judge.reader, judge.tables
        self.layers = Layers(judge.reader, initial)

    def runs(
        self, always: Sequence[Monitor], steps: Sequence[Monitor], ends: Sequence[Monitor], failures: Iterable[str]
    ) -> Iterator[Shown]:
        """A shortest run for each of these properties, and for each of these kinds of failures, as they are found. All of them are broken
        in some state that is reachable."""
        ways: dict[str, Callable[[int], list[Vector] | None]] = {}
        for monitor in always:
            ways[monitor.property.name] = partial(self._state, monitor)
        for monitor in ends:
            ways[monitor.property.name] = partial(self._end, monitor)
        for monitor in steps:
            ways[monitor.property.name] = partial(self._step, monitor)
        kinds = list(failures)
        layer = self.layers.sets[0]
        while ways or kinds:
            if layer == EMPTY:
                raise SearchError(f"no layer breaks what is broken: {', '.join([*ways, *kinds])}")
            depth = len(self.layers.sets) - 1
            for name, find in list(ways.items()):
                found = find(layer)
                if found is not None:
                    del ways[name]
                    yield name, [*self.layers.way(found[0], depth), *found[1:]], ""
            for kind in kinds.copy():
                vector = self._failing(kind, layer)
                if vector is not None:
                    kinds.remove(kind)
                    yield "", self.layers.way(vector, depth), kind
            if ways or kinds:
                layer = self.layers.deepen()

    def _state(self, monitor: Monitor, layer: int) -> list[Vector] | None:
        """A state of a set in which the property does not hold."""
        eye = self.judge.eye(monitor)
        bad = self.judge.bad[monitor.property.name]
        vector = next((vector for view, vector in self.judge.looks(eye, layer).items() if view in bad), None)
        if vector is None:
            return None
        classes, present = eye.classes(), self.reader.members_at(layer)
        levels = range(self.tables.environments, self.tables.levels)
        like = {level: [k for k in present[level] if classes[k] == vector[level]] for level in levels}
        if self.tables.environments:
            like[0] = [k for k in present[0] if eye.environment_of[k] == vector[0]]
        return [self.reader.some_vector(self.reader.restricted(layer, self.reader.only(like)))]

    def _end(self, monitor: Monitor, layer: int) -> list[Vector] | None:
        """A terminal state of a set in which the property does not hold."""
        return self._state(monitor, self.reader.terminal(layer))

    def _step(self, monitor: Monitor, layer: int) -> list[Vector] | None:
        """A step out of a state of a set of which the property does not hold: the state before, and the one after."""
        eye = self.judge.eye(monitor)
        bad = self.judge.bad[monitor.property.name]
        for steps in self.judge.taken(eye, layer, every=True):
            for view, vector in steps.looks.items():
                if view in bad:
                    return self._taken(eye, steps.event, layer, steps.pairs[list(vector)])
        return None

    def _taken(self, eye: Eye, event: int, layer: int, pairs: Array) -> list[Vector]:
        """The states before and after a step that looks so, out of a state of the layer."""
        tables, classes = self.tables, eye.classes()
        columns = tables.event[event]
        at, turns, came_from = int(columns[AT]), int(columns[TURNS]), int(columns[FROM])
        own = tables.rows_of(event).tolist()
        like: dict[int, list[int]] = {0: [came_from - 1]} if came_from else {}
        for level in range(tables.environments, tables.levels):
            before, after = pairs[level].tolist()
            numbers = [k for k in self.reader.members_at(layer)[level] if classes[k] == before]
            if level == at:
                numbers = [k for k in numbers if any(k == g and classes[h] == after for g, h in own)]
            elif delivery := int(tables.delivery[event, level]):
                numbers = [
                    k
                    for k in numbers
                    if tables.push[delivery, k] != NONE and classes[tables.push[delivery, k]] == after
                ]
            like[level] = numbers
        vector = self.reader.some_vector(self.reader.restricted(layer, self.reader.only(like)))
        later = [
            int(tables.push[tables.delivery[event, level], number]) if tables.delivery[event, level] else number
            for level, number in enumerate(vector)
        ]
        later[at] = next(h for g, h in own if g == vector[at] and classes[h] == pairs[at, 1])
        if came_from:
            later[0] = turns
        return [vector, tuple(later)]

    def _failing(self, kind: str, layer: int) -> Vector | None:
        """A state of a set in which some step fails so."""
        tables = self.tables
        for block, number in sorted(key for key, kinds in tables.failing.items() if kind in kinds):
            for level in range(tables.environments, tables.levels):
                only = {level: [number], **({0: [block - FIRST]} if block != PLAIN else {})}
                found = self.reader.restricted(layer, self.reader.only(only))
                if found != EMPTY:
                    return self.reader.some_vector(found)
        return None


def transitions(system: System, world: World, states: Sequence[tuple[object, ...]], failure: str) -> list[Transition]:
    """The transitions of a run through these states, and one that fails so at its end. Raises SearchError where there is none."""
    found = []
    for before, after in itertools.pairwise(states):
        step = next((t for t in system.successors(world, before) if t.after == after), None)
        if step is None:
            raise SearchError("the way that leads to a state is no run")
        found.append(step)
    if failure:
        last = system.successors(world, states[-1])
        found.append(next(t for t in last if t.outcome.failure is not None and t.outcome.failure.kind == failure))
    return found
