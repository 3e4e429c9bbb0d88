"""Peterson's basic algorithm on a one-way ring."""

from collections import deque
from collections.abc import Sequence
from itertools import permutations
from math import floor, log2

import pytest

from modelcheck import check

from .counting import message_counts


def total(ids: Sequence[int]) -> int:
    """All messages of one arrangement, by running the paper's program: each process receives from one other, and sends its own value
    first, so that no schedule and no set of initiators makes a difference (Kahn 1974). The announcement is n more."""
    links = [deque([ids[i - 1]]) for i in range(len(ids))]  # what is on its way to each
    value, first, active, sent = list(ids), [0] * len(ids), [True] * len(ids), len(ids)

    def send(i: int, what: int) -> None:
        nonlocal sent
        sent += 1
        links[(i + 1) % len(ids)].append(what)

    while True:
        i = next(i for i, link in enumerate(links) if link)
        received = links[i].popleft()
        if received == ids[i]:
            break
        if not active[i]:
            send(i, received)
        elif not first[i]:
            first[i] = received
            send(i, max(value[i], received))
        else:
            active[i] = first[i] >= max(value[i], received)
            if active[i]:
                value[i], first[i] = first[i], 0
                send(i, value[i])
    # what is still on its way comes to the elected in front of its announcement
    while any(links[j] for j in range(len(ids)) if j != i):
        j = next(j for j, link in enumerate(links) if link and j != i)
        received = links[j].popleft()
        if not active[j]:
            send(j, received)
        elif not first[j]:
            first[j] = received
            send(j, max(value[j], received))
        else:
            active[j] = first[j] >= max(value[j], received)
            if active[j]:
                value[j], first[j] = first[j], 0
                send(j, value[j])
    return sent + len(ids)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_it_is_correct(n: int) -> None:
    assert check("peterson", n=n).verdict == "HOLDS"


def test_it_is_correct_whoever_starts() -> None:
    assert check("peterson", n=3, initiators="each").verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("peterson", n=3, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_messages_are_those_of_the_program_in_the_paper(n: int) -> None:
    for world, least, greatest in message_counts("peterson", n):
        assert least == greatest == total([identifier or 0 for identifier in world.identifiers])


@pytest.mark.parametrize("n", range(2, 9))
def test_bounds_on_the_number_of_messages(n: int) -> None:
    # Fewest where one phase leaves one value, at the process after its owner: 2n, then n-1 home, then n.
    totals = [total((n, *rest)) for rest in permutations(range(1, n))]
    assert min(totals) == 2 * n + (n - 1) + n
    assert max(totals) <= 2 * n * floor(log2(n)) + 3 * n


def test_the_test_for_the_own_identifier_does_not_suit_the_improved_algorithm() -> None:
    # On a ring with 1,2,5,3,4 in this order 4 survives at the process of 2, and comes by its own process, which is active with 5.
    found = check("peterson:ByTurns", ids=(1, 2, 5, 3, 4), initiators=(1,)).property("leader_is_the_maximum")
    assert found.verdict == "violated"


def test_where_messages_overtake_the_wrong_one_may_be_elected() -> None:
    assert check("peterson", n=4, network="bag").property("leader_is_the_maximum").verdict == "violated"
