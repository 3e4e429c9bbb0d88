"""Puts the page together. Nothing is fetched: Pyodide comes from the file or the folder that is named."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from ..catalog import bundled, first_line
from ..errors import UsageError
from ..loading import model_files, spec_files
from ..version import __version__

ASSETS = Path(__file__).parent / "assets"
PACKAGE = Path(__file__).parents[1]
GET_IT = "`npm pack pyodide` fetches it, and `--pyodide pyodide-....tgz` names what it has written"
# Of its npm package; the first of those that two versions call differently.
PYODIDE = (("pyodide.mjs",), ("pyodide.asm.mjs", "pyodide.asm.js"), ("pyodide.asm.wasm",), ("python_stdlib.zip",), ("pyodide-lock.json",), ("package.json",))  # fmt: skip
LIBRARIES = ("rich", "jinja2", "markupsafe", "pygments", "networkx")
_OF_PYGMENTS = ("lexers/__init__", "lexers/_mapping", "lexers/python", "formatters/__init__", "formatters/_mapping", "formatters/html",
    "styles/__init__", "styles/_mapping", "styles/default", "filters/__init__")  # fmt: skip
_NOT_THERE = ("vendor", "__pycache__", "compiled", "cluster", "web", "mcp", "grading", "cli", "export")


@dataclass(frozen=True)
class Built:
    """What was written: how many bytes there are of Python, and how many of modelcheck and what it needs; `packed` as a browser
    gets them from a server that compresses."""

    python: int
    modelcheck: int
    packed: int
    version: str  # of Pyodide


def build(folder: Path, pyodide: Path) -> Built:
    """Writes the page into a folder, which is made if need be. Raises UsageError where one of both is not what it should be."""
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / "worker.js").is_file())):
        raise UsageError(f"{folder} is something else already: name a folder that is new, empty, or was written so")
    taken = _pyodide(pyodide)
    packed = archive()
    try:
        (folder / "pyodide").mkdir(parents=True, exist_ok=True)
        for name, data in taken.items():
            (folder / "pyodide" / name).write_bytes(data)
        for asset in sorted(ASSETS.iterdir()):
            (folder / asset.name).write_bytes(asset.read_bytes())
        (folder / "modelcheck.zip").write_bytes(packed)
        (folder / "models.json").write_text(json.dumps(_models()), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}") from None
    python = sum(map(len, taken.values()))
    return Built(python, len(packed), len(packed) + sum(map(_packed, taken.values())), json.loads(taken["package.json"])["version"])  # fmt: skip


def _packed(data: bytes) -> int:
    import zlib

    return len(zlib.compress(data, 6))


def _pyodide(where: Path) -> dict[str, bytes]:
    """The files that are needed, by name."""
    try:
        if where.is_dir():
            there = {file.name: file.read_bytes() for file in where.iterdir() if file.is_file()}
        elif where.is_file():
            with tarfile.open(where) as tar:
                members = [member for member in tar.getmembers() if member.isfile() and member.name.count("/") == 1]
                there = {Path(m.name).name: file.read() for m in members if (file := tar.extractfile(m)) is not None}
        else:
            raise UsageError(f"there is no {where}; {GET_IT}")
    except (OSError, tarfile.TarError) as error:
        raise UsageError(f"{where} is not Pyodide's npm package ({error}); {GET_IT}") from None
    chosen = [next((name for name in names if name in there), names[0]) for names in PYODIDE]
    missing = [name for name in chosen if name not in there]
    if missing:
        raise UsageError(f"{where} has no {missing[0]}, so it is not Pyodide's npm package; {GET_IT}")
    return {name: there[name] for name in chosen}


def archive() -> bytes:
    """modelcheck, as far as the reference engine and reports need it, its models and specifications, and the libraries; Python alone,
    of each file always the same bytes."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as written:
        for name, file in sorted(_files()):
            written.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), file.read_bytes(), zipfile.ZIP_DEFLATED, 6)
    return found.getvalue()


def _files() -> Iterator[tuple[str, Path]]:
    for file in PACKAGE.rglob("*"):
        inside = file.relative_to(PACKAGE)
        if file.is_file() and not {*_NOT_THERE, "models", "specs"} & set(inside.parts[:-1]):
            yield f"modelcheck/{inside.as_posix()}", file
    for path in model_files().values():
        yield f"modelcheck/models/{path.parent.name}/{path.name}", path
    for path in spec_files().values():
        yield f"modelcheck/specs/{path.name}", path
    for library in LIBRARIES:
        found = find_spec(library)
        assert found is not None, "they are installed with modelcheck"
        root = Path(str(found.origin)).parent
        for file in (*root.rglob("*.py"), *root.rglob("*.gz")):
            of_it = file.relative_to(root).with_suffix("").as_posix()
            if "tests/" in of_it or not of_it.isascii():
                continue
            if library != "pygments" or "/" not in of_it or of_it in _OF_PYGMENTS:
                yield f"{library}/{of_it}{file.suffix}", file


def _models() -> dict[str, object]:
    """The bundled protocols, each with its title and its text."""
    import ast

    texts = {name: path.read_text(encoding="utf-8") for name, path in bundled()}
    folders = {name: path.parent.name for name, path in bundled()}
    models = [{"name": name, "folder": folders[name], "title": first_line(ast.get_docstring(ast.parse(text))), "text": text} for name, text in texts.items()]  # fmt: skip
    return {"version": __version__, "models": models}
