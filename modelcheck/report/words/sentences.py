"""A step of a run as a sentence, for whoever sees such a run for the first time."""

from __future__ import annotations

from ...runs.trace import TraceStep, sender
from .steps import sent


def sentence(step: TraceStep) -> str:
    """'p2 (id 1) receives Election(1) from p1 and takes the step compare.'"""
    words = _happening(step) + "."
    return words[0].upper() + words[1:] if words.startswith(("every ", "the ")) else words


def consequences(step: TraceStep, lost: str = "") -> list[tuple[str, str]]:
    """What came of it: "read", "choice", "change", "lost", "sends" or "failure", and the words."""
    if step.deed and step.deed.about == "network":
        return []
    found = [("read", f"reads {name}") for name in step.only_read]
    found += [("choice", f"{verb} {', '.join(values)}") for verb, values in step.decided]
    found += [("change", f"{name}: {before} \u2192 {after}") for name, before, after in step.changed]
    found += [("lost", lost)] if lost else []
    found += [("sends", f"sends {_and(messages)} to {_and(targets)}") for messages, targets in sent(step)]
    return [*found, ("failure", step.failure)] if step.failure else found


def _happening(step: TraceStep) -> str:
    who, source = step.process, sender(step.received or "", step.source)
    receive, take = ("receive", "take") if ", " in who else ("receives", "takes")
    own = step.step if not step.deed or step.deed.name_of(step.step) != step.step else ""  # a step of the model
    took = f" and {take} the step {own}" if own and own != step.kind else ""
    if step.deed:
        blocks = step.changed[0][2] if step.deed.about == "network" else ""
        said = step.deed.happens(step.step)
        return (
            step.deed.sentence.format(who=who, source=source, received=step.received, said=said, blocks=blocks) + took
        )
    if step.kind == "receive":
        return f"{who} {receive} {step.received} from {source}{took}"
    return f"{who} {take} the step {step.step}"


def _and(words: list[str]) -> str:
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)
