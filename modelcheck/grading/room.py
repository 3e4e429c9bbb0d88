"""The process that a submission is given, from the side of the grader: what is asked of it, for how long, and with how much memory.

It works in a folder of its own, that has a copy of the submission and nothing else. Whatever is late or grows too large is ended with all that
it has started.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

import psutil

from .lab import Lab

_START = "import sys; sys.path.insert(0, {root!r}); from modelcheck.grading.child import main; main()"
STARTING = 120.0  # seconds that an interpreter may take to be ready, which are not the submission's
LATE = 5.0  # seconds beyond its limit after which a process is ended, where it did not stop by itself
LOOK = 0.05  # seconds between two looks at its memory
LONGEST = 10_000_000  # characters of an answer
SWEEPS = 5  # looks for what it has started, while there is more
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME")


class EndedError(Exception):
    """The process is gone. The text is half a sentence that says why."""


class ExamRoom:
    """One process for the submission in `folder`, which has an empty file for the class that is graded. Compiled code is kept in the folder `code`. Use it
    as a context manager."""

    def __init__(self, lab: Lab, folder: Path, given_up: threading.Event, code: Path | None = None) -> None:
        self._given_up = given_up
        self._memory = lab.allowance.memory
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START.format(root=str(Path(__file__).parents[2]))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            text=True,
            env={name: value for name, value in os.environ.items() if name in _KEPT}
            | ({"NUMBA_CACHE_DIR": str(code.parent)} if code is not None else {}),
            start_new_session=hasattr(os, "fork"),
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests: IO[str] = self._process.stdin
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        try:
            self.ask({"lab": str(lab.file), "code": str(code or "")}, STARTING)
        except BaseException:
            self.end()
            raise

    def __enter__(self) -> ExamRoom:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Its answer, for which it has so many seconds, and some more to stop by itself. Raises EndedError where there is none in time, or the
        process has come to an end."""
        until = time.monotonic() + seconds + LATE
        try:
            self._requests.write(json.dumps(request) + "\n")
            self._requests.flush()
        except OSError:
            raise EndedError("the process that checked it had ended") from None
        while True:
            with contextlib.suppress(queue.Empty):
                return self._understood(self._answers.get(timeout=LOOK))
            if (used := self._used()) > self._memory:
                raise EndedError(f"it took more than {self._memory:,} MB of memory ({used:,} MB)")
            if self._given_up.is_set():
                raise EndedError("grading was interrupted")
            if time.monotonic() > until:
                raise EndedError(f"it was not done after {seconds:g} s")

    def end(self) -> None:
        """Ends it, and whatever it has started: what is below it, and what is of its session, until there is no more of that."""
        for _ in range(SWEEPS):
            members = [*self._below(), *self._of_session()]
            self._process.kill()
            for one in members:
                with contextlib.suppress(psutil.Error):
                    psutil.Process(one).kill()
            if not members:
                break
        self._process.wait()
        self._reader.join()
        for stream in (self._requests, self._process.stdout):
            with contextlib.suppress(OSError, ValueError):
                if stream is not None:
                    stream.close()

    def _below(self) -> list[int]:
        with contextlib.suppress(psutil.Error):
            return [one.pid for one in psutil.Process(self._process.pid).children(recursive=True)]
        return []

    def _of_session(self) -> list[int]:
        """Also those whose parents are gone."""
        if sys.platform == "win32":
            return []
        found = []
        for one in psutil.pids():
            with contextlib.suppress(OSError):
                if one != self._process.pid and os.getsid(one) == self._process.pid:
                    found.append(one)
        return found

    def _read(self, stream: IO[str]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := stream.readline(LONGEST):
                self._answers.put(line)
        self._answers.put("")

    def _understood(self, line: str) -> dict[str, Any]:
        try:
            answer = json.loads(line)
        except ValueError:
            raise EndedError("the process that checked it ended without an answer") from None
        if not isinstance(answer, dict):
            raise EndedError("the process that checked it gave no answer that can be read")
        return answer

    def _used(self) -> int:
        """Megabytes that the greatest of its processes holds."""
        found = [0]
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self._process.pid)
            for one in (process, *process.children(recursive=True)):
                with contextlib.suppress(psutil.Error):
                    found.append(int(one.memory_info().rss) // 1_000_000)
        return max(found)
