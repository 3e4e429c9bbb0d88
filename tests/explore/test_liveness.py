"""Termination under weak fairness, against the definitions spelled out: every set of states is tried.

A random system is a table: state -> for each process and each of its actions what may be chosen, and for each choice what
may be drawn. The tables become protocols (one shared variable holds the state), so that the analysis sees real steps.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
from hypothesis import example, given, settings
from hypothesis import strategies as st

from modelcheck import Limits, Process, eventually, line, shared, step
from modelcheck.check.checker import check
from modelcheck.check.result import Result
from modelcheck.explore import reference
from modelcheck.explore.exploration import Exploration, PlainExploration
from modelcheck.explore.limits import Meter
from modelcheck.explore.liveness import Analysis, endless_runs
from modelcheck.language.definition import read
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.system import System
from modelcheck.semantics.worlds import Policy, Worlds
from tests.conftest import Silent
from tests.explore.random_protocols import examples

Lottery = tuple[int, ...]  # what may be drawn, each a state
Action = tuple[tuple[Lottery, ...], ...]  # by state: what may be chosen; nothing where it is not enabled
Table = tuple[tuple[Action, ...], ...]  # by process, its actions
Act = tuple[int, int]  # process, action

STATES = 4


def protocol(table: Table) -> type[Process]:
    """A protocol whose only shared variable moves as the table says."""

    def make(k: int) -> Callable[..., None]:
        def act(self: Any) -> None:
            options = table[self.position][k][self.s] if k < len(table[self.position]) else ()
            self.require(options)
            self.s = self.draw(self.choose(options))

        act.__name__ = f"act{k}"
        return step(act)

    steps = {f"act{k}": make(k) for k in range(max(map(len, table)))}
    body = {"topology": line, "knows": ("position",), "s": shared(0), "__annotations__": {"s": int}, **steps}
    return type("Table", (Process,), {**body, "__module__": __name__})


def analysed(table: Table) -> tuple[Analysis, Exploration]:
    definition = read(protocol(table))
    system = System(definition, Settings("fifo"))
    (world,) = Worlds(definition, line, len(table), Policy("none"))
    found = PlainExploration(world)
    reference.explore(system, found, Silent(), Meter(Limits()))
    return endless_runs(system, found), found


# --- the definitions ---------------------------------------------------------------------------------------------


class Definitions:
    """Everything by brute force, from the table alone."""

    def __init__(self, table: Table) -> None:
        self.lotteries: dict[int, list[tuple[Act, Lottery]]] = {
            s: [
                ((p, k), lottery)
                for p, actions in enumerate(table)
                for k, action in enumerate(actions)
                for lottery in action[s]
                if any(t != s for t in lottery)
            ]
            for s in range(STATES)
        }
        self.distance = {0: 0}
        queue = [0]
        for s in queue:
            for _, t in self.moves(s):
                if t not in self.distance:
                    self.distance[t] = self.distance[s] + 1
                    queue.append(t)

    def moves(self, s: int) -> Iterator[tuple[Act, int]]:
        for act, lottery in self.lotteries[s]:
            for t in lottery:
                if t != s:
                    yield act, t

    def enabled(self, s: int) -> set[Act]:
        return {act for act, _ in self.lotteries[s]}

    def fair_set(self, states: tuple[int, ...], sure: bool) -> bool:
        """Whether a fair run can stay in exactly these states for ever, seeing each again and again. `sure`: whatever
        is drawn, so only lotteries all of whose results are among them are played."""
        edges = [
            (s, act, t)
            for s in states
            for act, lottery in self.lotteries[s]
            if not sure or set(lottery) <= set(states)
            for t in lottery
            if t != s and t in states
        ]
        graph = nx.DiGraph()
        graph.add_nodes_from(states)
        graph.add_edges_from((s, t) for s, _, t in edges)
        if len(states) < 2 or not nx.is_strongly_connected(graph):
            return False
        return set.intersection(*map(self.enabled, states)) <= {act for _, act, _ in edges}

    def endless(self, sure: bool) -> bool:
        reachable = sorted(self.distance)
        return any(
            self.fair_set(states, sure)
            for size in range(2, len(reachable) + 1)
            for states in itertools.combinations(reachable, size)
        )

    def shortest(self) -> int:
        """The least steps to a state plus steps of a fair loop back to it, over all closed walks."""
        best = 10**9
        for entry, depth in self.distance.items():
            walks = {(entry, frozenset[Act](), frozenset(self.enabled(entry)))}
            seen = set(walks)
            length = 0
            while walks and depth + length + 1 < best:
                length += 1
                longer = set()
                for s, taken, always in walks:
                    for act, t in self.moves(s):
                        walk = (t, taken | {act}, always & self.enabled(t))
                        if t == entry and walk[2] <= walk[1]:
                            best = min(best, depth + length)
                        if walk not in seen:
                            longer.add(walk)
                seen |= longer
                walks = longer
        return best


# --- random systems ----------------------------------------------------------------------------------------------


def tables(most_drawn: int) -> st.SearchStrategy[Table]:
    state = st.integers(0, STATES - 1)
    lottery = st.lists(state, min_size=1, max_size=most_drawn, unique=True).map(tuple)
    options = st.lists(lottery, max_size=2, unique=True).map(tuple)
    action = st.lists(options, min_size=STATES, max_size=STATES).map(tuple)
    actions = st.lists(action, min_size=1, max_size=2).map(tuple)
    return st.lists(actions, min_size=1, max_size=2).map(tuple)


@settings(max_examples=examples(100))
@given(tables(most_drawn=2))
def test_endless_runs_are_found_exactly_where_the_definitions_say(table: Table) -> None:
    """With choices, draws, and draws after choices: a violation, or a run of probability 0, or neither."""
    definitions = Definitions(table)
    analysis, _ = analysed(table)
    assert (analysis.violation is not None) == definitions.endless(sure=True)
    if analysis.violation is None:
        assert (analysis.improbable is not None) == definitions.endless(sure=False)


@settings(max_examples=examples(80))
@given(tables(most_drawn=1))
def test_the_lasso_shown_is_fair_and_none_is_shorter(table: Table) -> None:
    """Without draws; against all closed walks from every state."""
    definitions = Definitions(table)
    analysis, found = analysed(table)
    lasso = analysis.violation
    if lasso is None:
        assert definitions.shortest() == 10**9
        return
    place = [state[0].shared[0] for state in found.states]
    visited, taken = [place[lasso.entry]], set()
    for transition in lasso.loop:
        assert transition.after is not None
        taken.add((transition.process, int(transition.outcome.step[3:])))
        assert transition.after[0].shared[0] != visited[-1], "a step that changes nothing is no part of a loop"
        visited.append(transition.after[0].shared[0])
    assert visited[0] == visited[-1]
    assert set.intersection(*map(definitions.enabled, visited)) <= taken
    assert definitions.distance[visited[0]] + len(lasso.loop) == lasso.length == definitions.shortest()


@given(tables(most_drawn=1), st.sets(st.integers(0, STATES - 1)))
@example(((((((1,),), ((0,),), (), ()),),)), {1})
def test_eventually_is_violated_exactly_where_a_fair_run_avoids_it(table: Table, goal: set[int]) -> None:
    """A run avoids the goal by ending, or by a fair loop, before the goal was seen once."""

    @eventually
    def there(view: Any) -> bool:
        return view.shared.s in goal

    definitions = Definitions(table)
    avoiding, queue = set(), [s for s in [0] if s not in goal]
    for s in queue:
        avoiding.add(s)
        queue += [t for _, t in definitions.moves(s) if t not in goal and t not in queue]
    ends = any(not definitions.lotteries[s] for s in avoiding)
    loops = any(
        definitions.fair_set(states, sure=True)
        for size in range(2, len(avoiding) + 1)
        for states in itertools.combinations(sorted(avoiding), size)
    )
    cls = protocol(table)
    result = checked_with(cls, there, n=len(table))
    assert (result.property("there").verdict == "violated") == (ends or loops)


def checked_with(cls: type[Process], *props: Any, n: int, **options: Any) -> Result:
    """Checks a class with these properties, which are found beside it."""
    import sys
    from dataclasses import replace
    from types import ModuleType

    module = ModuleType("tests_generated_protocol")
    cls.__module__, cls.specs, cls.identifiers = module.__name__, (), "none"  # type: ignore[misc]
    for prop in props:
        trigger = prop.trigger and replace(prop.trigger, module=module.__name__)
        setattr(module, prop.name, replace(prop, where="", module=module.__name__, trigger=trigger))
    module.__file__ = __file__
    sys.modules[module.__name__] = module
    try:
        return check(cls, n=n, **options)
    finally:
        del sys.modules[module.__name__]
