"""Pictures of state graphs, and data for other tools: parsed again, they are the graph."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from modelcheck.errors import UsageError
from modelcheck.graph.dot import KEYED, dot_of, signs
from modelcheck.graph.files import check_suffix, svg_of, write_graph
from modelcheck.graph.palette import DAY
from modelcheck.graph.state_graph import StateGraph, state_graph
from tests.conftest import Write

SVG = "{http://www.w3.org/2000/svg}"
needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz's program dot is not installed")


@pytest.fixture(scope="module")
def right() -> StateGraph:
    return state_graph("chang_roberts", ids="1,2,3", collapse=False)


@pytest.fixture(scope="module")
def wrong() -> StateGraph:
    """With a counterexample."""
    return state_graph("chang_roberts", ids="1,2", losses=1, collapse=False)


def multigraph(graph: StateGraph) -> nx.MultiDiGraph:
    found = nx.MultiDiGraph()
    found.add_nodes_from(str(node.number) for node in graph.nodes)
    found.add_edges_from((str(edge.source), str(edge.target)) for edge in graph.edges)
    return found


def same(one: nx.MultiDiGraph, other: nx.MultiDiGraph) -> bool:
    return set(one) == set(other) and Counter(one.edges()) == Counter(other.edges())


def drawn(svg: str, kind: str) -> list[ET.Element]:
    return [group for group in ET.fromstring(svg).iter(f"{SVG}g") if group.get("class") == kind]


# --- data


def test_graphml_is_read_back_as_the_same_graph(wrong: StateGraph, tmp_path: Path) -> None:
    write_graph(wrong, tmp_path / "g.graphml")
    found = nx.read_graphml(tmp_path / "g.graphml", force_multigraph=True)
    assert same(found, multigraph(wrong))
    assert found.nodes["0"]["initial"] == 1
    assert sum(int(data["transitions"]) for *_, data in found.edges(data=True)) == wrong.transitions


def test_json_is_node_link_data(wrong: StateGraph, tmp_path: Path) -> None:
    write_graph(wrong, tmp_path / "g.json")
    data = json.loads((tmp_path / "g.json").read_text())
    found = nx.relabel_nodes(nx.node_link_graph(data, edges="edges"), str)
    assert same(found, multigraph(wrong))
    assert data["format"] == 1
    assert data["graph"]["violated"] == list(wrong.violations)
    assert sorted(step for edge in data["edges"] for step in edge["path"]) == [1, 2, 3]


def read_aut(text: str) -> tuple[int, int, nx.MultiDiGraph]:
    """The initial state, the number of states, the graph."""
    head, *lines = text.splitlines()
    first, transitions, states = map(int, re.fullmatch(r"des \((\d+), (\d+), (\d+)\)", head).groups())  # type: ignore[union-attr]
    found = nx.MultiDiGraph()
    found.add_nodes_from(map(str, range(states)))
    for line in lines:
        source, label, target = re.fullmatch(r'\((\d+), "([^"]*)", (\d+)\)', line).groups()  # type: ignore[union-attr]
        found.add_edge(source, target, label=label)
    assert found.number_of_edges() == transitions
    return first, states, found


def test_aut_is_read_back_as_the_same_graph(right: StateGraph, tmp_path: Path) -> None:
    write_graph(right, tmp_path / "g.aut")
    first, states, found = read_aut((tmp_path / "g.aut").read_text())
    assert (first, states) == (0, right.states)
    assert same(found, multigraph(right))
    labels = {data["label"] for *_, data in found.edges(data=True)}
    assert {"p1 wake_up", "p2 compare(Election(1))", "p1 learn(Leader(3))"} <= labels


def test_several_initial_states_get_one_before_them_in_aut(write: Write, tmp_path: Path) -> None:
    model = write("""
        class Draws(Process):
            topology = one_way_ring
            specs = ()
            side: int = 0

            def initially(self):
                self.side = self.choose((0, 1))
    """)
    graph = state_graph(model, ids="1,2", collapse=False)
    assert sum(node.initial for node in graph.nodes) == 4
    write_graph(graph, tmp_path / "g.aut")
    first, states, found = read_aut((tmp_path / "g.aut").read_text())
    assert (first, states) == (4, 5)
    assert sorted(found.successors("4")) == ["0", "1", "2", "3"]


def test_collapsed_data_has_what_stays_inside_too(tmp_path: Path) -> None:
    graph = state_graph("chang_roberts", ids="4,3,2,1", collapse=True)
    write_graph(graph, tmp_path / "g.json")
    data = json.loads((tmp_path / "g.json").read_text())
    assert sum(edge["transitions"] for edge in data["edges"]) == graph.transitions
    assert sum(node["states"] for node in data["nodes"]) == graph.states


# --- DOT and SVG


def test_the_same_graph_is_the_same_text_whatever_the_hash_seed() -> None:
    program = (
        "from modelcheck.graph.state_graph import state_graph as g; from modelcheck.graph.dot import dot_of as d;"
        "print(d(g('bully', n=3, crashes=1)), d(g('chang_roberts', ids='4,3,1,2')), d(g('spanning_tree', n=3)))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "77")
    }
    assert len(texts) == 1


@needs_dot
@pytest.mark.parametrize("collapse", [True, False])
def test_the_picture_has_a_node_for_each_node_and_an_arrow_for_each_edge(collapse: bool) -> None:
    graph = state_graph("bully", n=3, crashes=1, collapse=collapse)
    svg = svg_of(graph)
    names = {group.findtext(f"{SVG}title") for group in drawn(svg, "node")}
    assert {name for name in names if name and not name.startswith(("start", "key"))} == {
        f"s{node.number}" for node in graph.nodes
    }
    arrows = Counter(group.findtext(f"{SVG}title") for group in drawn(svg, "edge"))
    expected = Counter(f"s{edge.source}->s{edge.target}" for edge in graph.edges if edge.source != edge.target)
    assert arrows - Counter({name: 1 for name in arrows if name and name.startswith("start")}) == expected


@needs_dot
def test_where_states_are_numbers_a_key_says_what_each_is() -> None:
    graph = state_graph("bully", n=3, crashes=1, collapse=False)
    assert len(graph.nodes) > 32
    (key,) = [group for group in drawn(svg_of(graph), "node") if group.get("id") == "key"]
    words = " ".join("".join(text.itertext()).strip() for text in key.iter(f"{SVG}text"))
    for node in graph.nodes:
        said = "; ".join(f"{who} {what}" for who, what in node.lines)
        assert f"{node.number} {said}" in words
    lowest = max(float(text.get("y", "")) for group in drawn(svg_of(graph), "node") if group is not key and group.get("id") != "key" for text in group.iter(f"{SVG}text"))  # fmt: skip
    assert all(float(text.get("y", "")) > lowest for text in key.iter(f"{SVG}text"))
    assert 'id="key"' not in dot_of(graph, heading=False)


def test_where_states_are_too_many_for_a_key_the_picture_says_where_they_are_told() -> None:
    graph = state_graph("chang_roberts", ids="3,2,1", duplications=1, network="bag", collapse=False)
    assert len(graph.nodes) > KEYED
    assert "what each of" in dot_of(graph)
    assert "--out FILE.html" in dot_of(graph)


def test_a_state_that_only_a_fault_can_leave_is_terminal_unless_one_happens(right: StateGraph) -> None:
    """In a run of bully with a crash nobody needs to crash; chang_roberts without faults ends for good."""
    faulty = state_graph("bully", n=3, crashes=1, collapse=False)
    ends = {node.number for node in faulty.nodes if node.terminal}
    assert any(edge.fault and edge.source in ends for edge in faulty.edges)
    assert ("terminal", "terminal state, unless a fault happens") in signs(faulty)
    assert ("terminal", "terminal state") in signs(right)


@needs_dot
def test_the_counterexample_is_bold_and_red_and_numbered(wrong: StateGraph) -> None:
    svg = svg_of(wrong)
    bold = {
        group.findtext(f"{SVG}title"): "".join(group.itertext())
        for group in drawn(svg, "edge")
        for line in group.iter(f"{SVG}path")
        if line.get("stroke") == DAY["wrong"] and float(line.get("stroke-width", "1")) > 2
    }
    path = {f"s{edge.source}->s{edge.target}": edge.path for edge in wrong.edges if edge.path}
    assert set(bold) == set(path)
    assert all(f"{steps[0]}." in bold[name] for name, steps in path.items())


@needs_dot
def test_violating_states_have_eight_corners_and_terminal_ones_two_borders(wrong: StateGraph) -> None:
    groups = {group.findtext(f"{SVG}title"): group for group in drawn(svg_of(wrong), "node")}
    for node in wrong.nodes:
        shapes = [e for e in groups[f"s{node.number}"].iter() if e.tag in (f"{SVG}path", f"{SVG}polygon")]
        assert len(shapes) == (2 if node.terminal else 1)
        octagons = [shape for shape in shapes if len(set(shape.get("points", "").split())) == 8]
        assert bool(octagons) == bool(node.violating)


@needs_dot
def test_every_colour_of_the_picture_has_one_for_the_night(wrong: StateGraph) -> None:
    svg = svg_of(wrong)
    used = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]+|black|white)"', svg))
    assert used <= set(DAY.values())


@needs_dot
@pytest.mark.parametrize("text", ['say "hi" \\ <b> & {x|y}', "line\nbreak", "näher → œ", "%d \\N \\G"])
def test_odd_texts_are_drawn_as_they_are(text: str, write: Write) -> None:
    model = write(f"""
        class Odd(Process):
            topology = one_way_ring
            specs = ()
            word: str = ""

            @step
            def speak(self):
                self.require(not self.word)
                self.word = self.choose(({text!r},))
    """)
    svg = svg_of(state_graph(model, ids="1", collapse=False))
    told = " ".join(element.get("{http://www.w3.org/1999/xlink}title", "") for element in ET.fromstring(svg).iter())
    assert "".join(text.split()) in "".join(told.split())


def test_what_fails_is_a_node_of_its_own(write: Write) -> None:
    model = write("""
        class Fails(Process):
            topology = one_way_ring
            specs = ()

            @step
            def fall(self):
                assert False
    """)
    dot = dot_of(state_graph(model, ids="1", collapse=False))
    assert '"an assertion fails"' in dot
    assert "s0 -> assertions" in dot


@needs_dot
@pytest.mark.parametrize(("suffix", "begin"), [(".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<?xml")])
def test_pictures_are_what_their_names_say(suffix: str, begin: bytes, right: StateGraph, tmp_path: Path) -> None:
    write_graph(right, tmp_path / f"g{suffix}")
    assert (tmp_path / f"g{suffix}").read_bytes().startswith(begin)


def test_without_dot_a_page_is_offered(right: StateGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match=r"apt install graphviz.*--out graph\.html"):
        write_graph(right, tmp_path / "g.svg")
    write_graph(right, tmp_path / "g.html")
    write_graph(right, tmp_path / "g.dot")


def test_an_unknown_suffix_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match=r"did you mean \.svg"):
        check_suffix("a.svgz")


# --- the page


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_lays_the_graph_out_by_itself(wrong: StateGraph, tmp_path: Path, page: Any, width: int) -> None:
    write_graph(wrong, tmp_path / "g.html")
    page.set_viewport_size({"width": width, "height": 780})
    page.goto((tmp_path / "g.html").as_uri())
    page.wait_for_selector("main svg g.node")
    assert page.locator("main svg g.node[id^=state-]").count() == len(wrong.nodes)
    assert page.locator("main svg g.edge[id^=edge-]").count() == sum(e.source != e.target for e in wrong.edges)
    assert "everyone_decides fails" in page.locator("header").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    begin = page.locator("g.node#state-0").bounding_box()
    assert 0 <= begin["x"] <= width


def test_the_page_tells_all_of_a_state_that_is_clicked_and_zooms_with_keys(
    wrong: StateGraph, tmp_path: Path, page: Any
) -> None:
    write_graph(wrong, tmp_path / "g.html")
    page.goto((tmp_path / "g.html").as_uri())
    page.wait_for_selector("main svg g.node")
    page.locator("g.node#state-1").click()
    said = page.locator("#said").inner_text()
    assert wrong.nodes[1].text.splitlines()[0] in said
    before = page.locator("main svg").bounding_box()["width"]
    page.keyboard.press("+")
    assert page.locator("main svg").bounding_box()["width"] > before
    page.keyboard.press("0")
    assert page.locator("main svg").bounding_box()["width"] == pytest.approx(before)
    page.keyboard.press("Escape")
    assert page.locator("#said").inner_text() == ""


def test_no_words_of_the_page_lie_on_the_arrow_that_they_belong_to(
    wrong: StateGraph, tmp_path: Path, page: Any
) -> None:
    """Nor do those of a state leave its box, whatever face the reader has."""
    write_graph(wrong, tmp_path / "g.html")
    page.goto((tmp_path / "g.html").as_uri())
    page.wait_for_selector("main svg g.node")
    over = page.evaluate("""() => [...document.querySelectorAll("g.edge[id^=edge-]")].filter((edge) => {
      const text = edge.querySelector("text"), letters = text.textContent, begin = letters.search(/\\S/), end = letters.trimEnd().length - 1;
      const [box, last] = [text.getExtentOfChar(begin), text.getExtentOfChar(end)];
      box.width = last.x + last.width - box.x;
      const line = edge.querySelector("path"), length = line.getTotalLength();
      return [...Array(101).keys()].some((k) => {
        const p = line.getPointAtLength(length * k / 100);
        return p.x > box.x && p.x < box.x + box.width && p.y > box.y + 2 && p.y < box.y + box.height - 2;
      });
    }).map((edge) => edge.id)""")
    assert over == []
    out = page.evaluate("""() => [...document.querySelectorAll("g.node[id^=state-]")].filter((node) => {
      const box = node.querySelector("path, polygon, ellipse").getBBox();
      return [...node.querySelectorAll("text")].some((t) => t.getBBox().x < box.x || t.getBBox().x + t.getBBox().width > box.x + box.width);
    }).map((node) => node.id)""")
    assert out == []


def test_the_edges_of_the_page_are_told_of_rightly(wrong: StateGraph, tmp_path: Path, page: Any) -> None:
    """Whatever the order in which the layout draws them."""
    write_graph(wrong, tmp_path / "g.html")
    page.goto((tmp_path / "g.html").as_uri())
    page.wait_for_selector("main svg g.node")
    told = page.evaluate(
        "[...document.querySelectorAll('g.edge[id^=edge-]')].map(e => [e.id, e.querySelector('title').textContent])"
    )
    expected = {f"edge-{k}": edge.labels[0][0] for k, edge in enumerate(wrong.edges) if edge.source != edge.target}
    assert {name: words.splitlines()[0].split(", receives")[0] for name, words in told} == expected
