"""What a diagram says of events and messages, in few words."""

from __future__ import annotations

from dataclasses import dataclass

from ..runs.causality import NETWORK, Flight, events, overwritten
from ..runs.trace import Trace, TraceStep

LINES = 3  # of what a step chose and changed; the rest is counted
_FATES = {
    "received": "received",
    "waiting": "still waits at the end",
    "held": "held by a cut",
    "lost": "lost",
    "ignored": "ignored: the process is down",
    "merged": "merged with an equal one that waits",
}
UNTAKEN = "waits, and is never taken"


@dataclass(frozen=True)
class Line:
    """One line beside a lane. `kind` is "name", "change", "choice", "more" or "failure"; beside that of the shared variables
    "shared", "lost" or "read"."""

    words: str
    kind: str
    full: str = ""  # where the words say less
    shorter: str = ""  # what is said where there is no room for the words


def short(label: str) -> str:
    """'p2' of 'p2 (id 5)'."""
    return label.split(" (")[0]


def name_of(event: TraceStep) -> str:
    """The step's name; of a fault, what happens."""
    if not event.deed:
        return event.step
    happens = event.deed.happens(event.step)
    match event.deed.about:
        case "network":
            return f"{NETWORK} {happens}: {event.changed[0][2]}"
        case "link":
            return f"{happens} by {short(event.source or '')}"
    return happens


def local_changes(event: TraceStep, trace: Trace) -> list[tuple[str, str, str]]:
    """The local variables that changed."""
    shared = {name for name, _ in trace.initial.shared}
    return [change for change in event.changed if change[0] not in shared and event.process != NETWORK]


def shared_changes(event: TraceStep, trace: Trace) -> list[tuple[str, str, str]]:
    """The shared variables that changed."""
    shared = {name for name, _ in trace.initial.shared}
    return [change for change in event.changed if change[0] in shared]


def lines_of(event: TraceStep, trace: Trace) -> list[Line]:
    """The name of the step, then what it chose, what changed, how it failed."""
    lines = [Line(words, "choice") for words in _decisions(event)]
    lines += [Line(_change(change), "change", "", _after(change)) for change in local_changes(event, trace)]
    if len(lines) > LINES:
        rest = lines[LINES - 1 :]
        full = "; ".join(line.words for line in rest)
        lines = [*lines[: LINES - 1], Line(f"and {len(rest)} more changes", "more", full, f"and {len(rest)} more")]
    if event.failure:
        lines.append(Line(event.failure, "failure"))
    if event.deed and event.deed.name_of(event.step) != event.step:
        lines.insert(0, Line(f"by {event.step}", "more"))
    return [Line(name_of(event), "name"), *lines]


def shared_lines(trace: Trace) -> list[list[Line]]:
    """Of each event what it wrote to the shared variables, what that has overwritten, and what it only read."""
    over = overwritten(trace)
    return [
        _shared_lines(number, event, trace, dict(over.get(number, ()))) for number, event in enumerate(events(trace))
    ]


def _shared_lines(number: int, event: TraceStep, trace: Trace, over: dict[str, str]) -> list[Line]:
    lines = []
    found = shared_changes(event, trace)
    for change in found:
        lines.append(Line(_written(change), "shared", _change(change)))
        if change[0] in over:
            lines.append(Line(*_lost(change, over[change[0]])))
    before = _shared_before(number, trace)
    for name in event.only_read:
        value = f" = {before[name] or _EMPTY}" if name in before else ""
        lines.append(Line(f"reads {name}{value}", "read", "", f"reads {name}"))
    if len(lines) > LINES:
        rest = lines[LINES - 1 :]
        words = "; ".join(line.full or line.words for line in rest)
        lines = [*lines[: LINES - 1], Line(f"and {len(rest)} more", rest[0].kind, words)]
    return lines


def _shared_before(number: int, trace: Trace) -> dict[str, str]:
    """The shared variables before an event; none where the trace does not say."""
    first = len(trace.starts)
    if number == first:
        return dict(trace.initial.shared)
    return dict(events(trace)[number - 1].state.shared) if number else {}


def _lost(change: tuple[str, str, str], writer: str) -> tuple[str, str, str]:
    """What a write that did not look has overwritten: words, kind and all of it."""
    name, before, after = change
    gone = before or _EMPTY
    if before[:1] == after[:1] == "{":
        gone = ", ".join(member for member in _members(before) if member not in _members(after))
    words = f"{gone} is lost" if gone else "written unread"
    return (
        words,
        "lost",
        f"{name} was written by {short(writer)} and is overwritten unread: {gone or 'nothing'} is lost",
    )


def message_of(flight: Flight) -> str:
    """'Election' for 'Election()': a message without fields is its name."""
    return flight.message.removesuffix("()")


def event_in_full(event: TraceStep) -> str:
    """All that is known of an event, for a reader who asks."""
    said = [name_of(event) if event.process == NETWORK else f"{event.process}: {name_of(event)}"]
    if event.received is not None and event.kind == "receive":
        said.append(f"receives {event.received} from {short(event.source or '')}")
    elif event.received is not None:
        said.append(f"{event.received} from {short(event.source or '')}")
    said += [f"reads {name}" for name in event.reads or ()]
    said += _decisions(event)
    said += [_change(change) for change in event.changed if event.process != NETWORK]
    said += [
        f"sends {send.message} to {short(send.target)}{f' ({send.across})' if send.across else ''}"
        for send in event.sent
    ]
    return "; ".join([*said, *([event.failure] if event.failure else [])])


def flight_in_full(flight: Flight, *, final: bool = False) -> str:
    """All that is known of a message; at the end of a `final` run nothing is received any more."""
    who = f"{flight.message} from {short(flight.source)} to {short(flight.target)}"
    origin = {"copy": ", a copy", "detector": ", a word of the failure detector"}.get(flight.origin, "")
    fate = UNTAKEN if final and flight.fate == "waiting" else _FATES[flight.fate]
    return f"{who}{origin}: {fate}"


def _decisions(event: TraceStep) -> list[str]:
    """'chooses p2', 'draws 1 (1/3)'."""
    return [f"{verb} {', '.join(values)}" for verb, values in event.decided if event.process != NETWORK]


def _change(change: tuple[str, str, str]) -> str:
    name, before, after = change
    return f"{name}: {before or _EMPTY} \u2192 {after or _EMPTY}"


def _written(change: tuple[str, str, str]) -> str:
    """The new value; of a set that grows or shrinks what it gains or loses."""
    name, before, after = change
    if before[:1] == after[:1] == "{" and before != after:
        old, new = _members(before), _members(after)
        gained, lost = [m for m in new if m not in old], [m for m in old if m not in new]
        if not lost:
            return f"{name} + {', '.join(gained)}"
        if not gained:
            return f"{name} \u2212 {', '.join(lost)}"
        if len(lost) < len(old):
            return f"{name} + {', '.join(gained)} \u2212 {', '.join(lost)}"
    return f"{name} = {after or _EMPTY}"


def _members(shown: str) -> list[str]:
    """The members of a set as it is shown: '{P(1, 2), 3}' has two."""
    members, depth, word = [], 0, ""
    for letter in shown[1:-1] + ",":
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            members.append(word.strip())
            word = ""
        else:
            word += letter
    return [member for member in members if member]


def _after(change: tuple[str, str, str]) -> str:
    name, _, after = change
    return f"{name} \u2192 {after or _EMPTY}"


_EMPTY = "''"  # the empty string, which otherwise could not be seen
