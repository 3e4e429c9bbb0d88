"""One world out of all that were asked for, explored to the end: the world of a counterexample, or else the first.

A counterexample is looked for as `check` looks for it, one world after another, by one thread and in no more than so many
states: so which world is taken depends on nothing but the command.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

from ..check.findings import ALWAYS_CHECKED, Candidate, Findings
from ..check.request import Request
from ..check.search import Search
from ..check.taken_again import Witness
from ..check.verdict import Ledger, all_explored
from ..check.worker import Engine, Worker
from ..count.tally import Tally
from ..errors import UnfinishedError, UsageError
from ..explore.exploration import Exploration
from ..explore.limits import Meter
from ..explore.listing import Listing
from ..pulse import StoppedError, watched_by
from ..semantics.lockstep import system_for
from ..semantics.system import System
from ..semantics.worlds import World

LOOKED_THROUGH = 1_000_000  # states, for a counterexample
COUNTED = 100_000  # worlds


@dataclass(frozen=True)
class OneWorld:
    """`order` counts from 1; `worlds` is how many there are, None where that is more than is worth counting. `entry` is the
    counterexample to `violated`, in this world."""

    request: Request
    system: System
    world: World
    order: int
    worlds: int | None
    found: Exploration
    listing: Listing
    worker: Worker
    violations: dict[str, Candidate]
    chosen: str  # why this world: "asked", "violation", "first"
    looked_through: int  # worlds in which no property fails

    @property
    def shown(self) -> tuple[str, Candidate] | None:
        """The property whose counterexample is shown: that with the shortest; the first of several."""
        entries = list(self.violations.items())
        return min(entries, key=lambda item: item[1].trace.length, default=None)


def one_world(request: Request, meter: Meter, engine: Engine, number: int | None = None) -> OneWorld:
    """Explores world `number`, or the one with the shortest counterexample, or else the first.

    Raises UsageError where there is no such world, UnfinishedError where a limit was reached before it was explored, and
    whatever is wrong with the model.
    """
    try:
        with watched_by(meter):
            return _one_world(request, meter, engine, number)
    except StoppedError:
        raise UnfinishedError(
            f"{meter.reached}, before a world was explored; raise the limit, or take fewer processes"
        ) from None


def _one_world(request: Request, meter: Meter, engine: Engine, number: int | None) -> OneWorld:
    if len(request.sizes) > 1:
        raise UsageError(f"a state graph is of one size: --n {request.sizes[0]}")
    total = sum(1 for _ in islice(_all(request), COUNTED + 1))
    system = system_for(request.model.definition, request.settings)
    looked_through, chosen = 0, "asked"
    if number is None:
        number, looked_through = (1, 0) if total == 1 else _violating(request, system, engine, meter)
        chosen = "first" if number == 0 or total == 1 else "violation"
        number = number or 1
    world = next(islice(_all(request), number - 1, None), None) if number > 0 else None
    if world is None:
        raise UsageError(f"there is no world {number}: they are numbered from 1 to {total:,}")
    findings = Findings(system, request.properties)
    worker = Worker(system, request.properties, findings, meter, engine, records=True)
    witness = worker.witness = Witness(request, system)
    try:
        found = worker.explore(world, number, False, None)
        if found.complete:
            witness.ask(len(found.states), findings.violations.entries.values())
            if not system.verify(hurried=meter.stop):
                raise StoppedError
            witness.confirm(meter)
    finally:
        witness.close()
    if not found.complete or meter.reached:
        raise UnfinishedError(
            f"world {number} was not explored to the end: {meter.reached}; raise the limit, or take fewer processes or faults"
        )
    entries = findings.violations.entries
    names = [name for name in _names(request) if name in entries and (not request.selected or name in request.selected)]
    violations = {name: entries[name] for name in names}
    return OneWorld(
        request, system, world, number, total if total <= COUNTED else None, found, Listing(system, found), worker, violations,
        chosen, looked_through,
    )  # fmt: skip


def _all(request: Request) -> Any:
    return chain.from_iterable(worlds for _, families in request.worlds() for worlds in families)


def _names(request: Request) -> list[str]:
    return [*(prop.name for prop in request.properties), *(name for name, _, _ in ALWAYS_CHECKED)]


def _violating(request: Request, system: System, engine: Engine, meter: Meter) -> tuple[int, int]:
    """The order of the world with the shortest counterexample, 0 where none was found, and how many worlds were looked
    through to the end."""
    limits = meter.limits
    meter.limits = replace(limits, max_states=LOOKED_THROUGH)
    search = Search(system, request.properties, meter, engine, workers=1)
    tallies: list[Tally] = []
    search.run_all(request, tallies)
    all_explored(Ledger(stopped=meter.reached, missing=[tally.missing for tally in tallies if tally.missing]))
    meter.limits = limits
    if meter.reached and meter.reached.kind != "states":
        raise UnfinishedError(
            f"{meter.reached}, while the worlds were searched for a counterexample: name one, as in --world 1"
        )
    meter.reached, meter.earlier_states = None, 0
    entries = search.known.findings.violations.entries
    wanted = [entry for name, entry in entries.items() if not request.selected or name in request.selected]
    least = min(wanted, key=lambda entry: (entry.trace.length, entry.order), default=None)
    return (least.order if least else 0), sum(tally.worlds for tally in tallies)
