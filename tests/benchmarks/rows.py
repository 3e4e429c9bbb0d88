"""What is measured, and the rows that come out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Engine = Literal["compiled", "reference"]
Way = Literal["", "order", "sets"]  # every state, one order of steps that do not meet, or all states as a set
CORES = len(os.sched_getaffinity(0))
MEMORY = 16_000  # megabytes that any search, ours or a peer's, may take


@dataclass(frozen=True)
class Series:
    """A model under a network (its default where empty), for growing n; with these identifiers (its own where empty), explored in this
    way."""

    model: str
    network: str
    sizes: range
    ids: str = ""
    way: Way = ""

    def cases(self, most: int) -> Iterator[Case]:
        """Those of at most so many processes."""
        return (Case(self.model, self.network, n, self.ids, self.way) for n in self.sizes if n <= most)


@dataclass(frozen=True)
class Case:
    """One line of the table."""

    model: str
    network: str
    n: int
    ids: str = ""
    way: Way = ""

    @property
    def name(self) -> str:
        """The model, with the identifiers where they are not all that its own policy gives."""
        return f"{self.model}, ids {self.ids}" if self.ids else self.model

    def __str__(self) -> str:
        return " ".join(filter(None, (self.name, self.network, f"n={self.n}", WORDS[self.way])))


WORDS: dict[Way, str] = {"": "", "order": "--reduce order", "sets": "--engine sets"}
SERIES = (
    Series("chang_roberts", "fifo", range(3, 9)),
    Series("chang_roberts", "bag", range(3, 9)),
    Series("chang_roberts", "bag", range(9, 10), ids="9,8,7,6,5,4,3,2,1"),  # one large world
    Series("stages", "", range(3, 6)),
    Series("bully", "", range(3, 6)),
    Series("harmony_leader", "", range(3, 6)),
    Series("harmony_links", "", range(5, 8), ids="from:7"),
    Series("chang_roberts", "fifo", range(7, 11), way="order"),
    Series("chang_roberts", "fifo", range(7, 11), way="sets"),
    Series("chang_roberts", "bag", range(7, 9), way="order"),
    Series("chang_roberts", "bag", range(7, 9), way="sets"),
    Series("bully", "", range(4, 6), way="sets"),
    Series("hirschberg_sinclair", "", range(4, 6), way="sets"),
    Series("stages", "", range(5, 7), way="sets"),
    Series("dolev_klawe_rodeh", "", range(6, 9), way="sets"),
)


@dataclass(frozen=True)
class Row:
    """What a search of ours took. `inserts` is the machine's limit for tables of that size, in keys a second.

    `seconds` is the median of `runs` runs; memory is that of the whole process at its largest, in megabytes. Of
    sets there are `nodes`.
    """

    case: Case
    network: str
    states: int
    transitions: int
    seconds: float
    runs: int
    memory: float
    inserts: float | None = None
    nodes: int = 0

    @property
    def rate(self) -> float:
        """Transitions a second."""
        return self.transitions / self.seconds

    @property
    def of_limit(self) -> float | None:
        """The part of the machine's limit that the search attains: a transition takes one insert at least."""
        return None if self.inserts is None else self.rate / self.inserts


@dataclass(frozen=True)
class PeerRow:
    """What a peer's search took; generating and compiling its verifier took `before` seconds."""

    peer: str
    case: Case
    states: int
    transitions: int
    seconds: float
    runs: int
    memory: float
    before: float


@dataclass(frozen=True)
class LeftOut:
    """A line that is not in the table, and why."""

    who: str
    case: Case
    reason: str

    def __str__(self) -> str:
        return f"{self.who} on {self.case}: {self.reason}"
