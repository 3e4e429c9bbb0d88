"""A counterexample as a student follows it: one line a step."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.text import Text

from ..check.result import PropertyResult, Result
from ..check.trace import Snapshot, Trace, TraceStep
from ..language.values import NEXT
from ..semantics.partitions import NETWORK_STEPS
from . import commands
from .lesson import write_traceback
from .page import Page
from .rounds import together

_NUMBERED, _ANY = re.compile(r"\bport \d"), re.compile(r"\b(port \d|next|previous)\b")


def write_run(
    result: Result, found: PropertyResult, page: Page, shown: dict[str, Trace] | None = None, *, hint: bool = False
) -> None:
    """The counterexample to a violated property, as `write_violation` has it, and the command that shows it again."""
    write_violation(found, page, shown, hint=hint)
    page.command("again", commands.again(result, found))


def write_violation(
    found: PropertyResult, page: Page, shown: dict[str, Trace] | None = None, *, hint: bool = False
) -> None:
    """A run that breaks a property; it takes nothing but what is in a file of traces.

    `shown` are the traces above it by property: a run is not printed twice. With `hint`, a property that does not say
    why it fails is followed by how it could.
    """
    trace = found.trace
    assert trace is not None
    length = f"{trace.length} {trace.unit}" + ("" if trace.length == 1 else "s")
    page.line(
        Text("VIOLATED", style="bold red") + "  " + Text(found.name, style="bold") + f"  ({found.kind})  after {length}"
    )
    page.entry("claim", found.claim)
    page.entry("world", str(trace.world))
    if not found.shortest:
        page.entry("length", "the search stopped early: worlds it did not reach may break this in fewer steps")
    same = next((name for name, other in (shown or {}).items() if _same_run(trace, other)), None)
    if same is None:
        write_steps(trace, page)
    else:
        page.entry("run", f"the same as for {same}, above")
    page.entry("fails", Text(trace.reason, style="bold"))
    if hint and gives_no_reason(found):
        page.entry("", Text('a property can say why: return ... or because("...")', style="dim"))
    failing = next((step for step in (*trace.starts, *trace.steps) if step.failure), None)
    if failing is not None and same is None:
        if failing.where:
            page.entry("where", failing.where)
        write_traceback(failing.traceback, page)


def write_steps(trace: Trace, page: Page) -> None:
    """A run from its first state to its last, step by step."""
    _ports(trace, page)
    _snapshot("at first", trace.initial, page)
    _steps(trace, page)
    _snapshot("at last" if trace.loop is None else "and again", _last(trace), page)


def gives_no_reason(found: PropertyResult) -> bool:
    """Whether the property said no more than that it fails."""
    return found.trace is not None and found.trace.reason.endswith(f": {found.claim}")


def _same_run(one: Trace, other: Trace) -> bool:
    return (one.world, one.starts, one.steps, one.loop) == (other.world, other.starts, other.steps, other.loop)


def _last(trace: Trace) -> Snapshot:
    taken = (*trace.starts, *trace.steps)
    return taken[-1].state if taken else trace.initial


def _snapshot(label: str, state: Snapshot, page: Page) -> None:
    """Every process; those that look alike share a line."""
    alike: dict[str, list[str]] = {}
    for process in state.processes:
        alike.setdefault(process.described or "no local variables", []).append(process.process)
    for described, names in alike.items():
        who = "every process" if len(names) == len(state.processes) > 1 else ", ".join(names)
        page.entry(label, Text(who + ": ") + described)
        label = ""
    for name, value in state.shared:
        page.entry(label, f"shared {name}={value}")
        label = ""
    if "|" in state.blocks:
        page.entry(label, f"split {state.blocks}")


def _ports(trace: Trace, page: Page) -> None:
    """Whom each port leads to, where the run speaks of one that does not go by its name around the ring."""
    routes = trace.world.route
    oriented = all(ports[NEXT][0] == (i + 1) % len(routes) for i, ports in enumerate(routes) if NEXT in ports)
    unclear = _NUMBERED if oriented else _ANY
    if not any(unclear.search(text) for text in _values(trace)):
        return
    around = (
        " ".join(f"{str(port).removeprefix('port ')}->p{target + 1}" for port, (target, _) in sorted(ports.items()))
        for ports in routes
    )
    page.parts("ports", [f"p{number}: {leads}" for number, leads in enumerate(around, 1)])


def _values(trace: Trace) -> Iterator[str]:
    """Every value that is printed of a run."""
    for state in (trace.initial, _last(trace)):
        yield from (process.described for process in state.processes)
        yield from (value for _, value in state.shared)
    for step in (*trace.starts, *together(trace)):
        yield step.source or ""
        yield from (send.target for send in step.sent)
        yield from (word for change in step.changed for word in change[1:])
        yield from step.choices
        yield from (send.message for send in step.sent)
        yield step.failure or ""
    yield trace.reason


def _steps(trace: Trace, page: Page) -> None:
    rows: list[list[Text | str]] = []
    for step in trace.starts:
        rows.append([Text("start", style="dim"), *_cells(step)])
    entry = None if trace.loop is None else trace.steps[trace.loop].round or trace.loop + 1
    before = 0
    for number, step in enumerate(together(trace), 1):
        place = step.round or number
        mark = Text(f"{place}", style="dim") if not entry or place < entry else Text(f"* {place}", style="yellow")
        rows.append([mark if place > before else "", *_cells(step)])
        before = place
    if page.width is not None and page.columns_width(rows, indent=2) > page.width:
        rows = [[*row[:-2], _together(row[-2], row[-1])] for row in rows]
    page.columns(rows, indent=2, right=(0,))
    if entry:
        unit, last = trace.unit, trace.length
        page.entry(
            "loop", f"the {unit}s marked * repeat for ever: after {unit} {last} all is as it was before {unit} {entry}"
        )


def _together(received: Text | str, effects: Text | str) -> Text:
    """The last two columns as one, where the terminal is too narrow for both."""
    first, then = Text() + received, Text() + effects
    return first + ": " + then if first and then else first + then


def in_a_line(step: TraceStep) -> Text:
    """'p3 (id 2)  learn  Leader(1) from p2  leader None -> 1'."""
    return Text("  ").join(Text() + cell for cell in _cells(step) if cell)


def _cells(step: TraceStep) -> list[Text | str]:
    """Who, which step, what it received, what it did."""
    if step.kind in NETWORK_STEPS:  # "the network", "splits", "p1 p3 | p2"
        return [step.process, Text(f"{step.step}s", style="cyan"), "", step.changed[0][2]]
    return [step.process, Text(step.step, style="cyan"), _received(step), _effects(step)]


def _received(step: TraceStep) -> str:
    if step.kind == "suspect":
        return f"by {_short(step.source)}"
    if step.received is None:
        return ""
    return f"{step.received} from {_short(step.source)}"


def _effects(step: TraceStep) -> Text:
    parts = []
    if step.choices:
        parts.append(Text("choice " + ", ".join(step.choices), style="magenta"))
    parts += [Text(f"{name} {before} -> {after}") for name, before, after in step.changed]
    parts += [Text(f"sends {', '.join(messages)} to {', '.join(targets)}") for messages, targets in _sent(step)]
    if step.failure:
        parts.append(Text(step.failure, style="bold red"))
    return Text("; ").join(parts)


def _sent(step: TraceStep) -> list[tuple[list[str], list[str]]]:
    """What was sent to whom, in order: one message to several, or several messages to one."""
    groups: list[tuple[list[str], list[str]]] = []
    for send in step.sent:
        target = _short(send.target) + (f" ({send.across})" if send.across else "")
        messages, targets = groups[-1] if groups else ([], [])
        if messages == [send.message] and target not in targets:
            targets.append(target)
        elif targets == [target]:
            messages.append(send.message)
        else:
            groups.append(([send.message], [target]))
    return groups


def _short(label: str | None) -> str:
    """'p2' of 'p2 (id 5)': the identifiers stand in the first column and in the line `world`."""
    return (label or "").split(" (")[0]
