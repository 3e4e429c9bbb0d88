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

Where the runs that are looked for come again and again to some state that is `marked`, whole components are still exact: whatever a run
stays in with such a state is part of one, which has that state as well, and owes no more. And a run can go all around it.

Where states were explored up to symmetry, a cycle of orbits need not be one of states, and fairness tells processes apart. So
all twins of the states on such cycles are looked at, with the steps between them: these are all the states on cycles that the
world has (semantics/symmetry.py), and what is found is what would be found without the reduction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..language.values import identity
from ..later import Later
from ..pulse import attended, beat, make_room
from ..semantics.components import State
from ..semantics.symmetry import Orbits
from ..semantics.system import Outcome, System, Transition
from .exploration import Exploration
from .strong_components import FEW, has_cycle, sources_of, strong_components

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]
else:
    np, Array = Later("numpy"), Any


MARK = -1  # beside the numbers of actions


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


def endless_runs(system: System, found: Exploration, marked: Array | None = None) -> Analysis:
    """Fair runs that never end, and never leave the states of `found`, which must be complete; where there is a mask of states that are
    `marked`, those that come to one of them again and again.

    Raises StoppedError when a limit is reached on the way.
    """
    if found.acyclic:
        return Analysis(None, None)
    to_themselves = bool(found.group) or not system.stutters
    through_several = len(found.targets) > FEW or has_cycle(found.first, found.targets)
    if not (to_themselves or through_several):
        return Analysis(None, None)  # told without NumPy, which takes a while to import
    core = _cyclic_core(found, to_themselves, through_several)
    if not core.any():
        return Analysis(None, None)
    if marked is not None and not (core & marked).any():
        return Analysis(None, None)
    graph = _Graph(system, found, core, marked)
    kept = graph.of_end_components()
    sure = graph.fair(graph.components(kept), kept)
    if (sure >= 0).any():
        return Analysis(graph.shortest_lasso(sure, kept, True), None)
    return Analysis(
        None, graph.shortest_lasso(graph.fair(graph.components(graph.inside), graph.inside), graph.inside, False)
    )


def _cyclic_core(found: Exploration, to_themselves: bool, through_several: bool) -> Array:
    """The mask of the states on cycles, of both kinds that there may be: those of strongly connected components of more than one state, and
    those with a transition to themselves where that is more than stuttering, or to a twin of themselves."""
    targets, first = np.asarray(found.targets), np.asarray(found.first)
    core = np.zeros(len(first) - 1, np.bool_)
    if through_several:
        make_room(8 * (len(targets) + 4 * len(first)))
        labels = strong_components(first, targets)
        core = np.bincount(labels)[labels] > 1
    if to_themselves:
        core[targets[targets == sources_of(first)]] = True
    return core


