"""Files as modules: those of models and specifications, bundled or somebody's own, and what their texts import of one another.

A file is loaded from where it lies, as a module with a name of its own, and always with assertions compiled in: `python -O` must not remove
what is to be checked. What its text imports from a file beside it (`from common import ...`) or from a bundled model
(`from modelcheck.models.chang_roberts import ...`) is loaded in the same way and is as much its text as the rest: read again where
it has changed, never the file of that name in another folder, and part of whatever has to know the text of a model.
"""

from __future__ import annotations

import builtins
import itertools
import linecache
import re
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from .errors import DefinitionError, ModelcheckError, UsageError, nearest
from .language.values import Misuse
from .reads import LOADED, forget, notice

BUNDLED = "modelcheck.models"  # where a text finds the bundled models


# --- what comes with modelcheck --------------------------------------------------------------------------------------


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


def lab_folder() -> Path:
    """Where the bundled labs lie."""
    return _folder("specs") / "labs"


@cache
def claim_files() -> dict[str, Path]:
    """The bundled files of claims, by the name of their source."""
    return {path.stem: path for path in sorted((_folder("specs") / "claims").glob("*.toml"))}


# --- files -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Loaded:
    """A file that was loaded: what it held, the module it was made into, and the files that its text has imported."""

    path: str
    text: bytes
    module: ModuleType
    imports: dict[str, Loaded] = field(default_factory=dict)  # by path


loaded: dict[str, Loaded] = {}  # by path, as each file was last loaded
_made: dict[tuple[str, bytes], Loaded] = {}  # by path and text
_modules: dict[str, Loaded] = {}  # by the name of the module
_sent: dict[str, tuple[str, bytes]] = {}  # by path: the name and the text of what is loaded elsewhere
_offered: dict[str, frozenset[str]] = {}  # by path: the built-in names of a file that is not offered all of them
_under_way: list[str] = []
_one = threading.RLock()  # file is loaded at a time, with all that it imports
_numbers = itertools.count(1)


def load_file(file: Path) -> Loaded:
    """The file as it is now: one that was changed, or imports one that was, is loaded again. Raises UsageError where it cannot be read,
    DefinitionError with its own traceback where it does not run."""
    path = str(file.resolve())
    with _one:
        name, text = _sent.get(path) or (f"{LOADED}{next(_numbers)}_{file.stem}", _read(path))
        found = _made.get((path, text))
        if found is None or not _imports_the_same(found):
            found = load_again(name, path, text)
        loaded[path] = found
        return found


def load_again(name: str, path: str, text: bytes) -> Loaded:
    """A module of this name, made of what the file held, whatever it holds by now. Raises DefinitionError where it does not run."""
    module = ModuleType(name)
    module.__file__ = path
    made = _modules[name] = Loaded(path, text, module)
    names = _offered.get(path, vars(builtins))
    module.__dict__["__builtins__"] = {**{one: vars(builtins)[one] for one in names}, "__import__": _Import(made)}
    sys.modules[name] = module
    forget(path)
    with _loading(path):
        try:
            code = compile(text, path, "exec", dont_inherit=True, optimize=0)
            exec(code, module.__dict__)
        except SyntaxError as error:
            where = f"{path}:{error.lineno}  {(error.text or '').strip()}"
            raise DefinitionError(f"the file has a syntax error: {error.msg}", "", "correct the line", where) from None
        except Misuse as misuse:
            raise DefinitionError(misuse.what, misuse.cause, misuse.remedy, _where(path, misuse)) from None
        except ModelcheckError:  # of a file that it imports
            raise
        except (Exception, SystemExit) as error:
            cause = f"{type(error).__name__}: {error}"
            what = "the file raised an exception while it was read"
            raise DefinitionError(what, cause, _remedy(error, module), _where(path, error)) from None
    _made[path, text] = made
    return made


def offer(file: Path, names: frozenset[str]) -> None:
    """From now on this file finds no other built-in names than these, when it is loaded."""
    _offered[str(file.resolve())] = names


def send(files: Iterable[tuple[str, str, bytes]]) -> None:
    """From now on these files (the name of the module, path and text of each) are what they were where they come from."""
    _sent.update((path, (name, text)) for name, path, text in files)


