"""The part of a world that is reachable through some of its states alone, from where one comes to them, with the face of every exploration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from ..later import Later
from ..pulse import beat, make_room
from ..semantics.components import State
from ..semantics.system import Outcome, System
from .exploration import FAILED, Column, Exploration, Steps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]
else:
    np, Array = Later("numpy"), Any


@dataclass
class Restriction(Exploration):
    """Views of the exploration of the `whole` world: state k is `originals[k]` there, and state k of the whole is `numbers[k]` here, or
    -1. A step that leads out of it counts as one that fails: there is no state after it. States with a parent of -1 are those by which
    one comes into it; how is known to the whole, and depths are counted from where that begins."""

    states: Sequence[State] = field(default=(), init=False)
    depths: Array = field(default_factory=lambda: np.zeros(0, np.int64), init=False)
    whole: Exploration | None = None
    originals: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    numbers: Array = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def _whole(self) -> Exploration:
        assert self.whole is not None
        return self.whole

    def columns(self) -> list[Column]:
        return [Column(column.numbers[self.originals], column.values) for column in self._whole.columns()]

    def steps(self, system: System, outcomes: list[Outcome]) -> Iterator[Steps]:
        """In the order of the states of the whole."""
        for source, target, process, outcome in self._whole.steps(system, outcomes):
            within = self.numbers[source] >= 0
            inside = np.where(target >= 0, self.numbers[target], FAILED)
            yield Steps(self.numbers[source[within]], inside[within], process[within], outcome[within])

    def all_depths(self) -> Array:
        return self.depths

    def way(self, number: int) -> tuple[int, list[State]]:
        numbers = [number]
        while (parent := int(self.parents[numbers[-1]])) >= 0:
            numbers.append(parent)
        first, before = self._whole.way(int(self.originals[numbers[-1]]))
        return first, before + [self.states[k] for k in reversed(numbers[:-1])]


class _Picked(Sequence[State]):
    """Some of the states."""

    def __init__(self, states: Sequence[State], places: Array) -> None:
        self._states, self._places = states, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, number: int) -> State: ...
    @overload
    def __getitem__(self, number: slice) -> list[State]: ...
    def __getitem__(self, number: int | slice) -> State | list[State]:
        if isinstance(number, slice):
            return [self._states[int(place)] for place in self._places[number]]
        return self._states[int(self._places[number])]


def restrict(found: Exploration, keep: Array, begin: Array) -> Restriction:
    """The part of a complete exploration that is reachable through the states that the mask `keep` has, alone, from those of them that
    `begin` has, however one comes to these; with its states in the order of their depths.

    Raises StoppedError when a limit is reached on the way.
    """
    first, targets = np.asarray(found.first), np.asarray(found.targets)
    make_room(8 * (5 * len(keep) + 2 * len(targets)))
    numbers = np.full(len(keep), -1, np.int64)
    entries = np.flatnonzero(begin & keep)
    entered = found.all_depths()[entries]
    entries, entered = entries[np.argsort(entered, kind="stable")], np.sort(entered)
    layer = came_from = np.zeros(0, np.int64)
    layers, before, depths, count, depth = [layer], [came_from], [0], 0, 0
    while len(layer) or len(entries):
        beat()
        here = np.searchsorted(entered, depth, "right")
        fresh = np.setdiff1d(entries[:here], layer)  # those before it were not reached sooner than in the whole
        entries, entered = entries[here:], entered[here:]
        layer = np.concatenate((layer, fresh))
        layers.append(layer)
        before.append(np.concatenate((came_from, np.full(len(fresh), -1, np.int64))))
        depths.append(depth)
        numbers[layer] = np.arange(count, count + len(layer))
        count += len(layer)
        depth += 1
        source, reached = out_of(layer, first, targets)
        onwards = keep[reached] & (numbers[reached] < 0)
        source, reached = source[onwards], reached[onwards]
        _, met_first = np.unique(reached, return_index=True)
        met_first.sort()
        came_from, layer = numbers[layer[source[met_first]]], reached[met_first]
    originals = np.concatenate(layers)
    source, reached = out_of(originals, first, targets)
    inside = keep[reached]
    part = Restriction(
        found.world, found.group, found.starts, transitions=found.transitions, complete=found.complete, acyclic=found.acyclic,
        whole=found, originals=originals, numbers=numbers,
    )  # fmt: skip
    part.states = _Picked(found.states, originals)
    part.parents = np.concatenate(before)
    part.depths = np.repeat(depths, [len(layer) for layer in layers])
    part.targets = numbers[reached[inside]]
    part.first = np.concatenate(([0], np.cumsum(np.bincount(source[inside], minlength=len(originals)))))
    part.terminals = np.flatnonzero(np.isin(originals, np.asarray(found.terminals)))
    return part


def out_of(states: Array, first: Array, targets: Array) -> tuple[Array, Array]:
    """The targets of these states, in order, and beside each the place of its source among them."""
    lengths = first[states + 1] - first[states]
    source = np.repeat(np.arange(len(states)), lengths)
    ahead = np.concatenate(([0], np.cumsum(lengths)[:-1])) if len(states) else lengths
    return source, targets[np.repeat(first[states] - ahead, lengths) + np.arange(len(source))]
