"""The tables the kernel reads: what the semantics computes, interned to small integers, filled when first asked for.

The model's Python code runs here and nowhere else in a compiled search: once for each distinct component (with each
environment it is met in), never for a state. Arrays grow by being replaced; a kernel that still reads the older ones at
worst misses an entry that is there by now, and asks again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...language.messages import Message
from ...pulse import beat, make_room
from ...semantics.components import Component, Environment, Profile
from ...semantics.partitions import Network
from ...semantics.system import Outcome, System
from ...semantics.worlds import World
from ..exploration import UnsupportedError
from ..independence import Event, Fields, event_of, waiting
from ..interned import Interned
from ..stubborn import MOST, is_spent
from .kernel import enter_observation
from .packed import find_pair
from .predicates import Predicates
from .records import FAULT, NONE, RECEIVED, ROW, SENDS, STARTS, ObservationsRecord, TablesRecord

# Bits of the two numbers of a pair (packed.find_pair); and of the second, those that number a component within its family.
FIRST, SECOND, WITHIN = 24, 40, 24
FAILURE_FLAGS = {"assert": 2, "exception": 4, "unspecified reception": 8}
Array = NDArray[Any]


class Pairs:
    """An open-addressing table from pairs of numbers to rows of numbers, in the layout of packed.find_pair."""

    def __init__(self, columns: int, kind: Any, fill: int = 0) -> None:
        self.count, self.fill = 0, fill
        self.keys: Array = np.zeros(64, np.uint64)
        self.rows: Array = np.full((64, columns), fill, kind)

    def add(self, a: int, b: int, *values: int) -> None:
        """Puts the pair in, with its values, unless it is there. Raises UnsupportedError where a number is too large."""
        if a >> FIRST or b >> SECOND:
            raise UnsupportedError("a pair of numbers does not fit its key")
        if 2 * self.count >= len(self.keys):
            self._grow()
        at = int(find_pair(self.keys, a, b))
        if self.keys[at] == 0:
            self.rows[at] = values
            self.keys[at] = np.uint64(((a << 40) | b) + 1)  # last: whoever reads it finds the values there
            self.count += 1

    def has(self, a: int, b: int) -> bool:
        return bool(self.keys[int(find_pair(self.keys, a, b))] != 0)

    def _grow(self) -> None:
        keys, rows = self.keys, self.rows
        make_room(4 * (keys.nbytes + rows.nbytes))
        larger = np.zeros(4 * len(keys), np.uint64)
        values = np.full((4 * len(keys), rows.shape[1]), self.fill, rows.dtype)
        for old in np.flatnonzero(keys):
            key = int(keys[old]) - 1
            at = int(find_pair(larger, key >> SECOND, key & ((1 << SECOND) - 1)))
            larger[at], values[at] = keys[old], rows[old]
        self.keys, self.rows = larger, values


class GrowingArray:
    """An array that grows at its end, by entries of so many numbers each."""

    def __init__(self, kind: Any, width: int = 1, fill: int = 0, size: int = 1024) -> None:
        self.width, self.fill, self.length = width, fill, 0
        self.array: Array = np.full(size * width, fill, kind)

    def append(self, *values: int) -> None:
        self.reserve(self.length + 1)
        self[self.length] = values
        self.length += 1

    def reserve(self, length: int) -> None:
        """Makes room for so many entries."""
        have = len(self.array)
        if length * self.width <= have:
            return
        longer = max(length * self.width, 2 * have)
        make_room(longer * self.array.itemsize)
        grown = np.full(longer, self.fill, self.array.dtype)
        grown[:have] = self.array
        self.array = grown

    def __getitem__(self, entry: int) -> Array:
        return self.array[entry * self.width : (entry + 1) * self.width]

    def __setitem__(self, entry: int, values: int | tuple[int, ...]) -> None:
        self.array[entry * self.width : (entry + 1) * self.width] = values


class Family:
    """The components of one profile, numbered from 0 in order of first meeting. Their rows in the tables lie together."""

    def __init__(self, profile: Profile, key: int) -> None:
        self.profile = profile
        self.key = key << WITHIN  # what the kernel adds to a number to tell it from those of other families
        self.base, self.room = 0, 0  # of its rows
        self.numbers: Interned[Component] = Interned()
        self.fields: Interned[Fields] = Interned()
        self.events: Interned[Event] = Interned()

    @property
    def members(self) -> list[Component]:
        """Its components by their numbers."""
        return self.numbers.by_number


class Lock:
    """A lock for threads that run a model's code, which the same thread may take again.

    Who waits for it wakes up now and then: were that the main thread, it might otherwise sleep with a signal that is still to
    be handled, and the thread that has the lock would not get on (interrupts.py says why).
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        while not self._lock.acquire(timeout=0.1):
            pass

    def __exit__(self, *_: object) -> None:
        self._lock.release()


