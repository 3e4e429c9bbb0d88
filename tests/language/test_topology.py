"""Topologies: ports and links are consistent, families have the members that graph theory counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest

from modelcheck import NEXT, PREVIOUS, UsageError, one_way_ring, two_way_ring
from modelcheck.check.result import Result
from modelcheck.language.topology import TOPOLOGIES, Shape
from modelcheck.semantics.worlds import World

SIZES = {"mesh": (4, 6, 9), "torus": (9, 12), "hypercube": (1, 2, 4, 8), "any_graph": (1, 2, 3, 4, 5)}
SHAPES = [
    pytest.param(shape, id=shape.name)
    for name, topology in TOPOLOGIES.items()
    for n in SIZES.get(name, (1, 2, 3, 4, 5))
    for shape in topology.shapes(n)
]


@pytest.mark.parametrize("shape", SHAPES)
def test_each_port_has_one_link_and_replies_lead_back(shape: Shape) -> None:
    """Every out-port leads somewhere, every in-port comes from somewhere, and where a link has a way back the reply to
    what came over it arrives at its sender, at the port it was sent from."""
    world = World(shape, (None,) * shape.n, frozenset(), None, 1)
    profiles = world.profiles(frozenset())
    assert len(shape.links) == len({(k.source, k.out_port) for k in shape.links})
    assert len(shape.links) == len({(k.target, k.in_port) for k in shape.links})
    for i, profile in enumerate(profiles):
        assert set(world.route[i]) == set(profile.ports) == set(shape.ports[i])
        assert set(world.sender[i]) == set(profile.in_ports)
        for port in profile.ports:
            target, in_port = world.route[i][port]
            assert world.sender[target][in_port] == i
            back = profiles[target].answers[profiles[target].in_ports.index(in_port)]
            if shape.name.startswith("one-way"):
                assert back is None
            else:
                assert back is not None
                assert world.route[target][back] == (i, port)


def test_a_one_way_ring_sends_to_next_and_receives_from_previous() -> None:
    for n in (1, 2, 5):
        (shape,) = one_way_ring.shapes(n)
        assert [(k.source, k.out_port, k.target, k.in_port) for k in shape.links] == [
            (i, NEXT, (i + 1) % n, PREVIOUS) for i in range(n)
        ]


def test_a_two_way_ring_of_two_has_two_links_between_its_processes_and_one_of_one_links_it_with_itself() -> None:
    (two,) = two_way_ring.shapes(2)
    assert sorted((k.source, k.out_port, k.target, k.in_port) for k in two.links) == [
        (0, NEXT, 1, PREVIOUS), (0, PREVIOUS, 1, NEXT), (1, NEXT, 0, PREVIOUS), (1, PREVIOUS, 0, NEXT),
    ]  # fmt: skip
    (one,) = two_way_ring.shapes(1)
    assert sorted((k.source, k.out_port, k.target, k.in_port) for k in one.links) == [
        (0, NEXT, 0, PREVIOUS), (0, PREVIOUS, 0, NEXT),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tree", {1: 1, 2: 1, 3: 1, 4: 2, 5: 3, 6: 6, 7: 11}),  # OEIS A000055
        ("any_graph", {1: 1, 2: 1, 3: 2, 4: 6, 5: 21, 6: 112}),  # OEIS A001349
    ],
)
def test_a_family_has_as_many_members_as_there_are(name: str, counts: dict[int, int]) -> None:
    for n, count in counts.items():
        assert len(list(TOPOLOGIES[name].shapes(n))) == count


@pytest.mark.parametrize(
    ("name", "n", "edges"),
    [
        ("line", 5, 4),
        ("star", 5, 4),
        ("complete", 5, 10),
        ("mesh", 6, 7),  # 2 x 3: a(b-1) + b(a-1)
        ("torus", 9, 18),  # 3 x 3: 2ab
        ("hypercube", 8, 12),  # d 2^(d-1)
        ("two_way_ring", 5, 5),
    ],
)
def test_a_shape_has_the_links_of_its_graph(name: str, n: int, edges: int) -> None:
    (shape,) = TOPOLOGIES[name].shapes(n)
    assert shape.graph().number_of_edges() == edges
    assert len(shape.links) == 2 * edges


@pytest.mark.parametrize(("name", "n"), [("mesh", 5), ("torus", 8), ("hypercube", 6), ("any_graph", 8)])
def test_a_size_that_a_family_has_not_is_refused(name: str, n: int) -> None:
    with pytest.raises(UsageError):
        next(TOPOLOGIES[name].shapes(n))


# --- graphs from files -------------------------------------------------------------------------------------------

FLOOD = """
class Wave(Message):
    pass
class Flood(Process):
    topology = any_graph
    reached: bool = False
    @initiate
    def start(self):
        self.require(not self.reached)
        self.reached = True
        self.send_all(Wave())
    @receive(Wave)
    def spread(self, message, port):
        if not self.reached:
            self.reached = True
            self.send_all(Wave(), but=port)
@at_the_end
def all_reached(view):
    return all(p.reached for p in view.processes) or not view.processes[0].reached
"""


@pytest.mark.parametrize("kind", ["edges", "graphml"])
def test_a_graph_from_a_file_is_the_graph_in_it(run: Callable[..., Result], tmp_path: Path, kind: str) -> None:
    """A path a-b-c, with names that say nothing, as an edge list and as GraphML."""
    graph = nx.Graph([("10", "9"), ("9", "100")])
    path = tmp_path / f"graph.{kind}"
    if kind == "graphml":
        nx.write_graphml(graph, path)
    else:
        nx.write_edgelist(graph, path, data=False)
    from_file = run(FLOOD, graph=str(path), initiators=[1], symmetry=False)
    assert from_file.verdict == "HOLDS"
    assert [tally.n for tally in from_file.sizes] == [3]
    # 9, 10, 100 become p1, p2, p3, so p1 is in the middle, which a star of three has too
    star = run(FLOOD, graph="star", n=3, initiators=[1], symmetry=False)
    assert (from_file.states, from_file.transitions) == (star.states, star.transitions)


@pytest.mark.parametrize("text", ["# nothing\n", "1 2\n3\n", "1,2\n2,3\n"], ids=["nothing", "a node alone", "commas"])
def test_a_line_of_a_file_that_is_no_edge_is_refused(run: Callable[..., Result], tmp_path: Path, text: str) -> None:
    """Passed over in silence it would leave a smaller graph, of which something holds."""
    (path := tmp_path / "graph.edges").write_text(text)
    with pytest.raises(UsageError):
        run(FLOOD, graph=str(path))


@pytest.mark.parametrize("text", ["1 1\n", "1 2\n3 4\n"], ids=["a loop", "two parts"])
def test_a_graph_that_is_not_simple_and_connected_breaks_an_assumption(
    run: Callable[..., Result], tmp_path: Path, text: str
) -> None:
    (path := tmp_path / "graph.edges").write_text(text)
    result = run(FLOOD, graph=str(path))
    assert (result.verdict, result.exit_code) == ("INCONCLUSIVE", 10)
