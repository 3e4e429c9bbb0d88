"""What a model's code could remember outside the state: globals, class attributes, defaults, closures.

Nothing of it may change while the model runs, for then a step would depend on what the checker happened to run before. That is looked at
where it stands beside the model or its properties, so that what changes has a name. What is remembered elsewhere is found out by the
witness (modelcheck/witness), which knows of no names.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from types import FunctionType, MemberDescriptorType, ModuleType
from typing import Any, get_origin

from ..errors import StepError
from ..language.definition import Definition
from ..language.properties import Property
from ..loading import files_of

ATOMS = (type(None), bool, int, float, complex, str, bytes)


class Outside:
    """A picture of everything around the model's code, taken before it runs."""

    def __init__(self, definition: Definition, properties: Iterable[Property] = ()) -> None:
        self._definition = definition
        judged = (one for prop in properties for one in prop.judged)
        own = (module for prop in judged for module in (prop.module, prop.check.__module__))
        named = dict.fromkeys((definition.cls.__module__, *own))
        self._modules = tuple(dict.fromkeys(module for name in named for module in (name, *files_of(name))))
        self._before = self._picture()

    def check(self) -> None:
        """Raises StepError, naming what changed, if anything has."""
        after = self._picture()
        for name, picture in after.items():
            if self._before.get(name) != picture:
                raise StepError(
                    what=f"the model changed {name}, which is no field, while it ran",
                    cause="a step or property remembers something outside the state, so what it does depends on what "
                    "the checker happened to run before",
                    remedy="keep everything that is remembered in fields",
                    where=self._definition.file,
                )

    def _picture(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for module in map(sys.modules.get, self._modules):
            if module is None or module.__name__.startswith("modelcheck."):
                continue
            names = [name for name in vars(module) if name not in _of_the_notebook(vars(module))]
            for name in names:
                if not name.startswith("__"):
                    found[name] = (*found.get(name, ()), _picture(vars(module)[name], {}))
        return found


def _of_the_notebook(around: dict[str, Any]) -> set[str]:
    """The names that IPython itself has put beside a model that stands in a cell: from them all of IPython can be reached,
    which changes all the time. Whatever else stands there counts, for a step has ways to get at it that cannot be foreseen."""
    shell = getattr(around.get("get_ipython"), "__self__", None)
    hidden = set(getattr(shell, "user_ns_hidden", ()))
    return hidden | {name for name in around if hidden and re.fullmatch(r"_i?\d+|_+|_i+", name)}


def _picture(value: Any, seen: dict[int, int]) -> Any:
    """A value that equals another exactly if nothing reachable has changed. What was `seen` already goes by its number: by
    identity, so nothing may be looked at that does not outlive the picture."""
    if isinstance(value, ATOMS) or get_origin(value) is not None:  # an alias of a type: tuple[Id, Id]
        return (type(value).__name__, repr(value))
    if isinstance(value, ModuleType):
        return id(value)
    if id(value) in seen:
        return ("again", seen[id(value)])
    seen[id(value)] = len(seen)
    if isinstance(value, dict):
        return ("dict", [(repr(key), _picture(item, seen)) for key, item in value.items()])
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [_picture(item, seen) for item in value])
    if isinstance(value, (set, frozenset)):
        return (type(value).__name__, sorted(map(repr, value)))
    if isinstance(value, FunctionType):
        parts = (value.__defaults__, value.__kwdefaults__, *map(_contents, value.__closure__ or ()))
        return ("function", id(value.__code__), [_picture(part, seen) for part in parts])
    if isinstance(value, type):
        if value.__module__.startswith("modelcheck.") or value.__module__ == "builtins":
            return id(value)
        names = ("__", "_abc", "_value2member_map_")  # an enum remembers there what combinations of flags were met
        own = [(name, item) for name, item in vars(value).items() if not name.startswith(names)]
        return ("class", [(name, _picture(item, seen)) for name, item in own])
    if isinstance(value, Property):
        return id(value)
    inner = getattr(value, "__dict__", None)
    slots = [name for kind in type(value).__mro__ for name in _slots(kind)]
    if slots:
        inner = {**(inner or {}), **{name: getattr(value, name) for name in slots if hasattr(value, name)}}
    return (id(value), repr(value) if inner is None else _picture(inner, seen))


def _slots(kind: type) -> list[str]:
    """The attributes for which a class of a model's own makes room."""
    if kind.__module__.startswith("modelcheck.") or kind.__module__ in sys.stdlib_module_names:
        return []
    return [name for name, value in vars(kind).items() if isinstance(value, MemberDescriptorType)]


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None
