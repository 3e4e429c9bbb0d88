"""When a model is saved: its file, the files that it imports, and those that a run reads besides (a specification, a graph).

The files are looked at three times a second, by their times and sizes: that needs nothing but the standard library, goes by any file system, and costs
less than a thousandth of a core.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..explore.limits import Meter
from ..loading import files_of, loaded, text_of

INTERVAL = 0.3  # seconds between two looks

Stamp = tuple[int, int, int]  # when it was written in nanoseconds, its size, its inode


def _stamp(file: Path) -> Stamp | None:
    """None where there is no such file, for now: some editors put another in its place."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


class Watched:
    """The files, and how each was when it was last looked at."""

    def __init__(self, files: Iterable[Path]) -> None:
        self._stamps = {file: _stamp(file) for file in dict.fromkeys(files)}

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(self._stamps)

    def follow(self, model: Path) -> None:
        """From now on what the model imports is watched as well. One that has changed since it was loaded counts as saved."""
        made = loaded.get(str(model.resolve()))
        if made is None:
            self._add_beside(model)
            return
        for name in files_of(made.module.__name__):
            path, text = text_of(name) or ("", b"")
            file = Path(path)
            if path and file.resolve() != model.resolve() and file not in self._stamps:
                stamp = _stamp(file)
                self._stamps[file] = stamp if _holds(file, text) else None

    def _add_beside(self, model: Path) -> None:
        """Of a model that could not be read nobody knows what it imports."""
        for file in sorted(model.resolve().parent.glob("*.py")):
            if file != model.resolve():
                self._stamps.setdefault(file, _stamp(file))

    def saved(self) -> tuple[Path, ...]:
        """Those that have changed since the last look."""
        now = {file: _stamp(file) for file in self._stamps}
        found = tuple(file for file, stamp in now.items() if stamp != self._stamps[file])
        self._stamps = now
        return found

    def wait(self, pause: Callable[[float], object] = time.sleep) -> tuple[Path, ...]:
        """Waits until some are saved, and until nothing more is written; which these are."""
        found: dict[Path, None] = {}
        while True:
            fresh = self.saved()
            found.update(dict.fromkeys(fresh))
            if found and not fresh:
                return tuple(found)
            pause(INTERVAL)

    def is_stale(self) -> bool:
        """Whether some have been saved since the last look, which this is not."""
        return any(_stamp(file) != stamp for file, stamp in self._stamps.items())

    @contextmanager
    def stopping(self, meter: Meter) -> Iterator[None]:
        """A search that goes on while a file is saved is stopped: what it would find is out of date."""
        over = threading.Event()

        def look() -> None:
            while not over.wait(INTERVAL):
                if self.is_stale():
                    meter.interrupted = True
                    return

        thread = threading.Thread(target=look, name="watching", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def _holds(file: Path, text: bytes) -> bool:
    try:
        return file.read_bytes() == text
    except OSError:
        return False
