"""Which shared variables a step looks at. The search need not know; whoever looks at a run wants to see it."""

from __future__ import annotations

from dataclasses import replace

from ..language.process import Process
from ..semantics.components import Component, State
from ..semantics.system import System, Transition


def shared_reads(system: System, before: State, taken: Transition) -> tuple[str, ...]:
    """The shared variables whose values the step has read, in the order of their definition: the step runs once more, and is
    watched. What it reads after it has written it is its own."""
    if not system.definition.shared or not isinstance(before[taken.process + 1], Component):
        return ()
    watched, seen = _watching(system)
    wanted = taken.outcome.label()
    seen.clear()
    for outcome in watched._outcomes(before[0], before[taken.process + 1]):
        if outcome.label() == wanted:
            break
        seen.clear()
    return tuple(name for name in system._shared_names if name in seen)


def _watching(system: System) -> tuple[System, set[str]]:
    """A system of the same protocol that notes what the step reads that ran last."""
    names = frozenset(field.name for field in system.definition.shared)
    seen: set[str] = set()

    class Watched(system.definition.cls):  # type: ignore[misc, name-defined]
        def __new__(cls) -> Process:
            seen.clear()  # each execution makes a process of its own
            return super().__new__(cls)  # type: ignore[no-any-return]

        def __getattribute__(self, name: str) -> object:
            if name in names and name not in super().__getattribute__("_surroundings").checked:
                seen.add(name)
            return super().__getattribute__(name)

    return System(replace(system.definition, cls=Watched), system.settings, twice=False), seen
