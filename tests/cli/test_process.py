"""What only a process of its own can show: signals, pipes, start-up."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ..protocols import HANGS

ROOT = Path(__file__).parents[2]
Write = Callable[..., str]


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "modelcheck", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def interrupted(*words: str, after: float = 1.5) -> tuple[int, str, str, float]:
    """Exit code, standard output, standard error, and how long it took from Ctrl-C to the end."""
    process = start(*words)
    time.sleep(after)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    return process.returncode, out, err, time.monotonic() - began


def test_ctrl_c_stops_a_long_run_within_two_seconds_with_what_was_found() -> None:
    code, out, err, seconds = interrupted("run", "chang_roberts", "--n", "9", "--json")
    found = json.loads(out)
    assert code == found["exit_code"] == 20
    assert found["verdict"] == "inconclusive"
    assert found["reason"] == "interrupted"
    assert found["states"] > 0
    assert seconds < 2
    assert err == ""


def test_ctrl_c_stops_a_step_that_hangs_and_names_it(write: Write) -> None:
    code, out, _, seconds = interrupted("run", write(HANGS, "hangs"))
    assert code == 20
    assert "interrupted while tick was running, at hangs.py:" in out
    assert seconds < 2.5  # two, and the time of a busy machine


def test_ctrl_c_while_a_model_is_read_leaves_no_traceback(write: Write) -> None:
    code, out, err, seconds = interrupted("run", write("while True: pass"))
    assert (code, out) == (20, "")
    assert err == "interrupted before there was anything to report\n"
    assert seconds < 2.5


BOOK = """
title = "Mine"

[[claim]]
name = "one"
where = "page 1"
states = "It elects."
tests = [{ run = "chang_roberts", n = "9..12", holds = true }, { run = "chang_roberts", n = 9, messages = { best = "3n - 1" } }]

[[claim]]
name = "two"
where = "page 2"
states = "It elects."
tests = [{ run = "chang_roberts", n = 2, holds = true }]
"""


def test_ctrl_c_ends_the_book_with_what_was_found_so_far(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(BOOK)
    code, out, err, seconds = interrupted("claims", str(tmp_path / "mine.toml"), "--json")
    assert (code, err) == (20, "")
    claims = json.loads(out)["claims"]
    assert [claim["outcome"] for claim in claims] == ["not reached", "not reached"]
    assert [test["found"] for claim in claims for test in claim["tests"]] == ["interrupted"] * 3
    assert seconds < 2.5


def test_the_time_limit_ends_a_step_that_hangs(write: Write) -> None:
    process = start("run", write(HANGS, "hangs"), "--max-seconds", "0.5")
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 20
    assert "the limit of 0.5 seconds was reached while tick was running" in out


def test_where_a_step_hangs_nothing_is_blamed_on_growth(write: Write) -> None:
    process = start("run", write(HANGS.replace("== 2", "== 30"), "hangs"), "--n", "1", "--max-seconds", "0.5")
    out, _ = process.communicate(timeout=20)
    assert "while tick was running" in out
    assert "growing" not in out


@pytest.mark.parametrize(("words", "code"), [(("list",), 0), (("run", "chang_roberts", "--ids", "1,1,2"), 12)])
def test_a_reader_that_goes_away_is_no_reason_to_complain(words: tuple[str, ...], code: int) -> None:
    process = start(*words)
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(20) == code


def test_progress_is_shown_on_a_terminal_and_leaves_standard_output_alone() -> None:
    terminal, inner = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "modelcheck", "run", "chang_roberts", "--n", "9", "--max-seconds", "4", "--json"],
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
        stdout=subprocess.PIPE,
        stderr=inner,
        text=True,
    )
    out, _ = process.communicate(timeout=60)
    os.close(inner)
    shown = os.read(terminal, 100_000).decode()
    os.close(terminal)
    assert json.loads(out)["exit_code"] == 20
    assert "of 362,880 assignments" in shown
    assert "states" in shown


def test_the_output_does_not_depend_on_the_hash_seed() -> None:
    def printed(seed: str) -> str:
        found = subprocess.run(
            [sys.executable, "-m", "modelcheck", "run", "chang_roberts", "--ids", "1,1,2"],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        return "\n".join(line for line in found.stdout.splitlines() if "explored" not in line)

    assert printed("1") == printed("2")
