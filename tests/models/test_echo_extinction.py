"""Echo with extinction (handbook G3)."""

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy, World

from .counting import message_counts

ECHO = "echo_extinction"
TREE, RELAY, TREE_RELAY = f"{ECHO}:InviteAcceptReject", f"{ECHO}:Relay", f"{ECHO}:RelayInviteAcceptReject"

# Least and greatest over all schedules, by edges between identifiers: an explorer that shares no code with this project gives these.
# Second where all start first.
COUNTS = {
    "": ((0, 0), (0, 0)),
    "1-2": ((3, 4), (4, 4)),
    "1-2 1-3": ((6, 10), (9, 10)),
    "1-2 2-3": ((6, 10), (10, 10)),
    "1-3 2-3": ((6, 8), (8, 8)),
    "1-2 1-3 2-3": ((10, 15), (14, 15)),
}


def edges(world: World) -> str:
    ids = world.identifiers
    pairs = {tuple(sorted((ids[link.source] or 0, ids[link.target] or 0))) for link in world.shape.links}
    return " ".join(f"{a}-{b}" for a, b in sorted(pairs))


@pytest.mark.parametrize("model", [ECHO, TREE, RELAY, TREE_RELAY])
def test_it_elects_on_every_connected_graph(model: str) -> None:
    result = check(model, n=[1, 2, 3])
    assert result.verdict == "HOLDS"
    assert [size.represented for size in result.sizes] == [
        1,
        2,
        12,
    ]  # connected graphs (OEIS A001349) times assignments


@pytest.mark.parametrize("graph", ["line", "star", "two_way_ring"])
def test_it_takes_any_named_graph(graph: str) -> None:
    assert check("echo_extinction", ids="2,4,1,3", graph=graph).verdict == "HOLDS"


@pytest.mark.parametrize("model", [ECHO, TREE])
@pytest.mark.parametrize("network", ["bag", "set"])
def test_links_need_not_be_first_in_first_out(network: str, model: str) -> None:
    for graph in ("line", "complete"):
        result = check(model, ids="2,1,3", graph=graph, network=network)
        assert result.verdict == "HOLDS"


@pytest.mark.parametrize("model", [ECHO, TREE, RELAY])
def test_it_elects_whoever_may_start(model: str) -> None:
    assert check(model, n=3, graph="line", initiators="each").verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("echo_extinction", n=3, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_messages_are_those_that_an_independent_program_counts(n: int) -> None:
    for world, least, greatest in message_counts("echo_extinction", n):
        assert (least, greatest) == COUNTS[edges(world)][0], world
    for world, least, greatest in message_counts("echo_extinction", n, start="simultaneous"):
        assert (least, greatest) == COUNTS[edges(world)][1], world


@pytest.mark.parametrize("n", [1, 2, 3])
def test_messages_stay_within_the_bounds(n: int) -> None:
    # The winning wave takes 2m, the news 2m - n + 1, and no more where the greatest starts before all others; each of the other
    # n - 1 waves crosses each link at most once each way.
    for world, least, greatest in message_counts("echo_extinction", n):
        m = len(world.shape.links) // 2
        assert least == 4 * m - n + 1
        assert greatest <= 2 * n * m + 2 * m - n + 1


@pytest.mark.parametrize(("model", "cost"), [(ECHO, 4), (TREE, 6)])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_messages_where_the_greatest_alone_starts(n: int, model: str, cost: int) -> None:
    # 2m for the wave, or 2 (2m - n + 1) for a spanning tree and n - 1 reports; then 2m - n + 1 for the news.
    found = 0
    policy = Policy(initiators="size:1")
    for world, least, greatest in message_counts(model, n, policy=policy):
        [starter] = world.initiators
        if world.identifiers[starter] == n:
            m = len(world.shape.links) // 2
            assert least == greatest == (4 * m - n + 1 if cost == 4 else 6 * m - 2 * n + 2), world
            found += 1
    assert found


@pytest.mark.parametrize("n", [2, 3])
def test_if_the_woken_only_relay_a_lone_starter_leads(n: int) -> None:
    # The greatest of those that started, so every lone starter, and its wave and news cost what the greatest's do.
    policy = Policy(initiators="size:1")
    for world, least, greatest in message_counts(RELAY, n, policy=policy):
        m = len(world.shape.links) // 2
        assert least == greatest == 4 * m - n + 1, world


def test_keeping_the_count_of_a_smaller_wave_may_elect_the_wrong_one() -> None:
    # On 3-1-2-4: 2 starts, 1 joins, 3 wakes, 1 joins its wave, has heard twice and echoes, 3 leads.
    result = check(f"{ECHO}:NeverResets", ids="3,1,2,4", graph="line")
    found = result.property("leader_is_the_maximum")
    assert found.verdict == "violated"
    assert found.trace is not None
    assert found.trace.length == 5


def test_keeping_the_count_of_a_smaller_wave_may_overshoot() -> None:
    # On 1-2-3: the leaf 1 joins the waves of 2 and of 3, has then heard twice from one neighbour and never echoes. A start and a
    # reception for each of two waves of 2, its echo, the wave of 3 from 3 and from 2.
    result = check(f"{ECHO}:NeverResets", ids="1,2,3", graph="line")
    found = result.property("everyone_decides")
    assert found.verdict == "violated"
    assert found.trace is not None
    assert found.trace.length == 6


def test_a_duplicated_message_is_heard_twice_and_elects_too_early() -> None:
    # On 1-2-3: 2 starts, 1 echoes, the echo is duplicated, 2 has heard twice and leads.
    result = check("echo_extinction", ids="1,2,3", graph="line", duplications=1)
    found = result.property("leader_is_the_maximum")
    assert found.verdict == "violated"
    assert found.trace is not None
    assert found.trace.length == 5
