"""The values a state is made of: the environment, and for each process a component.

    state = (environment, component_0, ..., component_{n-1})

Components and environments are interned: each distinct value exists once, so states compare and hash by identity, and
a step's outcomes, which depend on nothing but one environment and one component, are computed once.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from ..language.values import Id, Port
from .network import Channel


@dataclass(frozen=True)
class Profile:
    """What never changes about a process, and nothing of where it stands: all a component may depend on.

    `answers[k]` is the out-port that leads back over in-port k, or None. `identifier`, `neighbours`, `n`, `root`,
    `everyone` and `position` are None where the process has not got or does not know them.
    """

    identifier: Id | int | None
    ports: tuple[Port, ...]
    in_ports: tuple[Port, ...]
    answers: tuple[Port | None, ...]
    initiator: bool
    fallible: bool = True  # whether it may crash
    n: int | None = None
    root: bool | None = None
    neighbours: tuple[Id | int | None, ...] | None = None
    everyone: tuple[Id | int | None, ...] | None = None
    position: int | None = None

    @property
    def setup(self) -> str:
        """What says how it begins."""
        return "initially"

    def __str__(self) -> str:
        return "a process" if self.identifier is None else f"the process with identifier {self.identifier!r}"

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, field.name) for field in fields(self)))


@dataclass(frozen=True)
class CommonProfile(Profile):
    """What is known of all processes together: how many they are and who, if the protocol knows that. Of `shared_initially`."""

    @classmethod
    def of(cls, profile: Profile) -> CommonProfile:
        """What a process of this profile and all others have in common."""
        return cls(None, (), (), (), False, n=profile.n, everyone=profile.everyone)

    @property
    def setup(self) -> str:
        return "shared_initially"

    def __str__(self) -> str:
        return "all processes together"

    def __hash__(self) -> int:
        return self._hash


class Component:
    """One process's part of a state: its local variables and its inbox, one channel for each in-port.

    Interned by System: compare with `is`. `fields` stand in the order of the definition.
    """

    __slots__ = ("cache", "crashed", "fields", "inbox", "profile")

    def __init__(self, profile: Profile, crashed: bool, fields: tuple[Any, ...], inbox: tuple[Channel, ...]) -> None:
        self.profile, self.crashed, self.fields, self.inbox = profile, crashed, fields, inbox
        self.cache: dict[Any, Any] = {}  # what System has computed of it

    def __repr__(self) -> str:
        return f"Component({self.profile.identifier}, {'crashed, ' if self.crashed else ''}{self.fields}, {self.inbox})"


class Environment:
    """The slot of a state that belongs to no process: shared variables and what is left of the fault budgets.

    `budgets` stand in the order of faults.OF_ENVIRONMENT. Interned by System: compare with `is`. Which processes a split
    network keeps apart stands in a component (partitions.py).
    """

    __slots__ = ("budgets", "shared")

    def __init__(self, shared: tuple[Any, ...], *budgets: int) -> None:
        self.shared, self.budgets = shared, budgets

    def values(self) -> tuple[Any, ...]:
        """The shared variables as one value, then the budgets: what makes such an environment."""
        return (self.shared, *self.budgets)

    def __repr__(self) -> str:
        return f"Environment{self.values()}"


State = tuple[Any, ...]  # (Environment, Component, ..., Component), and a Network at the end where it can split
