"""The part of a world that is reachable through some of its states alone, with the face of every exploration."""

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
    -1. A step that leads out of it counts as one that fails: there is no state after it."""

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


def restrict(found: Exploration, keep: Array) -> Restriction:
    """The part of a complete exploration that is reachable through the states that the mask `keep` has, alone, with its states in
    breadth-first order.

    Raises StoppedError when a limit is reached on the way.
    """
    first, targets, parents = (np.asarray(numbers) for numbers in (found.first, found.targets, found.parents))
    make_room(8 * (4 * len(keep) + 2 * len(targets)))
    numbers = np.full(len(keep), -1, np.int64)
    layer = np.flatnonzero((parents < 0) & keep)
    came_from = parents[layer].astype(np.int64)
    layers, before = [layer], [came_from]
    count = 0
    while len(layer):
        beat()
        numbers[layer] = np.arange(count, count + len(layer))
        count += len(layer)
        source, reached = out_of(layer, first, targets)
        fresh = keep[reached] & (numbers[reached] < 0)
        source, reached = source[fresh], reached[fresh]
        _, met_first = np.unique(reached, return_index=True)
        met_first.sort()
        came_from, layer = numbers[layer[source[met_first]]], reached[met_first]
        layers.append(layer)
        before.append(came_from)
    originals = np.concatenate(layers)
    source, reached = out_of(originals, first, targets)
    inside = keep[reached]
    part = Restriction(
        found.world, found.group, found.starts, transitions=found.transitions, complete=found.complete, acyclic=found.acyclic,
        whole=found, originals=originals, numbers=numbers,
    )  # fmt: skip
    part.states = _Picked(found.states, originals)
    part.parents = np.concatenate(before)
    part.depths = np.repeat(np.arange(len(layers)), [len(layer) for layer in layers])
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
