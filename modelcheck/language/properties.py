"""Properties: what must hold, as plain Python over a read-only view of a state.

    @always
    def at_most_one_leader(view: View) -> Verdict:
        "No two processes lead."
        leaders = [p for p in view.processes if leads(p)]
        return len(leaders) <= 1 or because(f"{listed(leaders)} both lead")

The first line of the docstring says what is claimed; `because(...)` is false and says why it fails.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, overload

from .messages import Message
from .values import Id, Port

Kind = Literal["always", "every step", "at the end", "eventually", "terminates"]


class Because:
    """A false value with a sentence: why a property fails here."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"because({self.sentence!r})"


def because(sentence: str) -> Because:
    """`return condition or because("...")`: false, with the reason in a sentence."""
    return Because(sentence)


Verdict = bool | Because


class ProcessView(Protocol):
    """One process as a property sees it; its fields are attributes too. `position` counts from 0."""

    id: Id
    position: int
    crashed: bool
    is_root: bool
    is_initiator: bool
    ports: tuple[Port, ...]

    def at(self, port: Port) -> ProcessView:
        """The process at the other end of `port`."""

    def has_waiting(self, *kinds: type[Message]) -> bool:
        """Whether a message of these types waits for it, or any. Where that is enough, a search is faster than with in_transit."""

    def __getattr__(self, name: str) -> Any: ...


class TransitView(Protocol):
    """A message on its way."""

    message: Message
    source: ProcessView
    target: ProcessView


class View(Protocol):
    """A state as a property sees it. `processes` stand in the order of their identifiers, so that no property depends on
    where they stand; where identifiers repeat, in an order that means nothing; `protocol` has the model's class attributes and parameters, and
    `network` and `keeps_messages` of the run; `initiators` are
    those allowed to start; shared variables are attributes of `shared`; `blocks` are the processes by who reaches whom,
    one block while the network is whole."""

    @property
    def processes(self) -> Sequence[ProcessView]: ...
    @property
    def alive(self) -> Sequence[ProcessView]: ...
    @property
    def blocks(self) -> Sequence[Sequence[ProcessView]]: ...
    def in_transit(self, *kinds: type[Message]) -> Sequence[TransitView]: ...
    @property
    def shared(self) -> Any: ...
    @property
    def protocol(self) -> Any: ...


def listed(processes: Sequence[ProcessView]) -> str:
    """'p1 (id 3) and p2 (id 5)', for sentences."""
    names = [str(process) for process in processes]
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)


@dataclass(frozen=True)
class Property:
    """A named claim. `applies(protocol)` says whether it is claimed of a protocol at all."""

    name: str
    kind: Kind
    claim: str
    check: Callable[..., Verdict]
    applies: Callable[[Any], bool]
    where: str = ""


def _everywhere(_: Any) -> bool:
    return True


def _define(kind: Kind, check: Callable[..., Verdict], when: Callable[[Any], bool]) -> Property:
    claim = (inspect.getdoc(check) or check.__name__.replace("_", " ")).split("\n")[0]
    code = check.__code__
    return Property(check.__name__, kind, claim, check, when, f"{code.co_filename}:{code.co_firstlineno}")


StateCheck = Callable[[View], Verdict]
StepCheck = Callable[[View, View], Verdict]
Condition = Callable[[Any], bool]


@overload
def always(check: StateCheck, /) -> Property: ...
@overload
def always(*, when: Condition) -> Callable[[StateCheck], Property]: ...
def always(check: StateCheck | None = None, /, *, when: Condition = _everywhere) -> Any:
    """Holds in every reachable state."""
    return _decorator("always", check, when)


@overload
def every_step(check: StepCheck, /) -> Property: ...
@overload
def every_step(*, when: Condition) -> Callable[[StepCheck], Property]: ...
def every_step(check: StepCheck | None = None, /, *, when: Condition = _everywhere) -> Any:
    """Holds of every transition, as `check(before, after)`."""
    return _decorator("every step", check, when)


@overload
def at_the_end(check: StateCheck, /) -> Property: ...
@overload
def at_the_end(*, when: Condition) -> Callable[[StateCheck], Property]: ...
def at_the_end(check: StateCheck | None = None, /, *, when: Condition = _everywhere) -> Any:
    """Holds in every terminal state: one that no enabled step changes."""
    return _decorator("at the end", check, when)


@overload
def eventually(check: StateCheck, /) -> Property: ...
@overload
def eventually(*, when: Condition) -> Callable[[StateCheck], Property]: ...
def eventually(check: StateCheck | None = None, /, *, when: Condition = _everywhere) -> Any:
    """Every fair run reaches a state where it holds."""
    return _decorator("eventually", check, when)


def _decorator(kind: Kind, check: Callable[..., Verdict] | None, when: Condition) -> Any:
    if check is not None:
        return _define(kind, check, when)
    return lambda function: _define(kind, function, when)


def terminates(name: str = "termination", *, when: Condition = _everywhere) -> Property:
    """Every fair run reaches a terminal state (with probability 1 where the protocol draws at random)."""
    return Property(name, "terminates", "Every fair run ends.", lambda: True, when)
