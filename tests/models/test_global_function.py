"""The service that computes global functions (handbook F4)."""

import pytest

from modelcheck import check

from .counting import message_counts


@pytest.mark.parametrize("n", [1, 2, 3])
def test_everyone_on_every_connected_graph_gets_the_answer(n: int) -> None:
    result = check("global_function", n=n)
    assert result.verdict == "HOLDS"
    assert result.represented == n * [1, 1, 2][n - 1] * [1, 2, 6][n - 1]  # roots, connected graphs, assignments


@pytest.mark.parametrize("graph", ["line", "star", "two_way_ring"])
def test_it_takes_any_named_graph(graph: str) -> None:
    assert check("global_function", graph=graph, ids="2,4,1,3").verdict == "HOLDS"


@pytest.mark.parametrize("function", ["product", "min", "max"])
def test_it_computes_other_functions(function: str) -> None:
    assert check("global_function", ids="2,1,3", graph="line", parameters={"function": function}).verdict == "HOLDS"


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
def test_it_computes_twice_on_any_network(network: str) -> None:
    assert check("global_function", n=3, network=network, parameters={"rounds": 2}).verdict == "HOLDS"


def test_both_engines_agree() -> None:
    asked = {"ids": "2,1,3", "graph": "line", "network": "bag"}
    reference, compiled = (check("global_function", engine=engine, **asked) for engine in ("reference", "compiled"))  # type: ignore[arg-type]
    assert reference.verdict == compiled.verdict == "HOLDS"
    assert (reference.states, reference.transitions) == (compiled.states, compiled.transitions)


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_messages_do_not_depend_on_the_schedule(n: int, rounds: int) -> None:
    # 2 (2m - n + 1) for the spanning tree, and 2 (n - 1) for each computation [handbook F4].
    for world, least, greatest in message_counts("global_function", n, parameters={"rounds": rounds}):
        m = len(world.shape.links) // 2
        assert least == greatest == 2 * (2 * m - n + 1) + rounds * 2 * (n - 1), world


def trace_length(variation: str, property: str, **parameters: object) -> int:
    found = check(f"global_function:{variation}", n=2, parameters=parameters).property(property)
    assert found.verdict == "violated"
    assert found.trace is not None
    return found.trace.length


# The shortest faultless run of root and leaf: begin, join, adopt; compute at both, combine; learn.


def test_removing_by_index_is_out_of_range() -> None:
    # Catalogue L 8: root 1 has one child, 2, with the index 1 (Garg counts processes from 0). Fails at the sixth step, combine.
    # What the handbook fears too, that the wrong child is taken out, does no harm: each report takes out one.
    assert trace_length("StrikesOutByNumber", "no_exceptions") == 6


def test_a_second_computation_adds_up_old_partial_results() -> None:
    # Catalogue L 9: after the first seven steps compute at both and combine: the root answers 1 + 2 + 2.
    assert trace_length("ForgetsNothing", "answers_are_right", rounds=2) == 10


def test_a_second_computation_loses_a_partial_result_that_comes_early() -> None:
    # Catalogue L 9: the child's second partial result comes before the root's second call, which waits for it for ever.
    assert trace_length("ForgetsNothing", "every_call_returns", rounds=2) == 10


def test_one_computation_needs_no_reset() -> None:
    assert check("global_function:ForgetsNothing", n=3).verdict == "HOLDS"


def test_an_answer_that_comes_before_the_last_one_is_forgotten_is_lost() -> None:
    # Handbook F4, 3: the faultless seven steps, but the child forgets the answer after learn.
    assert trace_length("NotAtomic", "every_call_returns") == 8


def test_a_leaf_that_is_never_done_never_calls() -> None:
    # Handbook F4, 5: begin, join, adopt, compute at the root.
    assert trace_length("LeafIsNeverDone", "the_root_has_an_answer") == 4
