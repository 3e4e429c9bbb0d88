"""Finding models and specifications, by name among the bundled ones or by path.

The protocol of a file is its class that derives from no other process class of it; those that derive from that one are its variations. A class
whose name begins with an underscore is neither: what others of the file have in common may stand there.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from .errors import DefinitionError, UsageError, nearest
from .language.definition import Definition, read
from .language.process import ElectionProcess, Process
from .language.properties import Property
from .loading import claim_files as claim_files
from .loading import load_file
from .loading import model_files as model_files
from .loading import spec_files as spec_files
from .text.typed import is_file, is_folder


@dataclass(frozen=True)
class Model:
    """A protocol as it was found: its definition, and the properties of its own file and of those of the protocols it derives from.

    `name` tells a variation from its protocol (`chang_roberts:StartUnguarded`). `protocol` is the name of the one of which it is a variation,
    or nothing; `variations` are those that it has.
    """

    name: str
    definition: Definition
    properties: tuple[Property, ...]
    doc: str
    protocol: str = ""
    variations: tuple[type[Process], ...] = ()

    @property
    def title(self) -> str:
        """The first sentence of the docstring: that of the file, or of the class where it is a variation."""
        return first_line(self.doc) or self.definition.name


def first_line(doc: str | None) -> str:
    return (doc or "").strip().split("\n")[0].strip()


def find_model(reference: str | type[Process]) -> Model:
    """A model by name (`chang_roberts`, `chang_roberts:StartUnguarded`), path (`./mine.py`, `./mine.py:MyProcess`) or class.

    Raises UsageError for a name or path that is not there, DefinitionError for a file that is no model.
    """
    if not isinstance(reference, str):
        module = sys.modules.get(reference.__module__)
        doc = inspect.getdoc(module) or "" if module else ""
        return Model(reference.__name__, read(reference), _claimed_of(reference), doc)
    path, _, wanted = _split(reference)
    return _model(load_file(path).module, path, wanted)


def model_path(reference: str) -> Path:
    """The file of a model, by name or path. Raises UsageError where there is none."""
    return _split(reference)[0]


def _split(reference: str) -> tuple[Path, str, str]:
    name, colon, wanted = reference.partition(":")
    if name in model_files():
        return model_files()[name], colon, wanted
    if name.endswith(".py") or "/" in name or "\\" in name:
        path = Path(name)
        if is_folder(path):
            raise UsageError(f"{name} is a folder; name a file in it")
        if not is_file(path):
            if is_file(f"{name}.py"):
                raise UsageError(f"there is no file {name}; did you mean {name}.py?")
            raise UsageError(f"there is no file {name}")
        return path, colon, wanted
    if is_file(f"{name}.py"):
        raise UsageError(f"there is no bundled model {name!r}; did you mean the file ./{name}.py?")
    raise UsageError(f"there is no model {name!r}; {nearest(name, model_files())} (a file of yours: ./{name}.py)")


def _model(module: ModuleType, path: Path, wanted: str) -> Model:
    own = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Process) and value.__module__ == module.__name__
        if not name.startswith("_")
    }
    protocols = {name: cls for name, cls in own.items() if not _others(cls.__mro__, own)}
    if not wanted and len(protocols) > 1:
        raise UsageError(
            f"{path.name} defines several protocols; name one: {', '.join(f'{path}:{name}' for name in protocols)}"
        )
    if not protocols:
        raise DefinitionError(
            f"{path.name} defines no protocol",
            "there is no class in it derived from Process or ElectionProcess",
            f"write class {path.stem.title().replace('_', '')}({ElectionProcess.__name__}): ...",
            str(path),
        )
    if wanted and wanted not in own:
        raise UsageError(f"{path.name} has no process {wanted!r}; {nearest(wanted, own)}")
    cls = own[wanted or next(iter(protocols))]
    names = {one: f"{path.stem}:{name}" for name, one in own.items()}
    if len(protocols) == 1:
        names.update(dict.fromkeys(protocols.values(), path.stem))
    above = _others(cls.__mro__, own)
    doc = vars(cls).get("__doc__") if above else None
    return Model(
        names[cls],
        read(cls),
        _claimed_of(cls),
        inspect.cleandoc(doc) if doc else inspect.getdoc(module) or "",
        names[above[-1]] if above else "",
        tuple(one for one in own.values() if cls in one.__mro__[1:]),
    )


def _others(mro: tuple[type, ...], own: dict[str, type[Process]]) -> list[type[Process]]:
    """The classes of a file from which one of it derives."""
    return [one for base in mro[1:] for one in own.values() if one is base]


def _claimed_of(cls: type[Process]) -> tuple[Property, ...]:
    """The properties of its file and of those of the protocols it derives from; one of the same name stands in their place."""
    modules = dict.fromkeys(sys.modules.get(base.__module__) for base in reversed(cls.__mro__) if base is not object)
    claimed = {prop.name: prop for module in modules for prop in _properties(module)}
    return tuple(claimed.values())


def find_spec(reference: str) -> tuple[Property, ...]:
    """The properties of a specification, by name or path. Raises UsageError where there is none."""
    properties = _properties(load_file(spec_path(reference)).module)
    if not properties:
        raise UsageError(f"{reference} states no properties")
    return properties


def spec_path(reference: str) -> Path:
    """The file of a specification, by name or path. Raises UsageError where there is none."""
    if reference in spec_files():
        return spec_files()[reference]
    if reference.endswith(".py") and is_file(reference):
        return Path(reference)
    raise UsageError(f"there is no specification {reference!r}; {nearest(reference, spec_files())}")


def _properties(module: ModuleType | None) -> tuple[Property, ...]:
    """The properties that have a name in a module, in the order in which they got it."""
    return tuple(value for value in vars(module).values() if isinstance(value, Property)) if module else ()


def bundled() -> Iterator[tuple[str, Path]]:
    """Name and file of every bundled model."""
    return iter(model_files().items())
