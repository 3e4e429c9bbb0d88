"""AsFar on a two-way ring (handbook B6)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import pytest

from modelcheck import check, two_way_ring
from modelcheck.semantics.worlds import Policy

from .counting import message_counts


def reach(ids: Sequence[int], place: int, way: int) -> int:
    """How many links to the next smaller identifier in this direction; all the way round for the smallest."""
    n = len(ids)
    return next((d for d in range(1, n) if ids[(place + way * d) % n] < ids[place]), n)


def most_messages(ids: Sequence[int]) -> int:
    """Everyone chooses the direction in which the next smaller is further, and the larger ones travel first; then n times Notify."""
    return sum(max(reach(ids, i, 1), reach(ids, i, -1)) for i in range(len(ids))) + len(ids)


@pytest.mark.parametrize(("n", "network"), [(1, "fifo"), (2, "fifo"), (3, "fifo"), (2, "set"), (3, "bag")])
@pytest.mark.parametrize("model", ["as_far_bidirectional", "as_far_bidirectional:WokenStands"])
def test_it_is_correct_for_every_naming_of_the_ports(n: int, network: str, model: str) -> None:
    # Slides: local orientation. (All directions, equal delays, n<=7: handbook B6 [checked].)
    result = check(model, n=n, network=network, initiators="each")
    assert result.verdict == "HOLDS"
    assert result.represented == [1, 2, 6][n - 1] * 2**n * (2**n - 1)


def test_it_is_correct_on_a_ring_of_four() -> None:
    assert check("as_far_bidirectional", n=4, graph="two_way_ring").verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("as_far_bidirectional", n=3, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


def test_it_can_elect_the_maximum_or_start_in_one_direction() -> None:
    assert check("as_far_bidirectional", n=[1, 2, 3], parameters={"elects": "max"}).verdict == "HOLDS"
    assert check("as_far_bidirectional:OneWay", n=[1, 2, 3]).verdict == "HOLDS"


@pytest.mark.parametrize("model", ["as_far_bidirectional", "prob_as_far"])
@pytest.mark.parametrize("arrangement", ["1", "1,2", "1,2,3", "1,3,2,4"])
def test_messages_when_all_start_first(arrangement: str, model: str) -> None:
    # Over all directions and schedules. Fewest: the smallest goes round first, against the direction of all others, which are
    # stopped at once: n + (n - 1) + n.
    ids = tuple(map(int, arrangement.split(",")))
    counts = list(message_counts(model, len(ids), policy=Policy(ids), start="simultaneous"))
    assert min(least for _, least, _ in counts) == 3 * len(ids) - 1
    assert max(greatest for *_, greatest in counts) == most_messages(ids)


@pytest.mark.parametrize("n", range(1, 9))
def test_greatest_total_over_all_arrangements(n: int) -> None:
    # As on a one-way ring: the j-th smallest meets a smaller one after n - j + 1 links at the latest.
    assert max(most_messages((1, *rest)) for rest in permutations(range(2, n + 1))) == n * (n + 1) // 2 + n


@pytest.mark.parametrize("n", [1, 2, 3])
def test_if_only_the_smallest_starts_in_time_nobody_else_sends_its_own(n: int) -> None:
    for _, least, _ in message_counts("as_far_bidirectional", n):
        assert least == 2 * n


@pytest.mark.parametrize("n", [1, 2, 3])
def test_in_one_direction_it_is_the_one_way_protocol(n: int) -> None:
    # Total and mean are those of AsFar and of Chang and Roberts: n H_n + n (handbook A5).
    oriented = next(two_way_ring.shapes(n))
    totals = []
    for world, least, greatest in message_counts("as_far_bidirectional:OneWay", n, start="simultaneous"):
        if world.shape == oriented:
            ids = [identifier or 0 for identifier in world.identifiers]
            assert least == greatest == sum(reach(ids, i, 1) for i in range(n)) + n, world
            totals.append(least)
    assert Fraction(sum(totals), len(totals)) == n * sum(Fraction(1, k) for k in range(1, n + 1)) + n


@pytest.mark.parametrize("n", [2, 3])
def test_whoever_leads_on_the_smallest_so_far_is_taken_in_by_a_duplicate(n: int) -> None:
    # Catalogue L 31. The smallest starts, its message is doubled, the neighbour passes the first on and leads on the second: 4 steps. The
    # first goes on: n - 1 more receptions, and the smallest leads, too.
    result = check("as_far_bidirectional:BestSoFarLeads", n=n, graph="two_way_ring", duplications=1)
    assert result.exit_code == 12
    wrong, two = (result.property(name).trace for name in ("leader_is_the_minimum", "at_most_one_leader"))
    assert wrong is not None
    assert wrong.length == 4
    assert two is not None
    assert two.length == 4 + n - 1
    # Nothing of the kind without duplicates, or where the own identifier wins.
    assert check("as_far_bidirectional:BestSoFarLeads", n=n).verdict == "HOLDS"
    assert check("as_far_bidirectional", n=n, graph="two_way_ring", duplications=1).verdict == "HOLDS"
