"""What a run was asked, as data. Runs with equal fingerprints explore the same worlds, in the same order, and find the same.

In it are the texts of the model, of its specifications and of the modules they import, the version of modelcheck (and its
code, for a checkout of it changes between versions), and everything in the Request that matters for the result.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import psutil

from .. import catalog
from ..errors import UsageError
from ..language.properties import Property
from ..language.topology import Topology
from ..semantics.settings import Settings
from ..semantics.worlds import Policy
from .request import Request

Fingerprint = dict[str, Any]  # plain data, which comes back from JSON as it was

# Fields of a request that say how it was put, or follow from the others.
BESIDE_THE_POINT = ("model", "broken", "options", "expected", "reference", "selected")
MADE_BY = ("modelcheck", "code", "Python", "networkx", "texts")  # not asked for, but the result depends on them
CALLED = {"sizes": "n", "identifiers": "ids", "given": "graphs"}  # as options are
LONGEST = 40  # characters of a value in a sentence


def fingerprint(request: Request) -> Fingerprint:
    """Raises UsageError where there is no file to read the model from."""
    from .. import __version__

    definition = request.model.definition
    given = dict(zip(request.options[::2], request.options[1::2], strict=True)).get("--spec")
    specs = [catalog.spec_path(name) for name in ((given,) if given is not None else definition.specs)]
    file = Path(definition.file)
    if not file.is_file():
        raise UsageError(
            f"a run of {definition.name} cannot be resumed: there is no file with its text to compare with"
        )
    return {
        "model": f"{file.name}:{definition.name}",
        "modelcheck": __version__,
        "code": _own_code(),
        "Python": "{}.{}".format(*sys.version_info),
        "networkx": importlib.metadata.version("networkx"),  # which enumerates trees and graphs
        "texts": _texts(definition.cls.__module__, file, specs),
        **_asked(request),
    }


def question(request: Request) -> str:
    """Tells runs apart that were asked different things, whatever became of the texts in the meantime."""
    definition = request.model.definition
    asked = [str(Path(definition.file).resolve()), definition.name, _asked(request)]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]


def difference(then: Fingerprint, now: Fingerprint) -> str:
    """What tells a run from an earlier one, as half a sentence; nothing where they are the same."""
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
    for name in dict.fromkeys([*now, *then]):
        if name not in MADE_BY and then.get(name) != now.get(name):
            found.append(_other(name, then.get(name), now.get(name)))
    return "; ".join(found)


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


def _texts(module: str, file: Path, specs: list[Path]) -> dict[str, str]:
    """The model's file, its specifications and the files of the modules they import, directly or not, each by its name."""
    found: dict[Path, str] = {}
    package = getattr(sys.modules.get(module), "__package__", None) or ""
    pending = [(file, package, module.startswith(catalog.LOADED)), *((spec, "", True) for spec in specs)]
    for path, package, just_read in pending:  # grows while it is walked along
        path = path.resolve()
        if path in found:
            continue
        text, changed = b"", True
        with contextlib.suppress(OSError):
            text = path.read_bytes()
            changed = not just_read and path.stat().st_mtime > psutil.Process().create_time()
        # what was imported before it changed is not what is in the file: that resembles nothing
        found[path] = _digest(text, os.urandom(16) if changed else b"")
        if path.suffix == ".py":
            pending += _modules(text, package)
    texts: dict[str, list[str]] = {}
    for path, digest in found.items():
        texts.setdefault(path.name, []).append(digest)
    return {name: "+".join(sorted(digests)) for name, digests in sorted(texts.items())}


def _modules(text: bytes, package: str) -> Iterator[tuple[Path, str, bool]]:
    """The files, and packages, of the modules that this text imports, those that are installed left out."""
    for name in _imported(text, package):
        module = sys.modules.get(name)
        place = getattr(module, "__file__", None)
        if place is not None and name.partition(".")[0] != "modelcheck" and not _is_installed(Path(place).resolve()):
            yield Path(place), getattr(module, "__package__", None) or "", False


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


def _is_installed(file: Path) -> bool:
    """Whether it belongs to Python or to an installed package: what is in those the user does not edit."""
    standard = Path(sysconfig.get_path("stdlib")).resolve()
    return bool({"site-packages", "dist-packages"} & set(file.parts)) or file.is_relative_to(standard)


def _digest(*texts: bytes) -> str:
    found = hashlib.sha256()
    for text in texts:
        found.update(hashlib.sha256(text).digest())
    return found.hexdigest()[:32]
