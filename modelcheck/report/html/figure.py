"""One run as a page shows it: the diagram, and beside it each moment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ...check.result import ModelFile
from ...pictures.diagram import diagram
from ...pictures.stage.drawing import stage
from ...runs.moments import Life, Moment, Version, lives, moments
from ...runs.rounds import in_one_round
from ...runs.trace import Trace, TraceStep
from ..words.sentences import consequences, sentence
from ..words.steps import loop, lost_updates, ports
from ..words.why import Why, explained, unneeded

WIDEST = 760  # pixels of a picture that leaves room for the states beside it
SHEET = 688  # pixels of a sheet of paper between its margins
TALLEST = 1_200  # pixels of a picture that is printed on one sheet, made smaller if need be


@dataclass(frozen=True)
class Act:
    """What happened in one step; in lock-step one act may be that of several processes that do the same."""

    sentence: str
    consequences: tuple[tuple[str, str], ...]  # kind and words
    code: tuple[tuple[int, str], ...]  # the lines of the model that ran, by their numbers


@dataclass(frozen=True)
class Stop:
    """A moment as it stands in the list of steps."""

    number: int
    place: str
    events: tuple[int, ...]
    done: int
    repeats: bool
    acts: tuple[Act, ...]
    fails: str  # what is wrong with the run, at its end


@dataclass(frozen=True)
class Figure:
    """A run: `loop` is the moment to which the last one leads back, or nothing."""

    id: str
    name: str
    note: str
    unit: str
    svg: Markup
    stage: Markup
    moments: tuple[Stop, ...]
    lives: tuple[Life, ...]
    processes: int
    loop: str
    repeated: str
    ports: tuple[str, ...]
    why: tuple[Why, ...]
    unneeded: str

    @property
    def wide(self) -> bool:
        """Whether the picture needs the whole width of a page."""
        found = re.match(r'<svg style="--natural:(\d+)px"', self.svg)
        return found is not None and int(found[1]) > WIDEST

    @property
    def tall(self) -> bool:
        """Whether the picture would be too small to read on one sheet of paper."""
        found = re.match(r'<svg [^>]*?width="(\d+)" height="(\d+)"', self.svg)
        return found is not None and int(found[2]) * min(1, SHEET / int(found[1])) > TALLEST

    def span(self, version: Version) -> str:
        """'at first', 'after step 3', 'after steps 3 to 5': when a process is like that."""
        first, last = version.first, version.last
        if last == 0:
            return "at first"
        if first == last:
            return f"after {self.unit} {first}"
        return f"at first, to {self.unit} {last}" if first == 0 else f"after {self.unit}s {first} to {last}"


def figure(
    trace: Trace, id: str, name: str = "", note: str = "", *, violated: bool = True, files: Sequence[ModelFile] = ()
) -> Figure:
    """The run, whose elements have ids that begin with `id`; with the model's `files` its steps show the lines that ran."""
    text = [file.text.splitlines() for file in files]
    found = moments(trace)
    entry = next((moment.number - 1 for moment in found if moment.repeats), None)
    return Figure(
        id,
        name,
        note,
        trace.unit,
        embedded(diagram(trace, violated=violated), id),
        Markup(stage(trace, violated=violated).strip()),
        tuple(_stop(moment, trace, trace.reason if violated and moment is found[-1] else "", text) for moment in found),
        lives(trace),
        len(trace.initial.processes),
        "" if entry is None else str(entry),
        loop(trace),
        tuple(ports(trace)),
        explained(trace) if violated else (),
        unneeded(trace),
    )


def embedded(svg: str, id: str) -> Markup:
    """A picture to stand in a page beside others: no two elements of a page may have one id. Words and attributes are escaped in a
    picture, so that `<` is always the beginning of an element."""
    apart = re.sub(r'(<[a-z]+ id=")', lambda found: f"{found[1]}{id}-", svg)
    sized = re.sub(r'^<svg ([^>]*?width="(\d+)")', r'<svg style="--natural:\2px" \1', apart)
    return Markup(sized.strip())


def _stop(moment: Moment, trace: Trace, fails: str, text: list[list[str]]) -> Stop:
    steps: Sequence[TraceStep] = moment.steps
    if trace.rounds is not None and moment.number:
        steps = in_one_round(steps, len(trace.initial.processes))
    lost = lost_updates(trace)
    lost_by = (
        [lost.get(number, "") for number in moment.events] if len(steps) == len(moment.events) else [""] * len(steps)
    )
    acts = tuple(
        Act(sentence(step), tuple(consequences(step, by)), _code(step, text))
        for step, by in zip(steps, lost_by, strict=True)
    )
    if any(step.failure == fails for step in steps):
        fails = ""
    return Stop(moment.number, moment.place, moment.events, moment.done, moment.repeats, acts, fails)


def _code(step: TraceStep, text: list[list[str]]) -> tuple[tuple[int, str], ...]:
    """The lines that ran, no further to the right than need be."""
    ran = [(line, text[file][line - 1]) for file, line in step.ran if file < len(text) and line <= len(text[file])]
    indent = min((len(line) - len(line.lstrip()) for _, line in ran), default=0)
    return tuple((number, line[indent:]) for number, line in ran)
