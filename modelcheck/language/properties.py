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
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, overload

from ..errors import DefinitionError
from .messages import Message
from .values import Id, Misuse, Port

Kind = Literal[
    "always", "every step", "at the end", "eventually", "eventually always", "always eventually", "leads to", "terminates"
]  # fmt: skip
LASTING = ("eventually always", "always eventually")  # of a run that ends they speak of its last state alone
OF_ENDS = (*LASTING, "terminates")  # where all runs end, how they end tells
ON_THE_WAY = ("eventually", "leads to")  # what comes on the way to where a run stays counts too
OF_WHOLE_RUNS = (*ON_THE_WAY, *OF_ENDS)


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
    """A named claim. `applies(protocol)` says whether it is claimed of a protocol at all.

    each      whether `check` is asked of each process: of a view and a process in it
    trigger   what leads to it, where it is of that kind: a property of states that nobody claims
    module    the module it stands in
    """

    name: str
    kind: Kind
    claim: str
    check: Callable[..., Verdict]
    applies: Callable[[Any], bool]
    where: str = ""
    each: bool = False
    trigger: Property | None = None
    module: str = ""

    @property
    def judged(self) -> tuple[Property, ...]:
        """What is judged in states: itself and what leads to it; nothing where it is about whether runs end."""
        if self.kind == "terminates":
            return ()
        return (self,) if self.trigger is None else (self, self.trigger)

    @property
    def is_separate(self) -> bool:
        """Whether it has to be judged of one process after another: what each does again and again is not what all do at once. That all
        do something in every state, or at last for ever, is the same for all of them together."""
        each = self.each or (self.trigger is not None and self.trigger.each)
        return each and self.kind in ("eventually", "always eventually", "leads to")


def _everywhere(_: Any) -> bool:
    return True


def _define(kind: Kind, check: Callable[..., Verdict], when: Callable[[Any], bool]) -> Property:
    claim = (inspect.getdoc(check) or check.__name__.replace("_", " ")).split("\n")[0]
    code = check.__code__
    where = f"{code.co_filename}:{code.co_firstlineno}"
    if kind != "every step" and [*inspect.signature(check).parameters] == ["before", "after"]:
        raise Misuse(
            f"{check.__name__} is asked of states, one by one, and takes the two of a step",
            "what a property is asked of stands in its decorator; a second argument is a process in the state",
            "write @every_step above it",
            where=where,
        )
    each = kind != "every step" and _is_of_each(check)
    return Property(check.__name__, kind, claim, check, when, where, each, module=check.__module__)


def _is_of_each(check: Callable[..., Verdict]) -> bool:
    """Whether a function takes a process beside the view."""
    parameters = inspect.signature(check).parameters.values()
    own = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return len([one for one in own if one.default is one.empty]) == 2


StateCheck = Callable[[View], Verdict] | Callable[[View, Any], Verdict]  # of the state; or of each process in it
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
    """Every fair run reaches a state where it holds; of each process: one where it holds of that process."""
    return _decorator("eventually", check, when)


@overload
def eventually_always(check: StateCheck, /) -> Property: ...
@overload
def eventually_always(*, when: Condition) -> Callable[[StateCheck], Property]: ...
def eventually_always(check: StateCheck | None = None, /, *, when: Condition = _everywhere) -> Any:
    """In every fair run it holds from some state on for ever; a run that ends stays in its last state."""
    return _decorator("eventually always", check, when)


@overload
def always_eventually(check: StateCheck, /) -> Property: ...
@overload
def always_eventually(*, when: Condition) -> Callable[[StateCheck], Property]: ...
def always_eventually(check: StateCheck | None = None, /, *, when: Condition = _everywhere) -> Any:
    """In every fair run it holds again and again, as often as one likes; a run that ends stays in its last state."""
    return _decorator("always eventually", check, when)


def leads_to(
    first: StateCheck, then: StateCheck, /, claim: str = "", *, name: str = "", when: Condition = _everywhere
) -> Property:
    """In every fair run, whenever `first` holds, `then` holds in that state or in a later one; of each process: of the same one.

    Raises DefinitionError where one of them has no name of its own, and none is given.
    """
    caller = sys._getframe(1)
    where, module = f"{caller.f_code.co_filename}:{caller.f_lineno}", str(caller.f_globals.get("__name__", ""))
    if not name and "<lambda>" in (first.__name__, then.__name__):
        raise DefinitionError(
            "leads_to is given a function without a name", "", 'say what it is called: name="..."', where
        )
    name = name or f"{first.__name__}_leads_to_{then.__name__}"
    claim = claim or f"Whenever {first.__name__} holds, {then.__name__} holds then or later."
    trigger = Property(
        f"{name} ({first.__name__})", "leads to", claim, first, when, where, _is_of_each(first), module=module
    )
    return Property(name, "leads to", claim, then, when, where, _is_of_each(then), trigger, module)


def _decorator(kind: Kind, check: Callable[..., Verdict] | None, when: Condition) -> Any:
    if check is not None:
        return _define(kind, check, when)
    return lambda function: _define(kind, function, when)


def terminates(name: str = "termination", *, when: Condition = _everywhere) -> Property:
    """Every fair run reaches a terminal state (with probability 1 where the protocol draws at random)."""
    return Property(name, "terminates", "Every fair run ends.", lambda: True, when)
