"""Election by stages on a chordal ring, with chords from one candidate to the next."""

from collections.abc import Sequence
from itertools import permutations

import pytest

from modelcheck import check
from modelcheck.check.counting import count_messages
from modelcheck.semantics.worlds import Policy

from .counting import message_counts


@pytest.mark.parametrize(
    ("n", "graph", "network"),
    [(3, None, "fifo"), (4, None, "bag"), (4, None, "set"), ((1, 2, 3), "complete:oriented", "fifo")],
)
def test_it_elects_the_least(n: int, graph: str | None, network: str) -> None:
    assert check("chordal_stages", n=n, graph=graph, network=network).verdict == "HOLDS"


def test_it_elects_the_least_whoever_starts() -> None:
    assert check("chordal_stages", n=3, initiators="each").verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("chordal_stages", n=3, engine=engine) for engine in ("reference", "compiled"))
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


def hops(distance: int, chords: Sequence[int]) -> int:
    """The longest chord that does not lead too far, and so on."""
    return 0 if distance == 0 else 1 + hops(distance - max(c for c in chords if c <= distance), chords)


def total(ids: Sequence[int], chords: Sequence[int]) -> int:
    """Messages on a ring with these identifiers, stage by stage: in each all that survived the last send both ways, over all the ways between
    those that stood in it; then n - 1 tell."""
    n, sent = len(ids), 0
    stood, standing = list(range(n)), list(range(n))
    both_ways = [*chords, *(n - c for c in chords)]
    while True:
        ways = [((stood[(k + 1) % len(stood)] - place) % n or n) for k, place in enumerate(stood)]
        sent += 2 * sum(hops(way, both_ways) for way in ways)
        if len(standing) == 1:
            return sent + n - 1
        m = len(standing)
        stood, standing = (
            standing,
            [p for k, p in enumerate(standing) if ids[p] < min(ids[standing[k - 1]], ids[standing[(k + 1) % m]])],
        )


@pytest.mark.parametrize("n", [3, 4])
def test_messages_are_those_of_the_stages_whatever_the_schedule(n: int) -> None:
    for world, least, greatest in message_counts("chordal_stages", n, policy=Policy(initiators=(1,))):
        assert least == greatest == total([identifier or 0 for identifier in world.identifiers], (1, 2))


@pytest.mark.parametrize(
    "ids", [(1, 4, 2, 6, 3, 5, 7), (1, 5, 2, 6, 3, 7, 4, 8), (1, 9, 5, 10, 3, 11, 7, 12, 2, 13, 6, 14, 4, 15, 8, 16)]
)
def test_messages_pass_over_the_defeated(ids: tuple[int, ...]) -> None:
    """Several stages, of all schedules the one in lock-step."""
    assert check("chordal_stages", ids=ids, schedule="lockstep").verdict == "HOLDS"
    [count] = count_messages("chordal_stages", ids=ids, schedule="lockstep").counts
    assert count.over(0).least == count.over(0).greatest == total(ids, (1, 2))


@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_where_every_chord_is_there_messages_are_linear(n: int) -> None:
    # 2n in the first stage and in the second, which goes over the ways of the first; half as many in each that follows; n - 1 to tell.
    totals = [total(ids, range(1, n)) for ids in permutations(range(n))]
    assert min(totals) == 5 * n - 1
    assert max(totals) < 7 * n
