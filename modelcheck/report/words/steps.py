"""A counterexample as a student follows it: one line a step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from rich.text import Text

from ...check.result import PropertyResult, Result
from ...language.process import Process
from ...language.values import NEXT
from ...runs.causality import overwritten
from ...runs.rounds import together
from ...runs.trace import Snapshot, Trace, TraceStep, sender
from . import commands
from .entries import Entry, Said

_NUMBERED = re.compile(r"\b(port|dimension|chord) \d|\b(north|east|south|west)\b")
OF_ENDLESS_RUNS = ("eventually", "eventually always", "always eventually", "leads to")
FOR_EVER = "nobody asked that runs end: a protocol that is to go on for ever declares specs = ()"
_ANY = re.compile(rf"{_NUMBERED.pattern}|\b(next|previous)\b")


@dataclass(frozen=True)
class Told:
    """What is said of a counterexample: `above` its steps and `below` them. `same` names the property told before whose run
    is the same; then the steps are not told again."""

    name: str
    kind: str
    after: str  # how many steps
    trace: Trace
    above: tuple[Entry, ...]
    same: str
    below: tuple[Entry, ...]
    traceback: tuple[str, ...]
    again: str


def told_runs(result: Result) -> list[Told]:
    """The counterexamples of a result, the shortest first."""
    if result.error is not None:
        return []
    violated = [found for found in result.properties if found.verdict == "violated" and found.trace]
    shown: dict[str, Trace] = {}
    runs = []
    hinted = False
    for found in sorted(violated, key=lambda p: p.trace.length if p.trace else 0):
        runs.append(told(result, found, shown, hint=not hinted))
        hinted = hinted or gives_no_reason(found)
        shown[found.name] = runs[-1].trace
    return runs


def told(
    result: Result, found: PropertyResult, shown: Mapping[str, Trace] | None = None, *, hint: bool = False
) -> Told:
    """What is said of the counterexample to a violated property, as `told_alone` has it."""
    told = told_alone(found, commands.again(result, found), shown, hint=hint)
    return (
        replace(told, below=(*told.below, Said("", Text(FOR_EVER, style="dim")))) if _goes_on(result, found) else told
    )


def _goes_on(result: Result, found: PropertyResult) -> bool:
    """Whether the protocol seems to be meant to go on for ever: its file has properties of such runs, and nobody asked that they end."""
    if found.kind != "terminates" or result.request is None:
        return False
    bases = result.request.model.definition.cls.__mro__
    asked = "--spec" in dict(result.option_pairs) or any(
        "specs" in vars(base) for base in bases[: bases.index(Process)]
    )
    return not asked and any(other.kind in OF_ENDLESS_RUNS for other in result.properties)


def told_alone(
    found: PropertyResult, again: str, shown: Mapping[str, Trace] | None = None, *, hint: bool = False
) -> Told:
    """What is said of a counterexample whose result is not at hand, such as one in a file; `again` is the command that
    shows it again.

    `shown` are the traces above it by property: a run is not shown twice. With `hint`, a property that does not say
    why it fails is followed by how it could.
    """
    trace = found.trace
    assert trace is not None
    length = f"{trace.length} {trace.unit}" + ("" if trace.length == 1 else "s")
    above = [Said("claim", found.claim), Said("world", str(trace.world))]
    if not found.shortest:
        early = "the search stopped early: worlds it did not reach may break this in fewer steps"
        above.append(
            Said("length", f"runs that never end may break this in fewer steps; {found.note}" if found.note else early)
        )
    same = next((name for name, other in (shown or {}).items() if _same_run(trace, other)), "")
    below = [Said("fails", Text(trace.reason, style="bold"))]
    if hint and gives_no_reason(found):
        below.append(Said("", Text('a property can say why: return ... or because("...")', style="dim")))
    failing = next((step for step in (*trace.starts, *trace.steps) if step.failure), None)
    if failing is not None and failing.where and not same:
        below.append(Said("where", failing.where))
    traceback = failing.traceback if failing is not None and not same else ()
    return Told(found.name, found.kind, f"after {length}", trace, tuple(above), same, tuple(below), traceback, again)


def gives_no_reason(found: PropertyResult) -> bool:
    """Whether the property said no more than that it fails."""
    return found.trace is not None and found.trace.reason.endswith(f": {found.claim}")


def _same_run(one: Trace, other: Trace) -> bool:
    return (one.world, one.starts, one.steps, one.loop) == (other.world, other.starts, other.steps, other.loop)


def last_state(trace: Trace) -> Snapshot:
    taken = (*trace.starts, *trace.steps)
    return taken[-1].state if taken else trace.initial


def ports(trace: Trace) -> list[str]:
    """Whom each port leads to, where the run speaks of one that does not go by its name around the ring."""
    routes = trace.world.route
    oriented = all(ports[NEXT][0] == (i + 1) % len(routes) for i, ports in enumerate(routes) if NEXT in ports)
    unclear = _NUMBERED if oriented else _ANY
    if not any(unclear.search(text) for text in _values(trace)):
        return []
    around = (
        " ".join(f"{str(port).removeprefix('port ')}->p{target + 1}" for port, (target, _) in sorted(ports.items()))
        for ports in routes
    )
    return [f"p{number}: {leads}" for number, leads in enumerate(around, 1)]


def loop(trace: Trace) -> str:
    """What repeats for ever; nothing in a finite run."""
    if trace.loop is None:
        return ""
    entry, unit, last = loop_entry(trace), trace.unit, trace.length
    return f"the {unit}s marked * repeat for ever: after {unit} {last} all is as it was before {unit} {entry}"


def loop_entry(trace: Trace) -> int | None:
    """The step or round with which the part begins that repeats."""
    return None if trace.loop is None else trace.steps[trace.loop].round or trace.loop + 1


def _values(trace: Trace) -> Iterator[str]:
    """Every value that is printed of a run."""
    for state in (trace.initial, last_state(trace)):
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


def in_a_line(step: TraceStep) -> Text:
    """'p3 (id 2)  learn  Leader(1) from p2  leader None -> 1'."""
    return Text("  ").join(Text() + cell for cell in cells(step) if cell)


def lost_updates(trace: Trace) -> dict[int, str]:
    """What events overwrite, by their numbers: "overwrites unread what p2 wrote to network". In rounds there is none."""
    found = overwritten(trace).items() if trace.rounds is None else ()
    words = "overwrites unread what {1} wrote to {0}"
    return {number: "; ".join(words.format(name, short(who)) for name, who in over) for number, over in found}


def cells(step: TraceStep, lost: str = "") -> list[Text | str]:
    """Who, which step, what it received, what it did; and what is lost by that."""
    if step.deed and step.deed.about == "network":  # "the network", "splits", "p1 p3 | p2"
        return [step.process, Text(step.deed.happens(step.step), style="cyan"), "", step.changed[0][2]]
    return [step.process, Text(step.step, style="cyan"), _received(step), _effects(step, lost)]


def _received(step: TraceStep) -> str:
    if step.deed and step.deed.about == "link":
        return f"by {short(step.source)}"
    if step.received is None:
        return ""
    return f"{step.received} from {sender(step.received, step.source)}"


def _effects(step: TraceStep, lost: str) -> Text:
    parts = [Text(f"reads {', '.join(names)}")] if (names := step.only_read) else []
    parts += [Text(f"{verb} {', '.join(values)}", style="magenta") for verb, values in step.decided]
    parts += [Text(f"{name} {before} -> {after}") for name, before, after in step.changed]
    parts += [Text(lost, style="yellow")] if lost else []
    parts += [Text(f"sends {', '.join(messages)} to {', '.join(targets)}") for messages, targets in sent(step)]
    if step.failure:
        parts.append(Text(step.failure, style="bold red"))
    return Text("; ").join(parts)


def sent(step: TraceStep) -> list[tuple[list[str], list[str]]]:
    """What was sent to whom, in order: one message to several, or several messages to one."""
    groups: list[tuple[list[str], list[str]]] = []
    for send in step.sent:
        target = short(send.target) + (f" ({send.across})" if send.across else "")
        messages, targets = groups[-1] if groups else ([], [])
        if messages == [send.message] and target not in targets:
            targets.append(target)
        elif targets == [target]:
            messages.append(send.message)
        else:
            groups.append(([send.message], [target]))
    return groups


def short(label: str | None) -> str:
    """'p2' of 'p2 (id 5)': the identifiers stand in the first column and in the line `world`."""
    return (label or "").split(" (")[0]
