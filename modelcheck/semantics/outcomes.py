"""What a step comes to, in values: of one execution of the model's code an Effect; of that in a state an Outcome, which leads to a Transition.

Invocation: what a step sees  ──execution.py──▶  Effect: what it did  ──system.py──▶  Outcome, Transition
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from ..language.faults import DEEDS
from ..language.messages import Message
from ..language.values import Port
from .components import Component, Environment, Profile, State


class Invocation(NamedTuple):
    """All that a step sees when it is executed. Of the environment these are the shared variables; not the inbox."""

    step: str
    profile: Profile
    fields: tuple[Any, ...]
    shared: tuple[Any, ...]
    received: tuple[Port, Message] | None


@dataclass(frozen=True)
class Failure:
    """Why a step could not be taken to its end, a violation: `kind` says of what.

    `where` is file:line in the model; `traceback` shows the model's own frames only.
    """

    kind: str  # "assert" | "exception" | "unspecified reception"
    sentence: str
    where: str = field(default="", compare=False)
    traceback: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Choice:
    """What `choose` or `draw` returned; `weight` of `total` is the probability of a draw."""

    value: Any
    random: bool
    weight: int = 1
    total: int = 1

    @property
    def probability(self) -> Fraction:
        """That of a draw; 1 of what was chosen."""
        return Fraction(self.weight, self.total) if self.random else Fraction(1)


@dataclass(frozen=True)
class Effect:
    """What one execution of a step did. Of `initially` the `sends` are what waits at first, by in-port."""

    fields: tuple[Any, ...]
    shared: tuple[Any, ...]
    sends: tuple[tuple[Port, Message], ...]
    choices: tuple[Choice, ...]
    failure: Failure | None = None
    crashed: bool = False  # start_crashed() was called

    def meaning(self) -> tuple[Any, ...]:
        """What is compared where it is executed under other identifiers: a failure's sentence may name some."""
        return (self.fields, self.shared, self.sends, self.choices, self.failure and self.failure.kind)


@dataclass(frozen=True, eq=False)
class Outcome:
    """One way a process can take one step.

    `received` is the message a receive step consumes, or the one that is lost or duplicated; for a false suspicion the
    port it goes out on. With a `failure` there is no state after the step: `component` is the one before. `which` counts those that look
    alike: equal messages that wait in other places of a link, initial values with which a process may come back.
    """

    step: str
    kind: str  # initiate, step, receive, or a deed of a fault
    received: tuple[Port, Message | None] | None
    choices: tuple[Choice, ...]
    environment: Environment
    component: Component
    sends: tuple[tuple[Port, Message], ...]
    failure: Failure | None = None
    which: int = 0

    @property
    def is_fault(self) -> bool:
        return self.kind in DEEDS

    @property
    def action(self) -> tuple[Any, ...]:
        """What weak fairness speaks of: this step, for a receive step with this message at this port. Random draws
        and choices are outcomes of one action."""
        return (self.step, self.received)

    def label(self) -> tuple[Any, ...]:
        """What tells this outcome from the others of its component, in every run."""
        return (self.step, self.kind, self.received, self.choices, *([self.which] if self.which else []))


@dataclass(frozen=True, eq=False)
class Transition:
    """Process `process` took a step. `after` is None where the step failed."""

    process: int
    outcome: Outcome
    after: State | None


@dataclass(frozen=True, eq=False)
class Start:
    """An initial state, with the starting steps that led to it from `before` where all initiators start first."""

    before: State
    state: State
    steps: tuple[Transition, ...] = ()
