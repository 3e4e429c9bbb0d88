"""One run as a page shows it: the diagram, and beside it each moment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ..check.trace import Trace, TraceStep
from ..pictures.diagram import diagram
from .moments import Life, Moment, Version, lives, moments
from .rounds import in_one_round
from .run import loop, ports
from .sentences import consequences, sentence


@dataclass(frozen=True)
class Act:
    """What happened in one step; in lock-step one act may be that of several processes that do the same."""

    sentence: str
    consequences: tuple[tuple[str, str], ...]  # kind and words


@dataclass(frozen=True)
class Stop:
    """A moment as it stands in the list of steps."""

    number: int
    place: str
    events: tuple[int, ...]
    done: int
    repeats: bool
    acts: tuple[Act, ...]


@dataclass(frozen=True)
class Figure:
    """A run: `loop` is the moment to which the last one leads back, or nothing."""

    id: str
    name: str
    note: str
    unit: str
    svg: Markup
    moments: tuple[Stop, ...]
    lives: tuple[Life, ...]
    processes: int
    loop: str
    repeated: str
    ports: tuple[str, ...]

    def span(self, version: Version) -> str:
        """'at first', 'after step 3', 'after steps 3 to 5': when a process is like that."""
        first, last = version.first, version.last
        if last == 0:
            return "at first"
        if first == last:
            return f"after {self.unit} {first}"
        return f"at first, to {self.unit} {last}" if first == 0 else f"after {self.unit}s {first} to {last}"


def figure(trace: Trace, id: str, name: str = "", note: str = "", *, violated: bool = True) -> Figure:
    """The run, whose elements have ids that begin with `id`."""
    found = moments(trace)
    entry = next((moment.number - 1 for moment in found if moment.repeats), None)
    return Figure(
        id,
        name,
        note,
        trace.unit,
        embedded(diagram(trace, violated=violated), id),
        tuple(_stop(moment, trace) for moment in found),
        lives(trace),
        len(trace.initial.processes),
        "" if entry is None else str(entry),
        loop(trace),
        tuple(ports(trace)),
    )


def embedded(svg: str, id: str) -> Markup:
    """A picture to stand in a page beside others: no two elements of a page may have one id. Words and attributes are escaped in a
    picture, so that `<` is always the beginning of an element."""
    return Markup(re.sub(r'(<[a-z]+ id=")', lambda found: f"{found[1]}{id}-", svg).strip())


def _stop(moment: Moment, trace: Trace) -> Stop:
    steps: Sequence[TraceStep] = moment.steps
    if trace.rounds is not None and moment.number:
        steps = in_one_round(steps, len(trace.initial.processes))
    acts = tuple(Act(sentence(step), tuple(consequences(step))) for step in steps)
    return Stop(moment.number, moment.place, moment.events, moment.done, moment.repeats, acts)
