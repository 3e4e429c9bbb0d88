"""`print` and `breakpoint()` in a step: told once, with where it is, whatever the engine; and never in the middle of a report."""

from __future__ import annotations

import json
import os
import re
import sys
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from click.testing import CliRunner

from modelcheck import check, pulse
from modelcheck.cli import cli
from modelcheck.explore import limits

from ..conftest import Write

LELANN = """
    class Token(Message):
        id: Id

    class LeLann(ElectionProcess):
        topology = one_way_ring
        largest: Id | None = None

        @initiate
        def wake_up(self):
            self.require(self.largest is None)
            self.largest = self.id
            {here}
            self.send(NEXT, Token(self.id))

        @receive(Token)
        def pass_on(self, message):
            self.require(self.largest is not None)
            if message.id == self.id:
                self.leader = self.largest
            else:
                self.largest = max(self.largest, message.id)
                self.send(NEXT, message)
"""


@pytest.mark.parametrize(
    "words", [["--engine", "reference"], ["--engine", "compiled", "--workers", "2"], ["--engine", "sets"]]
)
@pytest.mark.witnessed
def test_what_a_step_prints_is_told_once_with_where_it_is_beside_whole_json(write: Write, words: list[str]) -> None:
    """Three processes wake up, each in one state of its own, whatever the world: three times something is printed."""
    model = write(LELANN.format(here='print("I am", self.id, end=" "); print("awake")'), "lelann")
    found = CliRunner().invoke(cli, ["run", model, "--n", "3", "--json", *words])
    assert json.loads(found.stdout)["verdict"] == "holds"
    told = [line for line in found.stderr.splitlines() if line]
    world = "" if "sets" in words else "; one-way ring of 3, ids 1,[23],[23]"
    where = r"\[lelann\.py:\d+  wake_up of the process with identifier (\d): leader=None, status=undecided, largest=1?2?3?N?o?n?e?"
    seen = []
    for header, text in pairwise(told):
        if match := re.fullmatch(rf"{where}{world}\]", header):
            assert text == f"I am {match[1]} awake"
            seen.append(match[1])
    assert sorted(seen) == ["1", "2", "3"]
    assert len(told) == 6


def test_without_a_terminal_a_breakpoint_does_nothing_and_says_so_once(write: Write) -> None:
    found = CliRunner().invoke(
        cli, ["run", write(LELANN.format(here="breakpoint()"), "lelann"), "--n", "3"], input="q\n"
    )
    assert found.exit_code == 0
    assert found.stdout.startswith("HOLDS")
    assert found.stderr.count("breakpoint() does nothing where there is no terminal: lelann.py:") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("typed", "code", "said"),
    [(["p 'me', self.id", "w", "b 23", "c", "c", "c", "c", "q"], 20, "interrupted while pass_on was running"), (["c"] * 3, 0, "HOLDS")],
)  # fmt: skip
def test_at_a_terminal_a_breakpoint_stops_where_it_says_once_for_each_state(
    typed: list[str], code: int, said: str, write: Write, tmp_path: Path
) -> None:
    """Ids are 1 to 3; line 23 is the first of the other step. Whoever quits interrupts the run, and finds no fault of the model."""
    model = write(LELANN.format(here="breakpoint()"), "lelann")
    output, status = at_a_terminal(["run", model, "--n", "3", "--max-seconds", "30"], typed, tmp_path)
    assert status == code, output
    assert "in lelann.py:" in output
    assert "of the process with identifier 1: leader=None" in output
    assert said in " ".join(output.split())
    assert "VIOLATED" not in output
    if code:
        assert "('me', 1)" in output
        assert "modelcheck/semantics" not in output
        assert re.search(r"in lelann\.py:23  pass_on of the process with identifier \d receiving Token\(\d\)", output)
    else:
        assert output.count("-> self.send(NEXT, Token(self.id))") == 3


def at_a_terminal(words: list[str], typed: list[str], folder: Path) -> tuple[str, int]:
    """What the command shows at a terminal where something is typed at each prompt, and its exit code."""
    import pty

    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.environ["COLUMNS"] = "200"
        os.execv(sys.executable, [sys.executable, "-m", "modelcheck", *words])
    shown = b""
    answers = list(typed)
    while True:
        try:
            some = os.read(terminal, 4096)
        except OSError:  # Linux says so at the end
            break
        if not some:
            break
        shown += some
        if shown.count(b"(Pdb) ") > len(typed) - len(answers) and answers:
            os.write(terminal, answers.pop(0).encode() + b"\n")
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    return shown.decode().replace("\r", ""), os.waitstatus_to_exitcode(status)


def test_the_time_limit_waits_while_somebody_looks_at_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    class Clock:
        def monotonic(self) -> float:
            return now

    clock: Any = Clock()
    monkeypatch.setattr(pulse, "time", clock)
    meter = limits.Meter(limits.Limits(max_seconds=10), clock=clock.monotonic)
    hushed: list[int] = []
    with pulse.hushed_by_rest(lambda: hushed.append(1)), pulse.resting():
        now = 100.0
        assert not meter.stop()
        assert hushed == [1]
    now = 109.0
    assert (meter.seconds(), meter.stop()) == (9.0, False)
    now = 111.0
    assert meter.stop()


def test_an_exception_of_a_model_may_be_named_like_the_debugger_s(write: Write) -> None:
    model = write("class BdbQuit(Exception):\n    pass\n" + dedent(LELANN.format(here="raise BdbQuit")))
    assert check(model, n=1, engine="reference").property("no_exceptions").verdict == "violated"
