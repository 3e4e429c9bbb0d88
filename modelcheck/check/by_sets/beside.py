"""What is worked out in a thread of its own meanwhile, until somebody wants it, or nobody any more."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Generic, TypeVar

from ...pulse import StoppedError, Watch, beat, watched_by

Found = TypeVar("Found")


class Beside(Generic[Found]):
    """Has something worked out, watched by whoever watches this."""

    def __init__(self, work: Callable[[], Found], watch: Watch) -> None:
        self._work, self._watch = work, watch
        self._unwanted = False
        self._found: list[Found] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=copy_context().run, args=(self._run,), daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            with watched_by(self):
                self._found.append(self._work())
        except BaseException as error:  # whoever wants the result is told
            self._error = error

    def result(self) -> Found:
        """What was worked out. Waits for it, and raises what it raised."""
        while self._thread.is_alive():
            self._thread.join(0.05)
            beat()
        if self._error is not None:
            raise self._error
        return self._found[0]

    def drop(self) -> None:
        """Nobody wants it any more. Waits until that is noticed."""
        self._unwanted = True
        self._thread.join()

    # --- asked by the work

    def look(self) -> None:
        """Raises StoppedError where there is no going on."""
        if self._unwanted:
            raise StoppedError
        self._watch.look()

    def make_room(self, size: int) -> None:
        """Raises StoppedError where there is no room."""
        self._watch.make_room(size)
