"""All the Way (handbook A6)."""

from pathlib import Path

import pytest

from modelcheck import check
from modelcheck.semantics.worlds import Policy

from .counting import message_counts

NOBODY_DECIDES = """
from modelcheck import always

@always
def nobody_ever_decides(view):
    return all(p.status == "undecided" and p.leader is None for p in view.processes)
"""


@pytest.mark.parametrize("network", ["fifo", "bag", "set"])
@pytest.mark.parametrize("elects", ["min", "max"])
def test_counting_is_correct_on_any_network_whoever_starts(network: str, elects: str) -> None:
    result = check("all_the_way", n=[1, 2, 3], network=network, initiators="each", parameters={"elects": elects})
    assert result.verdict == "HOLDS"


@pytest.mark.parametrize("network", ["fifo", "bag"])
def test_on_a_two_way_ring_everyone_may_choose_a_direction(network: str) -> None:
    result = check("all_the_way", n=[1, 2, 3], graph="two_way_ring", network=network)
    assert result.verdict == "HOLDS"


def test_no_sense_of_direction_is_needed() -> None:
    assert check("all_the_way", n=3, graph="two_way_ring:unoriented", ids="1,2,3").verdict == "HOLDS"


@pytest.mark.parametrize("network", ["fifo", "bag"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_schedule_costs_n_squared(n: int, network: str) -> None:
    # Each identifier crosses each link once (slides; handbook A6 [checked n<=8]).
    for _, least, greatest in message_counts("all_the_way", n, network=network):
        assert least == greatest == n * n


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_set_of_initiators_costs_n_squared(n: int) -> None:
    for _, least, greatest in message_counts("all_the_way", n, policy=Policy(initiators="each")):
        assert least == greatest == n * n


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_without_the_own_identifier_the_count_never_gets_there(n: int, tmp_path: Path) -> None:
    # Catalogue L 18, as on the slides: of the n counted, n-1 come from others. A run is one start, as the rest may be
    # woken by messages, and n^2 receptions.
    result = check("all_the_way:CountsOthersOnly", n=n)
    assert result.exit_code == 11
    trace = result.property("everyone_decides").trace
    assert trace is not None
    assert trace.length == 1 + n * n
    (tmp_path / "nobody.py").write_text(NOBODY_DECIDES)
    nobody = check("all_the_way:CountsOthersOnly", n=n, spec=str(tmp_path / "nobody.py"))
    assert nobody.property("nobody_ever_decides").verdict == "holds"


@pytest.mark.parametrize("elects", ["min", "max"])
def test_on_a_one_way_ring_whose_links_keep_the_order_the_own_identifier_comes_last(elects: str) -> None:
    parameters = {"elects": elects}
    assert check("all_the_way:TrustsTheOrder", n=[1, 2, 3, 4], parameters=parameters).verdict == "HOLDS"


@pytest.mark.parametrize(("network", "graph"), [("bag", "one_way_ring"), ("fifo", "two_way_ring")])
def test_elsewhere_the_own_identifier_may_come_back_first(network: str, graph: str) -> None:
    # Catalogue L 19 and handbook A6, seed errors 2 and 3. n=2: 2 starts; 1 wakes up, sends 1 and sends 2 back; 2 overtakes 1,
    # or goes the other way round, and comes home: 2 leads. Two steps more and 1 leads as well. (The handbook counts 4 and
    # 6, for there 1 starts by itself.)
    result = check("all_the_way:TrustsTheOrder", n=2, network=network, graph=graph)
    assert result.exit_code == 12
    wrong, two = (result.property(name).trace for name in ("leader_is_the_minimum", "at_most_one_leader"))
    assert wrong is not None
    assert two is not None
    assert [step.step for step in wrong.steps] == ["start", "see", "see"]
    assert [step.process for step in wrong.steps] == ["p2 (id 2)", "p1 (id 1)", "p2 (id 2)"]
    assert two.length == 5


def test_where_both_have_started_the_counterexample_is_the_published_one() -> None:
    # Catalogue L 19: start(1), start(2), 1 receives 2, 2 receives 2: four steps, the two starts among them.
    result = check("all_the_way:TrustsTheOrder", n=2, network="bag", start="simultaneous")
    wrong, two = (result.property(name).trace for name in ("leader_is_the_minimum", "at_most_one_leader"))
    assert wrong is not None
    assert two is not None
    assert (2 + wrong.length, 2 + two.length) == (4, 6)


def test_repeated_identifiers_make_the_processes_disagree() -> None:
    # Handbook A6 [checked]: 2,2,1. The first 2 comes to the other, which takes it for its own and the ring for one of 1.
    result = check("all_the_way", ids="2,2,1")
    assert result.property("agreement").verdict == "violated"
    wrong = result.property("leader_is_the_minimum").trace
    assert wrong is not None
    assert [step.step for step in wrong.steps] == ["start", "see"]
