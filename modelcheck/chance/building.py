"""From a world that was explored to a Markov decision process: interleavings and choices belong to a scheduler, draws to chance.

A row is one thing that a scheduler can do in a state: a process takes a step, for a receive step with this message, and `choose`
comes to these values. Its ways are the results of the draws in it. In lock-step a row is a round, with all that is chosen in it. A terminal state has
one more row, which leads to the end: there the scheduler may stop, and if no fault is possible it must. A step
that changes nothing, whatever is drawn, is none (as in semantics/system.py); one that changes nothing and sends is remembered.

Starting steps (--start simultaneous) are rows as well, of states that come before the first. So is what `initially` chooses.

Symmetry.  Where states are explored up to the group of their world (semantics/symmetry.py), rows lead to orbits. What is expected is
the same: g leads from rows of s to rows of g s, way by way, with the same probabilities, the same messages, and from terminal states to
terminal ones that are as good, for properties are tried under every g. So least and greatest values, which are the least fixed points
of equations that g maps onto themselves, are constant on orbits, and a solution of the equations of orbits is one of theirs. An end
component of orbits is the image of one of states, for there are only finitely many twins that a walk along it can come back to.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from ..count.extremes import Columns, begins
from ..errors import UsageError
from ..explore.exploration import Exploration
from ..language.process import Process
from ..pulse import attended, make_room
from ..semantics.components import CommonProfile
from ..semantics.lockstep import LockStep, Turn
from ..semantics.outcomes import Choice, Outcome
from ..semantics.states.preparing import prepared
from ..semantics.symmetry import Orbits
from ..semantics.system import System, Transition
from ..semantics.worlds import World
from .decisions import Array, Decisions

STEP, STOP, ASIDE = 0, 1, 2  # what a row is: a step, the end, or neither
LARGEST = 1 << 40  # denominator of a probability


@dataclass(frozen=True)
class Lotteries:
    """The decision process of a world, which begins in the state `start`, and what its rows and ways come to.

    Of the states the first are those of the exploration, then comes the end, then those before the first. `sent` are numbers of
    messages by way and column, `idle` the mask of the states by column in which a step sends such messages and changes nothing.
    """

    decisions: Decisions
    start: int
    kind: Array
    sent: Array
    idle: Array
    explored: int

    @property
    def steps(self) -> Array:
        """The reward of one for each step that is taken."""
        return np.where(self.kind == STEP, self.decisions.total, 0)

    def messages(self, column: int) -> Array:
        """The reward of one for each message of a column."""
        if not self.decisions.rows:
            return self.decisions.total
        return np.add.reduceat(self.sent[:, column] * self.decisions.weight, self.decisions.begin[:-1])

    def stopping_in(self, states: Array) -> Array:
        """The reward of one for ending in these states (a mask of those explored)."""
        d = self.decisions
        wanted = np.zeros(d.states, np.bool_)
        wanted[: self.explored] = states
        return np.where((self.kind == STOP) & wanted[d.owner], d.total, 0)


class _Loose(NamedTuple):
    """Ways before they are rows: those of one state and one lottery make up one."""

    source: Array
    target: Array
    lottery: Array
    outcome: Array
    changes: Array

    @classmethod
    def of(cls, rows: list[tuple[int, ...]]) -> _Loose:
        return cls(*np.array(rows, np.int64).reshape(-1, 5).T)


class _Names:
    """Numbers for lotteries, and of outcomes what they come to."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.lotteries: dict[object, int] = {}
        self.weights: list[Fraction] = []
        self.sent: list[tuple[int, ...]] = []
        self._known: dict[int, tuple[int, Outcome]] = {}

    def lottery(self, key: object) -> int:
        return self.lotteries.setdefault(key, len(self.lotteries))

    def row(self, process: int, outcome: Outcome) -> int:
        """The lottery that an outcome belongs to. Where nothing was drawn it is one by itself: of two equal messages that wait behind one another
        either may be lost, and that is two things to do."""
        alone = None if any(choice.random for choice in outcome.choices) else self.outcome(outcome)
        return self.lottery((process, outcome.action, chosen(outcome.choices), alone))

    def outcome(self, outcome: Outcome) -> int:
        """Its number, the same whenever it is asked for."""
        known = self._known.get(id(outcome))
        if known is None:
            number = self.add(probability(outcome.choices), self.columns.sent(outcome))
            known = self._known[id(outcome)] = number, outcome  # which keeps its id from being used again
        return known[0]

    @property
    def outcomes(self) -> list[Outcome]:
        """Those that have a number."""
        return [outcome for _, outcome in self._known.values()]

    def add(self, weight: Fraction, sent: tuple[int, ...]) -> int:
        self.weights.append(weight)
        self.sent.append(sent)
        return len(self.weights) - 1


