"""The compiled engine: worlds explored by the kernel, one after another in arrays that are used again.

`Worker.explore` does what reference.explore does, with the same numbers for the same states; a compiled exploration has
the same face as a reference one, its states decoded when they are asked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Protocol, overload

import numpy as np

from ..semantics.components import Component, Environment, State
from ..semantics.system import System
from ..semantics.worlds import World
from . import kernel
from .exploration import Exploration, Meter, UnsupportedError
from .tables import Array, Observations, Tables

SLICE = 200_000  # states expanded between two looks at the limits


class Claims(Protocol):
    """What the properties tell the engine. Masks have one bit a property; `generation` changes when a property turned
    out to read more than before, and then all observations are void."""

    @property
    def generation(self) -> int: ...
    @property
    def scope(self) -> Hashable: ...
    @property
    def watches_steps(self) -> bool: ...
    def observe(self, component: Component) -> Hashable: ...
    def observe_environment(self, environment: Environment) -> Hashable: ...
    def judge(self, state: State) -> int: ...
    def judge_step(self, before: State, after: State) -> int: ...
    def judge_unchanged(self, state: State) -> bool: ...
    def failed(self, bit: int, number: int, ordinal: int) -> None: ...


class _Again(Exception):
    """The world must be explored from its beginning, with wider slots or other observations."""


class Worker:
    """Explores worlds in arrays of its own; the tables are shared."""

    def __init__(self, system: System, tables: Tables) -> None:
        self.system, self.tables = system, tables
        self.capacity = 1 << 12
        self.parents: Array = np.zeros(self.capacity, np.int32)
        self.observed: Array = np.zeros(self.capacity, np.int32)
        self.edges_begin: Array = np.zeros(self.capacity + 1, np.int64)
        self.targets: Array = np.zeros(1 << 12, np.int32)
        self.terminals: Array = np.zeros(1 << 10, np.int32)
        self.visited: Array = np.zeros(2 * self.capacity, np.uint64)
        self.words: Array = np.zeros((self.capacity, 1), np.uint64)
        self.firsts: Array = np.zeros((64, 2), np.int64)
        self.counters: Array = np.zeros(kernel.COUNTERS, np.int64)
        self.sight: Observations | None = None
        self.generation = -1
        self.scope: Hashable = None

    def explore(self, found: Exploration, claims: Claims, meter: Meter, cycles_matter: bool) -> None:
        """Visits every reachable state of `found.world` and fills `found`.

        Where `cycles_matter` the transitions are recorded, so that `found.successors` works and `found.acyclic` tells.
        Raises StepError where the model's code breaks a rule of the language, UnsupportedError where only the
        reference engine can tell.
        """
        while True:
            try:
                self._explore(found, claims, meter, cycles_matter)
                break
            except _Again:
                continue
        counters = self.counters
        found.acyclic = counters[kernel.NOT_FORWARD] == 0
        if found.complete and cycles_matter and not found.acyclic:
            count = int(counters[kernel.STATES])
            spare = np.zeros((2, count), np.int32)
            found.acyclic = not kernel.has_cycle(self.edges_begin, self.targets, count, spare[0], spare[1])
        for bit in range(63):
            if int(self.firsts[0, 0]) >> bit & 1:
                claims.failed(bit, int(self.firsts[bit + 1, 0]), int(self.firsts[bit + 1, 1]))

    def _explore(self, found: Exploration, claims: Claims, meter: Meter, records: bool) -> None:
        world = found.world
        counters = self.counters
        counters[:] = 0
        layout = self._enter(world, claims)
        starts = self._starts(found, layout, claims)
        self.firsts[:] = 0
        counters[kernel.STATES] = counters[kernel.LEVEL_END] = starts
        counters[kernel.MOST] = most = meter.limits.max_states - meter.earlier_states
        self.visited[: 2 * self.capacity] = 0
        kernel.rehash(layout.width, self.words, starts, self.visited)
        for number in range(starts):
            wrong = int(self.sight_of.wrong.array[self.observed[number]])
            if wrong:
                kernel.note(self.firsts, np.int64(wrong), number, -1)
        self._publish(found, layout)
        if meter.stop(starts):
            return
        while True:
            why = self._search(layout, records)
            self._publish(found, layout)
            if why == kernel.DONE:
                found.complete = True
                return
            if why == kernel.PAUSE:
                if meter.stop(int(counters[kernel.STATES])):
                    return
            else:
                self._provide(why, layout, claims)
                # a model that grows without end asks for something at every state, and never comes to a pause
                if meter.stop(min(int(counters[kernel.STATES]), most)):
                    return

    # --- calling the kernel

    def _search(self, layout: Layout, records: bool) -> int:
        tables, sight = self.tables, self.sight_of
        with tables.lock:
            shape = (layout.world.n, tables.ports, tables.has_environment, records, self.watches)
            components = min(len(tables.components), sight.seen.length, tables.push.shape[0], layout.mask + 1)
            known = (*tables.known(), components, sight.seen_environment.length)
            table, push = tables.arrays(), tables.push
        assert sight.vectors is not None
        view = (
            sight.seen.array, sight.seen_environment.array, sight.index, sight.vectors, sight.wrong.array,
            sight.steps.keys, sight.steps.rows,
        )  # fmt: skip
        return int(
            kernel.search(
                layout.width, shape, known, layout.packing, self.counters, layout.links, (self.words, self.parents, self.observed),
                (self.targets, self.edges_begin), self.visited, table, push, view, layout.batch, layout.scratch, self.terminals,
                self.firsts, SLICE,
            )
        )  # fmt: skip

    def _provide(self, why: int, layout: Layout, claims: Claims) -> None:
        """Supplies what the kernel found missing. Raises _Again where the world must begin anew."""
        counters, tables = self.counters, self.tables
        if why == kernel.NO_OUTCOMES:
            tables.fill_outcomes(int(counters[kernel.ASK_A]), int(counters[kernel.ASK_B]))
        elif why == kernel.NO_DELIVERY:
            message, in_port = divmod(int(counters[kernel.ASK_B]), tables.ports)
            tables.fill_delivery(int(counters[kernel.ASK_A]), message, in_port)
        elif why == kernel.FULL:
            self._grow(layout)
        elif why == kernel.MANY_TERMINALS:
            self.terminals = np.concatenate([self.terminals, np.zeros_like(self.terminals)])
        elif why == kernel.MANY_TARGETS:
            self.targets = np.concatenate([self.targets, np.zeros_like(self.targets)])
        elif why == kernel.MANY_CHANGES:
            layout.make_room(int(counters[kernel.ASK_A]))
        elif why == kernel.NO_OBSERVATION:
            self._observe(layout, layout.scratch[0], claims)
        elif why == kernel.NO_PAIR:
            self._observe_step(layout, claims)
        self._refresh(layout, claims)

    def _refresh(self, layout: Layout, claims: Claims) -> None:
        with self.tables.lock:
            components, environments = self.tables.components.by_number, self.tables.environments.by_number
            self.sight_of.cover(components, environments)
            if max(len(components), len(environments)) > layout.mask + 1:
                raise _Again
        if claims.generation != self.generation:
            raise _Again

    def _grow(self, layout: Layout) -> None:
        self.capacity *= 4
        count = int(self.counters[kernel.STATES])
        self.words = _longer(self.words, self.capacity, count)
        self.parents = _longer(self.parents, self.capacity, count)
        self.observed = _longer(self.observed, self.capacity, count)
        self.edges_begin = _longer(self.edges_begin, self.capacity + 1, count)
        self.visited = np.zeros(2 * self.capacity, np.uint64)
        kernel.rehash(layout.width, self.words, count, self.visited)

    # --- observations

    @property
    def sight_of(self) -> Observations:
        assert self.sight is not None
        return self.sight

    def _observe(self, layout: Layout, slots: Any, claims: Claims) -> int:
        """The number of the observation of the state in these slots, judged if it is new."""
        self._refresh(layout, claims)
        vector, state = self._vector(layout, slots), layout.decode_slots(slots, self.tables)

        def wrong() -> int:
            if not claims.judge_unchanged(state):
                raise UnsupportedError("a step property fails of steps that change nothing it reads")
            return claims.judge(state)

        number = self.sight_of.number(vector, wrong)
        if claims.generation != self.generation:  # it has just been seen to read more
            raise _Again
        return number

    def _observe_step(self, layout: Layout, claims: Claims) -> None:
        source = int(self.counters[kernel.CURSOR])
        before = layout.decode(self.words[source], self.tables)
        after = layout.decode_slots(layout.scratch[0], self.tables)
        number = self._observe(layout, layout.scratch[0], claims)
        wrong = claims.judge_step(before, after)
        if claims.generation != self.generation:
            raise _Again
        self.sight_of.steps.add(int(self.observed[source]), number, wrong)

    def _vector(self, layout: Layout, slots: Any) -> tuple[int, ...]:
        components = [int(slots[slot]) for slot in layout.presented]
        return self.sight_of.vector(components, int(slots[0]) if layout.offset else None)

    # --- entering a world

    def _enter(self, world: World, claims: Claims) -> Layout:
        tables = self.tables
        if claims.generation != self.generation or self.sight is None:
            self.sight = Observations()
            self.generation = claims.generation
            self.scope = claims.scope
        self.sight.observe, self.sight.observe_environment = claims.observe, claims.observe_environment
        if claims.scope != self.scope:
            self.sight.forget()
            self.scope = claims.scope
        self.watches = claims.watches_steps
        with tables.lock:
            for start in self.system.starts(world):
                tables.environments[start.state[0]]
                for component in start.state[1:]:
                    tables.component(component)
            most = max(len(tables.components), len(tables.environments))
        layout = Layout(world, tables, max(6, int(1.3 * most).bit_length()))
        if self.words.shape[1] != len(layout.width):
            self.words = np.zeros((self.capacity, len(layout.width)), np.uint64)
        self._refresh(layout, claims)
        return layout

    def _starts(self, found: Exploration, layout: Layout, claims: Claims) -> int:
        """Stores the distinct initial states; returns how many."""
        found.starts.clear()
        known: set[State] = set()
        for start in self.system.starts(found.world):
            if start.steps and start.steps[-1].after is None:
                raise UnsupportedError("a starting step fails")
            if start.state in known:
                continue
            known.add(start.state)
            number = len(found.starts)
            if number == self.capacity:
                self.counters[kernel.STATES] = number  # to be kept
                self._grow(layout)
            found.starts.append(start)
            slots = layout.slots_of(start.state, self.tables)
            self.words[number] = layout.pack(slots)
            self.parents[number] = -1 - number
            self.observed[number] = self._observe(layout, slots, claims)
        return len(found.starts)

    def _publish(self, found: Exploration, layout: Layout) -> None:
        """Shows what the arrays hold as an Exploration. Valid until the next world is explored here."""
        counters = self.counters
        count = int(counters[kernel.STATES])
        found.states = DecodedStates(self.words[:count], layout, self.tables)  # type: ignore[assignment]
        found.parents = self.parents[:count]  # type: ignore[assignment]
        found.terminals = self.terminals[: int(counters[kernel.TERMINALS])]  # type: ignore[assignment]
        found.transitions = int(counters[kernel.TRANSITIONS])
        found.targets = self.targets[: int(counters[kernel.TARGETS])]  # type: ignore[assignment]
        self.edges_begin[int(counters[kernel.CURSOR])] = counters[kernel.TARGETS]
        found.first = self.edges_begin[: int(counters[kernel.CURSOR]) + 1]  # type: ignore[assignment]
        found.depths = Depths(found.parents)  # type: ignore[assignment]


class Layout:
    """How the states of one world are packed, and the small arrays the kernel works in."""

    def __init__(self, world: World, tables: Tables, bits: int) -> None:
        self.world, self.bits = world, bits
        self.offset = 1 if tables.has_environment else 0
        slots = world.n + self.offset
        per_word = 64 // bits
        self.mask = (1 << bits) - 1
        self.width = (0,) * -(-slots // per_word)
        word_of = np.arange(slots) // per_word
        shift_of = (np.arange(slots) % per_word * bits).astype(np.uint64)
        self.packing = (word_of, shift_of, np.uint64(self.mask))
        target = np.zeros((world.n, tables.ports), np.int64)
        arrival = np.zeros((world.n, tables.ports), np.int64)
        for link in world.shape.links:
            target[link.source, link.out_port], arrival[link.source, link.out_port] = link.target, link.in_port
        self.presented = np.array(world.presented, np.int64) + self.offset  # slots in the order properties see them
        self.links = (target, arrival, self.presented)
        room = kernel.BATCH
        self.batch = (
            np.zeros((room, len(self.width)), np.uint64), np.zeros(room, np.uint64), np.zeros(room, np.int64),
            np.zeros(room, np.int64), np.zeros(room, np.int64),
        )  # fmt: skip
        self.slots = slots
        self.make_room(64)

    def make_room(self, changes: int) -> None:
        """For steps that make so many changes: each message sent may be one."""
        self.scratch = (
            np.zeros(self.slots, np.int64),
            np.zeros(changes, np.int64),
            np.zeros(changes, np.int64),
            np.zeros(self.world.n + 1, np.int64),
        )

    def slots_of(self, state: State, tables: Tables) -> Array:
        head = [tables.environments[state[0]]] if self.offset else []
        return np.array([*head, *(tables.components[component] for component in state[1:])], np.int64)

    def pack(self, slots: Array) -> Array:
        words = np.zeros(len(self.width), np.uint64)
        for slot, word, shift in zip(slots, self.packing[0], self.packing[1], strict=True):
            words[word] |= np.uint64(slot) << shift
        return words

    def decode(self, words: Array, tables: Tables) -> State:
        return self.decode_slots((words[self.packing[0]] >> self.packing[1]) & self.packing[2], tables)

    def decode_slots(self, slots: Array, tables: Tables) -> State:
        numbers = [int(number) for number in slots]
        environment = tables.environments.by_number[numbers[0] if self.offset else 0]
        return (environment, *(tables.components.by_number[number] for number in numbers[self.offset :]))


class DecodedStates(Sequence[State]):
    """States as tuples of components, decoded when they are looked at."""

    def __init__(self, words: Array, layout: Layout, tables: Tables) -> None:
        self.words, self.layout, self.tables = words, layout, tables

    def __len__(self) -> int:
        return len(self.words)

    @overload
    def __getitem__(self, number: int) -> State: ...
    @overload
    def __getitem__(self, number: slice) -> list[State]: ...
    def __getitem__(self, number: int | slice) -> State | list[State]:
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(len(self)))]
        return self.layout.decode(self.words[number], self.tables)

    def __iter__(self) -> Iterator[State]:
        return (self[number] for number in range(len(self)))


class Depths(Sequence[int]):
    """Breadth-first depths, computed from the parents when first asked for: along the numbers they never fall."""

    def __init__(self, parents: Any) -> None:
        self.parents = parents
        self._depths: Array | None = None

    def __len__(self) -> int:
        return len(self.parents)

    def __getitem__(self, number: Any) -> Any:
        if self._depths is None:
            depths = np.zeros(len(self.parents), np.int32)
            low, high = 0, int(np.searchsorted(self.parents, 0))
            depth = 0
            while low < high:
                depths[low:high] = depth
                depth += 1
                low, high = high, int(np.searchsorted(self.parents, high))
            self._depths = depths
        return int(self._depths[number])


def _longer(array: Array, length: int, count: int) -> Array:
    grown = np.zeros((length, *array.shape[1:]), array.dtype)
    grown[:count] = array[:count]
    return grown
