"""What a search knows of the worlds that are done, as plain data: which they are, what they add up to, and what was found in them.

Of a model's values there are none in it: a counterexample is kept as the numbers of the transitions it takes, and taken again
by whoever goes on from there. So what is known in one process can be written to a file (checkpoint.py), or merged with what
another process knows that has searched other worlds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ..count.ranges import Range
from ..count.tally import Tally, Unreduced
from ..properties.monitor import WORDS

MOST, AMOUNT = 10**1000, 10**100  # more than is ever counted; more messages than any run sends
COUNTS = ("worlds", "represented", "states", "transitions", "terminal_states", "depth", "turned", "reduced", "within")


@dataclass
class Done:
    """The worlds searched to the end: all up to one in the order of worlds, some beyond, and what they add up to by n."""

    upto: int = 0
    beyond: set[int] = field(default_factory=set)
    sizes: dict[int, Tally] = field(default_factory=dict)
    whole: bool = True  # False while a world is being added: there may be a Ctrl-C in between

    def __contains__(self, order: int) -> bool:
        return order <= self.upto or order in self.beyond

    @property
    def worlds(self) -> int:
        return self.upto + len(self.beyond)

    def add(self, orders: Iterable[int], counted: Tally) -> None:
        """More worlds of one size, with what was counted in all of them."""
        self.whole = False
        self.sizes.setdefault(counted.n, Tally(counted.n, 0)).add(counted)
        self.beyond.update(orders)
        self._close_up()
        self.whole = True

    def merge(self, other: Done) -> None:
        """Takes in the worlds of another search. Raises ValueError where a world was searched by both."""
        if not {*self.orders()}.isdisjoint(other.orders()):
            raise ValueError("a world was searched twice, and would be counted twice")
        self.whole = False
        for n, counted in other.sizes.items():
            self.sizes.setdefault(n, Tally(n, 0)).add(counted)
        self.beyond.update(other.orders())
        self._close_up()
        self.whole = True

    def orders(self) -> Iterator[int]:
        """Of all the worlds that are done."""
        yield from range(1, self.upto + 1)
        yield from self.beyond

    def _close_up(self) -> None:
        while self.upto + 1 in self.beyond:
            self.upto += 1
            self.beyond.remove(self.upto)

    def copy(self) -> Done:
        return Done.read(self.data())

    def data(self) -> dict[str, Any]:
        counts = {
            str(n): {
                **{name: getattr(tally, name) for name in COUNTS},
                "unreduced": asdict(tally.unreduced),
                "sent": tally.sent.data(),
            }
            for n, tally in self.sizes.items()
        }
        return {"upto": self.upto, "beyond": sorted(self.beyond), "sizes": counts}

    @staticmethod
    def read(data: dict[str, Any]) -> Done:
        sizes = {
            int(n): Tally(
                int(n),
                0,
                **{name: _number(counts[name]) for name in COUNTS},
                unreduced=_unreduced(counts["unreduced"]),
                sent=_range(counts["sent"], _number(counts["represented"])),
            )
            for n, counts in data["sizes"].items()
        }
        found = Done(_place(data["upto"]), set(_numbers(data["beyond"])), sizes)
        if (
            found.worlds != sum(tally.worlds for tally in sizes.values())
            or min(found.beyond, default=1 + found.upto) <= found.upto
        ):
            raise ValueError("the worlds do not add up")
        return found


@dataclass(frozen=True)
class Route:
    """A counterexample as numbers: those of its world, of the start and of the transitions taken (trace.retake)."""

    order: int
    start: int
    taken: tuple[int, ...]
    reason: str
    loop: int | None

    @staticmethod
    def read(data: dict[str, Any]) -> Route:
        loop = None if data["loop"] is None else _place(data["loop"])
        taken = tuple(_numbers(data["taken"]))
        if loop is not None and loop >= len(taken):
            raise ValueError("a loop of no step")
        return Route(_place(data["order"]), _place(data["start"]), taken, as_text(data["reason"]), loop)

    @property
    def rank(self) -> tuple[int, int]:
        """The least is kept: the shortest, and of several the first in the order of worlds."""
        return len(self.taken), self.order


@dataclass(frozen=True)
class Outlook:
    """About how many states the worlds of a size would have if none were reduced, and whether they are reduced for that."""

    states: int
    reduces: bool


@dataclass
class Memory:
    """All that a report is made of and that the worlds still to be searched do not tell."""

    done: Done = field(default_factory=Done)
    seconds: float = 0.0
    failed: bool = False  # some step failed
    violations: dict[str, Route] = field(default_factory=dict)
    improbable: dict[str, Route] = field(default_factory=dict)
    met: dict[str, set[str]] = field(
        default_factory=dict
    )  # what a property read, as digests: two are enough, beside a few words
    steps: set[str] = field(default_factory=set)  # those that were taken
    lines: set[tuple[int, int]] = field(default_factory=set)  # those that ran: number of the file, of the line
    foreseen: dict[int, Outlook] = field(
        default_factory=dict
    )  # by n, where it depends on that whether worlds are reduced

    def merge(self, other: Memory) -> None:
        """Takes in what a search of other worlds knows: what is known then is what one search of all of them would know.

        Raises ValueError where a world was searched by both, or where one reduced what the other would not have.
        """
        for n, one in other.foreseen.items():
            if self.foreseen.setdefault(n, one).reduces != one.reduces:
                raise ValueError(f"the worlds of n={n} were reduced in one and not in another, under other limits")
        self.done.merge(other.done)
        self.seconds += other.seconds
        self.failed = self.failed or other.failed
        _take_least(self.violations, other.violations)
        _take_least(self.improbable, other.improbable)
        for name, met in other.met.items():
            self.met.setdefault(name, set()).update(met)
        self.steps |= other.steps
        self.lines |= other.lines

    def data(self) -> dict[str, Any]:
        return {
            "done": self.done.data(),
            "seconds": self.seconds,
            "failed": self.failed,
            "violations": {name: asdict(route) for name, route in self.violations.items()},
            "improbable": {name: asdict(route) for name, route in self.improbable.items()},
            "met": {name: sorted(met - WORDS)[:2] + sorted(met & WORDS) for name, met in self.met.items()},
            "steps": sorted(self.steps),
            "lines": sorted(self.lines),
            "foreseen": {str(n): asdict(one) for n, one in self.foreseen.items()},
        }

    @staticmethod
    def read(data: dict[str, Any]) -> Memory:
        return Memory(
            done=Done.read(data["done"]),
            seconds=_seconds(data["seconds"]),
            failed=data["failed"] is True,
            violations={name: Route.read(route) for name, route in data["violations"].items()},
            improbable={name: Route.read(route) for name, route in data["improbable"].items()},
            met={name: set(map(as_text, met)) for name, met in data["met"].items()},
            steps=set(map(as_text, data["steps"])),
            lines={(_place(file), _place(line)) for file, line in data["lines"]},
            foreseen={
                int(n): Outlook(_number(one["states"]), one["reduces"] is True) for n, one in data["foreseen"].items()
            },
        )


def _take_least(known: dict[str, Route], more: dict[str, Route]) -> None:
    """Of each property the least counterexample."""
    for name, route in more.items():
        known[name] = min(known.get(name, route), route, key=lambda one: one.rank)


# --- as it is read from a file ---------------------------------------------------------------------------------------


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < 1e12:
        raise ValueError(f"{value!r} is no time")
    return float(value)


def _unreduced(counts: dict[str, Any]) -> Unreduced:
    return Unreduced(**{field.name: _number(counts[field.name]) for field in fields(Unreduced)})


def _number(value: Any) -> int:
    if type(value) is not int or not 0 <= value < MOST:
        raise ValueError("that is no number that could be counted")
    return value


def _numbers(values: Any) -> list[int]:
    return [_place(value) for value in values]


def _place(value: Any) -> int:
    """A number by which something is found in a list."""
    if _number(value) >= 1 << 62:
        raise ValueError("there is no list as long as that")
    return int(value)


def _range(data: Any, represented: int) -> Range:
    found = Range.read(data)
    sums = (found.sum_least, found.sum_greatest)
    if found.weight > represented or any(
        amount != math.inf and amount > MOST for amount in (found.least, found.greatest, *sums)
    ):
        raise ValueError("messages of more assignments than were searched, or too many")
    if any(total != math.inf and total > found.weight * AMOUNT for total in sums):
        raise ValueError("more messages than there can be")
    return found


def as_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def as_texts(values: Any) -> dict[str, str]:
    return {as_text(name): as_text(value) for name, value in values.items()}
