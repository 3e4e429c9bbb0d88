"""What a diagram says of events and messages, in few words."""

from __future__ import annotations

from dataclasses import dataclass

from ..check.causality import NETWORK, Flight
from ..check.trace import Trace, TraceStep

LINES = 3  # of what a step chose and changed; the rest is counted
_FAULTS = {"crash": "crashes", "lose": "lost", "duplicate": "duplicated", "hold": "held"}
_FATES = {
    "received": "received",
    "waiting": "still waits at the end",
    "held": "held by a cut",
    "lost": "lost",
    "ignored": "ignored: the process is down",
    "merged": "merged with an equal one that waits",
}


@dataclass(frozen=True)
class Line:
    """One line beside a lane. `kind` is "name", "change", "choice", "more" or "failure"."""

    words: str
    kind: str
    full: str = ""  # where the words say less
    shorter: str = ""  # what is said where there is no room for the words


def short(label: str) -> str:
    """'p2' of 'p2 (id 5)'."""
    return label.split(" (")[0]


def name_of(event: TraceStep) -> str:
    """The step's name; of a fault, what happens."""
    if event.process == NETWORK:
        return f"the network {event.step}s: {event.changed[0][2]}"
    if event.kind == "suspect":
        return f"suspected by {short(event.source or '')}"
    if event.kind == "recover":
        return "recovers"
    if event.kind in ("crash", "lose", "duplicate", "strand"):
        return _FAULTS.get(event.step, event.step)
    return event.step


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
    lines = [Line(f"chooses {', '.join(event.choices)}", "choice")] if _chose(event) else []
    lines += [Line(_change(change), "change", "", _after(change)) for change in local_changes(event, trace)]
    if len(lines) > LINES:
        rest = lines[LINES - 1 :]
        full = "; ".join(line.words for line in rest)
        lines = [*lines[: LINES - 1], Line(f"and {len(rest)} more changes", "more", full)]
    if event.failure:
        lines.append(Line(event.failure, "failure"))
    if event.kind == "recover" and event.step != "recover":
        lines.insert(0, Line(f"by {event.step}", "more"))
    return [Line(name_of(event), "name"), *lines]


def shared_lines(event: TraceStep, trace: Trace) -> list[Line]:
    """What it wrote to the shared variables."""
    found = shared_changes(event, trace)
    lines = [Line(_written(change), "change", _change(change)) for change in found]
    if len(lines) > LINES:
        rest = lines[LINES - 1 :]
        lines = [*lines[: LINES - 1], Line(f"and {len(rest)} more", "change", "; ".join(line.full for line in rest))]
    return lines


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
    if _chose(event):
        said.append(f"chooses {', '.join(event.choices)}")
    said += [_change(change) for change in event.changed if event.process != NETWORK]
    said += [
        f"sends {send.message} to {short(send.target)}{f' ({send.across})' if send.across else ''}"
        for send in event.sent
    ]
    return "; ".join([*said, *([event.failure] if event.failure else [])])


def flight_in_full(flight: Flight) -> str:
    """All that is known of a message."""
    who = f"{flight.message} from {short(flight.source)} to {short(flight.target)}"
    origin = {"copy": ", a copy", "detector": ", a word of the failure detector"}.get(flight.origin, "")
    return f"{who}{origin}: {_FATES[flight.fate]}"


def _chose(event: TraceStep) -> bool:
    return bool(event.choices) and event.process != NETWORK


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
