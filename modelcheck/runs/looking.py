"""Which shared variables a step looks at. The search need not know; whoever looks at a run wants to see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..language.faults import DEEDS
from ..language.process import Process
from ..semantics.components import State
from ..semantics.outcomes import Effect, Invocation, Outcome, Transition
from ..semantics.system import System


class OneByOne(System):
    """A system that runs a step anew each time, and no further than its outcomes are asked for: what was noticed while it
    ran belongs to the outcome that came last."""

    def _effects(self, call: Invocation) -> Iterator[Effect]:
        return self.execute(call)


def shared_reads(system: System, before: State, taken: Transition) -> tuple[str, ...] | None:
    """The shared variables whose values the step has read, in the order of their definition: the step runs once more, and is
    watched. What it reads after it has written it is its own. None where it does not do again what it did."""
    if not system.definition.shared or not _runs_code(taken.outcome):
        return ()
    watched, seen = _watching(system)
    for outcome in watched._outcomes(before[0], before[taken.process + 1]):
        if is_the_same(outcome, taken.outcome):
            return tuple(name for name in system._shared_names if name in seen)
    return None


def is_the_same(outcome: Outcome, other: Outcome) -> bool:
    """Whether these are one outcome, of two systems. What `initially` chooses of a process that comes back has no name: what the process is then tells."""
    return outcome.label() == other.label() and outcome.component.fields == other.component.fields


def _runs_code(outcome: Outcome) -> bool:
    """Whether the model's code runs in it: not in a fault, nor where a message arrives that no step receives."""
    received = outcome.failure is None or outcome.failure.kind != "unspecified reception"
    return received and (not outcome.is_fault or DEEDS[outcome.kind].runs_code)


def _watching(system: System) -> tuple[OneByOne, set[str]]:
    """A system of the same protocol that notes what the step reads that ran last."""
    names = frozenset(field.name for field in system.definition.shared)
    seen: set[str] = set()

    class Watched(system.definition.cls):  # type: ignore[misc, name-defined]
        def __new__(cls) -> Process:  # type: ignore[misc]
            seen.clear()  # each execution makes a process of its own
            return super().__new__(cls)  # type: ignore[no-any-return]

        def __getattribute__(self, name: str) -> object:
            if name in names and name not in super().__getattribute__("_surroundings").checked:
                seen.add(name)
            return super().__getattribute__(name)

    return OneByOne(replace(system.definition, cls=Watched), system.settings, twice=False), seen
