"""When `--engine auto` turns to sets of states, and when it turns back.

The first world of a size is explored state by state. Where the others would have more than `FROM` states, if each has as many, and sets
can decide all that is asked, the whole run is explored anew by sets: ManyStatesError says so. A diagram may take no longer than those states
would take, as near as that can be told by what is counted: a node is made, and read, in about the time in which ten states are visited, and
a member is tabulated in that of a hundred nodes. Beyond that, or where something turns out to be undecided, TurnBackError puts an end to
it, and states are visited after all, one by one. All this is counted, not timed, so the same command does the same anywhere.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from ...count.tally import Tally
from ...explore.limits import Meter
from ...language.properties import OF_ENDS, ON_THE_WAY
from ...semantics.system import System
from ..request import Request
from ..result import Result
from ..worker import Engine
from .refusing import refusal

FROM = 10_000_000  # states
STATES, NODES = 10, 100  # that are visited while one node is made, and that are made while one member is tabulated
MOST = 20_000_000  # nodes, which take some minutes


class ManyStatesError(Exception):
    """There are so many states to visit of this size that sets are preferred. `allowed` are the nodes that may be made up to it."""

    def __init__(self, size: int, allowed: int) -> None:
        super().__init__(size, allowed)
        self.size, self.allowed = size, allowed


class TurnBackError(Exception):
    """Sets have taken as long as visiting the states would take, or do not decide everything."""


@dataclass(frozen=True)
class Effort:
    """What each diagram may cost, in nodes; None for as much as it likes. Of sizes beyond `size` nobody knows how many states they have, and the
    greatest cost is allowed."""

    allowed: int | None = None
    size: int = 0

    @property
    def is_bounded(self) -> bool:
        return self.allowed is not None

    def spend(self, size: int, nodes: int, members: int) -> None:
        """So many were made for a diagram of this size. Raises TurnBackError."""
        if self.allowed is not None and nodes + NODES * members > (self.allowed if size <= self.size else MOST):
            raise TurnBackError


def could_prefer(request: Request, system: System) -> bool:
    """Whether sets could decide all that a run is asked, as far as that can be told beforehand."""
    kinds = {prop.kind for prop in request.properties}
    if refusal(system) or request.reduce == "order" or request.part is not None or kinds & set(ON_THE_WAY):
        return False
    return not kinds & set(OF_ENDS) or not (system.links.keeps or system.definition.shared)


def look_ahead(tally: Tally) -> None:
    """With what is known of the first world of a size. Raises ManyStatesError."""
    if tally.worlds != 1 or not tally.represented:
        return
    others = tally.states * (tally.to_represent - tally.represented) // tally.represented
    if others > FROM:
        raise ManyStatesError(tally.n, min(others // STATES, MOST))


class Searched(Protocol):
    """Explores what was asked for, with an engine; `may_prefer` and `effort` as of `search_worlds`."""

    def __call__(self, engine: Engine, *, may_prefer: bool = False, effort: Effort | None = None) -> Result: ...


def by_states_or_sets(searched: Searched, meter: Meter) -> Result:
    """The result of a run whose engine nobody has named."""
    try:
        return searched("auto", may_prefer=True)
    except ManyStatesError as many:
        effort = Effort(many.allowed, many.size)
    with suppress(TurnBackError):
        found = searched("sets", effort=effort)
        if found.stopped is None or found.stopped.kind not in ("memory", "room"):
            return found
        meter.reached = None
    return searched("auto")
