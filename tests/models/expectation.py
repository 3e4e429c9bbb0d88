"""Exact expected costs of protocols that draw: linear equations with fractions over the explored graph.

In each state a scheduler picks a step, and a draw picks its outcome. The equations are solved for one scheduler, which gives
every state an expected cost until the end; these are then checked against every other step in every state. Where all
agree, no scheduler that ends with probability 1 can make a difference, and least and greatest expectation are this one.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import networkx as nx

from modelcheck.catalog import find_model
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.system import Transition
from modelcheck.semantics.worlds import Policy
from tests.conftest import Explored, explore_worlds

Row = tuple[Fraction, dict[int, Fraction]]  # E = cost + sum of weight * E of the state of that number


def messages(transition: Transition) -> int:
    return len(transition.outcome.sends)


def expected(
    model: str,
    n: int,
    *,
    cost: Callable[[Transition], int] = messages,
    schedule: Any = "any",
    **parameters: object,
) -> Fraction:
    """The expected cost of a run, by default its messages. Raises AssertionError where it depends on the scheduler."""
    return expected_cost(_only_world(model, n, schedule, parameters), cost)


def fewest_messages(model: str, n: int, *, schedule: Any = "any", **parameters: object) -> int:
    """Of all runs that end."""
    world = _only_world(model, n, schedule, parameters)
    graph = nx.DiGraph()
    for number, state in enumerate(world.found.states):
        for transition in world.system.successors(world.world, state):
            assert transition.after is not None
            graph.add_edge(number, world.number_of(transition.after), messages=messages(transition))
    away = nx.single_source_dijkstra_path_length(graph, 0, weight="messages")
    return int(min(away[end] for end in world.found.terminals))


def _only_world(model: str, n: int, schedule: Any, parameters: dict[str, object]) -> Explored:
    definition = find_model(model).definition
    values = tuple(definition.parameter_values(parameters).items())
    settings = Settings(definition.networks[0], values, schedule=schedule)
    (world,) = explore_worlds(definition, n, Policy(definition.identifiers), settings)
    assert world.found.complete
    assert len(world.found.starts) == 1
    return world


def expected_cost(world: Explored, cost: Callable[[Transition], int]) -> Fraction:
    rows = [_lotteries(world, state, cost) for state in world.found.states]
    values = _solved([row[0] if row else (Fraction(0), {}) for row in rows])
    for number, row in enumerate(rows):
        for fixed, targets in row:
            one_step_on = fixed + sum(weight * values[target] for target, weight in targets.items())
            assert one_step_on == values[number], "what to expect depends on the scheduler"
    return values[0]


def _lotteries(world: Explored, state: Any, cost: Callable[[Transition], int]) -> list[Row]:
    """One row for each thing a scheduler can do in a state: only draws are left open in it."""
    found: dict[Any, tuple[list[Fraction], dict[int, Fraction]]] = {}
    for transition in world.system.successors(world.world, state):
        assert transition.after is not None
        chosen = tuple(choice.value for choice in transition.outcome.choices if not choice.random)
        costs, targets = found.setdefault((transition.process, transition.outcome.action, chosen), ([], {}))
        weight = _weight(transition)
        costs.append(weight * cost(transition))
        target = world.number_of(transition.after)
        targets[target] = targets.get(target, Fraction(0)) + weight
    assert all(sum(targets.values()) == 1 for _, targets in found.values())
    return [(sum(costs, Fraction(0)), targets) for costs, targets in found.values()]


def _weight(transition: Transition) -> Fraction:
    weight = Fraction(1)
    for choice in transition.outcome.choices:
        if choice.random:
            weight *= Fraction(choice.weight, choice.total)
    return weight


def _solved(rows: list[Row]) -> list[Fraction]:
    """Eliminates the unknowns from the last to the first: most steps lead to states of higher number."""
    fixed = [constant for constant, _ in rows]
    terms = [dict(targets) for _, targets in rows]
    used_by: list[set[int]] = [set() for _ in rows]
    for number, targets in enumerate(terms):
        for target in targets:
            used_by[target].add(number)
    for number in reversed(range(len(rows))):
        stays = terms[number].pop(number, Fraction(0))
        fixed[number] /= 1 - stays
        terms[number] = {target: weight / (1 - stays) for target, weight in terms[number].items()}
        for user in used_by[number]:
            share = terms[user].pop(number, None) if user < number else None
            if share is None:
                continue
            fixed[user] += share * fixed[number]
            for target, weight in terms[number].items():
                terms[user][target] = terms[user].get(target, Fraction(0)) + share * weight
                used_by[target].add(user)
    values: list[Fraction] = []
    for number, constant in enumerate(fixed):
        values.append(constant + sum(weight * values[target] for target, weight in terms[number].items()))
    return values
