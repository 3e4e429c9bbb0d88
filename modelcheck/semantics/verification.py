"""Every step once more: does it do the same again, and the same to other identifiers in the same order?

    Verification       whether all steps that were executed do, before a verdict rests on them
    blame_the_model    whether a run does not replay because a step does not

A verdict rests on both. A step is executed once for all that it can see (outcomes.Invocation), in the order in which the search comes to it, so
it must depend on nothing that changes in the meantime; and worlds are explored up to the order of their identifiers. One run under other
identifiers (renaming.py) tells both at once. A call is tried under one map, chosen by what it looks like; under TRIES if it is among the
FIRST of its kind, those of the same step that do as many things; under all where the step reads the text of an identifier.
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
from .blame import not_a_function
from .components import Component, Profile
from .outcomes import Effect, Invocation, Outcome
from .renaming import IRREGULAR, TRIES, some

if TYPE_CHECKING:
    from .system import System

FIRST = 8
AGAIN = 20  # times that a step is executed which may be why a run does not replay
Initials = Sequence[tuple[tuple[Profile, bool], tuple[Component, ...]]]
Executed = Sequence[tuple[Invocation, tuple[Effect, ...]]]
Meaning = tuple[Any, ...]  # of what a step did, by value, to compare across Systems


class Verification:
    """Compares what `system` knows with what `fresh` finds out."""

    def __init__(self, system: System, fresh: System) -> None:
        self._system, self._fresh = system, fresh
        opaque = "integers" not in system.definition.knows
        self._maps = (system.renamings or IRREGULAR) if opaque else ()
        self._same = Renaming(lambda identifier: identifier)
        self._looks: dict[Any, bytes] = {}
        self._met: Counter[Any] = Counter()  # calls, by what the step does

    def run(self, initials: Initials, executed: Executed, hurried: Callable[[], bool] | None) -> bool:
        """Goes through all of it, last to first. Raises StepError where a result differs. False where `hurried` put an end to it."""
        for (profile, revived), initial in initials:
            self._verify_initial(profile, revived, [(c.crashed, c.fields, c.inbox) for c in initial])
        for call, effects in reversed(executed):
            if hurried is not None and hurried():
                return False
            self._verify(call, effects)
        return True

    def _verify(self, call: Invocation, effects: tuple[Effect, ...]) -> None:
        known = tuple(effect.meaning() for effect in effects)
        kind = call.step, tuple(len(effect.sends) for effect in effects)
        self._met[kind] += 1
        few = TRIES if self._met[kind] <= FIRST else 1
        texts = Id.texts
        for tried, renamed in enumerate(self._in_turn(call)):
            if tried >= few and Id.texts == texts and not self._system.thorough:
                return
            found = self._done(call, renamed)
            if found != renamed(known):
                self._verify_again(call, known)
                raise self._of_more(call)
        if not self._maps:
            self._verify_again(call, known)

    def _in_turn(self, call: Invocation) -> list[Renaming]:
        """The maps, begun at another for other calls, and at the same in every run."""
        begin = 0
        for part in (call.profile.identifier, *call.fields, *call.shared, call.received):
            known = self._looks.get((type(part), part))
            if known is None:  # calls have most of their parts in common
                known = self._looks[type(part), part] = show(order(part)).encode(errors="replace")
            begin = crc32(known, begin)
        return some(self._maps, begin, len(self._maps))

    def _done(self, call: Invocation, renamed: Renaming) -> Meaning | None:
        """What the step does where other identifiers stand; None where the model's code breaks a rule with them."""
        others = call._replace(
            profile=_with_others(call.profile, renamed),
            fields=renamed(call.fields),
            shared=renamed(call.shared),
            received=renamed(call.received),
        )
        try:
            return tuple(effect.meaning() for effect in self._fresh.execute(others))
        except StepError:
            if renamed is self._same:
                raise
            return None

    # --- what is wrong

    def _verify_again(self, call: Invocation, known: Meaning) -> None:
        if self._done(call, self._same) != known:
            raise self._error(
                call,
                what=f"{call.step} is not a function of what it reads: it gave other results when it was run again later",
                cause="it uses a global variable or an object that changes",
                remedy="keep everything that is remembered in fields",
            )

    def _of_more(self, call: Invocation) -> StepError:
        return self._error(
            call,
            what=f"{call.step} depends on more than the order of identifiers",
            cause="it uses the text or the hash of an identifier, or goes through a set of them as it comes",
            remedy="only compare identifiers, and sort a set before going through it",
        )

    def _error(self, call: Invocation, what: str, cause: str, remedy: str) -> StepError:
        file, told = self._system.definition.file, self._system.told(call)
        return StepError(what, cause, remedy, file, call.step, str(call.profile), told)

    def _verify_initial(self, profile: Profile, revived: bool, known: list[Any]) -> None:
        """`initially`, which sees less of a process than its steps do, and is tried under as many identifiers as there are."""

        def computed(of: Profile) -> list[Any] | None:
            try:
                return [(c.crashed, c.fields, c.inbox) for c in self._fresh._initial(of, revived)]
            except StepError:
                return None

        if computed(profile) != known:
            raise _changed_initial(self._system, profile)
        if any(computed(_with_others(profile, renamed)) != list(renamed(tuple(known))) for renamed in self._maps):
            raise StepError(
                f"{profile.setup}() depends on more than the order of identifiers",
                "it uses the text or the hash of an identifier, or goes through a set of them as it comes",
                "only compare identifiers, and sort a set before going through it",
                self._system.definition.file,
                profile.setup,
                str(profile),
            )


def blame_the_model(system: System, again: System) -> None:
    """Of a run of `system` that did not replay in `again`: raises StepError where a step, or `initially`, has done one thing there and another
    here on the same values, or does when it is executed AGAIN times."""
    for (profile, revived), initial in again._initials.items():
        known = [(c.crashed, c.fields, c.inbox) for c in system._initials.get((profile, revived), initial)]
        times = (again._computed_initial(profile, revived) for _ in range(AGAIN))
        for components in itertools.chain((initial,), times):
            if [(c.crashed, c.fields, c.inbox) for c in components] != known:
                raise _changed_initial(system, profile)
    for call, effects in again._executed.items():
        tabulated = system._executed.get(call, effects)
        for found in itertools.chain((effects,), (tuple(again.execute(call)) for _ in range(AGAIN))):
            for first, second in itertools.zip_longest(tabulated, found):
                if first is None or second is None or first.meaning() != second.meaning():
                    error = not_a_function(system._steps[call.step].function, call.step, first, second)
                    error.process, error.state = str(call.profile), system.told(call)
                    raise error


def _changed_initial(system: System, profile: Profile) -> StepError:
    return StepError(
        what=f"{profile.setup}() is not a function of what it reads: it gave other values when it was run again later",
        cause="it uses a global variable or an object that changes",
        remedy="use self.choose for chance; nothing else survives between processes or runs",
        where=system.definition.file,
        step=profile.setup,
        process=str(profile),
    )


def _with_others(profile: Profile, renamed: Renaming) -> Profile:
    names = ("identifier", "neighbours", "everyone")
    return replace(profile, **{name: renamed(getattr(profile, name)) for name in names})


def meaning(outcome: Outcome) -> Meaning:
    """An outcome by value."""
    component = outcome.component
    return (
        outcome.step,
        outcome.kind,
        outcome.received,
        outcome.choices,
        outcome.environment.values(),
        component.crashed,
        component.fields,
        component.inbox,
        outcome.sends,
        outcome.failure and outcome.failure.kind,
    )
