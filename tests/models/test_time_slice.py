"""TimeSlice and VariableSpeeds: synchronous rings on which silence and time tell."""

import pytest

from modelcheck import check
from modelcheck.check.counting import count_messages
from modelcheck.count.census import Count


def counted(model: str, ids: tuple[int, ...]) -> tuple[Count, int]:
    """The count of one assignment, and its rounds, of which there is one number."""
    [count] = count_messages(model, ids=ids).counts
    rounds = count.over(count.names.index("rounds"))
    assert rounds.least == rounds.greatest
    return count, int(rounds.least)


@pytest.mark.parametrize("model", ["time_slice", "variable_speeds"])
@pytest.mark.parametrize("ids", ["unique", "from:5"])
def test_they_elect_the_least(model: str, ids: str) -> None:
    assert check(model, n=(1, 2, 3, 4), ids=ids).verdict == "HOLDS"


@pytest.mark.parametrize("ids", [(1,), (3,), (2, 5), (4, 2), (3, 4, 5), (5, 3, 4), (2, 3, 4, 5)])
def test_a_time_slice_is_n_rounds_long(ids: tuple[int, ...]) -> None:
    # So many slices pass in silence; then the token takes n rounds for its way, and one more begins with its coming home.
    count, rounds = counted("time_slice", ids)
    assert rounds == (min(ids) - 1) * len(ids) + len(ids) + 1
    assert count.over(0).least == count.over(0).greatest == len(ids)


@pytest.mark.parametrize("ids", [(1,), (3,), (2, 5), (4, 2), (3, 4, 5), (5, 3, 4), (2, 3, 4, 5)])
def test_the_least_token_takes_two_to_its_identifier_for_each_link(ids: tuple[int, ...]) -> None:
    # The news goes round behind it, in a round for each link; one more begins with its coming home.
    count, rounds = counted("variable_speeds", ids)
    assert rounds == len(ids) * 2 ** min(ids) + len(ids) + 1
    tokens = count.over(count.names.index("Token"))
    # The least goes all the way; the one of identifier v has had time for as many links as it has had multiples of 2^v rounds.
    least = min(ids)
    assert len(ids) <= tokens.least <= tokens.greatest
    assert tokens.greatest <= len(ids) + sum(len(ids) * 2**least // 2**v for v in ids if v != least)


def test_fewer_than_two_tokens_for_each_process_are_sent() -> None:
    for count in count_messages("variable_speeds", n=(1, 2, 3, 4), ids="from:5").counts:
        assert count.over(count.names.index("Token")).greatest < 2 * count.n


@pytest.mark.parametrize(("model", "verdict"), [("time_slice", "VIOLATED"), ("variable_speeds", "HOLDS")])
def test_where_nobody_keeps_time_silence_tells_nothing_and_the_least_token_still_comes_home(
    model: str, verdict: str
) -> None:
    found = check(model, n=(1, 2, 3), schedule="any", property="leader_is_the_minimum")
    assert found.verdict == verdict
    assert found.broken == ("any interleaving (written for lock-step)",)


def test_whoever_begins_later_does_not_know_that_others_have_counted() -> None:
    # 2 leads in the round after its n (2 - 1) rounds of silence, and 1 as soon as it wakes up, in the same.
    assert check("time_slice:BeginsLater", n=1).verdict == "HOLDS"
    result = check("time_slice:BeginsLater", n=2)
    trace = result.property("at_most_one_leader").trace
    assert trace is not None
    assert trace.length == 2 * (2 - 1) + 1
    assert result.property("everyone_decides").verdict == "holds"
