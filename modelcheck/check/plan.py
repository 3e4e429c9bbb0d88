"""Which worlds are searched: all that were asked for, in their order, but those that are done already or that others search. And which of them
are reduced (explore/stubborn.py): where it was asked for, where only messages are counted, where they would not fit."""

from __future__ import annotations

import math
import threading
from collections.abc import Container, Iterable, Iterator
from fractions import Fraction
from itertools import chain

from ..count.census import Census
from ..count.tally import Tally
from ..explore.limits import Meter
from ..explore.stubborn import refusal
from ..language.properties import ON_THE_WAY
from ..semantics.system import System
from ..semantics.worlds import World
from .memory import Done, Outlook
from .request import Request


class Plan:
    """Hands out worlds, each to one thread. A world goes by its order: its number, from 1, among all worlds of all sizes.

    done    worlds that an earlier run has searched
    share   the orders of the worlds that this search is to see to, up to its `last` where it has one; None for all of them
    """

    def __init__(self, meter: Meter, done: Done, share: Container[int] | None = None) -> None:
        self._meter, self._done, self._share = meter, done, share
        self._last: float = getattr(share, "last", math.inf)  # beyond it nothing is asked for
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
            while self.order < self._last and not self._meter.stop():
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

    def give_back(self, world: World) -> None:
        """The world that was taken last is still to be taken."""
        self._waiting = chain((world,), self._waiting)
        self.order -= 1
        self.handed_out -= 1


class Reducing:
    """Whether worlds are reduced, in one search. `refused` says why no world is reduced, where that is so.

    If nobody said, a run reduces the worlds of a size where those and the smaller ones would have more states than there may be, `most`: as
    many, for each assignment that there is, as the first world of their size has for each that it stands for. That one is never reduced.
    What is `foreseen` in this way is a function of what was asked alone: so all parts of a run do the same, each of which finds it out.
    """

    def __init__(
        self, request: Request | None = None, system: System | None = None, census: Census | None = None,
        foreseen: dict[int, Outlook] | None = None, most: int = 0,
    ) -> None:  # fmt: skip
        """Without a request nothing is reduced."""
        self.refused = "nobody asked for it"
        self._foresees, self._always = False, False
        self.asked = request is not None and request.reduce == "order"
        self._foreseen, self._most = {} if foreseen is None else foreseen, most
        if request is None or system is None or request.reduce == "none":
            return
        self.refused = refusal(system)
        on_the_way = [prop.kind for prop in request.properties if prop.kind in ON_THE_WAY]
        if on_the_way:
            name = "an @eventually property" if "eventually" in on_the_way else "a property of leads_to"
            self.refused = f"{name} is looked at in every state of every run"
        counts = census is not None and not census.only_total  # and nothing else: then the states are of no interest
        self._always = not self.refused and (request.reduce == "order" or counts)
        self._foresees = not self.refused and not self._always

    @property
    def is_possible(self) -> bool:
        """Whether worlds would be reduced if that were asked for, and are not in any case."""
        return self._foresees

    def is_open(self, tally: Tally) -> bool:
        """Whether it depends on the first world of this size, which is not known yet."""
        return self._foresees and tally.n not in self._foreseen

    def room(self, tally: Tally, weight: int) -> int:
        """How many states the first world of a size may have, which stands for so many assignments, for none to be reduced."""
        return (self._most - self._smaller(tally)) * weight // tally.to_represent

    def foresee(self, tally: Tally, states: int, weight: int) -> None:
        """So many states the first world of a size has."""
        expected = math.ceil(Fraction(states * tally.to_represent, weight))
        self._foreseen[tally.n] = Outlook(expected, self._smaller(tally) + expected > self._most)

    def _smaller(self, tally: Tally) -> int:
        return sum(one.states for n, one in self._foreseen.items() if n < tally.n)

    def reduces(self, tally: Tally) -> bool:
        """Whether the worlds of this size are reduced, the first perhaps excepted."""
        return self._always or (self._foresees and not self.is_open(tally) and self._foreseen[tally.n].reduces)
