"""Ctrl-C that keeps what was found: the search is asked to stop, and made to where a model's step hangs."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from .explore.exploration import Meter

PATIENCE = 1.0  # seconds between the request to stop and the exception


@contextmanager
def interruptible(meter: Meter) -> Iterator[None]:
    """The first Ctrl-C sets `meter.interrupted`; a second later, or at the next one, KeyboardInterrupt is raised.

    Does nothing outside the main thread, where signals cannot be handled.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    timer = threading.Timer(PATIENCE, _thread.interrupt_main)
    timer.daemon = True

    def on_interrupt(_number: int, _frame: FrameType | None) -> None:
        if meter.interrupted:
            raise KeyboardInterrupt
        meter.interrupted = True
        timer.start()

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
