"""The fixture for pytest: a protocol that holds passes, one that fails is shown with its trace and its picture."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

TESTS = """
def test_holds(modelcheck):
    assert modelcheck("chang_roberts", n=2).holds().verdict == "HOLDS"


def test_fails(modelcheck):
    modelcheck("chang_roberts", ids="1,1,2").holds()


def test_is_violated_as_it_should(modelcheck):
    modelcheck("chang_roberts", ids="1,1,2").violates("agreement")


def test_stops_early(modelcheck):
    modelcheck("chang_roberts", n=3, max_states=10).holds()
"""


def test_what_holds_passes_and_what_fails_is_shown_with_its_trace_and_its_picture(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "modelcheck.pytest_plugin", "-p", "no:cacheprovider", "."]
    known = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    done = subprocess.run(command, cwd=tmp_path, env=known, capture_output=True, text=True)
    assert "2 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    assert "VIOLATED" in done.stdout
    assert "INCONCLUSIVE" in done.stdout
    for label, kind in (("trace    modelcheck trace ", "json"), ("picture  ", "svg")):
        (file,) = set(re.findall(rf"{label}(\S+\.{kind})", done.stdout))
        assert Path(file).is_file()
