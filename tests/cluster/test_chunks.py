"""How the order of worlds is cut: every world is in one chunk, and chunks take about as long as they should."""

from __future__ import annotations

import pytest

from modelcheck.cluster.chunks import FIRST, LEAST, SECONDS, Chunks
from modelcheck.cluster.station import Stretch


@pytest.mark.parametrize("worlds", [1, 7, FIRST, FIRST + 1, 1000, 54_321])
@pytest.mark.parametrize("pace", [0.0001, 0.01, 30.0])
def test_every_world_is_in_one_chunk(worlds: int, pace: float) -> None:
    chunks, seen = Chunks(), list[int]()
    while (chunk := chunks.take(4, worlds - len(seen))) is not None:
        inside = [order for order in chunk if order <= worlds]
        seen += inside
        chunks.learned(chunk, len(inside), pace * len(inside))
    assert seen == list(range(1, worlds + 1))


def test_chunks_grow_until_they_take_long_enough_and_shrink_at_the_end() -> None:
    chunks, sizes, left = Chunks(), list[int](), 100_000
    while left > 0 and (chunk := chunks.take(2, left)) is not None:
        sizes.append(len(chunk))
        left -= len(chunk)
        chunks.learned(chunk, len(chunk), len(chunk) / 500)
    assert sizes[:3] == [FIRST, 4 * FIRST, 16 * FIRST]
    assert max(sizes) == 500 * SECONDS
    assert sizes[-1] <= 500 * LEAST


def test_what_a_lost_worker_had_is_handed_out_again_first() -> None:
    chunks = Chunks()
    lost, other = chunks.take(2, 1000), chunks.take(2, 1000)
    assert lost is not None
    assert other is not None
    chunks.again(lost)
    assert chunks.take(2, 1000) == lost
    chunks.learned(other, 3, 1.0)  # it reaches beyond the last world
    assert chunks.take(2, 1000) is None


def test_a_stretch_leaves_out_what_is_done() -> None:
    stretch = Stretch(range(3, 7), frozenset({4}))
    assert [order for order in range(1, 10) if order in stretch] == [3, 5, 6]
    assert (stretch.passed, stretch.last) == (4, 6)
