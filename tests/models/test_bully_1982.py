"""Garcia-Molina's Bully Algorithm as published, with the failure detector for time-outs."""

import pytest

from modelcheck import check

from .counting import message_counts


@pytest.mark.parametrize(
    ("n", "crashes"), [(1, 0), (2, 1), (3, 0), (3, 1), pytest.param(3, 2, marks=pytest.mark.thorough)]
)
def test_both_assertions_of_the_paper_hold(n: int, crashes: int) -> None:
    result = check("bully_1982", n=n, crashes=crashes)
    assert result.verdict == "HOLDS"
    assert {result.property(name).verdict for name in ("one_coordinator", "all_are_normal")} == {"holds"}


def test_both_engines_agree() -> None:
    runs = [check("bully_1982", n=2, crashes=1, engine=engine) for engine in ("reference", "compiled")]
    assert [run.verdict for run in runs] == ["HOLDS", "HOLDS"]
    assert len({(run.states, run.transitions) for run in runs}) == 1


@pytest.mark.parametrize("n", [1, 2, 3])
def test_messages_without_failures(n: int) -> None:
    # Halt, NewCoordinator and Ready to all but the highest, and back; and at most everyone else asks all above it once.
    for _, least, greatest in message_counts("bully_1982", n):
        assert least == 6 * (n - 1)
        assert greatest == 6 * (n - 1) + n * (n - 1)


def test_without_the_check_a_late_halt_leaves_its_victim_waiting() -> None:
    # 3 halts and fails when 2 has been halted, which misses it and halts 1: 6 steps. Now 1 hears 3's Halt, misses 3 and asks 2: 3. It
    # takes no coordinator but 3: 2 hears its return, and it returns in vain: 2. 2 answers, and 1 leaves it to 2: 2. 2 is normal: 1.
    result = check("bully_1982:NeverChecks", n=3, crashes=1)
    trace = result.property("all_are_normal").trace
    assert trace is not None
    assert trace.length == 6 + 3 + 2 + 2 + 1
    assert "p1 (id 1): election" in trace.reason
    assert result.property("one_coordinator").verdict == "holds"
