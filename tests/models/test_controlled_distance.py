"""Controlled distance (handbook B2)."""

from itertools import permutations
from math import ceil, log2

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts
from .test_hirschberg_sinclair import messages


@pytest.mark.parametrize(("n", "network"), [(1, "fifo"), (2, "fifo"), (3, "fifo"), (2, "set"), (3, "bag")])
def test_it_is_correct_for_every_naming_of_the_ports(n: int, network: str) -> None:
    # Local orientation and no order of messages (slides; handbook B2, K9).
    result = check("controlled_distance", n=n, network=network)
    assert result.verdict == "HOLDS"
    assert result.represented == [1, 2, 6][n - 1] * 2**n


@pytest.mark.parametrize(("n", "network"), [(2, "bag"), (3, "fifo")])
def test_it_is_correct_whoever_starts(n: int, network: str) -> None:
    assert check("controlled_distance", n=n, network=network, initiators="each").verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("controlled_distance", n=2, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize("parameters", [{"elects": "max"}, {"dis": 3}])
def test_it_can_elect_the_maximum_or_treble_the_distance(parameters: dict[str, object]) -> None:
    assert check("controlled_distance", n=[1, 2, 3], graph="two_way_ring", parameters=parameters).verdict == "HOLDS"


@pytest.mark.parametrize("variation", ["WokenStands", "LeadsEarly"])
def test_the_woken_may_stand_and_the_first_to_come_round_may_lead(variation: str) -> None:
    assert check(f"controlled_distance:{variation}", n=[1, 2, 3], graph="two_way_ring").verdict == "HOLDS"


@pytest.mark.parametrize(("dis", "arrangement"), [(2, "unique"), (3, "unique"), (2, (1, 4, 2, 3))])
def test_messages_when_all_start_first(dis: int, arrangement: str | tuple[int, ...]) -> None:
    # At worst as many as Hirschberg and Sinclair's protocol: if every stage of all precedes the next, early defeat comes too late.
    # At best the smallest defeats all others in their first stage, whoever they are: 2n forth and a message back over each link
    # in that stage, then 4 dis^k for every stage with dis^k < n, 2n in the last, n to notify.
    n = 3 if arrangement == "unique" else 4
    policy = Policy(arrangement)
    fewest = 6 * n + sum(4 * dis**k for k in range(1, n) if dis**k < n)
    for world, least, greatest in message_counts(
        "controlled_distance", n, policy=policy, start="simultaneous", parameters={"dis": dis}
    ):
        ids = [-(identifier or 0) for identifier in world.identifiers]
        assert (least, greatest) == (fewest, messages(ids, dis)), world


@pytest.mark.parametrize("n", [1, 2, 3])
def test_if_only_the_smallest_starts_in_time_the_others_send_nothing_of_their_own(n: int) -> None:
    powers = sum(2**k for k in range(n) if 2**k < n)
    for world, least, greatest in message_counts("controlled_distance", n):
        ids = [-(identifier or 0) for identifier in world.identifiers]
        assert (least, greatest) == (4 * powers + 3 * n, messages(ids)), world


@pytest.mark.parametrize("n", range(2, 9))
def test_fewest_of_all_schedules_are_fewest_of_all_arrangements(n: int) -> None:
    fewest = 6 * n + sum(4 * 2**k for k in range(1, n) if 2**k < n)
    assert fewest == min(messages((n, *rest)) for rest in permutations(range(1, n)))
    assert fewest == 6 * n - 8 + 4 * 2 ** ceil(log2(n))


def test_counting_to_one_begins_a_stage_with_every_message_back() -> None:
    # Slides, CHECK; catalogue L 20: safe, and seen only by the number of messages. Start, defeat the neighbour and get the message
    # back: 3 steps, and the other one is still on its way when two more are sent.
    result = check("controlled_distance:EachBackAdvances", n=2)
    assert result.exit_code == 12
    assert [prop.name for prop in result.properties if prop.verdict == "violated"] == ["each_has_two_messages_at_most"]
    trace = result.property("each_has_two_messages_at_most").trace
    assert trace is not None
    assert trace.length == 3


def test_counting_to_one_costs_more() -> None:
    # n=2: the smaller sends its two, then two more for each of the two that come back, all of which go twice as far: once round. 4 + 8;
    # the other sends 2, and the notification is 2. (Counting to two, one pair goes round: 4 + 4.)
    counts = {
        model: max(high for *_, high in message_counts(model, 2))
        for model in ("controlled_distance:EachBackAdvances", "controlled_distance")
    }
    assert list(counts.values()) == [4 + 8 + 2 + 2, 4 + 4 + 2 + 2]


@pytest.mark.parametrize("n", [2, 3])
def test_where_the_defeated_count_no_hops_both_must_not_be_waited_for(n: int) -> None:
    # Slides, DEFEATED; catalogue L 21. n=2: start; one message defeats the neighbour and comes back, the other is passed on and
    # comes round; both are received, and neither side has come twice: stuck after 5 steps.
    result = check("controlled_distance:DefeatedRelay", n=n)
    assert result.exit_code == 11
    stuck = result.property("everyone_decides")
    assert stuck.verdict == "violated"
    assert stuck.trace is not None
    if n == 2:
        assert stuck.trace.length == 5
    # As on the slide, leading on the first, it is correct.
    assert check("controlled_distance:DefeatedRelayLeadsEarly", n=n).verdict == "HOLDS"
