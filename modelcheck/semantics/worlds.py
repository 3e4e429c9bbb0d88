"""Worlds: one graph, one assignment of identifiers, one set of initiators, one root, and who may crash.

None of these ever changes, so the states of different worlds never meet, and each world is explored by itself. Two worlds
that an isomorphism of everything a process can notice (links, port names, order of identifiers, root, initiators, who may crash) maps onto
each other have the same runs; one of them is explored and stands for all. A graph with named ports is rigid: an
isomorphism is fixed by where it takes one process. So there are at most n of them, found by following ports.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from ..errors import UsageError
from ..language.definition import Definition
from ..language.topology import Link, Shape, Topology
from ..language.values import Id, Port, Renaming
from ..pulse import attended
from .components import Profile
from .isomorphism import Permutation, automorphisms, code_of, keeps, unnamed_automorphisms, walk
from .renaming import renamings

Assignment = tuple[int | None, ...]
Marks = tuple[frozenset[int], frozenset[int]]  # positions of the initiators, of the root


@dataclass(frozen=True)
class World:
    """A value: everything about a run that is fixed when it begins. Processes are numbered from 0. `fallible` are those that may crash;
    None stands for all."""

    shape: Shape
    identifiers: Assignment
    initiators: frozenset[int]
    root: int | None
    weight: int  # how many assignments, port namings, initiator sets and roots it stands for
    fallible: frozenset[int] | None = None

    @property
    def n(self) -> int:
        return self.shape.n

    @cached_property
    def route(self) -> tuple[dict[Port, tuple[int, Port]], ...]:
        """route[i][out_port] = (the process it leads to, the in-port there)."""
        table: tuple[dict[Port, tuple[int, Port]], ...] = tuple({} for _ in range(self.n))
        for link in self.shape.links:
            table[link.source][link.out_port] = (link.target, link.in_port)
        return table

    @cached_property
    def sender(self) -> tuple[dict[Port, int], ...]:
        """sender[i][in_port] = the process whose messages arrive there."""
        table: tuple[dict[Port, int], ...] = tuple({} for _ in range(self.n))
        for link in self.shape.links:
            table[link.target][link.in_port] = link.source
        return table

    @cached_property
    def wiring(self) -> tuple[dict[Port, tuple[int, Port]], ...]:
        """`route`, with the network as one more component, of number n: its port i leads to process i, and the port
        of a process beyond its own leads to the network."""
        in_ports = self.shape.in_ports
        to_network = tuple({port_beyond(self.shape.ports[i]): (self.n, Port(i))} for i in range(self.n))
        to_processes = {Port(i): (i, in_ports[i][0]) for i in range(self.n) if in_ports[i]}
        return (*({**own, **other} for own, other in zip(self.route, to_network, strict=True)), to_processes)

    def may_crash(self, process: int) -> bool:
        return self.fallible is None or process in self.fallible

    @cached_property
    def distinct(self) -> bool:
        """Whether every process has an identifier of its own."""
        return None not in self.identifiers and len(set(self.identifiers)) == self.n

    @cached_property
    def presented(self) -> tuple[int, ...]:
        """The processes in the order properties see them. It does not depend on how they are numbered: an isomorphism to
        another world leads from the one order to the other.

        Where identifiers differ it is theirs. Else it is that of a walk along the links (walk), begun where identifiers and marks
        come first in an order that is as good as any; where several walks meet the same, the world has a symmetry of its own
        that leads from the one to the other (semantics/symmetry.py). It begins with the greatest identifier, so that nobody
        takes it for the order of identifiers.
        """
        if self.distinct:
            return tuple(sorted(range(self.n), key=lambda process: self.identifiers[process] or 0))
        marks = [
            (-(own or 0), i in self.initiators, i == self.root, self.may_crash(i))
            for i, own in enumerate(self.identifiers)
        ]
        first = min(marks)
        walks = [walk(self.shape, start) for start in range(self.n) if marks[start] == first]
        if len(walks) > 1:
            walks.sort(key=lambda walk: ([marks[i] for i in walk], code_of(self.shape, walk[0])))
        return tuple(walks[0])

    def profiles(self, knows: frozenset[str]) -> tuple[Profile, ...]:
        """Each process's profile under what the protocol declared that it knows."""

        def identifier(process: int) -> Id | int | None:
            value = self.identifiers[process]
            return value if value is None or "integers" in knows else Id(value)

        in_ports = self.shape.in_ports
        ascending = sorted(range(self.n), key=lambda process: self.identifiers[process] or 0)
        everyone = tuple(identifier(process) for process in ascending)
        return tuple(
            Profile(
                identifier=identifier(i),
                ports=self.shape.ports[i],
                in_ports=in_ports[i],
                answers=self.shape.answers[i],
                initiator=i in self.initiators,
                fallible=self.may_crash(i),
                n=self.n if "n" in knows else None,
                root=(i == self.root) if "root" in knows else None,
                neighbours=tuple(identifier(self.route[i][port][0]) for port in self.shape.ports[i])
                if "neighbours" in knows
                else None,
                everyone=everyone if "everyone" in knows else None,
                position=i if "position" in knows else None,
            )
            for i in range(self.n)
        )

    def label(self, process: int) -> str:
        """'p2 (id 5)': how a process is called wherever people read of it."""
        return "the network" if process == self.n else labelled(process, self.identifiers[process])

    def __str__(self) -> str:
        parts = [self.shape.name]
        if self.identifiers and self.identifiers[0] is not None:
            parts.append("ids " + ",".join(map(str, self.identifiers)))
        if len(self.initiators) < self.n:
            parts.append("initiators " + (",".join(f"p{i + 1}" for i in sorted(self.initiators)) or "none"))
        if self.root is not None:
            parts.append(f"root p{self.root + 1}")
        if self.fallible is not None:
            parts.append("may crash " + (",".join(f"p{i + 1}" for i in sorted(self.fallible)) or "nobody"))
        return ", ".join(parts)


