"""The circumstances of a run that are the same in every world: network, faults, parameters."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

from ..errors import UsageError, nearest
from ..language.definition import Definition
from ..language.faults import FAULTS, OF_ENVIRONMENT, Fault
from ..language.messages import Down, Up
from ..language.networks import NETWORKS, ORDERED
from .network import LinkRules

Start = Literal["any", "simultaneous"]
Schedule = Literal["any", "lockstep"]
Across = Literal["lost", "held"]
EVENTUALLY_PERFECT = "eventually_perfect"
DETECTORS = ("perfect", "heartbeat", "unreliable", EVENTUALLY_PERFECT)
ERRING = ("unreliable", EVENTUALLY_PERFECT)  # those that suspect the living


@dataclass(frozen=True)
class Settings:
    """Budgets are per run, one for each fault (language/faults.py), of the same name; `suspicions` are false ones.

    across         what becomes of messages sent over a cut: they are lost, or held until it heals
    cuts_reported  whether the detector takes whoever is cut off for down; a perfect one does not
    taken_back     whether every false suspicion is taken back some day, as by an eventually perfect detector
    capacity       so many messages wait on one link at most; what is sent on a full one is lost. 0: without a bound
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
    taken_back: bool = False
    capacity: int = 0

    def budgets(self) -> dict[str, int]:
        """Every budget by name, those of zero included."""
        return {name: getattr(self, name) for name in FAULTS}

    @cached_property
    def links(self) -> LinkRules:
        """What links do with messages."""
        return LinkRules(**asdict(NETWORKS[self.network]), capacity=self.capacity, hesitant=self.taken_back)

    @property
    def detector(self) -> str:
        """perfect, heartbeat, unreliable or eventually_perfect."""
        if self.taken_back:
            return EVENTUALLY_PERFECT
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
        if self.links.replaces and self.duplications:
            raise UsageError(
                f"on a {self.network} network a copy would take the place of its original: --duplications has no meaning there"
            )
        if self.capacity < 0:
            raise UsageError(f"--capacity must not be negative, and was {self.capacity}")
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
        if self.taken_back:
            self._check_taken_back(definition)
        if self.schedule not in ("any", "lockstep"):
            raise UsageError(f"there is no schedule {self.schedule!r}; {nearest(self.schedule, ('any', 'lockstep'))}")
        if self.schedule == "lockstep":
            self._check_lockstep(definition)

    def _check_taken_back(self, definition: Definition) -> None:
        if not definition.handles(Up):
            raise UsageError(
                f"{definition.name} has no @receive(Up) step, so nobody would be told that a suspicion is taken back: "
                "take --detector unreliable"
            )
        if self.partitions:
            raise UsageError(
                f"--detector {EVENTUALLY_PERFECT} has no meaning where the network splits: a detector that is never wrong "
                "for long would have to see across the cut; take heartbeat, or unreliable:K"
            )

    def check_needs(self, fault: Fault) -> None:
        """Raises UsageError for a fault that cannot happen, for there is none of what it needs."""
        if fault.needs and getattr(self, fault.name) and not getattr(self, fault.needs[0]):
            raise UsageError(fault.needs[1])

    def _check_lockstep(self, definition: Definition) -> None:
        asked = [FAULTS[name] for name, budget in self.budgets().items() if budget and name != "crashes"]
        if asked:
            leave = f"leave out {asked[0].asked_by}, or take --schedule any"
            raise UsageError(f"in lock-step processes may crash, and no other fault has a round of its own; {leave}")
        if self.crashes and self.start == "simultaneous":
            raise UsageError(
                "in lock-step whoever crashes in a round has sent any part of what it sends in it, and a simultaneous start comes before "
                "the first round: leave out --start simultaneous, for all that may start do so in the first round"
            )
        if self.capacity:
            raise UsageError("--capacity has no meaning in lock-step: nothing waits longer than a round")
        if self.network != ORDERED:
            raise UsageError(
                f"--network {self.network} has no meaning in lock-step: what is sent in one round arrives in the next, "
                "in the order of sending"
            )
        if definition.shared:
            raise UsageError(
                f"{definition.name} has shared variables, and in lock-step all processes would write them at once"
            )
