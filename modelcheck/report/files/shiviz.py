"""A run as a log for ShiViz, with vector clocks: https://bestchai.bitbucket.io/shiviz

ShiViz takes the regular expression with which it reads a log from the first line of a file that is opened, and the one that
separates executions, of which there is none here, from the second. Then each event is two lines: what happened, then the
process and its clock, in which numbers of 0 are left out. A clock counts, for each process, the events that happened before or
with this one (runs/causality.py).   (Beschastnikh et al., Debugging Distributed Systems, CACM 2016)
"""

from __future__ import annotations

import json

from ...runs.causality import clocks, events
from ...runs.trace import Trace, TraceStep
from ..words.steps import in_a_line

PARSER = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"


def shiviz(trace: Trace) -> str:
    """The log of a run; its last event says what went wrong."""
    world = trace.world
    hosts = {world.label(process): _host(world.label(process)) for process in range(world.n + 1)}
    taken = events(trace)
    lines = [PARSER, ""]
    for number, (event, clock) in enumerate(zip(taken, clocks(trace), strict=True)):
        happened = _happened(event)
        if number == len(taken) - 1:
            happened += f" | {trace.reason}"
        counts = {host: count for host, count in zip(hosts.values(), clock, strict=True) if count}
        lines += [" ".join(happened.split()), f"{hosts[event.process]} {json.dumps(counts)}"]
    return "\n".join(lines) + "\n"


def _host(label: str) -> str:
    """'p2(id=5)': without a space."""
    return "network" if not label.startswith("p") else label.replace(" (id ", "(id=")


def _happened(event: TraceStep) -> str:
    """What happened, without who did it."""
    return in_a_line(event).plain.removeprefix(event.process).strip() or event.step
