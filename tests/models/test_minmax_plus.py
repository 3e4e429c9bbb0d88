"""MinMax+ (handbook A11)."""

from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import log2
from pathlib import Path
from typing import Any

import pytest

from modelcheck import Limits, check

from .counting import message_counts

FIBONACCI = (0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89)
VARIANTS = [(meeting, index) for meeting in (True, False) for index in (2, 1)]

# Least, greatest and mean of every arrangement, by the program below (the published rules, process by process, in lock-step).
TABLE = {
    1: (2, 2, Fraction(2)),
    2: (6, 6, Fraction(6)),
    3: (9, 11, Fraction(10)),
    4: (12, 15, Fraction(43, 3)),
    5: (15, 23, Fraction(457, 24)),
    6: (18, 28, Fraction(661, 24)),
    7: (21, 33, Fraction(7687, 240)),
    8: (24, 42, Fraction(36943, 1008)),
}
IS_EXTREME = """
from modelcheck import always

@always
def the_minimum_leads(view):
    return all(p.leader in (None, min(q.id for q in view.processes)) for p in view.processes)

@always
def the_maximum_leads(view):
    return all(p.leader in (None, max(q.id for q in view.processes)) for p in view.processes)
"""


def model(meeting: bool) -> str:
    return "minmax_plus" if meeting else "minmax_plus:ByDistanceOnly"


def total(ids: Sequence[Any], *, meeting: Any = True, index: Any = 2) -> int:
    """All messages of one arrangement in lock-step: in each round of the clock every process handles one envelope."""
    n = len(ids)
    last = [(label, 1) for label in ids]  # every label is promoted to round 1 by its origin
    links = [deque([(ids[k - 1], 1, FIBONACCI[1 + index] - 1)]) for k in range(n)]  # into process k
    messages = n
    while True:
        moved = []
        for k in range(n):
            if not links[k]:
                continue
            label, round, count = links[k].popleft()
            (last_label, last_round), odd = last[k], round % 2 == 1
            if (label, round) == last[k]:
                assert not any(links), "an envelope is left when the leader is found"
                return messages + n
            if round == last_round and (label > last_label if odd else label < last_label):
                continue
            if odd:
                promoted = count == 0 or (meeting and round == last_round)
            else:
                promoted = last_round == round - 1 and label > last_label
            if promoted:
                round += 1
                count = FIBONACCI[round + index]
            last[k] = (label, round)
            moved.append(((k + 1) % n, (label, round, count - 1)))
        for k, envelope in moved:
            links[k].append(envelope)
        messages += len(moved)


@pytest.mark.parametrize(("meeting", "index"), VARIANTS)
def test_it_elects_somebody_as_all_published_programs_do(meeting: bool, index: int) -> None:
    assert check(model(meeting), n=[1, 2, 3, 4], parameters={"index": index}).verdict == "HOLDS"


def test_it_elects_somebody_whoever_starts() -> None:
    assert check("minmax_plus", n=[1, 2, 3, 4], initiators="each").verdict == "HOLDS"


def test_five_processes_elect_somebody() -> None:
    assert check("minmax_plus", n=5).verdict == "HOLDS"


@pytest.mark.parametrize("elects", ["min", "max"])
def test_an_extreme_can_be_collected(elects: str) -> None:
    result = check("minmax_plus:ElectsAnExtreme", n=[1, 2, 3, 4], parameters={"elects": elects})
    assert result.verdict == "HOLDS"
    assert result.property(f"leader_is_the_{elects}imum").verdict == "holds"


def test_without_collecting_neither_extreme_need_lead(tmp_path: Path) -> None:
    (tmp_path / "extreme.py").write_text(IS_EXTREME)
    result = check("minmax_plus", n=4, spec=str(tmp_path / "extreme.py"))
    assert [p.verdict for p in result.properties if p.name.startswith("the_")] == ["violated", "violated"]


@pytest.mark.parametrize(("meeting", "index"), VARIANTS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_no_schedule_changes_the_total_of_an_arrangement(n: int, meeting: bool, index: int) -> None:
    # Each process has one incoming fifo link and sends its own envelope first, so what it sends is a function of what it
    # receives (Kahn 1974): lock-step shows the total of every schedule.
    for world, least, greatest in message_counts(model(meeting), n, parameters={"index": index}):
        assert least == greatest == total(world.identifiers, meeting=meeting, index=index)


@pytest.mark.parametrize("n", TABLE)
def test_least_greatest_and_mean_over_the_arrangements(n: int) -> None:
    totals = [total((1, *others)) for others in permutations(range(2, n + 1))]
    assert (min(totals), max(totals), Fraction(sum(totals), len(totals))) == TABLE[n]
    assert min(totals) == n * min(3, n + 1)  # handbook, Table J


def test_at_worst_it_needs_fewer_messages_than_minmax_from_three_processes_on() -> None:
    # MinMax: n (k+1), k the largest with F_k <= n. The published bound is 1.271 n lg n + O(n); here 2.5 n does for O(n).
    minmax = {3: 12, 4: 16, 5: 25, 6: 30, 7: 35, 8: 48}
    assert all(TABLE[n][1] < worst for n, worst in minmax.items())
    assert all(worst <= 1.271 * n * log2(n) + 2.5 * n for n, (_, worst, _) in TABLE.items())


def test_where_messages_overtake_two_may_lead_and_envelopes_are_promoted_for_ever() -> None:
    # Handbook A11 (ii): unbounded from three processes on; two stand it.
    assert check("minmax_plus", n=2, network="bag").verdict == "HOLDS"
    result = check("minmax_plus", ids="1,2,3", network="bag", limits=Limits(max_states=6_000))
    assert result.exit_code == 12
    assert result.property("at_most_one_leader").verdict == "violated"
    assert "Envelope" in result.growth
