"""Properties of whole runs: which runs break one, and whether a given run does.

A run is fair and goes on for ever, or ends in a terminal state; then that is what it stays in. It breaks

    eventually p          where p holds in none of its states
    always eventually p   where from some state on p holds in none
    eventually always p   where again and again p fails
    p leads to q          where p holds in some state, and q neither there nor in any later one

Of all these, what counts is in which states a run stays for ever, and how it comes to them; so no automaton runs beside the search. The run
stays in a terminal state, or in a fair set of states (explore/liveness.py) of a *part* of the world, reached from where a run may enter that:

    eventually p          the states without p, entered where runs begin
    always eventually p   the states without p, entered anywhere: what was before does not matter
    eventually always p   all states; it has to come again and again to one without p, which is `marked`
    p leads to q          the states without q, entered where p holds: from there on all are without q

So a run of one part breaks the property, and each run that breaks it is, from some moment on, in that part for ever. The shortest lasso has
its p, of p leads to q, on the way or in the loop alone; then that is the shortest among those in the states without q, entered anywhere,
that come again and again to one with p.

With draws: what a run stays in for ever is with probability 1 an end component (Baier and Katoen, section 10.6). So where no part has a
fair one, with a marked state, the runs that break the property have together a probability of 0, whoever schedules them.

Faults are not owed, and there is an end to them: they lead to a part, and are not of a loop.

Of each process: "again and again each" is not "again and again all at once", so one process is asked after another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..explore.exploration import Exploration
from ..explore.restriction import restrict
from ..language.properties import Property
from ..later import Later
from ..semantics.components import State
from ..semantics.system import System
from ..semantics.worlds import World
from .view import StateView, evaluate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]
else:
    np, Array = Later("numpy"), Any


class Way(NamedTuple):
    """Runs that break a property stay in this part of the world for ever; where there are `marked` states of it, they come to one of them
    again and again."""

    part: Exploration
    marked: Array | None = None


def ways(prop: Property, found: Exploration, holds: Callable[[Property], Array]) -> Iterator[Way]:
    """In which parts of a world that was explored to its end a property is broken; `holds` has the mask of the states in which one holds. One
    after the other: where the first has no such run none has.

    Raises StoppedError when a limit is reached on the way.
    """
    if prop.kind == "terminates":
        yield Way(found)
        return
    without = ~holds(prop)
    if prop.kind == "eventually always":
        yield Way(found, without)
    elif prop.kind == "always eventually":
        yield Way(restrict(found, without, without))
    elif prop.kind == "eventually":
        yield Way(restrict(found, without, np.asarray(found.parents) < 0))
    else:
        assert prop.trigger is not None
        begins = holds(prop.trigger)
        yield Way(restrict(found, without, begins))
        part = restrict(found, without, without)
        yield Way(part, begins[part.originals])


class Breach(NamedTuple):
    """How a run breaks a property: `of` which process, by its number, where it is about each by itself; `since` the state, by its place, in
    which what leads to it was the case."""

    of: int | None = None
    since: int | None = None


def breach(prop: Property, system: System, world: World, states: Sequence[State], loop: int | None) -> Breach | None:
    """How a run through these states breaks a property; None where it keeps it. The run ends in the last of them, or repeats from
    the one at the place `loop`, which is the same, for ever.

    Raises StepError where the property itself is at fault.
    """
    if prop.kind == "terminates":
        return None if loop is None else Breach()

    def holds(one: Property, state: State, subject: int | None) -> bool:
        return bool(evaluate(one, (StateView(system, world, state, subject=subject),)))

    for subject in world.presented if prop.is_separate else (None,):
        goals = [holds(prop, state, subject) for state in states]
        triggers = [] if prop.trigger is None else [holds(prop.trigger, state, subject) for state in states]
        if breaks(prop.kind, goals, triggers, loop):
            last = max((place for place, goal in enumerate(goals) if goal), default=-1)
            return Breach(subject, triggers.index(True, last + 1) if triggers else None)
    return None


def breaks(kind: str, goals: Sequence[bool], triggers: Sequence[bool], loop: int | None) -> bool:
    """Whether a run breaks a property, of which it is known where it holds, and where what leads to it does."""
    for_ever = goals[-1:] if loop is None else goals[loop:]
    if kind == "eventually":
        return not any(goals)
    if kind == "eventually always":
        return not all(for_ever)
    if kind == "always eventually":
        return not any(for_ever)
    pending = False
    for goal, trigger in zip(goals, triggers, strict=True):
        pending = not goal and (pending or trigger)
    return pending and not any(for_ever)


def sentence(prop: Property, how: Breach, endless: bool, sure: bool, who: str, unit: str) -> str:
    """Why a run breaks a property. `endless` for one that repeats for ever, which is not `sure` where it has probability 0; `who` is the
    process that it is about, if any; `unit` is what transitions are called."""
    run = "a fair run repeats for ever" if endless else "the run ends"
    if not sure:
        run = "a run that is unlucky in every draw"
    if prop.trigger is not None:
        first, then = prop.trigger.check.__name__, prop.check.__name__
        when = f"after {unit} {how.since}" if how.since else "at first"
        said = f"once {first} holds, {when}, {then} holds neither then nor later: {run}{' goes on so' * (not sure)}"
    elif not endless:
        said = f"{run} and {'it has never held' if prop.kind == 'eventually' else 'at its end it does not hold'}"
    else:
        said = f"{run}{' and' * sure} {BROKEN[prop.kind]}"
    said += "." if sure else "; it has probability 0."
    return f"{who}: {said}" if who else said[0].upper() + said[1:]


BROKEN = {
    "terminates": "never ends",
    "eventually": "never reaches a state where it holds",
    "always eventually": "stays where it never holds",
    "eventually always": "comes again and again to where it does not hold",
}
