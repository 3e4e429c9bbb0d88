"""What random runs say of formulas and of properties."""

from __future__ import annotations

import pytest

from modelcheck.simulate.sampling import Spread, _contradicted, simulate
from tests.conftest import Write


@pytest.mark.parametrize(
    ("word", "fewer", "more"),
    [
        ("worst", False, True),
        ("at most", False, True),
        ("best", True, False),
        ("at least", True, False),
        ("exactly", True, True),
    ],
)
def test_a_run_that_sends_fewer_or_more_than_a_formula_allows_contradicts_it(
    word: str, fewer: bool, more: bool
) -> None:
    """The formula says ten."""
    assert _contradicted(word, 10.0, Spread(9, 9.5, 0.5, 10, 2)) == fewer
    assert _contradicted(word, 10.0, Spread(10, 10.5, 0.5, 11, 2)) == more
    assert not _contradicted(word, 10.0, Spread(10, 10.0, 0.0, 10, 2))


@pytest.mark.parametrize(("kind", "code"), [("always", 12), ("at_the_end", 11)])
def test_what_must_be_so_at_the_end_and_always_is_looked_at_where_a_run_ends(
    kind: str, code: int, write: Write
) -> None:
    model = write(
        f"""
        class Counts(Process):
            topology = one_way_ring
            specs = ()
            x: int = 0
            @step
            def up(self):
                self.require(self.x < 2)
                self.x += 1
        @{kind}
        def low(view):
            return all(p.x < 2 for p in view.processes)
        """
    )
    found = simulate(model, n=2, runs=2)
    assert [[name for name, _, _ in sample.failures] for sample in found.samples] == [["low"], ["low"]]
    assert found.exit_code == code
