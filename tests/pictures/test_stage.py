"""The picture of a system says at every moment what the state of that moment is, and nothing else."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import networkx as nx
import pytest

from modelcheck.language.topology import TOPOLOGIES, Shape, grid, undirected
from modelcheck.pictures.stage.drawing import spans, stage
from modelcheck.pictures.stage.places import places
from modelcheck.pictures.stage.scene import Letter, Scene, scene
from modelcheck.runs.moments import Moment, moments
from modelcheck.runs.trace import Trace

from .runs import VIOLATED, violation, walk

SVG = "{http://www.w3.org/2000/svg}"
ROUNDABOUT = {4: "crashes and recoveries", 6: "splits", 7: "held by cuts", 8: "splits and crashes", 10: "kept messages",
              11: "lock-step", 17: "losses", 0: "a crowd of messages", 2: "a bag"}  # fmt: skip


@pytest.fixture(scope="module", params=[*VIOLATED, *ROUNDABOUT.values()])
def drawn(request: pytest.FixtureRequest) -> tuple[Trace, Scene]:
    numbers = {name: k for k, name in ROUNDABOUT.items()}
    trace = violation(request.param) if request.param in VIOLATED else walk(numbers[request.param], 1)
    return trace, scene(trace, violated=request.param in VIOLATED)


def waiting(moment: Moment) -> Counter[tuple[str, str, str]]:
    return Counter(
        (p.process.split(" (")[0], w.port, w.message) for p in moment.state.processes for w in p.waiting
    )  # fmt: skip


def is_there(letter: Letter, moment: int) -> bool:
    return moment in letter.shown and moment not in letter.struck


def test_every_letter_waits_in_the_state_of_its_moment_and_what_has_no_room_is_counted(
    drawn: tuple[Trace, Scene],
) -> None:
    _, found = drawn
    for moment in found.moments:
        shown = Counter((x.target, x.port, x.message) for x in found.letters if is_there(x, moment.number))
        more = sum(int(r.words[1:]) for r in found.remarks if r.kind == "more" and moment.number in r.shown)
        there = waiting(moment)
        assert shown <= there
        assert shown.total() + more == there.total()


def test_what_is_received_next_on_a_fifo_link_stands_nearest_to_the_door() -> None:
    """`walk(0)` is of chang_roberts on a fifo ring of 12, whose queues are long."""
    found = scene(walk(0, 1), violated=False)
    at = {body.name: body.at for body in found.bodies}
    for moment in found.moments:
        for process in moment.state.processes:
            door = process.process.split(" (")[0]
            queue = [x for x in found.letters if x.target == door and is_there(x, moment.number)]
            near = sorted(queue, key=lambda x: math.dist(place(x, moment.number), at[door]))
            assert [x.message for x in near] == [w.message for w in process.waiting][: len(near)]


def place(letter: Letter, moment: int) -> tuple[float, float]:
    return [where for since, where in letter.places if since <= moment][-1]


def test_crashed_held_and_cut_are_marked_when_they_are_and_not_otherwise(drawn: tuple[Trace, Scene]) -> None:
    trace, found = drawn
    for moment in found.moments:
        crashed = {p.process for p in moment.state.processes if p.crashed}
        looks = [(body.label, look) for body in found.bodies for look in body.looks if moment.number in look.shown]
        assert [label for label, _ in looks] == [p.process for p in moment.state.processes]
        assert {label for label, look in looks if look.crashed} == crashed
        held = sum(w.held for p in moment.state.processes for w in p.waiting)
        assert sum(moment.number in x.held for x in found.letters) <= held
        assert any(moment.number in lane.cut for lane in found.lanes) == ("|" in moment.state.blocks)
    assert {body.label for body in found.bodies if body.wrong} <= {p.process for p in trace.initial.processes}


def test_processes_have_one_colour_if_and_only_if_they_name_the_same_leader(drawn: tuple[Trace, Scene]) -> None:
    _, found = drawn
    for moment in found.moments:
        named = {}
        for body, process in zip(found.bodies, moment.state.processes, strict=True):
            (look,) = [look for look in body.looks if moment.number in look.shown]
            leader = dict(process.fields).get("leader", "None")
            if not process.crashed and leader != "None":
                assert look.belief is not None
                assert look.said.startswith("leader ")
                named[body.name] = (leader, look.belief)
        for (one, colour), (other, its) in combinations(named.values(), 2):
            assert (one == other) == (colour == its)


def test_a_lost_message_is_struck_out_at_the_moment_it_is_lost() -> None:
    found = scene(violation("a message is lost"), violated=True)
    (lost,) = [letter for letter in found.letters if letter.struck]
    (moment,) = lost.struck
    assert [step.step for step in found.moments[moment].steps] == ["lose"]
    assert moment == max(lost.shown)


def test_the_picture_holds_every_moment_so_that_a_page_can_go_to_it() -> None:
    trace = violation("starting steps")
    root = ElementTree.fromstring(stage(trace))
    assert root.get("data-last") == str(len(moments(trace)) - 1)
    letters = [g for g in root.iter(f"{SVG}g") if (g.get("class") or "").startswith("letter")]
    assert letters
    assert "more" not in {text.get("class") for text in root.iter(f"{SVG}text")}
    for moment in moments(trace):
        seen = Counter(
            (g.get("data-target"), g.get("data-port"), g.get("data-message"))
            for g in letters
            if moment.number
            in read(next(x for x in g if x.tag == f"{SVG}g").get("data-shown", f"0-{root.get('data-last')}"))
        )
        assert seen == waiting(moment)


def read(text: str | None) -> set[int]:
    found: set[int] = set()
    for span in (text or "").split():
        first, _, last = span.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def test_spans_name_each_moment_once() -> None:
    assert spans(frozenset({0, 1, 2, 3, 7, 9, 10})) == "0-3 7 9-10"
    assert read("0-3 7 9-10") == {0, 1, 2, 3, 7, 9, 10}


SHAPES = {
    "one-way ring": lambda: next(TOPOLOGIES["one_way_ring"].shapes(6)),
    "line": lambda: next(TOPOLOGIES["line"].shapes(5)),
    "star": lambda: next(TOPOLOGIES["star"].shapes(6)),
    "tree": lambda: list(TOPOLOGIES["tree"].shapes(8))[11],
    "mesh": lambda: undirected(grid(3, 4, False), "mesh 3 x 4"),
    "torus": lambda: undirected(grid(3, 4, True), "torus 3 x 4"),
    "hypercube": lambda: next(TOPOLOGIES["hypercube"].shapes(8)),
    "complete": lambda: next(TOPOLOGIES["complete"].shapes(6)),
    "any graph": lambda: list(TOPOLOGIES["any_graph"].shapes(6))[40],
    "one process": lambda: next(TOPOLOGIES["one_way_ring"].shapes(1)),
    "two processes": lambda: next(TOPOLOGIES["two_way_ring"].shapes(2)),
    "a graph that lies about its name": lambda: undirected(nx.cycle_graph(6), "mesh 2 x 3"),
    "in two parts": lambda: undirected(nx.Graph([(0, 1), (2, 3)]), "graph 0-1 2-3"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_processes_stand_apart_and_links_are_not_shorter_than_one(name: str) -> None:
    shape: Shape = SHAPES[name]()
    found = places(shape)
    assert len(found) == shape.n
    assert all(math.dist(a, b) > 0.5 for a, b in combinations(found, 2))
    assert all(math.dist(found[x.source], found[x.target]) > 0.99 for x in shape.links if x.source != x.target)


def test_a_ring_is_round_a_line_straight_and_a_mesh_square() -> None:
    ring = places(SHAPES["one-way ring"]())
    assert {round(math.hypot(x, y), 6) for x, y in ring} == {1.0}  # the hexagon's side is its radius
    assert {y for _, y in places(SHAPES["line"]())} == {0.0}
    assert places(SHAPES["mesh"]())[:5] == [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1)]


def test_no_two_links_of_a_tree_cross() -> None:
    shape = SHAPES["tree"]()
    found = places(shape)
    links = {tuple(sorted((x.source, x.target))) for x in shape.links}

    def side(a: int, b: int, c: int) -> float:
        (ax, ay), (bx, by), (cx, cy) = found[a], found[b], found[c]
        return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

    for (a, b), (c, d) in combinations(links, 2):
        if len({a, b, c, d}) == 4:
            assert not (side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0)
