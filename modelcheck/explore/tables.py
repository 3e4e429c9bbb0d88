"""The tables the kernel reads: what the semantics computes, interned to small integers, filled when first asked for.

The model's Python code runs here and nowhere else in a compiled search: once for each distinct component (with each
environment it is met in), never for a state. Arrays grow by being replaced; a kernel that still reads the older ones at
worst misses an entry that is there by now, and asks again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..language.messages import Message
from ..semantics.components import Component, Environment
from ..semantics.system import Outcome, System
from .kernel import FAULT, enter_observation, find_pair

FAILURE_FLAGS = {"assert": 2, "exception": 4, "unspecified reception": 8}
Array = NDArray[Any]
Item = TypeVar("Item", bound=Hashable)


class Interned(dict[Item, int]):
    """Numbers for values, in order of first meeting; `items_by_number` leads back."""

    def __init__(self) -> None:
        super().__init__()
        self.by_number: list[Item] = []

    def __missing__(self, item: Item) -> int:
        self[item] = number = len(self.by_number)
        self.by_number.append(item)
        return number


class Pairs:
    """An open-addressing table from pairs of numbers to rows of numbers, in the layout of kernel.find_pair."""

    def __init__(self, columns: int, kind: Any) -> None:
        self.count = 0
        self.keys: Array = np.zeros(64, np.uint64)
        self.rows: Array = np.zeros((64, columns), kind)

    def add(self, a: int, b: int, *values: int) -> None:
        """Puts the pair in, with its values, unless it is there."""
        if 2 * self.count >= len(self.keys):
            self._grow()
        at = int(find_pair(self.keys, a, b))
        if self.keys[at] == 0:
            self.rows[at] = values
            self.keys[at] = np.uint64(((a << 32) | b) + 1)  # last: whoever reads it finds the values there
            self.count += 1

    def has(self, a: int, b: int) -> bool:
        return bool(self.keys[int(find_pair(self.keys, a, b))] != 0)

    def _grow(self) -> None:
        keys, rows = self.keys, self.rows
        larger = np.zeros(4 * len(keys), np.uint64)
        values = np.zeros((4 * len(keys), rows.shape[1]), rows.dtype)
        for old in np.flatnonzero(keys):
            key = int(keys[old]) - 1
            at = int(find_pair(larger, key >> 32, key & 0xFFFFFFFF))
            larger[at], values[at] = keys[old], rows[old]
        self.keys, self.rows = larger, values


class Column:
    """An array that grows at its end; with `width`, of rows."""

    def __init__(self, kind: Any, fill: int = 0, size: int = 1024, width: int | None = None) -> None:
        self.fill, self.length = fill, 0
        self.array: Array = np.full(size if width is None else (size, width), fill, kind)

    def append(self, value: int | tuple[int, ...]) -> None:
        self.reserve(self.length + 1)
        self.array[self.length] = value
        self.length += 1

    def reserve(self, length: int) -> None:
        have = len(self.array)
        if length > have:
            grown = np.full((max(length, 2 * have), *self.array.shape[1:]), self.fill, self.array.dtype)
            grown[:have] = self.array
            self.array = grown


class Tables:
    """The tables of one System, shared by all worlds and threads. `observe` maps a component to what properties see."""

    def __init__(self, system: System, ports: int) -> None:
        self.system = system
        self.ports = ports  # more than any port number
        self.lock = threading.RLock()
        self.components: Interned[Component] = Interned()
        self.environments: Interned[Environment] = Interned()
        self.messages: Interned[Message] = Interned()
        self.events: Interned[tuple[int, int]] = Interned()  # message, in-port
        self.span = Column(np.int32, -1, width=2)
        self.pairs = Pairs(2, np.int32)
        self.rows = Column(np.int32, width=4)
        self.rows.append((0, 0, 0, 0))  # always one row more, which says where the sends of the last one end
        self.sent = Column(np.int32, width=2)
        self.event_of: Array = np.full((64, ports), -1, np.int32)
        self.push: Array = np.full((1024, 16), -1, np.int32)

    @property
    def has_environment(self) -> bool:
        """Whether anything in the environment can ever change."""
        return bool(self.system.definition.shared) or any(self.system.settings.faults().values())

    def component(self, component: Component) -> int:
        """The number of a component, with its rows made ready."""
        number = self.components[component]
        self.span.reserve(number + 1)
        self.push = _roomier(self.push, number + 1, 1)
        return number

    def fill_outcomes(self, environment: int, component: int) -> None:
        """Tabulates every outcome of a component. Raises what the model's code raises."""
        with self.lock:
            if self.has_environment:
                if self.pairs.has(environment, component):
                    return
            elif self.span.array[component, 0] >= 0:
                return
            begin = self.rows.length - 1
            given = self.environments.by_number[environment], self.components.by_number[component]
            for outcome in self.system.outcomes(*given):
                self._append(outcome)
            end = self.rows.length - 1
            if self.has_environment:
                self.pairs.add(environment, component, begin, end)
            else:
                self.span.array[component, 1] = end
                self.span.array[component, 0] = begin  # last: whoever reads it finds the rows there

    def _append(self, outcome: Outcome) -> None:
        flags = FAULT if outcome.is_fault else 0
        if outcome.failure is not None:
            flags |= FAILURE_FLAGS[outcome.failure.kind]
        after = self.component(outcome.component), self.environments[outcome.environment]
        for port, message in outcome.sends:
            self.sent.append((int(port), self.messages[message]))
        row = self.rows.length - 1
        self.rows.append((0, 0, 0, self.sent.length))
        self.rows.array[row, :3] = (*after, flags)

    def fill_delivery(self, component: int, message: int, in_port: int) -> None:
        """Tabulates what a component is after a message was sent to it."""
        with self.lock:
            event = self.events[message, in_port]
            before = self.components.by_number[component]
            port = next(port for port in before.profile.in_ports if port == in_port)
            after = self.component(self.system.deliver(before, port, self.messages.by_number[message]))
            self.event_of = _roomier(self.event_of, message + 1, 1)
            self.push = _roomier(self.push, component + 1, event + 1)
            self.event_of[message, in_port] = event
            self.push[component, event] = after

    def known(self) -> tuple[int, int]:
        """How many rows of outcomes and of sends the arrays have room for."""
        return len(self.rows.array) - 1, len(self.sent.array)

    def arrays(self) -> tuple[Array, ...]:
        """The tables in the order kernel.search expects."""
        return (self.span.array, self.pairs.keys, self.pairs.rows, self.rows.array, self.sent.array, self.event_of)


