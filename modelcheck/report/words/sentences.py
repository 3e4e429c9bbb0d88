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
    if step.kind in ("split", "heal"):
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
    took = "" if step.step == step.kind else f" and {take} the step {step.step}"
    match step.kind:
        case "receive":
            return f"{who} {receive} {step.received} from {source}{took}"
        case "recover":
            return f"{who} recovers{took}"
        case "crash":
            return f"{who} crashes"
        case "lose" | "duplicate":
            return f"{step.received} from {source} to {who} is {'lost' if step.kind == 'lose' else 'duplicated'}"
        case "strand":
            return f"{step.received} from {source} to {who} is {'held' if step.step == 'hold' else 'lost'} by the cut"
        case "suspect":
            return f"{source} suspects {who}, which is alive"
        case "split" | "heal":
            return f"{who} {step.kind}s: {step.changed[0][2]}"
        case _:
            return f"{who} {take} the step {step.step}"


def _and(words: list[str]) -> str:
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)
