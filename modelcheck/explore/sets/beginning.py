"""Where runs begin, in all worlds of a size, as vectors of members."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from ...pulse import attended
from ...semantics.system import Outcome, Start
from ...semantics.worlds import World, Worlds
from .alphabet import AlphabetTables, Array, Member

OF_OTHERS = {"neighbours", "everyone"}  # what a process may know that depends on where others stand


def from_top_down(worlds: Worlds) -> Sequence[int]:
    """An order of the processes by level: each beside those that it sends to, or the last first where everyone sends to everyone. Then they
    differ most by their identifiers, which ascend with their numbers; Bully's five have a third of the nodes then."""
    shape = next(worlds.shapes())
    levels = range(shape.n)
    everyone = shape.n > 3 and all(len(ports) == shape.n - 1 for ports in shape.ports)  # a ring of three is no matter
    return levels[::-1] if everyone else levels


class Beginnings:
    """The initial states of worlds, no two alike in one world. Two worlds may be alike in all that a process can notice.

    vectors    (starts, L) uint32: members by level
    world      (starts,) int64: which of the `worlds` that is
    copy       (starts,) int64: how many of the worlds before begin in the same state
    failing    the starts at which a starting step fails, with the numbers of their worlds
    """

    def __init__(self, tables: AlphabetTables, worlds: Iterable[World]) -> None:
        """Numbers the members of all initial states. Raises what the model's code raises, and StoppedError."""
        self.tables, self.system = tables, tables.system
        self.worlds: list[World] = []
        self.failing: list[tuple[int, Start]] = []
        self._members: dict[object, tuple[int, ...]] = {}
        vectors: list[tuple[int, ...]] = []
        places: list[int] = []
        simple = (
            self.system.settings.start == "any"
            and not self.system.definition.chooses_shared
            and not OF_OTHERS & set(self.system.definition.knows)
            and not tables.splits
        )
        for place, world in enumerate(attended(worlds, 100)):
            self.worlds.append(world)
            for vector in dict.fromkeys(self._product(world) if simple and place else self._one_by_one(place, world)):
                vectors.append(vector)
                places.append(place)
        self.vectors: Array = np.array(vectors, np.uint32).reshape(-1, tables.levels)
        self.world: Array = np.array(places, np.int64)
        met: dict[tuple[int, ...], int] = {}
        self.copy: Array = np.zeros(len(vectors), np.int64)
        for number, vector in enumerate(vectors):
            self.copy[number] = met[vector] = met.get(vector, -1) + 1

    def _one_by_one(self, place: int, world: World) -> Iterator[tuple[int, ...]]:
        wires = self.tables.wires(world)
        for start in self.system.starts(world):
            if _fails(start):
                self.failing.append((place, start))
            else:
                yield tuple(self.tables.numbered(start.state, wires))

    def _product(self, world: World) -> Iterator[tuple[int, ...]]:
        """The same where each process begins as it does wherever the others stand."""
        shape, root = world.shape, world.root
        keys = [
            (
                id(shape),
                process,
                world.identifiers[process],
                process in world.initiators,
                process == root,
                world.may_crash(process),
            )
            for process in self.tables.processes
        ]
        if any(key not in self._members for key in keys):
            wires, profiles = self.tables.wires(world), world.profiles(self.system.definition.knows)
            for key in keys:
                components = self.system._initial(profiles[key[1]])
                self._members[key] = tuple(self.tables.member(Member(one, wires[key[1]])) for one in components)
        head = ((0,),) if self.tables.environments else ()
        return itertools.product(*head, *(self._members[key] for key in keys))

    def start(self, vector: tuple[int, ...]) -> tuple[int, Start]:
        """The number of the world, and the start, of one of the vectors."""
        place = int(self.world[(self.vectors == np.array(vector, np.uint32)).all(axis=1).argmax()])
        world = self.worlds[place]
        wires = self.tables.wires(world)
        starts = self.system.starts(world)
        return place, next(one for one in starts if tuple(self.tables.numbered(one.state, wires)) == vector)

    def with_history(self, tables: AlphabetTables, weigh: Callable[[Outcome], int]) -> Array:
        """The same vectors with the members of other tables, and as history what the starting steps add up to."""
        if self.system.settings.start == "any":
            of = [tables.member(member) for member in self.tables.members.by_number]
            for environment in self.tables.all_environments.by_number:
                tables.environment(environment)
            found = self.vectors.copy()
            found[:, tables.environments :] = np.array(of, np.uint32)[self.vectors[:, tables.environments :]]
            return found
        vectors = []
        for world in attended(self.worlds):
            wires = tables.wires(world)
            for start in itertools.filterfalse(_fails, self.system.starts(world)):
                vectors.append(tuple(tables.numbered(start.state, wires, histories(start, world.n, weigh))))
        return np.array(list(dict.fromkeys(vectors)), np.uint32).reshape(-1, tables.levels)


def _fails(start: Start) -> bool:
    """Whether one of the starting steps fails."""
    return bool(start.steps) and start.steps[-1].after is None


def histories(start: Start, n: int, weigh: Callable[[Outcome], int]) -> list[int]:
    """What the starting steps add up to, for each process."""
    found = [0] * n
    for step in start.steps:
        found[step.process] += weigh(step.outcome)
    return found