class Observations:
    """What the properties see, for one worker: an observation is a number for each component, in the order in which
    properties see the processes, and one for the environment.

    `observe(component)` and `observe_environment(environment)` are what they read of each.
    """

    observe: Callable[[Component], Hashable]
    observe_environment: Callable[[Environment], Hashable]

    def __init__(self) -> None:
        self._numbers: Interned[Hashable] = Interned()
        self.seen, self.seen_environment = Column(np.int32), Column(np.int32)
        self.forget()

    def forget(self) -> None:
        """Drops observations and their verdicts: in the world that comes they may be others."""
        self._known: dict[tuple[int, ...], int] = {}
        self.index: Array = np.zeros(64, np.int32)
        self.vectors: Array | None = None
        self.wrong = Column(np.int64, size=64)
        self.steps = Pairs(1, np.int64)

    def cover(self, components: list[Component], environments: list[Environment]) -> None:
        """Numbers what is seen of the components and environments that came since."""
        while self.seen.length < len(components):
            self.seen.append(self._numbers[self.observe(components[self.seen.length])])
        while self.seen_environment.length < len(environments):
            self.seen_environment.append(
                self._numbers[self.observe_environment(environments[self.seen_environment.length])]
            )

    def vector(self, components: list[int], environment: int | None) -> tuple[int, ...]:
        seen = [int(self.seen.array[c]) for c in components]
        return (*seen, 0 if environment is None else int(self.seen_environment.array[environment]))

    def number(self, vector: tuple[int, ...], wrong: Callable[[], int]) -> int:
        """The number of an observation; `wrong()` is asked for its mask when it is new."""
        known = self._known.get(vector)
        if known is not None:
            return known
        mask = wrong()
        number = self._known[vector] = len(self._known)
        self.wrong.append(mask)
        if self.vectors is None:
            self.vectors = np.zeros((64, len(vector)), np.int32)
        self.vectors = _roomier(self.vectors, number + 1, len(vector))
        self.vectors[number] = vector
        if 2 * len(self._known) > len(self.index):
            self.index = np.zeros(4 * len(self.index), np.int32)
            for other in range(number):
                self._enter(other)
        self._enter(number)
        return number

    def _enter(self, number: int) -> None:
        assert self.vectors is not None
        enter_observation(self.index, self.vectors[number], number)


def _roomier(array: Array, rows: int, columns: int) -> Array:
    """The array, or a larger one with the same content and -1 elsewhere."""
    if rows <= array.shape[0] and columns <= array.shape[1]:
        return array
    have_rows, have_columns = array.shape
    more_rows = have_rows if rows <= have_rows else max(rows, 2 * have_rows)
    more_columns = have_columns if columns <= have_columns else max(columns, 2 * have_columns)
    grown = np.full((more_rows, more_columns), -1, array.dtype)
    grown[:have_rows, :have_columns] = array
    return grown
