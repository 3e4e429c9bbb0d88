"""What a step or a property does to the world outside while it is taken again: files it writes, programs it starts, connections it makes.

What is there already is there for a fresh interpreter too, and would be found again by it; so it is noticed where it is made. Nothing of
it can be part of a state, and a step is taken as often, and in whatever order, as the checker likes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
DONE = {
    "os.remove": "removes",
    "os.rename": "renames",
    "os.mkdir": "makes",
    "os.rmdir": "removes",
    "os.link": "links to",
    "os.symlink": "links to",
    "os.truncate": "shortens",
    "os.putenv": "sets the environment variable",
    "os.unsetenv": "removes the environment variable",
    "os.system": "runs the command",
    "subprocess.Popen": "starts the program",
    "socket.connect": "connects to the network",
    "socket.bind": "listens to the network",
    "sqlite3.connect": "opens the database",
}  # by the events of https://docs.python.org/3/library/audit_events.html


class Deeds:
    """Notices them while somebody wants to know."""

    def __init__(self) -> None:
        self._noticed: list[str] | None = None
        sys.addaudithook(self._notice)

    @contextmanager
    def noticed(self) -> Iterator[list[str]]:
        """What is done in the meantime, as 'it writes the file /tmp/x'."""
        found = self._noticed = []
        try:
            yield found
        finally:
            self._noticed = None

    def _notice(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._noticed is None:
            return
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, (str, bytes)) and flags & WRITING and not os.fsdecode(path).startswith("/dev/"):
                self._noticed.append(f"it writes the file {os.fsdecode(path)}")
        elif event in DONE:
            what = "" if event.startswith("socket") else f" {_text(arguments[0])}"
            self._noticed.append(f"it {DONE[event]}{what}")


def _text(value: Any) -> str:
    return os.fsdecode(value) if isinstance(value, (str, bytes)) else repr(value)
