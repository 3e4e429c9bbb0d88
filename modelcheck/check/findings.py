"""The shortest counterexamples so far, each replayed before it is kept; shared by all that search."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import ReplayError
from ..language.properties import LASTING, OF_WHOLE_RUNS, Property
from ..properties.view import Reason, changeable
from ..properties.whole_runs import breach, sentence
from ..runs import trace
from ..runs.code import with_lines
from ..runs.trace import Trace
from ..semantics.components import State
from ..semantics.system import Start, System, Transition
from ..semantics.verification import AGAIN
from ..semantics.worlds import World

# What is checked in every run, whatever the specification: name, kind, claim.
ALWAYS_CHECKED = (
    ("assertions", "assert", "No assertion in a step fails."),
    ("no_exceptions", "exception", "No step raises an exception."),
    (
        "every_message_is_received",
        "unspecified reception",
        "For every message that arrives there is a step that receives it.",
    ),
)
FAILURES = {kind: name for name, kind, _ in ALWAYS_CHECKED}


@dataclass(frozen=True)
class Candidate:
    """A trace, the order of its world, and the run it was made from: so many transitions, and then perhaps a loop."""

    order: int
    trace: Trace
    start: Start
    transitions: tuple[Transition, ...]
    loop: int | None


class Book:
    """Traces by the name of the property, for each the least by (length, order of worlds)."""

    def __init__(self) -> None:
        self.entries: dict[str, Candidate] = {}

    @property
    def traces(self) -> dict[str, Trace]:
        return {name: entry.trace for name, entry in self.entries.items()}

    def wants(self, name: str, length: int, order: int) -> bool:
        """Whether a trace of this length, in the world of this order, would be the least."""
        known = self.entries.get(name)
        return known is None or (length, order) < (known.trace.length, known.order)


class Findings:
    """What a search has found. `violations` and `improbable` (lassos of probability 0) may be added to by any thread."""

    def __init__(self, system: System, properties: Sequence[Property]) -> None:
        self.system = system
        self.properties = {prop.name: prop for prop in properties}
        self.violations, self.improbable = Book(), Book()
        self.failed = False  # some step failed: runs end there
        self._lock = threading.Lock()

    def keep(
        self,
        book: Book,
        name: str,
        world: World,
        order: int,
        start: Start,
        transitions: Sequence[Transition],
        reason: str,
        loop: int | None = None,
    ) -> None:
        """Keeps this run as the counterexample to the property, if it is the least and replays.

        Raises ReplayError if it does not replay, or does not show what it should; StepError where that is the model's fault.
        """
        if not book.wants(name, len(transitions), order):
            return
        last = trace.replay(self.system, world, start, transitions)
        about: tuple[int, ...] = ()
        prop = self.properties.get(name)
        if loop is not None:
            entry = trace.replay(self.system, world, start, transitions[:loop])
            if trace.values(entry) != trace.values(last):
                raise ReplayError("the loop of the counterexample does not return to where it began")
        ends = loop is None and prop is not None and prop.kind in ("at the end", *OF_WHOLE_RUNS)
        if prop is not None and prop.kind in OF_WHOLE_RUNS and not (ends and prop.kind in LASTING):
            reason, about = self._told(prop, world, start, transitions, loop, book is self.violations)
        elif prop is not None:
            reason, about = self._confirmed(prop, world, last, start, transitions)
        found = trace.build(self.system, world, start, transitions, reason, loop, final=ends, about=about)
        found = with_lines(self.system, found, start, transitions)
        with self._lock:
            if book.wants(name, found.length, order):
                book.entries[name] = Candidate(order, found, start, tuple(transitions), loop)

    def _told(
        self,
        prop: Property,
        world: World,
        start: Start,
        transitions: Sequence[Transition],
        loop: int | None,
        sure: bool,
    ) -> Reason:
        """Why the property of whole runs fails in this one. Raises ReplayError if it does not, or StepError if it fails now and then."""
        states = [start.state, *(t.after for t in transitions if t.after is not None)]
        how = breach(prop, self.system, world, states, loop)
        if how is None:
            if any(breach(prop, self.system, world, states, loop) for _ in range(AGAIN)):
                raise changeable(prop)
            raise ReplayError(f"{prop.name} holds in the run that was to show its violation")
        who = "" if how.of is None else world.label(how.of)
        unit = "step" if self.system.stutters else "round"
        about = () if how.of is None else (how.of,)
        return Reason(sentence(prop, how, loop is not None, sure, who, unit), about)

    def _confirmed(
        self, prop: Property, world: World, last: State, start: Start, transitions: Sequence[Transition]
    ) -> Reason:
        """Why the property fails at the end of the replayed run. Raises StepError if it fails now and then, ReplayError if it does not."""
        states: tuple[State, ...] = (last,)
        if prop.kind == "every step":
            states = (trace.replay(self.system, world, start, transitions[:-1]), last)
        reason = trace.confirm(self.system, world, prop, states)
        if reason is None:
            if any(trace.confirm(self.system, world, prop, states) for _ in range(AGAIN)):
                raise changeable(prop)
            raise ReplayError(f"{prop.name} holds at the end of the run that was to show its violation")
        return reason
