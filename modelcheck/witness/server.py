"""What runs in the other process: it has imported the language, and loads no model itself.

For every run it forks a child, which loads the model and waits to be told what to take again. For every pass over that the child forks
once more, so that no pass remembers another. Over the pipes go frames (wire.py): first what to load, then the work, empty where there is
none after all; the answer is the first difference, or none, and what kept it from looking, if anything did.

The process group is the server's own: Ctrl-C in a terminal does not reach it, and whoever started it ends it as a whole. When the process
that started it is gone, however that came about, its pipe is closed; then the server ends itself and its children, whatever they do.

Where there is no fork (Windows) a process serves one run, with all passes one after another.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NoReturn

from ..errors import UsageError
from ..loading import load_again, load_file, send
from . import again
from .again import Difference, Work
from .sources import Sources
from .wire import framed, packed, received, unpacked

FORKS = hasattr(os, "fork")
AHEAD = 12_345_678  # seconds, that the clock of a witness is ahead: what looks at it sees something else
ITSELF = "__modelcheck_main__"  # what a program is called here, which so does not think that it was started
Answer = tuple[Difference | None, str]  # the first difference; why nothing was taken again, where that is so


class Server:
    """`requests` and `answers` are file descriptors of pipes."""

    def __init__(self, requests: int, answers: int) -> None:
        self.requests, self.answers = requests, answers

    def serve(self) -> None:
        while (question := self._next()) is not None:
            if not FORKS:
                self._witness(unpacked(question))
                return
            beside, there = os.pipe()  # closed when the last of the children ends
            child = os.fork()
            if child == 0:
                os.close(beside)
                _end_after(partial(self._witness, unpacked(question)))
            os.close(there)
            self._attend(beside)
            os.close(beside)
            os.waitpid(child, 0)

    def _attend(self, child: int) -> None:
        """Waits until the child ends, or ends it because nobody is there any more for whom it works."""
        looks = select.poll()
        looks.register(self.requests, 0)  # only whether it was closed
        looks.register(child, 0)
        ended = {number for number, _ in looks.poll()}
        if self.requests in ended and child not in ended:
            os.killpg(0, signal.SIGKILL)

    def _next(self) -> bytes | None:
        return received(partial(os.read, self.requests))

    # --- the child of one run

    def _witness(self, sources: Sources) -> None:
        trouble = ""
        try:
            load(sources)
        except BaseException as error:
            trouble = f"it could not be loaded again ({_words(error)})"
        work = self._next()
        if work:
            answer = (None, trouble) if trouble else _first_difference(work, sources.thorough)
            write(self.answers, framed(packed(answer)))


def _first_difference(work: bytes, thorough: bool) -> Answer:
    for one in again.PASSES if thorough else (again.everything_backwards,):
        found, trouble = alone(partial(_taken, one, work))
        if found is not None and FORKS:
            by_itself, _ = alone(partial(_taken, partial(again.alone, which=found), work))
            found = again.remembering(found, by_itself)
        if found is not None or trouble:
            return found, trouble
    return None, ""


def _taken(one: again.Pass, work: bytes) -> Answer:
    try:
        content: Work = unpacked(work)
        return one(content), ""
    except Exception as error:
        return None, f"what was found could not be made again ({_words(error)})"


def alone(function: Callable[[], Answer]) -> Answer:
    """Its answer, given by a process of its own."""
    if not FORKS:
        return function()
    here, there = os.pipe()
    random = sys.modules.get("random")
    as_loaded = random and random.getstate()
    child = os.fork()
    if child == 0:
        os.close(here)
        if random:  # which begins anew in every child, though a model may have given it a seed
            random.setstate(as_loaded)
        _end_after(lambda: write(there, framed(packed(function()))))
    os.close(there)
    answer = received(partial(os.read, here))
    os.close(here)
    _, status = os.waitpid(child, 0)
    if answer is None:
        return None, f"the interpreter that took it again ended with status {os.waitstatus_to_exitcode(status)}"
    found: Answer = unpacked(answer)
    return found


def _end_after(function: Callable[[], object]) -> None:
    """Calls it, and ends this process: whatever else a parent would do in its place is not for a child to do."""
    status = 1
    try:
        function()
        status = 0
    finally:
        os._exit(status)


def write(stream: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(stream, rest) :]


def load(sources: Sources) -> None:
    """Makes this process look as the other one did when it began, and loads what stands in its files."""
    os.environ.clear()
    os.environ.update(sources.environment)
    os.chdir(sources.folder)
    sys.path[:], sys.argv[:] = sources.path, sources.arguments
    sys.dont_write_bytecode = True
    sys.breakpointhook = lambda *_, **__: None  # whoever looks with a debugger has done so
    for name in ("time", "monotonic", "perf_counter"):
        setattr(time, name, partial(_later, getattr(time, name), AHEAD))
        setattr(time, f"{name}_ns", partial(_later, getattr(time, f"{name}_ns"), AHEAD * 1_000_000_000))
    send(file for file in sources.files if file[0] != "__main__")
    for name, path, text in sources.files:
        if name == "__main__":
            sys.modules[name] = load_again(ITSELF, path, text).module
        else:
            load_file(Path(path))
    for name in sources.modules:
        __import__(name)


def _later(clock: Callable[[], float], ahead: int) -> float:
    return clock() + ahead


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".split("\n")[0]


def _no_search(*_: object, **__: object) -> NoReturn:
    raise UsageError("check was called while a file was loaded to take its steps again")


def main() -> None:
    """Serves on standard input and output, which nothing else gets to see."""
    type(sys.modules["modelcheck"]).check = property(lambda _: _no_search)  # type: ignore[attr-defined]
    requests, answers = os.dup(0), os.dup(1)
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    with contextlib.suppress(BrokenPipeError):
        Server(requests, answers).serve()
