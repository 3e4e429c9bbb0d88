"""Which worlds are searched: all that were asked for, in their order, but those that are done already or that others search."""

from __future__ import annotations

import threading
from collections.abc import Container, Iterable, Iterator

from ..count.tally import Tally
from ..explore.limits import Meter
from ..semantics.worlds import World
from .memory import Done


class Plan:
    """Hands out worlds, each to one thread. A world goes by its order: its number, from 1, among all worlds of all sizes.

    done    worlds that an earlier run has searched
    share   the orders of the worlds that this search is to see to; None for all of them
    """

    def __init__(self, meter: Meter, done: Done, share: Container[int] | None = None) -> None:
        self._meter, self._done, self._share = meter, done, share
        self.order = 0  # of the last world that was come to
        self.handed_out = 0  # worlds
        self.passed: dict[int, Tally] = {}  # by size, the worlds that were done already and what they stand for
        self._waiting: Iterator[World] = iter(())
        self._handing = threading.Lock()  # for whoever takes a world

    def begin(self, worlds: Iterable[World]) -> None:
        """Turns to these worlds, which follow those before in order."""
        self._waiting = iter(worlds)

    def take(self) -> tuple[World, int] | None:
        """The next world, and its order; None when there is none, or the meter says stop. Raises whatever the enumeration of the worlds
        raises, of the world after `order`."""
        while not self._handing.acquire(timeout=0.1):
            self._meter.stop()  # the thread that is at it may be looking for the next world for long
        try:
            while not self._meter.stop():
                world = next(self._waiting, None)
                if world is None:
                    return None
                self.order += 1
                if self.order in self._done:
                    one = Tally(world.n, 0, worlds=1, represented=world.weight)
                    self.passed.setdefault(world.n, Tally(world.n, 0)).add(one)
                elif self._share is None or self.order in self._share:
                    self.handed_out += 1
                    return world, self.order
        finally:
            self._handing.release()
        return None
