"""What was counted: states, transitions and messages, over the worlds of one size."""

from __future__ import annotations

from dataclasses import dataclass, field

from .ranges import Range, big


@dataclass
class Unreduced:
    """Sums with every world and every state that is stood for."""

    states: int = 0
    transitions: int = 0
    terminal_states: int = 0

    def add(self, states: int, transitions: int, terminal_states: int) -> None:
        self.states += states
        self.transitions += transitions
        self.terminal_states += terminal_states


@dataclass
class Tally:
    """Counts over the worlds of one size. `terminal_states`, `states` and `transitions` are sums, `depth` the greatest.

    `unreduced` are the sums over all the worlds and states that those explored stand for: what is counted without symmetry.
    `turned` is the number of worlds whose states were explored up to a symmetry of their own.
    """

    n: int
    to_represent: int
    worlds: int = 0
    represented: int = 0
    states: int = 0
    transitions: int = 0
    terminal_states: int = 0
    depth: int = 0
    graphs: int = 0
    turned: int = 0
    unreduced: Unreduced = field(default_factory=Unreduced)
    sent: Range = field(default_factory=Range)  # messages, in the worlds where they were counted

    @property
    def missing(self) -> str:
        """Which part of it was not explored, where that is so: the worlds that there are are counted by a formula of its own."""
        if self.represented == self.to_represent:
            return ""
        return f"the worlds explored at n={self.n} stand for {big(self.represented)} of {big(self.to_represent)} assignments"

    def add(
        self, states: int, transitions: int, terminal_states: int, depth: int, represented: int, turned: int, sent: Range | None,
        *all_of_it: int,
    ) -> None:  # fmt: skip
        """The counts of one more world, and those of all it stands for; it `represented` nothing where it was cut short."""
        self.states += states
        self.transitions += transitions
        self.terminal_states += terminal_states
        self.depth = max(self.depth, depth)
        self.worlds += represented > 0
        self.represented += represented
        self.turned += turned
        self.unreduced.add(*all_of_it)
        if sent is not None:
            self.sent.add(sent)
