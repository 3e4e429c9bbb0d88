"""Spin's own leader election, leader0.pml (Dolev, Klawe and Rodeh), coded statement by statement: the states and transitions that Spin counts.

The counts are those of Spin 6.5.2 on the file of its distribution with these N and I: `spin -a -o1 -o2 -o3` (no statements merged, no
variables reset) and `-DNOREDUCE`. Spin counts also the state before the nodes are started and the one after `init` has ended, with the
transitions between, and the initial state as a transition (stored + matched).
"""

from pathlib import Path

import pytest

from modelcheck import check

LEADER0 = str(Path(__file__).parent / "protocols" / "spin_leader0.py")

SPIN = {  # N, and I: which node has the least number
    (2, 1): (110, 172),
    (2, 2): (106, 164),
    (3, 1): (668, 1_602),
    (3, 2): (676, 1_618),
    (3, 3): (679, 1_624),
    (4, 4): (5_172, 16_764),
}


@pytest.mark.parametrize(("n", "least"), SPIN)
def test_leader0_has_the_states_and_transitions_that_spin_counts(n: int, least: int) -> None:
    result = check(LEADER0, ids=tuple((n + least - node) % n + 1 for node in range(1, n + 1)))
    assert result.verdict == "HOLDS"
    assert result.terminal_states == 1
    assert (result.states + 2, result.transitions + 3) == SPIN[n, least]
