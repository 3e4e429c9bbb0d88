"""The circumstances of a run that are the same in every world: network, faults, parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..errors import UsageError, nearest
from ..language.definition import Definition
from ..language.messages import Down
from ..language.process import NETWORKS

Start = Literal["any", "simultaneous"]
Schedule = Literal["any", "lockstep"]
Across = Literal["lost", "held"]


@dataclass(frozen=True)
class Settings:
    """Budgets are per run: at most so many losses, duplications, crashes, recoveries, false suspicions, splits, heals.

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
        return {**self.faults(), "partitions": self.partitions, "heals": self.heals}

    @property
    def detector(self) -> str:
        """perfect, heartbeat or unreliable."""
        return "unreliable" if self.suspicions else "heartbeat" if self.cuts_reported else "perfect"

    def faults(self) -> dict[str, int]:
        """Those that the environment counts down."""
        return {
            "losses": self.losses,
            "duplications": self.duplications,
            "crashes": self.crashes,
            "recoveries": self.recoveries,
            "suspicions": self.suspicions,
        }

    def check(self, definition: Definition) -> None:
        """Raises UsageError for what has no meaning, with the reason."""
        if self.network not in NETWORKS:
            raise UsageError(f"there is no network {self.network!r}; {nearest(self.network, NETWORKS)}")
        if self.start not in ("any", "simultaneous"):
            raise UsageError(f"there is no start {self.start!r}; {nearest(self.start, ('any', 'simultaneous'))}")
        for name, budget in self.budgets().items():
            if budget < 0:
                raise UsageError(f"{name} must not be negative, and was {budget}")
        if self.network == "sticky" and self.duplications:
            raise UsageError(
                "a sticky network already delivers every message again and again: --duplications has no meaning there"
            )
        if self.network == "sticky" and (self.crashes or self.suspicions):
            raise UsageError(
                "crashes have no meaning on a sticky network: its messages never leave, so a detector could never "
                "report that all of a crashed process's messages have been received"
            )
        if self.network == "sticky" and self.partitions:
            raise UsageError(
                "partitions have no meaning on a sticky network: its messages never leave, so what was sent before a split "
                "would be received across it again and again"
            )
        if self.across not in ("lost", "held"):
            raise UsageError(f"--across is lost or held, not {self.across!r}; {nearest(self.across, ('lost', 'held'))}")
        if self.across == "held" and not self.partitions:
            raise UsageError("--across held: nothing is ever cut, for there are no partitions; add --partitions K")
        if self.heals and not self.partitions:
            raise UsageError("nothing can heal: there are no partitions; add --partitions K")
        if self.suspicions and not definition.handles(Down):
            raise UsageError(
                f"{definition.name} has no @receive(Down) step: it consults no failure detector, so nothing can mislead it"
            )
        if self.schedule not in ("any", "lockstep"):
            raise UsageError(f"there is no schedule {self.schedule!r}; {nearest(self.schedule, ('any', 'lockstep'))}")
        if self.schedule == "lockstep":
            self._check_lockstep(definition)

    def _check_lockstep(self, definition: Definition) -> None:
        faults = [name for name, budget in self.budgets().items() if budget]
        if faults:
            option = "--detector" if faults[0] == "suspicions" else f"--{faults[0]}"
            raise UsageError(f"in lock-step there are no faults: leave out {option}, or --schedule lockstep")
        if self.network != "fifo":
            raise UsageError(
                f"--network {self.network} has no meaning in lock-step: what is sent in one round arrives in the next, "
                "in the order of sending"
            )
        if definition.shared:
            raise UsageError(
                f"{definition.name} has shared variables, and in lock-step all processes would write them at once"
            )
