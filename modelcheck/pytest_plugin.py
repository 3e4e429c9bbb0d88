"""For pytest: `def test_mine(modelcheck): modelcheck("mine.py", n=4).holds()`.

A protocol that fails its test is shown as the terminal shows it, with the paths of its trace (for `modelcheck trace` and `modelcheck
explore --trace`) and of its picture. Where a search stopped before its end, nothing holds.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .check.result import Result


class CheckedModel:
    """A protocol that was checked; `result` is what `modelcheck.check` has returned."""

    def __init__(self, result: Result, folder: Path) -> None:
        self.result, self._folder = result, folder

    def holds(self) -> Result:
        """Fails the test unless every property holds."""
        if self.result.verdict != "HOLDS":
            self._fail("every property was to hold")
        return self.result

    def violates(self, name: str) -> Result:
        """Fails the test unless this property is violated."""
        if not any(found.name == name and found.verdict == "violated" for found in self.result.properties):
            self._fail(f"{name} was to be violated")
        return self.result

    def _fail(self, wanted: str) -> None:
        __tracebackhide__ = True
        pytest.fail("\n".join([f"{wanted}\n", str(self.result), *self._written()]), pytrace=False)

    def _written(self) -> list[str]:
        """The shortest counterexample as files, and where they are."""
        from .pictures.diagram import diagram
        from .report.files import as_json

        traces = [found.trace for found in self.result.properties if found.verdict == "violated" and found.trace]
        if not traces:
            return []
        kept, picture = self._folder / "run.json", self._folder / "run.svg"
        kept.write_text(as_json.dumps(as_json.traces(self.result)), encoding="utf-8")
        picture.write_text(diagram(min(traces, key=lambda trace: trace.length)), encoding="utf-8")
        return ["", f"trace    modelcheck trace {kept}", f"picture  {picture}"]


@pytest.fixture
def modelcheck(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., CheckedModel]:
    """Checks a model, with the arguments of `modelcheck.check`; a path is taken from the folder of the test first."""
    from . import check

    def checked(model: Any, **options: Any) -> CheckedModel:
        beside = request.path.parent / model if isinstance(model, str) else None
        found = str(beside) if beside is not None and beside.is_file() else model
        return CheckedModel(check(found, **options), tmp_path)

    return checked
