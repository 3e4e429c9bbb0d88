"""Election in a tree by saturation, minimum finding (handbook F1)."""

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from . import counting
from .counting import message_counts


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_it_elects_the_minimum_on_every_tree(n: int) -> None:
    result = check("tree_elect_min", n=n)
    assert result.verdict == "HOLDS"
    assert result.represented == [1, 2, 6, 48][n - 1]  # assignments times trees (OEIS A000055)


@pytest.mark.parametrize("network", ["bag", "set"])
@pytest.mark.parametrize("initiators", ["all", "each"])
def test_links_need_not_be_first_in_first_out(network: str, initiators: str) -> None:
    for n in (2, 3):
        assert check("tree_elect_min", n=n, network=network, initiators=initiators).verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("tree_elect_min", n=3, network="bag", engine=e) for e in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


def test_it_can_elect_the_maximum_instead() -> None:
    result = check("tree_elect_min", n=[1, 2, 3], parameters={"elects": "max"})
    assert result.verdict == "HOLDS"
    assert result.property("leader_is_the_maximum").verdict == "holds"


@pytest.mark.parametrize(("n", "k"), [(n, k) for n in (2, 3, 4) for k in range(1, n + 1)])
def test_messages_depend_only_on_how_many_wake_up_by_themselves(n: int, k: int) -> None:
    # 3n + k - 4 on every tree, for every assignment and schedule (slides of chapter 3; handbook F1): n + k - 2 to wake up, as
    # everyone sends to all neighbours (2n - 2 in all) but the n - k who were woken not to who woke them; n to saturate, one from each;
    # n - 2 to notify, one over each of the n - 1 edges but that between the saturated.
    policy = Policy(initiators=f"size:{k}")
    for world, least, greatest in message_counts("tree_elect_min", n, policy=policy, start="simultaneous"):
        assert least == greatest == 3 * n + k - 4, world


@pytest.mark.parametrize(("n", "network"), [(2, "fifo"), (3, "fifo"), (4, "fifo"), (2, "bag"), (3, "bag")])
def test_if_all_may_start_at_any_time_one_to_all_do(n: int, network: str) -> None:
    # Handbook F1, the rows k*=1 and k*=n: 3/4, 6/8, 9/12.
    for world, least, greatest in message_counts("tree_elect_min", n, network=network):
        assert (least, greatest) == (3 * n - 3, 4 * n - 4), world


def test_alone_it_sends_nothing() -> None:
    assert [(least, greatest) for _, least, greatest in message_counts("tree_elect_min", 1)] == [(0, 0)]


@pytest.mark.parametrize(("kind", "each"), [("Activate", [2, 4, 6]), ("M", [2, 3, 4]), ("Done", [0, 1, 2])])
def test_messages_by_type(kind: str, each: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    # All start: 2n - 2, n, n - 2, so the bits are n (c + log id) for M and c for each of the others (slides: "Can we have a better
    # estimate?"), where the slides do not count the identifier in the notification.
    monkeypatch.setattr(counting, "sent", lambda t: sum(type(m).__name__ == kind for _, m in t.outcome.sends))
    for n, expected in zip((2, 3, 4), each, strict=True):
        for _, least, greatest in message_counts("tree_elect_min", n, start="simultaneous"):
            assert least == greatest == expected


def test_where_identifiers_repeat_two_may_lead() -> None:
    # Both saturated find their own identifier to be the least. Shortest: one starts, the other is woken, each hears the other's report.
    result = check("tree_elect_min", ids="1,1")
    found = result.property("at_most_one_leader")
    assert found.verdict == "violated"
    assert found.trace is not None
    assert found.trace.length == 4
