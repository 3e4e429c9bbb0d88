"""Finding models and specifications, by name among the bundled ones or by path.

Their files are loaded from where they lie and always with assertions compiled in: `python -O` must not remove what is
to be checked.
"""

from __future__ import annotations

import inspect
import itertools
import linecache
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from .errors import DefinitionError, UsageError, nearest
from .language.definition import Definition, read
from .language.process import ElectionProcess, Process
from .language.properties import Property
from .language.values import Misuse
from .reads import LOADED, forget, notice
from .typed import is_file, is_folder

_numbers = itertools.count(1)
_texts: dict[str, tuple[str, bytes]] = {}  # of these modules: the file, and what it held
loaded: dict[str, tuple[bytes, ModuleType]] = {}  # by file, for every one that was asked for: what it held, its module


@dataclass(frozen=True)
class Model:
    """A protocol as it was found: its definition and the properties that stand in its own file."""

    name: str
    definition: Definition
    properties: tuple[Property, ...]
    doc: str

    @property
    def title(self) -> str:
        """The first sentence of the file's docstring."""
        return self.doc.split("\n")[0].strip() if self.doc else self.definition.name


def _folder(kind: str) -> Path:
    """Where the bundled models or specs lie: inside the installed package, or beside it in a source checkout."""
    package = Path(__file__).parent
    inside = package / kind
    return inside if inside.is_dir() else package.parent / kind


@cache
def model_files() -> dict[str, Path]:
    """The bundled models, by name, grouped by folder."""
    paths = sorted(_folder("models").glob("*/*.py"))
    return {path.stem: path for path in paths if not path.stem.startswith("_")}


@cache
def spec_files() -> dict[str, Path]:
    """The bundled specifications, by name."""
    return {path.stem: path for path in sorted(_folder("specs").glob("*.py")) if not path.stem.startswith("_")}


@cache
def claim_files() -> dict[str, Path]:
    """The bundled files of claims, by the name of their source."""
    return {path.stem: path for path in sorted((_folder("specs") / "claims").glob("*.toml"))}


def find_model(reference: str | type[Process]) -> Model:
    """A model by name (`chang_roberts`), path (`./mine.py`, `./mine.py:MyProcess`) or class.

    Raises UsageError for a name or path that is not there, DefinitionError for a file that is no model.
    """
    if not isinstance(reference, str):
        module = sys.modules.get(reference.__module__)
        return Model(
            reference.__name__, read(reference), _properties(module), inspect.getdoc(module) or "" if module else ""
        )
    path, _, wanted = _split(reference)
    module = _load_file(path)
    return _model(module, path, wanted)


def _split(reference: str) -> tuple[Path, str, str]:
    name, colon, wanted = reference.partition(":")
    if name in model_files():
        return model_files()[name], colon, wanted
    if name.endswith(".py") or "/" in name or "\\" in name:
        path = Path(name)
        if is_folder(path):
            raise UsageError(f"{name} is a folder; name a file in it")
        if not is_file(path):
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
    }
    protocols = {name: cls for name, cls in own.items() if not any(cls in other.__mro__[1:] for other in own.values())}
    if wanted:
        if wanted not in own:
            raise UsageError(f"{path.name} has no process {wanted!r}; {nearest(wanted, own)}")
        protocols = {wanted: own[wanted]}
    if not protocols:
        raise DefinitionError(
            f"{path.name} defines no protocol",
            "there is no class in it derived from Process or ElectionProcess",
            f"write class {path.stem.title().replace('_', '')}({ElectionProcess.__name__}): ...",
            str(path),
        )
    if len(protocols) > 1:
        raise UsageError(
            f"{path.name} defines several protocols; name one: {', '.join(f'{path}:{name}' for name in protocols)}"
        )
    definition = read(next(iter(protocols.values())))
    return Model(path.stem, definition, _properties(module), inspect.getdoc(module) or "")


def find_spec(reference: str) -> tuple[Property, ...]:
    """The properties of a specification, by name or path. Raises UsageError where there is none."""
    properties = _properties(_load_file(spec_path(reference)))
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
    """The properties defined in a module, in the order of their definition."""
    if module is None:
        return ()
    file = getattr(module, "__file__", "") or ""
    return tuple(
        value
        for value in vars(module).values()
        if isinstance(value, Property) and (not value.where or value.where.startswith(f"{file}:"))
    )


def bundled() -> Iterator[tuple[str, Path]]:
    """Name and file of every bundled model."""
    return iter(model_files().items())


def _load_file(file: Path) -> ModuleType:
    """The file as a module, as it is now: one that was changed is read again. Raises what `_load` raises."""
    path = str(file.resolve())
    try:
        text = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    linecache.checkcache(path)
    notice()
    module = _load(path, text)
    loaded[path] = text, module
    return module


@cache
def _load(path: str, text: bytes) -> ModuleType:
    """Runs a file as a module of its own. Raises DefinitionError with its own traceback where it does not run."""
    name = f"{LOADED}{next(_numbers)}_{Path(path).stem}"
    _texts[name] = path, text
    return load_again(name, path, text)


def text_of(module: str) -> tuple[str, bytes] | None:
    """The file that a module was made of, and what it held then; None for a module that was imported in any other way."""
    return _texts.get(module)


def load_again(name: str, path: str, text: bytes) -> ModuleType:
    """A module of this name, made of what the file held, whatever it holds by now. Raises what `_load` raises."""
    module = ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    forget(path)
    try:
        code = compile(text, path, "exec", dont_inherit=True, optimize=0)
        exec(code, module.__dict__)
    except SyntaxError as error:
        where = f"{path}:{error.lineno}  {(error.text or '').strip()}"
        raise DefinitionError(f"the file has a syntax error: {error.msg}", "", "correct the line", where) from None
    except Misuse as misuse:
        frames = [f for f in traceback.extract_tb(sys.exc_info()[2]) if f.filename == path]
        where = f"{path}:{frames[-1].lineno}  {frames[-1].line}" if frames else path
        raise DefinitionError(misuse.what, misuse.cause, misuse.remedy, where) from None
    except (Exception, SystemExit) as error:
        raise _raised(path, error) from None
    return module


def _raised(path: str, error: BaseException) -> DefinitionError:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    where = f"{path}:{frames[-1].lineno}  {frames[-1].line}" if frames else path
    cause = f"{type(error).__name__}: {error}"
    return DefinitionError("the file raised an exception while it was read", cause, "correct the line", where)
