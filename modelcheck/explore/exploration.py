"""What an engine finds in one world, and the limits it works under."""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..semantics.components import State
from ..semantics.symmetry import Group, Orbits
from ..semantics.system import Start, System, Transition
from ..semantics.worlds import World


class UnsupportedError(Exception):
    """Something only the reference engine can tell."""


class Observer(Protocol):
    """Told of everything an engine meets, once each, in breadth-first order. States go by their number."""

    def on_state(self, number: int, state: State) -> None: ...
    def on_step(self, source: int, before: State, transition: Transition) -> None: ...
    def on_terminal(self, number: int, state: State) -> None: ...
    def on_failure(self, source: int, transition: Transition) -> None: ...


@dataclass
class Exploration:
    """The reachable states of one world, numbered in the order of discovery (breadth-first).

    parents[k]  the number of the state that k was first reached from; -1 - s for the start number s
    depths[k]   the least number of steps that leads to k
    targets     the numbers of the states that transitions lead to, those of state k at first[k]:first[k+1]

    With a `group` (semantics/symmetry.py) only the first state met of each orbit is numbered, and a step to one of its twins
    leads to its number; then steps that change nothing are not among `targets`, and one from a state to a twin of it is
    told from them. `all_states`, `all_transitions` and `all_terminals` are the counts with all their twins.
    """

    world: World
    group: Group = ()
    starts: list[Start] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    parents: array[int] = field(default_factory=lambda: array("q"))
    depths: array[int] = field(default_factory=lambda: array("q"))
    targets: array[int] = field(default_factory=lambda: array("q"))
    first: array[int] = field(default_factory=lambda: array("q", [0]))
    terminals: array[int] = field(default_factory=lambda: array("q"))
    transitions: int = 0
    all_states: int = 0
    all_transitions: int = 0
    all_terminals: int = 0
    complete: bool = False
    sent: Any = None  # the range of the numbers of messages, where they were counted
    acyclic: bool = True  # known to have no cycle but steps that change nothing

    def successors(self, number: int) -> array[int]:
        """The states that transitions of a state that was expanded lead to, in order of the transitions."""
        return self.targets[self.first[number] : self.first[number + 1]]

    def path(self, system: System, number: int) -> tuple[Start, list[Transition]]:
        """The start and the transitions by which a state was first reached, or a twin of it: where every state is a
        successor of its parent itself, and not of a twin of that, the run ends in the very state."""
        numbers = [number]
        while (parent := self.parents[numbers[-1]]) >= 0:
            numbers.append(parent)
        start, orbits = self.starts[-1 - parent], Orbits(self.group)
        before, taken = start.state, list[Transition]()
        for wanted in (self.states[k] for k in reversed(numbers[:-1])):
            place = {twin: k for k, twin in enumerate(orbits.twins(wanted))}  # itself first
            steps = [(t.after, t) for t in system.successors(self.world, before) if t.after is not None]
            before, transition = min(
                ((after, t) for after, t in steps if after in place), key=lambda step: place[step[0]]
            )
            taken.append(transition)
        return start, taken


@dataclass(frozen=True)
class Limits:
    """Where a run gives up: number of states, seconds, megabytes of resident memory. All on by default."""

    max_states: int = 50_000_000
    max_seconds: float = 600.0
    max_memory: int = 4_000


class Meter:
    """Watches the limits and the interrupt over all worlds of a run."""

    def __init__(self, limits: Limits, progress: Callable[[Meter], None] | None = None) -> None:
        self.limits = limits
        self.earlier_states = 0  # of the worlds before this one
        self.earlier_seconds = 0.0  # of the runs that this one resumes
        self.states = 0
        self.transitions = 0
        self.interrupted = False
        self.size = 0  # processes in the worlds now being explored
        self.represented = 0  # assignments of that size that are done, of so many
        self.to_represent = 0
        self.reached: str | None = None
        self.started = time.monotonic()
        self._progress = progress
        import psutil

        self._process = psutil.Process()
        self._next_look = 0.0
        self._lock = threading.Lock()
        self._elsewhere: dict[int, int] = {}  # states of the worlds that other threads are exploring

    def seconds(self) -> float:
        return time.monotonic() - self.started

    def all_seconds(self) -> float:
        """Those of this run and of those it resumes."""
        return self.earlier_seconds + self.seconds()

    def resume(self, states: int, transitions: int, seconds: float) -> None:
        """Goes on from an earlier run: its states count against the limit, its time and memory do not."""
        self.earlier_states, self.transitions, self.earlier_seconds = states, transitions, seconds

    @property
    def out_of_time(self) -> str:
        return f"the limit of {self.limits.max_seconds:g} seconds was reached"

    def memory(self) -> int:
        """Resident memory, in megabytes."""
        return int(self._process.memory_info().rss) // 1_000_000

    def stop(self, states: int = 0) -> bool:
        """Whether to give up, asked before each state is expanded, with the states of this world so far."""
        if threading.current_thread() is not threading.main_thread():
            with self._lock:
                self._elsewhere[threading.get_ident()] = states
                return self._stop(0, watching=False)
        return self._stop(states, watching=True)

    def landed(self, states: int, transitions: int) -> None:
        """A world is done, as far as it will be: its states count for good."""
        with self._lock:
            self._elsewhere.pop(threading.get_ident(), None)
            self.earlier_states += states
            self.transitions += transitions

    def _stop(self, states: int, watching: bool) -> bool:
        self.states = self.earlier_states + states + sum(self._elsewhere.values())
        if self.reached:
            return True
        if self.states > self.limits.max_states:
            self.reached = f"the limit of {self.limits.max_states:,} states was reached"
        elif self.interrupted:
            self.reached = "interrupted"
        elif (now := time.monotonic()) >= self._next_look:
            self._next_look = now + 0.1
            if self.seconds() > self.limits.max_seconds:
                self.reached = self.out_of_time
            elif self.memory() > self.limits.max_memory:
                self.reached = f"the limit of {self.limits.max_memory:,} MB of memory was reached"
            elif self._progress and watching:
                self._progress(self)
        return self.reached is not None
