"""Chang and Roberts with a participant flag (handbook A2)."""

import pytest

from modelcheck import check
from tests.models.test_chang_roberts import PEERS

from .counting import message_counts

MODELS = ["chang_roberts_participant", "chang_roberts_participant:RelayIsNoParticipant"]


@pytest.mark.parametrize("rounds", [1, 2, 3])
@pytest.mark.parametrize("model", MODELS)
def test_it_is_correct_however_many_elections_there_are(model: str, rounds: int) -> None:
    result = check(model, n=[1, 2, 3], initiators="each", parameters={"rounds": rounds})
    assert result.verdict == "HOLDS"
    assert result.property("every_election_is_over").verdict == "holds"
    assert result.property("one_leader_wave").verdict == "holds"


@pytest.mark.parametrize("n", [2, 3])
def test_it_elects_the_minimum_as_well(n: int) -> None:
    result = check("chang_roberts_participant", n=n, parameters={"elects": "min", "rounds": 2})
    assert result.verdict == "HOLDS"
    assert result.property("leader_is_the_minimum").verdict == "holds"


@pytest.mark.parametrize("n", [3, 4, 5])
def test_one_election_has_the_state_space_of_chang_and_roberts(n: int) -> None:
    # Whoever knows the leader is no participant any more and starts nothing, so the flag carries what `awake` does; the
    # numbers are those of Spin and Rumur for Chang and Roberts.
    result = check("chang_roberts_participant", n=n)
    assert (result.states, result.transitions) == PEERS["fifo", n]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_messages_are_those_of_chang_and_roberts_when_all_start_first(n: int, model: str) -> None:
    ours = list(message_counts(model, n, start="simultaneous"))
    assert ours == list(message_counts("chang_roberts", n, start="simultaneous"))


@pytest.mark.parametrize("n", [3, 4])
def test_where_passing_on_marks_nobody_a_doomed_election_may_start_late(n: int) -> None:
    # Whoever has passed on the winner may still start, which is more runs, hence more states.
    marked, unmarked = (check(model, n=n).states for model in MODELS)
    assert unmarked > marked


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_second_election_costs_as_much_again_at_most(n: int) -> None:
    worst = max(greatest for *_, greatest in message_counts("chang_roberts_participant", n))
    twice = max(greatest for *_, greatest in message_counts("chang_roberts_participant", n, parameters={"rounds": 2}))
    assert twice == 2 * worst


@pytest.mark.parametrize("network", ["bag", "set"])
def test_one_election_stands_any_reordering(network: str) -> None:
    assert check("chang_roberts_participant", n=[1, 2, 3], network=network).verdict == "HOLDS"


def test_where_messages_overtake_the_next_election_may_be_swallowed_by_the_last() -> None:
    # Two processes, 1 the initiator: 1 starts, 2 joins, 1 passes 2 on, 2 wins, 1 learns it and starts again; Election(1)
    # overtakes Leader(2), so 2 still takes part in the first election and swallows it. Then 2 learns that it has won.
    result = check("chang_roberts_participant", n=2, network="bag", initiators=[1], ids="1,2", parameters={"rounds": 2})
    assert result.exit_code == 11
    assert [p.name for p in result.properties if p.verdict == "violated"] == ["every_election_is_over"]
    trace = result.property("every_election_is_over").trace
    assert trace is not None
    steps = ["start", "compare", "compare", "compare", "learn", "start", "compare", "learn"]
    assert [step.step for step in trace.steps] == steps
