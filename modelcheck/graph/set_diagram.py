"""All that is reachable as a decision diagram that can be drawn (explore/sets): the states of all worlds of a size at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Unpack

import numpy as np

from ..check.by_sets.refusing import refusal
from ..check.request import Asked, Request, initiators_text, policy_text, read_request, usual_limits
from ..check.taken_again import Witness
from ..check.verdict import Ledger, all_explored
from ..count.tally import Tally
from ..errors import UnfinishedError, UsageError
from ..explore.exploration import UnsupportedError
from ..explore.limits import Limits, Meter
from ..explore.sets.alphabet import AlphabetTables, Wires
from ..explore.sets.beginning import Beginnings, from_top_down
from ..explore.sets.diagram import Diagram
from ..explore.sets.reading import SetReader, Vector
from ..explore.sets.records import EMPTY, TRUE
from ..language.faults import OF_ENVIRONMENT
from ..language.messages import Cut
from ..language.process import Process
from ..language.values import show
from ..pulse import StoppedError, watched_by
from ..semantics.components import Component, Profile
from ..semantics.lockstep import system_for
from ..semantics.partitions import Network, named
from ..semantics.renaming import SOME
from ..semantics.system import System
from .classes import valued

MOST_DRAWN = 200  # nodes
END = 0  # the number of the node below the last level


@dataclass(frozen=True)
class SetNode:
    """A node of a level, numbered from 1 on from the root down. `vectors` are the ways down from it: in so many ways what stands above can be
    completed to a state."""

    number: int
    level: int
    vectors: int


@dataclass(frozen=True)
class SetArrow:
    """All edges from one node to another, or to the END. `members` says for each what stands at the level."""

    source: int
    target: int
    members: tuple[str, ...]


@dataclass(frozen=True)
class SetDiagram:
    """A diagram to be drawn. `levels` are what stands at each: 'environment', 'p1', ..., 'network'."""

    model: str
    reference: str
    n: int
    worlds: int
    represented: int
    states: int
    network: str
    options: tuple[
        tuple[str, str], ...
    ]  # that differ from the model's defaults, as they are typed, and what was given for them
    levels: tuple[str, ...]
    nodes: tuple[SetNode, ...]
    arrows: tuple[SetArrow, ...]

    @property
    def edges(self) -> int:
        return sum(len(arrow.members) for arrow in self.arrows)


def set_diagram(
    model: str | type[Process], *, limits: Limits | None = None, meter: Meter | None = None, **asked: Unpack[Asked]
) -> SetDiagram:
    """The diagram of all reachable states of one size of a protocol, with the arguments of `check`.

    Raises UsageError for what does not exist or make sense and where there are more nodes than can be drawn, UnfinishedError where a limit was
    reached, and whatever is wrong with the model.
    """
    meter = meter or Meter(limits or usual_limits())
    try:
        with watched_by(meter):
            return _SetBuilder(read_request(model, **asked), meter).diagram()
    except UnsupportedError as error:
        raise UsageError(f"--sets cannot do this: {error}") from None
    except StoppedError:
        raise UnfinishedError(
            f"{meter.reached}, before the diagram was done; raise the limit, or take fewer processes"
        ) from None


class _SetBuilder:
    def __init__(self, request: Request, meter: Meter) -> None:
        if len(request.sizes) > 1:
            raise UsageError(f"a diagram is of one size: --n {request.sizes[0]}")
        self.request, self.meter = request, meter
        self.system = system_for(request.model.definition, request.settings)
        if why := refusal(self.system):
            raise UsageError(f"--sets cannot do this: {why}")
        ((n, families),) = request.worlds()
        self.tally = Tally(n, sum(family.represented for family in families))
        self.system.renamings = families[0].renamings(SOME)
        self.meter.size = n
        self.tables = AlphabetTables(self.system, n, from_top_down(families[0]))
        self.reader = SetReader(Diagram(self.tables, self._tell))
        begins = Beginnings(self.tables, (world for family in families for world in family))
        self.tally.worlds = len(begins.worlds)
        self.tally.represented = sum(world.weight for world in begins.worlds)
        vectors = list(dict.fromkeys(map(tuple, begins.vectors.tolist())))
        self.words = _Words(self.system, self.tables, vectors)
        self.root = EMPTY
        if vectors:
            begin = self.reader.diagram.of_vectors(np.array(vectors, np.uint32))
            self.root = self.reader.diagram.saturated(begin)

    def _tell(self, diagram: Diagram) -> None:
        self.meter.nodes = diagram.size

    def diagram(self) -> SetDiagram:
        all_explored(Ledger(missing=[self.tally.missing] if self.tally.missing else []))
        size = self.reader.size(self.root)[0]
        if size > MOST_DRAWN:
            raise UsageError(
                f"a diagram of {size:,} nodes cannot be laid out so that anybody could read it (no more than {MOST_DRAWN} are drawn): take fewer "
                "processes, or one world, as in --ids 3,1,2; `modelcheck run --engine sets` says how many nodes it has"
            )
        states = self.reader.states(self.root)
        self._confirm(states)
        numbers = self._numbered()
        below = {TRUE: 1}
        for node in sorted(numbers.keys() - {TRUE}):  # children have smaller numbers than they have
            below[node] = sum(below[child] for _, child in self.reader.edges(node))
        level, present = self.reader.diagram.forest.level, self.reader.members_at(self.root)
        request = self.request
        return SetDiagram(
            model=request.model.name,
            reference=request.reference,
            n=self.tally.n,
            worlds=self.tally.worlds,
            represented=self.tally.represented,
            states=states,
            network=request.settings.network,
            options=(*request.option_pairs, *_policy(request)),
            levels=self.words.levels(present),
            nodes=tuple(
                SetNode(number, int(level[node]), below[node]) for node, number in numbers.items() if node != TRUE
            ),
            arrows=tuple(self._arrows(numbers, present)),
        )

    def _confirm(self, states: int) -> None:
        """What the members do is taken again, as for a verdict. Raises StepError."""
        witness = Witness(self.request, self.system)
        try:
            witness.ask(states, ())
            if not self.system.verify(hurried=self.meter.stop):
                raise StoppedError
            witness.confirm(self.meter)
        finally:
            witness.close()
        if self.meter.reached:
            raise StoppedError

    def _numbered(self) -> dict[int, int]:
        """The nodes with their numbers in the picture, level by level."""
        numbers: dict[int, int] = {TRUE: END}
        level = [self.root] if self.root != EMPTY else []
        while level:
            for node in level:
                numbers[node] = len(numbers)
            below = dict.fromkeys(child for node in level for _, child in self.reader.edges(node))
            level = [node for node in below if node != TRUE]
        return numbers

    def _arrows(self, numbers: Mapping[int, int], present: Sequence[Sequence[int]]) -> Iterator[SetArrow]:
        for level, labels in enumerate(present):
            words = self.words.of(level, labels)
            for node, number in numbers.items():
                if node != TRUE and self.reader.diagram.forest.level[node] == level:
                    together: dict[int, list[str]] = {}
                    children = dict(self.reader.edges(node))
                    for label in (label for label in words if label in children):
                        together.setdefault(children[label], []).append(words[label])
                    for child, members in together.items():
                        yield SetArrow(number, numbers[child], tuple(members))


def _policy(request: Request) -> Iterator[tuple[str, str]]:
    """The options that say which identifiers and initiators there are, where these are not the usual ones."""
    if request.policy.identifiers != request.model.definition.identifiers:
        yield "--ids", policy_text(request.policy)
    if request.policy.initiators != "all":
        yield "--initiators", initiators_text(request.policy)


class _Words:
    """What stands at a level in words: only what is not as at first, and what is not the same for all that can stand there."""

    def __init__(self, system: System, tables: AlphabetTables, initial: Iterable[Vector]) -> None:
        self.system, self.tables = system, tables
        self._first: dict[Profile, list[Component]] = {}  # of each process, how it can begin
        for member in {number: None for vector in initial for number in vector[tables.environments :]}:
            component = tables.members.by_number[member].component
            self._first.setdefault(component.profile, []).append(component)

    def levels(self, present: Sequence[Sequence[int]]) -> tuple[str, ...]:
        """Of each level the name, with the identifier where only one can stand there."""
        names = ["environment"] * self.tables.environments
        for process, labels in zip(self.tables.processes, present[len(names) :], strict=True):
            own = {self.tables.members.by_number[label].component.profile.identifier for label in labels}
            only = f" (id {own.pop()})" if len(own) == 1 and None not in own else ""
            names.append("network" if process == self.tables.n else f"p{process + 1}{only}")
        return tuple(names)

    def of(self, level: int, labels: Sequence[int]) -> dict[int, str]:
        """Of each of the members or environments that can stand at a level; those of one process together."""
        if level < self.tables.environments:
            return self._environments(labels)
        rank = {profile: place for place, profile in enumerate(self._first)}
        by_number = self.tables.members.by_number
        labels = sorted(labels, key=lambda label: (rank.get(by_number[label].component.profile, 0), label))
        members = [by_number[label] for label in labels]
        process = self.tables.processes[level - self.tables.environments]
        varying = [
            field.name
            for field in fields(Profile)
            if len({getattr(member.component.profile, field.name) for member in members}) > 1
        ]
        wires = _led(process, self.tables.n, [member.wires for member in members])
        return {
            label: self._member(member.component, [*_told(member.component.profile, varying), *led])
            for label, member, led in zip(labels, members, wires, strict=True)
        }

    def _member(self, component: Component, who: Sequence[str]) -> str:
        if isinstance(component, Network):
            return f"{named(component.blocks)}; splits left: {component.splits}, heals left: {component.heals}"
        what = [*(["down"] if component.crashed else []), *self._changed(component)]
        words = ": ".join(filter(None, [", ".join(who), ", ".join(what)]))
        waiting = self._waiting(component)
        return " ".join(filter(None, [words if what or waiting else f"{words}: as at first".lstrip(": "), waiting]))

    def _changed(self, component: Component) -> Iterator[str]:
        first = self._first.get(component.profile, [])
        for place, (name, value) in enumerate(zip(self.system._names, component.fields, strict=True)):
            kept = not component.crashed or self.system.keeps(name)
            if kept and not (first and all(value == one.fields[place] for one in first)):
                yield valued(name, value)

    def _waiting(self, component: Component) -> str:
        ports = component.profile.in_ports
        found = [
            (f"{port}: " if len(ports) > 1 else "")
            + ", ".join("cut" if isinstance(message, Cut) else repr(message) for message in channel)
            for port, channel in zip(ports, component.inbox, strict=True)
            if channel
        ]
        return "\u2190 " + "; ".join(found) if found else ""

    def _environments(self, labels: Sequence[int]) -> dict[int, str]:
        """Shared variables, and what is left of the budgets that ever get less."""
        environments = [self.tables.all_environments.by_number[label] for label in labels]
        used = [place for place in range(len(OF_ENVIRONMENT)) if len({e.budgets[place] for e in environments}) > 1]
        found = {}
        for label, environment in zip(labels, environments, strict=True):
            words = [
                f"{name}={show(value)}"
                for name, value in zip(self.system._shared_names, environment.shared, strict=True)
            ]
            words += [f"{OF_ENVIRONMENT[place]} left: {environment.budgets[place]}" for place in used]
            found[label] = ", ".join(words) or "as at first"
        return found


def _told(profile: Profile, names: Iterable[str]) -> list[str]:
    """What of a process never changes and is told: 'id 3', 'not initiator'."""
    values = {name: getattr(profile, name) for name in names}
    return [f"id {value}" if name == "identifier" else valued(name, value) for name, value in values.items()]


def _led(process: int, n: int, all_wires: Sequence[Wires]) -> list[list[str]]:
    """Where the links of a process lead, for each of these wirings; nothing where they are all the same. In-ports are told where they make a
    difference."""
    if len(set(all_wires)) == 1:
        return [[] for _ in all_wires]
    by_target = {tuple(wire[:2] for wire in wires) for wires in all_wires}
    within = len(by_target) < len(set(all_wires))
    return [
        [f"{port} to p{(process + further) % n + 1}" + (f" {in_port}" if within else "") for port, further, in_port in wires]
        for wires in all_wires
    ]  # fmt: skip
