"""Judging a property in state after state, and what it has looked at."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from ..errors import StepError
from ..language.messages import DETECTOR_MESSAGES, Message
from ..language.properties import Property
from ..language.topology import Link
from ..language.values import Id, Renaming, order, show
from ..reads import LOADED
from ..semantics.components import Component, State
from ..semantics.network import Channel
from ..semantics.partitions import Network, renumbered
from ..semantics.renaming import TRIES, some
from ..semantics.symmetry import Group, turned
from ..semantics.system import System
from ..semantics.worlds import World
from .view import (
    BLOCKS,
    FIRST,
    POSITION,
    SHARED,
    VERY_FIRST,
    WORLD,
    StateView,
    Waits,
    at_fault,
    changeable,
    evaluate,
)

TRUSTED_AFTER = 500  # evaluations, each of them repeated; after that one in a hundred is


MANY = 2_000  # evaluations, after which that is done for one in eleven


MOST_NUMBERINGS = 1_000
EVERYWHERE, EVER = "everywhere", "ever"  # among digests: it was judged in all states of some world, and held in one
WORDS = {EVERYWHERE, EVER}


def _renumberings(world: World) -> Iterator[tuple[tuple[int, ...], World]]:
    """The same world with its processes numbered differently, in every way that keeps its graph; up to 4 processes in every
    way. All worlds that it can stand for are among these, but for the identifiers."""
    n = world.n
    graph = world.shape.graph()
    from networkx.algorithms.isomorphism import GraphMatcher  # which takes a while to import

    same = GraphMatcher(graph, graph).isomorphisms_iter()
    ways = itertools.permutations(range(n)) if n < 5 else (tuple(g[i] for i in range(n)) for g in same)
    for g in ways:
        links = (Link(g[k.source], k.out_port, g[k.target], k.in_port) for k in world.shape.links)
        ports = tuple(world.shape.ports[g.index(k)] for k in range(n))
        shape = replace(world.shape, links=tuple(sorted(links)), ports=ports)
        identifiers = tuple(world.identifiers[g.index(k)] for k in range(n))
        root = None if world.root is None else g[world.root]
        if g != tuple(range(n)):
            fallible = None if world.fallible is None else frozenset(g[i] for i in world.fallible)
            initiators = frozenset(g[i] for i in world.initiators)
            yield g, World(shape, identifiers, initiators, root, world.weight, fallible)


def _moved(state: State, g: tuple[int, ...]) -> State:
    """The state with process i as number g[i]."""
    networks = [renumbered(network, g) for network in state[1 + len(g) :]]
    return (state[0], *(state[1 + g.index(k)] for k in range(len(g))), *networks)


class Monitor:
    """Evaluates one property on many states of one world after another."""

    def __init__(self, prop: Property, system: System) -> None:
        self.property, self._system = prop, system
        self._evaluations = 0
        self.place: int | None = (
            None  # of the process of which a property of each is asked, among those of a view; None: of all
        )
        self.everywhere = self.ever = False  # whether it was judged in all states of some world, and held in one
        self.reads: set[Any] = set()
        self._field_numbers: tuple[int, ...] = ()
        self._kinds: tuple[type[Message], ...] = ()  # of messages
        self._waits: tuple[Waits, ...] = ()
        self._verdicts: dict[Any, bool] = {}
        self._projections: dict[Component, Any] = {}
        self._remembered: Hashable = None
        self.met: tuple[frozenset[Any], Any] | None = None  # what it read first, and the values
        self.varied = False  # whether it ever read anything else: if not, it never mattered

    def enter(self, world: World, symmetric: bool, group: Group = ()) -> None:
        """Turns to a world. Verdicts of another are void, unless the property is portable and the identifiers the same.

        `symmetric` where the world stands for others that differ in how processes are numbered, and each of its states for its
        twins under `group`.
        """
        self._world = world
        self._group = group
        self.place = None
        self._renumberings: list[tuple[tuple[int, ...], World]] | None = (
            None if symmetric else []
        )  # made when first needed
        ahead = world.presented
        self._orders = (ahead[::-1], ahead[1:] + ahead[:1]) if symmetric and not world.distinct else ()
        self._maps = self._system.renamings
        if self.scope != self._remembered:
            self._verdicts.clear()
            self._remembered = self.scope

    @property
    def portable(self) -> bool:
        """Whether all it has read are processes in the order of their identifiers, their fields and messages: nothing
        that differs between worlds with the same identifiers, and nothing that depends on the numbering."""
        return self._world.distinct and not self.reads & {POSITION, WORLD}

    @property
    def scope(self) -> Hashable:
        """What verdicts are good for: all worlds with these identifiers, or this world."""
        ids = self._world.identifiers
        return tuple(ids[process] for process in self._world.presented) if self.portable else self._world

    def digests(self) -> set[str]:
        """What it met, to be compared with what others met, in other threads or processes: one digest, and another where
        that varied."""
        if self.met is None:
            return set()
        reads, key = self.met
        names = sorted(getattr(read, "__qualname__", str(read)) for read in reads)
        text = re.sub(LOADED + r"\d+", "", show((*names, order(key))))  # which numbers models as they are loaded
        said = {"varied": self.varied, EVERYWHERE: self.everywhere, EVER: self.ever}
        return {hashlib.sha256(text.encode()).hexdigest(), *(word for word, is_so in said.items() if is_so)}

    @property
    def breadth(self) -> int:
        """How much it has been seen to read."""
        return len(self.reads)

    def watches(self, message: Message) -> bool:
        """Whether it has looked at messages of this type where they wait."""
        kinds = (*self._kinds, *(kind for waits in self._waits for kind in waits.kinds))
        return isinstance(message, kinds) and not isinstance(message, DETECTOR_MESSAGES)

    def holds(self, *states: State) -> bool:
        """Whether the property holds of this state (of this step: before, after)."""
        known = self._verdicts.get((self.place, *map(self._key, states)))
        if known is None:
            known = self._evaluate(states)
        return known

    @property
    def subject(self) -> int | None:
        """The number of the process that it is asked of; None where of all."""
        return None if self.place is None else self._world.presented[self.place]

    def _view(
        self, state: State, reads: set[Any], order: tuple[int, ...] | None = None, renamed: Renaming | None = None
    ) -> StateView:
        return StateView(self._system, self._world, state, reads, order, renamed, self.subject)

    def would_hold(self, *states: State) -> bool:
        """The same of what perhaps is in no run: whatever it reads it has read, but it has not met it. False where it fails to say so."""
        met = self.met, self.varied
        try:
            return self.holds(*states)
        except StepError:
            return False
        finally:
            self.met, self.varied = met
            self._verdicts.pop((self.place, *map(self._key, states)), None)  # whoever meets it is to be told anew

    def _evaluate(self, states: tuple[State, ...]) -> bool:
        reads: set[Any] = set()
        subject = self.subject
        views = tuple(self._view(state, reads) for state in states)
        texts = Id.texts
        verdict = bool(evaluate(self.property, views))
        told = verdict and Id.texts != texts  # where it fails, the text is for people
        if verdict and any(view.texts for view in views):
            reads.add(POSITION)
        self._evaluations += 1
        suspicious = self._evaluations <= TRUSTED_AFTER or self._evaluations % 101 == 0
        if (suspicious or not verdict) and bool(evaluate(self.property, views)) != verdict:
            raise changeable(self.property)
        for g in self._group[1:]:  # so that a state does stand for its twins, always, and not as far as was tried
            twins = (turned(g, state) for state in states)
            self._expect(verdict, (self._view(twin, reads) for twin in twins))
        for other in self._orders if suspicious else self._orders[:1]:
            self._expect(verdict, (self._view(state, reads, other) for state in states))
        if POSITION in reads:
            for g, world in self._numberings():
                moved = None if subject is None else g[subject]
                views = tuple(
                    StateView(self._system, world, _moved(state, g), reads, subject=moved) for state in states
                )
                self._expect(verdict, views)
        self._try_identifiers(states, reads, verdict, told)
        if not reads <= self.reads:
            self.reads |= reads
            names = self._system._names
            self._field_numbers = tuple(number for number, name in enumerate(names) if name in self.reads)
            self._kinds = tuple(kind for kind in self.reads if isinstance(kind, type))
            self._waits = tuple(sorted((read for read in self.reads if isinstance(read, Waits)), key=str))
            self._verdicts.clear()
            self._projections.clear()
            self._remembered = self.scope
        key = tuple(map(self._key, states))
        self._verdicts[self.place, *key] = verdict
        met = (frozenset(self.reads), key)
        self.varied = self.varied or met != (self.met or met)
        self.met = self.met or met
        return verdict

    # --- what a verdict must not depend on

    def _agrees(self, verdict: bool, views: Iterable[StateView]) -> bool:
        try:
            return bool(evaluate(self.property, tuple(views))) == verdict
        except StepError:
            return False

    def _expect(self, verdict: bool, views: Iterable[StateView]) -> None:
        """Raises StepError where the verdict is another on views that show the same under other numbers."""
        if not self._agrees(verdict, views):
            raise self._numbered("its verdict depends on how the processes are numbered")

    def _numberings(self) -> list[tuple[tuple[int, ...], World]]:
        if self._renumberings is None:
            self._renumberings = list(itertools.islice(_renumberings(self._world), MOST_NUMBERINGS + 1))
            if len(self._renumberings) > MOST_NUMBERINGS:
                raise self._numbered("it looks at the numbers of processes, and there are too many ways to number them")
        return self._renumberings

    def _try_identifiers(self, states: tuple[State, ...], reads: set[Any], verdict: bool, told: bool) -> None:
        """Raises StepError where the verdict is another under other identifiers in the same order. A property that reads the
        text of identifiers is tried under several each time, any other at first."""
        often = self._evaluations <= MANY or self._evaluations % 11 == 0
        tries = TRIES if self._evaluations <= FIRST else int(often)
        if told or self._evaluations <= VERY_FIRST or self._system.thorough:
            tries = len(self._maps)
        for renamed in some(self._maps, self._evaluations, tries):
            views = (self._view(state, reads, renamed=renamed) for state in states)
            if not self._agrees(verdict, views):
                raise at_fault(
                    self.property,
                    "its verdict depends on more than the order of identifiers",
                    "it uses the text or the hash of an identifier, or goes through a set of them as it comes",
                    "only compare identifiers with one another, or run with --no-symmetry",
                )

    def _numbered(self, what: str) -> StepError:
        return at_fault(
            self.property,
            what,
            "worlds that differ only in the numbering are explored once, as the line `reductions` says, and where identifiers "
            "repeat the processes come in an order that means nothing",
            "speak of identifiers, ports, the root and initiators instead, or run with --no-symmetry",
        )

    def _key(self, state: State) -> tuple[Any, ...]:
        known = self._projections
        parts = []
        for place in self._world.presented:
            component = state[place + 1]
            part = known.get(component)
            if part is None:
                part = known[component] = self.projection(component)
            parts.append(part)
        if SHARED in self.reads:
            parts.append(state[0].shared)
        if BLOCKS in self.reads:
            parts.append(self.projection(state[-1]))
        return tuple(parts)

    def projection(self, component: Component) -> tuple[Any, ...]:
        """What the property sees of a component, as far as it has read until now."""
        if isinstance(component, Network):
            return component.blocks if BLOCKS in self.reads else ()
        values = tuple(component.fields[number] for number in self._field_numbers)
        messages = tuple(map(self._noticed, component.inbox)) if self._kinds else None
        return (values, component.crashed, messages, tuple(waits(component) for waits in self._waits))

    def _noticed(self, channel: Channel) -> Channel:
        return tuple(message for message in channel if isinstance(message, self._kinds))
