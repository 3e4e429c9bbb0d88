"""`modelcheck watch`: a real process beside somebody who edits a model."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from modelcheck import check
from modelcheck.desk.changes import changes
from modelcheck.desk.watching import Watched
from tests.conftest import Write

COMMON = """
from modelcheck import Process, always, initiate, one_way_ring

LEAST, MOST = 0, {most}

class _Counting(Process):
    topology = one_way_ring
    count: int = 0

    @initiate
    def more(self):
        self.require(self.count < MOST)
        self.count += 1
"""
MINE = """
from common import _Counting
from modelcheck import always

class Mine(_Counting):
    pass

@always
def few(view):
    "Nobody counts beyond two."
    return all(process.count <= {bound} for process in view.processes)
"""


class Desk:
    """`modelcheck watch` in a folder; what it says is read up to where it waits for the next save."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        self.save("common.py", COMMON.format(most=2))
        self.save("mine.py", MINE.format(bound=2))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "modelcheck", "watch", "./mine.py", "--n", "2", *words],
            cwd=folder, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def save(self, name: str, text: str) -> None:
        """As many editors do: another file in the place of the old one."""
        (self.folder / f"{name}~").write_text(text)
        (self.folder / f"{name}~").replace(self.folder / name)

    def said(self) -> str:
        assert self.process.stdout is not None
        lines: list[str] = []
        while not lines or not lines[-1].startswith("  watching"):
            line = self.process.stdout.readline()
            assert line, self.process.communicate()
            lines.append(line)
        return "".join(lines)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    found = Desk(tmp_path, "--lines")
    yield found
    found.process.kill()
    found.process.communicate()


def test_each_save_is_checked_and_what_changed_is_shown_until_ctrl_c(desk: Desk) -> None:
    first = desk.said()
    assert first.startswith("HOLDS  termination, few ")
    assert "watching     mine.py and 1 more file; Ctrl-C ends it" in first

    desk.save("mine.py", MINE.format(bound=1))
    told = desk.said()
    assert "saved        mine.py\n" in told
    assert "was          HOLDS\n" in told
    assert "broken       few: " in told
    assert "(after 2 steps)\n" in told
    assert "VIOLATED  few  (always)  after 2 steps" in told
    assert "\ncommon.py:11: VIOLATED few: " in told  # there is the step that breaks it

    desk.save("mine.py", "class Mine(\n")
    assert "MODEL ERROR" in desk.said()

    desk.save("mine.py", MINE.format(bound=2))
    desk.said()
    desk.save("common.py", COMMON.format(most=1))
    told = desk.said()
    assert "saved        common.py\n" in told
    assert "states       9 -> 4\n" in told  # three counters each, then two

    desk.process.send_signal(signal.SIGINT)
    out, err = desk.process.communicate(timeout=60)
    assert (desk.process.returncode, out, err) == (0, "", "")


def test_what_differs_between_two_checks(write: Write) -> None:
    text = "class Mine(Process):\n    topology = one_way_ring\n    count: int = 0\n\n    @initiate\n    def more(self):\n        self.require(self.count < {most})\n        self.count += 1\n\n@always\ndef few(view):\n    return all(p.count <= {bound} for p in view.processes)\n"

    def found(most: int, bound: int) -> set[tuple[str, str, str]]:
        one = check(write(text.format(most=3, bound=1)), n=1)
        other = check(write(text.format(most=most, bound=bound)), n=1)
        return {(change.label, change.words.partition(":")[0], change.kind) for change in changes(one, other)}

    assert found(3, 1) == set()
    assert {("was", "VIOLATED", "better"), ("mended", "few", "better")} <= found(3, 3)
    assert ("run", "few", "") in found(3, 2)  # three steps and no longer two


def test_a_file_that_is_away_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("1")
    watched = Watched([file])
    looks = 0

    def meanwhile(_: float) -> None:
        nonlocal looks
        looks += 1
        if looks == 1:
            file.unlink()
        elif looks == 2:
            file.write_text("23")

    assert watched.wait(meanwhile) == (file,)
    assert file.exists()
    assert looks == 3
