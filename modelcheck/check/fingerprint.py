"""What a run was asked, as data. Runs with equal fingerprints explore the same worlds, in the same order, and find the same.

In it are the texts of the model, of its specifications and of the modules they have, what these made of whatever they looked at while they
were loaded, the version of modelcheck (and its code, for a checkout of it changes between versions), and everything in the
Request that matters for the result. What else the model's code has read by the time a checkpoint is written stands beside it (reads.py).
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any

import psutil

from .. import catalog, loading
from ..errors import UsageError
from ..language.properties import Property
from ..language.topology import Topology
from ..reads import FILE, HERE, is_as_it_was_read, is_of_the_user, look, read_by, told
from ..semantics.settings import Settings
from ..semantics.worlds import Policy
from .request import Request

Fingerprint = dict[str, Any]  # plain data, which comes back from JSON as it was

# Fields of a request that say how it was put, or follow from the others.
BESIDE_THE_POINT = ("model", "broken", "expected", "reference", "graph", "detector", "spec", "selected", "part")
MADE_BY = (
    "modelcheck",
    "code",
    "Python",
    "networkx",
    "texts",
    "constants",
)  # not asked for, but the result depends on them
CALLED = {"sizes": "n", "identifiers": "ids", "given": "graphs"}  # as options are
LONGEST = 40  # characters of a value in a sentence


def sources(request: Request) -> ReadSources:
    """What the run is made of. Raises UsageError where there is no file to read the model from."""
    definition = request.model.definition
    named = (request.spec,) if request.spec is not None else definition.specs
    specs = [catalog.spec_path(name) for name in named]
    file = Path(definition.file)
    if not file.is_file():
        raise UsageError(
            f"a run of {definition.name} cannot be resumed: there is no file with its text to compare with"
        )
    return ReadSources(definition.cls.__module__, file, specs)


def fingerprint(request: Request, sources: ReadSources) -> Fingerprint:
    from importlib.metadata import version  # which takes a while to import

    from ..version import __version__

    definition = request.model.definition
    return {
        "model": f"{Path(definition.file).name}:{definition.name}",
        "modelcheck": __version__,
        "code": _own_code(),
        "Python": "{}.{}".format(*sys.version_info),
        "networkx": version("networkx"),  # which enumerates trees and graphs
        "texts": sources.texts,
        "constants": sources.constants,
        **_asked(request),
    }


def question(request: Request) -> str:
    """Tells runs apart that were asked different things, whatever became of the texts in the meantime."""
    definition = request.model.definition
    asked = [str(Path(definition.file).resolve()), definition.name, _asked(request)]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]


def difference(then: Fingerprint, read: dict[str, str], now: Fingerprint) -> str:
    """What tells a run from an earlier one, which had `read` so much, as half a sentence; nothing where they are the same."""
    if then.get("model") != now["model"]:
        return f"it is of {then.get('model')}, and this is {now['model']}"
    found = []
    for name in ("modelcheck", "Python", "networkx"):
        if then.get(name) != now[name]:
            found.append(f"it was made with {name} {then.get(name)}, and this is {now[name]}")
    if not found and then.get("code") != now["code"]:
        found.append("modelcheck itself has changed since")
    texts = then.get("texts", {})
    found += [f"{file} has changed since" for file in now["texts"] if texts.get(file) != now["texts"][file]]
    found += [f"{file} is no longer part of it" for file in texts if file not in now["texts"]]
    found += changed(read)
    if not found:  # else it is no wonder
        constants = dict.fromkeys([*then.get("constants", {}), *now["constants"]])
        other = [name for name in constants if then.get("constants", {}).get(name) != now["constants"].get(name)]
        found += [f"{name} has another value than then" for name in other]
    for name in dict.fromkeys([*now, *then]):
        if name not in MADE_BY and then.get(name) != now.get(name):
            found.append(_other(name, then.get(name), now.get(name)))
    return "; ".join(found)


def changed(read: dict[str, str]) -> list[str]:
    """What is not any more as it was read."""
    return [
        "it was run in another folder" if name == HERE else f"{told(name)}, which it reads, has changed since"
        for name, digest in read.items()
        if look(name)[0] != digest
    ]


def _other(name: str, then: Any, now: Any) -> str:
    texts = [value if isinstance(value, str) else json.dumps(value).strip("[]") for value in (then, now)]
    return f"the {name} differ" if max(map(len, texts)) > LONGEST else f"{name} was {texts[0]}, and is {texts[1]}"


# --- what was asked --------------------------------------------------------------------------------------------------


def _asked(request: Request) -> Fingerprint:
    """Every field of the request, of its settings and of its policy, so that none is forgotten that is new."""
    asked: Fingerprint = {}
    for field in fields(request):
        value = getattr(request, field.name)
        if isinstance(value, (Settings, Policy)):
            asked.update(
                (CALLED.get(inner.name, inner.name), _plain(getattr(value, inner.name))) for inner in fields(value)
            )
        elif field.name not in BESIDE_THE_POINT:
            asked[CALLED.get(field.name, field.name)] = _plain(value)
    asked.update((f"parameter {name}", _plain(value)) for name, value in request.settings.parameters)
    del asked["parameters"]
    return asked


def _plain(value: Any) -> Any:
    """A value as JSON has it. Different values may look alike only where one run cannot have both."""
    if isinstance(value, Property):
        return [value.name, value.kind, value.claim]
    if isinstance(value, Topology):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    if value is None or type(value) in (bool, int, str):
        return value
    return int(value) if isinstance(value, int) else repr(value)


# --- texts -----------------------------------------------------------------------------------------------------------


@cache
def _own_code() -> str:
    """The code of modelcheck."""
    package = Path(__file__).parent.parent
    return _digest(*(path.read_bytes() for path in sorted(package.rglob("*.py"))))


class ReadSources:
    """The files a run is made of: the model's, those of its specifications, and of the modules they import, directly or not."""

    def __init__(self, module: str, file: Path, specs: list[Path]) -> None:
        self.model = str(file.resolve())
        self.digests: dict[Path, str] = {}
        self.modules: dict[Path, ModuleType] = {}
        package = getattr(sys.modules.get(module), "__package__", None) or ""
        pending: list[tuple[Path, str, ModuleType | None]] = [(file, package, sys.modules.get(module))]
        pending += [(spec, "", None) for spec in specs]
        for path, package, imported in pending:  # grows while it is walked along
            path = path.resolve()
            if path in self.digests:
                continue
            text, imported = self._take(path, imported)
            if path.suffix == ".py":
                pending += self._beside(text, package, imported)

    def _take(self, path: Path, imported: ModuleType | None) -> tuple[bytes, ModuleType | None]:
        """Its text as it was run, and the module it was made into."""
        just_read = loading.loaded.get(str(path))
        text, changed = b"", True
        if just_read is not None and (imported is None or imported is just_read.module):
            text, imported, changed = just_read.text, just_read.module, False
        else:
            with contextlib.suppress(OSError):
                text = path.read_bytes()
                young = path.stat().st_mtime > psutil.Process().create_time()
                changed = young and not is_as_it_was_read(str(path))
        # what was imported before it changed is not what is in the file: that resembles nothing
        self.digests[path] = _digest(text, os.urandom(16) if changed else b"")
        if imported is not None:
            self.modules[path] = imported
        return text, imported

    def _beside(
        self, text: bytes, package: str, imported: ModuleType | None
    ) -> Iterator[tuple[Path, str, ModuleType | None]]:
        """The modules that a text imports or that its module has got hold of, those that are installed left out unless they are bundled models."""
        for name in loading.files_of(imported.__name__) if imported is not None else ():
            file, _ = loading.text_of(name) or ("", b"")
            yield Path(file), "", sys.modules[name]
        for module in (*map(sys.modules.get, _imported(text, package)), *_within_reach(imported)):
            place = getattr(module, "__file__", None)
            if isinstance(place, str) and is_of_the_user(place):
                yield Path(place), getattr(module, "__package__", None) or "", module

    @property
    def texts(self) -> dict[str, str]:
        """The digests of the files, by name."""
        return _together((path.name, digest) for path, digest in self.digests.items())

    @property
    def constants(self) -> dict[str, str]:
        """Digests of what the code of the files has made of whatever it looked at, the clock for one: the data in their modules, by name."""
        return _together(
            (f"{name} of {path.name}", _digest(repr(plain_data(value, {})).encode(errors="surrogateescape")))
            for path, module in self.modules.items()
            for name, value in sorted(vars(module).items())
            if not name.startswith("__") and not _is_ours(value)
        )

    def read(self) -> tuple[dict[str, str], list[str]]:
        """What else its code has read up to now, and what of it cannot be read again."""
        read, beyond = read_by(map(str, self.digests))
        return {
            name: digest for name, digest in read.items() if Path(name.removeprefix(FILE)) not in self.digests
        }, beyond


