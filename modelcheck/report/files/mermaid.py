"""A run as a Mermaid sequence diagram, which many editors and forges draw where they find it in a text: https://mermaid.js.org

Mermaid has no slanting arrows: a message stands where it is received, lost, or at the end if it waits still; the note of the
step that sent it says to whom. Notes tell what a process did and what changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...runs.causality import concerned, flights
from ...runs.moments import moments
from ...runs.trace import DETECTOR, Trace, TraceStep
from ..words.steps import cells, lost_updates, short


def mermaid(trace: Trace, described: str, *, violated: bool = True) -> str:
    """The run as text in Mermaid's language, under this title."""
    lines = ["sequenceDiagram", f"    title {_safe(described)}"]
    for process in trace.initial.processes:
        lines.append(f"    participant {short(process.process)} as {_safe(process.process)}")
    lines += [f"    {line}" for line in (*_body(trace), *(_end(trace) if violated else ()))]
    return "\n".join(lines) + "\n"


def _body(trace: Trace) -> Iterator[str]:
    everyone = _over([process.process for process in trace.initial.processes])
    inside = False
    lost = lost_updates(trace)
    for moment in moments(trace):
        if moment.repeats and not inside:
            inside = True
            yield "loop for ever"
        if moment.steps and moment.steps[0].round is not None:
            yield f"Note over {everyone}: {moment.place}"
        for place, step in enumerate(moment.steps):
            said = lost.get(moment.events[place], "")
            yield from _step(step, everyone, said, starting=moment.number == 0)
    if inside:
        yield "end"
    for flight in () if inside else flights(trace):
        if flight.fate in ("waiting", "held"):
            arrow = "-->>" if flight.origin == "detector" else "--)"
            waits = "never taken" if trace.final else "still in transit"
            where = "held by the cut" if flight.fate == "held" else waits
            yield f"{short(flight.source)}{arrow}{short(flight.target)}: {_safe(f'{flight.message} ({where})')}"


def _end(trace: Trace) -> Iterator[str]:
    """What went wrong, over those whom it concerns: all, where it goes on for ever."""
    everyone = [process.process for process in trace.initial.processes]
    whom = _over(everyone if trace.loop is not None else concerned(trace)) or _over(everyone)
    yield "rect rgba(220, 50, 47, 0.3)"
    yield f"Note over {whom}: \u2717 {_safe(trace.reason)}"
    yield "end"


def _step(step: TraceStep, everyone: str, lost: str, *, starting: bool) -> Iterator[str]:
    """The message it is about, then what was done; and what is `lost` by that."""
    who, source = short(step.process), short(step.source)
    about = step.deed.about if step.deed else "process"
    if step.deed and about == "network":
        blocks = step.changed[0][2]
        yield f"Note over {everyone}: {_safe(f'{step.process} {step.deed.happens(step.step)}: {blocks}')}"
        return
    if step.received is not None:
        gone = step.deed and step.step in step.deed.gone
        arrow = "-x" if gone else "-->>" if step.received in DETECTOR or step.deed else "->>"
        fate = f" is {step.deed.happens(step.step)}" if step.deed else ""
        yield f"{source}{arrow}{who}: {_safe(step.received + fate)}"
    if about != "message":
        yield f"Note over {who}: {'<br/>'.join(_said(step, lost, starting))}"
    for send in step.sent:
        if send.across == "lost":
            yield f"{who}-x{short(send.target)}: {_safe(f'{send.message} is lost at the cut')}"


def _said(step: TraceStep, lost: str, starting: bool) -> list[str]:
    """The step, and one line for each of its effects."""
    name = step.step
    if step.deed:
        name = step.deed.happens(step.step) + (f" by {short(step.source)}" if step.deed.about == "link" else "")
        name += f": {step.step}" if step.deed.name_of(step.step) != step.step else ""
    effects = str(cells(step, lost)[-1]).split("; ")
    return [_safe(part) for part in (f"start: {name}" if starting else name, *effects) if part]


def _over(labels: list[str] | tuple[str, ...]) -> str:
    """The processes a note spans: from the first to the last of them."""
    names = [short(label) for label in labels if label.startswith("p")]
    return names[0] if len(set(names)) == 1 else ",".join([names[0], names[-1]]) if names else ""


def _safe(text: str) -> str:
    """Without anything that means something to Mermaid or to HTML: such characters are given by their numbers."""
    text = text.replace(" -> ", " \u2192 ")
    return re.sub(r"[^\w ,.()=+*/'!?\u2192-]|--|-(?=[)>x])", lambda found: _numbered(found[0]), text) or " "


def _numbered(text: str) -> str:
    return "<br/>" if text == "\n" else "".join(f"#{ord(letter)};" for letter in text)
