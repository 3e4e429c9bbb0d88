"""What is so before the first step: `initially` says it of a process, `shared_initially` of the shared variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from ...errors import StepError
from ...language.definition import Definition
from ..components import Profile
from ..execution import Dice, Runner
from ..outcomes import Effect

Setup = Literal["initially", "shared_initially"]


def prepared(runner: Runner, name: Setup, profile: Profile, dice: Dice | None = None) -> Iterator[Effect]:
    """Every way to begin, or where there are dice one of them.

    Raises StepError where the model's code fails, breaks a rule of the language, or is not a function of what it reads.
    """
    definition = runner.definition
    function, fields = getattr(definition.cls, name), _before(definition, name)
    if dice is None:
        found: Iterable[Effect | None] = runner.effects(function, profile, fields, setup=name, name=name)
    else:
        found = (runner.sample(function, profile, fields, dice=dice, setup=name, name=name),)
    before = tuple(fields.get(own.name) for own in definition.shared)
    begun = False
    for effect in found:
        if effect is None:
            break
        begun = True
        if effect.failure:
            failed = effect.failure
            raise StepError(failed.sentence, "", "", failed.where, name, str(profile), "", failed.traceback)
        if name == "initially" and effect.shared != before:
            raise StepError(
                "initially() changed a shared variable",
                "it says how one process begins, and processes begin in no order",
                "give the variable its value in shared(...), or choose it in def shared_initially(self)",
                definition.file,
                name,
            )
        yield effect
    if not begun:
        remedy = "leave out a self.require that is always false"
        raise StepError(f"{name}() gave no values", "then no run would begin", remedy, definition.file, name)


def _before(definition: Definition, name: Setup) -> dict[str, Any]:
    """The values that others are made of. Shared variables that are chosen have none for `initially`."""
    common = {field.name: field.initial for field in definition.shared}
    if name == "shared_initially":
        return common
    own = {field.name: field.initial for field in definition.fields if field.has_initial}
    return own if definition.chooses_shared else own | common
