"""What properties see of a network that splits: `view.blocks`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modelcheck.check.result import Result
from tests.explore.comparison import both, by_kernel

Run = Callable[..., Result]

SILENT = """
class Silent(Process):
    topology = complete
    identifiers = "any"
    x: int = 0
@always
def claim(view):
    return {claim}
"""


def violated(run: Run, claim: str, **options: Any) -> int | None:
    """After how many steps the claim fails of three silent processes; None where it holds."""
    found = run(SILENT.format(claim=claim), **{"n": 3, "ids": "unique"} | options).property("claim")
    return found.trace.length if found.trace else None


@pytest.mark.parametrize(
    ("claim", "steps"),
    [
        ("len(view.blocks) == 1", 1),
        ("len(view.blocks) < 3", 2),
        ("len(view.blocks) < 4", None),
        ("sum(map(len, view.blocks)) == 3", None),
        ("any(2 * len(block) > 3 for block in view.blocks)", 2),
        ("sorted(p.id for block in view.blocks for p in block) == [p.id for p in view.processes]", None),
        ("view.blocks[0][0] is view.processes[0]", None),  # the block of the least identifier comes first
        ("all(list(b) == sorted(b, key=lambda p: p.id) for b in view.blocks)", None),
        ("[b[0].id for b in view.blocks] == sorted(b[0].id for b in view.blocks)", None),
    ],
)
def test_blocks_are_the_processes_by_who_reaches_whom(run: Run, claim: str, steps: int | None) -> None:
    assert violated(run, claim, partitions=2) == steps


def test_without_partitions_there_is_one_block_of_all(run: Run) -> None:
    assert violated(run, "[list(b) for b in view.blocks] == [list(view.processes)]") is None


@pytest.mark.parametrize("partitions", [1, 2])
def test_both_engines_see_the_same_blocks(write: Callable[..., str], partitions: int) -> None:
    text = SILENT.format(claim="len(view.blocks) < 3") + (
        "@every_step\n"
        "def blocks_only_become_more(before, after):\n"
        "    return len(before.blocks) <= len(after.blocks)\n"
        "@eventually\n"
        "def they_are_all_alone(view):\n"
        "    return len(view.blocks) == 3\n"
    )
    found = by_kernel(both(write(text), n=3, partitions=partitions, heals=1)).result
    lengths = {p.name: p.trace.length if p.trace else None for p in found.properties}
    assert lengths["claim"] == (None if partitions == 1 else 2)
    assert lengths["blocks_only_become_more"] == 2  # split, heal
    assert lengths["they_are_all_alone"] == 0  # nothing has to happen


def test_which_block_comes_first_among_equal_identifiers_is_nothing_to_rely_on(run: Run) -> None:
    result = run(SILENT.format(claim="len(view.blocks[0]) != 1"), n=3, ids="1,1,1", partitions=1)
    assert "depends on how the processes are numbered" in str(result.error)


def test_a_process_of_a_block_has_its_fields_and_its_place(run: Run) -> None:
    assert violated(run, "all(p.x == 0 and not p.crashed for b in view.blocks for p in b)", partitions=1) is None
    alone = "not any(p.at(p.ports[0]) not in tuple(b) for b in view.blocks if len(b) == 2 for p in b)"
    assert violated(run, alone, partitions=1) == 1  # the neighbour at a port is behind the cut
