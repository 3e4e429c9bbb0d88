"""Stopping in time, with a report: Ctrl-C, a signal to end, and the time limit, also where a model's step hangs in an endless loop.

A search looks at its meter between states. A step that never returns keeps it from that; then an exception is raised in
the step, and the search ends as if the meter had said so.

Python runs the handlers of signals in the main thread alone, once that executes bytecode again. In CPython 3.11 a signal that
comes just before it goes to sleep, for a lock say, does not wake it; and until it has run the handler, a thread that is traced
goes round in circles where it enters a function (ceval.c: DO_TRACING leaves RESUME for handle_eval_breaker, which
only the main thread can clear, and comes back to it), so that it never releases that lock. So nothing here depends on
the main thread: a thread of its own learns of a signal from a socket that the interpreter's handler in C writes to, and nudges the
main thread until it has stirred.

Nothing heavy is imported: what a signal does in the first moments of a command stands here as well.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .explore.limits import Meter

PATIENCE = 1.0  # seconds a search has to notice by itself that it must stop
AGAIN = 0.05  # seconds from one nudge to the next
INTERRUPTED = 20  # the exit code
TOO_EARLY = "interrupted before there was anything to report"
STOPPING = tuple(signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if name in signal.Signals.__members__)
NUDGE = (
    getattr(signal, "SIGURG", None) or signal.Signals["SIGBREAK"]
)  # by default it does nothing, if it should come late


# --- while a command begins, and where nothing is searched -----------------------------------------------------------


def leave_when_interrupted() -> None:
    """From now on a signal ends the process with a sentence. An exception would not do: while modules are imported it may be
    swallowed, or leave one half made."""
    for number in STOPPING:
        if number != getattr(signal, "SIGHUP", None) or signal.getsignal(number) != signal.SIG_IGN:  # nohup
            signal.signal(number, _leave)


def _leave(_number: int, _frame: FrameType | None) -> None:
    with suppress(OSError):
        os.write(2, f"{TOO_EARLY}\n".encode())
    os._exit(INTERRUPTED)


@contextmanager
def raising() -> Iterator[None]:
    """A signal raises KeyboardInterrupt meanwhile, or ends the process while modules of our own are imported.

    After it signals are what they were; where they would have said that there is nothing to report, all has been said, and they come too late.
    """

    def on_signal(number: int, frame: FrameType | None) -> None:
        if _importing(frame):
            _leave(number, frame)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = _handled(on_signal)
    try:
        yield
    finally:
        with suppress(OSError, ValueError):  # whoever does not read any more is dealt with later
            sys.stdout.flush()
        _restore({number: signal.SIG_IGN if handler is _leave else handler for number, handler in before.items()})


def _importing(frame: FrameType | None) -> bool:
    """Whether this is part of an import that modelcheck has asked for; one that a model asks for may never end."""
    outermost = None
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib."):
            outermost = frame
        frame = frame.f_back
    while outermost is not None and outermost.f_code.co_filename.startswith("<frozen importlib."):
        outermost = outermost.f_back
    return outermost is not None and str(outermost.f_globals.get("__name__")).startswith("modelcheck.")


def _handled(handler: Callable[[int, FrameType | None], None]) -> dict[int, Any]:
    """Handles the signals that stop a run; returns what handled them before."""
    numbers = [number for number in STOPPING if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN]
    return {number: signal.signal(number, handler) for number in numbers}


def _restore(before: dict[int, Any]) -> None:
    for number, handler in before.items():
        signal.signal(number, signal.SIG_DFL if handler is None else handler)


# --- while a search runs ---------------------------------------------------------------------------------------------


@contextmanager
def interruptible(meter: Meter) -> Iterator[None]:
    """The first Ctrl-C, SIGTERM or SIGHUP sets `meter.interrupted`; where the search does not notice, KeyboardInterrupt is
    raised, as it is at the second. A step that runs beyond the time limit is ended in the same way.

    Outside the main thread, where signals cannot be handled, only the time limit is seen to. In a browser there are neither threads nor
    signals: there the search looks at its meter, and whoever runs it ends what does not.
    """
    if sys.platform == "emscripten":
        yield
        return
    watch = _Watch(meter) if threading.current_thread() is threading.main_thread() else _Clock(meter)
    watch.begin()
    try:
        yield
    finally:
        watch.end()


class _Watch:
    """Hears signals, and sees to it that the main thread does.

    Both threads count what they hear: the greater number is right, for a signal that comes twice before the main thread has stirred
    runs its handler once.
    """

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._watched = threading.get_ident()  # the thread that is stopped
        self._heard = 0  # signals, according to the thread that watches
        self._handled = 0  # according to the main thread
        self._forced = 0  # how often the search had to be stopped from outside
        self._raised = 0
        self._stirred = True  # the main thread, since the last signal
        self._over = False
        self._patience: float | None = None  # until when a search that was interrupted may go on
        self._calls: dict[
            FrameType, float
        ] = {}  # of the model's code, that run though the search is to end: since when

    def begin(self) -> None:
        import socket

        self._know_the_model()
        self._ours, self._theirs = socket.socketpair()
        for end in (self._ours, self._theirs):
            end.setblocking(False)
        self._fd = signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        self._before = _handled(self._on_signal)
        self._before[NUDGE] = signal.signal(NUDGE, self._on_nudge)
        self._thread = threading.Thread(target=self._watch, name="signals", daemon=True)
        self._thread.start()

    def _know_the_model(self) -> None:
        from .properties.view import evaluate
        from .semantics.execution import Runner

        self._running_model = (Runner._run.__code__, evaluate.__code__)

    def end(self) -> None:
        self._over = True
        _restore(self._before)
        signal.set_wakeup_fd(self._fd)
        with suppress(OSError):
            self._theirs.send(b"\0")
        self._thread.join(PATIENCE)
        self._ours.close()
        self._theirs.close()

    # --- in the main thread

    def _on_signal(self, _number: int, frame: FrameType | None) -> None:
        self._handled += 1
        self._interrupt()
        self._on_nudge(0, frame)

    def _on_nudge(self, _number: int, frame: FrameType | None) -> None:
        self._stirred = True
        if self._owing and not _importing(frame):  # what we import is not left half made
            self._raised = self._due
            raise KeyboardInterrupt

    # --- in both

    def _interrupt(self) -> None:
        self._meter.interrupted = True
        if self._patience is None:
            self._patience = time.monotonic() + PATIENCE

    @property
    def _due(self) -> int:
        """How many KeyboardInterrupts: one for every signal but the first, and where the search had to be stopped from outside."""
        return max(self._heard, self._handled, 1) - 1 + self._forced

    @property
    def _owing(self) -> bool:
        return self._raised < self._due and not self._over

    # --- in the thread that watches

    def _watch(self) -> None:
        import select

        while not self._over:
            ready, _, _ = select.select([self._ours], [], [], self._until_next_look())
            numbers = self._ours.recv(4096) if ready and not self._over else b""
            signals = sum(number in STOPPING for number in numbers)
            if signals:
                self._stirred = False
                self._heard += signals
                self._interrupt()
            self._look_at_the_clock()
            if self._owing or not self._stirred:
                self._nudge()

    def _until_next_look(self) -> float:
        if self._owing or not self._stirred:
            return AGAIN
        return PATIENCE / 2

    def _look_at_the_clock(self) -> None:
        meter, now = self._meter, time.monotonic()
        if meter.reached is not None:  # as one thread has noticed; in another a step may hang
            self._calls = {frame: self._calls.get(frame, now) for frame in self._calls_of_the_model()}
            if any(now - since > PATIENCE for since in self._calls.values()):
                self._forced, self._calls = self._forced + 1, {}
        elif self._patience is not None and now > self._patience:
            meter.reached, self._forced = meter.interruption, 1
        elif meter.seconds() > meter.limits.max_seconds + PATIENCE:
            meter.reached, self._forced = meter.out_of_time, 1

    def _calls_of_the_model(self) -> Iterator[FrameType]:
        """In the thread that is watched; in others too as long as it may be waiting for them."""
        for thread, top in sys._current_frames().items():
            frame: FrameType | None = top if thread == self._watched or not self._raised else None
            while frame is not None:
                if frame.f_code in self._running_model:
                    yield frame
                frame = frame.f_back

    def _nudge(self) -> None:
        """Has the main thread run its handlers, out of a sleep if need be."""
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(self._watched, NUDGE)
        else:
            _thread.interrupt_main(NUDGE)


class _Clock(_Watch):
    """Watches another thread than the main one: what is raised in it is raised when it next executes bytecode."""

    def begin(self) -> None:
        self._know_the_model()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="clock", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._over = True
        self._ended.set()
        while True:
            try:
                self._thread.join()
                for _ in range(
                    2
                ):  # what comes late is raised here: taken back, it would leave the interpreter looking for it for ever
                    pass
                return
            except KeyboardInterrupt:
                continue

    def _watch(self) -> None:
        while not self._ended.wait(self._until_next_look()):
            self._look_at_the_clock()
            if self._owing:
                self._raised = self._due
                self._nudge()

    def _nudge(self) -> None:
        import ctypes

        thread, error = ctypes.c_ulong(self._watched), ctypes.py_object(KeyboardInterrupt)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, error)
