"""The engine of sets beside the reference engine: what it says of a run, where it says something, is the same; and what it counts."""

from __future__ import annotations

import math
from typing import Any

from modelcheck import Limits, check
from modelcheck.check.counting import MessagesResult, count_messages
from modelcheck.check.result import Result
from modelcheck.errors import UsageError
from modelcheck.language.properties import OF_WHOLE_RUNS

OF_SETS = Limits(max_seconds=120.0)
IN_ANY_ORDER = {"schedule": "any"}  # in lock-step sets do not go


def counts(result: Result) -> list[tuple[Any, ...]]:
    """By size, with all states that those explored stand for."""
    return [
        (tally.n, tally.worlds, tally.represented, tally.graphs, dict(vars(tally.unreduced))) for tally in result.sizes
    ]


def undecided(result: Result) -> set[str]:
    """The properties of which it does not say all, and the reason has nothing to do with a limit: it says nothing, or knows of a bad end and
    not whether all runs end."""
    return {found.name for found in result.properties if found.verdict != "holds" and found.note}


def disagreements(model: Any, most: int = 20_000, **options: Any) -> list[Any] | None:
    """What the two say differently. None where the reference engine does not come to its end within so many states, or the model is at
    fault."""
    options = IN_ANY_ORDER | options
    plain = check(model, engine="reference", limits=Limits(max_states=most), **options)
    if plain.stopped or plain.error:
        return None
    sets = check(model, engine="sets", limits=OF_SETS, **options)
    found: list[Any] = [] if not (sets.stopped or sets.error) else [(sets.stopped, sets.error)]
    if counts(plain) != counts(sets):
        found.append((counts(plain), counts(sets)))
    silent = undecided(sets) - undecided(plain)
    for one in plain.properties:
        other = sets.property(one.name)
        if other.verdict == "inconclusive" and one.name in silent and one.kind in OF_WHOLE_RUNS:
            continue
        if (
            one.verdict == other.verdict == "violated" and not other.shortest
        ):  # by a run that ends, where others may not
            continue
        lengths = [None if p.trace is None or p.note else p.trace.length for p in (one, other)]
        if (one.verdict, one.mattered, lengths[0]) != (other.verdict, other.mattered, lengths[1]):
            found.append((one, other))
    for n, sent in sets.messages.items():
        if plain.messages and plain.messages[n] != sent:
            found.append((n, plain.messages[n], sent))
    bounded = {n for n, sent in plain.messages.items() if sent.greatest != math.inf}
    if not silent and bounded - sets.messages.keys():
        found.append("messages were not counted")
    if plain.steps != sets.steps or plain.never_ran != sets.never_ran:
        found.append((plain.steps, sets.steps, plain.never_ran, sets.never_ran))
    return found


def extremes(result: MessagesResult) -> list[dict[Any, Any]]:
    """By size the least and the greatest total, and in which world. Which of the runs that attain it is shown is up to the engine."""
    return [
        {which: (found.amount, found.order) for (column, which), found in count.extremes.items() if column == 0}
        for count in result.counts
    ]


def judged(result: MessagesResult) -> list[tuple[Any, ...]]:
    """What is said of formulas, after the verdict."""
    return [(result.verdict,), *((one.n, one.formula.key, one.value, one.agrees, one.note) for one in result.judged)]


def miscounted(model: Any, most: int = 20_000, **options: Any) -> list[Any] | None:
    """What the two count differently, by type. None where the reference engine does not come to its end within so many states, or the model is at
    fault."""
    options = IN_ANY_ORDER | options
    plain = count_messages(model, engine="reference", limits=Limits(max_states=most), **options)
    if plain.search.stopped or plain.search.error:
        return None
    unbounded = any(count.over(0).greatest == math.inf for count in plain.counts)
    try:
        sets = count_messages(model, engine="sets", limits=OF_SETS, **options)
    except UsageError as why:
        return [] if unbounded and "can send more than" in str(why) else [str(why)]
    found: list[Any] = []
    for one, other in zip(plain.counts, sets.counts, strict=True):
        if (one.n, one.names, one.ranges) != (other.n, other.names, other.ranges):
            found.append((one.ranges, other.ranges))
    if extremes(plain) != extremes(sets):
        found.append((extremes(plain), extremes(sets)))
    if judged(plain) != judged(sets):
        found.append((judged(plain), judged(sets)))
    return found
