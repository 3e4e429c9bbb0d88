"""Where a search that reached a limit was growing: the field or channel that never stops, and the step that feeds it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from ..language.values import show
from ..semantics.components import Component, Profile
from ..semantics.system import Outcome, System

SUSPICIOUS = 12  # more values of one field in one process, or more messages in one channel, than a small protocol has


def growth(system: System) -> str:
    """A sentence on what grows fastest, or that nothing stands out."""
    values: dict[tuple[int, Profile], set[Any]] = defaultdict(set)
    longest: tuple[int, Component | None] = (0, None)
    components = system.components()
    for component in components:
        for number, value in enumerate(component.fields):
            values[number, component.profile].add(value)
        longest = max(longest, (max(map(len, component.inbox), default=0), component), key=lambda pair: pair[0])
    if not values:
        return "nothing was explored"
    (number, profile), seen = max(values.items(), key=lambda item: len(item[1]))
    name = system.definition.fields[number].name if system.definition.fields else ""
    length, holder = longest
    if length >= SUSPICIOUS and length * 4 > len(seen):
        assert holder is not None
        channel = max(holder.inbox, key=len)
        kind, _ = Counter(type(message).__name__ for message in channel).most_common(1)[0]
        return f"a channel grew to {length} messages, most of them {kind}; {_senders(components, kind)} sent them"
    if len(seen) >= SUSPICIOUS:
        steps = _makers(components, number, profile)
        who = "one process" if profile.identifier is None else f"the process with identifier {show(profile.identifier)}"
        return f"the field `{name}` of {who} has taken {len(seen):,} values; {steps} made them"
    return "no field and no channel stands out: the space is large rather than endless, as far as can be seen"


def _outcomes(components: list[Component]) -> list[tuple[Component, Outcome]]:
    return [
        (component, outcome)
        for component in components
        for outcomes in component.cache.values()
        if isinstance(outcomes, tuple)
        for outcome in outcomes
    ]


def _makers(components: list[Component], number: int, profile: Profile) -> str:
    counts: Counter[str] = Counter()
    for before, outcome in _outcomes(components):
        after = outcome.component
        if before.profile == profile and after.fields[number] != before.fields[number]:
            counts[outcome.step] += 1
    return _named(counts)


def _senders(components: list[Component], kind: str) -> str:
    counts: Counter[str] = Counter()
    for _, outcome in _outcomes(components):
        counts[outcome.step] += sum(type(message).__name__ == kind for _, message in outcome.sends)
    return _named(counts)


def _named(counts: Counter[str]) -> str:
    most = [name for name, count in counts.most_common(2) if count]
    return (
        "the step " + most[0]
        if len(most) == 1
        else "the steps " + " and ".join(most)
        if most
        else "no step that was seen"
    )
