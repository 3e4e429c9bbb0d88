"""FloodMax: everybody says the greatest identifier that it knows, round after round."""

import pytest

from modelcheck import check
from modelcheck.check.counting import count_messages

VARIANTS = ("flood_max", "flood_max:Optimised")


@pytest.mark.parametrize("model", VARIANTS)
def test_it_elects_the_greatest_on_every_graph(model: str) -> None:
    assert check(model, n=(1, 2, 3, 4)).verdict == "HOLDS"


@pytest.mark.parametrize("model", VARIANTS)
def test_it_takes_n_rounds(model: str) -> None:
    # n - 1 in which everybody says something, or nothing new; what was said in the last is heard in one more.
    for count in count_messages(model, n=(1, 2, 3)).counts:
        rounds = count.over(count.names.index("rounds"))
        assert rounds.least == rounds.greatest == count.n


def test_each_round_takes_a_message_over_each_link_both_ways() -> None:
    for count in count_messages("flood_max", n=(2, 3, 4)).counts:
        for (links, _, _), ranges in count.ranges.items():
            assert ranges[0].least == ranges[0].greatest == 2 * links * (count.n - 1)


@pytest.mark.parametrize(
    ("ids", "sent"), [((1, 2, 3), 4 + 3), ((3, 2, 1), 4 + 3), ((1, 3, 2), 4 + 2), ((2, 1, 3), 4 + 2)]
)
def test_who_has_nothing_new_to_say_is_silent(ids: tuple[int, ...], sent: int) -> None:
    # On a line of three all four ways are used in the first round. In the second those speak who have just learnt of a greater one: the
    # middle, unless it is the greatest, to two; each end of a lesser identifier than the middle, to one.
    middle, ends = ids[1], (ids[0], ids[2])
    again = 2 * (middle < max(ends)) + sum(end < middle for end in ends)
    assert 4 + again == sent
    [count] = count_messages("flood_max:Optimised", graph="line", n=3, ids=ids).counts
    assert count.over(0).least == count.over(0).greatest == sent


def test_one_round_fewer_is_too_few_on_a_line_and_enough_on_a_complete_graph() -> None:
    assert check("flood_max:RoundTooFew", graph="line", n=3).verdict == "VIOLATED"
    assert check("flood_max:RoundTooFew", graph="complete", n=3).verdict == "HOLDS"
