"""What is measured, and the rows that come out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Engine = Literal["compiled", "reference"]
CORES = len(os.sched_getaffinity(0))
MEMORY = 16_000  # megabytes that any search, ours or a peer's, may take


@dataclass(frozen=True)
class Series:
    """A model under a network (its default where empty), for growing n; with these identifiers (its own where empty)."""

    model: str
    network: str
    sizes: range
    ids: str = ""

    def cases(self, most: int) -> Iterator[Case]:
        """Those of at most so many processes."""
        return (Case(self.model, self.network, n, self.ids) for n in self.sizes if n <= most)


@dataclass(frozen=True)
class Case:
    """One line of the table."""

    model: str
    network: str
    n: int
    ids: str = ""

    @property
    def name(self) -> str:
        """The model, with the identifiers where they are not all that its own policy gives."""
        return f"{self.model}, ids {self.ids}" if self.ids else self.model

    def __str__(self) -> str:
        return " ".join(filter(None, (self.name, self.network, f"n={self.n}")))


SERIES = (
    Series("chang_roberts", "fifo", range(3, 9)),
    Series("chang_roberts", "bag", range(3, 9)),
    Series("chang_roberts", "bag", range(9, 10), ids="9,8,7,6,5,4,3,2,1"),  # one large world
    Series("stages", "", range(3, 6)),
    Series("bully", "", range(3, 6)),
    Series("harmony_leader", "", range(3, 6)),
    Series("harmony_links", "", range(5, 8), ids="from:7"),
)


@dataclass(frozen=True)
class Row:
    """What a search of ours took. `inserts` is the machine's limit for tables of that size, in keys a second.

    `seconds` is the median of `runs` runs; memory is that of the whole process at its largest, in megabytes.
    """

    case: Case
    network: str
    states: int
    transitions: int
    seconds: float
    runs: int
    memory: float
    inserts: float | None = None

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
