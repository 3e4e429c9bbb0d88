"""What is explored: a model under the options of the command line, and the worlds that a person may choose there.

A world is written as `ids=3,1,2;initiators=1,3;root=2;graph=4;ports=01.10.01`: what is as usual is left out. The graph is counted
in the order of the topology's family; ports say for each process how its ports are named, in the order of the family's own names.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Unpack
from urllib.parse import unquote

from ..check.request import Asked, Request, initiators_text, policy_text, read_request
from ..errors import UsageError, nearest
from ..language.topology import Shape
from ..semantics.lockstep import system_for
from ..semantics.system import System
from ..semantics.worlds import Assignment, World, by_identifier

MOST_GRAPHS = 1_000  # that can be chosen by their number
LARGEST_ID = 10**9
_KEYS = ("ids", "initiators", "root", "graph", "ports")


@dataclass(frozen=True)
class WorldChoice:
    """What makes a world, as it was chosen: positions and the number of the graph are counted from 1."""

    identifiers: Assignment
    initiators: tuple[int, ...]
    root: int | None = None
    graph: int = 1
    ports: tuple[tuple[int, ...], ...] = ()  # none: as the family names them


def subject_of(model: str, **options: Unpack[Asked]) -> Subject:
    """The model under these options, those of `check` that say which system it is.

    Raises UsageError for what does not exist or make sense, ModelError or AssumptionError for what is wrong with the model.
    """
    request = read_request(model, **options)
    if len(request.sizes) > 1:
        sizes = f"{request.sizes[0]}..{request.sizes[-1]}"
        raise UsageError(f"one system at a time can be explored, not {sizes}: try --n {request.sizes[-1]}")
    return Subject(request)


class Subject:
    """A model under its options. One System serves all who look; searches have their own."""

    def __init__(self, request: Request, file: str = "") -> None:
        self.request, self.file = request, file
        self.definition = request.model.definition
        self.settings = request.settings
        self.n = request.sizes[0]
        self.system = system_for(self.definition, self.settings)

    def fresh_system(self) -> System:
        """Another System with the same meaning, to be forgotten after a search."""
        return system_for(self.definition, self.settings)

    @cached_property
    def command(self) -> tuple[str, ...]:
        """The words after `modelcheck explore` that serve this again. Links carry them."""
        if self.file:
            return ("--trace", self.file)
        request = self.request
        words = [request.reference, "--n", str(self.n), *request.options]
        if request.policy.identifiers != self.definition.identifiers:
            words += ["--ids", policy_text(request.policy)]
        if request.policy.initiators != "all":
            words += ["--initiators", initiators_text(request.policy)]
        return tuple(words)

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """The graphs to choose from."""
        family: Iterator[Shape] | tuple[Shape, ...] = self.request.given or self.request.topology.shapes(self.n)
        return tuple(itertools.islice(family, MOST_GRAPHS))

    @property
    def rooted(self) -> bool:
        return "root" in self.definition.knows

    @property
    def starts_by_itself(self) -> bool:
        """Whether it makes a difference who the initiators are."""
        return any(step.kind == "initiate" for step in self.definition.steps)

    @property
    def anonymous(self) -> bool:
        return self.request.policy.identifiers == "none"

    @property
    def any_port_names(self) -> bool:
        return self.request.topology.any_port_names

    # --- worlds

    def usual(self) -> WorldChoice:
        """The world to begin with: identifiers in order, or as the options have them."""
        policy, n = self.request.policy, self.n
        given = policy.identifiers
        identifiers: Assignment = given if isinstance(given, tuple) else tuple(range(1, n + 1))
        first = next(policy.marks(n, self.rooted))
        initiators = tuple(range(1, n + 1)) if policy.initiators == "each" else tuple(sorted(k + 1 for k in first[0]))
        return WorldChoice(
            (None,) * n if self.anonymous else identifiers, initiators, next(iter(first[1]), -1) + 1 or None
        )

    def at_random(self) -> WorldChoice:
        """Any world that the options allow."""
        policy, n = self.request.policy, self.n
        identifiers = list(self.usual().identifiers)
        if policy.identifiers == "any":
            identifiers = [random.randint(1, n) for _ in range(n)]
        elif isinstance(policy.identifiers, str) and not self.anonymous:
            identifiers = list(random.sample(range(1, policy.largest(n) + 1), n))
        elif isinstance(policy.identifiers, tuple):
            random.shuffle(identifiers)
        initiators = self.usual().initiators
        if policy.initiators == "each" and self.starts_by_itself:
            initiators = tuple(k for k in range(1, n + 1) if random.random() < 0.5) or (random.randint(1, n),)
        elif str(policy.initiators).startswith("size:"):
            initiators = tuple(sorted(random.sample(range(1, n + 1), len(initiators))))
        graph = random.randint(1, len(self.shapes))
        ports: tuple[tuple[int, ...], ...] = ()
        if self.any_port_names:
            degrees = [len(own) for own in self.shapes[graph - 1].ports]
            ports = tuple(tuple(random.sample(range(degree), degree)) for degree in degrees)
        root = random.randint(1, n) if policy.root == "each" else policy.root
        return WorldChoice(tuple(identifiers), initiators, root if self.rooted else None, graph, ports)

    def world(self, choice: WorldChoice) -> World:
        """The world that was chosen. Raises UsageError where there is none, saying what there is."""
        n = self.n
        self._check(choice)
        shape = self.shapes[choice.graph - 1]
        if choice.ports and choice.ports != tuple(tuple(range(len(own))) for own in shape.ports):
            shape = shape.renamed(choice.ports)
        topology = self.request.topology
        distinct = None not in choice.identifiers and len(set(choice.identifiers)) == n
        if str(topology) == "complete" and "neighbours" in self.definition.knows and distinct:
            shape = by_identifier(shape, choice.identifiers)
        initiators = frozenset(place - 1 for place in choice.initiators)
        root = None if choice.root is None else choice.root - 1
        return World(shape, choice.identifiers, initiators, root, 1, self.request.policy.fallible(n, root))

    def _check(self, choice: WorldChoice) -> None:
        n, identifiers = self.n, choice.identifiers
        if len(identifiers) != n:
            raise UsageError(f"{n} processes need {n} identifiers, and {len(identifiers)} were given")
        if self.anonymous != (None in identifiers):
            raise UsageError("these processes have no identifiers" if self.anonymous else "identifiers are missing")
        if any(value is not None and not 1 <= value <= LARGEST_ID for value in identifiers):
            raise UsageError(f"identifiers are positive numbers, at most {LARGEST_ID:,}")
        if not choice.initiators or len(set(choice.initiators)) < len(choice.initiators):
            raise UsageError("initiators: at least one process, each of them once")
        for what, place in (*(("initiator", k) for k in choice.initiators), ("root", choice.root)):
            if place is not None and not 1 <= place <= n:
                raise UsageError(f"there is no process p{place} to be {what}; they are p1..p{n}")
        if self.rooted != (choice.root is not None):
            raise UsageError("which process is the root?" if self.rooted else "these processes know of no root")
        if not 1 <= choice.graph <= len(self.shapes):
            raise UsageError(f"there is no graph {choice.graph}; they are 1..{len(self.shapes)}")
        if choice.ports:
            self._check_ports(choice.ports, self.shapes[choice.graph - 1])

    def _check_ports(self, ports: tuple[tuple[int, ...], ...], shape: Shape) -> None:
        if not self.any_port_names:
            raise UsageError("these ports have fixed names; with --graph NAME:unoriented they have any")
        degrees = [len(own) for own in shape.ports]
        if [sorted(naming) for naming in ports] != [list(range(degree)) for degree in degrees]:
            raise UsageError("ports: for each process an order of the numbers of its ports, as in 01.10.0")

    def chosen(self, world: World) -> WorldChoice | None:
        """How this world is chosen, where it can be."""
        usual = self.usual()
        initiators = tuple(sorted(k + 1 for k in world.initiators))
        for graph, shape in enumerate(self.shapes, 1):
            if _pairs(shape) != _pairs(world.shape) and not self.any_port_names:
                continue
            ports = _naming(shape, world.shape) if self.any_port_names else ()
            root = None if world.root is None else world.root + 1
            choice = WorldChoice(world.identifiers, initiators or usual.initiators, root, graph, ports)
            try:
                if self.world(choice).shape.links == world.shape.links:
                    return choice
            except UsageError:
                continue
        return None

    # --- worlds as text

    def written(self, choice: WorldChoice) -> str:
        parts = []
        if not self.anonymous:
            parts.append("ids=" + ",".join(map(str, choice.identifiers)))
        if choice.initiators != tuple(range(1, self.n + 1)):
            parts.append("initiators=" + ",".join(map(str, choice.initiators)))
        if choice.root is not None:
            parts.append(f"root={choice.root}")
        if choice.graph != 1:
            parts.append(f"graph={choice.graph}")
        if choice.ports:
            parts.append("ports=" + ".".join("".join(map(_digit, naming)) for naming in choice.ports))
        return ";".join(parts) or "-"

    def read(self, text: str) -> WorldChoice:
        """The choice that was written so. Raises UsageError with what is wrong with it."""
        usual = self.usual()
        found: dict[str, str] = {}
        for part in unquote(text).split(";") if text != "-" else []:
            key, _, value = part.partition("=")
            if key not in _KEYS or key in found:
                raise UsageError(f"a world has no {key!r}; {nearest(key, _KEYS)}")
            found[key] = value
        identifiers = _numbers(found["ids"], "identifiers") if "ids" in found else usual.identifiers
        initiators = (
            tuple(sorted(_numbers(found["initiators"], "initiators")))
            if "initiators" in found
            else tuple(range(1, self.n + 1))
        )
        root = _numbers(found["root"], "root")[0] if "root" in found else usual.root
        graph = _numbers(found["graph"], "graph")[0] if "graph" in found else 1
        ports: tuple[tuple[int, ...], ...] = ()
        if "ports" in found:
            if not all(c in _DIGITS for c in found["ports"].replace(".", "")):
                raise UsageError("ports: for each process an order of the numbers of its ports, as in 01.10.0")
            ports = tuple(tuple(_DIGITS.index(c) for c in naming) for naming in found["ports"].split("."))
        return WorldChoice(identifiers, initiators, root, graph, ports)


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def _digit(number: int) -> str:
    return _DIGITS[number]


def _numbers(text: str, what: str) -> tuple[int, ...]:
    words = [word.strip().removeprefix("p") for word in text.replace(" ", ",").split(",") if word.strip()]
    if not words or not all(word.isascii() and word.isdigit() and len(word) <= 10 for word in words):
        raise UsageError(f"{what}: positive numbers with commas between them, as in 3,1,2, not {text[:40]!r}")
    return tuple(map(int, words))


def _pairs(shape: Shape) -> list[tuple[int, int]]:
    return sorted((link.source, link.target) for link in shape.links)


def _naming(own: Shape, other: Shape) -> tuple[tuple[int, ...], ...]:
    """How the ports of one graph are called in another that differs in nothing else; none where it does."""
    to = {(link.source, link.target): link.out_port for link in other.links}
    leads = {(link.source, link.out_port): link.target for link in own.links}
    try:
        return tuple(tuple(other.ports[i].index(to[i, leads[i, port]]) for port in own.ports[i]) for i in range(own.n))
    except (KeyError, ValueError):
        return ()
