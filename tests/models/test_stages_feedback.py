"""Stages with feedback (handbook B4)."""

from collections.abc import Sequence
from itertools import permutations
from math import ceil, floor, log2

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts

ORIENTED = "two_way_ring"


def messages(ids: Sequence[int]) -> int:
    """2n in each stage and a yes from each candidate to its smaller neighbour, over all links between them, if that is smaller than
    itself; those with two yeses go on, and the last one sends 2n. n to notify."""
    n, total, candidates = len(ids), len(ids), list(enumerate(ids))
    while len(candidates) > 1:
        total += 2 * n
        yeses = dict.fromkeys(candidates, 0)
        for i, (place, own) in enumerate(candidates):
            before, after = candidates[i - 1], candidates[(i + 1) % len(candidates)]
            least = min(before[1], after[1], own)
            for other, links in ((before, (place - before[0]) % n), (after, (after[0] - place) % n)):
                if other[1] == least:
                    yeses[other] += 1
                    total += links
        candidates = [candidate for candidate in candidates if yeses[candidate] == 2]
    return total + 2 * n


@pytest.mark.parametrize("n", [1, 2, 3])
def test_it_is_correct_for_every_naming_of_the_ports(n: int) -> None:
    # Handbook B5 and K9: it survives every port naming.
    result = check("stages_feedback", n=n)
    assert result.verdict == "HOLDS"
    assert result.represented == [1, 2, 6][n - 1] * 2**n


def test_it_is_correct_where_two_survive_the_first_stage() -> None:
    for graph, ids in ((ORIENTED, "1,2,3,4"), (ORIENTED, "6,1,3,4,2,5")):
        assert check("stages_feedback", ids=ids, graph=graph).verdict == "HOLDS"


@pytest.mark.parametrize("model", ["stages_feedback", "stages_feedback:WokenYields"])
def test_it_is_correct_whoever_starts(model: str) -> None:
    result = check(model, n=[1, 2, 3], initiators="each", graph=ORIENTED)
    assert result.verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("stages_feedback", n=3, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


def test_it_can_elect_the_maximum_instead() -> None:
    result = check("stages_feedback", n=[1, 2, 3], graph=ORIENTED, parameters={"elects": "max"})
    assert result.verdict == "HOLDS"
    assert result.property("leader_is_the_maximum").verdict == "holds"


@pytest.mark.parametrize("arrangement", ["1", "1,2", "1,2,3", "1,3,2,4"])
def test_messages_do_not_depend_on_the_schedule(arrangement: str) -> None:
    # Handbook B4 [checked n<=5]; nor do they depend on the names of the ports.
    ids = tuple(map(int, arrangement.split(",")))
    for world, least, greatest in message_counts("stages_feedback", len(ids), policy=Policy(ids)):
        assert least == greatest == messages(ids), world


@pytest.mark.parametrize("n", range(1, 9))
def test_totals_over_all_arrangements(n: int) -> None:
    # At most every third survives a stage (slides), and every stage but the last has two candidates at least: so there are at most
    # floor(log_3(n/2)) + 1 of those, of 2n + n messages each; 2n in the last, n to notify. At best every second is a local minimum
    # and says no yes, and the others' lead to one survivor; of two, the other says two yeses.
    totals = [messages((1, *rest)) for rest in permutations(range(2, n + 1))]
    assert max(totals) <= 3 * n * (floor(log2(n / 2) / log2(3)) + 1) + 3 * n
    assert min(totals) == {1: 3, 2: 12}.get(n, 5 * n + ceil(n / 2))


def test_the_last_two_candidates_must_hear_two_yeses() -> None:
    # Slides: yes only to an identifier smaller than both others; catalogue L 24. n=2: one starts, 4 identifiers are received, nobody
    # says yes. With n=3 to 5 no two candidates are ever left; with n=6 there are: 12 identifiers, 4 yeses, 12 identifiers.
    for ids, length in (("1,2", 1 + 4), ("6,1,3,4,2,5", 1 + 12 + 4 + 12)):
        result = check("stages_feedback:StrictFeedback", ids=ids, graph=ORIENTED)
        assert result.exit_code == 11
        stuck = result.property("everyone_decides").trace
        assert stuck is not None
        assert stuck.length == length
    assert check("stages_feedback:StrictFeedback", n=3, graph=ORIENTED).verdict == "HOLDS"


def test_who_listens_after_a_yes_may_be_defeated_although_it_survives() -> None:
    # Catalogue L 25: smallest n=6, for two survivors must be three apart [checked: none for n<=5]. Shortest: one starts, all receive the
    # 12 identifiers, 2 its two yeses and 1 one; 2 goes on, its identifier overtakes nothing and defeats 1, and goes round both ways,
    # behind the second yes to 1.
    assert check("stages_feedback:ListensAfterYes", n=4, graph=ORIENTED).verdict == "HOLDS"
    result = check("stages_feedback:ListensAfterYes", ids="6,1,3,4,2,5", graph=ORIENTED)
    assert result.exit_code == 12
    wrong = result.property("leader_is_the_minimum").trace
    assert wrong is not None
    assert wrong.steps[-1].changed[0] == ("leader", "None", "2")
    assert wrong.length == 1 + 12 + 2 + 2 + 12


def test_a_late_yes_that_travels_on_blocks_the_survivor() -> None:
    # Catalogue L 26 [checked n=4]. 3 says yes to 2, too late; 2 passes it on to 1, which has gone on and has heard nothing from that side
    # yet: it takes neither the yes nor its own identifier behind it. 8 identifiers, 4 yeses (one of them twice), 8 identifiers, but two
    # wait. With n=3 everybody says yes to 1.
    assert check("stages_feedback:LateYesTravelsOn", n=3, graph=ORIENTED).verdict == "HOLDS"
    result = check("stages_feedback:LateYesTravelsOn", ids="4,1,2,3", graph=ORIENTED)
    assert result.exit_code == 11
    stuck = result.property("everyone_decides").trace
    assert stuck is not None
    assert stuck.length == 1 + 8 + 4 + 8 - 2


def test_links_must_keep_the_order() -> None:
    # Handbook B4 [checked n=4].
    for n, verdict in ((3, "holds"), (4, "violated")):
        result = check("stages_feedback", n=n, graph=ORIENTED, network="bag")
        assert result.property("everyone_decides").verdict == verdict


def test_numbered_stages_do_not_make_up_for_it() -> None:
    # The handbook has it that they do. On a bag with n=4 they do; with n=6 the identifier of another survivor overtakes the yes of the
    # neighbour that passes it on, and who awaits that yes is defeated. No number can tell which of the two was sent first.
    # Shortest: one starts, all receive the 12 identifiers and 2 its two yeses, and the identifier of 2 goes round both ways.
    assert check("stages_feedback:Numbered", n=4, graph=ORIENTED, network="bag").verdict == "HOLDS"
    result = check("stages_feedback:Numbered", ids="6,1,3,4,2,5", graph=ORIENTED, network="bag")
    assert result.exit_code == 12
    wrong = result.property("leader_is_the_minimum").trace
    assert wrong is not None
    assert wrong.steps[-1].changed[0] == ("leader", "None", "2")
    assert wrong.length == 1 + 12 + 2 + 12
