"""Which bits of which word a slot of a state has, and states as values again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, overload

import numpy as np

from ...semantics.components import Profile, State
from ...semantics.symmetry import Group
from ...semantics.worlds import World
from ..independence import Independence, Seen
from . import cycles, kernel, records
from .tables import Array, Family, Observations, Tables

FEWEST_BITS, MOST_BITS = 5, 32  # of a slot


@lru_cache  # most worlds are like the one before
def packed(counts: tuple[int, ...]) -> tuple[tuple[int, int, int], ...]:
    """Of each slot, for so many numbers, the word, the shift and the mask. The spare bits of a word are dealt out among its slots, one
    at a time to that which is soonest full: so families grow for a while without the world beginning again."""
    bits = [max(FEWEST_BITS, count.bit_length()) for count in counts]
    words: list[list[int]] = [[]]  # their slots
    for slot, needed in enumerate(bits):
        if sum(bits[other] for other in words[-1]) + needed > 64:
            words.append([])
        words[-1].append(slot)
    packing = []
    for word, slots in enumerate(words):
        for _ in range(64 - sum(bits[slot] for slot in slots)):
            narrow = [slot for slot in slots if bits[slot] < MOST_BITS]
            if narrow:
                bits[min(narrow, key=lambda slot: (1 << bits[slot]) / counts[slot])] += 1
        shift = 0
        for slot in slots:
            packing.append((word, shift, (1 << bits[slot]) - 1))
            shift += bits[slot]
    return tuple(packing)


NOTHING_WITHIN = records.WithinRecord(*[np.zeros(0, np.int64)] * len(records.WithinRecord._fields))


class Foreseen:
    """What the kernel reads of one process (records.WithinRecord), of a family; the tables' lock is held."""

    def __init__(self, seen: Seen, family: Family) -> None:
        process, own = seen.process, seen.process.behaviour
        count = len(process.event)
        fields = {family.fields[own.fields.by_number[field]]: number for field, number in process.field.items()}
        events = {family.events[own.event(event)]: number for event, number in process.event.items()}
        self.field, self.event = (
            [numbers.get(k, -1) for k in range(1 + max(numbers, default=-1))] for numbers in (fields, events)
        )
        self.lane, self.ever = process.lane, process.ever
        self.meets = [mask for row in seen.meets for mask in row]
        self.shows = [events >> event & 1 for events in seen.shows for event in range(count)]
        self.brings = [mask for row in process.brings for mask in row]
        self.sizes = len(self.field), len(self.event), count, len(process.outlets)


def within(independence: Independence, foreseen: Sequence[Foreseen]) -> records.WithinRecord:
    """Which steps of one process meet, in a world of these processes."""
    columns: tuple[list[int], ...] = tuple([] for _ in records.WithinRecord._fields)
    found = records.WithinRecord(*columns)
    for one, brought in zip(foreseen, independence.brought, strict=True):
        begins = (
            len(found.field),
            len(found.event),
            len(found.lane),
            len(found.meets),
            len(found.ever),
            len(found.brings),
        )
        found.actors.extend((*begins, *one.sizes))
        for name in ("field", "event", "lane", "meets", "shows", "ever", "brings"):
            getattr(found, name).extend(getattr(one, name))
        for sender in brought:
            found.brought.extend(sender or (-1, 0))
        found.brought.extend((-1, 0) * (records.LANES - len(brought)))
    return records.WithinRecord(*(np.array(column, np.int64) for column in found))


