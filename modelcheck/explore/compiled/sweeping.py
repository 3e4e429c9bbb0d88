"""A fleet of small worlds handed to the kernel at once (sweep.py), by one thread, in the arrays of its engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...errors import StepError
from ...pulse import StoppedError, make_room
from ...semantics.components import Profile
from ...semantics.system import System
from ...semantics.worlds import World
from ..exploration import UnsupportedError
from ..limits import Meter
from . import calls, jit, sweep
from .crew import Again
from .engine import SLICE, CompiledEngine, kind_of, vector_of
from .folding import Graph, Room
from .layout import FleetLayout
from .predicates import Predicates
from .steps import Transitions
from .sweep import AT, COUNTED, ENTER, LANDED, RESULTS, STAGE, STATUS, FleetRecord, FoldRecord
from .tables import Array, Family, Observations, Tables


class Landed(NamedTuple):
    """What was counted in one of the worlds of a fleet, by its place there. `messages` are the least and the greatest of each column."""

    place: int
    states: int
    transitions: int
    terminal_states: int
    depth: int
    messages: tuple[int, ...]
    reduced: bool


class Counting(NamedTuple):
    """So many columns of messages are to be counted; `sends(tables)` has their numbers for each outcome row, `each` to a row."""

    columns: int
    each: int
    sends: Callable[[Tables], Array]


class Crowd:
    """The families that processes of many worlds of one protocol are in. A process is told by what its profile is made of."""

    def __init__(self, system: System, tables: Tables) -> None:
        self._system, self._tables = system, tables
        self._knows = system.definition.knows
        self._numbers: dict[Any, int] = {}
        self._by_profile: dict[Profile, int] = {}
        self.families: list[Family] = []
        self.initial: list[int] = []  # the component of each at first; -1 where there are several

    def numbers(self, world: World) -> list[int]:
        """The family of each process."""
        keys = self._keys(world)
        try:
            return [self._numbers[key] for key in keys]
        except KeyError:
            for key, profile in zip(keys, world.profiles(self._knows), strict=True):
                self._numbers[key] = self._number(profile)
            return [self._numbers[key] for key in keys]

    def _keys(self, world: World) -> list[Any]:
        shape, identifiers, initiators, root = world.shape, world.identifiers, world.initiators, world.root
        everyone = tuple(sorted(identifiers, key=lambda own: own or 0)) if "everyone" in self._knows else None
        ports = zip(shape.ports, shape.in_ports, shape.answers, strict=True)
        keys: list[Any] = [
            (own, i in initiators, i == root, world.may_crash(i), *of, everyone)
            for i, (own, of) in enumerate(zip(identifiers, ports, strict=True))
        ]
        if "neighbours" in self._knows:
            route = world.route
            keys = [(key, *(identifiers[route[i][port][0]] for port in shape.ports[i])) for i, key in enumerate(keys)]
        return list(enumerate(keys)) if "position" in self._knows else keys

    def _number(self, profile: Profile) -> int:
        number = self._by_profile.get(profile)
        if number is None:
            number = self._by_profile[profile] = len(self.families)
            self.families.append(self._tables.family(profile))
            initial = tuple(self._system._initial(profile))
            self.initial.append(self._tables.number(initial[0]) if len(initial) == 1 else -1)
        return number


class Sweep:
    """Explores fleets, of one system after another world of which looks the same to the properties."""

    def __init__(self, engine: CompiledEngine, counting: Counting | None) -> None:
        self.engine, self.tables, self.counting = engine, engine.tables, counting
        self._crowd = Crowd(engine.system, engine.tables)
        self._simultaneous = engine.system.settings.start == "simultaneous"
        self._low: Array = np.zeros(0, np.int32)
        self._high: Array = np.zeros(0, np.int32)
        self._degree: Array = np.zeros(0, np.int32)
        self._order: Array = np.zeros(0, np.int32)
        self._counters: Array = np.zeros(sweep.COUNTERS, np.int64)
        self._ends: Observations | None = None
        self._started: Array = np.zeros(self._columns, np.int64)
        self._bounded: Array = np.ones(self._columns, np.bool_)
        self._room: tuple[tuple[int, ...], Room] | None = None
        self.error: StepError | None = None  # which put an end to the latest exploration

    def explore(
        self,
        worlds: Sequence[World],
        claims: Predicates,
        ends: Predicates,
        turn_to: Callable[[World], None],
        meter: Meter,
        *,
        reduced: bool,
        cycles_matter: bool,
    ) -> list[Landed]:
        """What was counted in each of the worlds that came to their end by themselves; the others are to be explored one by one. `claims` are
        the properties of states on the way and of steps, `ends` those of terminal states; before they are asked about a world
        `turn_to` is called with it. No two worlds may look different to them. Raises NotCompiledError."""
        engine, counters = self.engine, self._counters
        results = np.zeros((len(worlds), RESULTS + 2 * self._columns), np.int64)
        counters[:] = 0
        before, engine.counters = engine.counters, counters
        self.error = None
        try:
            self._explore(worlds, results, claims, ends, turn_to, meter, reduced, cycles_matter)
        except StepError as error:
            self.error = error  # in which world, who explores them one by one says
        except (UnsupportedError, StoppedError):
            pass  # who explores them one by one says why
        finally:
            engine.counters = before
        return [
            Landed(place, row[1], row[2], row[3], row[4], tuple(row[RESULTS:]), reduced)
            for place, row in enumerate(results.tolist())
            if row[STATUS] == COUNTED
        ]

    @property
    def _columns(self) -> int:
        return 0 if self.counting is None else self.counting.columns

    def _explore(
        self, worlds: Sequence[World], results: Array, claims: Predicates, ends: Predicates, turn_to: Callable[[World], None],
        meter: Meter, reduced: bool, cycles_matter: bool,
    ) -> None:  # fmt: skip
        counters, engine, tables = self._counters, self.engine, self.tables
        counters[calls.MOST] = meter.limits.max_states - meter.earlier_states
        landed = 0
        while True:  # once more wherever slots turn out to be too narrow, or properties to read more
            if not (claims.portable and ends.portable):
                raise UnsupportedError("a property sees more of a world than its identifiers")
            with tables.lock:
                tables.environment(next(engine.system.starts(worlds[0])).state[0])  # the only one
                matrix = np.array([self._crowd.numbers(world) for world in worlds], np.int64)
                layout = FleetLayout(worlds, matrix, self._crowd.families, tables, reduced=reduced)
            kind = kind_of(layout.record, fleet=True)
            engine.must_have(kind)
            engine.turn_to(layout, claims)
            seen_at_ends = self._ends = Observations.of(ends, self._ends)
            engine.visited[:] = 0
            counters[STAGE] = ENTER
            turned = -1
            try:
                fleet = FleetRecord(
                    matrix, layout.orders, layout.base, layout.count, np.array(self._crowd.initial, np.int64),
                    self._started, results, self._simultaneous, self._columns,
                )  # fmt: skip
                covered = -1  # which version of the tables
                while True:
                    with tables.lock:
                        table, observations, store = engine.arrays(layout, cycles_matter)
                        if covered != tables.version:
                            seen_at_ends.cover(layout.every_family, tables)
                            covered = tables.version
                        view = seen_at_ends.as_of_now(layout.record.actors)
                        fold_in = self._fold_in(layout)
                    why = int(
                        sweep.sweep(
                            layout.record,
                            table,
                            observations,
                            view,
                            store,
                            layout.batch,
                            fleet,
                            fold_in,
                            counters,
                            SLICE,
                        )
                    )
                    jit.keep(kind)
                    if why == calls.DONE:
                        return
                    landed += int(counters[LANDED])
                    counters[LANDED] = 0
                    if counters[calls.STATES] > counters[calls.MOST]:
                        return  # one world alone stops at the right state
                    if meter.stop(landed + int(counters[calls.STATES])):
                        return
                    place = int(counters[AT])
                    layout.turn_to(place)
                    if place != turned:
                        turn_to(worlds[place])
                        turned = place
                    if why == sweep.NO_END:
                        self._observe_end(layout, int(counters[calls.ASK_A]), ends)
                    elif why != calls.PAUSE:
                        engine.provide(why, layout, claims, layout.batch, counters)
            except Again:
                turn_to(worlds[int(counters[AT])])

    def _observe_end(self, layout: FleetLayout, number: int, ends: Predicates) -> None:
        """Judges what is seen of a terminal state. Raises Again where more was seen than before."""
        seen, slots = self._ends, layout.unpack(self.engine.words, number)
        assert seen is not None
        state = layout.decode_slots(slots, self.tables)
        seen.number(vector_of(seen, layout, slots), lambda: ends.judge(state))
        if ends.generation != seen.generation:
            raise Again

    def _fold_in(self, layout: FleetLayout) -> FoldRecord:
        """Where messages are counted, with room for as many states as the engine has."""
        engine, tables, columns = self.engine, self.tables, self._columns
        if len(self._degree) < engine.capacity:
            make_room(8 * engine.capacity * (1 + columns))
            self._degree, self._order = np.zeros(engine.capacity, np.int32), np.zeros(engine.capacity, np.int32)
            self._low, self._high = (np.zeros(engine.capacity * columns, np.int32) for _ in range(2))
        steps = layout.record.actors * max(1, tables.most_outcomes)
        sends = np.zeros(0, np.int32) if self.counting is None else self.counting.sends(tables)
        each = 0 if self.counting is None else self.counting.each
        graph = Graph(engine.words, engine.chosen, engine.edges_begin, engine.targets, sends, each)
        size = steps, len(layout.record.width), each
        if self._room is None or self._room[0] != size:  # the same for many calls of the kernel
            idle = np.full(each, -1, np.int64)
            self._room = size, Room(*Transitions.of(steps), np.zeros(size[1], np.uint64), idle)
        room = self._room[1]
        return FoldRecord(graph, room, self._low, self._high, self._degree, self._order, self._bounded)
