"""What a check finds otherwise than the one before: verdicts, the lengths of counterexamples, what was counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..check.result import PropertyResult, Result
from ..count.ranges import big

Kind = Literal["better", "worse", ""]


@dataclass(frozen=True)
class Change:
    """A labelled half-sentence; whether it is for the better."""

    label: str
    words: str
    kind: Kind = ""


def changes(before: Result, after: Result) -> tuple[Change, ...]:
    """Every difference between two results without errors, in the order in which they matter; nothing where they say the same."""
    return (*_verdict(before, after), *_properties(before, after), *_counts(before, after), *_steps(before, after))


def fresh(before: Result | None, after: Result) -> tuple[str, ...]:
    """The violated properties whose counterexample is not the one of before."""
    was = {} if before is None else {found.name: found.trace for found in before.properties}
    violated = [found for found in after.properties if found.verdict == "violated"]
    return tuple(found.name for found in violated if found.trace is None or found.trace != was.get(found.name))


def _verdict(before: Result, after: Result) -> Iterator[Change]:
    if before.verdict != after.verdict:
        better = _RANK[after.verdict] > _RANK[before.verdict]
        yield Change("was", before.verdict, "better" if better else "worse")


_RANK = {"VIOLATED": 0, "INCONCLUSIVE": 1, "HOLDS": 2}


def _properties(before: Result, after: Result) -> Iterator[Change]:
    was = {found.name: found for found in before.properties}
    now = {found.name: found for found in after.properties}
    for name, found in now.items():
        if name not in was:
            yield Change("new", f"{name}: {_told(found)}", "worse" if found.verdict == "violated" else "")
        elif was[name].verdict != found.verdict:
            label = {"violated": "broken", "holds": "mended", "inconclusive": "undecided"}[found.verdict]
            if found.verdict == "holds" and was[name].verdict == "inconclusive":
                label = "proved"
            yield Change(label, f"{name}: {_told(found)}", "better" if found.verdict == "holds" else "worse")
        elif found.trace is not None and found.verdict == "violated":
            yield from _run(was[name], found)
    for name in was.keys() - now.keys():
        yield Change("gone", f"{name} is not checked any more")


def _run(was: PropertyResult, now: PropertyResult) -> Iterator[Change]:
    assert now.trace is not None
    if was.trace is None or was.trace.length != now.trace.length:
        length = "?" if was.trace is None else f"{was.trace.length:,}"
        yield Change("run", f"{now.name}: still violated, after {length} -> {now.trace.length:,} {now.trace.unit}s")
    elif was.trace != now.trace:
        yield Change("run", f"{now.name}: still violated, by another run of {_length(now)}")


def _told(found: PropertyResult) -> str:
    if found.verdict == "violated":
        return f"{found.trace.reason} (after {_length(found)})" if found.trace is not None else "violated"
    return "holds" if found.verdict == "holds" else f"undecided{f': {found.note}' if found.note else ''}"


def _length(found: PropertyResult) -> str:
    assert found.trace is not None
    return f"{found.trace.length:,} {found.trace.unit}{'' if found.trace.length == 1 else 's'}"


def _counts(before: Result, after: Result) -> Iterator[Change]:
    """Sizes, states and messages: of states there may be fewer because a search has stopped at the first violation, so nothing is said
    of what is better."""
    if before.asked != after.asked:
        yield Change("n", f"{_sizes(before)} -> {_sizes(after)}")
    for label in ("worlds", "states", "transitions", "terminal_states", "depth"):
        was, now = getattr(before, label), getattr(after, label)
        if was != now:
            yield Change(label.replace("terminal_states", "terminal"), f"{big(was)} -> {big(now)}")
    for n in before.messages.keys() & after.messages.keys():
        for bound in ("least", "greatest"):
            was, now = getattr(before.messages[n], bound), getattr(after.messages[n], bound)
            if was != now:
                yield Change("messages", f"n={n}: {bound} {was:,} -> {now:,}")


def _sizes(result: Result) -> str:
    return ", ".join(map(str, result.asked))


def _steps(before: Result, after: Result) -> Iterator[Change]:
    was = {name for name, ran in before.steps.items() if ran is False}
    now = {name for name, ran in after.steps.items() if ran is False}
    if now - was:
        yield Change("never ran", f"now {', '.join(sorted(now - was))} as well", "worse")
    if was - now:
        yield Change("never ran", f"no longer {', '.join(sorted(was - now))}", "better")
