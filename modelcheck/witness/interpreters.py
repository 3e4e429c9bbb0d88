"""The interpreters that take things again, from the side of the search.

One takes a tenth of a second to start, beside whatever goes on here; so it is started as early as can be, and kept for the next run. It
works for one run at a time. Where several runs go on at once there are several.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

from .wire import framed, received

# Two texts in a set come in the same order under two seeds about as often as not (0.53, for some fall on one another in a table of
# eight). With eight seeds besides one's own a step that goes by it is missed once in 160 times, by three texts once in a million.
SEEDS = tuple(range(1, 9))
_START = "import sys; sys.path.insert(0, {root!r}); from modelcheck.witness.server import main; main()"
_idle: dict[int, list[Interpreter]] = {}
_lock = threading.Lock()


class Interpreter:
    """One of them, with this hash seed. Raises OSError where none can be started."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        if not sys.executable or getattr(sys, "frozen", False):
            raise OSError("it is not known where Python is")
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START.format(root=str(Path(__file__).parents[2]))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            process_group=0 if hasattr(os, "fork") else None,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests: IO[bytes] = self._process.stdin
        self._answers: IO[bytes] = self._process.stdout
        self._outbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._inbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def tell(self, frame: bytes) -> None:
        """Sends a frame, without waiting until it is read."""
        self._outbox.put(frame)
        if self._writer is None:
            self._writer = threading.Thread(target=self._write, daemon=True)
            self._writer.start()

    def listen(self) -> None:
        """From now on one frame is expected."""
        threading.Thread(target=self._read, daemon=True).start()

    def answer(self, seconds: float) -> bytes | None:
        """The frame that was expected; None where the process has ended. Raises queue.Empty where it does not come in time."""
        return self._inbox.get(timeout=seconds)

    def end(self) -> None:
        """Ends it, and whatever it has started."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        for stream in (self._requests, self._answers):
            with contextlib.suppress(OSError, ValueError):
                stream.close()
        self._outbox.put(b"")  # which cannot be written any more, so that the thread that tries to ends

    def _write(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while True:
                self._requests.write(framed(self._outbox.get()))
                self._requests.flush()

    def _read(self) -> None:
        try:
            self._inbox.put(received(self._answers.read))
        except (OSError, ValueError):
            self._inbox.put(None)


def prepare() -> None:
    """Starts one, so that it is there when it is needed."""
    if not _idle.get(SEEDS[0]):
        with contextlib.suppress(OSError):
            give_back(Interpreter(SEEDS[0]))


def borrow(seed: int) -> Interpreter:
    """One that nobody uses. Raises OSError where none can be started."""
    with _lock:
        while waiting := _idle.get(seed):
            found = waiting.pop()
            if found.alive:
                return found
            found.end()
    return Interpreter(seed)


def give_back(interpreter: Interpreter) -> None:
    """It waits for the next run; where there is no fork, it has done what it can."""
    with _lock:
        _idle.setdefault(interpreter.seed, []).append(interpreter)


@atexit.register
def _end_all() -> None:
    with _lock:
        for waiting in _idle.values():
            while waiting:
                waiting.pop().end()


def _forget() -> None:
    """In a process that was forked off this one: they work for the other."""
    global _lock
    _lock = threading.Lock()
    for waiting in _idle.values():
        for interpreter in waiting:
            interpreter._process.returncode = 0  # so that nobody here waits for it
        waiting.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
