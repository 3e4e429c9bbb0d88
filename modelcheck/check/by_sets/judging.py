"""Properties of sets of states: each is judged once for every way in which states look to it.

What a property reads of a component is its observation. A set in which every member is replaced by the first one that looks the same
is small; it is gone through from the first level to the last, and what was seen on the way is kept, but not where. Where a property
reads something more while it is judged, all is looked at anew.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...errors import StepError
from ...explore.sets.alphabet import AlphabetTables, Array, Member, Wires
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
        self._classes: Array = np.zeros(0, np.uint32)
        environments = tables.all_environments.by_number
        firsts: dict[Hashable, int] = {}
        looks = (one.shared if SHARED in monitor.reads else None for one in environments)
        self.environment_of: Array = np.array([firsts.setdefault(look, k) for k, look in enumerate(looks)], np.uint32)

    def classes(self) -> Array:
        """The class of each member that there is by now: (members,)."""
        known, members = len(self._classes), self.tables.members.by_number
        if known < len(members):
            more = [self._class_of(number, member) for number, member in enumerate(members[known:], known)]
            self._classes = np.append(self._classes, np.array(more, np.uint32))
        return self._classes

    def _class_of(self, number: int, member: Member) -> int:
        look = member.component.profile, member.wires, self.monitor.projection(member.component)
        return self._firsts.setdefault(look, number)

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
            self._until_it_reads_no_more(monitor, 1, root, self._judge_states)

    def steps(self, monitors: Iterable[Monitor], root: int) -> None:
        """Judges properties of every step out of a state of a set."""
        for monitor in monitors:
            self._until_it_reads_no_more(monitor, 2, root, self._judge_steps)

    def _until_it_reads_no_more(
        self, monitor: Monitor, of: int, root: int, judge: Callable[[Eye, int], set[View]]
    ) -> None:
        """Judges a property `of` one state, or of two; again and again, until it has read nothing more."""
        name = monitor.property.name
        try:
            if root != EMPTY:  # one state tells most of what it reads
                _, state = self._shown(self.eye(monitor), self.reader.some_vector(root))
                _holds(monitor, *[state] * of)
            while True:
                breadth = monitor.breadth
                self.samples[name] = []
                bad = judge(self.eye(monitor), root)
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
            still = still and _holds(monitor, state, state)
            if monitor.breadth != breadth:
                return bad
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
        present = [np.array(numbers, np.int64) for numbers in reader.members_at(root)]
        for event in tables.all_events():
            beat()
            at = int(tables.event[event, AT])
            own = tables.rows_of(event)
            own = own[np.isin(own[:, 0], present[at])]
            if not len(own):
                continue
            touched = {  # by level, what can stand there before it, and afterwards
                level: self._pushed(int(tables.delivery[event, level]), present[level])
                for level in range(tables.environments, tables.levels)
                if level != at and tables.delivery[event, level]
            }
            if tables.event[event, FROM]:
                touched[0] = present[0], np.full(len(present[0]), tables.event[event, TURNS])
            touched[at] = own[:, 0], own[:, 1]
            seen_as = {
                level: eye.environment_of if level < tables.environments else eye.classes()
                for level in range(tables.levels)
            }
            changed = (seen_as[level][before] != seen_as[level][after] for level, (before, after) in touched.items())
            if not (every or any(differs.any() for differs in changed)):
                continue
            pairs, numbers = _numbered(
                {
                    level: (seen_as[level][before], seen_as[level][after])
                    for level, (before, after) in (
                        dict(enumerate(zip(present, present, strict=True))) | touched
                    ).items()
                }
            )
            others = {
                level: (touched[level][0] if level in touched else present[level], numbers[level])
                for level in range(tables.levels)
                if level != at
            }
            rows: dict[int, list[int]] = {}
            for number, pair in zip(own[:, 0].tolist(), numbers[at].tolist(), strict=True):
                rows.setdefault(number, []).append(pair)
            tables.reserve(len(pairs))
            seen = reader.diagram.image(tables.pairing(event, others, rows), root)
            if seen == EMPTY:
                continue

            def place(level: int, label: int, pairs: Array = pairs) -> tuple[int, Hashable]:
                where, before = eye.place(level, int(pairs[label, 0]))
                return where, (before, eye.place(level, int(pairs[label, 1]))[1])

            yield StepLooks(event, pairs, reader.spelled(seen, place, tables.levels, MOST_VIEWS))

    def _pushed(self, delivery: int, numbers: Array) -> tuple[Array, Array]:
        """Those of these members to which so much was delivered in some state that is reachable, and what becomes of them. Nothing is tabulated
        for that: the fixpoint could not be known without it."""
        after = self.tables.push[delivery, numbers]
        return numbers[after != NONE], after[after != NONE]


def _holds(monitor: Monitor, *states: State) -> bool:
    """Whether the property holds; not where it fails to say so, of a step that perhaps nobody takes."""
    try:
        return monitor.holds(*states)
    except StepError:
        return False


def _numbered(pairs: Mapping[int, tuple[Array, Array]]) -> tuple[Array, dict[int, Array]]:
    """All different pairs of labels, (pairs, 2), and by level the number of each pair there."""
    words = {level: before.astype(np.int64) << 32 | after for level, (before, after) in pairs.items()}
    found, numbers = np.unique(np.concatenate(list(words.values())), return_inverse=True)
    ends = np.cumsum([len(at_level) for at_level in words.values()])
    by_level = dict(zip(words, np.split(numbers.astype(np.uint32), ends[:-1]), strict=True))
    return np.stack([found >> 32, found & 0xFFFFFFFF], axis=1), by_level
