"""Runs that never end: fair cycles, found in the state graph of one world.

Fairness is weak, per action, and that of TLA+: WF_v(A) for every action A, where v is the whole state. An action is a step
of a process, for a receive step with its message and port; while it can change the state from some moment on, it sooner or
later does. Steps that change nothing stutter: they are no progress and no part of a cycle. Faults are never owed.

A set of states a run can stay in for ever, taking all the actions it owes, is found among the strongly connected
components: an action that could change every state of a component, and within it does so nowhere, is owed by any smaller
cycle as well, so looking at whole components is exact.

Random draws: a run that keeps drawing what it needs to go on has probability 0 when another result of the same draw
would leave. So a component in which every draw stays inside (an end component) is a violation; one which some draw
leaves is reported, but the protocol terminates with probability 1. (Lamport, Specifying Systems, section 8.4; Baier and
Katoen, Principles of Model Checking, sections 3.5 and 10.6.)

Where states were explored up to symmetry, a cycle of orbits need not be one of states, and fairness tells processes apart. So
all twins of the states on such cycles are looked at, with the steps between them: these are all the states on cycles that the
world has (semantics/symmetry.py), and what is found is what would be found without the reduction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..later import Later
from ..pulse import attended, beat, make_room
from ..semantics.components import State
from ..semantics.symmetry import Orbits
from ..semantics.system import System, Transition
from .exploration import Exploration, PlainExploration
from .strong_components import FEW, has_cycle, sources_of, strong_components

if TYPE_CHECKING:
    import numpy as np
else:
    np = Later("numpy")

Action = tuple[int, object]  # the process, and Outcome.action
Edge = tuple[int, Transition, int]


@dataclass(frozen=True)
class Lasso:
    """A run that goes on for ever: from the state `at` along `loop` back to it. `length` counts the stem too; `entry` is the number
    of `at`, or of its twin that has one."""

    entry: int
    at: State
    loop: tuple[Transition, ...]
    length: int
    sure: bool  # False: it has probability 0, for some draw in it may leave


@dataclass(frozen=True)
class Analysis:
    """The outcome for one world: the shortest lasso that violates, or else one of probability 0, or neither."""

    violation: Lasso | None
    improbable: Lasso | None


def endless_runs(system: System, found: Exploration) -> Analysis:
    """Fair runs that never end, and never leave the states of `found`, which must be complete.

    Raises StoppedError when a limit is reached on the way.
    """
    core: set[int] = set() if found.acyclic else _cyclic_core(found, system.stutters)
    if not core:
        return Analysis(None, None)
    graph = _Graph(system, found, core)
    sure = graph.fair(graph.end_components(), graph.kept)
    if sure:
        return Analysis(graph.shortest_lasso(sure, graph.kept, True), None)
    return Analysis(
        None,
        graph.shortest_lasso(graph.fair(graph.components(graph.edges, graph.edges), graph.edges), graph.edges, False),
    )


def restrict(found: Exploration, keep: Callable[[int], bool]) -> PlainExploration:
    """The part of a complete exploration that is reachable through states that `keep` accepts, alone.

    Raises StoppedError when a limit is reached on the way.
    """
    part = PlainExploration(
        found.world, found.group, found.starts, transitions=found.transitions, complete=found.complete, acyclic=found.acyclic
    )  # fmt: skip
    numbers: dict[int, int] = {}
    originals: list[int] = []

    def discover(original: int, parent: int, depth: int) -> int:
        number = numbers.setdefault(original, len(numbers))
        if number == len(originals):
            originals.append(original)
            part.states.append(found.states[original])
            part.parents.append(parent)
            part.depths.append(depth)
        return number

    ends = set(found.terminals)
    for original, parent in attended(enumerate(found.parents), 100):
        if parent < 0 and keep(original):
            discover(original, parent, 0)
    for number, original in attended(enumerate(originals), 10):  # grows while it is walked along
        for target in found.successors(original):
            if keep(target):
                part.targets.append(discover(target, number, part.depths[number] + 1))
        part.first.append(len(part.targets))
        if original in ends:
            part.terminals.append(number)
    return part


def _cyclic_core(found: Exploration, stutters: bool) -> set[int]:
    """The states on cycles: those of strongly connected components of more than one state, and those with a transition
    to themselves where that is more than stuttering, or to a twin of themselves."""
    to_themselves = bool(found.group) or not stutters
    if len(found.targets) <= FEW and not has_cycle(found.first, found.targets):
        return {k for k in range(len(found.first) - 1) if to_themselves and k in found.successors(k)}
    targets, first = np.asarray(found.targets), np.asarray(found.first)
    make_room(8 * (len(targets) + 4 * len(first)))
    labels = strong_components(first, targets)
    core = np.bincount(labels)[labels] > 1
    if to_themselves:
        sources = sources_of(first)
        core[targets[targets == sources]] = True
    return {int(k) for k in np.flatnonzero(core)}


class _Graph:
    """The transitions between the states of the cyclic core and their twins, with their actions. States have numbers of their own
    here, in the order of those in `found`."""

    def __init__(self, system: System, found: Exploration, core: set[int]) -> None:
        self.found = found
        orbits = Orbits(found.group)
        members = [(known, twin) for known in attended(sorted(core), 10) for twin in orbits.twins(found.states[known])]
        self.known = [known for known, _ in members]  # their numbers in `found`, or those of their twins there
        self.states = [state for _, state in members]
        self.enabled: dict[int, frozenset[Action]] = {}
        self.edges: dict[int, list[Edge]] = {}
        self.kept: dict[int, list[Edge]] = {}  # those of end components
        self.leaving: dict[int, set[tuple[object, ...]]] = {}  # draws of a state with a result outside
        number = {state: k for k, state in enumerate(self.states)}
        for source, before in attended(enumerate(self.states)):
            successors = system.successors(found.world, before)
            transitions = [
                t for t in successors if not t.outcome.is_fault and (t.after != before or not system.stutters)
            ]
            self.enabled[source] = frozenset(_action(t) for t in transitions)
            self.edges[source] = []
            self.leaving[source] = set()
            for transition in transitions:
                target = -1 if transition.after is None else number.get(transition.after, -1)
                if target >= 0:
                    self.edges[source].append((source, transition, target))
                else:
                    self.leaving[source].add(_lottery(transition))

    def components(self, states: Iterable[int], edges: dict[int, list[Edge]]) -> list[set[int]]:
        """The strongly connected components with a transition in them."""
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_nodes_from(states)
        graph.add_edges_from((s, target) for s in attended(states, 100) for _, _, target in edges[s] if target in graph)
        components = nx.strongly_connected_components(graph)
        return sorted(
            (set(c) for c in attended(components, 100) if len(c) > 1 or graph.has_edge(min(c), min(c))), key=min
        )

    def end_components(self) -> list[set[int]]:
        """The maximal end components: sets a run can stay in whatever is drawn. Removes transitions that cannot
        belong to one from `self.kept`, splits into components, and repeats until nothing changes."""
        kept = {
            s: [e for e in edges if _lottery(e[1]) not in self.leaving[s]]
            for s, edges in attended(self.edges.items(), 100)
        }
        pending = self.components(kept, kept)
        done = []
        while pending:
            beat()
            states = pending.pop()
            changed = False
            for s in attended(states, 100):
                out = {_lottery(t) for _, t, target in kept[s] if target not in states}
                if out:
                    kept[s] = [e for e in kept[s] if _lottery(e[1]) not in out]
                    changed = True
            if changed:
                pending.extend(self.components(states, kept))
            else:
                done.append(states)
        self.kept = kept
        return sorted(done, key=min)

    def fair(self, components: list[set[int]], edges: dict[int, list[Edge]]) -> list[set[int]]:
        """Those in which every action enabled throughout is taken, along these transitions."""
        return [states for states in attended(components, 100) if not self._owed(states, edges)]

    def _owed(self, states: set[int], edges: dict[int, list[Edge]]) -> frozenset[Action]:
        owed = frozenset.intersection(*(self.enabled[s] for s in states))
        return owed - {_action(t) for s in states for _, t, target in edges[s] if target in states}

    def shortest_lasso(self, components: list[set[int]], edges: dict[int, list[Edge]], sure: bool) -> Lasso | None:
        """The least stem plus fair loop, ties broken by the number of the entry."""
        best: Lasso | None = None
        entries = sorted(
            ((self.found.depths[self.known[s]], s, states) for states in components for s in states),
            key=lambda entry: entry[:2],
        )
        for depth, entry, states in attended(entries, 10):
            if best is not None and depth + 1 >= best.length:
                break
            longest = None if best is None else best.length - depth - 1
            loop = self._shortest_loop(entry, states, edges, longest)
            if loop is not None:
                best = Lasso(self.known[entry], self.states[entry], loop, depth + len(loop), sure)
        return best

    def _shortest_loop(
        self, entry: int, states: set[int], edges: dict[int, list[Edge]], longest: int | None
    ) -> tuple[Transition, ...] | None:
        """Breadth-first over (state, what is still owed): what was enabled in every state so far and not yet taken."""
        start = (entry, self.enabled[entry])
        came: dict[tuple[int, frozenset[Action]], tuple[tuple[int, frozenset[Action]], Transition] | None] = {
            start: None
        }
        layer = [start]
        length = 0
        while layer and (longest is None or length < longest):
            length += 1
            following = []
            for node in attended(layer, 10):
                for _, transition, target in edges[node[0]]:
                    if target not in states:
                        continue
                    owed = (node[1] - {_action(transition)}) & self.enabled[target]
                    if target == entry and not owed:
                        loop = [transition]
                        while (step := came[node]) is not None:
                            node, transition = step
                            loop.append(transition)
                        return tuple(reversed(loop))
                    if (target, owed) not in came:
                        came[target, owed] = (node, transition)
                        following.append((target, owed))
            layer = following
        return None


def _action(transition: Transition) -> Action:
    return (transition.process, transition.outcome.action)


def _lottery(transition: Transition) -> tuple[object, ...]:
    """What the scheduler and the choices fix; only draws are left open."""
    outcome = transition.outcome
    chosen = tuple(choice.value for choice in outcome.choices if not choice.random)
    return (transition.process, outcome.action, chosen)
