"""Where a search that reached a limit was growing: the field or channel that never stops, and the step that feeds it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from ..language.values import Id, Port, show
from ..semantics.components import Component, Profile
from ..semantics.system import Outcome, System

UNGUARDED = "a guard may be missing: self.require(...)"
SUSPICIOUS = 12  # more values of one field in one process, or more messages in one channel, than a small protocol has


def growth(system: System, n: int) -> str:
    """A sentence on what grows fastest; nothing where, for n processes, nothing stands out."""
    components = system.components()
    found = max(
        _fields(system, components),
        _message_fields(components),
        _channels(system, components),
        key=lambda pair: pair[0],
    )
    return found[1] if found[0] >= max(SUSPICIOUS, 2 * n) else ""


Finding = tuple[int, str]  # how many, and the sentence


def _fields(system: System, components: list[Component]) -> Finding:
    """The local variable with the most values in one process."""
    values: dict[tuple[int, Profile], set[Any]] = defaultdict(set)
    for component in components:
        for number, value in enumerate(component.fields):
            if not _one_of_a_few(value):
                values[number, component.profile].add(value)
    if not values:
        return (0, "")
    (number, profile), seen = max(values.items(), key=lambda item: len(item[1]))
    counts: Counter[str] = Counter()
    for before, outcome in _outcomes(components):
        if before.profile == profile and outcome.component.fields[number] != before.fields[number]:
            counts[outcome.step] += 1
    name = system.definition.fields[number].name
    who = "one process" if profile.identifier is None else f"the process with identifier {show(profile.identifier)}"
    return (len(seen), f"the field `{name}` of {who} has taken {len(seen):,} values; {_named(counts)} made them")


def _message_fields(components: list[Component]) -> Finding:
    """The field of a message with the most values."""
    values: dict[tuple[str, str], set[Any]] = defaultdict(set)
    senders: dict[str, Counter[str]] = defaultdict(Counter)
    for _, outcome in _outcomes(components):
        for _, message in outcome.sends:
            kind = type(message).__name__
            senders[kind][outcome.step] += 1
            for name, value in vars(message).items():
                if not _one_of_a_few(value):
                    values[kind, name].add(value)
    if not values:
        return (0, "")
    (kind, name), seen = max(values.items(), key=lambda item: len(item[1]))
    return (
        len(seen),
        f"the field `{name}` of {kind} messages has taken {len(seen):,} values; {_named(senders[kind])} sent them",
    )


def _channels(system: System, components: list[Component]) -> Finding:
    """The longest channel."""
    longest = max((channel for component in components for channel in component.inbox), key=len, default=())
    if not longest:
        return (0, "")
    kind, _ = Counter(type(message).__name__ for message in longest).most_common(1)[0]
    counts: Counter[str] = Counter()
    for _, outcome in _outcomes(components):
        counts[outcome.step] += sum(type(message).__name__ == kind for _, message in outcome.sends)
    found = f"a channel grew to {len(longest)} messages, most of them {kind}; {_named(counts)} sent them"
    initiates = {step.name for step in system.definition.steps if step.kind == "initiate"}
    for before, outcome in _outcomes(components):
        if outcome.step in initiates and outcome.sends and outcome.component.fields == before.fields:
            return (
                len(longest),
                f"{found}. A process is after {outcome.step} as it was before, and can take it again at once; {UNGUARDED}",
            )
    settings = system.settings
    by_itself = any(counts[step.name] and step.kind == "step" for step in system.definition.steps)
    if by_itself and settings.schedule == "any" and settings.network != "newest" and not settings.capacity:
        found += ". What is sent again and again fills no link with --network newest, or with --capacity 1"
    return (len(longest), found)


def _one_of_a_few(value: object) -> bool:
    """Identifiers and ports, and sets of them: a system has only so many, however long it runs."""
    return isinstance(value, (Id, Port)) or (
        isinstance(value, frozenset) and all(map(_one_of_a_few, frozenset.__iter__(value)))
    )


def _outcomes(components: list[Component]) -> list[tuple[Component, Outcome]]:
    return [
        (component, outcome)
        for component in components
        for outcomes in component.cache.values()
        if isinstance(outcomes, tuple)
        for outcome in outcomes
    ]


def _named(counts: Counter[str]) -> str:
    most = [name for name, count in counts.most_common(2) if count]
    return (
        "the step " + most[0]
        if len(most) == 1
        else "the steps " + " and ".join(most)
        if most
        else "no step that was seen"
    )
