"""What somebody sees who looks at the states of a world and not at all of them: states that look alike fall into one class.

A `Sight` says what is seen. The first to be tried is what the properties read; where that still leaves too many classes it gets
coarser and coarser, until there are no more than can be drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..explore.exploration import Array
from ..explore.listing import Listing
from ..language.faults import OF_ENVIRONMENT
from ..language.messages import DETECTOR_MESSAGES, Cut, Message
from ..language.values import show
from ..semantics.components import Component
from ..semantics.partitions import Network, named

SMALL = 4  # numbers of possible classes for each state, that are told apart without sorting
FEWEST = 6  # classes: fewer say little, where another sight tells more


@dataclass(frozen=True)
class Sight:
    """Of each process these fields, which of these messages wait for it, and whether it is down; the shared variables and the
    blocks of the network. Where `counted`, how many processes look like that and not which; where `only_change`, only
    whether its fields are still what they were at first."""

    fields: tuple[str, ...]
    kinds: tuple[type[Any], ...] = ()
    crashed: bool = False
    shared: bool = False
    blocks: bool = False
    counted: bool = False
    only_change: bool = False

    def __str__(self) -> str:
        """'each process's leader and status, and who is down'."""
        fields = listed(self.fields) if self.fields else ""
        if self.only_change:
            parts = [f"how many processes have changed {listed(self.fields, 'or') or 'anything'}"]
        elif self.counted:
            parts = [f"how many processes have which {fields}"] if fields else []
        else:
            parts = [f"each process's {fields}"] if fields else []
        if self.kinds:
            every = self.kinds == (Message,)
            parts.append("what waits for it" if every else "waiting " + listed([kind.__name__ for kind in self.kinds]))
        if self.crashed:
            parts.append("how many are down" if self.counted else "who is down")
        parts += [*(["the shared variables"] if self.shared else []), *(["the split"] if self.blocks else [])]
        return listed(parts) if len(parts) != 2 else f"{parts[0]}, and {parts[1]}"


def listed(parts: Sequence[str], word: str = "and") -> str:
    """'leader, status and done'."""
    return ", ".join(parts[:-1]) + f" {word} " + parts[-1] if len(parts) > 1 else "".join(parts)


@dataclass(frozen=True)
class Classes:
    """`of[k]` is the class of state k; classes are numbered in the order of their first states, `first[c]`."""

    of: Array
    first: Array

    def __len__(self) -> int:
        return len(self.first)


