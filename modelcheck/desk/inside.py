"""`print` and `breakpoint()` in a step of a model: they say which step it is, of whom, in which state of its and in which world.

A step is executed once for all that it can see, in the world in which that comes up first, and a second time to compare; later perhaps again, to
verify it. Of all these the first is shown. Nothing is kept for it while a model runs: who runs is read off the stack.
"""

from __future__ import annotations

import pdb
import sys
import threading
from bdb import BdbQuit
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, Any, TextIO

from ..language.values import show
from ..pulse import resting
from ..semantics.execution import Runner
from ..semantics.verification import Verification
from ..semantics.worlds import World

_RUN, _VERIFY = Runner._run.__code__, Verification.run.__code__
Key = tuple[Any, ...]


@dataclass(frozen=True)
class Inside:
    """A step that is being executed. `key` is all that it sees and has chosen so far; `run` is this very execution."""

    words: str
    key: Key
    run: object
    again: bool  # in order to verify what is known

    @classmethod
    def of(cls, frame: FrameType | None) -> Inside | None:
        """The step that runs in this frame, or called what does; None outside a step."""
        first, running = frame, None
        world: World | None = None
        again = False
        while frame is not None:
            code = frame.f_code
            if running is None:
                running = frame if code is _RUN else None
                first = frame if running is None else first
            else:
                again = again or code is _VERIFY
                there = frame.f_locals.get("world")
                world = world or (there if isinstance(there, World) else None)
            frame = frame.f_back
        if running is None or first is None:
            return None
        seen = running.f_locals
        execution, name, setup = seen["execution"], seen["name"], seen["setup"]
        fields, message, profile = seen["fields"], seen["message"], seen["profile"]
        state = ", ".join(f"{field}={show(value)}" for field, value in fields.items())
        received = f" receiving {message[0]!r}" if message else ""
        words = f"{name or setup} of {profile}{received}" + (f": {state}" if state else "")
        where = f"{Path(first.f_code.co_filename).name}:{first.f_lineno}"
        chosen = tuple(map(repr, (choice.value for choice in execution.choices)))
        key = name or setup, profile, tuple(map(repr, fields.values())), repr(message), chosen
        return cls(f"{where}  {words}" + (f"; {world}" if world else ""), key, execution, again)


class FirstTime:
    """Which executions are to be shown: of those that see the same the first."""

    def __init__(self) -> None:
        self._runs: dict[Key, object] = {}
        self._lock = threading.Lock()

    def __call__(self, inside: Inside) -> bool:
        with self._lock:
            return not inside.again and self._runs.setdefault(inside.key, inside.run) is inside.run


class Printed:
    """A stream for what a model prints: each execution that prints is announced by a line, and shown once. Of several threads whole lines
    stand one after another."""

    def __init__(self, stream: Callable[[], TextIO]) -> None:
        self._where, self._shown = stream, FirstTime()
        self._announced: object = None
        self._lock = threading.Lock()
        self._begun = threading.local()  # a line, and the step that it is of

    def write(self, text: str) -> int:
        inside = Inside.of(sys._getframe(1))
        before: tuple[Inside, str] | None = getattr(self._begun, "line", None)
        if before is not None and (inside is None or before[0].run is not inside.run):
            self._say(before[0], before[1] + "\n")
            before = self._begun.line = None
        if inside is None:
            return self._stream.write(text)
        if self._shown(inside):
            whole, newline, rest = ((before[1] if before else "") + text).rpartition("\n")
            self._begun.line = (inside, rest) if rest else None
            if newline:
                self._say(inside, whole + newline)
        return len(text)

    def _say(self, inside: Inside, text: str) -> None:
        with self._lock:
            if inside.run is not self._announced:
                self._announced = inside.run
                self._stream.write(f"[{inside.words}]\n")
            self._stream.write(text)

    @property
    def _stream(self) -> TextIO:
        return self._where()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


_ONE = threading.Lock()  # of several threads one at a time has the terminal


class Debugger(pdb.Pdb):
    """Python's own, in the steps of a model. It says where it is, stays in the step, and sees each execution once. To quit it is to
    interrupt the run: what was raised instead would count as the model's."""

    def __init__(self, stdin: IO[str], stdout: IO[str], shown: FirstTime) -> None:
        super().__init__(stdin=stdin, stdout=stdout, nosigint=True, skip=["modelcheck.*"])
        self.shown = shown
        self.run_of: object = None

    def trace_dispatch(self, frame: FrameType, event: str, arg: Any) -> Any:
        try:
            found = super().trace_dispatch(frame, event, arg)
        except BdbQuit:
            sys.settrace(None)
            raise KeyboardInterrupt from None
        if event == "return" and frame.f_back is not None and frame.f_back.f_code is _RUN:
            self.set_continue()  # what comes next is the checker's
        return found

    def interaction(self, frame: FrameType | None, *arguments: Any, **named: Any) -> None:
        """The prompt, once it is said where that is. No time passes for the limits meanwhile."""
        inside = Inside.of(frame)
        if inside is not None and not self.shown(inside):
            self.set_continue()
            return
        with _ONE, resting():
            if inside is not None and inside.run is not self.run_of:
                self.run_of = inside.run
                self.message(f"\nin {inside.words}")
            super().interaction(frame, *arguments, **named)

    def get_stack(self, *arguments: Any) -> Any:
        """The frames of the model alone."""
        stack, place = super().get_stack(*arguments)
        own = next((k + 1 for k in reversed(range(len(stack))) if stack[k][0].f_code is _RUN), 0)
        return (stack[own:], place - own) if own <= place else (stack, place)


def _stopping(stdin: IO[str], stderr: TextIO) -> Callable[..., None]:
    """What `breakpoint()` does in a model: at a terminal it stops, anywhere else it says so once and the run goes on."""
    shown, of_thread = FirstTime(), threading.local()
    told: list[str] = []

    def stop(*_: Any, **__: Any) -> None:
        frame = sys._getframe(1)
        inside = Inside.of(frame)
        if inside is not None and not shown(inside):
            return
        if stdin.isatty():
            if not hasattr(of_thread, "debugger"):
                of_thread.debugger = Debugger(stdin, stderr, shown)
            sys.settrace(None)  # where one of its own breakpoints has it on
            of_thread.debugger.set_trace(frame)
        elif not told:
            told.append(inside.words if inside else f"{frame.f_code.co_filename}:{frame.f_lineno}")
            stderr.write(f"breakpoint() does nothing where there is no terminal: {told[0]}\n")

    return stop


@contextmanager
def announced(stdin: IO[str]) -> Iterator[None]:
    """Meanwhile what a model prints goes to standard error and says where it comes from, and breakpoint() stops in a step, with commands from `stdin`."""
    hook = sys.breakpointhook
    sys.breakpointhook = _stopping(stdin, sys.stderr)
    try:
        with redirect_stdout(Printed(lambda: sys.stderr)):  # another one while a line of progress stands below
            yield
    finally:
        sys.breakpointhook = hook
