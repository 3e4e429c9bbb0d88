"""The state graph of one world: its states and the transitions between them, or where these are too many, what an observer sees.

Collapsed, a node stands for all states that look alike to the observer, and an edge for all transitions from one class of
states to another; transitions within a class are counted at its node. Nothing is left out: the states of the nodes add up to
those of the world, and the transitions of edges and nodes to its transitions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ..errors import UsageError, nearest
from ..explore.listing import FAILED, Array, Steps
from ..language.properties import Property
from ..language.values import show
from ..semantics.components import Component, State
from ..semantics.partitions import Network, named
from ..semantics.system import Outcome, Start
from ..semantics.worlds import World
from . import trace
from .findings import ALWAYS_CHECKED, FAILURES
from .observer import Classes, Observer, Sight, classes, listed
from .oneworld import OneWorld
from .view import Monitor

MOST_DRAWN = 60  # states of a graph that is not collapsed
MOST_CLASSES = 30
MOST_LISTED = 200_000  # states of a graph that is not collapsed, whatever was asked for
KNOWN = ("leader", "status")
Taken = tuple[int, int, int, object]  # source, target, process, label of the outcome


@dataclass(frozen=True)
class Node:
    """One state, or the states that look alike. `lines` say what is seen, by process; `text` says all of it.

    `depth` is the least number of steps that lead there. Of its states so many are `initial`, `terminal` and break
    properties; `inside` are the transitions that do not leave it. `knowing` is "all", "some" or "none": who knows the leader.
    """

    number: int
    lines: tuple[tuple[str, str], ...]
    text: str
    depth: int
    states: int = 1
    initial: int = 0
    terminal: int = 0
    inside: int = 0
    knowing: str = "none"
    violating: tuple[tuple[str, int], ...] = ()
    on_path: bool = False


@dataclass(frozen=True)
class Edge:
    """Transitions from one node to another, or, where `failure` names what fails, to none: then `target` is -1.

    `labels` are their steps with how many there are of each; `violating` are the properties of steps that some of them break.
    Of a single transition `process`, `received` and `fault` (its kind) are told.
    """

    source: int
    target: int
    labels: tuple[tuple[str, int], ...]
    process: str = ""
    step: str = ""
    received: str = ""
    fault: str = ""
    failure: str = ""
    violating: tuple[str, ...] = ()
    path: tuple[int, ...] = ()  # as which steps of the counterexample it is taken, the first is 1

    @property
    def transitions(self) -> int:
        return sum(count for _, count in self.labels)


@dataclass(frozen=True)
class Counterexample:
    """What the highlighted path shows. `loop` as in a trace: the part after so many steps repeats for ever."""

    name: str
    claim: str
    reason: str
    length: int
    unit: str
    loop: int | None


@dataclass(frozen=True)
class StateGraph:
    """A graph to be drawn or written. `seen` says by what states were collapsed; it is empty where each node is a state.
    `violations` are the properties that fail in this world, with how many states (or steps) break them, None for runs."""

    model: str
    title: str
    world: World
    order: int
    worlds: int | None
    chosen: str
    looked_through: int
    circumstances: tuple[str, ...]  # the network, and the options of the run
    options: tuple[str, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    seen: str
    states: int
    transitions: int
    terminal_states: int
    depth: int
    knows: str  # what a filled node means: "leader", "status" (has decided), or the fields that have changed
    counterexample: Counterexample | None = None
    violations: dict[str, int | None] = field(default_factory=dict)
    reference: str = ""

    @property
    def is_collapsed(self) -> bool:
        return bool(self.seen)


def state_graph_of(one: OneWorld, *, collapse: bool | None = None, by: Iterable[str] = ()) -> StateGraph:
    """The graph of a world that was explored; `collapse` it or not, by default where it has too many states to be drawn.

    `by` are fields of the processes: states are collapsed by these, whatever properties read. Raises UsageError for fields that
    there are not, and for a graph too large to be listed state by state.
    """
    fields = tuple(by)
    names = [field.name for field in one.request.model.definition.fields]
    for name in fields:
        if name not in names:
            raise UsageError(f"{one.request.model.name} has no field {name!r}; {nearest(name, names)}")
    count = len(one.listing)
    if collapse is None:
        collapse = bool(fields) or count > MOST_DRAWN
    if not collapse and count > MOST_LISTED:
        raise UsageError(
            f"world {one.order} has {count:,} states, and no more than {MOST_LISTED:,} are written one by one: --collapse them, "
            "or take fewer processes or faults"
        )
    return _Builder(one, collapse, fields).graph()


class _Builder:
    def __init__(self, one: OneWorld, collapse: bool, fields: tuple[str, ...]) -> None:
        self.one, self.listing = one, one.listing
        self.system, self.world, self.found = one.system, one.world, one.found
        self.observer = Observer(one.listing)
        self.sight = self.observer.everything
        self.classes = Classes(np.arange(len(self.listing)), np.arange(len(self.listing)))
        if collapse:
            reads = set().union(*(monitor.reads for monitor in one.lane.monitors.values()))
            self.sight, self.classes = self._chosen(fields, reads)
        self.collapsed = collapse
        self.violating: dict[str, Array] = {}  # which states break a property
        self.breaking: dict[str, Monitor] = {}  # properties of steps
        self.judged: dict[tuple[str, int, int], bool] = {}
        for name in one.violations:
            self._judge(name)
        self.path_states, self.path = self._path()

    def _chosen(self, fields: tuple[str, ...], reads: set[object]) -> tuple[Sight, Classes]:
        if not fields:
            return self.observer.best(reads, MOST_CLASSES)
        crashed = any(c.crashed for column in self.observer.processes for c in column.values)
        sight = Sight(fields, crashed=crashed)
        seen = self.observer.classes(sight)
        if len(seen) > MOST_CLASSES:
            sight = Sight(fields, crashed=crashed, counted=True)
            seen = self.observer.classes(sight)
        return sight, seen

    # --- what is violated where

    def _judge(self, name: str) -> None:
        prop = next((prop for prop in self.one.request.properties if prop.name == name), None)
        if prop is None or prop.kind not in ("always", "at the end", "every step"):
            return
        monitor = Monitor(prop, self.system)
        monitor.enter(self.world, False)
        if prop.kind == "every step":
            self.breaking[name] = monitor
        else:
            self.violating[name] = self._broken_by(prop, monitor)

    def _broken_by(self, prop: Property, monitor: Monitor) -> Array:
        """Which states break a property: it is asked of one of all that look alike to it, until it reads nothing new."""
        states = self.found.states
        considered = np.arange(len(self.listing))
        if prop.kind == "at the end":
            considered = np.asarray(self.found.terminals, np.int64)
        broken = np.zeros(len(self.listing), bool)
        while True:
            breadth = monitor.breadth
            of = self._as_seen_by(monitor).of[considered]
            kinds, first = np.unique(of, return_index=True)
            wrong = [
                kind for kind, k in zip(kinds, first, strict=True) if not monitor.holds(states[int(considered[k])])
            ]
            if monitor.breadth == breadth:
                broken[considered] = np.isin(of, wrong)
                return broken

    def _as_seen_by(self, monitor: Monitor) -> Classes:
        parts = []
        for place, column in enumerate(self.listing.columns):
            known: dict[object, int] = {}
            see = [self._part(monitor, value, known) for value in column.values]
            parts.append(np.array(see or [0], np.int64)[column.numbers])
            del place
        return classes(parts, len(self.listing))

    def _part(self, monitor: Monitor, value: object, known: dict[object, int]) -> int:
        if isinstance(value, Component):
            return known.setdefault(monitor.projection(value), len(known))
        shared = value.shared  # type: ignore[attr-defined]
        return known.setdefault(shared, len(known))

    def _breaks(self, name: str, source: int, target: int) -> bool:
        states = self.found.states
        return not self.breaking[name].holds(states[source], states[target])

    # --- the path

    def _path(self) -> tuple[list[int], dict[Taken, list[int]]]:
        """The states of the counterexample by number, and as which of its steps each transition is taken."""
        shown = self.one.shown
        if shown is None or (shown[1].start.steps and shown[1].start.steps[-1].after is None):
            return [], {}
        entry = shown[1]
        numbers = [self.listing.number_of(entry.start.state)]
        taken: dict[Taken, list[int]] = {}
        for step, transition in enumerate(entry.transitions, 1):
            target = FAILED if transition.after is None else self.listing.number_of(transition.after)
            key = (numbers[-1], target, transition.process, transition.outcome.label())
            taken.setdefault(key, []).append(step)
            if target != FAILED:
                numbers.append(target)
        return numbers, taken

    # --- nodes and edges

    def graph(self) -> StateGraph:
        one, request = self.one, self.one.request
        edges, inside, breaking = self._edges()
        violations: dict[str, int | None] = {}
        for name in one.violations:
            where = self.violating.get(name)
            violations[name] = int(where.sum()) if where is not None else breaking.get(name)
        return StateGraph(
            model=request.model.name,
            title=request.model.title,
            world=self.world,
            order=one.order,
            worlds=one.worlds,
            chosen=one.chosen,
            looked_through=one.looked_through,
            circumstances=(request.settings.network, *_in_pairs(request.options)),
            options=request.options,
            nodes=tuple(self._nodes(inside)),
            edges=tuple(edges),
            seen=str(self.sight) if self.collapsed else "",
            states=len(self.listing),
            transitions=self.found.transitions,
            terminal_states=len(self.found.terminals),
            depth=int(max(self._depths, default=0)),
            knows=self._knows,
            counterexample=self._counterexample(),
            violations=violations,
            reference=request.reference,
        )

    def _counterexample(self) -> Counterexample | None:
        if self.one.shown is None:
            return None
        name, entry = self.one.shown
        found = entry.trace
        claims = {prop.name: prop.claim for prop in self.one.request.properties}
        claims |= {always: claim for always, _, claim in ALWAYS_CHECKED}
        return Counterexample(name, claims[name], found.reason, found.length, found.unit, found.loop)

    @property
    def _depths(self) -> Array:
        parents = np.asarray(self.found.parents)
        depths = np.zeros(len(parents), np.int64)
        if isinstance(self.found.states, list):
            return np.asarray(self.found.depths, np.int64)
        return (
            np.fromiter((self.found.depths[k] for k in range(len(parents))), np.int64, len(parents))
            if len(depths)
            else depths
        )

    def _nodes(self, inside: Counter[int]) -> list[Node]:
        of, many = self.classes.of, len(self.classes)
        terminal = np.zeros(len(self.listing), bool)
        terminal[np.asarray(self.found.terminals, np.int64)] = True
        counts = np.bincount(of, minlength=many)
        ends = np.bincount(of[terminal], minlength=many)
        begins = np.bincount(of[np.asarray(self.found.parents) < 0], minlength=many)
        broken = {name: np.bincount(of[where], minlength=many) for name, where in self.violating.items()}
        depths = self._depths
        knowing = self._knowing(of, many)
        on_path = {int(of[number]) for number in self.path_states}
        nodes = []
        for number in range(many):
            state = self.found.states[int(self.classes.first[number])]
            lines = self.observer.lines(self.sight, state)
            nodes.append(
                Node(
                    number=number,
                    lines=lines,
                    text=self._text(state, lines),
                    depth=int(depths[self.classes.first[number]]),
                    states=int(counts[number]),
                    initial=int(begins[number]),
                    terminal=int(ends[number]),
                    inside=inside[number],
                    knowing=knowing[number],
                    violating=tuple((name, int(by[number])) for name, by in broken.items() if by[number]),
                    on_path=number in on_path,
                )
            )
        return nodes

    def _text(self, state: State, lines: tuple[tuple[str, str], ...]) -> str:
        if self.collapsed:
            return "\n".join(f"{who} {what}" for who, what in lines) or "as at first"
        snapshot = trace.build(self.system, self.world, Start(state, state), (), "").initial
        parts = [*map(str, snapshot.processes), *(f"{name}={value}" for name, value in snapshot.shared)]
        parts += [f"{who}: {what}" for who, what in lines if who in ("left", "split")]
        return "\n".join(parts)

    # --- who knows

    @property
    def _knows(self) -> str:
        names = self.observer._names
        if any(name in names for name in KNOWN):
            return next(iter(name for name in KNOWN if name in self.observer.varying()), "leader")
        return listed(self._decisions)

    @property
    def _decisions(self) -> tuple[str, ...]:
        """The fields in which a process records what the protocol is about: the leader, or whatever properties read."""
        names = self.observer._names
        if any(name in names for name in KNOWN):
            return tuple(name for name in KNOWN if name in names)
        reads = set().union(*(monitor.reads for monitor in self.one.lane.monitors.values()))
        return tuple(name for name in self.observer.varying() if name in reads)

    def _knowing(self, of: Array, many: int) -> list[str]:
        names, decisions = self.observer._names, self._decisions
        if not decisions:
            return ["none"] * many
        ids = [component.profile.identifier for component in self.observer.at_first[1 : self.world.n + 1]]
        alive = np.stack([self._told(place, lambda c: not c.crashed) for place in range(self.world.n)])
        knowing = np.zeros(len(of), np.int64)
        for place in range(self.world.n):
            first = dict(zip(names, self.observer.at_first[place + 1].fields, strict=True))

            def decided(component: Component, first: dict[str, object] = first) -> bool:
                values = dict(zip(names, component.fields, strict=True))
                if not set(decisions) & set(KNOWN):
                    return any(values[name] != first[name] for name in decisions)
                return values.get("leader") is not None or values.get("status") not in (None, "undecided")

            knows = self._told(place, decided).astype(bool) & alive[place].astype(bool)
            if "leader" in decisions and self.world.distinct:  # of a leader that is down nobody is the wiser
                number = names.index("leader")
                named_one = self._told(place, partial(_place_of, ids, number))
                there = np.where(named_one >= 0, alive[named_one, np.arange(len(of))], 1)
                knows &= there.astype(bool)
            knowing += knows
        alive = alive.sum(axis=0)
        everyone = np.bincount(of[(knowing == alive) & (alive > 0)], minlength=many)
        someone = np.bincount(of[knowing > 0], minlength=many)
        states = np.bincount(of, minlength=many)
        return ["all" if everyone[k] == states[k] else "some" if someone[k] else "none" for k in range(many)]

    def _told(self, place: int, tell: Callable[[Component], int]) -> Array:
        """Something told of one process's component, for each state."""
        column = self.observer.processes[place]
        return np.array([tell(component) for component in column.values] or [0], np.int64)[column.numbers]

    # --- edges

    def _edges(self) -> tuple[list[Edge], Counter[int], Counter[str]]:
        """The edges, the transitions within each node, and how many transitions break each property of steps."""
        if self.collapsed:
            return self._merged()
        edges, inside, breaking = [], Counter[int](), Counter[str]()
        for batch in self.listing.batches():
            for source, target, process, number in zip(*(column.tolist() for column in batch), strict=True):
                outcome = self.listing.outcomes[number]
                if source == target:
                    inside[source] += 1
                broken = tuple(
                    name for name in self.breaking if target != FAILED and self._breaks(name, source, target)
                )
                breaking.update(broken)
                edges.append(
                    Edge(
                        source,
                        target,
                        labels=((self._label(process, outcome), 1),),
                        process=self.world.label(process) if process >= 0 else "all",
                        step=outcome.step,
                        received=_received(outcome),
                        fault=outcome.kind if outcome.is_fault else "",
                        failure=FAILURES[outcome.failure.kind] if outcome.failure else "",
                        violating=broken,
                        path=tuple(self.path.get((source, target, process, outcome.label()), ())),
                    )
                )
        return edges, inside, breaking

    def _merged(self) -> tuple[list[Edge], Counter[int], Counter[str]]:
        of = self.classes.of
        words: dict[tuple[str, str, str], int] = {}  # step, kind of fault, failure
        found: Counter[tuple[int, int, int]] = Counter()
        breaking, breaks = Counter[str](), set[tuple[int, int, str]]()
        for batch in self.listing.batches():
            of_outcome = np.array(
                [words.setdefault(_kind(o), len(words)) for o in self.listing.outcomes] or [0], np.int64
            )
            target = np.where(batch.target == FAILED, FAILED, of[batch.target])
            rows = np.stack([of[batch.source], target, of_outcome[batch.outcome]])
            kinds, counts = np.unique(rows, axis=1, return_counts=True)
            for kind, count in zip(kinds.T.tolist(), counts.tolist(), strict=True):
                found[kind[0], kind[1], kind[2]] += count
            for name, source, end in self._broken_steps(batch):
                breaking[name] += 1
                breaks.add((int(of[source]), int(of[end]), name))
        path: dict[tuple[int, int], list[int]] = {}
        for (a, b, *_), steps_of in self.path.items():
            path.setdefault((int(of[a]), FAILED if b == FAILED else int(of[b])), []).extend(steps_of)
        inside: Counter[int] = Counter()
        together: dict[tuple[int, int, str], list[tuple[str, int, str]]] = {}
        by_number = list(words)
        for (source, end, number), count in sorted(found.items()):
            step, fault, failure = by_number[number]
            if source == end:
                inside[source] += count
            else:
                together.setdefault((source, end, failure), []).append((step, count, fault))
        edges = [
            Edge(
                source,
                end,
                labels=tuple(
                    sorted(((step, count) for step, count, _ in steps), key=lambda label: (-label[1], label[0]))
                ),
                fault=steps[0][2] if all(fault for *_, fault in steps) else "",
                failure=failure,
                violating=tuple(name for name in self.breaking if (source, end, name) in breaks),
                path=tuple(sorted(path.get((source, end), ()))),
            )
            for (source, end, failure), steps in together.items()
        ]
        return edges, inside, breaking

    def _broken_steps(self, batch: Steps) -> Iterable[tuple[str, int, int]]:
        """The transitions of a batch that break a property of steps: it is asked of one of all that look alike to it."""
        for name, monitor in self.breaking.items():
            real = batch.target != FAILED
            source, target = batch.source[real], batch.target[real]
            while True:
                breadth = monitor.breadth
                seen = self._as_seen_by(monitor)
                pair = seen.of[source] * len(seen) + seen.of[target]
                kinds, first = np.unique(pair, return_index=True)
                wrong = [
                    k
                    for k, at in zip(kinds, first, strict=True)
                    if self._breaks(name, int(source[at]), int(target[at]))
                ]
                if monitor.breadth == breadth:
                    break
            for at in np.flatnonzero(np.isin(pair, wrong)):
                yield name, int(source[at]), int(target[at])

    def _label(self, process: int, outcome: Outcome) -> str:
        """'p2 compare', 'p1 lose Election(3)', 'split p1 | p2 p3'."""
        if isinstance(outcome.component, Network):
            return f"{outcome.step} {named(outcome.component.blocks)}"
        chosen = ", ".join(show(choice.value) for choice in outcome.choices)
        words = outcome.step + (f" {chosen}" if chosen else "")
        if outcome.kind in ("lose", "duplicate"):
            words += f" {_received(outcome)}"
        return words if process < 0 else f"p{process + 1} {words}"


def _kind(outcome: Outcome) -> tuple[str, str, str]:
    return (
        outcome.step,
        outcome.kind if outcome.is_fault else "",
        FAILURES[outcome.failure.kind] if outcome.failure else "",
    )


def _received(outcome: Outcome) -> str:
    return repr(outcome.received[1]) if outcome.received is not None and outcome.received[1] is not None else ""


def _in_pairs(options: tuple[str, ...]) -> list[str]:
    return [" ".join(pair) for pair in zip(options[::2], options[1::2], strict=True)]


def _place_of(ids: list[Any], field_number: int, component: Component) -> int:
    """Who has the identifier that stands in this field; -1 where nobody has."""
    identifier = component.fields[field_number]
    return next((place for place, own in enumerate(ids) if type(own) is type(identifier) and own == identifier), -1)
