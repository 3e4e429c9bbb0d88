"""A diagram shows the run that it is of: read back from the SVG, for counterexamples of every sort and for random runs."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from modelcheck.pictures.diagram import diagram
from modelcheck.pictures.telling import name_of, short
from modelcheck.runs.causality import NETWORK, concerned, events, flights, relevant
from modelcheck.runs.trace import Trace
from tests.pictures import runs
from tests.pictures.reading import SVG, Picture, points_of

EMPTY = "''"
NEAR = 16.0  # an arrow's tip stops short of the dot that it points to


def read(trace: Trace, **options: bool) -> Picture:
    return Picture.of(diagram(trace, **options))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def everything() -> list[tuple[Trace, Picture]]:
    return [(trace, read(trace)) for trace in runs.everything()]


# --- every run -----------------------------------------------------------------------------------------------------


def test_every_process_has_a_lane_in_the_order_of_the_world(everything: list[tuple[Trace, Picture]]) -> None:
    for trace, picture in everything:
        names = [short(process.process) for process in trace.initial.processes]
        assert [name for name in picture.lanes if name != "shared"] == names
        assert list(picture.lanes.values()) == sorted(picture.lanes.values())
        assert ("shared" in picture.lanes) == bool(trace.initial.shared)


def test_every_event_stands_in_the_lane_of_its_process(everything: list[tuple[Trace, Picture]]) -> None:
    """But for what happens to a message between two lanes, and to the network."""
    for trace, picture in everything:
        for number, event in enumerate(events(trace)):
            group, place = picture.event(number), picture.place(number)
            assert group.get("data-process") == short(event.process)
            assert group.get("data-step") == event.step
            if event.kind not in ("lose", "duplicate", "strand") and event.process != NETWORK:
                assert place is not None
                assert place[0] == pytest.approx(picture.lanes[short(event.process)])
        assert len(picture.groups("event")) == len(events(trace))


def test_time_runs_down(everything: list[tuple[Trace, Picture]]) -> None:
    """Each event below the one before; in lock-step what a round does first may share a row."""
    for trace, picture in everything:
        placed = [(event, picture.place(number)) for number, event in enumerate(events(trace))]
        seen = [(event, place[1]) for event, place in placed if place is not None]
        for (before, higher), (after, lower) in itertools.pairwise(seen):
            if before.round is None or before.round != after.round or before.process == after.process:
                assert higher < lower


def test_every_message_is_an_arrow_from_sender_to_receiver(everything: list[tuple[Trace, Picture]]) -> None:
    for trace, picture in everything:
        taken = events(trace)
        for number, flight in enumerate(flights(trace)):
            group, ways = picture.flight(number), picture.ways(number)
            assert group.get("data-message") == flight.message
            assert (group.get("data-from"), group.get("data-to")) == (short(flight.source), short(flight.target))
            assert group.get("data-sent") == str(flight.sent)
            assert group.get("data-received") == " ".join(map(str, flight.received))
            assert f"fate-{flight.fate}" in group.get("class", "").split()
            if flight.origin != "copy" and taken[flight.sent].process != NETWORK:
                start = picture.place(flight.sent)
                assert start is not None
                assert ways[0][0] == pytest.approx((picture.lanes[short(flight.source)], start[1]), abs=0.1)
            tips = [p for p in group.iter(f"{SVG}path") if p.get("class") == "tip"]
            assert len(tips) == len(ways if flight.received else []) == len(flight.received)
            for event, way in zip(flight.received, ways, strict=False):
                end = picture.place(event)
                assert end is not None
                assert picture.lanes[short(flight.target)] == pytest.approx(end[0])
                assert abs(way[-1][0] - end[0]) <= NEAR
                assert abs(way[-1][1] - end[1]) <= NEAR


def test_what_does_not_arrive_ends_before_the_lane_of_its_receiver(everything: list[tuple[Trace, Picture]]) -> None:
    for trace, picture in everything:
        for number, flight in enumerate(flights(trace)):
            if flight.received or flight.source == flight.target:
                continue
            begin, end = picture.ways(number)[0][0][0], picture.ways(number)[-1][-1][0]
            target = picture.lanes[short(flight.target)]
            others = [x for name, x in picture.lanes.items() if name not in ("shared", short(flight.target))]
            assert abs(end - target) >= 5
            near = all(abs(end - target) < abs(end - x) for x in others if abs(x - begin) > 1)
            assert near or flight.origin == "copy" or flight.ended == flight.sent
            assert [p for p in picture.flight(number).iter() if p.get("class") == "open"] or flight.origin == "copy"


def test_every_step_is_named_and_says_what_it_changed(everything: list[tuple[Trace, Picture]]) -> None:
    for trace, picture in everything:
        for number, event in enumerate(events(trace)):
            said = picture.words(picture.event(number))
            assert name_of(event) in said
            title = picture.event(number).find(f"{SVG}title")
            assert title is not None
            for name, before, after in event.changed if event.process != NETWORK else ():
                assert " \u2192 ".join((f"{name}: {before or EMPTY}", after or EMPTY)) in (title.text or "")
                assert any(f"{name} " in words or f"{name}:" in words for words in said)


def test_changes_stand_in_groups_of_their_own(everything: list[tuple[Trace, Picture]]) -> None:
    for trace, picture in everything:
        changing = {n for n, event in enumerate(events(trace)) if event.changed and event.process != NETWORK}
        assert {int(group.get("data-event", "")) for group in picture.groups("change")} == changing


# --- what is special -----------------------------------------------------------------------------------------------


def test_the_processes_concerned_and_the_violating_step_are_red() -> None:
    trace = runs.violation("equal identifiers")
    picture = read(trace)
    assert {g.get("data-process") for g in picture.groups("concerned")} == {short(name) for name in concerned(trace)}
    ringed = [g.get("id") for g in picture.groups("violating") if "event" in g.get("class", "").split()]
    assert ringed == [f"event-{len(events(trace)) - 1}"]
    assert [w for g in picture.groups("reason") for w in picture.words(g)] == [trace.reason]


def test_a_run_against_nothing_has_nothing_red() -> None:
    picture = read(runs.violation("equal identifiers"), violated=False)
    assert picture.groups("concerned") == picture.groups("violating") == picture.groups("reason") == []
    assert len(picture.groups("said")) == 1


@pytest.mark.parametrize("name", ["lasso", "rounds"])
def test_the_bracket_of_a_lasso_holds_the_steps_that_repeat(name: str) -> None:
    trace = runs.violation(name)
    assert trace.loop is not None
    picture = read(trace)
    (bracket,) = picture.groups("loop")
    assert picture.words(bracket) == ["repeats for ever"]
    (path,) = bracket.iter(f"{SVG}path")
    heights = [float(pair.split(",")[1]) for pair in path.get("d", "").strip("MZ").split("L")]
    inside = []
    for number in range(len(events(trace))):
        place = picture.place(number)
        assert place is not None
        if min(heights) < place[1] < max(heights):
            inside.append(number)
    assert inside == list(range(len(trace.starts) + trace.loop, len(events(trace))))


def test_a_run_that_ends_has_no_bracket() -> None:
    assert read(runs.violation("equal identifiers")).groups("loop") == []


def test_a_lane_is_dotted_while_its_process_is_down() -> None:
    trace = runs.violation("crash and recovery")
    picture = read(trace)
    down = {
        lane.get("data-process"): [
            (float(line.get("y1", "")), float(line.get("y2", ""))) for line in lane if line.get("class") == "down"
        ]
        for lane in picture.groups("lane")
    }
    crash = next(n for n, event in enumerate(events(trace)) if event.kind == "crash")
    back = next(n for n, event in enumerate(events(trace)) if event.kind == "recover")
    since, until = picture.place(crash), picture.place(back)
    assert since is not None
    assert until is not None
    assert down["p1"] == []
    assert down["p2"] == [(since[1], until[1])]
    ((_, bottom),) = down["p3"]  # it is down from the beginning, and does not come back
    assert bottom > until[1]


def test_a_split_names_its_blocks_behind_their_lanes() -> None:
    trace = runs.violation("split")
    picture = read(trace)
    assert events(trace)[0].state.blocks == "p1 p2 | p3"
    parts = {part.get("data-block"): part.find(f"{SVG}rect") for part in picture.groups("part")}
    assert set(parts) == {"p1 p2", "p3"}
    for block, rect in parts.items():
        assert rect is not None
        left = float(rect.get("x", ""))
        right = left + float(rect.get("width", ""))
        assert {name for name, x in picture.lanes.items() if left < x < right} == set((block or "").split())
    assert "the network splits: p1 p2 | p3" in picture.words(picture.event(0))


def test_a_suspicion_is_marked_as_one() -> None:
    trace = runs.violation("false suspicion")
    picture = read(trace)
    (number,) = [n for n, event in enumerate(events(trace)) if event.kind == "suspect"]
    assert "?" in picture.words(picture.event(number))


def test_a_copy_leaves_the_way_of_its_original_where_it_is_made() -> None:
    trace = runs.violation("a message is duplicated")
    picture = read(trace)
    ((number, copy),) = [(n, f) for n, f in enumerate(flights(trace)) if f.origin == "copy"]
    place = picture.place(copy.sent)
    assert place is not None
    assert picture.ways(number)[0][0] == pytest.approx(place, abs=0.1)
    assert all(abs(place[0] - x) > 5 for x in picture.lanes.values())


def test_a_lost_message_ends_at_the_step_that_loses_it() -> None:
    trace = runs.violation("a message is lost")
    picture = read(trace)
    ((number, lost),) = [(n, f) for n, f in enumerate(flights(trace)) if f.fate == "lost"]
    assert lost.ended is not None
    assert picture.ways(number)[-1][-1] == pytest.approx(picture.place(lost.ended), abs=0.1)


def test_rounds_are_bands_and_their_steps_share_rows() -> None:
    trace = runs.violation("rounds")
    picture = read(trace)
    assert [g.get("data-round") for g in picture.groups("round")] == [str(k + 1) for k in range(trace.length)]
    first, second = picture.place(0), picture.place(1)
    assert first is not None
    assert second is not None
    assert events(trace)[0].process != events(trace)[1].process
    assert first[1] == second[1]


def test_the_whole_last_round_is_where_it_goes_wrong() -> None:
    """Of three processes with one identifier none does anything but what the others do; so all are red, or none."""
    trace = runs.violation("all do the same")
    picture = read(trace)
    last = {f"event-{n}" for n, event in enumerate(events(trace)) if event.round == trace.rounds}
    assert len(last) == 3
    assert {g.get("id") for g in picture.groups("violating") if g.get("id")} == last
    assert {g.get("data-process") for g in picture.groups("concerned")} == {"p1", "p2", "p3"}


def test_nothing_that_is_said_lies_under_what_stands_below_the_lanes(everything: list[tuple[Trace, Picture]]) -> None:
    for _, picture in everything:
        lowest = max((said_below(group) for group in picture.groups("flight")), default=0.0)
        (box,) = (rect for group in picture.groups("reason") for rect in group.iter(f"{SVG}rect"))
        assert lowest < float(box.get("y", ""))


def said_below(flight: ElementTree.Element) -> float:
    """How far down the words of a message reach, with the plate behind them."""
    plates = (rect for rect in flight.iter(f"{SVG}rect") if rect.get("class") == "plate")
    return max((float(plate.get("y", "")) + float(plate.get("height", "")) for plate in plates), default=0.0)


def test_starting_steps_stand_together_before_the_run() -> None:
    picture = read(runs.violation("starting steps"))
    (group,) = picture.groups("starts")
    assert picture.words(group) == ["before the run"]


def test_what_is_written_to_shared_variables_stands_in_a_lane_of_its_own() -> None:
    trace = runs.violation("shared variables")
    picture = read(trace)
    writing = [n for n, event in enumerate(events(trace)) if any(name == "network" for name, _, _ in event.changed)]
    assert [int(group.get("data-event", "")) for group in picture.groups("shared")] == writing
    for group in picture.groups("shared"):
        assert all(float(text.get("x", "")) > picture.lanes["shared"] for text in group.iter(f"{SVG}text"))


def test_what_is_read_of_shared_variables_is_drawn() -> None:
    """The step that fails has read the network and written nothing."""
    trace = runs.violation("an assertion fails")
    picture = read(trace)
    number = len(events(trace)) - 1
    assert events(trace)[number].reads == ("network",)
    wires = [wire for wire in picture.event(number) if wire.get("class") == "wire"]
    assert [points_of(wire)[-1][0] for wire in wires] == [picture.lanes["shared"]]
    assert [mark.get("class") for mark in picture.event(number).iter(f"{SVG}rect")] == ["onlyread"]
    assert "reads network = {Packet(1, 1, False)}" in picture.words(picture.event(number))


def test_a_lost_update_is_told_where_it_happens() -> None:
    """Both read {}, p2 writes, and p1 writes over that what it has read before: Packet(1, 2, False) of p2 is gone."""
    trace = runs.violation("lost update")
    picture = read(trace)
    said = [picture.words(picture.event(number)) for number in range(len(events(trace)))]
    assert [event.process[:2] for event in events(trace)] == ["p1", "p2", "p2", "p1"]
    assert ["reads network = {}" in words for words in said] == [True, True, False, False]
    assert ["lost" in " ".join(words) for words in said] == [False, False, False, True]
    (gone,) = [before for name, before, _ in events(trace)[3].changed if name == "network"]
    assert f"network was written by p2 and is overwritten unread: {gone.strip('{}')} is lost" in said[3]
    assert f"{gone.strip('{}')} is lost" in "".join(picture.event(3).itertext())


def test_a_wire_runs_between_lines_and_not_through_them(everything: list[tuple[Trace, Picture]]) -> None:
    wires = 0
    for _, picture in everything:
        for event in picture.groups("event"):
            for wire in (wire for wire in event if wire.get("class") == "wire"):
                wires += 1
                (_, y), _ = points_of(wire)
                for text in event.iter(f"{SVG}text"):
                    if float(text.get("x", "")) < picture.lanes["shared"]:
                        baseline = float(text.get("y", ""))
                        assert not baseline - 8 < y < baseline + 2, text.text
    assert wires > 5


def test_what_waits_at_the_end_of_a_run_that_is_over_has_arrived_and_is_never_taken() -> None:
    trace = runs.violation("a closed port")
    assert trace.final
    picture = read(trace)
    ((number, _),) = [(n, flight) for n, flight in enumerate(flights(trace)) if flight.fate == "waiting"]
    title = picture.flight(number).findtext(f"{SVG}title") or ""
    assert title.endswith("waits, and is never taken")
    (tip,) = [path for path in picture.flight(number).iter(f"{SVG}path") if path.get("class") == "open"]
    assert tip.get("d", "").endswith("Z")
    assert abs(points_of(tip)[0][0] - picture.lanes["p3"]) < 8
    (legend,) = picture.groups("legend")
    assert "arrived, waits, and is never taken" in picture.words(legend)
    assert not any("still on its way" in words for words in picture.words(legend))


def test_where_a_run_can_go_on_what_waits_is_still_on_its_way() -> None:
    trace = runs.violation("equal identifiers")
    assert not trace.final
    (legend,) = read(trace).groups("legend")
    assert "still on its way at the end" in read(trace).words(legend)


def test_chance_draws_and_an_adversary_chooses() -> None:
    drawn = read(runs.violation("lasso"))
    assert "draws 1 (1/2)" in drawn.words(drawn.event(0))
    assert "chooses" not in "".join(drawn.root.itertext())
    chosen = read(runs.violation("an assertion fails"))
    assert "chooses Packet(1, 1, False)" in chosen.words(chosen.event(1))


# --- the causal view -----------------------------------------------------------------------------------------------


def test_the_causal_view_greys_what_the_violation_does_not_follow_from(everything: list[tuple[Trace, Picture]]) -> None:
    for trace, picture in everything:
        assert picture.groups("aside") == []
        grey = {g.get("id") for g in read(trace, causal=True).groups("aside")}
        aside = set(range(len(events(trace)))) - relevant(trace)
        assert {name for name in grey if name and name.startswith("event")} == {f"event-{n}" for n in aside}
        for number, flight in enumerate(flights(trace)):
            if flight.sent in aside:
                assert f"flight-{number}" in grey


def test_where_every_step_is_needed_the_causal_view_says_so() -> None:
    trace = runs.violation("equal identifiers")
    assert relevant(trace) == set(range(len(events(trace))))
    picture = read(trace, causal=True)
    (legend,) = picture.groups("legend")
    assert "every step is needed: the violation follows from each" in picture.words(legend)


def test_of_a_run_against_nothing_the_causal_view_greys_what_its_end_does_not_follow_from() -> None:
    trace = replace(
        runs.violation("all do the same"), steps=runs.violation("all do the same").steps[:3], reason="so far"
    )
    first = replace(trace, steps=tuple(replace(step, round=None) for step in trace.steps))
    picture = read(first, causal=True, violated=False)
    assert [g.get("id") for g in picture.groups("event") if "aside" in g.get("class", "")] == ["event-0", "event-1"]
    (legend,) = picture.groups("legend")
    assert "grey: the last step does not follow from it" in picture.words(legend)


# --- odd input -----------------------------------------------------------------------------------------------------


def test_a_run_without_a_step_is_drawn() -> None:
    trace = replace(runs.violation("equal identifiers"), starts=(), steps=(), loop=None)
    picture = read(trace)
    assert len(picture.lanes) == 3
    assert picture.groups("event") == []


def test_whatever_a_model_says_is_legal_xml() -> None:
    trace = runs.violation("equal identifiers")
    odd = '<script>alert("1")</script> & \x00\x1b \u65e5\u672c \U0001f600 ' + "x" * 500
    step = replace(trace.steps[0], step=odd, changed=(("f", odd, ""),), choices=(odd,), failure=odd)
    picture = Picture.of(diagram(replace(trace, steps=(step, *trace.steps[1:]), reason=odd), heading=odd))
    assert not [e for e in picture.root.iter() if e.tag.endswith("script")]


def test_it_says_in_words_what_it_shows() -> None:
    trace = runs.violation("equal identifiers")
    picture = Picture.of(diagram(trace, heading="chang_roberts violates one_leader_wave"))
    assert picture.root.get("role") == "img"
    assert picture.root.findtext(f"{SVG}title") == "chang_roberts violates one_leader_wave"
    described = picture.root.findtext(f"{SVG}desc") or ""
    assert trace.reason in described
    assert all(event.step in described for event in events(trace))


def test_the_same_run_gives_the_same_bytes() -> None:
    trace = runs.violation("crash and recovery")
    assert diagram(trace) == diagram(trace)