class _Graph:
    """The transitions between the states of the cyclic core and their twins, with their actions, as arrays. States have numbers of their
    own here, in the order of those in `found`; `inside` is the mask of the transitions that stay, and masks of others are parts of it;
    `marked` that of the states to one of which a loop has to come.

    A class of states is told by a label for each state, -1 for those in none.
    """

    def __init__(self, system: System, found: Exploration, core: Array, marked: Array | None) -> None:
        self._system, self._found, self._outcomes = system, found, list[Outcome]()
        self.known = np.flatnonzero(core)  # the numbers of the states in `found`, or of their twins there
        self._twins: list[State] | None = None
        listed = self._list_twins(system) if found.group else self._list(system, core)
        self.source, self.target, self.process, self.outcome = listed
        self.inside = self.target >= 0
        self._name_actions()
        self._first = np.searchsorted(self.source, np.arange(len(self.known) + 1))
        self._depths = found.all_depths()[self.known]
        self.marked = np.ones(len(self.known), np.bool_) if marked is None else marked[self.known]

    def state(self, number: int) -> State:
        return self._found.states[int(self.known[number])] if self._twins is None else self._twins[number]

    def _list(self, system: System, core: Array) -> tuple[Array, ...]:
        """Every transition out of the core that changes the state, in the order of sources; faults left out."""
        number = np.full(len(core) + 1, -1, np.int64)  # the last for steps that fail
        number[self.known] = np.arange(len(self.known))
        batches = []
        for source, target, process, outcome in self._found.steps(system, self._outcomes):
            wanted = core[source]
            if system.stutters:
                wanted &= target != source
            batches.append((number[source[wanted]], number[target[wanted]], process[wanted], outcome[wanted]))
        columns = [np.concatenate(parts) for parts in zip(*batches, strict=True)]
        owed = ~np.array([outcome.is_fault for outcome in self._outcomes], np.bool_)[columns[3]]
        order = np.argsort(columns[0][owed], kind="stable")
        return tuple(column[owed][order] for column in columns)

    def _list_twins(self, system: System) -> tuple[Array, ...]:
        """The same of the core and all its twins."""
        orbits = Orbits(self._found.group)
        members = [
            (known, twin)
            for known in attended(map(int, self.known), 10)
            for twin in orbits.twins(self._found.states[known])
        ]
        self.known = np.array([known for known, _ in members], np.int64)
        self._twins = [state for _, state in members]
        number = {state: k for k, state in enumerate(self._twins)}
        numbered: dict[int, int] = {}
        rows = []
        for source, before in attended(enumerate(self._twins)):
            for t in system.successors(self._found.world, before):
                if t.outcome.is_fault or (t.after == before and system.stutters):
                    continue
                target = -1 if t.after is None else number.get(t.after, -1)
                place = numbered.setdefault(identity(t.outcome), len(self._outcomes))
                if place == len(self._outcomes):
                    self._outcomes.append(t.outcome)  # which keeps its id from being used again
                rows.append((source, target, t.process, place))
        return tuple(np.array(rows, np.int64).reshape(-1, 4).T)

    def _name_actions(self) -> None:
        """Numbers the action of each transition, and with its state what the scheduler and the choices fix of it: only draws are left
        open among the transitions of one lottery."""
        pairs, which = np.unique(self.process * len(self._outcomes) + self.outcome, return_inverse=True)
        names: dict[object, int] = {}
        lotteries: dict[object, int] = {}
        actions, drawn = [], []
        for pair in pairs.tolist():
            process, place = divmod(pair, len(self._outcomes))
            outcome = self._outcomes[place]
            chosen = tuple(choice.value for choice in outcome.choices if not choice.random)
            actions.append(names.setdefault((process, outcome.action), len(names)))
            drawn.append(lotteries.setdefault((process, outcome.action, chosen), len(lotteries)))
        self._actions = len(names)
        self.action = np.array(actions, np.int64)[which] if len(pairs) else np.zeros(0, np.int64)
        self.lottery = self.source * len(lotteries) + np.array(drawn, np.int64)[which] if len(pairs) else self.action
        self._enabled = np.unique(self.source * max(1, self._actions) + self.action)

    def components(self, edges: Array) -> Array:
        """The strongly connected components along these transitions that have one of them within."""
        beat()
        source, target = self.source[edges], self.target[edges]
        make_room(16 * (len(source) + len(self.known)))
        first = np.searchsorted(source, np.arange(len(self.known) + 1))
        labels = strong_components(first, target).astype(np.int64)
        within = labels[source] == labels[target]
        has_one = np.zeros(int(labels.max()) + 1, np.bool_)
        has_one[labels[source[within]]] = True
        return np.where(has_one[labels], labels, -1)

    def of_end_components(self) -> Array:
        """The transitions of maximal end components: of sets of states a run can stay in whatever is drawn. A lottery that may lead out of
        a component is left out, until that happens no more."""
        kept = self.inside & ~np.isin(self.lottery, self.lottery[~self.inside])
        while True:
            labels = self.components(kept)
            leaves = kept & ((labels[self.source] < 0) | (labels[self.source] != labels[self.target]))
            if not leaves.any():
                return kept
            kept &= ~np.isin(self.lottery, self.lottery[leaves])

    def fair(self, labels: Array, edges: Array) -> Array:
        """Those classes with a marked state in which every action that is enabled throughout is taken, along these transitions."""
        labels = np.where(np.isin(labels, labels[self.marked]), labels, -1)
        if not (labels >= 0).any():
            return labels
        actions = max(1, self._actions)
        states, action = self._enabled // actions, self._enabled % actions
        known = labels[states] >= 0
        classes, often = np.unique(labels[states[known]] * actions + action[known], return_counts=True)
        sizes = np.bincount(labels[labels >= 0])
        throughout = classes[often == sizes[classes // actions]]
        stays = edges & (labels[self.source] >= 0) & (labels[self.source] == labels[self.target])
        taken = labels[self.source[stays]] * actions + self.action[stays]
        owed = throughout[~np.isin(throughout, taken)]
        return np.where(np.isin(labels, owed // actions), -1, labels)

    def shortest_lasso(self, labels: Array, edges: Array, sure: bool) -> Lasso | None:
        """The least stem plus fair loop, ties broken by the number of the entry."""
        best: Lasso | None = None
        members = np.flatnonzero(labels >= 0)
        ways = _Ways(self, labels, edges)
        for entry in attended(members[np.argsort(self._depths[members], kind="stable")].tolist(), 10):
            depth = int(self._depths[entry])
            if best is not None and depth + 1 >= best.length:
                break
            loop = ways.shortest_loop(entry, None if best is None else best.length - depth - 1)
            if loop is not None:
                taken = tuple(self._transition(edge) for edge in loop)
                best = Lasso(int(self.known[entry]), self.state(entry), taken, depth + len(loop), sure)
        return best

    def _transition(self, edge: int) -> Transition:
        """It is taken once more: in lock-step it is a round, of which an outcome does not tell all."""
        process, label = int(self.process[edge]), self._outcomes[int(self.outcome[edge])].label()
        after = self.state(int(self.target[edge]))
        taken = self._system.successors(self._found.world, self.state(int(self.source[edge])))
        return next(t for t in taken if (t.process, t.after) == (process, after) and t.outcome.label() == label)

    def enabled(self, state: int) -> frozenset[int]:
        """The actions that can be taken in a state."""
        return frozenset(self.action[self._first[state] : self._first[state + 1]].tolist())

    def edges_of(self, state: int) -> range:
        return range(int(self._first[state]), int(self._first[state + 1]))


class _Ways:
    """Fair loops within the classes of states that these labels tell apart, along these transitions, that come to a marked state. What is
    asked of a state is remembered."""

    def __init__(self, graph: _Graph, labels: Array, edges: Array) -> None:
        self._graph = graph
        self._stays = edges & (labels[graph.source] >= 0) & (labels[graph.source] == labels[graph.target])
        self._enabled: dict[int, frozenset[int]] = {}
        self._onwards: dict[int, list[tuple[int, int, int]]] = {}  # transition, its action, target

    def enabled(self, state: int) -> frozenset[int]:
        if state not in self._enabled:
            self._enabled[state] = self._graph.enabled(state)
        return self._enabled[state]

    def onwards(self, state: int) -> list[tuple[int, int, int]]:
        if state not in self._onwards:
            graph = self._graph
            self._onwards[state] = [
                (edge, int(graph.action[edge]), int(graph.target[edge]))
                for edge in graph.edges_of(state)
                if self._stays[edge]
            ]
        return self._onwards[state]

    def shortest_loop(self, entry: int, longest: int | None) -> list[int] | None:
        """Breadth-first over (state, what is still owed): what was enabled in every state so far and not yet taken, and MARK until a
        marked state was come to. Transitions by their numbers."""
        marked = self._graph.marked
        start = (entry, self.enabled(entry) if marked[entry] else self.enabled(entry) | {MARK})
        came: dict[tuple[int, frozenset[int]], tuple[tuple[int, frozenset[int]], int] | None] = {start: None}
        layer = [start]
        length = 0
        while layer and (longest is None or length < longest):
            length += 1
            following = []
            for node in attended(layer, 10):
                for edge, action, target in self.onwards(node[0]):
                    owed = (node[1] - {action}) & self.enabled(target)
                    if MARK in node[1] and not marked[target]:
                        owed |= {MARK}
                    if target == entry and not owed:
                        loop = [edge]
                        while (step := came[node]) is not None:
                            node, edge = step
                            loop.append(edge)
                        return loop[::-1]
                    if (target, owed) not in came:
                        came[target, owed] = (node, edge)
                        following.append((target, owed))
            layer = following
        return None