@dataclass(frozen=True)
class Policy:
    """Which worlds a run covers.

    identifiers  "unique", "any", "from:M", "none", or a list of numbers
    initiators   "all", "each", "size:K", or a list of positions counted from 1
    root         "each", or a position
    may_crash    "all", "others" (all but the root), or a list of positions
    """

    identifiers: str | tuple[int, ...] = "unique"
    initiators: str | tuple[int, ...] = "all"
    symmetry: bool = True
    root: Literal["each"] | int = "each"
    may_crash: Literal["all", "others"] | tuple[int, ...] = "all"

    def check(self, n: int) -> None:
        """Raises UsageError for a policy that fits no system of n processes."""
        if isinstance(self.identifiers, tuple) and len(self.identifiers) != n:
            raise UsageError(f"{len(self.identifiers)} identifiers were given for {n} processes")
        if isinstance(self.identifiers, str) and self.identifiers.startswith("from:") and self.largest(n) < n:
            raise UsageError(f"{n} distinct identifiers cannot be taken from 1..{self.largest(n)}")
        given = {
            "initiate": self.initiators,
            "be the root": (self.root,) if isinstance(self.root, int) else "",
            "crash": self.may_crash,
        }
        for role, places in given.items():
            for place in places if isinstance(places, tuple) else ():
                if not 1 <= place <= n:
                    raise UsageError(f"there is no process p{place} to {role}; with n={n} they are p1..p{n}")
        if isinstance(self.initiators, str) and self.initiators.startswith("size:") and not 1 <= self._size() <= n:
            raise UsageError(f"{n} processes have no set of {self._size()} initiators")

    def largest(self, n: int) -> int:
        """The largest identifier drawn from."""
        return int(self.identifiers[5:]) if str(self.identifiers).startswith("from:") else n  # type: ignore[arg-type]

    def _size(self) -> int:
        assert isinstance(self.initiators, str)
        return int(self.initiators[5:])

    def marks(self, n: int, rooted: bool) -> Iterator[Marks]:
        """Every choice of initiators and root."""
        everyone = range(n)
        sets: Iterable[Iterable[int]]
        if isinstance(self.initiators, tuple):
            sets = [{place - 1 for place in self.initiators}]
        elif self.initiators == "each":
            sets = (chosen for k in range(1, n + 1) for chosen in itertools.combinations(everyone, k))
        elif self.initiators == "all":
            sets = [everyone]
        else:
            sets = itertools.combinations(everyone, self._size())
        places = everyone if isinstance(self.root, str) else [self.root - 1]
        roots = [frozenset({root}) for root in places] if rooted else [frozenset[int]()]
        return ((frozenset(chosen), root) for chosen in sets for root in roots)

    def fallible(self, n: int, root: int | None) -> frozenset[int] | None:
        """Who may crash where this process is the root; None stands for all."""
        if isinstance(self.may_crash, tuple):
            return frozenset(place - 1 for place in self.may_crash)
        return None if self.may_crash == "all" else frozenset(range(n)) - {root}


