"""Lock-step runs as a student follows them: in each round processes that do the same share their lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from .trace import Trace, TraceStep


def together(trace: Trace) -> list[TraceStep]:
    """The steps of a run; in each round those of several processes that do the same as those of one, with ports in place
    of the processes behind them. A run that is not in lock-step stays as it is."""
    if trace.rounds is None:
        return list(trace.steps)
    everyone = len(trace.initial.processes)
    rounds = groupby(trace.steps, lambda step: step.round)
    return [step for _, steps in rounds for step in in_one_round(list(steps), everyone)]


def in_one_round(steps: Sequence[TraceStep], everyone: int) -> list[TraceStep]:
    """The steps of one round of so many processes."""
    turns: dict[str, list[TraceStep]] = {}
    for step in steps:
        turns.setdefault(step.process, []).append(step)
    alike: dict[tuple[TraceStep, ...], list[str]] = {}
    for process, turn in turns.items():
        alike.setdefault(tuple(_by_ports(step) for step in turn), []).append(process)
    shown: list[TraceStep] = []
    for same, processes in alike.items():
        who = "every process" if len(processes) == everyone else ", ".join(processes)
        shown += turns[processes[0]] if len(processes) == 1 else [replace(step, process=who) for step in same]
    return shown


def _by_ports(step: TraceStep) -> TraceStep:
    """What a step looks like to the process itself."""
    sent = tuple(replace(send, target=send.port) for send in step.sent)
    return replace(step, process="", source=step.source and step.port, sent=sent)
