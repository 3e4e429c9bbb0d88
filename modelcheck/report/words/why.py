"""Why a run goes wrong, in sentences: from the failure back to its roots."""

from __future__ import annotations

from dataclasses import dataclass

from ...runs.causality import events, flights
from ...runs.moments import moments
from ...runs.trace import Trace, TraceStep, sender
from ...runs.why import Cause, Follows, why
from .steps import short

NOTHING = "''"  # the empty string


@dataclass(frozen=True)
class Why:
    """One sentence: of which moment, where that is ("step 3"), what happened then and because of what. `past` are the events that
    it follows from, itself included."""

    moment: int
    place: str
    happened: str
    because: str
    past: tuple[int, ...]

    @property
    def sentence(self) -> str:
        return f"{self.happened}, {self.because}."


def explained(trace: Trace) -> tuple[Why, ...]:
    """The sentences, the last step first."""
    place_of = {event: moment for moment in moments(trace) for event in moment.events}
    found = []
    for told in why(trace):
        moment = place_of[told.event]
        place = moment.place if moment.number else "start"
        found.append(Why(moment.number, place, _happened(told, trace), _because(told, trace), tuple(sorted(told.past))))
    return tuple(found)


def unneeded(trace: Trace) -> str:
    """Which steps have nothing to do with it; nothing where all have."""
    told = {one.event for one in why(trace)}
    idle = [moment for moment in moments(trace)[1:] if told.isdisjoint(moment.events)]
    if not idle:
        return ""
    names = [moment.place.removeprefix(f"{trace.unit} ") for moment in idle]
    return f"nothing of it follows from {trace.unit}{'s' if len(idle) > 1 else ''} {_and(names)}"


def _happened(told: Follows, trace: Trace) -> str:
    event = events(trace)[told.event]
    who = short(event.process)
    known = flights(trace)
    if event.deed:
        blocks = event.changed[0][2] if event.deed.about == "network" else ""
        happens = event.deed.happens(event.step)
        said = event.deed.sentence.format(
            who=who, source=sender(event.received or "", event.source), received=event.received, said=happens, blocks=blocks
        )  # fmt: skip
    else:
        said = f"{who} takes {event.step}"
    changed = [] if event.deed and event.deed.about == "network" else event.changed
    effects = [f"{name} becomes {after or NOTHING}" for name, _, after in changed]
    effects += [f"{verb} {', '.join(values)}" for verb, values in event.decided]
    by_message: dict[str, list[str]] = {}
    for number in told.led_on:
        if known[number].origin == "protocol":
            by_message.setdefault(known[number].message, []).append(short(known[number].target))
    effects += [f"sends {message} to {_and(targets)}" for message, targets in by_message.items()]
    effects += [event.failure] if event.failure else []
    return f"{said}: {', '.join(effects)}" if effects else said


def _because(told: Follows, trace: Trace) -> str:
    event = events(trace)[told.event]
    before = [_reason(cause, event, trace) for cause in told.causes if cause.kind == "before"]
    others = [_reason(cause, event, trace) for cause in told.causes if cause.kind != "before"]
    if event.deed:
        gone = [f"{cause.about} of {_at(cause.event, trace)}" for cause in told.causes if cause.kind == "message"]
        taken = (
            f"; {_and(gone)} {'are' if len(gone) > 1 else 'is'} lost with it" if event.deed.about == "process" else ""
        )
        others = others if not taken and event.deed.about == "message" else []
        needs = before if event.deed.runs_code else []
        once = f" once {_and([*others, *needs])}" if others or needs else ""
        return f"which may happen at any time{once}{taken if gone else ''}"
    return f"because {_and([*others, *before])}" if others or before else "and nothing before it led to that"


def _reason(cause: Cause, event: TraceStep, trace: Trace) -> str:
    other = events(trace)[cause.event]
    at, who = _at(cause.event, trace), short(other.process)
    own = other.process == event.process
    match cause.kind:
        case "before":
            return f"its own {at} came before"
        case "shared":
            return f"{'it' if own else who} wrote {cause.about} in {at}"
        case "copied":
            return f"{cause.about} was on its way since {at}"
    if other.deed:
        return f"{cause.about} came of {at}, when {_deed(other)}"
    return f"{'it' if own else who} sent {cause.about} in {at}"


def _deed(event: TraceStep) -> str:
    assert event.deed
    blocks = event.changed[0][2] if event.deed.about == "network" else ""
    return event.deed.sentence.format(
        who=short(event.process), source=sender(event.received or "", event.source), received=event.received,
        said=event.deed.happens(event.step), blocks=blocks,
    )  # fmt: skip


def _at(event: int, trace: Trace) -> str:
    started = len(trace.starts)
    if event < started:
        return "start"
    return f"{trace.unit} {trace.steps[event - started].round or event - started + 1}"


def _and(words: list[str]) -> str:
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)
