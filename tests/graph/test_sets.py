"""The picture of a decision diagram: every node and every edge is in it, and its ways are the states."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modelcheck import check
from modelcheck.errors import UnfinishedError, UsageError
from modelcheck.explore.limits import Limits
from modelcheck.graph import set_diagram as building
from modelcheck.graph.set_diagram import END, SetArrow, SetDiagram, SetNode, set_diagram
from modelcheck.graph.set_dot import dot_of, title, write_set_diagram
from tests.conftest import Write

SVG = "{http://www.w3.org/2000/svg}"

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("chang_roberts", {"n": 3}),
    ("chang_roberts", {"n": 2, "ids": "from:3", "initiators": "each"}),
    ("chang_roberts", {"ids": "2,1", "losses": 1}),
    ("itai_rodeh", {"n": 2}),
    ("harmony_leader", {"n": 2}),
    ("bully", {"n": 2, "crashes": 1, "recoveries": 1}),
    ("bully_partition", {"n": 2, "partitions": 1, "heals": 1}),
    ("stages", {"n": 2}),
]
NAMES = [f"{model} {' '.join(f'{k}={v}' for k, v in options.items())}" for model, options in SMALL]


@pytest.fixture(scope="module")
def ring() -> SetDiagram:
    return set_diagram("chang_roberts", n=3)


def ways(diagram: SetDiagram, node: int) -> Iterator[tuple[str, ...]]:
    """What stands at the levels on each way from a node to the END, in words."""
    if node == END:
        yield ()
    for arrow in diagram.arrows:
        if arrow.source == node:
            for member in arrow.members:
                for way in ways(diagram, arrow.target):
                    yield (member, *way)


@pytest.mark.parametrize(("model", "options"), SMALL, ids=NAMES)
def test_it_has_the_nodes_and_the_states_that_a_run_counts(model: str, options: dict[str, Any]) -> None:
    diagram = set_diagram(model, **options)
    (by_sets,) = check(model, engine="sets", **options).sizes
    run = check(model, engine="reference", **options)
    counted = run.unreduced if run.represented == 1 else run  # where a state stands for its twins, all of them
    assert len(diagram.nodes) == by_sets.nodes
    assert diagram.worlds == run.worlds
    assert diagram.states == counted.states


@pytest.mark.parametrize(("model", "options"), SMALL, ids=NAMES)
def test_each_way_through_it_is_another_state_in_words_as_well(model: str, options: dict[str, Any]) -> None:
    diagram = set_diagram(model, **options)
    found = list(ways(diagram, 1))
    assert len(set(found)) == len(found) == diagram.states
    assert {len(way) for way in found} == {len(diagram.levels)}


def test_a_node_says_how_many_ways_lead_on_from_it(ring: SetDiagram) -> None:
    assert ring.nodes[0].vectors == 56  # states of the two worlds, as Spin, Rumur and TLC count them
    for node in ring.nodes:
        assert node.vectors == sum(1 for _ in ways(ring, node.number))


def test_arrows_lead_to_the_next_level_and_two_nodes_have_one_at_most(ring: SetDiagram) -> None:
    level = {node.number: node.level for node in ring.nodes} | {END: len(ring.levels)}
    assert all(level[arrow.target] == level[arrow.source] + 1 for arrow in ring.arrows)
    assert set(Counter((arrow.source, arrow.target) for arrow in ring.arrows).values()) == {1}
    assert max(len(arrow.members) for arrow in ring.arrows) > 1


def test_levels_are_named_by_what_stands_there() -> None:
    assert set_diagram("chang_roberts", ids="2,1", losses=1).levels == ("environment", "p1 (id 2)", "p2 (id 1)")
    assert set_diagram("bully_partition", n=2, partitions=1).levels[-1] == "network"
    # up to rotation the one with the least identifier stands first, and the others in any order
    assert set_diagram("chang_roberts", n=3).levels == ("p1 (id 1)", "p2", "p3")


def test_the_states_at_first_are_told_apart_by_identifiers_alone(ring: SetDiagram) -> None:
    first = [way for way in ways(ring, 1) if all(words.endswith("as at first") for words in way)]
    assert sorted(first) == [
        ("as at first", "id 2: as at first", "id 3: as at first"),
        ("as at first", "id 3: as at first", "id 2: as at first"),
    ]


def test_a_process_is_told_by_what_changed_and_what_waits(ring: SetDiagram) -> None:
    members = {words for arrow in ring.arrows for words in arrow.members}
    assert {"awake \u2190 Election(2), Election(3)", "leader=3, awake", "id 3 \u2190 Election(1)"} <= members


def test_where_ports_have_other_names_in_other_worlds_it_says_where_they_lead(write: Write) -> None:
    model = write("""
        class Named(Process):
            topology = two_way_ring.unoriented
            identifiers = "none"
            specs = ()
    """)
    diagram = set_diagram(model, n=3)
    members = {words for arrow in diagram.arrows for words in arrow.members}
    # p3 may have its ports the other way round
    assert {f"next to p2 previous, previous to p3 {there}: as at first" for there in ("next", "previous")} <= members
    assert len(set(ways(diagram, 1))) == diagram.states


def test_where_a_port_leads_to_the_same_process_by_another_it_says_by_which() -> None:
    members = {words for arrow in set_diagram("stages", n=2).arrows for words in arrow.members}
    # in a ring of two both links lead to the other process; the ports there are named alike or the other way round
    assert any(words.startswith("next to p2 previous, previous to p2 next") for words in members)
    assert any(words.startswith("next to p2 next, previous to p2 previous") for words in members)


# --- the picture


def test_the_picture_has_a_box_for_each_node_and_an_arrow_for_each_arrow(ring: SetDiagram) -> None:
    text = dot_of(ring)
    assert text.count('[id="node-') == len(ring.nodes) + 1
    assert text.count("edgetooltip=") == len(ring.arrows)


def test_the_title_says_how_much_stands_for_how_much(ring: SetDiagram) -> None:
    assert title(ring) == f"chang_roberts, n=3: 56 states of 2 worlds in {len(ring.nodes)} nodes"
    assert title(ring) in dot_of(ring)
    assert "2 worlds stand for all 6 assignments" in dot_of(ring)


def made(members: tuple[str, ...]) -> SetDiagram:
    return SetDiagram(
        "made", "made", 1, 1, 1, len(members), "fifo", (), ("p1",), (SetNode(1, 0, len(members)),), (SetArrow(1, END, members),)
    )  # fmt: skip


def test_of_many_members_at_an_arrow_the_first_are_named_and_the_others_counted() -> None:
    text = dot_of(made(("one", "two", "three", "four", "five", "six")))
    box = next(line for line in text.splitlines() if "node-1" in line).partition("tooltip")[0]
    assert [word for word in ("one", "two", "three", "four", "five", "six", "+ 3 more") if f">{word}&#160;<" in box] == [
        "one", "two", "three", "+ 3 more",
    ]  # fmt: skip
    assert "one\\ntwo\\nthree\\nfour\\nfive\\nsix" in text  # when it is pointed at
    assert "more" not in dot_of(made(("one", "two", "three", "four")))


def test_what_a_model_writes_cannot_break_the_picture() -> None:
    text = dot_of(made(('<b>&"\\',)))
    assert 'id="node-1"' in text
    assert "&lt;b&gt;&amp;&quot;\u29f5&#160;" in text


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz's program dot is not installed")
def test_graphviz_draws_all_of_it_the_levels_from_left_to_right(ring: SetDiagram, tmp_path: Path) -> None:
    write_set_diagram(ring, tmp_path / "sets.svg")
    groups = list(ET.parse(tmp_path / "sets.svg").iter(f"{SVG}g"))
    assert sum((group.get("id") or "").startswith("node-") for group in groups) == len(ring.nodes) + 1
    assert sum(group.get("class") == "edge" for group in groups) == len(ring.arrows)
    heads = {text.text: float(text.get("x") or 0) for text in ET.parse(tmp_path / "sets.svg").iter(f"{SVG}text")}
    assert heads["p1 (id 1)\u00a0"] < heads["p2\u00a0"] < heads["p3\u00a0"]


# --- what is refused


def test_what_is_too_large_to_be_read_is_refused_with_what_helps(
    ring: SetDiagram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "MOST_DRAWN", len(ring.nodes))
    set_diagram("chang_roberts", n=3)
    monkeypatch.setattr(building, "MOST_DRAWN", len(ring.nodes) - 1)
    with pytest.raises(UsageError, match=rf"{len(ring.nodes)} nodes .* fewer processes, or one world, as in --ids"):
        set_diagram("chang_roberts", n=3)


def test_a_diagram_is_of_one_size_and_not_of_lock_step() -> None:
    with pytest.raises(UsageError, match="one size: --n 2"):
        set_diagram("chang_roberts", n=[2, 3])
    with pytest.raises(UsageError, match="in lock-step all processes take a step together"):
        set_diagram("alternating_steps", n=2, schedule="lockstep")


def test_a_limit_that_is_reached_leaves_no_picture() -> None:
    with pytest.raises(UnfinishedError, match="before the diagram was done"):
        set_diagram("chang_roberts", n=3, limits=Limits(max_seconds=0.0))
