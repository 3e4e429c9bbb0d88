"""Compiling ahead: while the reference engine explores, another process compiles what the compiled one lacks (compiling.py).

Nothing passes between the two but machine code, in the folder where it is kept from run to run (explore/compiled/jit.py): so it does not
matter whether others compile the same at the same time. The process ends when it is done, or with the one that started it, however that
comes about; what it had compiled until then is kept, function by function.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path

_START = "import sys; sys.path.insert(0, {root!r}); from modelcheck.compiling import main; main()"
_under_way: dict[str, subprocess.Popen[bytes] | None] = {}  # by kind; None where there is no such process
_lock = threading.Lock()
_declined = False


def ready(kind: str) -> bool:
    """Whether nobody need wait any longer for code for worlds of this kind. Whoever is the first to ask has it compiled."""
    if _declined:
        return True
    with _lock:
        if kind not in _under_way:
            if any(process is not None and process.poll() is None for process in _under_way.values()):
                return False  # one at a time
            _under_way[kind] = _begun(kind)
        process = _under_way[kind]
    return process is None or process.poll() is not None


def declined() -> bool:
    """Whether nobody compiles for this process."""
    return _declined


def decline() -> None:
    """In this process code is compiled when it is needed: there are as many such processes as cores."""
    global _declined
    _declined = True


def _begun(kind: str) -> subprocess.Popen[bytes] | None:
    if not sys.executable or getattr(sys, "frozen", False):
        return None
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-c", _START.format(root=str(Path(__file__).parents[1])), kind],
            stdin=subprocess.PIPE,  # closed when this process is gone
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0 if hasattr(os, "fork") else None,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except OSError:
        return None


@atexit.register
def _end_all() -> None:
    with _lock:
        for process in _under_way.values():
            if process is not None:
                process.kill()
                process.wait()
                with contextlib.suppress(OSError):
                    process.stdin.close()  # type: ignore[union-attr]
