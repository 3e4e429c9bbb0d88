"""A run that was kept in a file, opened in the explorer: which system it is of, and its path there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from ..check.retaking import taken_again
from ..errors import UsageError
from ..language.faults import FAULTS
from ..report.files.tracefile import TraceFile, read
from ..runs.trace import Trace, numbered
from ..semantics.settings import Settings
from ..semantics.worlds import World
from . import paths
from .subject import Subject, subject_of


class WorldError(UsageError):
    """A run in a world that nobody can choose in the explorer."""


def opened(file: str) -> tuple[Subject, str]:
    """The system of the first run in the file, and the path of that run.

    Raises UsageError for a file that is none, ChangedError where the model has changed since.
    """
    document = read(Path(file))
    trace = document.runs[0].trace
    subject = _subject(document, file)
    runs = taken_again(subject.system, trace)
    choice = subject.chosen(trace.world)
    if choice is None:
        raise WorldError(f"{file}: the explorer offers no such world as {trace.world}")
    world = subject.world(choice)
    run = runs[0]
    first, taken = numbered(subject.system, world, run.start, run.transitions)
    return subject, paths.written(subject, choice, first, taken, _loop(trace))


def _subject(document: TraceFile, file: str) -> Subject:
    settings, world = document.settings, document.runs[0].trace.world
    subject = subject_of(document.reference, **options_of(settings, world, dict(settings.parameters), document.spec))
    if subject.chosen(world) is None:  # a graph of its own
        return Subject(replace(subject.request, given=(world.shape,)), file)
    return subject


def options_of(settings: Settings, world: World, parameters: dict[str, Any], spec: str | None) -> dict[str, Any]:
    """The options under which a run in this world is one of the system."""
    detector = None
    if settings.suspicions:
        detector = f"{settings.detector}:{settings.suspicions}"
    elif settings.partitions:
        detector = "heartbeat" if settings.cuts_reported else "perfect"
    budgets = {name: budget for name, budget in settings.budgets().items() if FAULTS[name].own}
    crashing = None if world.fallible is None else [place + 1 for place in sorted(world.fallible)]
    identifiers = [value for value in world.identifiers if value is not None]
    return {
        "n": world.n, "network": settings.network, "capacity": settings.capacity, "start": settings.start, "schedule": settings.schedule,
        "across": settings.across, "detector": detector, "parameters": parameters, "spec": spec, "ids": identifiers or "none",
        "may_crash": crashing if settings.crashes else None, **budgets,
    }  # fmt: skip


def _loop(trace: Trace) -> int | None:
    """After how many steps of the path the loop begins: in lock-step these are rounds, and the trace counts their steps."""
    if trace.loop is None or trace.rounds is None:
        return trace.loop
    return (trace.steps[trace.loop - 1].round or 0) if trace.loop else 0
