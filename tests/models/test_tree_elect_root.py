"""Election in a tree by saturation, electing the root (handbook F1)."""

from pathlib import Path

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from . import counting
from .counting import message_counts

NEVER = """
from modelcheck import always

@always
def never(view):
    return all(str(p.id) != "{}" or p.status != "leader" for p in view.processes)
"""


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_it_elects_on_every_tree(n: int) -> None:
    result = check("tree_elect_root", n=n)
    assert result.verdict == "HOLDS"
    assert result.represented == [1, 2, 6, 48][n - 1]  # assignments times trees (OEIS A000055)


@pytest.mark.parametrize("network", ["bag", "set"])
@pytest.mark.parametrize("initiators", ["all", "each"])
def test_links_need_not_be_first_in_first_out(network: str, initiators: str) -> None:
    for n in (2, 3):
        assert check("tree_elect_root", n=n, network=network, initiators=initiators).verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("tree_elect_root", n=3, network="bag", engine=e) for e in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize(
    ("ids", "possible"), [("1,2,3", "12"), ("1,3,2", "12"), ("2,1,3", "1"), ("1,2,4,3", "123"), ("4,2,1,3", "12")]
)
def test_anyone_with_a_greater_neighbour_can_be_elected(ids: str, possible: str, tmp_path: Path) -> None:
    # On a line. Any two neighbours can be the saturated ones, and the smaller of them leads; the handbook (F1) says "every node",
    # which the greatest of its neighbourhood never is. The property names an identifier by its text: no renaming leaves it as it is.
    for candidate in ids.split(","):
        (tmp_path / f"never_{candidate}.py").write_text(NEVER.format(candidate))
        spec = str(tmp_path / f"never_{candidate}.py")
        verdict = check("tree_elect_root", ids=ids, graph="line", spec=spec, no_symmetry=True).property("never").verdict
        assert verdict == ("violated" if candidate in possible else "holds"), candidate


@pytest.mark.parametrize(("n", "k"), [(n, k) for n in (2, 3, 4) for k in range(1, n + 1)])
def test_messages_depend_only_on_how_many_wake_up_by_themselves(n: int, k: int) -> None:
    # 3n + k - 2 on every tree, for every assignment and schedule (slides of chapter 3; handbook F1): those of minimum finding,
    # and two between the saturated.
    policy = Policy(initiators=f"size:{k}")
    for world, least, greatest in message_counts("tree_elect_root", n, policy=policy, start="simultaneous"):
        assert least == greatest == 3 * n + k - 2, world


@pytest.mark.parametrize(("n", "network"), [(2, "fifo"), (3, "fifo"), (4, "fifo"), (2, "bag"), (3, "bag")])
def test_if_all_may_start_at_any_time_one_to_all_do(n: int, network: str) -> None:
    # Handbook F1, the rows k*=1 and k*=n: 5/6, 8/10, 11/14.
    for world, least, greatest in message_counts("tree_elect_root", n, network=network):
        assert (least, greatest) == (3 * n - 1, 4 * n - 2), world


def test_alone_it_sends_nothing() -> None:
    assert [(least, greatest) for _, least, greatest in message_counts("tree_elect_root", 1)] == [(0, 0)]


@pytest.mark.parametrize(
    ("kind", "each"), [("Activate", [2, 4, 6]), ("M", [2, 3, 4]), ("Election", [2, 2, 2]), ("Done", [0, 1, 2])]
)
def test_messages_by_type(kind: str, each: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    # All start: 2n - 2, n, 2, n - 2. On the slides two of them carry an identifier: c + log id bits each, and c each of the other
    # 3n + k - 4, where the slides print c (3n + k - 2) and so count the header of the two twice.
    monkeypatch.setattr(counting, "sent", lambda t: sum(type(m).__name__ == kind for _, m in t.outcome.sends))
    for n, expected in zip((2, 3, 4), each, strict=True):
        for _, least, greatest in message_counts("tree_elect_root", n, start="simultaneous"):
            assert least == greatest == expected


def test_where_identifiers_repeat_both_saturated_lead() -> None:
    # Catalogue L 32. One starts, the other is woken, and each receives the other's M and Election: no fewer steps.
    result = check("tree_elect_root", ids="1,1")
    found = result.property("at_most_one_leader")
    assert found.verdict == "violated"
    assert found.trace is not None
    assert found.trace.length == 6
