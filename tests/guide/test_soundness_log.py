"""Every test that the soundness log names still stands, and every file."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
LOG = (TESTS.parent / "modelcheck" / "guide" / "soundness_log.md").read_text(encoding="utf-8")


def test_every_file_that_the_log_names_is_there() -> None:
    named = set(re.findall(r"`(tests/[\w/]+\.py)", LOG))
    assert len(named) > 10
    assert [name for name in sorted(named) if not (TESTS.parent / name).is_file()] == []


def test_every_test_that_the_log_names_is_there() -> None:
    text = "\n".join(file.read_text() for file in TESTS.rglob("test_*.py"))
    named = re.findall(r"\b(test_\w+)(\.\.\.)?`", LOG)
    assert len(named) > 40
    missing = [name for name, cut in named if not re.search(rf"def {name}{'' if cut else chr(92) + 'b'}", text)]
    assert missing == []
