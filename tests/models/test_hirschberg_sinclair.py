"""Hirschberg and Sinclair (handbook B1)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import ceil, log2
from pathlib import Path
from statistics import mean

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts

ALONE = """
from modelcheck import always

@always
def the_decided_are_left_alone(view):
    return all(t.target.status == "undecided" or "Leader" in str(t.message) for t in view.in_transit())
"""


def messages(ids: Sequence[int], growth: int = 2) -> int:
    """With everyone started: in phase k a candidate's probe goes min(2^k, the distance to the next greater) far each way, and a
    reply comes back over 2^k where that is not reached; both replies let it go on. Then n times Leader. (`growth` for 2.)"""
    n, total = len(ids), len(ids)
    for i, own in enumerate(ids):
        free = [next((d for d in range(1, n) if ids[(i + way * d) % n] > own), n) for way in (1, -1)]
        reach = 1
        while True:
            total += sum(min(reach, d) + (reach if reach < d else 0) for d in free)
            if min(free) <= reach:
                break
            reach *= growth
    return total


def average(n: int) -> Fraction:
    """Over the arrangements: in phase k a probe makes its hop h if its origin is the greatest of the 2^(k-1) behind it and the
    max(2^(k-1), h - 1) before it, and is replied to if it is the greatest of the 2^(k-1) behind and the 2^k before."""
    hops, reach, behind = Fraction(0), 1, 0
    while True:
        hops += sum(Fraction(2, min(n, behind + max(behind, h - 1) + 1)) for h in range(1, min(reach, n) + 1))
        if reach >= n:
            return n * hops + n
        hops += Fraction(2 * reach, min(n, behind + reach + 1))
        reach, behind = 2 * reach, reach


@pytest.mark.parametrize(("n", "network"), [(1, "fifo"), (2, "fifo"), (3, "fifo"), (2, "set"), (3, "bag")])
def test_it_is_correct_for_every_naming_of_the_ports(n: int, network: str) -> None:
    # No sense of direction, no order of messages (handbook B1, K9).
    result = check("hirschberg_sinclair", n=n, network=network)
    assert result.verdict == "HOLDS"
    assert result.represented == [1, 2, 6][n - 1] * 2**n


@pytest.mark.parametrize(("n", "network"), [(2, "bag"), (3, "fifo")])
def test_it_is_correct_whoever_starts(n: int, network: str) -> None:
    assert check("hirschberg_sinclair", n=n, network=network, initiators="each").verdict == "HOLDS"


def test_it_is_correct_on_a_ring_of_four() -> None:
    assert check("hirschberg_sinclair", n=4, graph="two_way_ring").verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("hirschberg_sinclair", n=3, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


def test_it_can_elect_the_minimum() -> None:
    assert check("hirschberg_sinclair", n=[1, 2, 3], parameters={"elects": "min"}).verdict == "HOLDS"


@pytest.mark.parametrize("variation", ["WokenStands", "LeadsEarly"])
def test_its_variations_are_correct(variation: str) -> None:
    assert check(f"hirschberg_sinclair:{variation}", n=[1, 2, 3]).verdict == "HOLDS"


@pytest.mark.parametrize("arrangement", ["unique", (4, 1, 3, 2)])
def test_messages_when_all_start_first(arrangement: str | tuple[int, ...]) -> None:
    # No schedule makes a difference, nor do the names of the ports.
    n = 3 if arrangement == "unique" else 4
    for world, least, greatest in message_counts(
        "hirschberg_sinclair", n, policy=Policy(arrangement), start="simultaneous"
    ):
        ids = [identifier or 0 for identifier in world.identifiers]
        assert least == greatest == messages(ids), world


@pytest.mark.parametrize("n", [1, 2, 3])
def test_those_who_sleep_longest_send_least(n: int) -> None:
    # Turned into relays by the greatest, which alone sends: 4 times 2^k in every phase with 2^k < n, then 2n, then n.
    powers = sum(2**k for k in range(n) if 2**k < n)
    for world, least, greatest in message_counts("hirschberg_sinclair", n):
        ids = [identifier or 0 for identifier in world.identifiers]
        assert (least, greatest) == (4 * powers + 3 * n, messages(ids)), world


@pytest.mark.parametrize("n", range(1, 9))
def test_totals_over_all_arrangements(n: int) -> None:
    # Fewest with a single local minimum, which sends 2; the others but the greatest send 2 and are sent 1; see above for the greatest.
    # No more than 8n + 8 ceil(n lg n) (Franklin's note, CACM 25(5), on this protocol).
    totals = [messages((n, *rest)) for rest in permutations(range(1, n))]
    assert min(totals) == (6 * n - 8 + 4 * 2 ** ceil(log2(n)) if n > 1 else 3)
    assert Fraction(mean(map(Fraction, totals))) == average(n)
    assert max(totals) <= 8 * n + 8 * ceil(n * log2(n))


def test_stragglers_reach_those_who_have_decided(tmp_path: Path) -> None:
    # A reply to a probe that runs ahead of the winner's last one follows no other message back. Not before n=4: with n=3 the
    # winner's replies of the second phase come behind it. Handbook B1 has it that leading on the second own probe prevents this.
    (tmp_path / "alone.py").write_text(ALONE)
    for ids, verdict in (("1,2,3", "holds"), ("1,3,2,4", "violated")):
        result = check("hirschberg_sinclair", ids=ids, graph="two_way_ring", spec=str(tmp_path / "alone.py"))
        assert result.property("the_decided_are_left_alone").verdict == verdict
