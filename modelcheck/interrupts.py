"""Stopping in time, with a report: Ctrl-C and the time limit, also where a model's step hangs in an endless loop.

A search looks at its meter between states. A step that never returns keeps it from that; then an exception is raised in
the step, and the search ends as if the meter had said so.
"""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from .explore.exploration import Meter

PATIENCE = 1.0  # seconds a search has to notice by itself that it must stop


@contextmanager
def interruptible(meter: Meter) -> Iterator[None]:
    """The first Ctrl-C sets `meter.interrupted`; where the search does not notice, KeyboardInterrupt is raised, as it is
    at the second Ctrl-C. A step that runs beyond the time limit is ended in the same way.

    Does nothing outside the main thread, where signals cannot be handled.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    forced = False

    def on_interrupt(_number: int, _frame: FrameType | None) -> None:
        if meter.interrupted or forced:
            raise KeyboardInterrupt
        meter.interrupted = True
        patience.start()

    def force(reason: str) -> None:
        nonlocal forced
        if meter.reached is None:
            meter.reached, forced = reason, True
            _wake_main_thread()

    patience = _timer(PATIENCE, lambda: force("interrupted"))
    limit = _timer(meter.limits.max_seconds + PATIENCE, lambda: force(meter.out_of_time))
    before = signal.signal(signal.SIGINT, on_interrupt)
    limit.start()
    try:
        yield
    finally:
        patience.cancel()
        limit.cancel()
        signal.signal(signal.SIGINT, before)


def _timer(seconds: float, function: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), function)
    timer.daemon = True
    return timer


def _wake_main_thread() -> None:
    """Runs the SIGINT handler in the main thread, out of a sleep if need be."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()
