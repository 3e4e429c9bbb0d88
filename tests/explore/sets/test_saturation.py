"""The set that is reachable: what it counts is known from elsewhere, and neither room nor caches nor pauses change it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from modelcheck import check
from modelcheck.check.request import read_request
from modelcheck.explore.sets import diagram as diagrams
from modelcheck.explore.sets.alphabet import AlphabetTables
from modelcheck.explore.sets.diagram import Diagram
from modelcheck.explore.sets.layers import Layers
from modelcheck.explore.sets.reading import SetReader
from modelcheck.explore.sets.records import EMPTY
from modelcheck.semantics.lockstep import system_for

# States of all worlds of chang_roberts, one for each class of rotations: Spin (as in tests/models), and for n=9 a program of its own in C++.
FIFO = {3: 56, 4: 497, 5: 6_002, 6: 91_052, 7: 1_657_350}
BAG = {5: 15_457, 6: 292_926}
NINE = 851_476_994


class Explored:
    """All that is reachable in the worlds of a request, as sets."""

    def __init__(self, model: str, n: int, *, caches: int = 1 << 20, sweep_at: int = 1 << 25, **options: Any) -> None:
        request = read_request(model, n=n, **options)
        self.system = system_for(request.model.definition, request.settings)
        self.worlds = [world for _, families in request.worlds() for worlds in families for world in worlds]
        self.tables = tables = AlphabetTables(self.system, n)
        self.vectors = [
            tables.numbered(start.state, tables.wires(world))
            for world in self.worlds
            for start in self.system.starts(world)
        ]
        self.diagram = Diagram(tables, caches=caches, sweep_at=sweep_at)
        self.reader = SetReader(self.diagram)
        self.initial = self.diagram.of_vectors(np.array(self.vectors, np.uint32))
        self.root = self.diagram.saturated(self.initial)

    @property
    def counts(self) -> tuple[int, int, int, tuple[int, int]]:
        """States, transitions, terminal states, nodes and edges."""
        reader, root = self.reader, self.root
        return (
            reader.states(root), reader.transitions(root), reader.states(reader.terminal(root)), reader.size(root),
        )  # fmt: skip

    def listed(self, root: int) -> list[tuple[int, ...]]:
        """Every vector of a set."""

        def below(node: int, level: int) -> list[tuple[int, ...]]:
            if level == self.diagram.levels:
                return [()] if node else []
            return [(label, *rest) for label, child in self.reader.edges(node) for rest in below(child, level + 1)]

        return below(root, 0)


@pytest.mark.parametrize(("network", "n"), [*(("fifo", n) for n in FIFO), *(("bag", n) for n in BAG)])
def test_the_states_of_all_worlds_are_those_that_others_count(network: str, n: int) -> None:
    explored = Explored("chang_roberts", n, network=network)
    assert explored.reader.states(explored.root) == {"fifo": FIFO, "bag": BAG}[network][n]


@pytest.mark.thorough
def test_nine_processes_have_as_many_states_as_was_published() -> None:
    explored = Explored("chang_roberts", 9)
    assert explored.reader.states(explored.root) == NINE


def test_a_set_is_the_same_whatever_is_forgotten() -> None:
    """With two places in a cache nearly everything is computed again."""
    expected, explored = Explored("chang_roberts", 5), Explored("chang_roberts", 5, caches=2)
    assert len(explored.diagram.fires.entry) == 4
    assert explored.counts == expected.counts


@pytest.mark.parametrize("faults", [{}, {"losses": 1}], ids=str)
def test_a_set_is_the_same_if_nodes_are_swept_away_meanwhile(
    faults: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    sweeps = []
    sweep = Diagram._sweep
    monkeypatch.setattr(Diagram, "_sweep", lambda self: (sweep(self), sweeps.append(self.size)))
    monkeypatch.setattr(diagrams, "EDGES", 64)
    explored = Explored("chang_roberts", 5, sweep_at=0, **faults)
    assert len(sweeps) > 2
    assert explored.counts == Explored("chang_roberts", 5, **faults).counts


def test_a_set_is_the_same_if_the_loop_is_left_after_each_of_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = Explored("chang_roberts", 4).counts
    monkeypatch.setattr(diagrams, "BEAT", 1)
    assert Explored("chang_roberts", 4).counts == expected


def test_sets_of_the_same_vectors_are_one_node() -> None:
    explored = Explored("chang_roberts", 4)
    states = explored.listed(explored.root)
    assert len(states) == len(set(states)) == FIFO[4]
    assert explored.diagram.of_vectors(np.array(states[::-1], np.uint32)) == explored.root
    halves = [explored.diagram.of_vectors(np.array(part, np.uint32)) for part in (states[:300], states[200:])]
    assert explored.diagram.union(*halves) == explored.root


def test_what_is_reachable_is_closed_under_every_event_and_holds_what_it_began_with() -> None:
    explored = Explored("bully", 3, crashes=1)
    assert explored.diagram.union(explored.root, explored.initial) == explored.root
    for event in explored.tables.all_events():
        after = explored.diagram.image(event, explored.root)
        assert explored.diagram.union(explored.root, after) == explored.root


def test_a_vector_is_a_state_and_back() -> None:
    explored = Explored("chang_roberts", 3, losses=1)
    for vector in explored.vectors:
        state = explored.tables.state(vector)
        world = next(w for w in explored.worlds if any(s.state == state for s in explored.system.starts(w)))
        assert explored.tables.numbered(state, explored.tables.wires(world)) == list(vector)


def test_terminal_states_are_those_that_no_step_changes() -> None:
    """On links that keep messages many steps change nothing: a step that sends what waits already."""
    explored = Explored("chang_roberts", 3, network="sticky")
    terminal = {vector for vector in explored.listed(explored.root) if is_terminal(explored, vector)}
    assert set(explored.listed(explored.reader.terminal(explored.root))) == terminal
    assert terminal


def is_terminal(explored: Explored, vector: tuple[int, ...]) -> bool:
    """Whether the plain semantics say so."""
    state = explored.tables.state(vector)
    identifiers = tuple(int(repr(c.profile.identifier)) for c in state[1:])
    world = next(w for w in explored.worlds if w.identifiers == identifiers)
    return all(t.after == state for t in explored.system.successors(world, state))


def test_layers_are_what_runs_reach_in_so_many_steps_and_lead_back() -> None:
    explored = Explored("chang_roberts", 3)
    layers, reached = Layers(explored.reader, explored.initial), [explored.initial]
    while (layer := layers.deepen()) != EMPTY:  # no run is endless
        reached.append(explored.diagram.union(reached[-1], layer))
    assert reached[-1] == explored.root
    assert reached.index(explored.root) == check("chang_roberts", n=3, engine="reference").depth
    deepest = layers.sets[-2]
    way = layers.way(explored.reader.some_vector(deepest), len(layers.sets) - 2)
    states = [explored.tables.state(vector) for vector in way]
    identifiers = tuple(int(repr(c.profile.identifier)) for c in states[0][1:])
    world = next(w for w in explored.worlds if w.identifiers == identifiers)
    for before, after in itertools.pairwise(states):
        assert after in [t.after for t in explored.system.successors(world, before)]
