"""What the compiled engine finds in a world: its arrays, with the face of every exploration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...pulse import attended
from ...semantics.components import State
from ...semantics.system import Outcome, System
from ..exploration import FAILED, SLICE, Column, Exploration, Steps
from . import steps
from .cycles import fill_depths
from .layout import DecodedStates
from .tables import Array

_NONE: Array = np.zeros(0, np.int64)


@dataclass
class CompiledExploration(Exploration):
    """Views of the engine's arrays: they hold until it explores another world. States are decoded when they are looked at."""

    states: Sequence[State] = field(default=(), init=False)
    parents: Array = field(default_factory=lambda: _NONE, init=False)
    depths: Sequence[int] = field(default=(), init=False)
    targets: Array = field(default_factory=lambda: _NONE, init=False)
    first: Array = field(default_factory=lambda: np.zeros(1, np.int64), init=False)
    terminals: Array = field(default_factory=lambda: _NONE, init=False)
    chosen: Array = field(default_factory=lambda: _NONE, init=False)

    @property
    def packed(self) -> DecodedStates:
        """The states as they are packed, with the layout and the tables that unpack them."""
        assert isinstance(self.states, DecodedStates), "nothing was explored yet"
        return self.states

    def columns(self) -> list[Column]:
        packed = self.packed
        layout, tables = packed.layout, packed.tables
        width = len(layout.record.width)
        words = packed.words[: len(packed) * width].reshape(-1, width)
        found = [
            Column(((words[:, word] >> np.uint64(shift)) & np.uint64(mask)).astype(np.int32), values)
            for (word, shift, mask), values in zip(
                layout.packing,
                [tables.environments.by_number] * layout.offset + [family.members for family in layout.families],
                strict=True,
            )
        ]
        if not layout.offset:
            found.insert(0, Column(np.zeros(len(packed), np.int32), tables.environments.by_number))
        return found

    def steps(self, system: System, outcomes: list[Outcome]) -> Iterator[Steps]:
        packed = self.packed
        of_row = steps.outcomes(system, packed.layout, packed.tables)
        outcomes.extend(of_row.outcomes)
        for begin in attended(range(0, len(packed), SLICE)):
            end = min(begin + SLICE, len(packed))
            source, slot, row, kind = steps.listed(packed, self.chosen, begin, end)
            target = np.where(kind == steps.FAILS, FAILED, source)
            target[kind == steps.CHANGES] = self.targets[self.first[begin] : self.first[end]]
            yield Steps(source, target, slot - packed.layout.offset, of_row.number[row])

    def all_depths(self) -> Array:
        found = np.zeros(len(self.parents), np.int64)
        fill_depths(self.parents, found)
        return found

    def show(
        self,
        states: DecodedStates,
        parents: Array,
        depths: Sequence[int],
        targets: Array,
        first: Array,
        terminals: Array,
        chosen: Array,
    ) -> None:
        """What there is by now."""
        self.states, self.parents, self.depths = states, parents, depths
        self.targets, self.first, self.terminals, self.chosen = targets, first, terminals, chosen
