"""Ports with names on which all processes agree: where they lead, what they are, and what is said where there is none."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest

from modelcheck import (
    EAST,
    NEXT,
    NORTH,
    PREVIOUS,
    SOUTH,
    WEST,
    Port,
    UsageError,
    check,
    chord,
    chordal_ring,
    complete,
    dimension,
    hypercube,
    line,
    mesh,
    torus,
    two_way_ring,
)
from modelcheck.check.result import Result
from modelcheck.language.oriented import compass
from modelcheck.language.topology import Shape, Topology
from modelcheck.language.values import Misuse, identical, order
from modelcheck.semantics.worlds import World

from .cases import the_error

Run = Callable[..., Result]


def leads(shape: Shape, process: int, *ports: Port) -> int:
    """Where one comes to along these ports."""
    route = World(shape, (None,) * shape.n, frozenset(), None, 1).route
    for port in ports:
        process = route[process][port][0]
    return process


def only(topology: Topology, n: int) -> Shape:
    [shape] = topology.shapes(n)
    return shape


def test_a_dimension_leads_to_the_process_whose_place_differs_in_that_bit() -> None:
    shape = only(hypercube.oriented, 8)
    assert shape.ports == ((dimension(1), dimension(2), dimension(3)),) * 8
    for place in range(8):
        assert [leads(shape, place, dimension(k)) for k in (1, 2, 3)] == [place ^ 1, place ^ 2, place ^ 4]


def test_a_chord_leads_as_far_around_the_ring_as_it_says() -> None:
    for shape in (only(complete.oriented, 5), only(chordal_ring(1, 2), 7), only(chordal_ring(1, 3), 6)):
        for place in range(shape.n):
            assert all(leads(shape, place, port) == (place + port) % shape.n for port in shape.ports[place])
    assert only(chordal_ring(1, 2), 7).ports[0] == (chord(1), chord(2), chord(5), chord(6))
    assert only(chordal_ring(1, 3), 6).ports[0] == (chord(1), chord(3), chord(5))  # 3 on is 3 back
    assert only(complete.oriented, 5).ports[0] == (chord(1), chord(2), chord(3), chord(4))


@pytest.mark.parametrize("sides", [(2, 2), (2, 3), (3, 2), (3, 4)])
def test_on_a_torus_whoever_goes_around_comes_home(sides: tuple[int, int]) -> None:
    rows, columns = sides
    shape = compass(rows, columns, True)
    for place in range(rows * columns):
        assert leads(shape, place, *[EAST] * columns) == leads(shape, place, *[SOUTH] * rows) == place
        assert leads(shape, place, NORTH, EAST, SOUTH, WEST) == place
        assert len({leads(shape, place, *[EAST] * k) for k in range(columns)}) == columns


def test_on_the_border_of_a_mesh_some_ports_are_missing() -> None:
    shape = compass(3, 3, False)
    assert shape.ports[0] == (EAST, SOUTH)
    assert shape.ports[1] == (EAST, SOUTH, WEST)
    assert shape.ports[4] == (NORTH, EAST, SOUTH, WEST)
    assert shape.ports[8] == (NORTH, WEST)
    assert leads(shape, 0, SOUTH, EAST) == 4


def test_two_rows_of_three_are_not_three_rows_of_two() -> None:
    assert [shape.name for shape in mesh.oriented.shapes(6)] == ["mesh 2 x 3", "mesh 3 x 2"]
    assert [shape.name for shape in torus.oriented.shapes(4)] == ["torus 2 x 2"]


def test_a_port_is_no_port_of_another_name() -> None:
    named = (NEXT, PREVIOUS, NORTH, EAST, SOUTH, WEST, dimension(1), dimension(2), chord(1), chord(2))
    for one in named:
        assert [one == other for other in named].count(True) == 1
        assert one != Port(int(one))
        assert pickle.loads(pickle.dumps(one)) is one
    assert len({order(port) for port in (*named, Port(0), Port(1), Port(2))}) == len(named) + 3
    assert identical(dimension(2), dimension(2))
    assert [port.name for port in named[2:8]] == ["north", "east", "south", "west", "dimension 1", "dimension 2"]
    assert [int(port) for port in named] == [0, 1, 0, 1, 2, 3, 1, 2, 1, 2]
    assert [port.written for port in (NORTH, chord(2), Port(3))] == ["NORTH", "chord(2)", ""]


@pytest.mark.parametrize("number", [0, -1, True, 1_001, "1"])
def test_there_are_no_other_dimensions(number: int) -> None:
    with pytest.raises(Misuse, match="there is no dimension"):
        dimension(number)


def test_what_has_no_sense_of_direction_says_so() -> None:
    assert two_way_ring.oriented is two_way_ring
    with pytest.raises(Misuse, match="a line has no sense of direction"):
        _ = line.oriented
    for distances in ((), (2,), (1, 1), (2, 1)):
        with pytest.raises(Misuse, match="there is no chordal ring"):
            chordal_ring(*distances)
    with pytest.raises(UsageError, match="needs more than 2 processes"):
        next(chordal_ring(1, 2).shapes(2))


# --- on the command line -----------------------------------------------------------------------------------------

ALONG = """
class Ping(Message):
    pass
