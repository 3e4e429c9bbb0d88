"""The decision process of one world, to be written down for other checkers."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Unpack

from ..chance.building import Lotteries, lotteries
from ..check.checker import cores, search_worlds
from ..check.request import Asked, Request, read_request, usual_limits
from ..check.worker import Engine
from ..count.census import Census
from ..count.extremes import Columns, Values
from ..count.ranges import Range
from ..errors import UnfinishedError, UsageError
from ..explore.exploration import Exploration
from ..explore.limits import Limits, Meter
from ..language.process import Process
from ..semantics.system import System


class _Keeping(Census):
    """A census that keeps the decision process of each world."""

    def __init__(self, request: Request) -> None:
        super().__init__(request.model.definition, request.settings, only_total=True)
        self.columns = Columns.of(request.model.definition)
        self.found: list[Lotteries] = []

    def add_counted(self, *_: object) -> Range | None:
        return None

    def add(self, system: System, found: Exploration, order: int, values: Iterable[Values]) -> Range | None:
        made = lotteries(system, found, self.columns)
        self.found += [made] if made is not None else []
        return None


def process_of(
    model: str | type[Process],
    *,
    engine: Engine = "auto",
    limits: Limits | None = None,
    meter: Meter | None = None,
    **asked: Unpack[Asked],
) -> tuple[Lotteries, str]:
    """The process, and what it is of. Raises UsageError where there is more than one world, or a step fails; UnfinishedError where a limit is reached."""
    request = replace(read_request(model, **asked), properties=(), reduce="none")
    if engine not in ("auto", "compiled", "reference"):
        raise UsageError(f"every state is written down: leave out --engine {engine}")
    worlds = [world for _, families in request.worlds() for worlds in families for world in _first_two(worlds)]
    if len(worlds) > 1:
        raise UsageError(
            "a process is written down of one world: give one size, and the identifiers, as in --ids 3,1,2"
        )
    meter = meter or Meter(limits or usual_limits())
    census = _Keeping(request)
    engine = "reference" if request.settings.schedule == "lockstep" else engine
    result = search_worlds(request, engine, cores(), meter, time.monotonic(), census=census)
    if result.error is not None:
        raise result.error
    if result.stopped is not None:
        raise UnfinishedError(result.stopped)
    if not census.found:
        raise UsageError("a step fails: there are no probabilities of what comes after it")
    return census.found[0], f"{request.model.name}, {worlds[0]}"


def _first_two(worlds: Iterable[object]) -> list[object]:
    return [world for world, _ in zip(worlds, range(2), strict=False)]
