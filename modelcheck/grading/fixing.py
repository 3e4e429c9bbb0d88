"""The lab's declarations in the place of a submission's.

What is graded is a class derived from the submitted one, which declares anew all that the lab fixes: so a submission keeps its variables and
its steps, and nothing else. Its own properties are left out, and what it declares otherwise than the lab is named.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from .. import catalog, loading
from ..errors import DefinitionError, UsageError
from ..language.definition import Definition
from ..language.process import Parameter, Process
from ..language.properties import Property
from ..language.topology import Topology
from .lab import FEATURES, Lab
from .screening import OFFERED

SUBMITTED, GRADED = "submission.py", "graded.py"
_CALLS = {
    "start_crashed": "begins", "start_with": "begins", "begin_without": "begins", "choose": "choose", "draw": "draw",
}  # fmt: skip


def fix(lab: Lab, folder: Path) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Writes the class that is graded beside the submission in this folder. Gives what to check there, what the submission declares otherwise
    than the lab, and what it does that the lab does not allow.

    Raises UsageError or DefinitionError where there is no protocol in it.
    """
    file = folder / SUBMITTED
    loading.offer(file, OFFERED)
    cls = _submitted(lab, file)
    for module in {base.__module__ for base in cls.__mro__}:
        if (found := loading.text_of(module)) is not None:
            _without_properties(loading.loaded[found[0]].module)
    (folder / GRADED).write_text(_text(lab, cls), encoding="utf-8")
    model = catalog.find_model(str(folder / GRADED))
    return f"./{GRADED}", _different(lab, cls), _not_allowed(lab, model.definition, file)


def _submitted(lab: Lab, file: Path) -> type[Process]:
    """The protocol in the file: the one class of the lab's base that derives from no other of its own."""
    module = loading.load_file(file).module
    named = {name: one for name, one in vars(module).items() if isinstance(one, type) and not name.startswith("_")}
    own = dict.fromkeys(one for one in named.values() if one.__module__ == module.__name__)
    protocols = [one for one in own if issubclass(one, Process) and not {*one.__mro__[1:]} & {*own}]
    if not protocols:
        raise DefinitionError(
            "there is no protocol in it", "", f"write class Mine({lab.base.__name__}): ...", file.name
        )
    if len(protocols) > 1:
        raise UsageError(f"it defines several protocols ({', '.join(one.__name__ for one in protocols)}); hand in one")
    if not issubclass(protocols[0], lab.base):
        raise UsageError(
            f"{protocols[0].__name__} derives from {protocols[0].__mro__[1].__name__}; here it derives from {lab.base.__name__}"
        )
    return protocols[0]


def _without_properties(module: Any) -> None:
    """What must hold is for the lab to say."""
    for name, value in list(vars(module).items()):
        if isinstance(value, Property):
            delattr(module, name)


def _text(lab: Lab, cls: type[Process]) -> str:
    """A module with the class that is graded."""
    graphs = ", ".join(lab.fixed["topology"])
    lines = [
        f"from submission import {cls.__name__} as _Submitted",
        f"from modelcheck import {', '.join(f'{graph} as _{graph}' for graph in lab.fixed['topology'])}",
        "",
        "",
        f"class {cls.__name__}(_Submitted):",
        f"    topology = ({''.join(f'_{graph}, ' for graph in graphs.split(', '))})",
    ]
    lines += [f"    {name} = {value!r}" for name, value in lab.fixed.items() if name not in ("base", "topology")]
    return "\n".join(lines) + "\n"


def _different(lab: Lab, cls: type[Process]) -> tuple[str, ...]:
    """Declarations of the submission that are not the lab's, each in half a sentence."""
    found = []
    for name, wanted in lab.fixed.items():
        own = next((vars(base)[name] for base in cls.__mro__ if name in vars(base) and not _of_language(base)), wanted)
        own = own.default if isinstance(own, Parameter) else own
        if name != "base" and _words(own) != _words(wanted):
            found.append(f"{name} = {_shown(own)}, which is {_shown(wanted)} in this lab")
    return tuple(found)


def _of_language(cls: type) -> bool:
    return cls.__module__.startswith("modelcheck.language") or cls is object


def _words(value: object) -> object:
    several = value if isinstance(value, tuple) else (value,)
    return sorted(one.name if isinstance(one, Topology) else str(one) for one in several)


def _shown(value: object) -> str:
    several = value if isinstance(value, tuple) else (value,)
    return ", ".join(one.name if isinstance(one, Topology) else str(one) for one in several) or "nothing"


def _not_allowed(lab: Lab, definition: Definition, file: Path) -> tuple[str, ...]:
    cls = definition.cls
    uses = {
        _CALLS[node.attr]
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Attribute) and node.attr in _CALLS
    }
    if cls.initially is not Process.initially:
        uses.add("initially")
    if definition.shared or definition.chooses_shared:
        uses.add("shared")
    if any(step.kind == "step" for step in definition.steps):
        uses.add("step")
    return tuple(f"it {FEATURES[use]}" for use in FEATURES if use in uses - lab.allow)
