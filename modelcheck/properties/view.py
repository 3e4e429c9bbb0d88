"""A state as properties see it, and the memory that lets slow Python properties be evaluated rarely.

A property is a function of the fields it reads. The monitor remembers which fields that are, and a verdict for each distinct
tuple of their values: while an evaluation reads nothing but the same fields, the verdict depends on their values only.
When one reads a new field, or would do so where other identifiers stand, the set grows and the verdicts are forgotten.

A world stands for others, so a verdict must not depend on what differs between them: how the processes are numbered, and what
identifiers are beside their order. Numbers are not to be seen: processes come in an order that isomorphisms keep
(World.presented), sets of them in the same. Only `position` and the text of a process tell its number; what reads them is tried
under every numbering. Where identifiers repeat the order itself means nothing, and what depends on it is refused: each evaluation is
repeated with the processes in another. And it is repeated under other identifiers (semantics/renaming.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ..errors import StepError, nearest
from ..language.messages import DETECTOR_MESSAGES, Message
from ..language.properties import Because, Property
from ..language.values import Id, Misuse, Port, Renaming
from ..semantics.components import Component, State
from ..semantics.partitions import Blocks, Network
from ..semantics.system import System
from ..semantics.worlds import World, labelled

CRASHED, SHARED, POSITION, WORLD, BLOCKS = "<crashed>", "<shared>", "<position>", "<world>", "<blocks>"
VERY_FIRST, FIRST = 5, 20  # evaluations, tried under all maps of identifiers, and under several; then under one


class ProtocolView:
    """The model's class attributes, with parameters as their values: `view.protocol.elects`."""

    def __init__(self, system: System) -> None:
        self._system = system

    @property
    def network(self) -> str:
        """The kind of network of this run."""
        return self._system.settings.network

    @property
    def keeps_messages(self) -> bool:
        """Whether links keep what was received, so that some message always waits."""
        return self._system.links.keeps

    def __getattr__(self, name: str) -> Any:
        definition = self._system.definition
        parameters = dict(self._system.settings.parameters)
        if name in parameters:
            return parameters[name]
        if not hasattr(definition.cls, name):
            raise AttributeError(f"{definition.name} has no {name}")
        value = getattr(definition.cls, name)
        return value.__get__(self) if isinstance(value, property) else value


class StateView:
    """One state of one world. Every field that is looked at is noted in `reads`.

    The processes stand in the world's own order, or in another; identifiers are as they are, or `renamed`. A property of each process
    is asked of the `subject`, by its number, or of all of them.
    """

    def __init__(
        self,
        system: System,
        world: World,
        state: State,
        reads: set[Any] | None = None,
        order: tuple[int, ...] | None = None,
        renamed: Renaming | None = None,
        subject: int | None = None,
    ) -> None:
        self._system, self._world, self._state = system, world, state
        self._subject = subject
        self._reads = set() if reads is None else reads
        self._order = world.presented if order is None else order
        self._renamed = renamed or _as_it_is
        self.texts = 0  # how often a process was made into text, which tells its number
        self.told: dict[int, str] = {}  # the text of each, by its number

    @cached_property
    def processes(self) -> tuple[StateProcess, ...]:
        """In the order of their identifiers where these differ; else in an order that means nothing, but is the same however
        the processes are numbered."""
        return tuple(self._by_number[k] for k in self._order)

    @cached_property
    def _by_number(self) -> tuple[StateProcess, ...]:
        return tuple(StateProcess(self, k, self._state[k + 1]) for k in range(self._world.n))

    @property
    def subjects(self) -> tuple[StateProcess, ...]:
        """The processes that a property of each is asked of."""
        return self.processes if self._subject is None else (self._by_number[self._subject],)

    @property
    def alive(self) -> tuple[StateProcess, ...]:
        return tuple(process for process in self.processes if not process.crashed)

    @property
    def blocks(self) -> tuple[tuple[StateProcess, ...], ...]:
        """The processes by who reaches whom: one block of all while the network is whole. The blocks stand in the order
        of their first processes."""
        network = self._state[-1]
        divided: Blocks = (tuple(range(self._world.n)),)
        if isinstance(network, Network):
            self._reads.update((BLOCKS, WORLD))
            divided = network.blocks
        found = [tuple(p for p in self.processes if p._position in block) for block in divided]
        return tuple(sorted(found, key=lambda block: self.processes.index(block[0])))

    def in_transit(self, *kinds: type[Message]) -> tuple[TransitMessage, ...]:
        """What waits on the links, of these types or of all; the detector's messages left out."""
        self._reads.update(kinds or (Message,))
        found = (
            (message, process, port)
            for process in self.processes
            for port, channel in zip(process._component.profile.in_ports, process._component.inbox, strict=True)
            for message in channel
            if not isinstance(message, DETECTOR_MESSAGES) and isinstance(message, kinds or Message)
        )
        return tuple(
            TransitMessage(number, self._renamed(message), self, process, port)
            for number, (message, process, port) in enumerate(found)
        )

    @property
    def shared(self) -> SharedView:
        self._reads.add(SHARED)
        return SharedView(self._system, self._renamed(self._state[0].shared))

    @property
    def protocol(self) -> ProtocolView:
        return ProtocolView(self._system)


