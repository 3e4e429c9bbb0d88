"""Networks that split, with worlds that stand for others; and what is refused of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import UsageError, check
from modelcheck.check.result import Result
from modelcheck.semantics.partitions import MOST_TO_SPLIT
from modelcheck.semantics.worlds import Policy
from tests.semantics.test_partitions import TALKS, Explore
from tests.semantics.test_system import RACE


@pytest.mark.parametrize(
    ("topology", "knows", "ids", "initiators"),
    [
        ("one_way_ring", (), "unique", "each"),
        ("one_way_ring", (), "any", "size:2"),
        ("two_way_ring", ("root",), "unique", "size:1"),
        ("two_way_ring.unoriented", (), "unique", (1,)),
        ("complete", ("neighbours",), "unique", "size:2"),
        ("line.unoriented", (), "any", (1, 3)),
        ("any_graph", ("neighbours",), "unique", "size:1"),
    ],
)
def test_reduced_worlds_weighted_make_up_the_unreduced_ones_where_the_network_splits(
    explored: Explore, topology: str, knows: tuple[str, ...], ids: str, initiators: Any
) -> None:
    text = RACE.replace("{topology}", topology).replace("{knows}", repr(knows))
    sums = []
    for symmetry in (True, False):
        total = [0, 0, 0, 0]
        for each in explored(text, 3, Policy(ids, initiators, symmetry), partitions=1, heals=1):
            for k, count in enumerate((*each.counts[:3], 1)):
                total[k] += each.world.weight * count
        sums.append(total)
    assert sums[0] == sums[1]


@pytest.mark.parametrize("topology", ["one_way_ring", "complete", "line"])
def test_reduced_and_unreduced_runs_give_the_same_verdicts_where_properties_see_the_blocks(
    write: Callable[..., str], topology: str
) -> None:
    text = RACE.replace("{topology}", topology).replace("{knows}", "()")
    text += """
@always
def a_block_that_is_alone_has_no_news(view):
    return all(p.best in (None, p.id) for b in view.blocks if len(b) == 1 for p in b)
@always
def one_best_in_each_block(view):
    return all(len({p.best for p in b} - {None}) <= 2 for b in view.blocks)
@at_the_end
def majorities_agree(view):
    return all(len({p.best for p in b}) == 1 for b in view.blocks if 2 * len(b) > len(view.processes))
"""
    path = write(text)
    reduced, whole = (check(path, n=3, initiators="size:2", symmetry=s, partitions=1) for s in (True, False))
    assert reduced.represented == whole.represented == whole.worlds
    verdicts = {p.verdict for p in reduced.properties}
    assert verdicts == {"holds", "violated"}
    for one, other in zip(reduced.properties, whole.properties, strict=True):
        assert (one.name, one.verdict) == (other.name, other.verdict)
        assert (one.trace and one.trace.length) == (other.trace and other.trace.length)


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"partitions": -1}, "must not be negative"),
        ({"partitions": 1, "heals": -1}, "must not be negative"),
        ({"heals": 1}, "nothing can heal"),
        ({"across": "held"}, "there are no partitions"),
        ({"partitions": 1, "across": "hold"}, "did you mean held"),
        ({"partitions": 1, "network": "sticky"}, "sticky"),
        ({"partitions": 1, "n": MOST_TO_SPLIT + 1}, "1,023 ways"),
        ({"partitions": 1, "detector": "heartbeats"}, "--detector is heartbeat, perfect"),
    ],
)
def test_what_has_no_meaning_is_refused_with_the_reason(
    run: Callable[..., Result], options: dict[str, Any], words: str
) -> None:
    text = TALKS.replace("{numbers}", "(1,)").replace('("fifo"', '("sticky", "fifo"')
    with pytest.raises(UsageError, match=words):
        run(text, **{"network": "fifo"} | options)
