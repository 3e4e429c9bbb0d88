"""From a world that was explored to its state graph."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ..check.findings import ALWAYS_CHECKED, FAILURES
from ..errors import UsageError
from ..explore.exploration import FAILED
from ..language.faults import DEEDS
from ..language.values import show
from ..runs import trace
from ..semantics.components import State
from ..semantics.partitions import Network, named
from ..semantics.system import Outcome, Start
from .classes import Classes, Collapse, Sight
from .knowing import Knowing
from .one_world import OneWorld
from .state_graph import Counterexample, Edge, Node, StateGraph
from .violations import Breaches

MOST_DRAWN = 60  # states of a graph that is not collapsed
MOST_CLASSES = 30
MOST_LISTED = 200_000  # states of a graph that is not collapsed, whatever was asked for
Taken = tuple[int, int, int, object]  # source, target, process, label of the outcome
Kind = tuple[str, str, str]  # the step, the kind of fault or nothing, what fails or nothing


def build(one: OneWorld, collapse: bool | None = None, by: tuple[str, ...] = ()) -> StateGraph:
    """The graph of a world that was explored. Raises UsageError where it is too large to be listed state by state."""
    count = len(one.listing)
    if collapse is None:
        collapse = bool(by) or count > MOST_DRAWN
    if not collapse and count > MOST_LISTED:
        raise UsageError(
            f"world {one.order} has {count:,} states, and no more than {MOST_LISTED:,} are written one by one: --collapse them, "
            "or take fewer processes or faults"
        )
    return _Builder(one, collapse, by).graph()


class _Builder:
    def __init__(self, one: OneWorld, collapse: bool, fields: tuple[str, ...]) -> None:
        self.one, self.listing, self.collapsed = one, one.listing, collapse
        self.system, self.world, self.found = one.system, one.world, one.found
        self.observer = Collapse(one.listing)
        reads = set[Any]().union(*(monitor.reads for monitor in one.worker.monitors.values()))
        self.sight, self.classes = self.observer.everything, Classes(*2 * (np.arange(len(self.listing)),))
        if collapse:
            self.sight, self.classes = self._by(fields) if fields else self.observer.best(reads, MOST_CLASSES)
        self.knowing = Knowing(self.observer, reads)
        self.breaches = Breaches(one)
        self.path_states, self.path = self._path()
        self.inside = Counter[int]()  # transitions that do not leave a node
        self.breaking = Counter[str]()  # transitions that break a property of steps

    def _by(self, fields: tuple[str, ...]) -> tuple[Sight, Classes]:
        """Collapsed by fields that were asked for; processes are counted where there would be too many classes."""
        sight = Sight(fields, crashed=self.observer.some_crash)
        seen = self.observer.classes(sight)
        if len(seen) > MOST_CLASSES:
            sight = replace(sight, counted=True)
            seen = self.observer.classes(sight)
        return sight, seen

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

    def graph(self) -> StateGraph:
        one, request = self.one, self.one.request
        edges = tuple(self._merged() if self.collapsed else self._each())  # first, for they count what stays inside
        violations: dict[str, int | None] = {}
        for name in one.violations:
            where = self.breaches.states.get(name)
            violations[name] = int(where.sum()) if where is not None else self.breaking.get(name)
        return StateGraph(
            model=request.model.name,
            title=request.model.title,
            reference=request.reference,
            world=self.world,
            order=one.order,
            worlds=one.worlds,
            chosen=one.chosen,
            looked_through=one.looked_through,
            network=request.settings.network,
            options=request.option_pairs,
            nodes=tuple(self._nodes()),
            edges=edges,
            seen=str(self.sight) if self.collapsed else "",
            unseen=tuple(name for name in self.observer.varying() if name not in self.sight.fields),
            states=len(self.listing),
            transitions=self.found.transitions,
            terminal_states=len(self.found.terminals),
            depth=int(self.listing.depths.max(initial=0)),
            knows=self.knowing.word,
            counterexample=self._counterexample(),
            violations=violations,
        )

    def _counterexample(self) -> Counterexample | None:
        if self.one.shown is None:
            return None
        name, entry = self.one.shown
        found = entry.trace
        claims = {prop.name: prop.claim for prop in self.one.request.properties}
        claims |= {always: claim for always, _, claim in ALWAYS_CHECKED}
        return Counterexample(name, claims[name], found.reason, found.length, found.unit, found.loop)

    # --- nodes

    def _nodes(self) -> Iterator[Node]:
        of, many = self.classes.of, len(self.classes)
        counts = np.bincount(of, minlength=many)
        ends = np.bincount(of[np.asarray(self.found.terminals, np.int64)], minlength=many)
        begins = np.bincount(of[np.asarray(self.found.parents) < 0], minlength=many)
        broken = {name: np.bincount(of[where], minlength=many) for name, where in self.breaches.states.items()}
        knowing = self.knowing.of(of, many)
        on_path = {int(of[number]) for number in self.path_states}
        path = self._merged_path()
        for number, first in enumerate(self.classes.first.tolist()):
            state = self.found.states[first]
            lines = self.observer.lines(self.sight, state)
            yield Node(
                number=number,
                lines=lines,
                text=self._text(state, lines),
                depth=int(self.listing.depths[first]),
                states=int(counts[number]),
                initial=int(begins[number]),
                terminal=int(ends[number]),
                inside=self.inside[number],
                knowing=knowing[number],
                violating=tuple((name, int(by[number])) for name, by in broken.items() if by[number]),
                on_path=number in on_path,
                path=tuple(sorted(path.get((number, number), ()))),
            )

    def _text(self, state: State, lines: tuple[tuple[str, str], ...]) -> str:
        if self.collapsed:
            return "\n".join(f"{who} {what}" for who, what in lines) or "as at the start"
        snapshot = trace.build(self.system, self.world, Start(state, state), (), "").initial
        parts = [*map(str, snapshot.processes), *(f"{name}={value}" for name, value in snapshot.shared)]
        parts += [f"{who}: {what}" for who, what in lines if who in ("left", "split")]
        return "\n".join(parts)

    # --- edges

    def _each(self) -> Iterator[Edge]:
        """An edge for each transition, also for those that change nothing."""
        for batch in self.listing.batches():
            broken: dict[int, list[str]] = {}
            for name, place in self.breaches.of_steps(batch):
                broken.setdefault(place, []).append(name)
                self.breaking[name] += 1
            taken = zip(*(column.tolist() for column in batch), strict=True)
            for place, (source, target, process, number) in enumerate(taken):
                outcome = self.listing.outcomes[number]
                self.inside[source] += source == target
                step, fault, failure = _kind(outcome)
                yield Edge(
                    source,
                    target,
                    labels=((_label(process, outcome), 1),),
                    process=self.world.label(process) if process >= 0 else "all",
                    step=step,
                    received=_received(outcome),
                    fault=fault,
                    failure=failure,
                    violating=tuple(broken.get(place, ())),
                    path=tuple(self.path.get((source, target, process, outcome.label()), ())),
                )

    def _merged(self) -> Iterator[Edge]:
        """An edge for all transitions from one class to another, and apart from these one for those that fail alike."""
        together: dict[tuple[int, int, str], Counter[tuple[str, str]]] = {}
        broken: dict[tuple[int, int], dict[str, None]] = {}
        for (source, target, outcome), count in self._counted(broken).items():
            step, fault, failure = outcome
            if source == target:
                self.inside[source] += count
            else:
                together.setdefault((source, target, failure), Counter())[step, fault] += count
        path = self._merged_path()
        for (source, target, failure), steps in sorted(together.items()):
            labels = sorted(((step, count) for (step, _), count in steps.items()), key=lambda pair: (-pair[1], pair[0]))
            yield Edge(
                source,
                target,
                labels=tuple(labels),
                fault=next(iter(steps))[1] if all(fault for _, fault in steps) else "",
                failure=failure,
                violating=tuple(broken.get((source, target), ())),
                path=tuple(sorted(path.get((source, target), ()))),
            )

    def _counted(self, broken: dict[tuple[int, int], dict[str, None]]) -> Counter[tuple[int, int, Kind]]:
        """How many transitions lead from class to class, by kind; `broken` is filled with the properties they break."""
        of = self.classes.of
        kinds: dict[Kind, int] = {}
        found = Counter[tuple[int, int, Kind]]()
        for batch in self.listing.batches():
            source, target = of[batch.source], np.where(batch.target == FAILED, FAILED, of[batch.target])
            numbers = [kinds.setdefault(_kind(outcome), len(kinds)) for outcome in self.listing.outcomes]
            kind = np.array(numbers or [0], np.int64)[batch.outcome]
            shape = len(self.classes), len(self.classes) + 1, len(kinds)
            counts = np.bincount(((source * shape[1]) + target + 1) * shape[2] + kind, minlength=math.prod(shape))
            by_number = list(kinds)
            for cell in np.flatnonzero(counts):
                a, b, k = (int(part) for part in np.unravel_index(cell, shape))
                found[a, b - 1, by_number[k]] += int(counts[cell])
            for name, place in self.breaches.of_steps(batch):
                self.breaking[name] += 1
                broken.setdefault((int(source[place]), int(target[place])), {})[name] = None
        return found

    def _merged_path(self) -> dict[tuple[int, int], list[int]]:
        of = self.classes.of
        path: dict[tuple[int, int], list[int]] = {}
        for (source, target, *_), steps in self.path.items():
            path.setdefault((int(of[source]), FAILED if target == FAILED else int(of[target])), []).extend(steps)
        return path


def _kind(outcome: Outcome) -> Kind:
    failure = FAILURES[outcome.failure.kind] if outcome.failure else ""
    return outcome.step, outcome.kind if outcome.is_fault else "", failure


def _label(process: int, outcome: Outcome) -> str:
    """'p2 compare', 'p1 lose Election(3)', 'split p1 | p2 p3'."""
    if isinstance(outcome.component, Network):
        return f"{outcome.step} {named(outcome.component.blocks)}"
    chosen = ", ".join(show(choice.value) for choice in outcome.choices)
    words = outcome.step + (f" {chosen}" if chosen else "")
    deed = DEEDS.get(outcome.kind)
    if deed and deed.about == "message" and not deed.free:  # what a cut does to messages is told without them
        words += f" {_received(outcome)}"
    return words if process < 0 else f"p{process + 1} {words}"


def _received(outcome: Outcome) -> str:
    return repr(outcome.received[1]) if outcome.received is not None and outcome.received[1] is not None else ""
