"""Election among the corners of a mesh (handbook H)."""

import random

import pytest

from modelcheck import check
from modelcheck.catalog import find_model
from modelcheck.language.topology import grid, mesh, undirected
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.system import System
from modelcheck.semantics.worlds import Policy, Worlds

from . import counting
from .counting import message_counts, sent

ADJACENT, OPPOSITE = (1, 2, 3, 4), (1, 3, 4, 2)  # where the two least corners of 2 x 2 are: rows 12/34, 13/42


def test_it_elects_the_least_of_four_corners() -> None:
    result = check("mesh_corners", n=4)
    assert result.verdict == "HOLDS"
    assert result.represented == 24  # assignments


def test_links_need_not_be_first_in_first_out() -> None:
    assert check("mesh_corners", ids=OPPOSITE, network="bag").verdict == "HOLDS"


def test_it_elects_whoever_starts() -> None:
    assert check("mesh_corners", ids=OPPOSITE, initiators="each").verdict == "HOLDS"


def test_both_engines_agree() -> None:
    asked = {"ids": OPPOSITE, "initiators": "1"}
    reference, compiled = (check("mesh_corners", engine=engine, **asked) for engine in ("reference", "compiled"))  # type: ignore[arg-type]
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize(("ids", "stages"), [(ADJACENT, 2), (OPPOSITE, 3)])
def test_messages_on_two_by_two(ids: tuple[int, ...], stages: int) -> None:
    # 2m to wake up; 2R a stage on the ring of R = 2(a+b) - 4; 2m - n + 1 for the news [handbook H]. One stage leaves the least corner
    # alone, unless the next least is opposite, for then both are less than their neighbours; in the last the winner hears itself.
    policy = Policy(identifiers=ids, initiators=(1,))
    for _, least, greatest in message_counts("mesh_corners", 4, policy=policy, start="simultaneous"):
        assert least == greatest == 2 * 4 + stages * 2 * 4 + (2 * 4 - 4 + 1)


@pytest.mark.parametrize("network", ["fifo", "bag"])
@pytest.mark.parametrize("sides", [(3, 3), (3, 4), (4, 5)])
def test_some_random_runs_on_larger_meshes(sides: tuple[int, int], network: str) -> None:
    # Too large to be explored: single runs, from random assignments and sets of initiators, with the total that they must have.
    a, b = sides
    n, m, ring = a * b, 2 * a * b - a - b, 2 * (a + b) - 4
    chance = random.Random(a * b)
    definition = find_model("mesh_corners").definition
    leader = [field.name for field in definition.fields].index("leader")
    values = definition.parameter_values({})
    system = System(definition, Settings(network=network, parameters=tuple(values.items())))
    for _ in range(3):
        ids = chance.sample(range(1, n + 1), n)
        starters = tuple(chance.sample(range(1, n + 1), chance.randint(1, n)))
        policy = Policy(identifiers=tuple(ids), initiators=starters)
        [world] = Worlds(definition, mesh, n, policy, undirected(grid(a, b, False), f"mesh {a} x {b}"))
        [begin] = system.starts(world)
        state, total = begin.state, 0
        while steps := [t for t in system.successors(world, state) if t.after != state]:
            taken = chance.choice(steps)
            assert taken.after is not None
            state, total = taken.after, total + sent(taken)
        corners = [ids[k] for k in (0, b - 1, n - 1, n - b)]
        least, second = sorted(corners)[:2]
        assert {repr(component.fields[leader]) for component in state[1:]} == {str(least)}
        assert not any(any(component.inbox) for component in state[1:])
        if network == "fifo":
            stages = 3 if abs(corners.index(least) - corners.index(second)) == 2 else 2
            assert total == 2 * m + stages * 2 * ring + (2 * m - n + 1)


@pytest.mark.parametrize(("kind", "number"), [("WakeUp", 8), ("Election", 16), ("Done", 5)])
def test_messages_by_type(kind: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "sent", lambda t: sum(type(m).__name__ == kind for _, m in t.outcome.sends))
    policy = Policy(identifiers=ADJACENT, initiators=(1,))
    for _, least, greatest in message_counts("mesh_corners", 4, policy=policy, start="simultaneous"):
        assert least == greatest == number


def test_beside_a_short_side_the_border_does_not_know_its_own_links() -> None:
    # Catalogue L 34: on 2 x 3 nobody is inside, so the two in the middle see three links along the border.
    result = check("mesh_corners", graph="mesh:2x3", ids="1,2,3,4,5,6", initiators="1")
    assert result.exit_code == 11
    assert result.property("everyone_decides").verdict == "violated"


@pytest.mark.parametrize("starter", ["1", "2", "5"])
def test_unless_wake_ups_go_back_too_the_border_waits_for_ever(starter: str) -> None:
    # Catalogue L 34, on 3 x 3, from a corner, the border, the middle: whoever wakes a neighbour never hears where that one is.
    asked = {"graph": "mesh:3x3", "ids": "1,2,3,4,5,6,7,8,9", "initiators": starter, "property": "everyone_decides"}
    result = check("mesh_corners:AsOnTheSlides", **asked)  # type: ignore[arg-type]
    assert result.exit_code == 11


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_wake_ups_that_do_not_go_back_are_fewer(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # 2m - n + k, k processes having started; on 2 x 2 everyone is a corner and needs not ask.
    monkeypatch.setattr(counting, "sent", lambda t: sum(type(m).__name__ == "WakeUp" for _, m in t.outcome.sends))
    policy = Policy(identifiers=ADJACENT, initiators=tuple(range(1, k + 1)))
    counts = message_counts("mesh_corners:AsOnTheSlides", 4, policy=policy, start="simultaneous")
    for _, least, greatest in counts:
        assert least == greatest == 2 * 4 - 4 + k
