"""What a diagram says of an event, in few words."""

from __future__ import annotations

from dataclasses import dataclass

from ..check.trace import Trace, TraceStep

LINES = 3  # of what changed; the rest is counted
_SAID = {"crash": "crashes", "lose": "lost", "duplicate": "duplicated", "hold": "held"}


@dataclass(frozen=True)
class Line:
    """One line beside a lane. `kind` is "name", "change", "choice", "failure" or "more"."""

    words: str
    kind: str


def short(label: str) -> str:
    """'p2' of 'p2 (id 5)'."""
    return label.split(" (")[0]


def name_of(event: TraceStep) -> str:
    """The step's name; what happens where it is a fault."""
    if event.kind == "suspect":
        return f"suspected by {short(event.source or '')}"
    if event.kind == "recover":
        return "recovers" if event.step == "recover" else f"recovers: {event.step}"
    return _SAID.get(event.step, event.step) if event.kind != "receive" else event.step


def changes_of(event: TraceStep, trace: Trace) -> list[tuple[str, str, str]]:
    """The local variables that changed."""
    shared = {name for name, _ in trace.initial.shared}
    return [change for change in event.changed if change[0] not in shared]


def shared_changes(event: TraceStep, trace: Trace) -> list[tuple[str, str, str]]:
    """The shared variables that changed."""
    shared = {name for name, _ in trace.initial.shared}
    return [change for change in event.changed if change[0] in shared]


def lines_of(event: TraceStep, trace: Trace) -> list[Line]:
    """The name of the step, then what it chose, what changed, how it failed."""
    lines = [Line(f"chooses {', '.join(event.choices)}", "choice")] if event.choices else []
    lines += [Line(_change(change), "change") for change in changes_of(event, trace)]
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], Line(f"and {len(lines) - LINES + 1} more", "more")]
    if event.failure:
        lines.append(Line(event.failure, "failure"))
    return [Line(name_of(event), "name"), *lines]


def shared_lines(event: TraceStep, trace: Trace) -> list[Line]:
    """What it wrote to the shared variables."""
    return [Line(f"{name} = {after}", "change") for name, _, after in shared_changes(event, trace)][:LINES]


def in_full(event: TraceStep) -> str:
    """A sentence or several: what a reader is told who asks for more."""
    said = [f"{event.process}: {name_of(event)}"]
    if event.received is not None:
        said.append(
            f"receives {event.received} from {short(event.source or '')}" if event.kind == "receive" else event.received
        )
    if event.choices:
        said.append(f"chooses {', '.join(event.choices)}")
    said += [_change(change) for change in event.changed]
    said += [
        f"sends {send.message} to {short(send.target)}{f' ({send.across})' if send.across else ''}"
        for send in event.sent
    ]
    if event.failure:
        said.append(event.failure)
    return "; ".join(said)


def _change(change: tuple[str, str, str]) -> str:
    name, before, after = change
    return f"{name}: {before} \u2192 {after}"
