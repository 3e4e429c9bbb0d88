"""How many messages the runs of one world send: least and greatest, of each type and in total. In plain Python.

A run goes from a start to a terminal state. For every state there are, over all runs that go on from it, the least number
of messages still sent by those that end, and the greatest number sent by any:

    least(s)     0 if s is terminal, else the least of  sends(t) + least(target of t)  over its transitions t
    greatest(s)  the greatest of 0 and of all  sends(t) + greatest(target of t)

In a world without a cycle that is one pass over the states, each after its successors. Where a cycle sends, runs may go
around it as often as they like, and the greatest is UNBOUNDED; so it is where a step sends and changes nothing, for it can be
taken again. Cycles that send nothing do not matter to the greatest, and the least is the length of a shortest path; there,
passes are repeated until nothing changes any more.

What the failure detector says is not sent by anybody, a duplicate is not sent again, and a step that fails sends nothing.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..explore.exploration import Exploration
from ..explore.strong_components import FEW, has_cycle, sources_of, strong_components
from ..language.definition import Definition
from ..language.messages import DETECTOR_MESSAGES, Message
from ..later import Later
from ..pulse import attended, beat, make_room
from ..semantics.symmetry import Orbits
from ..semantics.system import Outcome, Start, System, Transition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]
else:
    np, Array = Later("numpy"), Any

NEVER = 1 << 30  # the least number where no run ends
TOTAL, OTHERS, ROUNDS = "total", "others", "rounds"


@dataclass(frozen=True)
class Columns:
    """What is counted: all messages together, those of each type that some step receives, those of other types; in lock-step rounds as well."""

    types: tuple[type[Message], ...]
    in_rounds: bool = False

    @classmethod
    def of(cls, definition: Definition, *, in_rounds: bool = False) -> Columns:
        kinds = dict.fromkeys(kind for step in definition.steps for kind in step.messages)
        return cls(tuple(kind for kind in kinds if kind not in DETECTOR_MESSAGES), in_rounds)

    @property
    def names(self) -> tuple[str, ...]:
        return (TOTAL, *(kind.__name__ for kind in self.types), OTHERS, *((ROUNDS,) if self.in_rounds else ()))

    def __len__(self) -> int:
        return len(self.types) + 2 + self.in_rounds

    def place(self, message: Message) -> int | None:
        """The column of a message beside the total; None for what the detector says."""
        if isinstance(message, DETECTOR_MESSAGES):
            return None
        kind = type(message)
        return self.types.index(kind) + 1 if kind in self.types else len(self.types) + 1

    def sent(self, outcome: Outcome) -> tuple[int, ...]:
        """How many messages a step or a round sends, by column."""
        counts = [0] * len(self)
        for _, message in outcome.sends:
            place = self.place(message)
            if place is not None:
                counts[place] += 1
                counts[0] += 1
        if self.in_rounds and outcome.kind == "round":  # not one in which nothing but faults happens
            counts[-1] = 1
        return tuple(counts)


@dataclass(frozen=True)
class Values:
    """least(s) and greatest(s) of one column, for each state s.

    Where the greatest is unbounded, `endless` says why: a state, and the ordinal of a transition out of it that sends and from
    which a way leads back; among those that change the state, or -1 for a step that sends and changes nothing.
    """

    column: int
    least: Sequence[int]
    greatest: Sequence[int]
    endless: tuple[int, int] | None


def count(
    found: Exploration, taken: Sequence[tuple[int, Outcome, bool]], columns: Columns, most: int | None = None
) -> Iterator[Values]:
    """The values of each column in turn, or of the first `most`.

    `taken` are the steps of which an observer of the reference engine was told: the state, the outcome, and whether it changes the state.
    Raises StoppedError where a limit is reached, as everything below does.
    """
    states = len(found.states)
    known: dict[Outcome, tuple[int, ...]] = {}
    steps: list[list[tuple[int, tuple[int, ...]]]] = [
        [] for _ in range(states)
    ]  # of each state: target, messages by column
    idle = [-1] * len(columns)  # the first state in which a step sends and changes nothing
    targets = iter(found.targets)
    for number, outcome, changes in attended(taken, 100):
        sent = known.get(outcome) or known.setdefault(outcome, columns.sent(outcome))
        target = next(targets) if changes or not found.group else number
        if changes:
            steps[number].append((target, sent))
        else:
            idle = [number if place < 0 and some else place for place, some in zip(idle, sent, strict=True)]
    terminal = set(found.terminals)
    cycles = [] if found.acyclic else _on_cycles(steps)
    for column in range(most or len(columns)):
        on_cycle = next(((number, ordinal) for number, ordinal, sent in cycles if sent[column]), None)
        least = [0 if number in terminal else NEVER for number in range(states)]
        greatest = [0] * states
        changed = True
        while changed:
            changed = False
            for number in attended(reversed(range(states)), 100):
                for target, sent in steps[number]:
                    low, high = sent[column] + least[target], sent[column] + greatest[target]
                    if low < least[number]:
                        least[number], changed = low, True
                    if high > greatest[number] and on_cycle is None:
                        greatest[number], changed = high, True
            changed &= not found.acyclic  # every step leads to a state of greater number: one pass is all
        yield Values(column, least, greatest, (idle[column], -1) if idle[column] >= 0 else on_cycle)


def _on_cycles(steps: Sequence[Sequence[tuple[int, tuple[int, ...]]]]) -> list[tuple[int, int, tuple[int, ...]]]:
    """The transitions that a way leads back from: their state, their ordinal, what they send."""
    first, targets = [0, *itertools.accumulate(map(len, steps))], [target for out in steps for target, _ in out]
    to_itself = any(number == target for number, out in enumerate(steps) for target, _ in out)
    if len(targets) <= FEW and not to_itself and not has_cycle(first, targets):
        return []
    inside = returning(np.array(first, np.int64), np.array(targets, np.int64))
    numbered = [(number, ordinal, sent) for number, out in enumerate(steps) for ordinal, (_, sent) in enumerate(out)]
    return [numbered[k] for k in np.flatnonzero(inside)]


def returning(first: Array, targets: Array) -> Array:
    """For each transition, whether a way leads from its target back to its source."""
    make_room(8 * (len(targets) + 4 * len(first)))
    labels = strong_components(first, targets)
    return np.asarray(labels[sources_of(first)] == labels[targets])


# --- the runs behind the numbers --------------------------------------------------------------------------------------


def begins(system: System, found: Exploration) -> Iterator[tuple[Start, int]]:
    """Every way for a run to begin, with the number of its first state: several may lead to one state and send unlike numbers of
    messages."""
    orbits = Orbits(found.group)
    first = range(min(len(found.starts), len(found.states)))
    numbers = {orbits.representative(found.states[number]): number for number in first}
    for start in attended(system.starts(found.world)):
        if not (start.steps and start.steps[-1].after is None):
            yield start, numbers[orbits.representative(start.state)]


def moves(system: System, found: Exploration, number: int) -> Iterator[tuple[Transition, int]]:
    """The transitions out of a state that change it, in their order, with the numbers of their targets."""
    state = found.states[number]
    targets = (int(target) for target in found.successors(number) if target != number)
    for ordinal, transition in enumerate(system.successors(found.world, state)):
        changes = transition.after is not None and transition.after != state
        if changes and found.explores(number, transition.process, ordinal):
            yield transition, next(targets)


def attaining(
    system: System, found: Exploration, columns: Columns, column: int, values: Sequence[int], begin: int
) -> list[Transition]:
    """A run from the state `begin` to a terminal one that sends as many messages of a column as its value says: always the first
    transition from which that can still be done.

    Where no such run ends, it stops once they are sent.
    """
    terminals = {int(end) for end in found.terminals}

    def options(number: int) -> Iterator[tuple[Transition, int]]:
        for transition, target in moves(system, found, number):
            if columns.sent(transition.outcome)[column] + values[target] == values[number]:
                yield transition, target

    met, path, taken = {begin}, [(begin, options(begin))], list[Transition]()
    all_sent: list[Transition] | None = None
    while path:
        beat()
        number, left = path[-1]
        if values[number] == 0:
            if number in terminals:
                return taken
            all_sent = list(taken) if all_sent is None else all_sent
        for transition, target in left:
            if target not in met:  # on a cycle that sends nothing it could be
                met.add(target)
                path.append((target, options(target)))
                taken.append(transition)
                break
        else:
            path.pop()
            if taken:
                taken.pop()
    return all_sent or []


def endless_run(
    system: System, found: Exploration, columns: Columns, values: Values
) -> tuple[Start, list[Transition], int]:
    """A run that goes around a cycle that sends: its start, its steps, and how many come before the cycle."""
    assert values.endless is not None
    number, ordinal = values.endless
    start, stem = found.path(system, number)
    if ordinal < 0:
        state = found.states[number]
        loop = [
            transition
            for transition in system.successors(found.world, state)
            if transition.after == state and columns.sent(transition.outcome)[values.column]
        ][:1]
    else:
        transition, target = list(moves(system, found, number))[ordinal]
        loop = [transition, *_way(system, found, target, number)]
    return start, [*stem, *loop], len(stem)


def _way(system: System, found: Exploration, begin: int, end: int) -> list[Transition]:
    """A shortest way from one state to another."""
    come: dict[int, tuple[Transition, int]] = {}
    waiting = deque([begin])
    while end not in come and begin != end:
        beat()
        number = waiting.popleft()
        for transition, target in moves(system, found, number):
            if target not in come and target != begin:
                come[target] = transition, number
                waiting.append(target)
    taken: list[Transition] = []
    while end != begin:
        transition, end = come[end]
        taken.append(transition)
    return taken[::-1]
