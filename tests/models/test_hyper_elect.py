"""Election on an oriented hypercube, and on a complete graph whose ports say how far they lead."""

import pytest

from modelcheck import check
from modelcheck.check.counting import count_messages


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
def test_hyper_elect_elects_the_least(network: str) -> None:
    assert check("hyper_elect", n=(1, 2, 4), network=network).verdict == "HOLDS"


def test_hyper_elect_elects_whoever_starts() -> None:
    assert check("hyper_elect", n=4, initiators="each").verdict == "HOLDS"


@pytest.mark.parametrize("ids", [(8, 3, 5, 1, 7, 2, 4, 6), (1, 2, 3, 4, 5, 6, 7, 8), (5, 8, 7, 1, 2, 6, 4, 3)])
def test_a_defeated_process_knows_the_shortest_way_to_its_conqueror(ids: tuple[int, ...]) -> None:
    """Three dimensions, in which messages go through several that were defeated; of all schedules the one in lock-step."""
    assert check("hyper_elect", ids=ids, schedule="lockstep").verdict == "HOLDS"


def test_without_a_sense_of_direction_hyper_elect_goes_astray() -> None:
    assert check("hyper_elect", n=4, graph="hypercube:unoriented").verdict == "VIOLATED"


@pytest.mark.parametrize(("ids", "sent"), [((1, 2, 3, 4), 6), ((1, 2, 4, 3), 8), ((1, 3, 2, 4), 6)])
def test_the_ways_of_hyper_elect_on_a_square(ids: tuple[int, ...], sent: int) -> None:
    # Each tells its neighbour along dimension 1: four messages. Of the two that are left each tells the neighbour along dimension 2, and where
    # that was defeated (the two stand across the square) it passes it on: two or four. Then three to tell.
    one, other = min(ids[:2]), min(ids[2:])
    across = ids.index(one) % 2 != ids.index(other) % 2
    assert sent == 4 + (4 if across else 2)
    [count] = count_messages("hyper_elect", ids=ids, start="simultaneous").counts
    assert count.over(0).least == count.over(0).greatest == sent + 3


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
def test_captured_arcs_elects_somebody(network: str) -> None:
    assert check("captured_arcs", n=(1, 2, 3), network=network, initiators="each").verdict == "HOLDS"


def test_captured_arcs_elects_among_four() -> None:
    assert check("captured_arcs", n=4).verdict == "HOLDS"


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_single_candidate_captures_each_of_the_others_and_tells_it(n: int) -> None:
    [count] = count_messages("captured_arcs", n=n, initiators=[1]).counts
    assert count.over(0).least == count.over(0).greatest == 3 * (n - 1)


def test_a_captured_process_is_asked_only_once_for_its_arc() -> None:
    # At most n - 1 captures count, of two messages each. Every other candidate wastes at most one claim, and that is not answered, or
    # answered too late; then n - 1 are told.
    for count in count_messages("captured_arcs", n=(2, 3, 4), start="simultaneous").counts:
        assert count.over(0).greatest <= 5 * (count.n - 1)
