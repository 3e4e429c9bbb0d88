"""Libraries that take a while to import, and that many a run does without."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any


class Later(ModuleType):
    """Stands for a module that is imported when something of it is first used."""

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self.__name__), name)