def probability(choices: tuple[Choice, ...]) -> Fraction:
    """That of all the draws among them."""
    found = Fraction(1)
    for choice in choices:
        found *= choice.probability
    return found


def chosen(choices: tuple[Choice, ...]) -> tuple[Any, ...]:
    """What the scheduler chose."""
    return tuple(choice.value for choice in choices if not choice.random)


def lotteries(system: System, found: Exploration, columns: Columns, goal: Array | None = None) -> Lotteries | None:
    """The decision process of a world that was explored to its end; None where some step fails. With a `goal` (a mask of states) runs
    end there, and nowhere else: those that are over before stay where they are.

    Raises UsageError where the model does not say what the probabilities are.
    """
    _refuse_drawn_initials(system, found.world)
    names, states = _Names(columns), len(found.states)
    end, parts = states, [_listed(system, found, names)]
    if any(start.steps and start.steps[-1].after is None for start in system.starts(found.world)):
        return None
    if any((part.target < 0).any() for part in parts):
        return None
    _refuse_drawn_recoveries(system, names.outcomes)
    ends = np.asarray(found.terminals, np.int64)
    if goal is not None:
        ends = np.flatnonzero(goal)
        parts = [_Loose(*(column[~goal[part.source]] for column in part)) for part in parts]
    nothing, stop = names.add(Fraction(1), (0,) * len(columns)), names.lottery("stop")
    stuck, elsewhere = names.lottery("stuck"), np.setdiff1d(np.asarray(found.terminals, np.int64), ends)
    for places, to, named in ((ends, np.full(len(ends), end), stop), (elsewhere, elsewhere, stuck)):
        every = np.ones(len(places), np.int64)
        parts.append(_Loose(places, to, named * every, nothing * every, every))
    before, first, more = _starting(system, found, names, nothing, end + 1)
    parts.append(before)
    source, target, lottery, outcome, changes = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    make_room(80 * len(source))
    order = np.lexsort((np.arange(len(source)), lottery, source))
    source, target, lottery, outcome, changes = (a[order] for a in (source, target, lottery, outcome, changes))
    fresh = np.ones(len(source), np.bool_)
    fresh[1:] = (source[1:] != source[:-1]) | (lottery[1:] != lottery[:-1])
    row = np.cumsum(fresh) - 1
    total, weight = _weighed(names, np.flatnonzero(fresh), row, outcome)
    _check_sums(names, np.flatnonzero(fresh), weight, total, lottery)
    sent = np.array(names.sent, np.int64).reshape(-1, len(columns))[outcome]
    useful = np.zeros(len(total), np.bool_)
    useful[row[changes > 0]] = True
    idle = np.zeros((end + 1 + more, len(columns)), np.bool_)
    silent = ~useful[row]
    np.logical_or.at(idle, source[silent], sent[silent] > 0)
    kept = useful[row]
    begin = np.concatenate((np.flatnonzero(fresh[kept]), [int(kept.sum())]))
    owner, kinds = source[fresh][useful], np.where(lottery[fresh][useful] == stop, STOP, STEP)
    kinds = np.where((owner > end) | (lottery[fresh][useful] == stuck), ASIDE, kinds)
    bounds = np.searchsorted(owner, np.arange(end + 2 + more))
    decisions = Decisions(bounds, begin, target[kept], weight[kept], total[useful], end)
    return Lotteries(decisions, first, kinds, sent[kept], idle, states)


