"""The symmetric run for people: what all do in each round, and what follows from it."""

from __future__ import annotations

import shlex
from dataclasses import replace

from rich.text import Text

from ...runs.trace import Trace
from ...simulate.symmetric import Symmetry
from .page import Page
from .writing import write_steps

SHOWN = 12  # rounds of a run that was given up


def write(found: Symmetry, again: list[str], page: Page) -> None:
    """The run, then the argument. `again` are the options to type for the model, its size left out."""
    world, trace, name = found.trace.world, found.trace, found.model.name
    page.line(Text.assemble((name, "bold"), f"  {world}: all processes are alike, and in each round all step at once"))
    write_steps(trace if found.complete else _beginning(trace), page)
    page.blank()
    page.entry("symmetry", f"after every round all {world.n} processes are in the same state, {_ending(found)}")
    page.entry(
        "because", "what a process does depends on its own state and its messages, and these are the same for all"
    )
    if found.leads:
        page.entry("so", Text(f"never does exactly one process lead: {_leaders(found)}", style="bold"))
    if found.chooses:
        page.entry("choices", "in this run all choose the same")
    if found.luck == 1:
        argument = f"no deterministic protocol elects one of {world.n} processes that are alike (Angluin 1980)"
        page.entry("always so", f"nothing is left to luck here: {argument}")
    else:
        page.entry("luck", f"{name} draws: this is a run in which all draw the same, {_chance(found)}")
        page.entry("", "as soon as two draw differently they are no longer alike: only luck can break the symmetry")
    page.command("next", shlex.join(["modelcheck", "run", *again, *_equal(found), "--schedule", "lockstep"]))


def _beginning(trace: Trace) -> Trace:
    return replace(trace, steps=tuple(step for step in trace.steps if (step.round or 0) <= SHOWN))


def _ending(found: Symmetry) -> str:
    trace = found.trace
    if trace.loop is not None:
        return "and so on for ever"
    if not found.complete:
        why = f", until {found.stopped}" if found.stopped else ""
        return f"as far as the run was followed, through {trace.length:,} rounds{why}"
    return "and the run ends" if not trace.steps or trace.steps[-1].failure is None else "until a step fails"


def _leaders(found: Symmetry) -> str:
    if not any(found.leads):
        return "no process ever leads"
    return "all lead at the end" if found.leads[-1] else "all lead at some time, and none at the end"


def _chance(found: Symmetry) -> str:
    if found.luck == 0:
        return "for ever, which has probability 0;"
    return f"which has probability {found.luck};" if found.complete else "so far;"


def _equal(found: Symmetry) -> list[str]:
    """The options for as many processes that are alike."""
    world = found.trace.world
    return ["--n", str(world.n)] if None in world.identifiers else ["--ids", ",".join(map(str, world.identifiers))]