class Tables:
    """The tables of one System, shared by all worlds and threads.

    Arrays that are full are replaced by longer ones, and a kernel may still read the older. So that it never reads of
    something that came later, whatever leads there is replaced as well: `span` and `pairs` with the rows they lead to, `event`
    with the columns of `push`. What it then does not find it asks for, and gets the arrays of now.

    The kernel looks for pairs before they are added: numbers that would not fit into a key are never given. Whoever asks for one
    gets an UnsupportedError.
    """

    def __init__(self, system: System, ports: int) -> None:
        self.system = system
        self.ports = ports  # more than any port number
        self.lock = Lock()
        self.version = 0  # grows with every component, environment and message
        self.families: dict[Profile, Family] = {}
        self.environments: Interned[Environment] = Interned()
        self.messages: Interned[Message] = Interned()
        self.events: Interned[tuple[int, int]] = Interned()  # message, in-port
        self.used = 0  # rows of span and push that belong to a family
        self.span = GrowingArray(np.uint32, 2, NONE)
        self.pairs = Pairs(2, np.uint32, NONE)
        self.rows = GrowingArray(np.uint32, ROW)
        self.rows.append(0, 0, 0, 0)  # always one row more, which says where the sends of the last one end
        self.sent = GrowingArray(np.uint32, 2)
        self.event = GrowingArray(np.uint32, ports, size=64)
        self._links: tuple[object, tuple[Array, Array]] | None = None
        self.most_events = 16
        self.most_outcomes = 0  # of any component, in any environment
        self.push = GrowingArray(np.uint32, self.most_events, NONE)
        self.empty = GrowingArray(np.uint64)
        self.field = GrowingArray(np.uint32)
        self.waits, self.waiting = GrowingArray(np.uint32, 2), GrowingArray(np.uint32)
        self.taken = GrowingArray(np.uint32)
        self.spent = GrowingArray(np.uint8, size=64)

    @cached_property
    def has_environment(self) -> bool:
        """Whether anything in the environment can ever change."""
        return bool(self.system.definition.shared) or any(self.system.settings.faults().values())

    def family(self, profile: Profile) -> Family:
        if profile not in self.families:
            self._must_fit(len(self.families), SECOND - WITHIN)
            self.families[profile] = Family(profile, len(self.families))
        return self.families[profile]

    def number(self, component: Component) -> int:
        """The number of a component in its family, with its rows made ready."""
        family = self.family(component.profile)
        if component not in family.numbers:
            number = len(family.members)
            if number >> WITHIN:
                self._must_fit(number, WITHIN)
            if number == family.room:
                self._move(family)  # first, for there may be no memory for it
            self.empty[family.base + number] = empty_ports(component)
            if not self.has_environment:  # and no fault: for explore/independence.py
                self.field[family.base + number] = NONE if component.crashed else family.fields[component.fields]
                begin = self.waiting.length
                for event in waiting(self.system, component):
                    self.waiting.append(family.events[event])
                self.waits[family.base + number] = begin, self.waiting.length
            self.version += 1
        return family.numbers[component]

    def environment(self, environment: Environment) -> int:
        """The number of an environment."""
        if environment not in self.environments:
            self._must_fit(len(self.environments), FIRST)
            self.spent.append(is_spent(environment))
            self.version += 1
        return self.environments[environment]

    def _must_fit(self, number: int, bits: int) -> None:
        """Whether the key of a pair has room for a number; without an environment nothing is looked up by pairs."""
        if number >> bits and self.has_environment:
            raise UnsupportedError("a number does not fit the key of a pair")

    def links(self, world: World) -> tuple[Array, Array]:
        """Where the links lead, and those of the network to and from the processes, and who sends to each in-port, as the kernel
        reads it."""
        shape = world.shape  # which says it all
        if self._links is None or self._links[0] is not shape:
            links = np.zeros((len(world.wiring), self.ports, 2), np.uint32)
            for source, wires in enumerate(world.wiring):
                for out_port, (target, in_port) in wires.items():
                    links[source, out_port] = target + self.has_environment, in_port
            senders = np.zeros((world.n, self.ports), np.int64)
            for target, in_ports in enumerate(shape.in_ports):
                senders[target, : len(in_ports)] = [world.sender[target][port] for port in in_ports]
            self._links = shape, (links.reshape(-1), senders.reshape(-1))  # worlds of one shape come one after another
        return self._links[1]

    def _move(self, family: Family) -> None:
        """Gives a family more rows, elsewhere. Where it was nothing changes any more, for a kernel may still read it."""
        room, base = max(32, 2 * family.room), self.used
        columns = (self.span, self.push, self.empty, self.field, self.waits)
        for column in columns:
            column.reserve(base + room)
        self.used += room
        for column in columns:
            rows = column.array.reshape(-1, column.width)
            rows[base : base + family.room] = rows[family.base : family.base + family.room]
        family.base, family.room = base, room

    def fill_outcomes(self, environment: int, family: Family, number: int) -> None:
        """Tabulates every outcome of a component. Raises what the model's code raises, and StoppedError."""
        with self.lock:
            beat()  # where another thread found no memory for a table, what stands in it is not to be used
            if self.has_environment:
                if self.pairs.has(environment, family.key + number):
                    return
            elif self.span[family.base + number][0] != NONE:
                return
            begin, before, messages = self.rows.length - 1, self._replaceable(), len(self.messages)
            outcomes = self.system.outcomes(self.environments.by_number[environment], family.members[number])
            starting = next((outcome.step for outcome in outcomes if outcome.kind == "initiate"), None)
            for outcome in outcomes:
                self._append(family, outcome, STARTS if outcome.step == starting and outcome.kind == "initiate" else 0)
            self.event.reserve(len(self.messages))
            self.version += len(self.messages) > messages
            end = self.rows.length - 1
            self.most_outcomes = max(self.most_outcomes, end - begin)
            if any(old is not new for old, new in zip(before, self._replaceable(), strict=True)):
                self.span.array, self.pairs.keys = self.span.array.copy(), self.pairs.keys.copy()
            if self.has_environment:
                self.pairs.add(environment, family.key + number, begin, end)
            else:
                entry = self.span[family.base + number]
                entry[1] = end
                entry[0] = begin  # last: whoever reads it finds the rows there

    def _append(self, family: Family, outcome: Outcome, flags: int) -> None:
        flags |= FAULT if outcome.is_fault else 0
        if outcome.failure is not None:
            flags |= FAILURE_FLAGS[outcome.failure.kind]
        after = self.number(outcome.component), self.environment(outcome.environment)
        if outcome.received is not None and outcome.received[1] is not None:
            number = self.messages[outcome.received[1]] + 1
            if number >> (32 - RECEIVED):
                raise UnsupportedError("there are more messages than numbers for them")
            flags |= number << RECEIVED
        for port, message in outcome.sends:
            self.sent.append(int(port), self.messages[message])
        if not self.has_environment:
            self.taken.append(family.events[event_of(outcome, family.profile)])
        row = self.rows.length - 1
        self.rows.append(0, 0, 0, self.sent.length)
        self.rows[row] = (*after, flags, int(self.rows[row][SENDS]))

    def _replaceable(self) -> tuple[Array, ...]:
        return (self.rows.array, self.sent.array, self.event.array, self.taken.array)

    def fill_delivery(self, family: Family, number: int, message: int, in_port: int) -> None:
        """Tabulates what a component is after a message was sent to it. Raises StoppedError."""
        with self.lock:
            beat()
            event = self.events[message, in_port] + 1
            before = family.members[number]
            port = next(port for port in before.profile.in_ports if port == in_port)
            after = self.number(self.system.deliver(before, port, self.messages.by_number[message]))
            if event == self.most_events:
                self._widen()
            self.push[family.base + number][event] = after
            self.event[message][in_port] = event

    def _widen(self) -> None:
        """Makes room for twice as many events."""
        narrow = self.push
        make_room(2 * narrow.array.nbytes)
        self.most_events *= 2
        self.push = GrowingArray(np.uint32, self.most_events, NONE, size=len(narrow.array) // narrow.width)
        self.push.array.reshape(-1, self.most_events)[:, : narrow.width] = narrow.array.reshape(-1, narrow.width)
        self.event.array = self.event.array.copy()

    def as_of_now(self, slots: Array) -> TablesRecord:
        """The tables as the kernel reads them, with what it is to know of each slot."""
        return TablesRecord(
            slots, self.span.array, self.pairs.keys, self.pairs.rows, self.rows.array, self.sent.array, self.event.array,
            self.push.array, self.most_events, self.empty.array, self.spent.array, self.field.array, self.waits.array,
            self.waiting.array, self.taken.array,
        )  # fmt: skip


def empty_ports(component: Component) -> int:
    """The in-ports at which nothing waits, as a mask; none where the process is down, and receives nothing."""
    if component.crashed or isinstance(component, Network) or len(component.inbox) > MOST:
        return 0
    return sum(1 << place for place, channel in enumerate(component.inbox) if not channel)


class Observations:
    """What the properties see, for one worker: an observation is a number for each component, in the order in which
    properties see the processes, and one for the environment.

    `observe(component)` and `observe_environment(environment)` are what they read of each. `seen` has the numbers where the
    tables have the rows of the components. `watches(message)` tells whether they look at such a message where it waits.
    """

    observe: Callable[[Component], Hashable]
    observe_environment: Callable[[Environment], Hashable]
    watches: Callable[[Message], bool]

    @classmethod
    def of(cls, claims: Predicates, known: Observations | None = None) -> Observations:
        """Of what these properties see in the world that they are turned to: those `known`, as far as they hold there."""
        if known is None or known.generation != claims.generation:
            known = cls(claims.generation, claims.scope)
        known.observe, known.observe_environment = claims.observe, claims.observe_environment
        known.watches, known.watches_steps = claims.watches, claims.watches_steps
        if claims.scope != known.scope:
            known.forget()
            known.scope = claims.scope
        return known

    def __init__(self, generation: int, scope: Hashable) -> None:
        self.generation, self.scope, self.watches_steps = generation, scope, False
        self._numbers: Interned[Hashable] = Interned()
        self.seen, self.seen_environment = GrowingArray(np.uint32), GrowingArray(np.uint32)
        self.watched, self.weights = GrowingArray(np.uint8, size=64), GrowingArray(np.int64)
        self._covered: dict[Family, tuple[int, int]] = {}  # from which row on, how many
        self.forget()

    def forget(self) -> None:
        """Drops observations and their verdicts: in the world that comes they may be others."""
        self._known: dict[tuple[int, ...], int] = {}
        self.index: Array = np.zeros(64, np.int32)
        self.vectors: Array | None = None
        self.wrong = GrowingArray(np.int64, size=64)
        self.steps = Pairs(1, np.int64)

    def cover(self, families: Iterable[Family], tables: Tables) -> None:
        """Numbers what is seen of the components of these families and of the environments that came since."""
        self.seen.reserve(tables.used)
        self.weights.reserve(tables.used)
        for family in families:
            base, covered = self._covered.get(family, (family.base, 0))
            if base != family.base:
                self.seen.array[family.base : family.base + covered] = self.seen.array[base : base + covered]
            for number in range(covered, len(family.members)):
                self.seen.array[family.base + number] = self._numbers[self.observe(family.members[number])]
            self._covered[family] = family.base, len(family.members)
        environments = tables.environments.by_number
        while self.seen_environment.length < len(environments):
            seen = self.observe_environment(environments[self.seen_environment.length])
            self.seen_environment.append(self._numbers[seen])
        while self.watched.length < len(tables.messages):
            self.watched.append(self.watches(tables.messages.by_number[self.watched.length]))

    def as_of_now(self, actors: int) -> ObservationsRecord:
        """As the kernel reads them, of so many actors."""
        vectors = np.zeros((1, actors + 1), np.uint32) if self.vectors is None else self.vectors
        return ObservationsRecord(
            self.seen.array, self.seen_environment.array, self.index, vectors, self.wrong.array, self.steps.keys, self.steps.rows,
            self.watched.array[: self.watched.length], self.weights.array, self.watches_steps,
        )  # fmt: skip

    def covered(self, family: Family) -> tuple[int, int]:
        """Where the rows of a family begin, and of how many components it is numbered what is seen."""
        return self._covered[family]

    def number(self, vector: tuple[int, ...], wrong: Callable[[], int]) -> int:
        """The number of an observation; `wrong()` is asked for its mask when it is new."""
        known = self._known.get(vector)
        if known is not None:
            return known
        mask = wrong()
        number = self._known[vector] = len(self._known)
        self.wrong.append(mask)
        if self.vectors is None:
            self.vectors = np.zeros((64, len(vector)), np.uint32)
        self.vectors = _roomier(self.vectors, number + 1, len(vector))
        self.vectors[number] = vector
        if 2 * len(self._known) > len(self.index):
            make_room(4 * self.index.nbytes)
            self.index = np.zeros(4 * len(self.index), np.int32)
            for other in range(number):
                self._enter(other)
        self._enter(number)
        return number

    def _enter(self, number: int) -> None:
        assert self.vectors is not None
        enter_observation(self.index, self.vectors[number], number)


def _roomier(array: Array, rows: int, columns: int) -> Array:
    """The array, or a larger one with the same content and NONE elsewhere."""
    if rows <= array.shape[0] and columns <= array.shape[1]:
        return array
    have_rows, have_columns = array.shape
    more_rows = have_rows if rows <= have_rows else max(rows, 2 * have_rows)
    more_columns = have_columns if columns <= have_columns else max(columns, 2 * have_columns)
    make_room(more_rows * more_columns * array.itemsize)
    grown = np.full((more_rows, more_columns), NONE, array.dtype)
    grown[:have_rows, :have_columns] = array
    return grown
