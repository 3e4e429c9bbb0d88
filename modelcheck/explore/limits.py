"""The limits a search works under, and what watches them."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from ..errors import UsageError
from ..pulse import StoppedError, Watch, rested

LOOK = 0.1  # seconds between two looks at time and memory


MEGABYTE = 1_000_000


WORTH_A_LOOK = MEGABYTE  # the bytes of an array that is looked at before it is made


@dataclass(frozen=True)
class Limits:
    """Where a run gives up: number of states, seconds, megabytes of resident memory. All on by default."""

    max_states: int = 50_000_000
    max_seconds: float = 600.0
    max_memory: int = 4_000

    def __post_init__(self) -> None:
        if math.isnan(self.max_seconds):
            raise UsageError("a time limit is a number of seconds, and nan is none")


StopKind = Literal["states", "seconds", "memory", "interrupted", "room", "found", "part"]

_SENTENCES: dict[StopKind, str] = {
    "states": "the limit of {:,} states was reached",
    "seconds": "the limit of {:g} seconds was reached",
    "memory": "the limit of {:,} MB of memory was reached",
    "interrupted": "interrupted",
    "room": "the machine ran out of memory",
    "found": "found",
    "part": "the other worlds are explored elsewhere",
}


class Stopped(str):
    """Why a run ended early: half a sentence for the user, with what it says as values for whoever decides by it.

    kind     "states", "seconds" or "memory" for the limit of this name, "interrupted", "room" where the machine or an array of an
             engine is full, "found" where no more was looked for than was found, "part" where others explore the other worlds
    limit    number of states, seconds, or megabytes; None for the other kinds
    running  the line of the model that never came to its end, where that is why the run had to be ended from outside; else empty
    """

    kind: StopKind
    limit: float | None
    running: str

    def __new__(cls, kind: StopKind, limit: float | None = None, text: str = "", running: str = "") -> Stopped:
        """With the usual sentence of its kind, or another `text`."""
        stopped = super().__new__(cls, text or _SENTENCES[kind].format(limit))
        stopped.kind, stopped.limit, stopped.running = kind, limit, running
        return stopped

    def __getnewargs__(self) -> tuple[StopKind, float | None, str, str]:  # type: ignore[override]
        return self.kind, self.limit, str(self), self.running

    def while_running(self, line: str) -> Stopped:
        """The same, where a step of the model had to be ended from outside."""
        return Stopped(self.kind, self.limit, f"{self} while {line}", line) if line else self


GRACE = 10.0  # seconds that it may take to write down a run that was found, though a limit is reached


class Meter:
    """Watches the limits and the interrupt over all worlds of a run. Any thread may ask it; the main thread shows the progress."""

    def __init__(
        self,
        limits: Limits,
        progress: Callable[[Meter], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits = limits
        self.earlier_states = 0  # of the worlds that are done
        self.earlier_seconds = 0.0  # of the runs that this one resumes
        self.states = 0
        self.transitions = 0
        self.nodes = 0  # of the diagram, where states are not visited one by one
        self.interrupted = False
        self.size = 0  # processes in the worlds now being explored
        self.represented = 0  # assignments of that size that are done, of so many
        self.to_represent = 0
        self.violated = 0  # properties, each by a run that was replayed; there may be shorter ones yet
        self.reached: Stopped | None = None
        self.clock = clock
        self.started, self._rested = clock(), rested()
        self._progress = progress
        import psutil

        self._process = psutil.Process()
        self._next_look = self._next_word = 0.0
        self._lock = threading.Lock()
        self._exploring: dict[int, int] = {}  # by thread, the states of the world that it is exploring

    def seconds(self) -> float:
        """Those in which somebody looked at a step with a debugger left out."""
        return self.clock() - self.started - (rested() - self._rested)

    def all_seconds(self) -> float:
        """Those of this run and of those it resumes."""
        return self.earlier_seconds + self.seconds()

    def resume(self, states: int, transitions: int, seconds: float) -> None:
        """Goes on from an earlier run: its states count against the limit, its time and memory do not."""
        self.earlier_states, self.transitions, self.earlier_seconds = states, transitions, seconds

    @property
    def out_of_time(self) -> Stopped:
        return Stopped("seconds", self.limits.max_seconds)

    @property
    def out_of_memory(self) -> Stopped:
        return Stopped("memory", self.limits.max_memory)

    @property
    def interruption(self) -> Stopped:
        return Stopped("interrupted")

    def memory(self) -> int:
        """Resident memory, in megabytes."""
        return int(self._process.memory_info().rss) // MEGABYTE

    def stop(self, states: int | None = None) -> bool:
        """Whether to give up: asked before each state is expanded, with the states of this world so far, and wherever else time
        passes. Without `states` this thread has as many as it had when it last told."""
        now = self.clock()
        with self._lock:
            if states is not None:
                self._exploring[threading.get_ident()] = states
            self.states = self.earlier_states + sum(self._exploring.values())
            if self.reached is None:
                self.reached = self._out_of_something(now)
        due = now >= self._next_word and self.reached is None
        if self._progress is not None and due and threading.current_thread() is threading.main_thread():
            self._next_word = now + LOOK
            self._progress(self)
        return self.reached is not None

    def look(self) -> None:
        """Raises StoppedError if it is time to give up."""
        if self.stop():
            raise StoppedError

    def make_room(self, size: int) -> None:
        """To be asked before an array is enlarged, with the bytes that it will take while the old one is still there.

        Raises StoppedError where that is more memory than there may be.
        """
        if size < WORTH_A_LOOK:
            return
        with self._lock:
            if self.reached is None and self.memory() + size // MEGABYTE > self.limits.max_memory:
                self.reached = self.out_of_memory
        if self.reached is not None:
            raise StoppedError

    def landed(self, states: int, transitions: int) -> None:
        """The world of this thread is done, as far as it will be: its states count for good."""
        with self._lock:
            self._exploring.pop(threading.get_ident(), None)
            self.earlier_states += states
            self.transitions += transitions

    def last_words(self) -> Watch:
        """Who is asked by what is still to be done when the search is over, and may take GRACE seconds."""
        return LastWords(self, self.clock() + GRACE)

    def _out_of_something(self, now: float) -> Stopped | None:
        """The limit that is reached, if one is. Time and memory are looked at ten times a second."""
        if self.states > self.limits.max_states:
            return Stopped("states", self.limits.max_states)
        if self.interrupted:
            return self.interruption
        if now >= self._next_look:
            self._next_look = now + LOOK
            if now - self.started - (rested() - self._rested) > self.limits.max_seconds:
                return self.out_of_time
            if self.memory() > self.limits.max_memory:
                return self.out_of_memory
        return None


class Aside(Meter):
    """Of a world that is explored only for the number of its states: so many are enough, and beside that it is the run's meter."""

    def __init__(self, run: Meter, most: int) -> None:
        super().__init__(replace(run.limits, max_states=most, max_seconds=math.inf), clock=run.clock)
        self._run = run

    def stop(self, states: int | None = None) -> bool:
        if self._run.stop():
            self.reached = self.reached or self._run.reached
        return super().stop(states)


@dataclass(frozen=True)
class LastWords:
    """Asked in the place of a meter, when it does not matter any more that a limit is reached, until `end` by the meter's clock."""

    meter: Meter
    end: float

    def look(self) -> None:
        if self.meter.stop() and self.meter.clock() > self.end:
            raise StoppedError

    def make_room(self, size: int) -> None:
        """A run takes little."""
