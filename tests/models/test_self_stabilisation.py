"""Protocols that begin anywhere, and those for which some moment comes: Dijkstra's ring, a self-stabilising leader, Omega, leases."""

from __future__ import annotations

from typing import Any

import pytest

from modelcheck import check


def length(model: str, name: str, **asked: Any) -> int | None:
    trace = check(model, **asked).property(name).trace
    return None if trace is None else trace.length


# --- Dijkstra


@pytest.mark.parametrize(("n", "k"), [(2, 2), (3, 2), (3, 3), (4, 3), (4, 4)])
def test_one_privilege_is_left_where_there_is_one_state_fewer_than_processes_or_more(n: int, k: int) -> None:
    """Dijkstra 1974 proves it for k >= n, Fokkink, Hoepman and Pang 2005 for k = n - 1. Each of the k^n states is an initial one."""
    result = check("dijkstra", n=n, set={"k": k})
    assert (result.verdict, result.states, result.depth) == ("HOLDS", k**n, 0)


@pytest.mark.parametrize("n", [4, 5])
def test_with_two_states_fewer_two_privileges_chase_each_other(n: int) -> None:
    """On the shortest circle each of n processes goes through each of its n - 2 states once; every state is an initial one, so nothing leads
    there."""
    assert length("dijkstra", "one_is_privileged", n=n, set={"k": n - 2}) == n * (n - 2)


@pytest.mark.parametrize("engine", ["reference", "compiled", "sets"])
def test_every_engine_counts_the_same(engine: str) -> None:
    result = check("dijkstra", n=3, engine=engine, property="somebody_is_privileged")
    # By hand: x privileged processes in a state are x transitions. The first is privileged in 4 * 4 states of 64, each of the others in 48.
    assert (result.verdict, result.states, result.transitions) == ("HOLDS", 64, 16 + 48 + 48)


# --- a leader


@pytest.mark.parametrize(("noise", "states"), [(False, 6 * 6 * 7 * 7), (True, 42 * 42)])
def test_the_least_identifier_is_believed_in_the_end(noise: bool, states: int) -> None:
    """Of two processes each has heard one of 3 leaders at one of 2 distances; each of two links holds nothing or one of these 6. All of
    that may be at first, or only empty links. What can come after those is less than all of it."""
    result = check("stabilizing_leader", n=2, set={"noise": noise})
    assert result.verdict == "HOLDS"
    assert result.states == states if noise else result.states < states


def test_an_identifier_that_nobody_has_lives_for_ever_if_distances_do_not_count() -> None:
    """Both have heard it: each tells the other, and each hears it, 4 steps."""
    assert length("stabilizing_leader:BelievesFromAfar", "the_least_leads", n=2) == 4


# --- Omega


@pytest.mark.parametrize("asked", [{}, {"crashes": 1}, {"detector": "eventually_perfect:2"}], ids=str)
def test_one_living_process_is_trusted_by_all_some_day(asked: dict[str, Any]) -> None:
    assert check("omega", n=3, **asked).verdict == "HOLDS"


def test_and_so_it_is_where_suspicions_and_a_crash_come_together() -> None:
    assert check("omega", n=2, crashes=1, detector="eventually_perfect:2").verdict == "HOLDS"


def test_suspicions_that_are_not_taken_back_leave_two_leaders() -> None:
    """The least is suspected, and somebody hears of it."""
    assert length("omega", "one_living_process_is_trusted_by_all", n=3, detector="unreliable:1") == 2


# --- leases


def test_no_two_leases_run_at_once() -> None:
    assert check("lease", n=3, set={"end": 3}).verdict == "HOLDS"
    assert check("lease", n=2, crashes=1, losses=1).verdict == "HOLDS"


def test_a_lease_that_is_counted_from_the_answer_outlives_its_term() -> None:
    """Ask, grant, two ticks until the lease is over, the answer comes; ask, grant and answer of the other."""
    assert length("lease:CountsFromTheAnswer", "at_most_one_leads", n=3) == 2 + 2 + 1 + 3


def test_a_repeated_answer_is_taken_for_that_to_another_question() -> None:
    """As no answer has a number: ask, grant, its copy, two ticks, the answer, ask, the copy; then ask, grant and answer of the other."""
    assert length("lease", "at_most_one_leads", n=3, set={"end": 3}, duplications=1) == 8 + 3
