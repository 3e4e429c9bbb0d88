"""Convergecast (handbook F2)."""

import pytest

from modelcheck import check

from .counting import message_counts


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_root_of_every_tree_gets_the_answer(n: int) -> None:
    result = check("convergecast", n=n)
    assert result.verdict == "HOLDS"
    assert result.represented == [1, 2 * 2, 3 * 6, 8 * 24][n - 1]  # roots times trees (OEIS A000055) times assignments


@pytest.mark.parametrize("function", ["sum", "product", "min", "max"])
@pytest.mark.parametrize("network", ["bag", "set"])
def test_it_computes_each_function_on_any_network(function: str, network: str) -> None:
    assert check("convergecast", n=3, network=network, parameters={"function": function}).verdict == "HOLDS"


def test_inputs_may_repeat() -> None:
    assert check("convergecast", n=3, ids="any").verdict == "HOLDS"


def test_both_engines_agree() -> None:
    reference, compiled = (check("convergecast", n=3, engine=engine) for engine in ("reference", "compiled"))
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize("start", ["any", "simultaneous"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_it_takes_one_message_an_edge(n: int, start: str) -> None:
    # n - 1 [handbook F2].
    for world, least, greatest in message_counts("convergecast", n, start=start):  # type: ignore[arg-type]
        assert least == greatest == n - 1, world


@pytest.mark.parametrize("n", [1, 2, 3])
def test_if_leaves_wait_for_reports_nothing_ever_happens(n: int) -> None:
    # Catalogue L 7: the initial state is a deadlock; a tree of one process does not compute either.
    result = check("convergecast:AsPrinted", n=n)
    assert result.exit_code == 11
    assert result.transitions == 0
    stuck = result.property("the_root_has_an_answer")
    assert stuck.verdict == "violated"
    assert stuck.trace is not None
    assert stuck.trace.length == 0
