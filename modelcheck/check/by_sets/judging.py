"""Properties of sets of states: each is judged once for every way in which states look to it.

What a property reads of a component is its observation. A set in which every member is replaced by the first one that looks the same
is small; it is gone through from the first level to the last, and what was seen on the way is kept, but not where. Where a property
reads something more while it is judged, all is looked at anew.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ...explore.sets.alphabet import AlphabetTables, Array, Wires
from ...explore.sets.reading import SetReader, TooManyError, Vector
from ...explore.sets.records import AT, EMPTY, FROM, NONE, TURNS
from ...properties.monitor import Monitor
from ...properties.view import SHARED
from ...pulse import attended, beat
from ...semantics.components import Profile, State
from ...semantics.worlds import World

MOST_VIEWS = 1_000_000  # that differ, of one property, on the way
MOST_WORLDS = 20_000  # of which each is looked at by itself

View = tuple[Hashable, ...]


class JudgedStates(NamedTuple):
    """A state that was judged, or the states before and after a step."""

    world: World
    states: tuple[State, ...]
    holds: bool


class Eye:
    """One property as it looks at states now. Members that it cannot tell from one another are of one class, which goes by the first of them;
    two of different processes it can always tell.

    everywhere  whether worlds look alike that differ only in where identifiers stand, and by which rank each identifier goes then
    """

    def __init__(self, monitor: Monitor, tables: AlphabetTables, everywhere: dict[Hashable, int] | None) -> None:
        self.monitor, self.tables, self.everywhere = monitor, tables, everywhere
        self._firsts: dict[Hashable, int] = {}
        self._classes: list[int] = []
        environments = tables.all_environments.by_number
        firsts: dict[Hashable, int] = {}
        looks = (one.shared if SHARED in monitor.reads else None for one in environments)
        self.environment_of: Array = np.array([firsts.setdefault(look, k) for k, look in enumerate(looks)], np.uint32)

    def classes(self) -> Array:
        """The class of each member that there is by now: (members,)."""
        for number in range(len(self._classes), len(self.tables.members)):
            component, wires, _ = self.tables.members.by_number[number]
            look = component.profile, wires, self.monitor.projection(component)
            self._classes.append(self._firsts.setdefault(look, number))
        return np.array(self._classes, np.uint32)

    def place(self, level: int, label: int) -> tuple[int, Hashable]:
        """Where something is seen, and as what: at its level; or where the same identifiers stand in any arrangement, at the place of its
        identifier."""
        if self.everywhere is None or level < self.tables.environments:
            return level, label
        component = self.tables.members.by_number[label].component
        if component.profile.identifier is None:  # the network
            return level, label
        rank = self.tables.environments + self.everywhere[component.profile.identifier]
        return rank, self.monitor.projection(component)


class StepLooks(NamedTuple):
    """How the steps look by which one event is taken in the states of a set: `looks` has for each look a vector of numbers of pairs, and `pairs`
    (pairs, 2) the labels before and after."""

    event: int
    pairs: Array
    looks: dict[View, Vector]


class Judge:
    """Judges properties of the states of worlds of one size.

    bad        by property, how states look that break it, or steps
    undecided  by property, why nothing is said of it
    samples    by property, states that were judged
    """

    def __init__(self, reader: SetReader, worlds: Sequence[World], symmetric: bool) -> None:
        self.reader, self.tables = reader, reader.tables
        self.worlds, self.home, self._symmetric = worlds, worlds[0], symmetric
        self._knows = self.tables.system.definition.knows
        own = [profile.identifier for profile in self.home.profiles(self._knows)]
        self._own = own
        self._rank: dict[Hashable, int] = {own[process]: place for place, process in enumerate(self.home.presented)}
        identifiers = set(self.home.identifiers)
        self._alike = all(world.distinct and set(world.identifiers) == identifiers for world in worlds)
        self._worlds_by_profiles: dict[tuple[tuple[Profile, Wires], ...], World] | None = None
        self._eyes: dict[str, tuple[object, Eye]] = {}
        self.bad: dict[str, set[View]] = {}
        self.undecided: dict[str, str] = {}
        self.samples: dict[str, list[JudgedStates]] = {}

    def states(self, monitors: Iterable[Monitor], root: int) -> None:
        """Judges properties of every state of a set."""
        for monitor in monitors:
            self._until_it_reads_no_more(monitor, lambda eye: self._judge_states(eye, root))

    def steps(self, monitors: Iterable[Monitor], root: int) -> None:
        """Judges properties of every step out of a state of a set."""
        for monitor in monitors:
            self._until_it_reads_no_more(monitor, lambda eye: self._judge_steps(eye, root))

    def _until_it_reads_no_more(self, monitor: Monitor, judge: Callable[[Eye], set[View]]) -> None:
        name = monitor.property.name
        try:
            while True:
                breadth = monitor.breadth
                self.samples[name] = []
                bad = judge(self.eye(monitor))
                if monitor.breadth == breadth:
                    break
            self.bad[name] = bad
        except TooManyError as why:
            self.undecided[name] = str(why)

    def eye(self, monitor: Monitor) -> Eye:
        """The property as it looks now. Raises TooManyError where it has to look at more worlds than is worth it."""
        monitor.enter(self.home, self._symmetric)
        everywhere = self._alike and monitor.portable
        if not everywhere and len(self.worlds) > MOST_WORLDS:
            raise TooManyError(f"what it reads differs between worlds, and there are {len(self.worlds):,}")
        now = monitor.breadth, everywhere
        before, eye = self._eyes.get(monitor.property.name, (None, None))
        if eye is None or before != now:
            eye = Eye(monitor, self.tables, self._rank if everywhere else None)
            self._eyes[monitor.property.name] = now, eye
        return eye

    def looks(self, eye: Eye, root: int) -> dict[View, Vector]:
        """The ways in which the states of a set look, each with a vector of members that look so."""
        seen = self.reader.seen(root, eye.classes(), eye.environment_of)
        return self.reader.spelled(seen, eye.place, self.tables.levels, MOST_VIEWS)

    # --- states

    def _judge_states(self, eye: Eye, root: int) -> set[View]:
        bad: set[View] = set()
        breadth = eye.monitor.breadth
        for view, vector in self.looks(eye, root).items():
            beat()
            world, state = self._shown(eye, vector)
            holds = eye.monitor.holds(state)
            if eye.monitor.breadth != breadth:
                break
            if not holds:
                bad.add(view)
            self.samples[eye.monitor.property.name].append(JudgedStates(world, (state,), holds))
        return bad

    def _shown(self, eye: Eye, vector: Sequence[int]) -> tuple[World, State]:
        """A state that looks so, and a world in which it does, to which the property is turned."""
        state, n = self.tables.state(vector), self.home.n
        if eye.everywhere is not None:
            standing = {component.profile.identifier: component for component in state[1 : n + 1]}
            return self.home, (state[0], *(standing[identifier] for identifier in self._own), *state[n + 1 :])
        world = self.world_of(vector)
        eye.monitor.enter(world, self._symmetric)
        return world, state

    def world_of(self, vector: Sequence[int]) -> World:
        """The world of a state: what never changes about its processes tells which."""
        if self._worlds_by_profiles is None:
            self._worlds_by_profiles = {
                tuple(zip(world.profiles(self._knows), self.tables.wires(world), strict=False)): world
                for world in attended(self.worlds)
            }
        members = [self.tables.members.by_number[number] for number in vector[self.tables.environments :]]
        standing = dict(zip(self.tables.processes, members, strict=True))
        found = ((standing[p].component.profile, standing[p].wires) for p in range(self.home.n))
        return self._worlds_by_profiles[tuple(found)]

    # --- steps

    def _judge_steps(self, eye: Eye, root: int) -> set[View]:
        bad: set[View] = set()
        monitor, breadth = eye.monitor, eye.monitor.breadth
        still = True  # whether it holds of every step that changes nothing it sees
        for vector in self.looks(eye, root).values():
            world, state = self._shown(eye, vector)
            holds = monitor.holds(state, state)
            if monitor.breadth != breadth:
                return bad
            still = still and holds
        for steps in self.taken(eye, root, every=not still):
            for view, vector in steps.looks.items():
                beat()
                world, before = self._shown(eye, steps.pairs[list(vector), 0].tolist())
                _, after = self._shown(eye, steps.pairs[list(vector), 1].tolist())
                holds = monitor.holds(before, after)
                if monitor.breadth != breadth:
                    return bad
                if not holds:
                    bad.add(view)
                self.samples[monitor.property.name].append(JudgedStates(world, (before, after), holds))
        return bad

    def taken(self, eye: Eye, root: int, every: bool) -> Iterator[StepLooks]:
        """How the steps look that are taken in states of a set, by event; those that change nothing that is seen only if `every` one is asked
        for."""
        tables, reader = self.tables, self.reader
        present = reader.members_at(root)
        for event in tables.all_events():
            beat()
            at = int(tables.event[event, AT])
            own = tables.rows_of(event)
            own = own[np.isin(own[:, 0], present[at])]
            if not len(own):
                continue
            became: dict[int, Array] = {}  # by level, what stands there afterwards, where that may be something else
            for level in range(tables.environments, tables.levels):
                delivery = int(tables.delivery[event, level])
                if delivery and level != at:
                    tables.fill_push(delivery, present[level])
                    became[level] = tables.push[delivery, present[level]]
            classes = eye.classes()
            pairs = _Pairs()
            changes = every or bool((classes[own[:, 0]] != classes[own[:, 1]]).any())
            others: dict[int, tuple[Array, Array]] = {}
            for level, numbers in enumerate(present):
                standing = np.array(numbers, np.int64)
                if level < tables.environments:
                    after = (
                        np.full(len(standing), tables.event[event, TURNS]) if tables.event[event, FROM] else standing
                    )
                    before_class, after_class = eye.environment_of[standing], eye.environment_of[after]
                elif level in became:
                    standing, after = standing[became[level] != NONE], became[level][became[level] != NONE]
                    before_class, after_class = classes[standing], classes[after]
                else:
                    before_class = after_class = classes[standing]
                changes = changes or bool((before_class != after_class).any())
                if level != at:
                    others[level] = standing, pairs.numbers(before_class, after_class)
            if not changes:
                continue
            rows: dict[int, list[int]] = {}
            both = pairs.numbers(classes[own[:, 0]], classes[own[:, 1]])
            for number, pair in zip(own[:, 0].tolist(), both.tolist(), strict=True):
                rows.setdefault(number, []).append(pair)
            tables.reserve(len(pairs.all))
            seen = reader.diagram.image(tables.pairing(event, others, rows), root)
            if seen == EMPTY:
                continue
            found = np.array(list(pairs.all), np.int64)

            def place(level: int, label: int, found: Array = found) -> tuple[int, Hashable]:
                where, before = eye.place(level, int(found[label, 0]))
                return where, (before, eye.place(level, int(found[label, 1]))[1])

            yield StepLooks(event, found, reader.spelled(seen, place, tables.levels, MOST_VIEWS))


class _Pairs:
    """Numbers for pairs of labels."""

    def __init__(self) -> None:
        self.all: dict[tuple[int, int], int] = {}

    def numbers(self, before: Array, after: Array) -> Array:
        """Of each pair."""
        found = [self.all.setdefault(pair, len(self.all)) for pair in zip(before.tolist(), after.tolist(), strict=True)]
        return np.array(found, np.uint32)
