"""Mega-Merger, which is Gallager, Humblet and Spira's protocol (handbook G5)."""

from math import log2
from pathlib import Path

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy, World

from . import counting
from .counting import message_counts

# Least and greatest by edges between identifiers, all starting first: an explorer written from the paper's own listing, which shares
# no code with this project, gives these. 1-2 by hand: two Connect, two Initiate, two Report, one Leader.
COUNTS = {
    "": (0, 0),
    "1-2": (7, 7),
    "1-2 1-3": (13, 13),
    "1-2 2-3": (13, 13),
    "1-3 2-3": (13, 13),
    "1-2 1-3 2-3": (15, 15),
    "1-4 2-4 3-4": (17, 19),
    "1-2 1-4 2-3": (19, 19),
    "1-4 2-3 2-4 3-4": (33, 33),
    "1-2 1-4 2-3 3-4": (21, 21),
    "1-2 1-3 1-4 2-3 3-4": (21, 23),
    "1-2 1-3 1-4 2-3 2-4 3-4": (23, 25),
}
ROOT_MOVES = "4,1,5,3,2"  # on a line: 1-4 and 2-3 merge, 1-4 absorbs 5, from which the lightest link leads out


def edges(world: World) -> str:
    ids = world.identifiers
    pairs = {tuple(sorted((ids[link.source] or 0, ids[link.target] or 0))) for link in world.shape.links}
    return " ".join(f"{a}-{b}" for a, b in sorted(pairs))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_it_elects_on_every_connected_graph(n: int) -> None:
    result = check("mega_merger", n=n)
    assert result.verdict == "HOLDS"
    assert result.represented == [1, 2, 12][n - 1]  # connected graphs (OEIS A001349) times assignments


@pytest.mark.parametrize("graph", ["line", "star", "two_way_ring", "complete"])
def test_it_takes_any_named_graph(graph: str) -> None:
    assert check("mega_merger", ids="2,4,1,3", graph=graph).verdict == "HOLDS"


def test_it_elects_whoever_starts() -> None:
    assert check("mega_merger", n=3, graph="line", initiators="each").verdict == "HOLDS"


def test_both_engines_agree() -> None:
    asked = {"ids": "2,1,3", "graph": "complete"}
    reference, compiled = (check("mega_merger", engine=engine, **asked) for engine in ("reference", "compiled"))  # type: ignore[arg-type]
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


def test_the_root_moves_where_the_lightest_link_leads_out_from_elsewhere() -> None:
    # Every step of the protocol is needed here; no graph of four has a ChangeRoot, which takes a fragment of three and one of two.
    result = check("mega_merger", ids=ROOT_MOVES, graph="line")
    assert result.verdict == "HOLDS"
    assert all(result.steps.values())


def test_the_leader_is_an_end_of_the_last_core_and_no_extreme(tmp_path: Path) -> None:
    # There the last to merge is 3-5: 3 leads.
    (tmp_path / "three.py").write_text(
        "from modelcheck import at_the_end\n\n@at_the_end\ndef three(view):\n"
        '    return all(str(p.leader) == "3" for p in view.processes)\n'
    )
    found = check("mega_merger", ids=ROOT_MOVES, graph="line", spec=str(tmp_path / "three.py"), no_symmetry=True)
    assert found.property("three").verdict == "holds"


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_messages_are_those_that_an_independent_program_counts(n: int) -> None:
    policy = Policy(identifiers=(1, 2, 3, 4)) if n == 4 else None
    for world, least, greatest in message_counts("mega_merger", n, policy=policy, start="simultaneous"):
        assert (least, greatest) == COUNTS[edges(world)]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_messages_stay_within_the_bound_of_the_paper(n: int) -> None:
    # 5 n lg n + 2m, and n - 1 for the news.
    policy = Policy(identifiers=(2, 4, 1, 3)) if n == 4 else None
    for world, _, greatest in message_counts("mega_merger", n, policy=policy):
        m = len(world.shape.links) // 2
        assert greatest <= 5 * n * log2(n) + 2 * m + n - 1


@pytest.mark.parametrize(("kind", "each"), [("Connect", [2, 3]), ("Leader", [1, 2])])
def test_messages_by_type(kind: str, each: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    # A branch takes one Connect where a fragment is absorbed, two where two merge: with two or three processes there is one merger.
    # The news takes n - 1.
    monkeypatch.setattr(counting, "sent", lambda t: sum(type(m).__name__ == kind for _, m in t.outcome.sends))
    for n, expected in zip((2, 3), each, strict=True):
        for _, least, greatest in message_counts("mega_merger", n, start="simultaneous"):
            assert least == greatest == expected


@pytest.mark.parametrize("start", ["any", "simultaneous"])
def test_a_link_that_is_kept_closed_stops_everything(start: str) -> None:
    # Catalogue L 42, on a line of three. On 1-2-3 the fragment of 1 and 2 tests the link to 3, which is of a lower level and puts the
    # Test aside. 2 absorbs 3, but the Initiate that raises its level comes behind the Test.
    result = check("mega_merger:BlocksLinks", n=3, graph="line", start=start)  # type: ignore[arg-type]
    assert result.exit_code == 11
    found = result.property("everyone_decides")
    assert found.verdict == "violated"
    assert found.trace is not None
    # A start, two Connect of the core, two Initiate, a Report, the Test, the Connect of 3; starts that come first are no steps.
    assert found.trace.length == (8 if start == "any" else 7)


def test_two_need_not_wait() -> None:
    assert check("mega_merger:BlocksLinks", n=2).verdict == "HOLDS"


def test_where_messages_overtake_nobody_may_be_elected() -> None:
    # Two: start, the first Connect, the second, one Initiate; then the Report that answers it comes before the other Initiate and
    # is taken for one of a subtree. Six steps to the end.
    result = check("mega_merger", n=2, network="bag")
    found = result.property("everyone_decides")
    assert found.verdict == "violated"
    assert found.trace is not None
    assert found.trace.length == 6
