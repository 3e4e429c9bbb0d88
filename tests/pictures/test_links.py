"""On a link that keeps the order of sending no message is drawn to overtake another: over random runs, read back from the SVG."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from modelcheck.pictures.diagram import diagram
from modelcheck.pictures.geometry import crosses
from modelcheck.runs.causality import Flight, flights
from modelcheck.runs.trace import Trace
from tests.pictures import runs
from tests.pictures.reading import Picture, Point

FIFO = (
    ("chang_roberts", 6, 30, {"start": "simultaneous"}),
    ("stages", 4, 40, {}),
    ("stages", 4, 40, {"losses": 3}),
    ("hirschberg_sinclair", 5, 40, {}),
    ("mega_merger", 4, 40, {"graph": "mesh"}),
    ("bully", 4, 25, {"crashes": 1, "recoveries": 1}),
    ("bully_partition", 4, 20, {"partitions": 2, "heals": 1, "cuts_reported": True}),
    ("lamport_mutex_election", 3, 40, {}),
    ("alternating_steps", 5, 40, {}),
)  # names, processes, steps, circumstances
SEEDS = range(3)


@pytest.fixture(scope="module")
def drawn() -> list[tuple[Trace, Picture]]:
    found = [
        runs.walked(model, n, steps, options | {"network": "fifo"}, seed=seed)
        for (model, n, steps, options), seed in itertools.product(FIFO, SEEDS)
    ]
    return [(trace, Picture.of(diagram(trace))) for trace in found]


def links(trace: Trace) -> Iterator[list[tuple[int, Flight]]]:
    """The messages of each link in the order of sending. What the failure detector says is in no queue, and what a process that
    is down ignores does not wait its turn."""
    known = sorted(enumerate(flights(trace)), key=lambda one: (one[1].source, one[1].target, one[1].port, one[1].sent))
    for (source, target, _), messages in itertools.groupby(
        known, lambda one: (one[1].source, one[1].target, one[1].port)
    ):
        if source != target:
            yield [one for one in messages if one[1].origin == "protocol" and one[1].fate != "ignored"]


def whole_way(picture: Picture, number: int) -> list[Point]:
    """The way of a flight; one that fades is drawn in pieces."""
    return [point for piece in picture.ways(number) for point in piece]


def height(way: list[Point], x: float) -> float | None:
    """How low a way is over this place."""
    for (x0, y0), (x1, y1) in itertools.pairwise(way):
        if min(x0, x1) <= x <= max(x0, x1) and x0 != x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return None


def test_wherever_two_messages_of_a_link_pass_the_one_sent_first_is_above(drawn: list[tuple[Trace, Picture]]) -> None:
    compared = 0
    for trace, picture in drawn:
        for messages in links(trace):
            ways = {number: whole_way(picture, number) for number, _ in messages}
            for (one, first), (other, second) in itertools.combinations(messages, 2):
                xs = [x for x, _ in (*ways[one], *ways[other])]
                for place in range(25):
                    x = min(xs) + (max(xs) - min(xs)) * place / 24
                    higher, lower = height(ways[one], x), height(ways[other], x)
                    if higher is not None and lower is not None:
                        compared += 1
                        assert higher <= lower + 1, (str(trace.world), first, second)
    assert compared > 1000


def test_what_still_waits_ends_below_what_has_arrived_before_it(drawn: list[tuple[Trace, Picture]]) -> None:
    waiting = 0
    for trace, picture in drawn:
        for messages in links(trace):
            for (arrived, first), (number, second) in itertools.combinations(messages, 2):
                if first.received and second.fate == "waiting":
                    waiting += 1
                    assert whole_way(picture, number)[-1][1] > whole_way(picture, arrived)[-1][1]
    assert waiting > 5


def test_ways_that_only_touch_do_not_cross() -> None:
    assert crosses(((0.0, 0.0), (10.0, 10.0)), ((0.0, 10.0), (10.0, 0.0)))
    assert not crosses(((0.0, 0.0), (10.0, 10.0)), ((0.0, 0.0), (10.0, 5.0)))
    assert not crosses(((0.0, 0.0), (10.0, 0.0)), ((0.0, 1.0), (10.0, 1.0)))
