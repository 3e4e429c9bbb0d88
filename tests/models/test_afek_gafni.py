"""Afek and Gafni's election on a complete graph: capturing one by one."""

from fractions import Fraction

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts


@pytest.mark.parametrize(("n", "network"), [(1, "fifo"), (2, "fifo"), (3, "fifo"), (4, "fifo"), (3, "bag"), (3, "set")])
def test_it_is_correct(n: int, network: str) -> None:
    assert check("afek_gafni", n=n, network=network).verdict == "HOLDS"


def test_it_is_correct_whoever_starts() -> None:
    assert check("afek_gafni", n=3, initiators="each").verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("afek_gafni", n=3, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_messages_of_one_candidate(n: int) -> None:
    # It captures each of the others for a Capture and an Ask, and tells each.
    for _, least, greatest in message_counts("afek_gafni", n, policy=Policy(initiators=(1,))):
        assert least == greatest == 3 * (n - 1)


@pytest.mark.parametrize("n", [2, 3])
def test_the_bound_on_the_number_of_messages(n: int) -> None:
    # At most n / (k+1) candidates reach level k, and a Capture from there causes three more messages at most: Ask the owner, its
    # leave, Ask the new one.
    bound = 4 * sum(Fraction(n, k + 1) for k in range(n - 1)) + n - 1
    assert all(greatest <= bound for _, _, greatest in message_counts("afek_gafni", n))


def test_all_start_two_captures_and_one_that_is_ignored() -> None:
    # Two processes: 1's Capture is ignored, 2's is answered with an Ask, and 2 tells 1.
    for _, least, greatest in message_counts("afek_gafni", 2, start="simultaneous"):
        assert least == greatest == 2 + 1 + 1


@pytest.mark.parametrize("n", [2, 3, 4])
def test_even_without_asking_the_owner_only_one_leads(n: int) -> None:
    assert check("afek_gafni:ChangesWithoutAsking", n=n).verdict == "HOLDS"
