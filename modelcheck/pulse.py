"""Whatever can take long asks, again and again, whether it is still to go on.

Limits and Ctrl-C are watched by a meter (explore/exploration.py), of which the language and the semantics know nothing. So whoever
begins a search says who is to be asked, and loops that can be long ask with `beat()`, on whatever floor they are. Where nobody is
to be asked, as in a test or in a model that is only read, nothing happens. It is the same with memory: before an array is enlarged,
`make_room` asks whether there is enough.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class StoppedError(Exception):
    """A limit was reached, or Ctrl-C typed, in the middle of something: of that nothing is known."""


class Watch(Protocol):
    """Who is asked: both raise StoppedError where there is no going on."""

    def look(self) -> None: ...
    def make_room(self, size: int) -> None: ...


_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """Within, it is `watch` that is asked. A thread that is started within asks nobody, unless it is run in a copy of the context."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


def beat() -> None:
    """Asks whether to go on. Raises StoppedError where not."""
    watch = _watch.get()
    if watch is not None:
        watch.look()


def attended(items: Iterable[Item], every: int = 1) -> Iterator[Item]:
    """The items, with a beat before each, or before one in so `every` many: a beat takes a microsecond or two."""
    for number, item in enumerate(items):
        if number % every == 0:
            beat()
        yield item


def make_room(size: int) -> None:
    """Asks whether there is memory for so many bytes more. Raises StoppedError where not."""
    watch = _watch.get()
    if watch is not None:
        watch.make_room(size)


# --- resting -----------------------------------------------------------------------------------------------------------


_resting: list[float] = []  # since when, where somebody looks at a step with a debugger
_rested = 0.0
_hushed: list[Callable[[], None]] = []  # what is to be silent then


@contextmanager
def hushed_by_rest(hush: Callable[[], None]) -> Iterator[None]:
    """Within, this is called before somebody reads or types."""
    _hushed.append(hush)
    try:
        yield
    finally:
        _hushed.remove(hush)


@contextmanager
def resting() -> Iterator[None]:
    """Within, no time passes for the limits: somebody is reading, or typing."""
    global _rested
    for hush in tuple(_hushed):
        hush()
    _resting.append(time.monotonic())
    try:
        yield
    finally:
        _rested += time.monotonic() - _resting.pop()


def rested() -> float:
    """The seconds that did not count so far."""
    return _rested + sum(time.monotonic() - since for since in tuple(_resting))