class Collapse:
    """Looks at the states of one world."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing
        self.system, self.world = listing.system, listing.found.world
        self.names = self.system._names
        self.processes = listing.columns[1 : self.world.n + 1]
        self.at_first = listing.found.states[0]
        self.some_crash = any(component.crashed for column in self.processes for component in column.values)

    # --- classes

    def classes(self, sight: Sight) -> Classes:
        """The classes of the states that look alike."""
        columns = self.listing.columns
        seen: dict[Hashable, int] = {}

        def numbered(place: int, see: Callable[[Any], Hashable]) -> Array:
            known = [seen.setdefault(see(value), len(seen)) for value in columns[place].values]
            return np.array(known or [0], np.int32)[columns[place].numbers]

        parts = [numbered(k + 1, partial(self._of_process, sight, k)) for k in range(self.world.n)]
        if sight.counted:
            together = np.stack(parts)
            together.sort(axis=0)
            parts = list(together)
        if sight.shared:
            parts.append(numbered(0, lambda environment: ("shared", environment.shared)))
        if sight.blocks and len(columns) > self.world.n + 1:
            parts.append(numbered(self.world.n + 1, lambda network: ("blocks", network.blocks)))
        return classes(parts, len(self.listing))

    def _of_process(self, sight: Sight, place: int, component: Component) -> Hashable:
        values: Hashable = self._fields(sight, component)
        if sight.only_change:
            values = values != self._fields(sight, self.at_first[place + 1])
        waiting = tuple(tuple(map(repr, self._noticed(sight, channel))) for channel in component.inbox)
        return values, sight.crashed and component.crashed, waiting if sight.kinds else None

    def _fields(self, sight: Sight, component: Component) -> tuple[Any, ...]:
        return tuple(value for name, value in zip(self.names, component.fields, strict=True) if name in sight.fields)

    def _noticed(self, sight: Sight, channel: tuple[Message, ...]) -> list[Message]:
        hidden = (Cut,) if object in sight.kinds else DETECTOR_MESSAGES
        return [m for m in channel if isinstance(m, sight.kinds) and not isinstance(m, hidden)]

    # --- words

    def lines(self, sight: Sight, state: tuple[Any, ...]) -> tuple[tuple[str, str], ...]:
        """What is seen of a state, as ('p2', 'leader=3'): of processes told apart only what is not as at first."""
        found: list[tuple[str, str]] = []
        if sight.counted:
            found = self._counted(sight, state)
        else:
            for place in range(self.world.n):
                words = self._words(sight, place, state[place + 1])
                if words:
                    found.append((f"p{place + 1}", words))
        if sight.shared:
            names, now, then = self.system._shared_names, state[0].shared, self.at_first[0].shared
            changed = [f"{k}={show(v)}" for k, v, old in zip(names, now, then, strict=True) if v != old]
            found += [("shared", ", ".join(changed))] if changed else []
        if sight.blocks and isinstance(state[-1], Network) and len(state[-1].blocks) > 1:
            found.append(("split", named(state[-1].blocks)))
        if object in sight.kinds and state[0] is not self.at_first[0]:
            now, then = (s[0].budgets for s in (state, self.at_first))
            used = [f"{new} {name}" for name, new, old in zip(OF_ENVIRONMENT, now, then, strict=True) if new != old]
            found += [("left", ", ".join(used))] if used else []
        return tuple(found)

    def _words(self, sight: Sight, place: int, component: Component) -> str:
        before = self.at_first[place + 1]
        words = ["down"] if component.crashed else []
        if sight.only_change:
            words += ["changed"] if self._fields(sight, component) != self._fields(sight, before) else []
        elif not component.crashed:
            changed = zip(self.names, component.fields, before.fields, strict=True)
            words += [valued(name, new) for name, new, old in changed if name in sight.fields and new != old]
        ports = component.profile.in_ports
        several = len(ports) > 1 and object in sight.kinds
        waiting = [
            (f"{port}: " if several else "") + ", ".join(map(repr, noticed))
            for port, channel in zip(ports, component.inbox, strict=True)
            if (noticed := self._noticed(sight, channel))
        ]
        return ", ".join(words) + ("" if not waiting else " " * bool(words) + "\u2190 " + "; ".join(waiting))

    def _counted(self, sight: Sight, state: tuple[Any, ...]) -> list[tuple[str, str]]:
        how_many: dict[str, int] = {}
        for place in range(self.world.n):
            component = state[place + 1]
            if sight.only_change:
                words = self._words(sight, place, component) or "as at the start"
            elif component.crashed and sight.crashed:
                words = "down"
            else:
                words = ", ".join(self._worth_saying(sight, place, component)) or "as at the start"
            how_many[words] = how_many.get(words, 0) + 1
        return [
            (f"{count} \u00d7", words)
            for words, count in sorted(how_many.items(), key=lambda item: (-item[1], item[0]))
        ]

    def _worth_saying(self, sight: Sight, place: int, component: Component) -> Iterator[str]:
        """The values of the fields that are seen; where all processes begin alike only those that have changed."""
        alike = len({first.fields for first in self.at_first[1 : self.world.n + 1]}) == 1
        for name, value, old in zip(self.names, component.fields, self.at_first[place + 1].fields, strict=True):
            if name in sight.fields and (value != old or not alike):
                yield valued(name, value)

    # --- which sights there are

    @property
    def everything(self) -> Sight:
        """All there is to a state, in words."""
        return Sight(self.names, (object,), crashed=True, shared=True, blocks=True)

    def varying(self) -> tuple[str, ...]:
        """The fields that are not always and everywhere what they were at first."""
        return tuple(
            name
            for number, name in enumerate(self.names)
            if any(
                component.fields[number] != self.at_first[place + 1].fields[number]
                for place, column in enumerate(self.processes)
                for component in column.values
            )
        )

    def sight_of(self, reads: set[Any]) -> Sight:
        """All that was read by properties, as far as it ever changes."""
        varying = self.varying()
        return Sight(
            fields=tuple(name for name in varying if name in reads),
            kinds=(Message,)
            if Message in reads
            else tuple(sorted((r for r in reads if isinstance(r, type)), key=lambda kind: kind.__name__)),
            crashed=self.some_crash,
            shared=len({environment.shared for environment in self.listing.columns[0].values}) > 1,
            blocks=len(self.listing.columns) > self.world.n + 1,
        )

    def ladder(self, reads: set[Any]) -> Iterator[Sight]:
        """Sights from what the properties read to what is coarse enough for everything."""
        whole = self.sight_of(reads)
        fewer = replace(whole, kinds=(), shared=False)
        decision = replace(fewer, fields=tuple(name for name in fewer.fields if name in ("leader", "status")))
        yield whole
        yield replace(whole, kinds=())
        yield fewer
        yield decision
        for sight in (fewer, decision):
            yield replace(sight, counted=True, blocks=False)
        everything = replace(fewer, fields=self.varying())
        yield from (everything, replace(everything, counted=True, blocks=False))
        for sight in (fewer, everything):
            yield replace(sight, counted=True, blocks=False, only_change=True)
        yield replace(fewer, counted=True, blocks=False, only_change=True, crashed=False)

    def best(self, reads: set[Any], most: int) -> tuple[Sight, Classes]:
        """The first sight that tells some states apart and leaves no more classes than `most`."""
        found: tuple[Sight, Classes] | None = None
        for sight in dict.fromkeys(self.ladder(reads)):
            seen = self.classes(sight)
            if FEWEST <= len(seen) <= most:
                return sight, seen
            if len(seen) <= most and (found is None or len(seen) > len(found[1])):
                found = sight, seen
        assert found is not None, "how many processes have changed leaves no more classes than there are processes"
        return found


def valued(name: str, value: object) -> str:
    """'leader=3', and for a truth value 'awake' or 'not awake'."""
    if isinstance(value, bool):
        return name if value else f"not {name}"
    return f"{name}={show(value)}"


def classes(parts: Sequence[Array], count: int) -> Classes:
    """The classes of the states that agree in all parts (numbers from 0 on, one for each state)."""
    key = np.zeros(count, np.int64)
    room = 1
    for part in parts:
        width = int(part.max(initial=0)) + 1
        if room * width >= 1 << 62:
            kinds, key = np.unique(key, return_inverse=True)
            key, room = key.reshape(-1), len(kinds)
        key = key * width + part
        room *= width
    if room > SMALL * (count + 1):
        kinds, key = np.unique(key, return_inverse=True)
        key, room = key.reshape(-1), len(kinds)
    first = np.full(room, -1, np.int64)
    first[key[::-1]] = np.arange(count - 1, -1, -1)  # of equal indices the last counts, and that is the first state
    present = np.flatnonzero(first >= 0)
    order = present[np.argsort(first[present])]
    rank = np.zeros(room, np.int64)
    rank[order] = np.arange(len(order))
    return Classes(rank[key], first[order])
