"""Least and greatest numbers of messages over all schedules, by dynamic programming over an acyclic state graph."""

from __future__ import annotations

from collections.abc import Iterator

from modelcheck.catalog import find_model
from modelcheck.explore.exploration import Exploration, PlainExploration
from modelcheck.explore.limits import Limits, Meter
from modelcheck.explore.reference import explore
from modelcheck.language.messages import DETECTOR_MESSAGES
from modelcheck.semantics.settings import Settings, Start
from modelcheck.semantics.system import System, Transition
from modelcheck.semantics.worlds import Policy, World, Worlds


class Deaf:
    """An observer that is not interested."""

    def on_state(self, *_: object) -> None: ...
    def on_step(self, *_: object) -> None: ...
    def on_terminal(self, *_: object) -> None: ...
    def on_failure(self, *_: object) -> None: ...


def sent(transition: Transition) -> int:
    return sum(not isinstance(message, DETECTOR_MESSAGES) for _, message in transition.outcome.sends)


def message_counts(
    model: str,
    n: int,
    *,
    policy: Policy | None = None,
    network: str | None = None,
    start: Start = "any",
    parameters: dict[str, object] | None = None,
) -> Iterator[tuple[World, int, int]]:
    """For each world the least and the greatest number of messages sent on a run from start to end."""
    definition = find_model(model).definition
    values = definition.parameter_values(dict(parameters or {}))
    settings = Settings(network=network or definition.networks[0], parameters=tuple(values.items()), start=start)
    system = System(definition, settings)
    for world in Worlds(definition, definition.topologies[0], n, policy or Policy(definition.identifiers)):
        found = PlainExploration(world)
        explore(system, found, Deaf(), Meter(Limits()))
        assert found.complete
        numbers = {state: number for number, state in enumerate(found.states)}
        least, greatest = {}, {}
        for number in _from_the_end(found):
            costs = [
                (sent(t) + least[numbers[t.after]], sent(t) + greatest[numbers[t.after]])
                for t in system.successors(world, found.states[number])
                if t.after is not None and t.after != found.states[number]
            ]
            least[number] = min((low for low, _ in costs), default=0)
            greatest[number] = max((high for _, high in costs), default=0)
        for begin in found.starts:
            already = sum(map(sent, begin.steps))
            number = numbers[begin.state]
            yield world, already + least[number], already + greatest[number]


def _from_the_end(found: Exploration) -> list[int]:
    """The states in an order in which every state comes after its successors. Raises ValueError on a cycle."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(found.states)))
    graph.add_edges_from((s, t) for s in range(len(found.states)) for t in found.successors(s) if s != t)
    return list(reversed(list(nx.topological_sort(graph))))
