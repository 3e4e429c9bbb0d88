"""Models and specifications are found by name, by path and by class, as they are now."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from modelcheck import UsageError, catalog, check

HOLDING = """
class Model(Process):
    topology = one_way_ring
    x: int = 0
    @step
    def go(self):
        self.require(self.x < LIMIT)
        self.x += 1
LIMIT = 1
@always
def small(view):
    return all(p.x < 2 for p in view.processes)
"""


def test_a_file_that_was_changed_is_read_again(write: Callable[..., str]) -> None:
    """In one Python session the second verdict is about the second text."""
    assert check(write(HOLDING, "same"), n=1).verdict == "HOLDS"
    assert check(write(HOLDING.replace("LIMIT = 1", "LIMIT = 2"), "same"), n=1).verdict == "VIOLATED"


def test_two_runs_of_one_file_do_not_share_the_module_of_another_of_the_same_name(
    write: Callable[..., str], tmp_path: Path
) -> None:
    first = write(HOLDING, "same")
    (tmp_path / "other").mkdir()
    second = tmp_path / "other" / "same.py"
    second.write_text(Path(first).read_text().replace("LIMIT = 1", "LIMIT = 2"))
    assert [check(path, n=1).verdict for path in (first, str(second), first)] == ["HOLDS", "VIOLATED", "HOLDS"]


def test_of_several_protocols_in_a_file_one_is_named(write: Callable[..., str]) -> None:
    path = write(HOLDING + "class Another(Process):\n    pass\n")
    with pytest.raises(UsageError, match="several protocols"):
        catalog.find_model(path)
    assert catalog.find_model(f"{path}:Model").definition.name == "Model"
    with pytest.raises(UsageError, match="did you mean Model"):
        catalog.find_model(f"{path}:Modell")


def test_a_specification_is_found_by_name_and_by_path(write: Callable[..., str]) -> None:
    assert "termination" in {prop.name for prop in catalog.find_spec("termination")}
    assert [prop.name for prop in catalog.find_spec(write(HOLDING))] == ["small"]
    with pytest.raises(UsageError, match="did you mean election"):
        catalog.find_spec("elections")
    with pytest.raises(UsageError, match="states no properties"):
        catalog.find_spec(write("x = 1"))
