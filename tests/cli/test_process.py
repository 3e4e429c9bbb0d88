"""What only a process of its own can show: signals, pipes, start-up."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ..protocols import HANGS

ROOT = Path(__file__).parents[2]
Write = Callable[..., str]


def start(*words: str, program: tuple[str, ...] = ("-m", "modelcheck")) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *program, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


# Says when the third world is done.
TELLING = """
from modelcheck.explore.limits import Meter
from modelcheck.cli import main

landed, worlds = Meter.landed, 0

def telling(self, states, transitions):
    global worlds
    landed(self, states, transitions)
    worlds += 1
    if worlds == 3:
        import os
        os.write(2, b"begun\\n")

Meter.landed = telling
main()
"""


def interrupted(*words: str, program: tuple[str, ...] = (), sent: int = signal.SIGINT) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command that gets a signal once it has said that it has begun."""
    process = start(*words, program=program or ("-m", "modelcheck"))
    assert process.stderr is not None
    said = process.stderr.readline()
    if said.startswith("["):  # where it is printed
        said = process.stderr.readline()
    process.send_signal(sent)
    out, err = process.communicate(timeout=120)
    assert said == "begun\n", said + err
    return process.returncode, out, err


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_a_long_run_with_what_was_found(sent: int) -> None:
    code, out, err = interrupted(
        "run", "chang_roberts", "--n", "8", "--engine", "compiled", "--json", program=("-c", TELLING), sent=sent
    )
    found = json.loads(out)
    assert code == found["exit_code"] == 20
    assert found["verdict"] == "inconclusive"
    assert found["reason"] == "interrupted"
    assert found["states"] > 0
    assert found["worlds"]["explored"] == found["checkpoint"]["worlds"] >= 3
    assert err == ""


HANGS_ALOUD = HANGS.replace("while self", "if self.count == 2: print('begun', flush=True)\n        while self")


def test_ctrl_c_stops_a_step_that_hangs_and_names_it(write: Write) -> None:
    code, out, _ = interrupted("run", write(HANGS_ALOUD, "hangs"))
    assert code == 20
    assert "interrupted while tick was running, at hangs.py:" in out


def test_ctrl_c_while_a_model_is_read_leaves_no_traceback(write: Write) -> None:
    found = interrupted("run", write("print('begun', flush=True)\nwhile True: pass"))
    assert found == (20, "", "interrupted before there was anything to report\n")


def test_a_step_that_hangs_in_another_thread_is_stopped_too(write: Write) -> None:
    """The main thread is done, and notices the limit; nobody would ever come back to it."""
    text = """
    import threading
    class Hangs(Process):
        topology = one_way_ring
        count: int = 0

        @step
        def tick(self):
            while threading.current_thread() is not threading.main_thread():
                pass
            self.require(self.count < 4)
            self.count += 1
    """
    process = start("run", write(text), "--n", "4", "--engine", "compiled", "--workers", "2", "--max-seconds", "1")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 20, err
    assert "the limit of 1 seconds was reached" in out


BOOK = """
title = "Mine"

[[claim]]
name = "one"
where = "page 1"
states = "It elects."
tests = [{ run = "chang_roberts --engine compiled", n = "8..12", holds = true }, { run = "chang_roberts", n = 8, messages = { best = "3n - 1" } }]

[[claim]]
name = "two"
where = "page 2"
states = "It elects."
tests = [{ run = "chang_roberts", n = 2, holds = true }]
"""


def test_ctrl_c_ends_the_book_with_what_was_found_so_far(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(BOOK)
    code, out, err = interrupted("claims", str(tmp_path / "mine.toml"), "--json", program=("-c", TELLING))
    assert (code, err) == (20, "")
    claims = json.loads(out)["claims"]
    assert [claim["outcome"] for claim in claims] == ["not reached", "not reached"]
    assert [test["found"] for claim in claims for test in claim["tests"]] == ["interrupted"] * 3


def test_the_time_limit_ends_a_step_that_hangs(write: Write) -> None:
    process = start("run", write(HANGS, "hangs"), "--max-seconds", "3")
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 20
    assert "the limit of 3 seconds was reached while tick was running" in out


def test_where_a_step_hangs_nothing_is_blamed_on_growth(write: Write) -> None:
    process = start("run", write(HANGS.replace("== 2", "== 30"), "hangs"), "--n", "1", "--max-seconds", "3")
    out, _ = process.communicate(timeout=120)
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
    assert process.wait(120) == code


def drained(terminal: int) -> None:
    """Reads what nobody wants to know, so that whoever writes it can go on."""
    with contextlib.suppress(OSError):
        while os.read(terminal, 100_000):
            pass


def test_progress_is_shown_on_a_terminal_and_leaves_standard_output_alone() -> None:
    terminal, inner = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "modelcheck", "run", "chang_roberts", "--n", "9", "--json"],
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
        stdout=subprocess.PIPE,
        stderr=inner,
        text=True,
    )
    shown = b""
    while b"of 362,880 assignments" not in shown or b"states" not in shown:
        shown += os.read(terminal, 100_000)
    process.send_signal(signal.SIGINT)
    threading.Thread(target=drained, args=(terminal,), daemon=True).start()
    out, _ = process.communicate(timeout=120)
    os.close(inner)
    assert json.loads(out)["exit_code"] == 20


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
