"""With directions every engine finds the same, other checkers count the same, and runs are read back from their files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modelcheck import check, complete, hypercube, mesh, torus
from modelcheck.check.counting import count_messages
from modelcheck.check.result import Result
from modelcheck.export.confirming import confirm
from modelcheck.export.tools import TOOLS, missing
from modelcheck.language.topology import Topology
from modelcheck.report.files import as_json, tracefile
from modelcheck.report.terminal.page import Page
from modelcheck.report.terminal.run import write as write_report
from modelcheck.semantics.worlds import World
from tests.conftest import Write

# Whoever starts sends a token along two ports in turn; the greater of two identifiers goes on, and a leader knows by which port.
TOUR = """
class Token(Message):
    id: Id
    left: int
class Tour(Process):
    topology = {topology}
    best: Id
    side: Port | None = None
    def initially(self):
        self.best = self.id
    @initiate
    def start(self):
        self.require(self.side is None)
        self.side = self.ports[0]
        self.send({there}, Token(self.id, 2))
    @receive(Token)
    def take(self, message, port):
        self.side = port
        self.best = max(self.best, message.id)
        if message.left:
            self.send({onwards}, message.replace(left=message.left - 1))
"""
TOURS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "hypercube.oriented": ("dimension(2)", "dimension(1)", {"n": 4}),
    "mesh.oriented": ("self.ports[0]", "self.ports[-1]", {"graph": "mesh:2x2"}),
    "torus.oriented": ("EAST", "SOUTH", {"graph": "torus:2x2"}),
    "complete.oriented": ("chord(1)", "chord(2)", {"n": 3}),
    "chordal_ring(1, 2)": ("chord(2)", "chord(1)", {"n": 3}),
    "chordal_ring(1, 2).unoriented": ("chord(2)", "chord(1)", {"n": 3}),
}
SLOWER = """
@every_step
def nobody_hears_twice_from_the_same_side(before, after):
    return all(p.side == q.side or p.side is None or p.side == p.ports[0] for p, q in zip(before.processes, after.processes))
"""


def tour(topology: str, more: str = "") -> tuple[str, dict[str, Any]]:
    there, onwards, asked = TOURS[topology]
    return TOUR.format(topology=topology, there=there, onwards=onwards) + more, asked


@pytest.mark.parametrize("topology", TOURS)
@pytest.mark.parametrize("symmetry", [True, False], ids=["symmetry", "every world"])
def test_all_engines_count_the_same(write: Write, topology: str, symmetry: bool) -> None:
    text, asked = tour(topology)
    model = write(text)
    results = [
        check(model, engine=engine, initiators="size:2", symmetry=symmetry, **asked)  # type: ignore[arg-type]
        for engine in ("reference", "compiled", "sets")
    ]
    assert {result.verdict for result in results} == {"HOLDS"}
    counts = {(r.states, r.transitions, r.represented, sum(t.terminal_states for t in r.sizes)) for r in results}
    assert len(counts) == 1


@pytest.mark.parametrize("topology", TOURS)
def test_what_symmetry_stands_for_is_what_there_is_without_it(write: Write, topology: str) -> None:
    """The sums over all worlds and states that those explored stand for."""
    text, asked = tour(topology)
    model = write(text)
    with_it, without = (
        check(model, engine="reference", ids="any", initiators="size:1", symmetry=symmetry, **asked)
        for symmetry in (True, False)
    )
    assert [t.unreduced for t in with_it.sizes] == [t.unreduced for t in without.sizes]
    assert with_it.represented == without.represented


@pytest.mark.parametrize("topology", TOURS)
def test_messages_are_counted(write: Write, topology: str) -> None:
    text, asked = tour(topology)
    [count] = count_messages(write(text), initiators="size:2", start="simultaneous", **asked).counts
    assert (count.over(0).least, count.over(0).greatest) == (6, 6)  # three for each of two


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@pytest.mark.parametrize("topology", ["hypercube.oriented", "torus.oriented", "mesh.oriented"])
def test_other_checkers_count_the_same(write: Write, topology: str, tool: Any) -> None:
    if missing(tool):
        pytest.skip(f"{tool.name} is not installed")
    text, asked = tour(topology)
    found = confirm(write(text), tools=(tool.name,), initiators="1,2", ids="1,2,3,4", **{"n": 4} | asked)
    assert found.differences == ()


@pytest.mark.parametrize("topology", ["hypercube.oriented", "torus.oriented", "mesh.oriented"])
def test_with_partitions_the_way_to_the_network_is_none_of_the_ports(write: Write, topology: str) -> None:
    text, asked = tour(topology)
    model = write(text)
    results = [
        check(model, engine=engine, initiators=[1], ids=(1, 2, 3, 4), partitions=1, crashes=1, **asked)  # type: ignore[arg-type]
        for engine in ("reference", "compiled")
    ]
    assert results[0].verdict == "HOLDS"
    assert len({(result.verdict, result.states, result.transitions) for result in results}) == 1


@pytest.mark.parametrize("topology", [hypercube.oriented, mesh.oriented, torus.oriented, complete.oriented])
def test_no_two_ways_out_of_a_process_have_one_number(topology: Topology) -> None:
    """Not even that to the network, where it can split: engines tell them apart by number."""
    for shape in topology.shapes(4):
        for ways in World(shape, (None,) * 4, frozenset(), None, 1).wiring:
            assert len({int(port) for port in ways}) == len(ways)


@pytest.mark.parametrize("topology", TOURS)
def test_a_run_is_read_back_from_its_file_and_told_with_its_ports(
    write: Write, topology: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, asked = tour(topology, SLOWER)
    result: Result = check(write(text), **asked)
    [violated] = [p for p in result.properties if p.verdict == "violated"]
    (file := tmp_path / "runs.json").write_text(as_json.dumps(as_json.traces(result)))
    [run] = tracefile.read(file).runs
    assert run.found == violated
    assert run.trace == violated.trace
    write_report(result, Page.on())
    shown = capsys.readouterr().out
    name = {"c": "chord 1", "h": "dimension 1", "m": "east", "t": "east"}[topology[0]]
    assert f"{name}->p" in shown  # of the line that says where each port leads


@pytest.mark.parametrize("sides", ["1x2", "2x1", "2x3"])
def test_a_port_of_a_mesh_that_is_missing_somewhere_is_compiled(write: Write, sides: str) -> None:
    text, _ = tour("mesh.oriented")
    n = int(sides[0]) * int(sides[2])
    asked: dict[str, Any] = {"graph": f"mesh:{sides}", "ids": range(1, n + 1), "initiators": [1, n]}
    asked |= {"partitions": 1} if n == 2 else {}
    one, other = (check(write(text), engine=engine, **asked) for engine in ("reference", "compiled"))  # type: ignore[arg-type]
    assert (one.verdict, one.states, one.transitions) == (other.verdict, other.states, other.transitions)