def _together(digests: Iterable[tuple[str, str]]) -> dict[str, str]:
    """By name. Several files may have one name: then it matters which of them, in the order in which they are come to, has which."""
    found: dict[str, list[str]] = {}
    for name, digest in digests:
        found.setdefault(name, []).append(digest)
    return {name: "+".join(several) for name, several in sorted(found.items())}


def _is_ours(value: object) -> bool:
    module = str(getattr(value, "__module__", ""))
    return isinstance(value, ModuleType) or module == "modelcheck" or module.startswith("modelcheck.")


def _within_reach(module: ModuleType | None) -> Iterator[ModuleType | None]:
    for value in list(vars(module).values()) if module is not None else ():
        if isinstance(value, ModuleType):
            yield value
        elif isinstance(found := getattr(value, "__module__", None), str):
            yield sys.modules.get(found)


def _imported(text: bytes, package: str) -> Iterator[str]:
    """The names of all modules that may be meant by the imports of a text."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            with contextlib.suppress(ImportError):
                base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
                names = [f"{base}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            yield from (".".join(parts[: k + 1]) for k in range(len(parts)))


def plain_data(value: Any, seen: dict[int, int]) -> Any:
    """Of a value what is data, the same in every process that makes the same; of anything else its type."""
    kind = type(value)
    if value is None or kind in (bool, int, float, complex, str, bytes):
        return kind.__name__, value
    if id(value) in seen:
        return "again", seen[id(value)]
    seen[id(value)] = len(seen)
    if kind in (list, tuple):
        return kind.__name__, [plain_data(item, seen) for item in value]
    if kind in (set, frozenset):
        return kind.__name__, sorted(repr(plain_data(item, {})) for item in value)
    if kind is dict:
        return "dict", [(plain_data(key, seen), plain_data(item, seen)) for key, item in value.items()]
    if isinstance(value, type):
        own = (
            vars(value).items()
            if is_of_the_user(getattr(sys.modules.get(value.__module__), "__file__", None) or "<")
            else ()
        )
        return value.__qualname__, [
            (name, plain_data(item, seen)) for name, item in own if not name.startswith(("__", "_abc"))
        ]
    if isinstance(value, FunctionType):
        parts = (value.__defaults__, value.__kwdefaults__, *map(_contents, value.__closure__ or ()))
        return value.__qualname__, [plain_data(part, seen) for part in parts]
    with contextlib.suppress(TypeError):
        return kind.__qualname__, hashlib.sha256(memoryview(value)).hexdigest()
    inner = getattr(value, "__dict__", None)
    return kind.__qualname__, plain_data(inner, seen) if type(inner) is dict else None


def _contents(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _digest(*texts: bytes) -> str:
    found = hashlib.sha256()
    for text in texts:
        found.update(hashlib.sha256(text).digest())
    return found.hexdigest()[:32]
