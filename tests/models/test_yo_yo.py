"""Yo-Yo (handbook G4, K3)."""

from pathlib import Path

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy, World

from .counting import message_counts

TLA = str(Path(__file__).parent / "protocols" / "tla_yo_yo.py")

# Least and greatest by edges between identifiers, whoever starts: an explorer that shares no code with this project gives these.
# 1-2 2-3 by hand: 4 to set up; values 1-2-3 and votes back, 4; then 3 is left out, 2 from 1 to 2 and back; 2 for the news.
COUNTS = {
    "": (0, 0),
    "1-2": (5, 5),
    "1-2 1-3": (10, 10),
    "1-2 2-3": (12, 12),
    "1-3 2-3": (16, 16),
    "1-2 1-3 2-3": (20, 22),
    "1-4 2-4 3-4": (23, 23),
    "1-2 1-4 2-3": (17, 17),
    "1-4 2-3 2-4 3-4": (33, 39),
    "1-2 1-4 2-3 3-4": (29, 33),
    "1-2 1-3 1-4 2-3 3-4": (33, 39),
    "1-2 1-3 1-4 2-3 2-4 3-4": (39, 45),
}
NO_NEW_SOURCE = """
from modelcheck import every_step

@every_step
def nobody_becomes_a_source(before, after):
    pairs = zip(before.processes, after.processes, strict=True)
    return not any(old.phase == "up" and old.inward and not new.inward and new.phase != "left" for old, new in pairs)
"""


def edges(world: World) -> str:
    ids = world.identifiers
    pairs = {tuple(sorted((ids[link.source] or 0, ids[link.target] or 0))) for link in world.shape.links}
    return " ".join(f"{a}-{b}" for a, b in sorted(pairs))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_it_elects_the_minimum_on_every_connected_graph(n: int) -> None:
    result = check("yo_yo", n=n)
    assert result.verdict == "HOLDS"
    assert result.represented == [1, 2, 12][n - 1]  # connected graphs (OEIS A001349) times assignments


@pytest.mark.parametrize("graph", ["line", "star", "two_way_ring", "complete"])
def test_it_takes_any_named_graph(graph: str) -> None:
    assert check("yo_yo", ids="2,4,1,3", graph=graph).verdict == "HOLDS"


@pytest.mark.parametrize("network", ["bag", "set"])
def test_links_need_not_be_first_in_first_out(network: str) -> None:
    assert check("yo_yo", n=3, network=network).verdict == "HOLDS"
    assert check("yo_yo", ids="2,4,1,3", graph="two_way_ring", network=network).verdict == "HOLDS"


def test_it_elects_whoever_starts() -> None:
    assert check("yo_yo", n=3, initiators="each").verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("yo_yo", n=3, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize("start", ["any", "simultaneous"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_messages_are_those_that_an_independent_program_counts(n: int, start: str) -> None:
    policy = Policy(identifiers=(1, 2, 3, 4)) if n == 4 else None
    for world, least, greatest in message_counts("yo_yo", n, policy=policy, start=start):  # type: ignore[arg-type]
        assert (least, greatest) == COUNTS[edges(world)]


@pytest.mark.parametrize("n", [3, 4])
def test_which_links_are_kept_decides_how_many_messages_there_are_and_nothing_else_does(n: int) -> None:
    # Handbook G4 [checked on all labelled graphs n<=4].
    policy = Policy(identifiers=(1, 2, 3, 4)) if n == 4 else None
    for world, least, greatest in message_counts("yo_yo:KeepsTheFirst", n, policy=policy):
        assert least == greatest
        assert COUNTS[edges(world)][0] <= least <= COUNTS[edges(world)][1]


def test_every_link_is_used_in_one_round_at_least() -> None:
    # 2m to set up, 2m or more in rounds, 2m - n + 1 for the news; on two processes and on a star with 1 in the middle just that.
    for graph, (least, _) in COUNTS.items():
        m = len(graph.split())
        n = max((int(c) for c in graph if c.isdigit()), default=1)
        assert least >= 6 * m - n + 1
    assert COUNTS["1-2"][0] == 6 * 1 - 2 + 1
    assert COUNTS["1-2 1-3"][0] == 6 * 2 - 3 + 1


@pytest.mark.parametrize("n", [2, 3])
def test_if_no_link_is_ever_left_out_it_goes_on_for_ever(n: int) -> None:
    # Handbook G4: one source remains and never notices. Two: start, two to set up, then value and vote for ever.
    result = check("yo_yo:NeverPrunes", n=n)
    assert result.exit_code == 13
    assert result.terminal_states == 0
    assert result.property("nobody_becomes_a_source").verdict == "holds"
    endless = result.property("termination")
    assert endless.verdict == "violated"
    assert endless.trace is not None
    if n == 2:
        assert (endless.trace.length, endless.trace.loop) == (5, 3)


def test_with_pruning_a_process_may_become_a_source_again(tmp_path: Path) -> None:
    # On 1-4, 2-3-4-2: 4 gets 2 both from 2 and from 3, votes no on both and leaves one of these links out. If it is that to 3, 3 has no
    # links left but that to 2, on which it must vote no. One start, eight to set up, the values of 1 and 2 to 4, of 2 to 3 and on
    # to 4, the vote of 4. The handbook (G4) says that each round halves the sources; its proof is about links that stay.
    (tmp_path / "no_new_source.py").write_text(NO_NEW_SOURCE)
    (tmp_path / "graph").write_text("1 4\n2 3\n2 4\n3 4\n")
    asked = {"ids": "1,2,3,4", "graph": str(tmp_path / "graph"), "spec": str(tmp_path / "no_new_source.py")}
    found = check("yo_yo", **asked).property("nobody_becomes_a_source")  # type: ignore[arg-type]
    assert found.verdict == "violated"
    assert found.trace is not None
    assert found.trace.length == 14


@pytest.mark.parametrize(
    ("prune", "states", "generated", "depth"),
    [(False, 60, 110, 19), (True, 102, 157, 31)],
)
def test_the_tla_examples_models_have_the_counts_of_tlc(
    prune: bool, states: int, generated: int, depth: int, tmp_path: Path
) -> None:
    # Manifest of the TLA+ Examples repository: distinct states, states generated (the initial one included), depth counted in states.
    (tmp_path / "graph").write_text("1 2\n1 5\n3 4\n3 5\n4 5\n")
    result = check(TLA, ids="1,2,3,4,5", graph=str(tmp_path / "graph"), parameters={"prune": prune})
    assert (result.states, result.transitions + 1, result.depth + 1) == (states, generated, depth)
    assert result.terminal_states == (1 if prune else 0)
