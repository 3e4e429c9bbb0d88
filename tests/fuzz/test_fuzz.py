"""A few hundred cases of each kind, the same in every run. `python -m tests.fuzz` tries others, for as long as is wanted."""

from __future__ import annotations

import pytest

from . import complaints

SEED = 2026
BATCHES = {"command_lines": (6, 20), "files": (6, 20), "urls": (2, 75)}  # how many, and how many cases in each


@pytest.mark.parametrize(("kind", "batch"), [(kind, k) for kind, (count, _) in BATCHES.items() for k in range(count)])
@pytest.mark.filterwarnings("default")
def test_bad_input_is_answered_as_it_should_be(kind: str, batch: int) -> None:
    size = BATCHES[kind][1]
    found = [c for c in complaints(kind, SEED, range(batch * size, (batch + 1) * size)) if c is not None]
    assert not found, "\n".join(map(str, found))