def _weighed(names: _Names, firsts: Array, row: Array, outcome: Array) -> tuple[Array, Array]:
    """For each row a denominator that its probabilities have in common, and the numerators of all."""
    if any(weight.denominator > LARGEST for weight in names.weights):
        raise UsageError("the weights of a draw are too large to be computed with")
    over = np.array([weight.numerator for weight in names.weights], np.int64)[outcome]
    under = np.array([weight.denominator for weight in names.weights], np.int64)[outcome]
    if np.all(under == under[firsts][row]):
        return under[firsts], over
    ends = [*firsts[1:].tolist(), len(outcome)]
    total = [lcm(*map(int, under[begin:end])) for begin, end in attended(zip(firsts.tolist(), ends, strict=True), 100)]
    if max(total) > LARGEST:
        raise UsageError("the weights of a draw are too large to be computed with")
    common = np.array(total, np.int64)
    return common, over * (common[row] // under)


def _check_sums(names: _Names, firsts: Array, weight: Array, total: Array, lottery: Array) -> None:
    """Raises UsageError where some results of a draw are not there."""
    wrong = np.flatnonzero(np.add.reduceat(weight, firsts) != total) if len(firsts) else firsts
    if len(wrong):
        key = next(key for key, number in names.lotteries.items() if number == lottery[firsts[wrong[0]]])
        step = key[1][0] if isinstance(key, tuple) and key[0] != "round" else "a round"
        raise UsageError(
            f"{step}: the probabilities of what is drawn do not add up to 1, for some results disable the step; "
            "require what is needed before drawing, not after"
        )


def _refuse_drawn_initials(system: System, world: World) -> None:
    """An initial state that was drawn does not say with which probability."""
    definition = system.definition
    if definition.cls.initially is Process.initially and not definition.chooses_shared:
        return
    profiles = world.profiles(definition.knows)
    begun = [
        (profile, effect)
        for profile in dict.fromkeys(profiles)
        for effect in prepared(system.runner, "initially", profile)
    ]
    common = CommonProfile.of(profiles[0])
    begun += [(common, effect) for effect in prepared(system.runner, "shared_initially", common)]
    for profile, effect in begun:
        if any(choice.random for choice in effect.choices):
            raise UsageError(
                f"{profile.setup}() draws: let it choose, and what is expected is least and greatest over what it chooses, or draw "
                "in the first step"
            )


def _refuse_drawn_recoveries(system: System, outcomes: list[Outcome]) -> None:
    """Where a process may come back in several ways, and then draws, an outcome does not say which draws belong together."""
    for outcome in outcomes:
        drew = outcome.kind == "recover" and any(choice.random for choice in outcome.choices)
        if drew and len(list(system._initial(outcome.component.profile, revived=True))) > 1:
            raise UsageError(
                f"{outcome.step} draws, after initially() has chosen for the process that comes back: what was chosen is not told apart from "
                "what is drawn; draw in a later step"
            )


# --- transitions -----------------------------------------------------------------------------------------------------


def _listed(system: System, found: Exploration, names: _Names) -> _Loose:
    """Every transition: where it fails, the target is -1."""
    if isinstance(system, LockStep):
        return _Loose.of(list(_rounds(system, found, names)))
    from ..explore.exploration import PlainExploration

    if isinstance(found, PlainExploration):
        return _Loose.of(list(_plainly(system, found, names)))
    return _packed(system, found, names)


def _plainly(system: System, found: Exploration, names: _Names) -> Iterator[tuple[int, ...]]:
    orbits = Orbits(found.group)
    numbers = {orbits.representative(state): number for number, state in enumerate(found.states)}
    for source, state in attended(enumerate(found.states)):
        for t in system.successors(found.world, state):
            lottery = names.row(t.process, t.outcome)
            target = -1 if t.after is None else numbers[orbits.representative(t.after)]
            yield source, target, lottery, names.outcome(t.outcome), t.after != state


def _packed(system: System, found: Exploration, names: _Names) -> _Loose:
    """The same of what the compiled engine has explored."""
    from ..explore.compiled import steps
    from ..explore.compiled.exploration import CompiledExploration
    from ..explore.exploration import SLICE

    assert isinstance(found, CompiledExploration)
    packed = found.packed
    of_row = steps.outcomes(system, packed.layout, packed.tables)
    numbers = np.array([names.outcome(outcome) for outcome in of_row.outcomes], np.int64)
    slots, parts = found.world.n + 2, []
    for begin in attended(range(0, len(packed), SLICE)):
        end = min(begin + SLICE, len(packed))
        source, slot, row, kind = steps.listed(packed, found.chosen, begin, end)
        target = np.where(kind == steps.FAILS, -1, source)
        target[kind == steps.CHANGES] = found.targets[found.first[begin] : found.first[end]]
        process, which = slot - packed.layout.offset, of_row.number[row]
        pairs, inverse = np.unique(which * slots + process, return_inverse=True)
        taken = [(pair % slots, of_row.outcomes[pair // slots]) for pair in pairs.tolist()]
        lottery = [names.row(p, o) for p, o in taken]
        changes = (kind == steps.CHANGES).astype(np.int64)
        parts.append(_Loose(source, target, np.array(lottery, np.int64)[inverse.reshape(-1)], numbers[which], changes))
    return _Loose(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _rounds(system: LockStep, found: Exploration, names: _Names) -> Iterator[tuple[int, ...]]:
    """The rounds out of every state. One in which nobody does anything is none; but where another result of the same draws lets
    somebody do something, it is that round's other way."""
    numbers = {state: number for number, state in enumerate(found.states)}
    alone: dict[int, list[tuple[tuple[Any, ...], Fraction, Turn]]] = {}
    for source, state in attended(enumerate(found.states)):
        ways = []
        for component in state[1:]:
            turns = system.turns(state[0], component)
            if id(component) not in alone:
                alone[id(component)] = [_turn(turn) for turn in turns]
            ways.append(alone[id(component)])
        for taken in attended(itertools.product(*ways), 100):
            lottery = names.lottery(("round", tuple(key for key, _, _ in taken)))
            weight = Fraction(1)
            for _, share, _ in taken:
                weight *= share
            turns = tuple(turn for _, _, turn in taken)
            if not any(turn.active for turn in turns):
                yield source, source, lottery, names.add(weight, (0,) * len(names.columns)), False
                continue
            t = system.round(found.world, state[0], turns)
            target = -1 if t.after is None else numbers[t.after]
            yield source, target, lottery, names.add(weight, names.columns.sent(t.outcome)), True


def _turn(turn: Turn) -> tuple[tuple[Any, ...], Fraction, Turn]:
    choices = tuple(choice for step in turn.steps for choice in step.choices)
    return chosen(choices), probability(choices), turn


def _starting(
    system: System, found: Exploration, names: _Names, nothing: int, free: int
) -> tuple[_Loose, int, int]:  # fmt: skip
    """What comes before the first state: its ways, the state that all begins in, and how many states there are, numbered from `free`."""
    numbers: dict[object, int] = {}
    rows: dict[tuple[Any, ...], tuple[int, ...]] = {}

    def number(prefix: tuple[Any, ...]) -> int:
        return numbers.setdefault(prefix, free + len(numbers))

    starts = list(begins(system, found))
    several = len({start.before for start, _ in starts}) > 1
    first = starts[0][1]
    for start, state in starts:
        steps: list[Transition] = list(start.steps)
        prefix: tuple[Any, ...] = (start.before,)
        if several:
            target = number(prefix) if steps else state
            lottery = names.lottery(("initially", start.before))
            first = number(())
            rows[first, lottery, target] = (first, target, lottery, nothing, 1)
        for place, t in enumerate(steps):
            key = (t.process, t.outcome.action, chosen(t.outcome.choices))
            source, following = number(prefix), (*prefix, (*key, t.outcome.choices))
            target = state if place + 1 == len(steps) else number(following)
            if place == 0 and not several:
                first = source
            lottery, outcome = names.lottery(key), names.outcome(t.outcome)
            rows[source, lottery, following] = (source, target, lottery, outcome, 1)
            prefix = following
    return _Loose.of(list(rows.values())), first, len(numbers)
