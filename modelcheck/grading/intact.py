"""Whether the checker is as it was before a submission was loaded.

A method may be called with a class of the language in place of a process, and would change that: neither its text nor its names give that away.
So all classes of this package, and what stands beside them, are looked at before and after.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class Seal:
    """What the checker consisted of when this was made."""

    def __init__(self) -> None:
        self._before = dict(_parts())

    def broken(self) -> str:
        """What has changed since, by name; nothing where all is as it was."""
        after = dict(_parts())
        for (name, part), value in self._before.items():
            if (
                after.get((name, part)) is not value and type(value) is not int
            ):  # it counts how often identifiers became text
                return f"{name}.{part}"
        known = {name for name, _ in self._before}
        return next((f"{name}.{part}" for name, part in after.keys() - self._before.keys() if name in known), "")


def _parts() -> list[tuple[tuple[str, str], Any]]:
    """Classes of the package and single things of its language, each part by part."""
    found: list[tuple[tuple[str, str], Any]] = []
    for module in [
        one for name, one in sys.modules.items() if name.startswith("modelcheck.") and isinstance(one, ModuleType)
    ]:
        for name, value in list(vars(module).items()):
            if isinstance(value, type) and value.__module__ == module.__name__:
                found += [
                    ((f"{module.__name__}.{name}", part), one) for part, one in vars(value).items() if _counts(part)
                ]
            elif module.__name__.startswith("modelcheck.language.") and not isinstance(value, ModuleType | type):
                own = getattr(value, "__dict__", None)
                found += [
                    ((f"{module.__name__}.{name}", part), one) for part, one in (own or {}).items() if _counts(part)
                ]
    return found


def _counts(part: str) -> bool:
    """Python itself keeps notes in classes, under names of its own."""
    return not part.startswith(("_abc_", "__")) or part in (
        "__getattr__",
        "__setattr__",
        "__eq__",
        "__hash__",
        "__call__",
        "__init__",
        "__new__",
    )
