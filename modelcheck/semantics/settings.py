"""The circumstances of a run that are the same in every world: network, faults, parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..errors import UsageError, nearest
from ..language.definition import Definition
from ..language.faults import FAULTS, OF_ENVIRONMENT, Fault
from ..language.messages import Down
from ..language.networks import NETWORKS, NetworkKind

Start = Literal["any", "simultaneous"]
Schedule = Literal["any", "lockstep"]
Across = Literal["lost", "held"]


@dataclass(frozen=True)
class Settings:
    """Budgets are per run, one for each fault (language/faults.py), of the same name; `suspicions` are false ones.

    across         what becomes of messages sent over a cut: they are lost, or held until it heals
    cuts_reported  whether the detector takes whoever is cut off for down; a perfect one does not
    """

    network: str
    parameters: tuple[tuple[str, Any], ...] = ()
    start: Start = "any"
    losses: int = 0
    duplications: int = 0
    crashes: int = 0
    recoveries: int = 0
    suspicions: int = 0
    schedule: Schedule = "any"
    partitions: int = 0
    heals: int = 0
    across: Across = "lost"
    cuts_reported: bool = False

    def budgets(self) -> dict[str, int]:
        """Every budget by name, those of zero included."""
        return {name: getattr(self, name) for name in FAULTS}

    @property
    def links(self) -> NetworkKind:
        """What links do with messages."""
        return NETWORKS[self.network]

    @property
    def detector(self) -> str:
        """perfect, heartbeat or unreliable."""
        return "unreliable" if self.suspicions else "heartbeat" if self.cuts_reported else "perfect"

    def faults(self) -> dict[str, int]:
        """Those that the environment counts down."""
        return {name: getattr(self, name) for name in OF_ENVIRONMENT}

    def check(self, definition: Definition) -> None:
        """Raises UsageError for what has no meaning, with the reason."""
        if self.network not in NETWORKS:
            raise UsageError(f"there is no network {self.network!r}; {nearest(self.network, NETWORKS)}")
        if self.start not in ("any", "simultaneous"):
            raise UsageError(f"there is no start {self.start!r}; {nearest(self.start, ('any', 'simultaneous'))}")
        for name, budget in self.budgets().items():
            if budget < 0:
                raise UsageError(f"{name} must not be negative, and was {budget}")
        asked = [FAULTS[name] for name, budget in self.budgets().items() if budget]
        for fault in asked if self.links.keeps else ():
            if fault.never_kept:
                raise UsageError(fault.never_kept.format(network=self.network))
        if self.across not in ("lost", "held"):
            raise UsageError(f"--across is lost or held, not {self.across!r}; {nearest(self.across, ('lost', 'held'))}")
        if self.across == "held" and not self.partitions:
            raise UsageError("--across held: nothing is ever cut, for there are no partitions; add --partitions K")
        for fault in asked:
            if not fault.at_first:
                self.check_needs(fault)
        if self.suspicions and not definition.handles(Down):
            raise UsageError(
                f"{definition.name} has no @receive(Down) step: it consults no failure detector, so nothing can mislead it"
            )
        if self.schedule not in ("any", "lockstep"):
            raise UsageError(f"there is no schedule {self.schedule!r}; {nearest(self.schedule, ('any', 'lockstep'))}")
        if self.schedule == "lockstep":
            self._check_lockstep(definition)

    def check_needs(self, fault: Fault) -> None:
        """Raises UsageError for a fault that cannot happen, for there is none of what it needs."""
        if fault.needs and getattr(self, fault.name) and not getattr(self, fault.needs[0]):
            raise UsageError(fault.needs[1])

    def _check_lockstep(self, definition: Definition) -> None:
        asked = [FAULTS[name] for name, budget in self.budgets().items() if budget]
        if asked:
            raise UsageError(f"in lock-step there are no faults: leave out {asked[0].asked_by}, or --schedule lockstep")
        if not self.links.ordered:
            raise UsageError(
                f"--network {self.network} has no meaning in lock-step: what is sent in one round arrives in the next, "
                "in the order of sending"
            )
        if definition.shared:
            raise UsageError(
                f"{definition.name} has shared variables, and in lock-step all processes would write them at once"
            )
