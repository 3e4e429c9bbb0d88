"""modelcheck: an exhaustive model checker for election protocols.

This is all that a model or a specification imports, and all that is promised to stay.

A name is imported when it is first asked for: a model needs the language and not the search, and the command that prints a help text
needs neither.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .version import __version__ as __version__

if TYPE_CHECKING:
    from .api import check
    from .errors import (
        AssumptionError,
        DefinitionError,
        ModelcheckError,
        ModelError,
        ReplayError,
        SearchError,
        StepError,
        SymmetryError,
        UsageError,
    )
    from .explore.limits import Limits
    from .language.messages import Down, Message, Up
    from .language.process import ElectionProcess, Parameter, Process, initiate, receive, recover, shared, stable, step
    from .language.properties import (
        ProcessView,
        Property,
        TransitView,
        Verdict,
        View,
        always,
        at_the_end,
        because,
        eventually,
        every_step,
        listed,
        terminates,
    )
    from .language.topology import (
        any_graph,
        complete,
        hypercube,
        line,
        mesh,
        one_way_ring,
        star,
        torus,
        tree,
        two_way_ring,
    )
    from .language.values import NEXT, PREVIOUS, Id, Port


__all__ = [
    "NEXT",
    "PREVIOUS",
    "AssumptionError",
    "DefinitionError",
    "Down",
    "ElectionProcess",
    "Id",
    "Limits",
    "Message",
    "ModelError",
    "ModelcheckError",
    "Parameter",
    "Port",
    "Process",
    "ProcessView",
    "Property",
    "ReplayError",
    "SearchError",
    "StepError",
    "SymmetryError",
    "TransitView",
    "Up",
    "UsageError",
    "Verdict",
    "View",
    "always",
    "any_graph",
    "at_the_end",
    "because",
    "check",
    "complete",
    "eventually",
    "every_step",
    "hypercube",
    "initiate",
    "line",
    "listed",
    "mesh",
    "one_way_ring",
    "receive",
    "recover",
    "shared",
    "stable",
    "star",
    "step",
    "terminates",
    "torus",
    "tree",
    "two_way_ring",
]

_HOMES = {
    "errors": (
        "AssumptionError", "DefinitionError", "ModelError", "ModelcheckError", "ReplayError", "SearchError", "StepError",
        "SymmetryError", "UsageError",
    ),
    "explore.limits": ("Limits",),
    "language.messages": ("Down", "Message", "Up"),
    "language.process": (
        "ElectionProcess", "Parameter", "Process", "initiate", "receive", "recover", "shared", "stable", "step",
    ),
    "language.properties": (
        "ProcessView", "Property", "TransitView", "Verdict", "View", "always", "at_the_end", "because", "eventually", "every_step",
        "listed", "terminates",
    ),
    "language.topology": (
        "any_graph", "complete", "hypercube", "line", "mesh", "one_way_ring", "star", "torus", "tree", "two_way_ring",
    ),
    "language.values": ("NEXT", "PREVIOUS", "Id", "Port"),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Face(ModuleType):
    """This module. Its `check` is the function, and never the package of that name, which whoever imports something of the package
    would put in its place."""

    @property
    def check(self) -> Any:
        from .api import check

        return check

    @check.setter
    def check(self, _: object) -> None:
        pass


sys.modules[__name__].__class__ = _Face