def _as_it_is(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Waits:
    """Among what a property reads: whether messages of these types wait for a process, and nothing more about them."""

    kinds: tuple[type[Message], ...]

    def __str__(self) -> str:
        return "waits " + ", ".join(kind.__qualname__ for kind in self.kinds)

    def __call__(self, component: Component) -> bool:
        return any(
            isinstance(m, self.kinds) and not isinstance(m, DETECTOR_MESSAGES) for c in component.inbox for m in c
        )


class StateProcess:
    """One process in one state."""

    def __init__(self, view: StateView, position: int, component: Component) -> None:
        self._view, self._position, self._component = view, position, component

    @property
    def position(self) -> int:
        self._view._reads.add(POSITION)
        return self._position

    @property
    def id(self) -> Id | int | None:
        found: Id | int | None = self._view._renamed(self._component.profile.identifier)
        return found

    @property
    def crashed(self) -> bool:
        self._view._reads.add(CRASHED)
        return self._component.crashed

    @property
    def is_root(self) -> bool:
        self._view._reads.add(WORLD)
        return self._view._world.root == self._position

    @property
    def is_initiator(self) -> bool:
        self._view._reads.add(WORLD)
        return self._position in self._view._world.initiators

    @property
    def ports(self) -> tuple[Port, ...]:
        self._view._reads.add(WORLD)
        return self._component.profile.ports

    def has_waiting(self, *kinds: type[Message]) -> bool:
        """Whether a message of these types waits for it, or any; the detector's left out."""
        waits = Waits(kinds or (Message,))
        self._view._reads.add(waits)
        return waits(self._component)

    def at(self, port: Port) -> StateProcess:
        """The process at the other end of `port`."""
        self._view._reads.add(WORLD)
        leads = self._view._world.route[self._position]
        if port not in leads:
            known = ", ".join(map(str, self.ports)) or "none"
            raise Misuse(
                f"there is no port {port!r} to look along", f"this process's ports are: {known}", "use p.ports"
            )
        return self._view._by_number[leads[port][0]]

    def __getattr__(self, name: str) -> Any:
        names = self._view._system._names
        if name not in names:
            raise AttributeError(f"the processes have no field {name}; {nearest(name, names)}")
        self._view._reads.add(name)
        return self._view._renamed(self._component.fields[names.index(name)])

    def __hash__(self) -> int:
        """So that sets of processes go in the order of the view."""
        return self._view._order.index(self._position)

    def __str__(self) -> str:
        self._view.texts += 1
        text = self._view.told[self._position] = labelled(self._position, self.id)
        return text

    __repr__ = __str__


class TransitMessage:
    """A message on its way."""

    def __init__(self, number: int, message: Message, view: StateView, target: StateProcess, port: Port) -> None:
        self.message, self.target = message, target
        self._number, self._view, self._port = number, view, port

    def __hash__(self) -> int:
        """So that sets of them go in the order of in_transit."""
        return self._number

    @property
    def source(self) -> StateProcess:
        self._view._reads.add(WORLD)
        return self._view._by_number[self._view._world.sender[self.target._position][self._port]]


class SharedView:
    """The shared variables, as attributes."""

    def __init__(self, system: System, values: tuple[Any, ...]) -> None:
        self._values = dict(zip(system._shared_names, values, strict=True))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._values:
            raise AttributeError(f"there is no shared variable {name}")
        return self._values[name]


class Reason(NamedTuple):
    """Why a property does not hold: in a sentence, and the numbers of the processes that this is about."""

    sentence: str
    about: tuple[int, ...] = ()


def reason_against(prop: Property, views: tuple[StateView, ...]) -> Reason | None:
    """Why the property does not hold of these views; None where it does. It is about the processes that the property has made into text
    as it gave its reason."""
    verdict = evaluate(prop, views)
    if verdict:
        return None
    if not isinstance(verdict, Because):
        if prop.each:
            one = next(process for process in views[0].subjects if not prop.check(views[0], process))
            return Reason(f"It is not so of {one} here: {prop.claim}", (one._position,))
        return Reason(f"It is not so here: {prop.claim}")
    told = {number: text for view in views for number, text in view.told.items()}
    said = [number for number, text in told.items() if text in verdict.sentence]
    return Reason(verdict.sentence, tuple(sorted(said or told)))


def evaluate(prop: Property, views: tuple[StateView, ...]) -> bool | Because:
    """One evaluation. Raises StepError where the property itself is at fault."""
    try:
        verdict = _asked_of_each(prop, views[0]) if prop.each else prop.check(*views)
    except Misuse as misuse:
        remedy = "compare identifiers with one another: p.id, max(q.id for q in view.processes)"
        raise at_fault(
            prop, misuse.what, misuse.cause, remedy if "identifier" in misuse.what else misuse.remedy
        ) from None
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # SystemExit too: a property must not end the run with an exit code of its own
        down = isinstance(error, TypeError) and any(p._component.crashed for view in views for p in view.processes)
        cause = "a crashed process has None in every field that is not stable" if down else "the property itself raised"
        remedy = "speak of view.alive, or test p.crashed first" if down else ""
        raise at_fault(prop, f"{type(error).__name__}: {error}", cause, remedy) from error
    if not isinstance(verdict, (bool, Because)):
        raise at_fault(
            prop, f"it returned {verdict!r}", "a property is true, false, or because(...)", "return a truth value"
        )
    return verdict


def _asked_of_each(prop: Property, view: StateView) -> Any:
    """What the property says of the first process of which it is not simply true."""
    answers = (prop.check(view, process) for process in view.subjects)
    return next((answer for answer in answers if answer is not True), True)


def changeable(prop: Property) -> StepError:
    """Of a property that says now one thing and now another of the same states."""
    cause = "it uses randomness, time or a variable of its own"
    return at_fault(prop, "evaluated twice on one state it gave two verdicts", cause, "read only the view")


def at_fault(prop: Property, what: str, cause: str, remedy: str) -> StepError:
    return StepError(f"the property {prop.name} cannot be evaluated: {what}", cause, remedy, prop.where, prop.name)
