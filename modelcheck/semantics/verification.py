"""Every step once more: does it do the same again, and the same to other identifiers in the same order?

A verdict rests on both. Steps are tabulated once, in the order in which the search meets components, so they must depend on nothing
that changes in the meantime; and worlds are explored up to the order of their identifiers. One run under other identifiers (renaming.py)
tells both at once. A component is tried under one map, chosen by what it looks like; under TRIES if it is among the FIRST of its kind,
those with the same steps to take; under all where a step reads the text of an identifier.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from zlib import crc32

from ..errors import StepError
from ..language.values import Id, Renaming, order, show
from .components import Component, Environment, Profile
from .renaming import IRREGULAR, TRIES, some

if TYPE_CHECKING:
    from .system import Outcome, System

FIRST = 2
Initials = Sequence[tuple[tuple[Profile, bool], tuple[Component, ...]]]
Tabulated = Sequence[tuple[Environment, Component]]  # of which the outcomes are known
Meaning = tuple[Any, ...]  # of outcomes, by value, to compare across Systems


class Verification:
    """Compares what `system` knows with what `fresh` finds out."""

    def __init__(self, system: System, fresh: System) -> None:
        self._system, self._fresh = system, fresh
        opaque = "integers" not in system.definition.knows
        self._maps = (system.renamings or IRREGULAR) if opaque else ()
        self._same = Renaming(lambda identifier: identifier)
        self._met: Counter[Any] = Counter()  # components, by the steps they can take

    def run(self, initials: Initials, tabulated: Tabulated, hurried: Callable[[], bool] | None) -> bool:
        """Goes through all of it, last to first. Raises StepError where a result differs. False where `hurried` put an end to it."""
        for (profile, revived), initial in initials:
            self._verify_initial(profile, revived, [(c.crashed, c.fields) for c in initial])
        for environment, component in reversed(tabulated):
            if hurried is not None and hurried():
                return False
            self._verify(environment, component, tuple(map(meaning, component.cache[environment])))
        return True

    def _verify(self, environment: Environment, component: Component, known: Meaning) -> None:
        kind = tuple(outcome[:2] for outcome in known)
        self._met[kind] += 1
        few = TRIES if self._met[kind] <= FIRST else 1
        chosen = self._in_turn(component)
        texts = Id.texts
        for tried, renamed in enumerate(chosen):
            if tried >= few and Id.texts == texts and not self._system.thorough:
                return
            found = self._outcomes(environment, component, renamed)
            if found != renamed(known):
                self._verify_again(environment, component, known)
                raise self._of_more(component, renamed(known), found)
        if not self._maps:
            self._verify_again(environment, component, known)

    def _in_turn(self, component: Component) -> list[Renaming]:
        """The maps, begun at another for other components, and at the same in every run."""
        looks = show(order((component.profile.identifier, component.fields, component.inbox)))
        return some(self._maps, crc32(looks.encode(errors="replace")), len(self._maps))

    def _outcomes(self, environment: Environment, component: Component, renamed: Renaming) -> Meaning | None:
        """The meaning of the outcomes where other identifiers stand; None where the model's code breaks a rule with them."""
        profile = _with_others(component.profile, renamed)
        shared, *budgets = environment.values()
        around = self._fresh._environment(renamed(shared), *budgets)
        twin = self._fresh._intern(profile, component.crashed, renamed(component.fields), renamed(component.inbox))
        try:
            return tuple(meaning(outcome) for outcome in self._fresh._outcomes(around, twin))
        except StepError:
            if renamed is self._same:
                raise
            return None

    # --- what is wrong

    def _verify_again(self, environment: Environment, component: Component, known: Meaning) -> None:
        again = self._outcomes(environment, component, self._same)
        if again == known:
            return
        step = _differing(known, again)
        raise StepError(
            what=f"{step or 'a step'} is not a function of what it reads: it gave other results when it was run again later",
            cause="it uses a global variable or an object that changes",
            remedy="keep everything that is remembered in fields",
            where=self._system.definition.file,
            step=step,
            process=str(component.profile),
            state=self._system.describe(component),
        )

    def _of_more(self, component: Component, expected: Meaning, found: Meaning | None) -> StepError:
        step = _differing(expected, found)
        return StepError(
            what=f"{step or 'a step'} depends on more than the order of identifiers",
            cause="it uses the text or the hash of an identifier, or goes through a set of them as it comes",
            remedy="only compare identifiers, and sort a set before going through it",
            where=self._system.definition.file,
            step=step,
            process=str(component.profile),
            state=self._system.describe(component),
        )

    def _verify_initial(self, profile: Profile, revived: bool, known: list[Any]) -> None:
        """`initially`, which sees less of a process than its steps do, and is tried under as many identifiers as there are."""

        def computed(of: Profile) -> list[Any] | None:
            try:
                return [(c.crashed, c.fields) for c in self._fresh._initial(of, revived)]
            except StepError:
                return None

        wrong = ""
        if computed(profile) != known:
            wrong = "is not a function of what it reads: it gave other values when it was run again later"
            cause = "it uses a global variable or an object that changes"
            remedy = "use self.choose for chance; nothing else survives between processes or runs"
        elif any(computed(_with_others(profile, renamed)) != list(renamed(tuple(known))) for renamed in self._maps):
            wrong = "depends on more than the order of identifiers"
            cause = "it uses the text or the hash of an identifier, or goes through a set of them as it comes"
            remedy = "only compare identifiers, and sort a set before going through it"
        if wrong:
            where = self._system.definition.file
            raise StepError(f"initially() {wrong}", cause, remedy, where, "initially", str(profile))


def _with_others(profile: Profile, renamed: Renaming) -> Profile:
    names = ("identifier", "neighbours", "everyone")
    return replace(profile, **{name: renamed(getattr(profile, name)) for name in names})


def _differing(known: Meaning, other: Meaning | None) -> str:
    """The step in which the one and the other differ."""
    differing = [a or b for a, b in itertools.zip_longest(known, other or ()) if a != b]
    return str(differing[0][0]) if differing else ""


def meaning(outcome: Outcome) -> Meaning:
    """An outcome by value."""
    component = outcome.component
    return (
        *outcome.label(),
        outcome.environment.values(),
        component.crashed,
        component.fields,
        component.inbox,
        outcome.sends,
        outcome.failure and outcome.failure.kind,
    )
