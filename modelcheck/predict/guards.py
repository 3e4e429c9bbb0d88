"""Which line of a model holds up a step whose guard does not hold."""

from __future__ import annotations

import linecache
import sys
from pathlib import Path
from typing import Any, NoReturn

from ..semantics.components import Component, Environment
from ..semantics.execution import Execution
from ..semantics.outcomes import Invocation
from ..semantics.system import System


def held_up(
    system: System, environment: Environment, component: Component, step: str, received: tuple[Any, Any] | None
) -> str:
    """'chang_roberts.py:57  self.require(not self.awake)': the first guard that does not hold where this step is tried; empty
    where there is none. Raises StepError where the model's code breaks a rule of the language."""
    asked = System(system.definition, system.settings, twice=False)
    places: list[tuple[str, int]] = []

    class Watched(Execution):
        def disable(self) -> NoReturn:
            frame = sys._getframe(1)
            while frame.f_code.co_filename not in system.definition.files and frame.f_back is not None:
                frame = frame.f_back
            places.append((frame.f_code.co_filename, frame.f_lineno))
            super().disable()

    asked.runner.surroundings = Watched
    for _ in asked.execute(Invocation(step, component.profile, component.fields, environment.shared, received)):
        pass
    if not places:
        return ""
    file, line = places[0]
    return f"{Path(file).name}:{line}  {linecache.getline(file, line).strip()}"
