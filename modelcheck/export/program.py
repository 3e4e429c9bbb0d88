"""One neutral description of a searched instance, from which programs for other checkers are written.

A process is an integer, its *local state* (everything but its inbox; what never changes of it is part of that integer), and
a link is a channel of message numbers. The links of a world and where its runs begin are data beside it, so that one program serves
all worlds: a world is chosen first, and never changes.

    channel of process p at its in-port number s     slots * p + s

What a process can do is a *list* of commands for each environment and local state, and one more for each message that it could
receive there; a list may be empty. What the search met is all there is: where there is no list the search has never been, and
the program says that no run comes there.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import cached_property

from ..language.networks import NetworkKind

Key = tuple[int, int]  # environment, local state
Waits = tuple[int, int]  # in-port (its place among them), message
Links = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class GuardedCommand:
    """One outcome of a process in the local state `local`: then the environment is `environment` (None: as it was), the
    local state `after`, and messages are sent, each over an out-port (its place among them). It `crashes`: what waits for it is
    lost but the detector's last word on each link. It `fails`: there is no state after it."""

    local: int
    environment: int | None
    after: int
    sends: tuple[tuple[int, int], ...]
    crashes: bool
    fails: bool
    text: str


List = tuple[GuardedCommand, ...]


@dataclass(frozen=True)
class Tampering:
    """The network loses a message, or delivers it twice, which costs it a budget: environment `before` becomes `after`."""

    duplicates: bool
    before: int
    after: int


@dataclass(frozen=True)
class InitialState:
    """An initial state: the environment, the local states, and what waits in each channel."""

    environment: int
    locals: tuple[int, ...]
    channels: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Wiring:
    """One world: `links[p][k]` is the channel that port k of process p leads to."""

    name: str
    links: Links
    starts: tuple[InitialState, ...]


@dataclass(frozen=True)
class InstanceCounts:
    """What a search of it comes to. `ends`: states in which no step is enabled; `still`: states that no step changes,
    those included. `failing`: transitions to no state, which are among the `transitions`."""

    states: int = 0
    transitions: int = 0
    ends: int = 0
    still: int = 0
    failing: int = 0

    def __add__(self, other: InstanceCounts) -> InstanceCounts:
        return InstanceCounts(*(one + more for one, more in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True)
class Program:
    """`crashed` are the local states of processes that are down, `words` the messages of the failure detector; both are the
    last of their kind. Messages are numbered from 1. `alone` is what processes do by themselves, `received` what they do with a
    message that can be received, whether or not a step takes it."""

    title: str
    about: tuple[str, ...]
    network: NetworkKind
    n: int
    slots: int
    ports: int
    worlds: tuple[Wiring, ...]
    environments: tuple[str, ...]
    locals: tuple[str, ...]
    messages: tuple[str, ...]
    crashed: int
    words: int
    capacities: tuple[int, ...]
    alone: dict[Key, List]
    received: dict[Waits, dict[Key, List]]
    tamperings: tuple[Tampering, ...]
    counts: InstanceCounts

    @property
    def starts(self) -> int:
        """Initial states, over all worlds."""
        return sum(len(world.starts) for world in self.worlds)

    @property
    def first_crashed(self) -> int:
        """The local states from this number on are those of crashed processes."""
        return len(self.locals) - self.crashed

    @property
    def first_word(self) -> int:
        """The messages from this number on are the detector's words."""
        return len(self.messages) - self.words + 1

    @cached_property
    def layouts(self) -> dict[Links, int]:
        """Where links lead, in some worlds otherwise than in others."""
        return {links: number for number, links in enumerate(dict.fromkeys(world.links for world in self.worlds))}

    @cached_property
    def rows(self) -> tuple[GuardedCommand, ...]:
        """All commands, those of a list one after another."""
        return tuple(command for commands in self.first_row for command in commands)

    @cached_property
    def first_row(self) -> dict[List, int]:
        """Where the commands of each list begin in `rows`."""
        found: dict[List, int] = {}
        row = 0
        for table in (self.alone, *self.received.values()):
            for commands in table.values():
                if commands not in found:
                    found[commands] = row
                    row += len(commands)
        return found
