"""What an engine finds in one world: `Exploration` for whoever looks at it, and how the reference engine holds it.

How the compiled engine holds it is compiled/exploration.py. Nobody needs to ask which of the two it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..errors import SearchError
from ..language.values import identity
from ..later import Later
from ..pulse import attended
from ..semantics.components import State
from ..semantics.symmetry import Group, Orbits
from ..semantics.system import Outcome, Start, System, Transition
from ..semantics.worlds import World
from .independence import Independence
from .strong_components import has_cycle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Numbers = Sequence[int] | Array
else:  # a search in plain Python does without
    np = Later("numpy")
    Array = Numbers = Any

SLICE = 200_000  # states whose transitions are listed together
FAILED = -1  # as a target: the step failed, and there is no state after it


class UnsupportedError(Exception):
    """Something only the reference engine can tell."""


class NotCompiledError(Exception):
    """What explores worlds of this kind (compiled/engine.py) is not compiled yet, and somebody else is at it."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Observer(Protocol):
    """Told of everything an engine meets, once each, in breadth-first order. States go by their number."""

    def on_state(self, number: int, state: State) -> None: ...
    def on_step(self, source: int, before: State, transition: Transition) -> None: ...
    def on_terminal(self, number: int, state: State) -> None: ...
    def on_failure(self, source: int, transition: Transition) -> None: ...


class Counts(NamedTuple):
    """What was counted in one world; `every` are the numbers of states, transitions and terminal states with all their twins."""

    states: int = 0
    transitions: int = 0
    terminal_states: int = 0
    depth: int = 0
    every: tuple[int, int, int] = (0, 0, 0)


class Column(NamedTuple):
    """One slot of all states: `values[numbers[k]]` is what stands there in state k."""

    numbers: Array
    values: Sequence[Any]


class Steps(NamedTuple):
    """Transitions in order: from which state, to which (or FAILED), by which process (-1: by all), with which outcome."""

    source: Array
    target: Array
    process: Array
    outcome: Array


@dataclass
class Exploration(ABC):
    """The reachable states of one world, numbered in the order of discovery (breadth-first).

    parents[k]  the number of the state that k was first reached from; -1 - s for the start number s
    depths[k]   the least number of steps that leads to k
    targets     the numbers of the states that transitions lead to, those of state k at first[k]:first[k+1]

    chosen[k]   where the world is `reduced` (stubborn.py): the mask of the processes whose steps were explored in state k; with
                `independence` that of the outcomes, in the order of System.successors

    With a `group` (semantics/symmetry.py) only the first state met of each orbit is numbered, and a step to one of its twins
    leads to its number; then steps that change nothing are not among `targets`, and one from a state to a twin of it is
    told from them. `all_states`, `all_transitions` and `all_terminals` are the counts with all their twins.

    A world may be begun again, by another engine or with wider slots; `most` is what was counted until then.
    """

    states: Sequence[State] = field(init=False)
    parents: Numbers = field(init=False)
    depths: Numbers = field(init=False)
    targets: Numbers = field(init=False)
    first: Numbers = field(init=False)
    terminals: Numbers = field(init=False)
    chosen: Numbers = field(init=False)

    world: World
    group: Group = ()
    starts: list[Start] = field(default_factory=list)
    transitions: int = 0
    all_states: int = 0
    all_transitions: int = 0
    all_terminals: int = 0
    complete: bool = False
    sent: Any = None  # the range of the numbers of messages, where they were counted
    acyclic: bool = True  # known to have no cycle but steps that change nothing
    most: Counts = field(default_factory=Counts)
    reduced: bool = field(default=False, kw_only=True)
    independence: Independence | None = field(default=None, kw_only=True)

    @property
    def counts(self) -> Counts:
        """What was counted; where it was cut short, in the attempt that came farthest."""
        depth = self.depths[len(self.depths) - 1] if len(self.depths) else 0
        every = (self.all_states, self.all_transitions, self.all_terminals)
        now = Counts(len(self.states), self.transitions, len(self.terminals), depth, every)
        return now if self.complete else max(now, self.most)

    def add_up(self) -> None:
        """Looks whether the counts can be those of a world that was explored to its end. Raises SearchError where they cannot."""
        if not self.complete:
            return
        states, transitions, terminals, _, every = self.counts
        twins = max(1, len(self.group))
        pairs = zip((states, transitions, terminals), every, strict=True)
        if not (
            states - len(self.starts) <= transitions  # something leads to every state but the initial ones
            and terminals <= states
            and all(count <= many <= twins * count for count, many in pairs)
        ):
            raise SearchError(f"what was counted in the world {self.world} does not add up: {self.counts}")

    def has_cycle(self) -> bool:
        """Whether steps that change something lead from some state back to it."""
        return not self.acyclic

    def begin_again(self) -> None:
        """Forgets everything but how far this attempt came, and lets go of its arrays."""
        nothing = type(self)(
            self.world, self.group, most=self.counts, reduced=self.reduced, independence=self.independence
        )
        vars(self).update(vars(nothing))

    @abstractmethod
    def columns(self) -> list[Column]:
        """What stands in each slot of the states: the environment, the processes, and the network where it can split."""

    @abstractmethod
    def steps(self, system: System, outcomes: list[Outcome]) -> Iterator[Steps]:
        """All transitions, in the order of the states and of the steps in each, many at a time; those that change nothing and those
        that fail too. Their outcomes are appended to `outcomes`. States must not stand for twins."""

    @abstractmethod
    def all_depths(self) -> Array:
        """The depths as one array of int64."""

    def explores(self, number: int, process: int, ordinal: int) -> bool:
        """Whether this outcome, so-manieth of all in the order of System.successors, of this process was explored in this state, which was
        expanded."""
        place = process if self.independence is None else ordinal
        return not self.reduced or bool(int(self.chosen[number]) >> place & 1)

    def successors(self, number: int) -> Numbers:
        """The states that transitions of a state that was expanded lead to, in order of the transitions."""
        return self.targets[self.first[number] : self.first[number + 1]]

    def path(self, system: System, number: int) -> tuple[Start, list[Transition]]:
        """The start and the transitions by which a state was first reached, or a twin of it: where every state is a
        successor of its parent itself, and not of a twin of that, the run ends in the very state."""
        first, states = self.way(number)
        start, orbits = self.starts[first], Orbits(self.group)
        before, taken = start.state, list[Transition]()
        for wanted in attended(states):
            place = {twin: k for k, twin in enumerate(orbits.twins(wanted))}  # itself first
            steps = [(t.after, t) for t in system.successors(self.world, before) if t.after is not None]
            before, transition = min(
                ((after, t) for after, t in steps if after in place), key=lambda step: place[step[0]]
            )
            taken.append(transition)
        return start, taken

    def way(self, number: int) -> tuple[int, list[State]]:
        """The same as the number of the start and the states after it."""
        numbers = [number]
        while (parent := self.parents[numbers[-1]]) >= 0:
            numbers.append(parent)
        return -1 - parent, [self.states[k] for k in reversed(numbers[:-1])]


