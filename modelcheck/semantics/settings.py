"""The circumstances of a run that are the same in every world: network, faults, parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..errors import UsageError, nearest
from ..language.definition import Definition
from ..language.messages import Down
from ..language.process import NETWORKS

Start = Literal["any", "simultaneous"]


@dataclass(frozen=True)
class Settings:
    """Budgets are per run: at most so many losses, duplications, crashes, recoveries, false suspicions."""

    network: str
    parameters: tuple[tuple[str, Any], ...] = ()
    start: Start = "any"
    losses: int = 0
    duplications: int = 0
    crashes: int = 0
    recoveries: int = 0
    suspicions: int = 0

    def faults(self) -> dict[str, int]:
        """The budgets by name, those of zero included."""
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
        for name, budget in self.faults().items():
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
        if self.suspicions and not definition.handles(Down):
            raise UsageError(
                f"{definition.name} has no @receive(Down) step: it consults no failure detector, so nothing can mislead it"
            )
