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
    """Counts over the worlds of one size, or in one of them. `worlds` is how many were explored to the end, and `represented` how many
    assignments these stand for, of the `to_represent` that there are. `terminal_states`, `states` and `transitions` are sums, `depth` the greatest.

    `unreduced` are the sums over all the worlds and states that those explored stand for: what is counted without symmetry.
    `turned` is the number of worlds whose states were explored up to a symmetry of their own; `reduced` of those of which only as
    many states were explored as partial-order reduction leaves: of these `states`, `transitions`, `depth` and `unreduced` are less. `within` of
    these are told apart the steps of one process as well (explore/independence.py).
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
    reduced: int = 0
    within: int = 0
    unreduced: Unreduced = field(default_factory=Unreduced)
    sent: Range = field(default_factory=Range)  # messages, in the worlds where they were counted
    nodes: int = 0  # of the diagram of all states, where none was visited (explore/sets); then no depth is known

    @property
    def missing(self) -> str:
        """Which part of it was not explored, where that is so: the worlds that there are are counted by a formula of its own."""
        if self.represented == self.to_represent:
            return ""
        return f"the worlds explored at n={self.n} stand for {big(self.represented)} of {big(self.to_represent)} assignments"

    def add(self, more: Tally) -> None:
        """Takes in what was counted in other worlds of this size. What is to be represented, and in how many graphs, stays as it is."""
        self.worlds += more.worlds
        self.represented += more.represented
        self.states += more.states
        self.transitions += more.transitions
        self.terminal_states += more.terminal_states
        self.depth = max(self.depth, more.depth)
        self.turned += more.turned
        self.reduced += more.reduced
        self.within += more.within
        self.unreduced.add(more.unreduced.states, more.unreduced.transitions, more.unreduced.terminal_states)
        self.sent.add(more.sent)
        self.nodes += more.nodes
