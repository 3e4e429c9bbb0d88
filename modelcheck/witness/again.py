"""Steps and judgements, taken again.

A pass takes all of it in one order, in a process that has taken nothing before. There are three: what depends on what was done before it
is not likely to come to the same in all of them, and in the search.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Any

from ..errors import StepError
from ..language.definition import Definition, read
from ..language.properties import Property
from ..language.values import Port, show
from ..properties.view import StateView, evaluate
from ..semantics.components import Component, Environment, Profile, State
from ..semantics.execution import Runner
from ..semantics.outcomes import Effect
from ..semantics.partitions import NetworkProfile
from ..semantics.settings import Settings
from ..semantics.system import Outcome, System
from ..semantics.verification import meaning
from ..semantics.worlds import World
from .deeds import Deeds

Meanings = tuple[tuple[Any, ...], ...]
ENDS = 40  # of each kind, where they are taken from both ends
NOTHING = "nothing that should not be"


@dataclass(frozen=True)
class Work:
    """What is to be taken again, by value. Components and environments go by their place in `components` and `environments`.

    steps     what a component can do in an environment: (environment, component, the meanings of its outcomes)
    initials  initial components: (profile, whether it recovers, (whether it is down, its fields) of each)
    verdicts  (world, the state or the two of a step, ((property, whether it holds), ...)); a state begins with its environment
    """

    module: str
    name: str
    settings: Settings
    properties: tuple[tuple[str, str], ...]  # the module and the name of each
    environments: tuple[tuple[Any, ...], ...]
    components: tuple[tuple[Any, ...], ...]
    steps: tuple[tuple[int, int, Meanings], ...]
    initials: tuple[tuple[Profile, bool, tuple[tuple[Any, ...], ...]], ...]
    worlds: tuple[World, ...]
    verdicts: tuple[tuple[int, tuple[tuple[int, ...], ...], tuple[tuple[int, bool], ...]], ...]


@dataclass(frozen=True)
class Difference:
    """What did not come to the same: `place` among the steps, initials or verdicts of the work, by `kind`. `name` is that of the step or
    property, `here` what the search found and `there` what was found again. `remembers` where it comes to something else when it is
    the only one that is taken."""

    kind: str
    place: int
    name: str
    here: str
    there: str
    remembers: bool = False


# --- backwards -----------------------------------------------------------------------------------------------------------


class _Backwards(Runner):
    """Goes through the choices of a step from the last to the first."""

    def effects(
        self,
        function: Callable[..., None],
        profile: Profile,
        fields: dict[str, Any],
        message: tuple[Any, ...] = (),
        *,
        arrival: Port | None = None,
        setup: str = "",
        name: str = "",
    ) -> Iterator[Effect]:
        script: list[int] = []
        found = []
        while True:
            effect, widths = self._run(function, profile, fields, message, script, arrival, setup, name, _last)
            found += [] if effect is None else [effect]
            script = script[: len(widths)]
            while script and script[-1] == 0:
                script.pop()
            if not script:
                break
            script[-1] -= 1
        yield from reversed(found)


def _last(weights: list[int]) -> int:
    return len(weights) - 1


class _BackwardSystem(System):
    """Takes the steps of a component from the last to the first, and tells of them in their order."""

    def __init__(self, definition: Definition, settings: Settings) -> None:
        super().__init__(definition, settings)
        self.runner = _Backwards(definition, dict(settings.parameters), False)

    def _outcomes(self, environment: Environment, component: Component) -> Iterator[Outcome]:
        parts = [tuple(part) for part in reversed(list(self._parts(environment, component)))]
        for part in reversed(parts):
            yield from part


# --- passes --------------------------------------------------------------------------------------------------------------


class TakenTable:
    """The work on the table of a process that begins with it."""

    def __init__(self, work: Work, system: type[System]) -> None:
        self.work = work
        definition = read(_found(work.module, work.name))
        self.system = (
            system(definition, work.settings)
            if system is not System
            else System(definition, work.settings, twice=False)
        )
        self.properties = [_property(*names) for names in work.properties]
        self._deeds = Deeds()

    def step(self, place: int) -> Difference | None:
        around, number, known = self.work.steps[place]
        environment = self.system._environment(*self.work.environments[around])
        component = self._component(number)
        try:
            with self._deeds.noticed() as done:
                again = tuple(map(meaning, self.system._outcomes(environment, component)))
        except StepError as error:
            return Difference("steps", place, error.step, NOTHING, error.what)
        if done:
            return Difference("steps", place, "a step", NOTHING, done[0])
        if again == known:
            return None
        name, here, there = _told(self.system, known, again)
        return Difference("steps", place, name, here, there)

    def initial(self, place: int) -> Difference | None:
        profile, revived, known = self.work.initials[place]
        try:
            again = tuple((c.crashed, c.fields, c.inbox) for c in self.system._initial(profile, revived))
        except StepError as error:
            return Difference("initials", place, "initially", NOTHING, error.what)
        if again == known:
            return None
        here, there = ("; ".join(_begun(self.system, profile, *what) for _, *what in found) for found in (known, again))
        return Difference("initials", place, "initially", here, there)

    def verdict(self, place: int) -> Difference | None:
        number, states, known = self.work.verdicts[place]
        world = self.work.worlds[number]
        for which, holds in reversed(known):
            prop = self.properties[which]
            views = tuple(StateView(self.system, world, self._state(state)) for state in states)
            try:
                with self._deeds.noticed() as done:
                    again = bool(evaluate(prop, views))
            except StepError as error:
                return Difference("verdicts", place, prop.name, _judged(holds), error.what)
            if done:
                return Difference("verdicts", place, prop.name, NOTHING, done[0])
            if again != holds:
                return Difference("verdicts", place, prop.name, _judged(holds), _judged(again))
        return None

    def _component(self, number: int) -> Component:
        profile, crashed, fields, inbox = self.work.components[number]
        if isinstance(profile, NetworkProfile):
            return self.system._network(profile, *fields)
        return self.system._intern(profile, crashed, fields, inbox)

    def _state(self, numbers: tuple[int, ...]) -> State:
        environment = self.system._environment(*self.work.environments[numbers[0]])
        return (environment, *map(self._component, numbers[1:]))


def steps_backwards(work: Work) -> Difference | None:
    table = TakenTable(work, _BackwardSystem)
    places = ((table.step, len(work.steps)), (table.initial, len(work.initials)))
    return next((d for take, count in places for place in reversed(range(count)) if (d := take(place))), None)


def verdicts_backwards(work: Work) -> Difference | None:
    table = TakenTable(work, _BackwardSystem)
    return next((d for place in reversed(range(len(work.verdicts))) if (d := table.verdict(place))), None)


def from_both_ends(work: Work) -> Difference | None:
    """The first, the last, the second, the last but one: the first two of a search follow upon each other in no other order."""
    table = TakenTable(work, System)
    for take, count in (
        (table.initial, len(work.initials)),
        (table.step, len(work.steps)),
        (table.verdict, len(work.verdicts)),
    ):
        places = (place for pair in zip(range(count), reversed(range(count)), strict=True) for place in pair)
        for place in islice(places, min(count, ENDS)):
            if found := take(place):
                return found
    return None


def everything_backwards(work: Work) -> Difference | None:
    """Both, one after the other: where only the hash seed is another."""
    return verdicts_backwards(work) or steps_backwards(work)


def alone(work: Work, which: Difference) -> Difference | None:
    """That one and nothing before it."""
    table = TakenTable(work, System)
    take = {"steps": table.step, "initials": table.initial, "verdicts": table.verdict}[which.kind]
    return take(which.place)


Pass = Callable[[Work], Difference | None]
PASSES: tuple[Pass, ...] = (steps_backwards, verdicts_backwards, from_both_ends)


# --- what is meant -------------------------------------------------------------------------------------------------------


def _found(module: str, name: str) -> Any:
    value: Any = sys.modules[module]
    for part in name.split("."):
        value = getattr(value, part)
    return value


def _property(module: str, name: str) -> Property:
    """Raises LookupError where a module does not have it."""
    values = (value for value in vars(sys.modules[module]).values() if isinstance(value, Property))
    for value in values:
        for prop in (value, value.trigger):
            if prop is not None and prop.name == name:
                return prop
    raise LookupError(f"there is no property {name} in it")


# --- words ---------------------------------------------------------------------------------------------------------------


def _judged(holds: bool) -> str:
    return "it holds" if holds else "it fails"


def _fields(system: System, fields: tuple[Any, ...]) -> str:
    return ", ".join(f"{name}={show(value)}" for name, value in zip(system._names, fields, strict=True))


def _begun(system: System, profile: Profile, fields: tuple[Any, ...], inbox: tuple[Any, ...]) -> str:
    waiting = ", ".join(repr(message) for channel in inbox for message in channel)
    return system.describe(fields, profile) + (f"; waiting: {waiting}" if waiting else "")


def _told(system: System, known: Meanings, again: Meanings) -> tuple[str, str, str]:
    """The first step that differs, what it did and what it does now."""
    for one, other in zip_longest(known, again):
        if one == other:
            continue
        if one is not None and other is not None and one[:4] == other[:4]:
            return one[0], _done(system, one, other), _done(system, other, one)
        labels = {outcome[:4] for outcome in known}, {outcome[:4] for outcome in again}
        if one is not None and one[:4] not in labels[1]:
            return one[0], _done(system, one, None), "it is not enabled, or chooses from other options"
        if other is not None and other[:4] not in labels[0]:
            return other[0], "it is not enabled, or chooses from other options", _done(system, other, None)
        return (one or other or ("",))[0], "one order", "another order"
    return "", "", ""


def _done(system: System, outcome: tuple[Any, ...], other: tuple[Any, ...] | None) -> str:
    """What an outcome does, as far as it is not what the other one does."""
    around, fields, sends, failure = outcome[4], outcome[6], outcome[8], outcome[9]
    if failure:
        return f"it fails ({failure})"
    parts = [
        f"{name}={show(value)}"
        for number, (name, value) in enumerate(zip(system._names, fields, strict=True))
        if other is None or other[9] or other[6][number] != value
    ]
    shared = zip(system._shared_names, around[0], strict=True)
    parts += [f"{name}={show(value)}" for name, value in shared if other is None or other[4][0] != around[0]]
    if other is None or other[8] != sends:
        parts.append("sending " + (", ".join(repr(message) for _, message in sends) or "nothing"))
    return ", ".join(parts) or "it is taken"


def remembering(found: Difference, by_itself: Difference | None) -> Difference:
    """With the word on whether it came to something else when it was the only one that was taken."""
    same = by_itself is not None and (by_itself.name, by_itself.there) == (found.name, found.there)
    return replace(found, remembers=not same)