class StateLayout:
    """How the states of one world are packed, and the small arrays the kernel works in."""

    def __init__(
        self,
        world: World,
        group: Group,
        tables: Tables,
        profiles: Sequence[Profile],
        batch: records.BatchRecord | None,
        *,
        reduced: bool = False,
        within: records.WithinRecord | None = None,
        room: int = 0,
    ) -> None:
        """With `room` every slot has room for so many numbers, or more."""
        self.world = world
        self.offset = 1 if tables.has_environment else 0
        self.families = [tables.family(profile) for profile in profiles]
        self.version = -1  # of the tables, as far as these slots know
        order = (*world.presented, *range(world.n, len(profiles)))  # the network last, where it can split
        self.presented = [place + self.offset for place in order]
        counts = [len(family.members) for family in self.families]
        if self.offset:
            counts.insert(0, len(tables.environments))
        if room:
            counts = [room] * len(counts)
        self.counts = counts
        self.slots: Array
        self.packing = packed(tuple(counts))
        words = 1 + self.packing[-1][0]
        kinds = [None] * self.offset + list[Family | None](self.families)
        widths: dict[Family | None, int] = {}
        for kind, (_, _, mask) in zip(kinds, self.packing, strict=True):
            widths[kind] = min(mask + 1, widths.get(kind, mask + 1))
        # of all slots of a family: in a world with symmetries what stands in one comes into another
        self.most = [widths[kind] for kind in kinds]
        turns = [[*range(self.offset), *(g.index(k) + self.offset for k in range(world.n))] for g in group]
        links, senders = tables.links(world)
        self.record = records.WorldRecord(
            (0,) * words, (0,) * self.offset, (0,) * bool(group), (0,) * reduced,
            np.array(turns, np.int64).reshape(len(group), len(counts)), len(profiles), tables.ports, links, senders,
            np.array([0] * self.offset + [family.key for family in self.families], np.int64),
            np.array(self.presented, np.int64), within or NOTHING_WITHIN,
        )  # fmt: skip
        if (
            batch is not None
            and len(batch.words) == len(batch.hashes) * words
            and len(batch.vector) == len(profiles) + 1
            and (batch.keys is not batch.words) == bool(group)
        ):
            self.batch = batch
        else:
            self.make_room(kernel.BATCH)

    def make_room(self, room: int) -> None:
        """For so many successors in the batch, which is to be empty."""
        self.batch = self.new_batch(room)

    def new_batch(self, room: int) -> records.BatchRecord:
        words = np.zeros(room * len(self.record.width), np.uint64)
        return records.BatchRecord(
            words,
            np.zeros_like(words) if self.record.symmetric else words,
            np.zeros(room, np.uint64),
            np.zeros(room, np.uint32),
            np.zeros(room, np.uint32),
            np.zeros(self.record.actors + 1, np.int64),
            np.zeros(len(self.record.width), np.uint64),
            np.zeros(self.record.actors, np.int64),
            np.zeros(self.record.actors, np.int64),
            np.zeros(self.record.actors, np.int64),
            np.zeros(self.record.actors * records.LANES * 3, np.int64),
            np.zeros(self.record.actors * records.NOW, np.int64),
            np.zeros(records.LANES, np.int64),
        )

    def unpack(self, words: Array, number: int) -> list[int]:
        """The numbers in the slots of one state out of many."""
        begin = number * len(self.record.width)
        state = words[begin : begin + len(self.record.width)].tolist()
        return [state[word] >> shift & mask for word, shift, mask in self.packing]

    @property
    def every_family(self) -> Sequence[Family]:
        """Of all the worlds that it is for."""
        return self.families

    def family_of(self, slot: int) -> Family:
        return self.families[slot - self.offset]

    def suffices(self) -> bool:
        """Whether every slot has room for every number that there is."""
        return all(count <= most for count, most in zip(self.counts, self.most, strict=True))

    def place(self, observations: Observations) -> None:
        """Writes down of each slot where its rows begin, and below which numbers the kernel may go."""
        covered = [(0, observations.seen_environment.length)] * self.offset + [
            observations.covered(f) for f in self.families
        ]
        self.counts = [count for _, count in covered]
        slots = np.zeros((len(covered), records.SLOT), np.uint32)
        slots[:, : records.LIMIT + 1] = [
            (*packing, base, min(count, most))
            for packing, (base, count), most in zip(self.packing, covered, self.most, strict=True)
        ]
        self.slots = slots.reshape(-1)  # not changed any more: a kernel may be reading it

    def slots_of(self, state: State, tables: Tables) -> list[int]:
        head = [tables.environments[state[0]]] if self.offset else []
        return [*head, *(tables.number(component) for component in state[1:])]

    def pack(self, numbers: list[int], words: Array, number: int) -> None:
        """Writes one state into the place it has by its number."""
        state = [0] * len(self.record.width)
        for (word, shift, _), value in zip(self.packing, numbers, strict=True):
            state[word] |= value << shift
        words[number * len(state) : (number + 1) * len(state)] = state

    def decode(self, words: Array, number: int, tables: Tables) -> State:
        return self.decode_slots(self.unpack(words, number), tables)

    def decode_slots(self, slots: list[int], tables: Tables) -> State:
        environment = tables.environments.by_number[slots[0] if self.offset else 0]
        members = zip(self.families, slots[self.offset :], strict=True)
        return (environment, *(family.members[number] for family, number in members))


class FleetLayout(StateLayout):
    """How the states of a fleet (sweep.py) are packed: every slot has room for every family. `matrix` has the numbers of the families
    of each world's processes, in `fleet`."""

    def __init__(
        self, worlds: Sequence[World], matrix: Array, fleet: Sequence[Family], tables: Tables, *, reduced: bool
    ) -> None:
        self.fleet, self.matrix = fleet, matrix
        profiles = [fleet[number].profile for number in matrix[0]]
        room = 2 * max(len(family.members) for family in fleet)
        super().__init__(worlds[0], (), tables, profiles, None, reduced=reduced, room=room)
        self.most = [min(self.most)] * len(self.most)
        self.orders: Array = np.array([world.presented for world in worlds], np.int64)
        self.base: Array = np.zeros(len(fleet), np.int64)
        self.count: Array = np.zeros(len(fleet), np.int64)

    @property
    def every_family(self) -> Sequence[Family]:
        return self.fleet

    def turn_to(self, place: int) -> None:
        """From now on its slots are those of the world at this place of the fleet."""
        self.families = [self.fleet[number] for number in self.matrix[place]]
        self.presented = [int(process) for process in self.orders[place]]

    def place(self, observations: Observations) -> None:
        super().place(observations)
        for number, family in enumerate(self.fleet):
            self.base[number], self.count[number] = observations.covered(family)
        self.counts = [int(self.count.max())] * len(self.most)


class DecodedStates(Sequence[State]):
    """States as tuples of components, decoded when they are looked at."""

    def __init__(self, words: Array, count: int, layout: StateLayout, tables: Tables) -> None:
        self.words, self._length, self.layout, self.tables = words, count, layout, tables

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, number: int) -> State: ...
    @overload
    def __getitem__(self, number: slice) -> list[State]: ...
    def __getitem__(self, number: int | slice) -> State | list[State]:
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(len(self)))]
        return self.layout.decode(self.words, range(self._length)[number], self.tables)

    def __iter__(self) -> Iterator[State]:
        return (self[number] for number in range(len(self)))


class Depths(Sequence[int]):
    """Breadth-first depths, computed from the parents when first asked for. The last state's is known before."""

    def __init__(self, parents: Array, deepest: int) -> None:
        self.parents, self.deepest = parents, deepest
        self._depths: Array | None = None

    def __len__(self) -> int:
        return len(self.parents)

    def __getitem__(self, number: Any) -> Any:
        if number == len(self.parents) - 1:
            return self.deepest
        if self._depths is None:
            self._depths = np.zeros(len(self.parents), np.int32)
            cycles.fill_depths(self.parents, self._depths)
        return int(self._depths[number])
