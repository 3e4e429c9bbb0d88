"""From explorations to the description that is exported: what was met, projected onto local states and messages.

What a process can do by itself depends on the environment and its local state, and what it does with a message on these and the
message: that two components with the same local state can do the same is checked here. How messages wait, which of
them can be received, and what becomes of those that are sent to a process that is down is left to the other checker.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ..errors import UsageError
from ..explore.exploration import FAILED, Exploration
from ..explore.listing import Listing
from ..language.faults import DEEDS, FAULTS, OF_ENVIRONMENT
from ..language.messages import Down, Message, Up
from ..language.networks import ORDERED
from ..language.values import order, show
from ..semantics import network
from ..semantics.components import Component, Environment, Profile, State
from ..semantics.settings import Settings
from ..semantics.system import Outcome, System
from ..semantics.worlds import World
from .program import GuardedCommand, InitialState, InstanceCounts, Key, List, Program, Tampering, Wiring

MOST_ENTRIES = 100_000
MOST_STARTS = 5_000
TAMPERING = ("lose", "duplicate")  # what is done to messages in the same way wherever they wait
EXPORTED = (*TAMPERING, "crash", "recover", "suspect")  # the deeds of faults that a program has

Item = TypeVar("Item", bound=Hashable)
Local = tuple[Profile, bool, tuple[Any, ...]]  # crashed, fields
Around = tuple[Any, ...]  # Environment.values()
Place = tuple[Around, Local]


class LocalStep(NamedTuple):
    """One outcome, by value."""

    after: Place
    sends: tuple[tuple[int, Message], ...]
    crashes: bool
    fails: bool
    text: str


def refuse(settings: Settings, consults_detector: bool) -> None:
    """Raises UsageError for circumstances that are no table of local states and messages, and says why."""
    if settings.schedule == "lockstep":
        raise UsageError(
            "--schedule lockstep is not exported: its steps are rounds of all processes at once; --schedule any is"
        )
    if settings.partitions:
        raise UsageError(
            "--partitions is not exported: a split rewrites what waits on every link it cuts, and is no step of one process"
        )
    if settings.links.replaces:
        raise UsageError(
            f"--network {settings.network} is not exported: a send there takes out of a channel what waits in it"
        )
    if settings.capacity:
        raise UsageError(
            "--capacity is not exported: in a program a full channel is an error, or makes the sender wait"
        )
    if settings.taken_back:
        raise UsageError(
            f"--detector {settings.detector} is not exported: what is taken back waits beside the messages and not among them"
        )
    for deed in DEEDS.values():
        if settings.budgets()[deed.fault] and deed.kind not in EXPORTED:
            raise UsageError(f"{FAULTS[deed.fault].asked_by} is not exported: a program has no such step")
    detects = settings.crashes or settings.recoveries or settings.suspicions
    if not settings.links.ordered and detects and consults_detector:
        raise UsageError(
            f"--network {settings.network} with a failure detector is not exported: Down waits until all that was sent "
            f"before it has been received, so what waits is not simply a multiset; --network {ORDERED} is"
        )


class Tabulation:
    """The tables of the worlds of one size, filled world by world."""

    def __init__(self, system: System, n: int) -> None:
        self.system, self.n = system, n
        definition = system.definition
        self._says = {
            Down: definition.handles(Down),
            Up: definition.handles(Up),
        }  # else the detector's word is not kept
        self._worlds: list[tuple[World, list[State]]] = []
        self._seen: set[tuple[Environment, Component]] = set()
        self._alone: dict[Place, tuple[LocalStep, ...]] = {}
        self._receiving: dict[tuple[int, Message], dict[Place, tuple[LocalStep, ...]]] = {}
        self._most: dict[tuple[int, int], int] = {}  # that ever waited, by process and in-port
        self._messages: set[Message] = set()
        self._counts = InstanceCounts()

    def add(self, world: World, found: Exploration) -> None:
        """Takes in a world that was explored to its end, every state by itself.

        Raises AssertionError where the tables are none: that would be a bug in modelcheck.
        """
        listing = Listing(self.system, found)
        self._count(listing)
        starts = [start.state for start in found.starts if not (start.steps and start.steps[-1].after is None)]
        if len(starts) < len(found.starts):
            raise UsageError("a starting step fails: there is no initial state to export; see `modelcheck run`")
        self._worlds.append((world, starts))
        if sum(len(these) for _, these in self._worlds) > MOST_STARTS:
            raise _too_large(f"more than {MOST_STARTS:,} initial states")
        around, *columns = listing.columns
        for process, column in enumerate(columns):
            pairs, first = np.unique(around.numbers.astype(np.int64) << 32 | column.numbers, return_index=True)
            for pair in pairs[np.argsort(first)].tolist():
                self._enter(process, around.values[pair >> 32], column.values[pair & 0xFFFFFFFF])

    def _count(self, listing: Listing) -> None:
        enabled, moves = (np.zeros(len(listing), bool) for _ in range(2))
        transitions = failing = 0
        for steps in listing.batches():
            enabled[steps.source] = True
            moves[steps.source[(steps.target != FAILED) & (steps.target != steps.source)]] = True
            transitions += len(steps.source)
            failing += int(np.count_nonzero(steps.target == FAILED))
        assert transitions == listing.found.transitions, "the transitions listed are not those that were counted"
        ends, still = int(np.count_nonzero(~enabled)), int(np.count_nonzero(~moves))
        self._counts += InstanceCounts(len(listing), transitions, ends, still, failing)

    def _enter(self, process: int, environment: Environment, component: Component) -> None:
        for slot, channel in enumerate(component.inbox):
            self._messages.update(channel)
            self._most[process, slot] = max(self._most.get((process, slot), 0), len(channel))
        if (environment, component) in self._seen:
            return
        self._seen.add((environment, component))
        place = environment.values(), _local(component)
        alone: list[LocalStep] = []
        receiving: dict[tuple[int, Message], list[LocalStep]] = {}
        if not component.crashed:
            for slot, channel in enumerate(component.inbox):
                receiving.update(((slot, m), []) for m, _ in network.receivable(self.system.links, channel))
        for outcome in self.system.outcomes(environment, component):
            if outcome.kind == "receive":
                assert outcome.received is not None
                assert outcome.received[1] is not None
                slot = component.profile.in_ports.index(outcome.received[0])
                receiving[slot, outcome.received[1]].append(self._entry(outcome, component))
            elif outcome.kind not in TAMPERING:
                alone.append(self._entry(outcome, component))
        _put(self._alone, place, tuple(alone))
        for waits, entries in receiving.items():
            _put(self._receiving.setdefault(waits, {}), place, tuple(entries))
        if len(self._alone) + sum(map(len, self._receiving.values())) > MOST_ENTRIES:
            raise _too_large(f"more than {MOST_ENTRIES:,} table entries")

    def _entry(self, outcome: Outcome, component: Component) -> LocalStep:
        ports = component.profile.ports
        sends = tuple((ports.index(p), m) for p, m in outcome.sends if self._says.get(type(m), True))
        what = outcome.step + (
            f" {show(outcome.received[1])}" if outcome.received and outcome.received[1] is not None else ""
        )
        what += "".join(f", {'drew' if choice.random else 'chose'} {show(choice.value)}" for choice in outcome.choices)
        after = outcome.environment.values(), _local(component if outcome.failure else outcome.component)
        return LocalStep(after, sends, outcome.kind == "crash", outcome.failure is not None, what)

    # --- numbered

    def program(self, title: str, about: tuple[str, ...]) -> Program:
        """All that was taken in. Raises UsageError where it is too much for a program."""
        waiting = sorted(self._receiving.items(), key=lambda item: (item[0][0], order(item[0][1])))
        tables = [self._alone, *(table for _, table in waiting)]
        entries = [entry for table in tables for found in table.values() for entry in found]
        tampered = {around: _poorer(around) for around, _ in self._alone}
        places = dict.fromkeys([*self._alone, *(entry.after for entry in entries)])
        sent = self._messages | {message for entry in entries for _, message in entry.sends}
        locals_ = _numbered(sorted(dict.fromkeys(local for _, local in places), key=lambda local: local[1]))
        environments = _numbered(
            [*(around for around, _ in places), *(a for ways in tampered.values() for a in ways.values())]
        )
        messages = _numbered(sorted(sent, key=lambda m: (isinstance(m, (Down, Up)), order(m))), 1)

        def numbers(place: Place) -> Key:
            return environments[place[0]], locals_[place[1]]

        def numbered(table: dict[Place, tuple[LocalStep, ...]]) -> dict[Key, List]:
            return {
                numbers(place): tuple(command(numbers(place), entry) for entry in found)
                for place, found in table.items()
            }

        def command(here: Key, entry: LocalStep) -> GuardedCommand:
            (environment, after), sends = numbers(entry.after), tuple((port, messages[m]) for port, m in entry.sends)
            changed = None if environment == here[0] else environment
            return GuardedCommand(here[1], changed, after, sends, entry.crashes, entry.fails, entry.text)

        slots = max([1, *(slot + 1 for _, slot in self._most)])
        return Program(
            title=title,
            about=about,
            network=self.system.links,
            n=self.n,
            slots=slots,
            ports=max([1, *(len(ports) for world, _ in self._worlds for ports in world.shape.ports)]),
            worlds=tuple(self._wiring(world, starts, slots, numbers, messages) for world, starts in self._worlds),
            environments=tuple(map(self._environment_text, environments)),
            locals=tuple(self._local_text(local) for local in locals_),
            messages=tuple(map(show, messages)),
            crashed=sum(local[1] for local in locals_),
            words=sum(isinstance(message, (Down, Up)) for message in messages),
            capacities=tuple(self._most.get(divmod(channel, slots), 0) for channel in range(self.n * slots)),
            alone=numbered(self._alone),
            received={(slot, messages[message]): numbered(table) for (slot, message), table in waiting},
            tamperings=tuple(
                Tampering(duplicates, environments[before], environments[after])
                for before, ways in tampered.items()
                for duplicates, after in ways.items()
            ),
            counts=self._counts,
        )

    def _wiring(
        self,
        world: World,
        starts: list[State],
        slots: int,
        numbers: Callable[[Place], Key],
        messages: dict[Message, int],
    ) -> Wiring:
        shape = world.shape
        links = tuple(
            tuple(
                slots * to + shape.in_ports[to].index(port)
                for to, port in (world.route[p][out] for out in shape.ports[p])
            )
            for p in range(world.n)
        )
        begun = []
        for state in starts:
            around = state[0].values()
            channels: list[tuple[int, ...]] = [()] * (world.n * slots)
            for process, component in enumerate(state[1:]):
                for slot, channel in enumerate(component.inbox):
                    channels[slots * process + slot] = tuple(messages[message] for message in channel)
            places = [numbers((around, _local(component))) for component in state[1:]]
            begun.append(InitialState(places[0][0], tuple(local for _, local in places), tuple(channels)))
        return Wiring(str(world), links, tuple(begun))

    def _local_text(self, local: Local) -> str:
        profile, crashed, fields = local
        who = [] if profile.identifier is None else [f"id {profile.identifier!r}"]
        who += ["root"] * bool(profile.root) + ["no initiator"] * (not profile.initiator) + ["crashed"] * crashed
        names = (field.name for field in self.system.definition.fields)
        values = ", ".join(f"{name}={show(value)}" for name, value in zip(names, fields, strict=True))
        return ", ".join(who) + (": " if who and values else "") + values

    def _environment_text(self, around: Around) -> str:
        names = (field.name for field in self.system.definition.shared)
        values = [f"{name}={show(value)}" for name, value in zip(names, around[0], strict=True)]
        budgets = self.system.settings.faults()
        return ", ".join(
            values + [f"{name} {left}" for name, left in zip(OF_ENVIRONMENT, around[1:], strict=True) if budgets[name]]
        )


def _local(component: Component) -> Local:
    return component.profile, component.crashed, component.fields


def _put(table: dict[Place, tuple[LocalStep, ...]], place: Place, entries: tuple[LocalStep, ...]) -> None:
    known = table.setdefault(place, entries)
    assert known == entries, f"what waits elsewhere changes what a process does: {known} and {entries} in {place}"


def _poorer(around: Around) -> dict[bool, Around]:
    """The environments after the network has lost a message (False), or delivered it twice (True)."""
    found: dict[bool, Around] = {}
    for kind in TAMPERING:
        place = 1 + OF_ENVIRONMENT.index(DEEDS[kind].fault)
        if around[place]:
            found[DEEDS[kind].copies] = (*around[:place], around[place] - 1, *around[place + 1 :])
    return found


def _numbered(items: Iterable[Item], first: int = 0) -> dict[Item, int]:
    return {item: number for number, item in enumerate(dict.fromkeys(items), first)}


def _too_large(what: str) -> UsageError:
    return UsageError(
        f"{what} are too many for a program: take fewer processes or faults, or one world, as in --ids 3,1,2"
    )
