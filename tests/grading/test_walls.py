"""What the operating system keeps a submission from that got out of the language: here ordinary Python stands in its place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from modelcheck.grading.fixing import GRADED
from modelcheck.grading.lab import find_lab
from modelcheck.grading.room import ExamRoom

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's")
TRIES = """
import json, os, socket, sys
from pathlib import Path
from modelcheck.grading.walls import limit, shut_in

def tried(what):
    try:
        what()
    except (OSError, MemoryError) as error:
        return type(error).__name__
    return "done"

port, parent = map(int, sys.argv[1:])
here, others = Path("mine").resolve(), Path("others").resolve()
limit(60, 300)
shut = shut_in([here], [here / "graded.py"])
print(json.dumps({
    "shut": shut,
    "reads its own": tried((here / "submission.py").read_text),
    "reads Python": tried(lambda: __import__("colorsys")),
    "writes the graded file": tried(lambda: (here / "graded.py").write_text("x")),
    "reads another's": tried((others / "ada.py").read_text),
    "lists the others": tried(lambda: os.listdir(others)),
    "writes a grade": tried(lambda: (others / "ada.py").write_text("10")),
    "fills the disk": tried(lambda: (here / "more").write_text("x")),
    "removes the graded file": tried((here / "graded.py").unlink),
    "connects": tried(lambda: socket.create_connection(("127.0.0.1", port), 5)),
    "signals its grader": tried(lambda: os.kill(parent, 0)),
    "has another do it": tried(lambda: os.waitstatus_to_exitcode(os.system(f"cat {others / 'ada.py'} >/dev/null 2>&1")) and (others / "ada.py").read_text()),
    "takes all memory": tried(lambda: bytearray(10**11)),
}))
"""


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    import socket

    folder = tmp_path_factory.mktemp("walls")
    for name in ("mine/submission.py", "mine/graded.py", "others/ada.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x = 1\n")
    with socket.create_server(("127.0.0.1", 0)) as server:
        command = [sys.executable, "-c", TRIES, str(server.getsockname()[1]), str(os.getpid())]
        ended = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert ended.returncode == 0, ended.stderr
    found: dict[str, str] = json.loads(ended.stdout)
    return found


def test_memory_has_an_end_whatever_the_kernel(tried: dict[str, str]) -> None:
    assert tried["takes all memory"] == "MemoryError"


def test_what_a_submission_needs_it_can_do(tried: dict[str, str]) -> None:
    assert {tried[what] for what in ("reads its own", "reads Python", "writes the graded file")} == {"done"}


def test_a_submission_reads_no_other_and_writes_no_grades(tried: dict[str, str]) -> None:
    """Nor a file of its own, with which it could fill the disk; nor by a program that it starts."""
    if not tried["shut"]:
        pytest.skip("this kernel has no Landlock")
    deeds = (
        "reads another's",
        "lists the others",
        "writes a grade",
        "fills the disk",
        "removes the graded file",
        "has another do it",
    )
    assert {what: tried[what] for what in deeds} == dict.fromkeys(deeds, "PermissionError")


def test_a_submission_connects_to_nobody_and_signals_nobody(tried: dict[str, str]) -> None:
    release = tuple(int(part) for part in os.uname().release.split("-")[0].split(".")[:2])
    if not tried["shut"] or release < (6, 12):
        pytest.skip("this kernel's Landlock does not know of connections and signals")
    assert (tried["connects"], tried["signals its grader"]) == ("PermissionError", "PermissionError")


def test_the_process_of_a_submission_stands_within_these_walls(tmp_path: Path) -> None:
    (tmp_path / GRADED).touch()
    with ExamRoom(find_lab("garg"), tmp_path, threading.Event()) as room:
        process = psutil.Process(room._process.pid)
        limits = [psutil.RLIMIT_CPU, psutil.RLIMIT_AS, psutil.RLIMIT_FSIZE, psutil.RLIMIT_NOFILE, psutil.RLIMIT_CORE]
        assert all(process.rlimit(which)[1] != psutil.RLIM_INFINITY for which in limits)
        assert "NoNewPrivs:\t1" in Path(f"/proc/{process.pid}/status").read_text()
        assert set(process.environ()) <= {
            "PATH",
            "HOME",
            "LANG",
            "LC_ALL",
            "LC_CTYPE",
            "TMPDIR",
            "NUMBA_CACHE_DIR",
            "XDG_CACHE_HOME",
        }


def test_what_a_submission_has_started_ends_with_it(tmp_path: Path) -> None:
    """Also a process whose parent is gone."""
    sleeper = "import subprocess as s, sys; print(s.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], stdout=2, stderr=2).pid)"
    parent = f"import subprocess as s, sys; s.run([sys.executable, '-c', {sleeper!r}])"
    (tmp_path / GRADED).touch()
    with ExamRoom(find_lab("garg"), tmp_path, threading.Event()) as room:
        room._process.kill()
        room._process.wait()
        assert room._process.stdout is not None
        room._process.stdout.close()
        room._process = subprocess.Popen(
            [sys.executable, "-c", parent],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        assert room._process.stdout is not None
        orphan = psutil.Process(int(room._process.stdout.readline()))
        assert orphan.is_running()
    psutil.wait_procs([orphan], timeout=10)
    assert not orphan.is_running() or orphan.status() == psutil.STATUS_ZOMBIE
