"""The compiled engine: worlds explored by the kernel, one after another in arrays that are used again.

`CompiledEngine.explore` does what reference.explore does, with the same numbers for the same states; a compiled exploration has
the same face as a reference one, its states decoded when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...errors import SearchError
from ...pulse import StoppedError, make_room
from ...semantics.components import State
from ...semantics.symmetry import Orbits
from ...semantics.system import Start, System
from ..exploration import Counts, NotCompiledError, UnsupportedError
from ..independence import Seen
from ..limits import Meter
from . import calls, cycles, jit, kernel, records
from .crew import Again, Crew, SharedWorld
from .exploration import CompiledExploration
from .layout import DecodedStates, Depths, Foreseen, StateLayout, within
from .predicates import Predicates
from .tables import FIRST, Array, Observations, Tables

SLICE = 200_000  # states expanded between two looks at the limits
# Of the states of one world, and of what properties see of them: they stand in 32 bits, beside negative ones.
NUMBERS = 1 << 31
COUNTED = (calls.STATES, calls.TRANSITIONS, calls.TERMINALS)
COUNTED_WITH_TWINS = (calls.ALL_STATES, calls.ALL_TRANSITIONS, calls.ALL_TERMINALS)


def vector_of(observations: Observations, layout: StateLayout, slots: list[int]) -> tuple[int, ...]:
    """What properties see of the state in these slots, as the kernel writes it (kernel.look)."""
    # where this thread numbered it: the family itself may have been moved by another thread in the meantime
    base = {slot: observations.covered(layout.family_of(slot))[0] for slot in layout.presented}
    seen = [int(observations.seen.array[base[slot] + slots[slot]]) for slot in layout.presented]
    return (*seen, int(observations.seen_environment.array[slots[0]]) if layout.offset else 0)


def kind_of(world: records.WorldRecord, *, fleet: bool = False) -> str:
    """What code for a world is compiled for: whether for many at once, and the lengths of the tuples that stand in its record."""
    tuples = world.width, world.environment, world.symmetric, world.reduced
    return "-".join(map(str, (int(fleet), *map(len, tuples))))


class CompiledEngine:
    """Explores worlds in arrays of its own; the tables are shared. Where code for a kind of worlds is neither kept nor `ready` it raises
    NotCompiledError; where it is said to be ready it is compiled in any case."""

    at: CompiledExploration | None = None  # what is being explored
    layout: StateLayout | None = None

    def __init__(self, system: System, tables: Tables, crew: Crew | None = None) -> None:
        self.system, self.tables, self.crew = system, tables, crew
        self.capacity = 1 << 12
        self.parents: Array = np.zeros(self.capacity, np.int32)
        self.observed: Array = np.zeros(self.capacity, np.uint32)
        self.edges_begin: Array = np.zeros(self.capacity + 1, np.int64)
        self.targets: Array = np.zeros(1 << 12, np.int32)
        self.terminals: Array = np.zeros(1 << 10, np.int32)
        self.visited: Array = np.zeros(2 * self.capacity, np.uint64)
        self.chosen: Array = np.zeros(0, np.int64)  # longer only where the world is reduced
        self.words: Array = np.zeros(self.capacity, np.uint64)
        self.keys: Array = self.words  # another array only where the world has symmetries
        self.firsts: Array = np.zeros((64, 2), np.int64)
        self.counters: Array = np.zeros(calls.COUNTERS, np.int64)
        self.batch: records.BatchRecord | None = None
        self.ready: Callable[[str], bool] = lambda _: True
        self._observations: Observations | None = None
        self._foreseen: dict[Seen, Foreseen] = {}  # of the processes that were met

    def explore(self, found: CompiledExploration, claims: Predicates, meter: Meter, cycles_matter: bool) -> None:
        """Visits every reachable state of `found.world`, or of each orbit of `found.group` one, and fills `found`. Where it is to be
        `reduced` only as many as that needs.

        Where `cycles_matter` the transitions are recorded, so that `found.successors` works and `found.acyclic` tells.
        Raises StepError where the model's code breaks a rule of the language, UnsupportedError where only the
        reference engine can tell.
        """
        while True:
            try:
                self._explore(found, claims, meter, cycles_matter)
                break
            except Again:
                found.begin_again()
        counters = self.counters
        found.acyclic = counters[calls.NOT_FORWARD] == 0
        if found.complete and cycles_matter and not found.acyclic:
            count = int(counters[calls.STATES])
            try:
                make_room(8 * count)
                spare = np.zeros((2, count), np.int32)
                found.acyclic = not cycles.has_cycle(self.edges_begin, self.targets, count, spare[0], spare[1])
            except StoppedError:
                found.complete = False
        for bit in range(63):
            if int(self.firsts[0, 0]) >> bit & 1:
                claims.failed(bit, int(self.firsts[bit + 1, 0]), int(self.firsts[bit + 1, 1]))

    def _explore(self, found: CompiledExploration, claims: Predicates, meter: Meter, keeps_targets: bool) -> None:
        counters = self.counters
        counters[:] = 0
        self.at, self.layout = found, None
        initial = self._begun(found, meter)
        layout = self._enter(found, initial, claims)
        self.must_have(kind_of(layout.record))
        starts = self._starts(initial, found, layout, claims)
        self.firsts[:] = 0
        counters[calls.STATES] = counters[calls.LEVEL_END] = starts
        counters[calls.MOST] = min(meter.limits.max_states - meter.earlier_states, NUMBERS)
        self.visited[: 2 * self.capacity] = 0
        kernel.rehash(layout.record.width, self.keys, starts, self.visited)
        for number in range(starts):
            wrong = int(self.observations.wrong.array[self.observed[number]])
            if wrong:
                kernel.note(self.firsts, np.int64(wrong), number, -1)
        self.layout = layout
        if meter.stop(starts):
            self.show(found)
            return
        try:
            self._expand_all(found, layout, claims, meter, keeps_targets)
        except StoppedError:  # an array was to be enlarged
            pass
        finally:
            self.show(found)

    def _expand_all(
        self, found: CompiledExploration, layout: StateLayout, claims: Predicates, meter: Meter, keeps_targets: bool
    ) -> None:
        counters, most = self.counters, int(self.counters[calls.MOST])
        budget = SLICE
        while True:
            why = int(kernel.search(layout.record, *self.arrays(layout, keeps_targets), layout.batch, counters, budget))
            budget = SLICE
            stop = False
            if why == calls.PAUSE:
                stop = meter.stop(int(counters[calls.STATES]))
                left = int(counters[calls.LEVEL_END] - counters[calls.CURSOR])
                if not stop and self.crew is not None and self.crew.would_help(left):
                    stop = SharedWorld(self, layout, claims, keeps_targets, meter).run(self.crew)
                    if counters[calls.CURSOR] == counters[calls.LEVEL_END]:
                        budget = 0  # only on to the next level
            elif why != calls.DONE:
                self.provide(why, layout, claims, layout.batch, counters)
                # a model that grows without end asks for something at every state, and never comes to a pause
                stop = meter.stop(min(int(counters[calls.STATES]), most))
            if why == calls.DONE or stop:
                found.complete = not stop
                return

    # --- calling the kernel

    def must_have(self, kind: str) -> None:
        """Raises NotCompiledError where it is better to wait for the code for worlds of this kind."""
        if not jit.is_kept(kind) and not self.ready(kind):
            raise NotCompiledError(kind)

    def keep_code(self) -> None:
        """Everything was done with this world that is done with its like: there is code for that."""
        if self.layout is not None:
            jit.keep(kind_of(self.layout.record))

    def arrays(
        self, layout: StateLayout, keeps_targets: bool
    ) -> tuple[records.TablesRecord, records.ObservationsRecord, records.StatesRecord]:
        """What the kernel works on, as of now."""
        tables, observations = self.tables, self.observations
        with tables.lock:
            self._cover(layout)
            table = tables.as_of_now(layout.slots)
            view = observations.as_of_now(layout.record.actors)
        store = records.StatesRecord(
            self.words, self.keys, self.parents, self.observed, self.visited, self.edges_begin, self.targets, self.terminals,
            self.chosen, self.firsts, keeps_targets,
        )  # fmt: skip
        return table, view, store

    def provide(
        self, why: int, layout: StateLayout, claims: Predicates, batch: records.BatchRecord, counters: Array
    ) -> None:
        """Supplies what the kernel found missing. Raises Again where the world must begin anew."""
        tables = self.tables
        a, b, c = (int(counters[place]) for place in (calls.ASK_A, calls.ASK_B, calls.ASK_C))
        if why == calls.NO_OUTCOMES:
            tables.fill_outcomes(c, layout.family_of(a), b)
        elif why == calls.NO_DELIVERY:
            tables.fill_delivery(layout.family_of(a), b, *divmod(c, tables.ports))
        elif why == calls.MANY_STATES:
            self._grow(layout)
        elif why == calls.MANY_TERMINALS:
            self.terminals = self._longer(self.terminals, 2 * len(self.terminals), int(counters[calls.TERMINALS]))
        elif why == calls.MANY_TARGETS:
            filled = int(counters[calls.FILLED] - counters[calls.INSERTED])
            self.targets = self._longer(self.targets, 2 * len(self.targets), int(counters[calls.TARGETS]) - filled)
        elif why == calls.MANY_SUCCESSORS:
            layout.make_room(2 * len(layout.batch.hashes))
        elif why == calls.NO_OBSERVATION:
            self._observe(layout, layout.unpack(batch.words, int(counters[calls.INSERTED])), claims)
        elif why == calls.NO_PAIR:
            self._observe_step(layout, batch, counters, claims)
        elif why == calls.UNFORESEEN:
            raise SearchError("a process came to what was not foreseen of it")
        self._refresh(layout, claims)

    def _cover(self, layout: StateLayout) -> None:
        """Numbers what properties see of all that was tabulated since. The tables' lock is held."""
        if layout.version != self.tables.version:
            self.observations.cover(layout.every_family, self.tables)
            layout.place(self.observations)
            layout.version = self.tables.version

    def _refresh(self, layout: StateLayout, claims: Predicates) -> None:
        with self.tables.lock:
            self._cover(layout)
        if not layout.suffices():
            raise Again
        if claims.generation != self.observations.generation:
            raise Again

    def keep_terminals(self, more: Array) -> None:
        """Appends to the terminal states."""
        count = int(self.counters[calls.TERMINALS])
        if count + len(more) > len(self.terminals):
            self.terminals = self._longer(self.terminals, 2 * (count + len(more)), count)
        self.terminals[count : count + len(more)] = more
        self.counters[calls.TERMINALS] += len(more)

    def _grow(self, layout: StateLayout) -> None:
        """Makes room for twice as many states. Raises StoppedError where there is no memory for that, MemoryError where there
        are no numbers for more."""
        capacity = 2 * self.capacity
        if capacity > NUMBERS:
            raise MemoryError(
                f"the compiled engine has numbers for {NUMBERS:,} states of one world, and there are more"
            )
        make_room(self.visited.nbytes)  # twice the old one, which goes first
        count = int(self.counters[calls.STATES])
        width = len(layout.record.width)
        keys = self._longer(self.keys, capacity * width, count * width) if self.keys is not self.words else None
        self.words = self._longer(self.words, capacity * width, count * width)
        self.keys = self.words if keys is None else keys
        self.parents = self._longer(self.parents, capacity, count)
        self.observed = self._longer(self.observed, capacity, count)
        self.edges_begin = self._longer(self.edges_begin, capacity + 1, count)
        if layout.record.reduced:
            self.chosen = self._longer(self.chosen, capacity, count)
        self.visited = self.visited[:0]
        self.visited = np.zeros(2 * capacity, np.uint64)
        self.capacity = capacity
        kernel.rehash(layout.record.width, self.keys, count, self.visited)

    def _longer(self, array: Array, length: int, count: int) -> Array:
        """A longer array with the same first numbers. Memory that was not written to yet takes none."""
        make_room(array[:count].nbytes)
        grown = np.empty((length, *array.shape[1:]), array.dtype)
        grown[:count] = array[:count]
        return grown

    # --- observations

    @property
    def observations(self) -> Observations:
        assert self._observations is not None
        return self._observations

    def _observe(self, layout: StateLayout, slots: list[int], claims: Predicates) -> int:
        """The number of the observation of the state in these slots, judged if it is new."""
        self._refresh(layout, claims)
        vector, state = vector_of(self.observations, layout, slots), layout.decode_slots(slots, self.tables)

        def wrong() -> int:
            if not claims.judge_unchanged(state):
                raise UnsupportedError("a step property fails of steps that change nothing it reads")
            return claims.judge(state)

        number = self.observations.number(vector, wrong)
        if number >> FIRST and (
            self.observations.watches_steps or 2 * number >= NUMBERS
        ):  # steps are looked up by pairs of observations
            raise UnsupportedError("there are more observations than numbers for them")
        if claims.generation != self.observations.generation:  # it has just been seen to read more
            raise Again
        return number

    def _observe_step(
        self, layout: StateLayout, batch: records.BatchRecord, counters: Array, claims: Predicates
    ) -> None:
        at = int(counters[calls.INSERTED])
        before = layout.decode(self.words, int(batch.sources[at]), self.tables)
        after = layout.decode(batch.words, at, self.tables)
        wrong = claims.judge_step(before, after)
        if claims.generation != self.observations.generation:
            raise Again
        self.observations.steps.add(int(counters[calls.ASK_A]), int(counters[calls.ASK_B]), wrong)

    # --- entering a world

    def _enter(self, found: CompiledExploration, starts: Sequence[Start], claims: Predicates) -> StateLayout:
        tables, world, independence = self.tables, found.world, found.independence
        with tables.lock:
            for start in starts:
                tables.environment(start.state[0])
                for component in start.state[1:]:
                    tables.number(component)
            profiles = [component.profile for component in starts[0].state[1:]]
            among = None
            if independence is not None:
                seen = independence.seen_by(claims)
                for its, profile in zip(seen, profiles, strict=True):
                    if its not in self._foreseen:
                        self._foreseen[its] = Foreseen(its, tables.family(profile))
                among = within(independence, [self._foreseen[its] for its in seen])
            layout = StateLayout(world, found.group, tables, profiles, self.batch, reduced=found.reduced, within=among)
        self.turn_to(layout, claims)
        return layout

    def turn_to(self, layout: StateLayout, claims: Predicates) -> None:
        """Makes the arrays fit what comes: worlds of this layout, looked at by these properties."""
        self._observations = Observations.of(claims, self._observations)
        self.batch = layout.batch
        if len(self.words) != self.capacity * len(layout.record.width):
            self.words = np.zeros(self.capacity * len(layout.record.width), np.uint64)
        self.keys = np.zeros_like(self.words) if layout.record.symmetric else self.words
        if layout.record.reduced and len(self.chosen) < self.capacity:
            self.chosen = np.zeros(self.capacity, np.int64)
        self._refresh(layout, claims)

    def _begun(self, found: CompiledExploration, meter: Meter) -> list[Start]:
        """The initial states of the world, of twins one; the first of them where there are more than the meter allows."""
        initial: list[Start] = []
        known: set[State] = set()
        distinct = 0
        orbits = Orbits(found.group)
        for start in self.system.starts(found.world):
            if distinct and meter.stop(distinct):
                break
            if start.steps and start.steps[-1].after is None:
                initial.append(start)
            elif start.state not in known:
                known.update(orbits.twins(start.state))
                initial.append(start)
                distinct += 1
        return initial

    def _starts(
        self, initial: Sequence[Start], found: CompiledExploration, layout: StateLayout, claims: Predicates
    ) -> int:
        """Stores the distinct initial states; returns how many."""
        found.starts.clear()
        known: set[State] = set()
        orbits = Orbits(found.group)
        for start in initial:
            if start.steps and start.steps[-1].after is None:
                raise UnsupportedError("a starting step fails")
            if start.state in known:
                continue
            known.update(orbits.twins(start.state))
            self.counters[calls.ALL_STATES] += orbits.size(start.state)
            number = len(found.starts)
            if number == self.capacity:
                self.counters[calls.STATES] = number  # to be kept
                self._grow(layout)
            found.starts.append(start)
            slots = layout.slots_of(start.state, self.tables)
            layout.pack(slots, self.words, number)
            if found.group:
                flat = layout.slots.reshape(-1)
                kernel.least_twin(layout.record, flat, self.words, self.keys, layout.batch.spare, number)
            self.parents[number] = -1 - number
            self.observed[number] = self._observe(layout, slots, claims)
        return len(found.starts)

    def _depth(self) -> int:
        """Of the last state: it stands on the level being expanded, or on the next one."""
        counters = self.counters
        return int(counters[calls.DEPTH]) + int(counters[calls.STATES] > counters[calls.LEVEL_END])

    def so_far(self) -> Counts:
        """What was counted; another thread may ask."""
        states, transitions, terminals = (int(self.counters[c]) for c in COUNTED)
        counted = COUNTED_WITH_TWINS if self.at is not None and self.at.group else COUNTED
        all_states, all_transitions, all_terminals = (int(self.counters[c]) for c in counted)
        return Counts(states, transitions, terminals, self._depth(), (all_states, all_transitions, all_terminals))

    def show(self, found: CompiledExploration) -> None:
        """Shows what the arrays hold by now as an exploration. Valid until the next world is explored here."""
        counters, layout = self.counters, self.layout
        if layout is None:
            return
        count = int(counters[calls.STATES])
        self.edges_begin[int(counters[calls.CURSOR])] = counters[calls.TARGETS]
        found.transitions = int(counters[calls.TRANSITIONS])
        found.all_states, found.all_transitions, found.all_terminals = self.so_far().every
        found.show(
            DecodedStates(self.words, count, layout, self.tables),
            self.parents[:count],
            Depths(self.parents[:count], self._depth()),
            self.targets[: int(counters[calls.TARGETS])],
            self.edges_begin[: int(counters[calls.CURSOR]) + 1],
            self.terminals[: int(counters[calls.TERMINALS])],
            self.chosen[: int(counters[calls.CURSOR])] if layout.record.reduced else self.chosen[:0],
        )