@dataclass(frozen=True)
class Worlds:
    """The worlds of one system size: iterate for those to explore; `represented` is how many they stand for."""

    definition: Definition
    topology: Topology
    n: int
    policy: Policy
    given: Shape | None = None  # one graph instead of the topology's whole family

    def __iter__(self) -> Iterator[World]:
        for shape in attended(self.shapes()):
            if self.ports_by_identifier:
                yield from self._complete_by_identifier(shape)
            else:
                for named, namings in self._named(shape):
                    yield from self._coloured(named, namings)

    def shapes(self) -> Iterator[Shape]:
        return iter((self.given,)) if self.given else self.topology.shapes(self.n)

    @property
    def represented(self) -> int:
        """Assignments of identifiers, times port namings, initiator sets and roots, over all graphs."""
        total = 0
        for shape in attended(self.shapes()):
            namings = (
                math.prod(math.factorial(len(ports)) for ports in shape.ports) if self.topology.any_port_names else 1
            )
            total += namings * self._assignments() * self._mark_sets()
        return total

    def _assignments(self) -> int:
        policy, n = self.policy.identifiers, self.n
        if isinstance(policy, tuple) or policy == "none":
            return 1
        if policy == "any":
            return int(n**n)
        return math.perm(self.policy.largest(n), n)

    def _mark_sets(self) -> int:
        initiators, n = self.policy.initiators, self.n
        sets = 1
        if initiators == "each":
            sets = 2**n - 1
        elif isinstance(initiators, str) and initiators.startswith("size:"):
            sets = math.comb(n, int(initiators[5:]))
        return sets * (n if "root" in self.definition.knows and self.policy.root == "each" else 1)

    # --- which isomorphisms may be used

    @property
    def reductions(self) -> tuple[str, ...]:
        """The reductions in force, for the verdict block."""
        found = []
        if self.symmetric:
            found.append("worlds up to isomorphism")
        if self._by_order_type and (
            self.policy.identifiers == "any" or str(self.policy.identifiers).startswith("from:")
        ):
            found.append("identifiers up to order type")
        return tuple(found)

    @property
    def symmetric(self) -> bool:
        """Whether worlds that differ only in how processes are numbered are explored once."""
        return self.policy.symmetry and "position" not in self.definition.knows

    @property
    def _by_order_type(self) -> bool:
        return self.policy.symmetry and "integers" not in self.definition.knows

    def renamings(self, most: int) -> tuple[Renaming, ...]:
        """Other identifiers in the same order, under which whatever is explored has to be the same; those that they stand for
        among them, if these are no more than `most`. None where only what is explored counts."""
        if not self._by_order_type:
            return ()
        given = self.policy.identifiers
        stands = given == "any" or str(given).startswith("from:")
        return renamings(range(1, self.n + 1) if stands else (), self.policy.largest(self.n), most)

    @property
    def ports_by_identifier(self) -> bool:
        """Whether ports of a complete graph are numbered by the neighbours' identifiers: then a process knows each port
        by the identifier behind it, and where processes stand makes no difference."""
        identifiers = self.policy.identifiers
        distinct = (
            len(set(identifiers)) == self.n if isinstance(identifiers, tuple) else identifiers not in ("any", "none")
        )
        named = str(self.topology) == "complete"
        return named and "neighbours" in self.definition.knows and distinct

    def _named(self, shape: Shape) -> Iterator[tuple[Shape, int]]:
        """One shape for each class of port namings, with how many namings it stands for. Where identifiers or initiators
        are given by position, only isomorphisms that keep them make a class."""
        if not self.topology.any_port_names:
            yield shape, 1
            return
        if not self.symmetric:
            for naming in attended(shape.namings()):
                yield shape.renamed(naming), 1
            return
        fixed = self._fixed
        ports = shape.ports  # on the border of a mesh some are missing, and no naming gives a process others
        given = tuple((*own, *sorted(names)) for own, names in zip(fixed, ports, strict=True))
        seen: set[object] = set()
        whole_group = 0
        for naming in attended(shape.namings()):
            named = shape.renamed(naming)
            code = min((code_of(named, start), tuple(fixed[i] for i in walk(named, start))) for start in range(named.n))
            if code not in seen:
                seen.add(code)
                whole_group = whole_group or unnamed_automorphisms(shape, given)
                yield named, whole_group // sum(keeps(g, fixed) for g in automorphisms(named))

    @property
    def _fixed(self) -> tuple[tuple[int, bool, bool, bool], ...]:
        """What is given by position and not by choice of the world: each process's identifier, whether it initiates, is the root, may crash."""
        given, initiators, may_crash = self.policy.identifiers, self.policy.initiators, self.policy.may_crash
        return tuple(
            (
                given[i] if isinstance(given, tuple) else 0,
                isinstance(initiators, tuple) and i + 1 in initiators,
                i + 1 == self.policy.root,
                isinstance(may_crash, tuple) and i + 1 in may_crash,
            )
            for i in range(self.n)
        )

    def _coloured(self, shape: Shape, namings: int) -> Iterator[World]:
        """Each world on a graph with named ports, up to its automorphisms."""
        rooted = "root" in self.definition.knows
        fixed = self._fixed
        identity = tuple(range(self.n))
        for marks in attended(self.policy.marks(self.n, rooted)):
            group = [g for g in attended(automorphisms(shape), 10) if keeps(g, fixed)] if self.symmetric else [identity]
            alike = len(marks[0]) == self.n and not marks[1] and self.policy.identifiers != "any"
            for identifiers, multiplicity in attended(self._identifiers(group), 10):
                if (
                    alike and len(set(identifiers)) == self.n
                ):  # the first of its class, and moved by all but the identity
                    yield self._world(shape, identifiers, marks, namings * multiplicity * len(group))
                    continue
                images = {_image(g, identifiers, marks) for g in group}
                if _key(identifiers, marks) == min(images):
                    yield self._world(shape, identifiers, marks, namings * multiplicity * len(images))

    def _world(self, shape: Shape, identifiers: Assignment, marks: Marks, weight: int) -> World:
        root = next(iter(marks[1]), None)
        return World(shape, identifiers, marks[0], root, weight, self.policy.fallible(self.n, root))

    def _identifiers(self, group: list[Permutation]) -> Iterator[tuple[Assignment, int]]:
        """Assignments of identifiers with how many of the same order type each stands for. Where they are unique, only
        those with the least identifier at the least place of its orbit: the others have an image among these."""
        policy, n = self.policy.identifiers, self.n
        if isinstance(policy, tuple):
            yield policy, 1
        elif policy == "none":
            yield (None,) * n, 1
        elif policy == "any":
            for ranks in attended(itertools.product(range(1, n + 1), repeat=n), 100):
                kinds = len(set(ranks))
                if not self._by_order_type:
                    yield ranks, 1
                elif max(ranks) == kinds:
                    yield ranks, math.comb(n, kinds)
        else:
            for chosen, multiplicity in self._identifier_sets():
                for first in attended(range(n)):
                    if first == min(g[first] for g in group):
                        for rest in itertools.permutations(chosen[1:]):
                            yield (*rest[:first], chosen[0], *rest[first:]), multiplicity

    def _identifier_sets(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """The sets of distinct identifiers, ascending, with how many of the same order type each stands for."""
        n, largest = self.n, self.policy.largest(self.n)
        if self._by_order_type:
            yield tuple(range(1, n + 1)), math.comb(largest, n)
        else:
            for chosen in itertools.combinations(range(1, largest + 1), n):
                yield chosen, 1

    def _complete_by_identifier(self, shape: Shape) -> Iterator[World]:
        """Complete graphs whose ports are in the order of the neighbours' identifiers: all places look alike, so
        there is one world for each choice of who (by rank) initiates, who is the root and who may crash."""
        policy, n = self.policy, self.n
        everywhere = self._identifiers([tuple(range(n))])
        marked, stands_for = policy, 1
        rooted = "root" in self.definition.knows
        fixed = rooted and policy.root != "each"
        placed = isinstance(policy.may_crash, tuple) or (fixed and isinstance(policy.initiators, tuple))
        if self.symmetric and placed and not isinstance(policy.identifiers, tuple):
            yield from self._complete_by_roles(shape)
            return
        if self.symmetric and not isinstance(policy.identifiers, tuple):
            everywhere = self._identifier_sets()
            stands_for = math.factorial(n - fixed)
            marked = replace(policy, root="each")
            if isinstance(policy.initiators, tuple):
                k = len(set(policy.initiators))
                marked = replace(marked, initiators=f"size:{k}")
                stands_for = math.factorial(k) * math.factorial(n - k)
        for identifiers, multiplicity in attended(everywhere):
            named = by_identifier(shape, identifiers)
            for marks in marked.marks(n, rooted):
                yield self._world(named, identifiers, marks, multiplicity * stands_for)

    def _complete_by_roles(self, shape: Shape) -> Iterator[World]:
        """The same where several roles are given by position: all assignments are gone through, and the first of each choice is taken."""
        first: dict[tuple[frozenset[int], ...], World] = {}
        times: Counter[tuple[frozenset[int], ...]] = Counter()
        for identifiers, multiplicity in attended(self._identifiers([tuple(range(self.n))])):
            ranks = [sorted(identifiers, key=lambda own: own or 0).index(own) for own in identifiers]
            for marks in self.policy.marks(self.n, "root" in self.definition.knows):
                world = self._world(by_identifier(shape, identifiers), identifiers, marks, 1)
                roles = (*marks, world.fallible or frozenset())
                key = tuple(frozenset(ranks[place] for place in places) for places in roles)
                first.setdefault(key, world)
                times[key] += multiplicity
        yield from (replace(world, weight=times[key]) for key, world in first.items())


def port_beyond(ports: tuple[Port, ...]) -> Port:
    """A port whose number is greater than those of all these, some of which may be missing (on the border of a mesh)."""
    return Port(max(ports, default=-1) + 1)


def port_numbers(n: int) -> int:
    """More than the number of any port in a graph of n processes, with that to the network: on a mesh of two there is one of number 3."""
    return max(n + 2, 5)


def labelled(process: int, identifier: Id | int | None) -> str:
    """'p2 (id 5)'."""
    return f"p{process + 1}" + ("" if identifier is None else f" (id {identifier})")


def _key(identifiers: Assignment, marks: Marks) -> tuple[object, ...]:
    """The order in which the first of a class is the one to explore: the least identifier at the least place, as
    `_identifiers` has it, then by what stands at each place."""
    values = tuple(value or 0 for value in identifiers)
    places = tuple((value, i not in marks[0], i not in marks[1]) for i, value in enumerate(values))
    return (values.index(min(values)), *places)


def _image(g: Permutation, identifiers: Assignment, marks: Marks) -> tuple[object, ...]:
    moved: list[int | None] = [None] * len(g)
    for i, value in enumerate(identifiers):
        moved[g[i]] = value
    return _key(tuple(moved), (frozenset(g[i] for i in marks[0]), frozenset(g[i] for i in marks[1])))


def by_identifier(shape: Shape, identifiers: Assignment) -> Shape:
    """The complete graph with each process's ports in the order of its neighbours' identifiers."""
    n = shape.n
    order = [sorted((j for j in range(n) if j != i), key=lambda j: identifiers[j] or 0) for i in attended(range(n))]
    ports = tuple(Port(k) for k in range(n - 1))
    links = tuple(
        Link(i, ports[k], j, ports[order[j].index(i)]) for i in attended(range(n)) for k, j in enumerate(order[i])
    )
    return Shape(shape.name, n, links, (ports,) * n)


# --- isomorphisms of graphs with named ports ---------------------------------------------------------------------