def text_of(module: str) -> tuple[str, bytes] | None:
    """The file that a module was made of, and what it held then; None for a module that was imported in any other way."""
    found = _modules.get(module)
    return (found.path, found.text) if found else None


def files_of(module: str) -> tuple[str, ...]:
    """The modules made of files that a module consists of, each before those that import it: those that its text has imported, directly or not,
    and itself; of one that was imported in any other way, those that something in it comes from."""
    found: dict[str, None] = {}

    def visit(one: Loaded) -> None:
        for inner in one.imports.values():
            visit(inner)
        found.setdefault(one.module.__name__)

    for name in [module] if module in _modules else _within_reach(sys.modules.get(module)):
        visit(_modules[name])
    return tuple(found)


def _within_reach(module: ModuleType | None) -> Iterator[str]:
    for value in list(vars(module).values()) if module is not None else ():
        name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        if isinstance(name, str) and name in _modules:
            yield name


def _read(path: str) -> bytes:
    linecache.checkcache(path)
    notice()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None


def _imports_the_same(made: Loaded) -> bool:
    """Whether loading it now would import what it imported then."""
    try:
        return all(load_file(Path(path)) is one for path, one in made.imports.items())
    except UsageError:  # one is gone
        return False


@contextmanager
def _loading(path: str) -> Iterator[None]:
    if path in _under_way:
        circle = [Path(one).name for one in (*_under_way[_under_way.index(path) :], path)]
        remedy = "put what both need into a file that imports neither"
        raise DefinitionError("the files import each other", ", which imports ".join(circle), remedy, path)
    _under_way.append(path)
    try:
        yield
    finally:
        _under_way.pop()


def _remedy(error: BaseException, module: ModuleType) -> str:
    """What to do about a file that does not run: for a name that nothing has, the nearest that is known there, or can be imported."""
    import modelcheck

    missing = re.match(r"cannot import name '(\w+)' from 'modelcheck'", str(error))
    if missing is not None and isinstance(error, ImportError):
        close = get_close_matches(missing[1], modelcheck.__all__, n=1, cutoff=0.7)
        close = close or [name for name in modelcheck.__all__ if missing[1].lower() in name.split("_")]
        return (
            f"did you mean {' or '.join(close)}?"
            if close
            else "leave it out: `modelcheck help language` has what there is"
        )
    if not isinstance(error, NameError) or not error.name:
        return "correct the file"
    close = get_close_matches(error.name, [name for name in vars(module) if not name.startswith("_")], n=1, cutoff=0.7)
    if close:
        return f"did you mean {close[0]}?"
    if error.name in modelcheck.__all__:
        return f"write from modelcheck import {error.name}"
    return f"define {error.name} above this line, or import it"


def _where(path: str, error: BaseException) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    return f"{path}:{frames[-1].lineno}  {frames[-1].line}" if frames else path


# --- import ----------------------------------------------------------------------------------------------------------


class _Import:
    """What `import` does in the text of one file."""

    def __init__(self, of: Loaded) -> None:
        self._of = of

    def __call__(
        self, name: str, globals: Any = None, locals: Any = None, fromlist: Sequence[str] | None = (), level: int = 0
    ) -> Any:
        if level == 0 and name == BUNDLED and fromlist:
            return SimpleNamespace(**{model: self._bundled(model) for model in fromlist})
        if level == 0 and name.startswith(f"{BUNDLED}."):
            model = name.removeprefix(f"{BUNDLED}.")
            if not fromlist:
                remedy = f"write from {BUNDLED} import {model}, or from {name} import what is wanted"
                raise Misuse(f"import {name} is not understood in the text of a model", "", remedy)
            return self._bundled(model)
        beside = Path(self._of.path).parent / f"{name}.py"
        known = name in sys.stdlib_module_names or name == "modelcheck"
        if level <= 1 and name.isidentifier() and not known and beside.is_file():
            return self._load(beside)
        return builtins.__import__(name, globals, locals, fromlist or (), level)

    def _bundled(self, model: str) -> ModuleType:
        if model not in model_files():
            raise Misuse(f"there is no bundled model {model!r}", nearest(model, model_files()), "")
        return self._load(model_files()[model])

    def _load(self, file: Path) -> ModuleType:
        path = str(file.resolve())
        if path not in self._of.imports:
            self._of.imports[path] = load_file(file)
        return self._of.imports[path].module
