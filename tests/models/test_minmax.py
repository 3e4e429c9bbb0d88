"""MinMax (handbook A10)."""

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from modelcheck import Limits, check

from .counting import message_counts

VARIANTS: dict[str, dict[str, object]] = {
    "minmax": {},
    "minmax:KeepsItsValue": {"adopt": False},
    "minmax:LargerFirst": {"first": "max"},
    str(Path(__file__).parent / "protocols" / "minmax_mirrored.py"): {"adopt": False, "first": "max"},
}
MIRRORED = [model for model, how in VARIANTS.items() if "adopt" in how]
IS_EXTREME = """
from modelcheck import always

@always
def the_minimum_leads(view):
    return all(p.leader in (None, min(q.id for q in view.processes)) for p in view.processes)

@always
def the_maximum_leads(view):
    return all(p.leader in (None, max(q.id for q in view.processes)) for p in view.processes)
"""
OWNER = """
from modelcheck import at_the_end

@at_the_end
def the_last_value_is_the_leaders(view):
    [last] = [p for p in view.processes if p.mode == "candidate"]
    return last.id == last.leader == last.value
"""


def steps(ids: Sequence[Any], *, first: Any = "min", adopt: Any = True) -> int:
    """Steps of one arrangement, without any messages: each value is compared with the one after it (before it, if values
    stay where they are); the smaller survive in one step, the larger in the next."""
    values, smaller, step = list(ids), first == "min", 1
    while len(values) > 1:
        neighbours = values[1:] + values[:1] if adopt else values[-1:] + values[:-1]
        values = [v for v, neighbour in zip(values, neighbours, strict=True) if (v < neighbour) == smaller]
        smaller, step = not smaller, step + 1
    return step


def most_steps(n: int) -> int:
    """The largest k with F_k <= n, where F is 1, 2, 3, 5, 8, ..."""
    k, last, following = 1, 1, 2
    while following <= n:
        k, last, following = k + 1, following, last + following
    return k


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
@pytest.mark.parametrize("model", VARIANTS)
def test_it_elects_somebody_on_any_network(network: str, model: str) -> None:
    assert check(model, n=[1, 2, 3], network=network).verdict == "HOLDS"


def test_it_elects_somebody_whoever_starts() -> None:
    assert check("minmax", n=[1, 2, 3, 4], initiators="each").verdict == "HOLDS"


@pytest.mark.parametrize("elects", ["min", "max"])
def test_an_extreme_can_be_collected(elects: str) -> None:
    result = check("minmax:ElectsAnExtreme", n=[1, 2, 3, 4], parameters={"elects": elects})
    assert result.verdict == "HOLDS"
    assert result.property(f"leader_is_the_{elects}imum").verdict == "holds"


def test_without_collecting_neither_extreme_need_lead(tmp_path: Path) -> None:
    (tmp_path / "extreme.py").write_text(IS_EXTREME)
    result = check("minmax", n=3, spec=str(tmp_path / "extreme.py"))
    assert [p.verdict for p in result.properties if p.name.startswith("the_")] == ["violated", "violated"]


@pytest.mark.parametrize("model", MIRRORED)
def test_where_values_stay_the_owner_of_the_last_value_leads(model: str, tmp_path: Path) -> None:
    # Handbook A10, the mirror variant.
    (tmp_path / "owner.py").write_text(OWNER)
    result = check(model, n=[1, 2, 3, 4], spec=str(tmp_path / "owner.py"))
    assert result.property("the_last_value_is_the_leaders").verdict == "holds"


@pytest.mark.parametrize("model", VARIANTS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_step_costs_n_messages_and_the_notification_n_whatever_the_schedule(n: int, model: str) -> None:
    for world, least, greatest in message_counts(model, n):
        assert least == greatest == n * steps(world.identifiers, **VARIANTS[model]) + n


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_no_reordering_changes_the_total_and_collecting_an_extreme_costs_n_more(n: int) -> None:
    for world, least, greatest in message_counts(
        "minmax:ElectsAnExtreme", n, network="bag", parameters={"elects": "max"}
    ):
        assert least == greatest == n * steps(world.identifiers) + 2 * n


@pytest.mark.parametrize("model", VARIANTS)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7])
def test_steps_are_two_at_best_and_fibonacci_at_worst(n: int, model: str) -> None:
    # Handbook A10: as UniAlternate.
    found = {steps((1, *others), **VARIANTS[model]) for others in permutations(range(2, n + 1))}
    assert min(found) == min(2, n)
    assert max(found) == most_steps(n)


def test_eight_processes_take_five_steps_at_worst() -> None:
    assert max(steps((1, *others)) for others in permutations(range(2, 9))) == most_steps(8) == 5


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_where_links_keep_the_order_only_messages_of_the_own_step_arrive(n: int) -> None:
    checked, unchecked = (check(model, n=n) for model in ("minmax", "minmax:TakesAnyStep"))
    assert unchecked.verdict == "HOLDS"
    assert (checked.states, checked.transitions) == (unchecked.states, unchecked.transitions)


def test_where_messages_overtake_steps_must_be_checked() -> None:
    # Two processes stand it. Among three a message of a later step may overtake: two lead, and steps go on for ever.
    assert check("minmax:TakesAnyStep", n=2, network="bag").verdict == "HOLDS"
    result = check("minmax:TakesAnyStep", ids="1,2,3", network="bag", limits=Limits(max_states=2_000))
    assert result.exit_code == 12
    assert result.property("at_most_one_leader").verdict == "violated"
    assert "`step`" in result.growth