class Along(Process):
    topology = {topology}
    came: Port | None = None
    gone: bool = False
    @initiate
    def go(self):
        self.require(not self.gone)
        self.gone = True
        self.send({port}, Ping())
    @receive(Ping)
    def note(self, message, port):
        self.came = port
@at_the_end
def it_came_from_there(view):
    return all(p.came == {back} for p in view.processes)
"""


def along(topology: str, port: str, back: str) -> str:
    return ALONG.format(topology=topology, port=port, back=back)


@pytest.mark.parametrize(
    ("topology", "port", "back", "graph", "n"),
    [
        ("hypercube.oriented", "dimension(2)", "dimension(2)", "hypercube", 4),
        ("hypercube.oriented", "dimension(2)", "dimension(2)", "hypercube:oriented", 4),
        ("hypercube.oriented", "dimension(1)", "dimension(1)", "two_way_ring", 4),  # a square is a hypercube
        ("torus.oriented", "EAST", "WEST", "torus:2x3", 6),
        ("torus.oriented", "NORTH", "SOUTH", "torus:3x2", 6),
        ("complete.oriented", "chord(1)", "chord(self.n - 1)", "complete", 4),
        ("chordal_ring(1, 2)", "chord(2)", "chord(3)", "chordal_ring:1,2", 5),
        ("chordal_ring(1, 2)", "chord(2)", "chord(3)", "complete", 5),  # of five
    ],
)
def test_a_graph_that_is_one_has_its_names(run: Run, topology: str, port: str, back: str, graph: str, n: int) -> None:
    result = run(along(topology, port, back.replace("self.n", str(n))), graph=graph, n=n, ids=range(1, n + 1))
    assert result.verdict == "HOLDS"


def test_without_a_sense_of_direction_a_name_leads_anywhere(run: Run) -> None:
    text = along("hypercube.oriented", "dimension(1)", "dimension(1)")
    assert run(text, n=4).verdict == "HOLDS"
    assert run(text, n=4, graph="hypercube:unoriented").verdict == "VIOLATED"


def test_a_graph_from_a_file_is_given_directions(run: Run, tmp_path: Path) -> None:
    names = dict(enumerate("fbgcahde"))
    nx.write_edgelist(
        nx.relabel_nodes(nx.convert_node_labels_to_integers(nx.hypercube_graph(3)), names),
        tmp_path / "cube",
        data=False,
    )
    text = along("hypercube.oriented", "dimension(3)", "dimension(3)")
    assert run(text, graph=str(tmp_path / "cube"), ids=range(1, 9), start="simultaneous").verdict == "HOLDS"
    assert run(text.replace("hypercube", "torus"), graph=str(tmp_path / "cube")).exit_code == 10


def test_directions_that_a_model_does_not_know_are_refused() -> None:
    with pytest.raises(UsageError, match="knows no directions"):
        check("mesh_corners", graph="mesh:oriented", n=4)
    with pytest.raises(UsageError, match="no chordal ring"):
        check("flooding", graph="chordal_ring:2,1", n=4)
    found = check("flooding", graph="chordal_ring:1,2", n=4)  # one that takes any graph
    assert (found.verdict, found.topology) == ("HOLDS", "chordal ring <1,2> of 4")


# --- what is said -----------------------------------------------------------------------------------------------


def test_who_sends_where_there_is_no_port_is_told_which_there_are(run: Run) -> None:
    error = the_error(run(along("mesh.oriented", "NORTH", "SOUTH"), graph="mesh:2x2", ids=range(1, 5)))
    assert "there is no port north to send on" in error.what
    assert error.cause == "this process's ports are: east, south"
    assert error.remedy == "write EAST, SOUTH, or one of self.ports"


def test_who_sends_on_a_number_is_told_that_it_is_no_port(run: Run) -> None:
    error = the_error(run(along("hypercube.oriented", "1", "1"), n=2))
    assert "there is no port 1 to send on" in error.what
    assert error.cause == "a number is no port; this process's ports are: dimension 1"
    assert error.remedy == "write dimension(1), or one of self.ports"


def test_a_port_in_a_field_of_numbers_is_told(run: Run) -> None:
    text = along("hypercube.oriented", "dimension(1)", "dimension(1)").replace(
        "        self.came = port", "        self.seen = frozenset({(0, port)})"
    )
    error = the_error(run(text.replace("gone:", "seen: frozenset[tuple[int, int]] = frozenset()\n    gone:"), n=2))
    assert error.cause == "a Port is in it, dimension 1, which is no int"
    assert error.remedy == "declare it with Port, or put in int(port), which is 1"


def test_a_property_that_looks_along_no_port_is_told_which_there_are(run: Run) -> None:
    text = along("mesh.oriented", "self.ports[0]", "None").replace("p.came == None", "p.at(3)")
    error = the_error(run(text, graph="mesh:2x2", ids=range(1, 5)))
    assert "there is no port 3 to look along" in error.what
    assert error.cause == "this process's ports are: east, south"
    assert error.remedy == "use p.ports"
