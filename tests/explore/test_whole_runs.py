"""Properties of whole runs against their definitions spelled out, on random systems whose states and runs can all be listed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

from hypothesis import example, given, settings
from hypothesis import strategies as st

from modelcheck import always_eventually, eventually, eventually_always, leads_to
from modelcheck.properties.whole_runs import breaks
from tests.explore.random_protocols import examples
from tests.explore.test_liveness import STATES, Definitions, Table, checked_with, protocol, tables

KINDS = ("eventually", "eventually always", "always eventually", "leads to")
Runs = Iterator[tuple[int, list[int], int | None]]
SETS = st.frozensets(st.integers(0, STATES - 1))


def properties(goal: frozenset[int], trigger: frozenset[int]) -> dict[str, Any]:
    def once(view: Any) -> bool:
        return view.shared.s in goal

    def at_last(view: Any) -> bool:
        return view.shared.s in goal

    def often(view: Any) -> bool:
        return view.shared.s in goal

    def called(view: Any) -> bool:
        return view.shared.s in trigger

    return {
        "eventually": eventually(once),
        "eventually always": eventually_always(at_last),
        "always eventually": always_eventually(often),
        "leads to": leads_to(called, once),
    }


def properties_of_each(goals: tuple[frozenset[int], ...], triggers: tuple[frozenset[int], ...]) -> dict[str, Any]:
    """The same of each process, which has a goal of its own."""

    def once(view: Any, p: Any) -> bool:
        return view.shared.s in goals[p.position]

    def at_last(view: Any, p: Any) -> bool:
        return view.shared.s in goals[p.position]

    def often(view: Any, p: Any) -> bool:
        return view.shared.s in goals[p.position]

    def called(view: Any, p: Any) -> bool:
        return view.shared.s in triggers[p.position]

    return {
        "eventually": eventually(once),
        "eventually always": eventually_always(at_last),
        "always eventually": always_eventually(often),
        "leads to": leads_to(called, once),
    }


class Spelled(Definitions):
    """What it is to break a property, from the table alone."""

    def __init__(self, table: Table, goal: frozenset[int], trigger: frozenset[int]) -> None:
        super().__init__(table)
        self.goal, self.trigger = goal, trigger

    def stays(self, kind: str) -> set[int]:
        """The states in which a run that breaks it may stay for ever."""
        without = set(self.distance) - self.goal
        if kind == "eventually always":
            return set(self.distance)
        if kind == "always eventually":
            return without
        found = {0} & without if kind == "eventually" else without & self.trigger
        queue = list(found)
        for s in queue:
            fresh = {t for _, t in self.moves(s)} & without - found
            found |= fresh
            queue += fresh
        return found

    def broken(self, kind: str, sure: bool) -> bool:
        inside = sorted(self.stays(kind))
        ends = {s for s in inside if not self.lotteries[s]} - (self.goal if kind == "eventually always" else set())
        return bool(ends) or any(
            self.fair_set(states, sure)
            for size in range(2, len(inside) + 1)
            for states in itertools.combinations(inside, size)
            if kind != "eventually always" or not set(states) <= self.goal
        )


class Seen(NamedTuple):
    """What of the states of a walk matters to the four kinds."""

    any_goal: bool = False
    all_goals: bool = True
    pending: bool = False

    def then(self, goal: bool, trigger: bool) -> Seen:
        return Seen(self.any_goal or goal, self.all_goals and goal, not goal and (self.pending or trigger))


def shortest(spelled: Spelled, kind: str) -> int | None:
    """The fewest steps of a run that breaks it: to its end, or of a stem and a fair loop, of all of them. Without draws."""

    def sees(seen: Seen, s: int) -> Seen:
        return seen.then(s in spelled.goal, s in spelled.trigger)

    def is_broken(stem: Seen, loop: Seen) -> bool:
        return {
            "eventually": not (stem.any_goal or loop.any_goal),
            "eventually always": not loop.all_goals,
            "always eventually": not loop.any_goal,
            "leads to": loop.pending and not loop.any_goal,
        }[kind]

    best = 10**9
    stems = {(0, sees(Seen(), 0)): 0}
    queue = list(stems)
    for s, seen in queue:
        for _, t in spelled.moves(s):
            if (later := (t, sees(seen, t))) not in stems:
                stems[later] = stems[s, seen] + 1
                queue.append(later)
    for (entry, stem), depth in stems.items():
        begun = Seen(pending=stem.pending).then(entry in spelled.goal, entry in spelled.trigger)
        if not spelled.lotteries[entry] and is_broken(stem, begun):
            best = min(best, depth)
        walks = {(entry, frozenset[Any](), frozenset(spelled.enabled(entry)), begun)}
        known, length = set(walks), 0
        while walks and depth + length + 1 < best:
            length += 1
            longer = set()
            for s, taken, always, seen in walks:
                for act, t in spelled.moves(s):
                    walk = (t, taken | {act}, always & spelled.enabled(t), sees(seen, t))
                    if t == entry and walk[2] <= walk[1] and is_broken(stem, walk[3]):
                        best = min(best, depth + length)
                    if walk not in known:
                        longer.add(walk)
            known |= longer
            walks = longer
    return None if best == 10**9 else best


@settings(max_examples=examples(20))
@given(tables(most_drawn=2), SETS, SETS)
def test_properties_are_broken_exactly_where_the_definitions_say(
    table: Table, goal: frozenset[int], trigger: frozenset[int]
) -> None:
    """With choices, draws, and draws after choices: broken, or by runs of probability 0 alone, or neither."""
    spelled = Spelled(table, goal, trigger)
    stated = properties(goal, trigger)
    result = checked_with(protocol(table), *stated.values(), n=len(table))
    for kind, prop in stated.items():
        found = result.property(prop.name)
        sure = spelled.broken(kind, sure=True)
        assert (kind, found.verdict) == (kind, "violated" if sure else "holds")
        if not sure:
            assert (kind, found.note != "") == (kind, spelled.broken(kind, sure=False))


@settings(max_examples=examples(20))
@given(tables(most_drawn=1), SETS, SETS)
@example(((((((1,),), ((0,),), (), ()),),)), frozenset({2}), frozenset({1}))
def test_the_run_that_is_shown_breaks_it_and_none_is_shorter(
    table: Table, goal: frozenset[int], trigger: frozenset[int]
) -> None:
    """Without draws. The example asks in every other state of a loop that begins at once, and is never answered."""
    spelled = Spelled(table, goal, trigger)
    stated = properties(goal, trigger)
    result = checked_with(protocol(table), *stated.values(), n=len(table))
    for kind, prop in stated.items():
        found = result.property(prop.name)
        wanted = shortest(spelled, kind)
        assert (kind, None if found.trace is None else found.trace.length) == (kind, wanted)
        if found.trace is not None:
            trace = found.trace
            places = [int(state.shared[0][1]) for state in (trace.initial, *(step.state for step in trace.steps))]
            goals, triggers = ([place in some for place in places] for some in (goal, trigger))
            assert breaks(kind, goals, triggers, trace.loop)


@settings(max_examples=examples(20))
@given(tables(most_drawn=1), st.tuples(SETS, SETS), st.tuples(SETS, SETS))
def test_what_is_said_of_each_is_broken_where_it_is_of_one(
    table: Table, goals: tuple[frozenset[int], ...], triggers: tuple[frozenset[int], ...]
) -> None:
    """And the run that is shown is the shortest for any of them."""
    alone = [Spelled(table, *own) for own in zip(goals, triggers, strict=True)][: len(table)]
    stated = properties_of_each(goals, triggers)
    result = checked_with(protocol(table), *stated.values(), n=len(table), symmetry=False)
    for kind, prop in stated.items():
        lengths = [length for one in alone if (length := shortest(one, kind)) is not None]
        found = result.property(prop.name)
        assert (kind, found.verdict) == (kind, "violated" if lengths else "holds")
        if found.trace is not None:
            assert (kind, found.trace.length) == (kind, min(lengths))


def test_where_only_chance_leads_back_it_is_told_beside_loops_that_do_no_harm() -> None:
    """From 0 a choice leads to 1 and 2, between which a run may stay for ever, in the goal; or to 3, outside of it, from where half the draws
    lead to 0 and half to 1: a run that comes again and again to 3 must be lucky for ever."""
    table: Table = ((((((1,), (3,)), ((2,),), ((1,),), ((0, 1),))),),)
    stated = properties(frozenset({0, 1, 2}), frozenset())
    result = checked_with(protocol(table), *stated.values(), n=1)
    found = result.property("at_last")
    assert (found.verdict, found.note) == ("holds", "with probability 1")
