"""What can stand at the levels of a diagram, and what it does: the semantics in numbers, tabulated when it is first asked for.

A member is a component of a process together with where its links lead, told from the process itself: so members mean the same at
every level, and worlds on different graphs, or with other port names, stand in one diagram. With a `history` a member also has a
number that is a function of the steps it took, and that changes nothing of what it does.

At the level of the environment members are environments.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...language.faults import OF_ENVIRONMENT
from ...language.messages import Message
from ...language.values import Port
from ...pulse import beat, make_room
from ...semantics.components import Component, Environment, State
from ...semantics.partitions import Network
from ...semantics.system import Outcome, System
from ...semantics.worlds import World
from ..exploration import UnsupportedError
from ..interned import Interned
from .records import AT, BLOCK, DEED, EVENT, FIRST, FROM, NEXT, NONE, PLAIN, READING, Alphabet

Array = NDArray[Any]
Wires = tuple[
    tuple[Port, int, Port], ...
]  # of each out-port: how many processes further on the target is, and the in-port there
Sends = tuple[tuple[int, Port, Message], ...]  # how many processes further on, the in-port there, what
NETWORK = -1  # in place of how many processes further on the network is
LARGEST = 1 << 28  # entries of a table by member and environment
CHANGES = -1  # in place of a deed: that a step changes its own member, or fails


class Member(NamedTuple):
    """What can stand at a level below that of the environment."""

    component: Component
    wires: Wires
    history: int = 0


class Doing(NamedTuple):
    """What a step does beyond its own member. The block is PLAIN where it does so under every environment, and changes none."""

    sends: Sends
    block: int = PLAIN
    turns: int = 0


class EndlessError(Exception):
    """Some process was seen to do more than there is room for."""


class AlphabetTables:
    """Numbers for members, environments, deeds, events and deliveries of n processes, in order of first meeting.

    order   the processes by their levels
    weigh   what an outcome adds to the history of the member that takes it; None where there is none
    most    the greatest history: EndlessError where there is a greater one

    failing[block, member]  the kinds of failures among its steps
    taken[block, member]    how many outcomes its steps have, those that change nothing or fail among them
    moving[block, member]   what it does that is no fault: deeds that change no more than what they are sent to, and CHANGES
    """

    def __init__(
        self,
        system: System,
        n: int,
        order: Sequence[int] | None = None,
        weigh: Callable[[Outcome], int] | None = None,
        most: int = 0,
    ) -> None:
        self.system, self.n, self._weigh, self._most = system, n, weigh, most
        settings = system.settings
        self.shares = bool(system.definition.shared)
        self.environments = int(self.shares or any(settings.faults().values()))
        self.splits = bool(settings.partitions)
        self.processes = (*(order or range(n)), *((n,) if self.splits else ()))  # by level, the environment left out
        self.levels = self.environments + len(self.processes)
        self._level_of = {process: level for level, process in enumerate(self.processes, self.environments)}
        self.members: Interned[Member] = Interned()
        self.all_environments: Interned[Environment] = Interned()
        self.deeds: Interned[Doing] = Interned()
        self._deliveries: Interned[Hashable] = Interned()
        assert self.deeds[Doing(())] == self._deliveries[()] == 0  # nothing
        self._readers = [
            self._deliveries[("read", level)] for level in range(self.levels + 1)
        ]  # of each level, and of all others
        self.failing: dict[tuple[int, int], set[str]] = {}
        self.taken: dict[tuple[int, int], int] = {}
        self.moving: dict[tuple[int, int], set[int]] = {}
        self._spent: dict[Environment, Environment] = {}
        self.room, self.blocks, self.rows, self.events = 256, FIRST, 0, 1
        self.span = np.full((FIRST, self.room, 2), NONE, np.uint32)
        self.row = np.zeros((1024, 2), np.uint32)
        self.event_of = np.full((self.levels, 64), NONE, np.uint32)
        self.event = np.zeros((64, EVENT), np.int32)
        self.event[0, :DEED] = -1, -1, self.levels - 1  # event 0 goes through all levels and does nothing
        self.delivery = np.zeros((64, self.levels), np.uint32)
        self.push = np.full((64, self.room), NONE, np.uint32)
        self.chain = np.zeros(self.levels + FIRST, np.uint32)
        self._last: dict[int, int] = {}  # of each chain the last event
        self._by_deed: dict[int, tuple[int, Array]] = {}  # of each block: its rows by their deeds, as of so many rows

    def record(self) -> Alphabet:
        """The tables as of now."""
        return Alphabet(
            self.span, self.row, self.event_of, self.event, self.delivery, self.push, self.chain, self.environments
        )

    # --- states

    def wires(self, world: World) -> list[Wires]:
        """Of each process, and of the network where it can split."""
        found = []
        for process, links in enumerate(world.wiring[: self.n + self.splits]):
            wires = [
                (port, self._further(process, target), in_port)
                for port, (target, in_port) in links.items()
                if target < self.n or self.splits
            ]
            found.append(tuple(sorted(wires)))
        return found

    def _further(self, process: int, target: int) -> int:
        if target == self.n:
            return NETWORK
        return target if process == self.n else (target - process) % self.n

    def _target(self, process: int, further: int) -> int:
        if further == NETWORK:
            return self.n
        return further if process == self.n else (process + further) % self.n

    def numbered(self, state: State, wires: Sequence[Wires], histories: Sequence[int] = ()) -> list[int]:
        """The members of a state by level; the processes have these histories."""
        environment = self.environment(state[0])
        found = [environment] if self.environments else []
        for process in self.processes:
            history = histories[process] if histories and process < self.n else 0
            found.append(self.member(Member(state[process + 1], wires[process], history)))
        return found

    def state(self, numbers: Sequence[int]) -> State:
        """The state of which these are the members by level."""
        parts: list[Any] = [None] * len(self.processes)
        for process, number in zip(self.processes, numbers[self.environments :], strict=True):
            parts[process] = self.members.by_number[number].component
        return (self.all_environments.by_number[numbers[0] if self.environments else 0], *parts)

    # --- what is asked for

    def member(self, member: Member) -> int:
        """The number of a member."""
        number = self.members[member]
        self.reserve(number + 1)
        return number

    def environment(self, environment: Environment) -> int:
        """The number of an environment."""
        number = self.all_environments[environment]
        if self.environments:
            self.reserve(number + 1, FIRST + number + 1)
        return number

    def fill_rows(self, block: int, number: int) -> None:
        """Tabulates what a member can do: in the block PLAIN whatever the environment, in another only what it can under that. In the block PLAIN
        the same for all that its steps lead to. Raises what the model's code raises, EndlessError and StoppedError."""
        waiting = [number]
        while waiting:
            number = waiting.pop()
            if self.span[block, number, 0] != NONE:
                continue
            beat()
            rows = [] if block == PLAIN and self.shares else self._rows(block, number)
            self._add_rows(block, number, rows)
            if block == PLAIN:
                waiting += [after for _, after in rows]

    def _rows(self, block: int, number: int) -> list[tuple[int, int]]:
        """Deeds, and the members afterwards; those that fail are left out. A step that changes nothing is a step as well, of which
        properties are asked."""
        component, wires, before = self.members.by_number[number]
        now = self._environment_of(block)
        away = {port: (further, in_port) for port, further, in_port in wires}
        found: dict[tuple[int, int], None] = {}
        moving, taken = set[int](), 0
        for outcome in self.system.outcomes(now, component):
            if block != PLAIN and not self.shares and outcome.environment is now:
                continue  # it is plain
            taken += 1
            if outcome.failure is not None:
                self.failing.setdefault((block, number), set()).add(outcome.failure.kind)
                moving.add(CHANGES)
                continue
            sends = tuple((*away[port], message) for port, message in outcome.sends)
            stays = outcome.environment is now and self._with_own(outcome.component, sends) is component
            history = before + (self._weigh(outcome) if self._weigh else 0)
            if history > self._most:
                raise EndlessError
            turns = self.environment(outcome.environment) if block != PLAIN else 0
            deed = self.deeds[Doing(sends, block, turns)]
            found[deed, self.member(Member(outcome.component, wires, history))] = None
            if not outcome.is_fault and (sends or not stays):
                moving.add(deed if stays else CHANGES)
        self.taken[block, number], self.moving[block, number] = taken, moving
        return list(found)

    def _with_own(self, component: Component, sends: Sends) -> Component:
        """A process after its step has come to it as well, as far as it sends to itself."""
        if not isinstance(component, Network):
            for further, in_port, message in sends:
                component = self.system.deliver(component, in_port, message) if further == 0 else component
        return component

    def _environment_of(self, block: int) -> Environment:
        """That of a block; for PLAIN one without faults: what can be done under it can be done under all."""
        if block != PLAIN:
            return self.all_environments.by_number[block - FIRST]
        first = self.all_environments.by_number[0]
        if first not in self._spent:
            self._spent[first] = self.system._environment(first.shared, *(0 for _ in OF_ENVIRONMENT))
        return self._spent[first]

    def _add_rows(self, block: int, number: int, rows: Iterable[tuple[int, int]]) -> None:
        begin = self.rows
        for row in rows:
            if self.rows == len(self.row):
                self.row = longer(self.row, 2 * self.rows)
            self.row[self.rows] = row
            self.rows += 1
        if len(self.deeds) > self.event_of.shape[1]:
            wider = np.full((self.levels, 2 * len(self.deeds)), NONE, np.uint32)
            wider[:, : self.event_of.shape[1]] = self.event_of
            self.event_of = wider
        self.span[block, number] = begin, self.rows

    def fill_event(self, level: int, number: int) -> int:
        """Tabulates what it means that the process at this level does this. Returns the event."""
        deed = self.deeds.by_number[number]
        process = self.processes[level - self.environments]
        coming: dict[int, list[tuple[Port, Message]]] = {}
        for further, in_port, message in deed.sends:
            coming.setdefault(self._level_of[self._target(process, further)], []).append((in_port, message))
        came_from = deed.block - FIRST + 1 if deed.block != PLAIN else 0
        touched = {level, *coming, *([0] if deed.block else [])}
        deliveries = {to: self._delivery(tuple(messages)) for to, messages in coming.items()}
        top = min(touched)
        event = self._new_event((level, top, max(touched), number, deed.block, deed.turns, 0, came_from), deliveries)
        self.event_of[level, number] = event
        if deed.block or top < level:
            self._append(self.levels + deed.block if deed.block else top, event)
        return event

    def all_events(self) -> list[int]:
        """Those that processes take."""
        for level in range(self.environments, self.levels):
            if self.event_of[level, 0] == NONE:
                self.fill_event(level, 0)  # steps that change the process alone, for which saturation needs no event
        return [int(event) for event in np.unique(self.event_of) if event != NONE]

    def rows_of(self, event: int) -> Array:
        """The members that can take the step of an event, and what becomes of each by it and by what it sends to itself: (rows, 2). Whatever is
        reachable is to be tabulated already."""
        at, block, deed = (int(self.event[event, column]) for column in (AT, BLOCK, DEED))
        known = self._by_deed.get(block)
        if known is None or known[0] != self.rows:
            span = self.span[block, : len(self.members)].astype(np.int64)
            span[span[:, 0] == NONE] = 0
            lengths = span[:, 1] - span[:, 0]
            numbers = np.repeat(np.arange(len(span)), lengths)
            places = np.arange(len(numbers)) + np.repeat(span[:, 0] - np.cumsum(lengths) + lengths, lengths)
            table = np.column_stack([self.row[places, 0], numbers, self.row[places, 1]]).astype(np.int64)
            known = self._by_deed[block] = self.rows, table[np.argsort(table[:, 0], kind="stable")]
        table = known[1]
        begin, end = np.searchsorted(table[:, 0], [deed, deed + 1])
        found = table[begin:end, 1:].copy()
        itself = int(self.delivery[event, at])
        if itself and len(found):
            self.fill_push(itself, found[:, 1])
            found[:, 1] = self.push[itself, found[:, 1]]
        return found

    def _new_event(self, columns: tuple[int, ...], deliveries: Mapping[int, int]) -> int:
        event = self.events
        self.events += 1
        if event == len(self.event):
            self.event, self.delivery = longer(self.event, 2 * event), longer(self.delivery, 2 * event)
        self.event[event] = columns
        for level, delivery in deliveries.items():
            self.delivery[event, level] = delivery
        return event

    def _append(self, chain: int, event: int) -> None:
        """Puts an event at the end of a chain."""
        if chain in self._last:
            self.event[self._last[chain], NEXT] = event
        else:
            self.chain[chain] = event
        self._last[chain] = event

    def _delivery(self, messages: Hashable) -> int:
        delivery = self._deliveries[messages]
        if delivery == len(self.push):
            make_room(8 * self.push.size)
            self.push = longer(self.push, 2 * delivery, NONE)
        return delivery

    def fill_push(self, delivery: int, numbers: Sequence[int] | Array) -> None:
        """Tabulates what becomes of members to which so much is delivered; not of those that have no such link."""
        messages: Any = self._deliveries.by_number[delivery]
        ports = {port for port, _ in messages}
        wanted = np.asarray(numbers, np.int64)
        for number in wanted[self.push[delivery, wanted] == NONE].tolist():
            component, wires, history = self.members.by_number[number]
            if not isinstance(component, Network) and not ports.issubset(component.profile.in_ports):
                continue
            for port, message in messages:
                component = self.system.deliver(component, port, message)
            after = self.member(Member(component, wires, history))
            self.push[delivery, number] = after

    # --- events that no process takes, for whoever reads a diagram

    def relabelling(self, of_members: Array, of_environments: Array) -> int:
        """An event that makes of what stands at each level what these say: (members,) and (environments,)."""
        everywhere = self._reading(self.levels, np.arange(len(of_members)), of_members)
        deliveries = dict.fromkeys(range(self.levels), everywhere)
        if self.environments:
            deliveries[0] = self._reading(0, np.arange(len(of_environments)), of_environments)
        return self._new_event((-1, 0, self.levels - 1, 0, PLAIN, 0, 0, 0), deliveries)

    def pairing(
        self, event: int, of_others: Mapping[int, tuple[Array, Array]], rows: Mapping[int, Iterable[int]]
    ) -> int:
        """An event that makes of the states in which `event` is taken something else: at the level of the process what its `rows` say, by
        member, at each of the others of these members those. Good until the next is made."""
        columns = self.event[event]
        deliveries = {level: self._reading(level, *what) for level, what in of_others.items()}
        self.span[READING], begin = 0, self.rows
        for number, afters in rows.items():
            self._add_rows(READING, number, [(int(columns[DEED]), after) for after in afters])
        self.rows = begin
        what = (int(columns[AT]), 0, self.levels - 1, int(columns[DEED]), READING, 0, 0, int(columns[FROM]))
        return self._new_event(what, deliveries)

    def _reading(self, reader: int, numbers: Array, after: Array) -> int:
        """A delivery that makes of these members those; every reader has one, which it uses again and again."""
        delivery = self._readers[reader]
        self.push[delivery] = NONE
        self.push[delivery, numbers] = after
        return delivery

    # --- room

    def reserve(self, members: int, blocks: int = FIRST) -> None:
        """Makes room for so many members, and so many blocks."""
        if members <= self.room and blocks <= self.blocks:
            return
        room = self.room if members <= self.room else max(members, 2 * self.room)
        blocks = max(blocks, self.blocks)
        if room * blocks > LARGEST:
            raise UnsupportedError("there are too many environments")
        make_room(8 * room * blocks + 4 * room * len(self.push))
        span = np.full((blocks, room, 2), NONE, np.uint32)
        span[: self.blocks, : self.room] = self.span
        push = np.full((len(self.push), room), NONE, np.uint32)
        push[:, : self.room] = self.push
        chain = longer(self.chain, max(len(self.chain), self.levels + blocks))
        self.span, self.push, self.chain, self.room, self.blocks = span, push, chain, room, blocks


def longer(array: Array, length: int, fill: int = 0) -> Array:
    """The same at the beginning of an array with so many rows."""
    found = np.full((length, *array.shape[1:]), fill, array.dtype)
    found[: len(array)] = array
    return found
