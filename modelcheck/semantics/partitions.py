"""Partitions: the network as the last component of a state, in runs where it can split.

    state = (environment, component_0, ..., component_{n-1}, network)

The network's steps are faults. A split divides one block of processes in two, in every way there is; a heal joins two
blocks again. Which processes reach which is a matter of positions, so it stands here and nowhere else: a process is told which
of its in-ports are cut, and that changes its channels at once. A split into blocks is mapped onto another such split by
every isomorphism of worlds, so one world may still stand for all that look alike.

Since the network is a component like any other, outcomes of the processes are not computed anew for each division of the
network, and an engine needs nothing but one more slot: `World.wiring` leads to it and from it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from ..language.messages import Message, Reach
from ..language.values import Port
from .components import Component, Profile
from .worlds import World

MOST_TO_SPLIT = 10  # processes: they have 511 splits, and each process more would double them

Block = tuple[int, ...]
Blocks = tuple[Block, ...]
Sends = tuple[tuple[Port, Message], ...]


@dataclass(frozen=True)
class NetworkProfile(Profile):
    """What never changes about the network: for each process its in-ports, each with the process that sends there."""

    senders: tuple[tuple[tuple[Port, int], ...], ...] = ()


class Network(Component):
    """Which processes reach each other, and what is left of the budgets. Its `fields` are these four in their order."""

    __slots__ = ()
    profile: NetworkProfile

    @property
    def blocks(self) -> Blocks:
        """Each in ascending order, and they by their first: processes reach those of their own."""
        blocks: Blocks = self.fields[0]
        return blocks

    @property
    def splits(self) -> int:
        return int(self.fields[1])

    @property
    def heals(self) -> int:
        return int(self.fields[2])

    @property
    def down(self) -> frozenset[int]:
        """The processes that are down: of them the detector has nothing new to say."""
        down: frozenset[int] = self.fields[3]
        return down


def profile(world: World) -> NetworkProfile:
    ports = tuple(Port(k) for k in range(world.n))
    senders = tuple(
        tuple((port, world.sender[i][port]) for port in in_ports) for i, in_ports in enumerate(world.shape.in_ports)
    )
    return NetworkProfile(None, ports, ports, (), False, senders=senders)


def divisions(blocks: Blocks) -> Iterator[Blocks]:
    """The blocks after each possible split: for n processes in one block these are 2^(n-1) - 1."""
    for block in blocks:
        for size in range(1, len(block)):
            for part in itertools.combinations(block[1:], size):
                rest = tuple(process for process in block if process not in part)
                yield tuple(sorted([*(other for other in blocks if other != block), rest, part]))


def unions(blocks: Blocks) -> Iterator[Blocks]:
    """The blocks after each possible heal."""
    for pair in itertools.combinations(blocks, 2):
        yield tuple(sorted([*(other for other in blocks if other not in pair), tuple(sorted(pair[0] + pair[1]))]))


def notices(network: Network, blocks: Blocks) -> Sends:
    """What the processes are told when the blocks change to these: nothing to those of whom no link changes."""
    found = []
    for process, around in enumerate(network.profile.senders):
        before, after = _apart(network.blocks, process), _apart(blocks, process)
        cut = frozenset(port for port, sender in around if sender in after)
        if cut != frozenset(port for port, sender in around if sender in before):
            quiet = frozenset(port for port, sender in around if sender in network.down)
            found.append((Port(process), Reach(cut, quiet)))
    return tuple(found)


def _apart(blocks: Blocks, process: int) -> frozenset[int]:
    """The processes out of the reach of this one."""
    return frozenset(other for block in blocks if process not in block for other in block)


def renumbered(network: Network, g: tuple[int, ...]) -> Network:
    """The network where process i is number g[i]; for properties to look at, not to go on from."""
    blocks = tuple(sorted(tuple(sorted(g[i] for i in block)) for block in network.blocks))
    return Network(network.profile, False, (blocks, *network.fields[1:]), ())


def named(blocks: Blocks) -> str:
    """'p1 p3 | p2'."""
    return " | ".join(" ".join(f"p{process + 1}" for process in block) for block in blocks)
