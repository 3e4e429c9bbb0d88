"""Values that Python does not write to a file as they are: whatever is asked for is written all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conftest import Write
from .conftest import Type


@pytest.mark.parametrize("value", ["16**5000", "'\\ud800'", "Right(8)"])
def test_a_long_number_half_a_character_and_a_nameless_flag_are_written_and_read_back(
    type_in: Type, write: Write, tmp_path: Path, value: str
) -> None:
    """Python writes no number of more than 4,300 digits, and UTF-8 has no half of a surrogate pair."""
    file = write(
        f"""
        class Right(enum.IntFlag):
            read = 1
        class Model(Process):
            topology = one_way_ring
            v: int | str | None = None
            rights: Right | None = None
            @step
            def act(self):
                self.require(self.v is None and self.rights is None)
                self.{"rights" if "Right" in value else "v"} = {value}
        @always
        def idle(view):
            return all(p.v is None and p.rights is None for p in view.processes)
        """
    )
    trace = tmp_path / "run.trace"
    for option in (["--json"], ["--html", str(tmp_path / "run.html")], ["--trace", str(trace)]):
        assert type_in("run", file, "--n", "2", *option).exit_code == 12
    read = type_in("trace", str(trace))
    assert read.exit_code == 0
    assert "every step fits" in read.output