@dataclass
class PlainExploration(Exploration):
    """As the reference engine finds it, a state at a time."""

    states: list[State] = field(default_factory=list, init=False)
    parents: array[int] = field(default_factory=lambda: array("q"), init=False)
    depths: array[int] = field(default_factory=lambda: array("q"), init=False)
    targets: array[int] = field(default_factory=lambda: array("q"), init=False)
    first: array[int] = field(default_factory=lambda: array("q", [0]), init=False)
    terminals: array[int] = field(default_factory=lambda: array("q"), init=False)
    chosen: array[int] = field(default_factory=lambda: array("q"), init=False)

    def columns(self) -> list[Column]:
        found = []
        for place in range(len(self.states[0]) if self.states else 0):
            known: dict[Any, int] = {}
            numbered = (known.setdefault(state[place], len(known)) for state in self.states)
            found.append(Column(np.fromiter(numbered, np.int32, len(self.states)), list(known)))
        return found

    def steps(self, system: System, outcomes: list[Outcome]) -> Iterator[Steps]:
        numbers = {state: number for number, state in enumerate(self.states)}
        known: dict[int, int] = {}
        for begin in range(0, len(self.states), SLICE):
            steps = []
            for source in attended(range(begin, min(begin + SLICE, len(self.states)))):
                for ordinal, taken in enumerate(system.successors(self.world, self.states[source])):
                    if not self.explores(source, taken.process, ordinal):
                        continue
                    outcome = known.setdefault(identity(taken.outcome), len(outcomes))
                    if outcome == len(outcomes):
                        outcomes.append(taken.outcome)  # which keeps its id from being used again
                    target = FAILED if taken.after is None else numbers[taken.after]
                    steps.append((source, target, taken.process, outcome))
            yield Steps(*np.array(steps, np.int64).reshape(-1, 4).T)

    def all_depths(self) -> Array:
        return np.asarray(self.depths, np.int64)

    def has_cycle(self) -> bool:
        if self.acyclic:  # every step leads deeper
            return False
        to_a_twin = self.group and any(source in self.successors(source) for source in range(len(self.first) - 1))
        return bool(to_a_twin) or has_cycle(self.first, self.targets)
