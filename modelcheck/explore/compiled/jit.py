"""Compiling with Numba, and where compiled code is kept from run to run.

Numba keeps the code of a function under the text of the one file that the function stands in. What it calls, and the constants that
are compiled into it, may stand in another: after a change there old code would go on being used. So the folder in which code is kept is
named after the text of every file here and of the engine of sets, and after the versions of what compiles it. A folder that has not been used for a month is
removed.

It lies in the folder that NUMBA_CACHE_DIR names, else in the user's folder for caches, else in a temporary one that belongs to nobody else:
compiled code is code, and is run. Where none of them can be written, code is compiled anew in every run.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
import numpy as np
from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])
SOURCES = Path(__file__).parent, Path(__file__).parents[1] / "sets"  # all that is compiled
NAME = "modelcheck-"
UNUSED = 30 * 24 * 3600.0  # seconds after which the code of another version is removed
_kept: set[str] = set()  # kinds of worlds


def jit(*, counts: bool = True, **options: Any) -> Callable[[Function], Function]:
    """Numba's `njit`, without the interpreter's lock, the code kept in `folder()`.

    If not `counts` nobody counts who uses an array: for functions that make none, and keep none. To take an array out of a tuple, or a row
    out of an array, costs two atomic operations otherwise, which can be most of what a short loop does.
    """
    if not counts:
        options["_nrt"] = False

    def decorate(function: Function) -> Function:
        if numba.config.DISABLE_JIT:
            return function
        where = folder()
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(where or "")
        try:
            options["no_cfunc_wrapper"] = True  # nobody calls it from C
            compiled: Function = njit(cache=where is not None, nogil=True, **options)(function)
        finally:
            numba.config.CACHE_DIR = before
        if where is not None:
            _save_one_at_a_time(compiled, where)
        return compiled

    return decorate


def _save_one_at_a_time(compiled: Any, where: Path) -> None:
    """Numba looks for a file that is free, and then writes it: of two processes at it each would find the code of the other under its own name,
    and call it."""
    kept = compiled._cache
    save = kept.save_overload

    def alone(signature: Any, data: Any) -> None:
        with (
            _locked(where / "lock"),
            contextlib.suppress(OSError),
        ):  # a full disk, or a folder that others write: nobody needs it kept
            save(signature, data)

    kept.save_overload = alone


@contextlib.contextmanager
def _locked(file: Path) -> Iterator[None]:
    """While this process, and this thread of it, is the only one that has the file locked; where none can be, nobody waits."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):
            stream = held.enter_context(open(file, "ab"))
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(stream.fileno(), msvcrt.LK_LOCK, 1)
            else:
                import fcntl

                fcntl.flock(stream, fcntl.LOCK_EX)
        yield  # closing the file gives it free


@cache
def folder() -> Path | None:
    """Where compiled code is kept; None where it cannot be."""
    key = digest(*SOURCES)
    for root in _roots() if key else ():
        with contextlib.suppress(OSError):
            found = root / (NAME + key)
            if not found.is_dir():
                found.mkdir(parents=True, exist_ok=True)
                _clear(root)
            os.utime(found)  # it is in use
            with tempfile.TemporaryFile(dir=found):
                return found
    return None


def is_kept(kind: str) -> bool:
    """Whether what explores worlds of this kind need not be compiled any more, here or where the folder is shared; so too where nothing is
    compiled, or nothing can be kept."""
    where = folder()
    if kind not in _kept and not numba.config.DISABLE_JIT and where is not None and not _mark(where, kind).exists():
        return False
    _kept.add(kind)
    return True


def keep(kind: str) -> None:
    """Notes that what explores worlds of this kind is compiled, for other processes too."""
    where = folder()
    if kind not in _kept and where is not None:
        with contextlib.suppress(OSError):
            _mark(where, kind).touch()
    _kept.add(kind)


def _mark(where: Path, kind: str) -> Path:
    """The file that tells of it: code is of use to one kind of processor."""
    return where / f"{kind} {llvmlite.binding.get_host_cpu_name()}"


def digest(*folders: Path) -> str:
    """Of all that compiled code depends on; empty where the text cannot be read."""
    files = [file for folder in folders for file in sorted(folder.glob("*.py"))]
    if not files:
        return ""
    versions = sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__
    total = hashlib.sha256(repr(versions).encode())
    for file in files:
        text = file.read_bytes()
        total.update(f"{file.name} {len(text)}\n".encode() + text)
    return total.hexdigest()[:16]


def _roots() -> Iterator[Path]:
    """The folders that may hold the code, the best first."""
    if numba.config.CACHE_DIR:
        yield Path(numba.config.CACHE_DIR)
    if sys.platform == "win32":
        caches = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        caches = os.path.expanduser("~/Library/Caches")
    else:  # https://specifications.freedesktop.org/basedir-spec
        caches = os.environ.get("XDG_CACHE_HOME", "")
        caches = caches if os.path.isabs(caches) else os.path.expanduser("~/.cache")
    if os.path.isabs(caches):
        yield Path(caches) / "modelcheck"
    with contextlib.suppress(OSError):
        yield _temporary()


def _temporary() -> Path:
    """A temporary folder that only this user can write to. Raises OSError where there is none."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    found = Path(tempfile.gettempdir()) / f"modelcheck-of-{user}"
    with contextlib.suppress(FileExistsError):
        found.mkdir(mode=0o700)
    about = found.lstat()
    ours = not hasattr(os, "getuid") or (about.st_uid == user and not about.st_mode & 0o077)
    if not (stat.S_ISDIR(about.st_mode) and ours):
        raise PermissionError(f"{found} is somebody else's")
    return found


def _clear(root: Path) -> None:
    """Removes the code of versions that nobody has used for long."""
    for other in root.glob(NAME + "[0-9a-f]" * 16):
        with contextlib.suppress(OSError):
            if time.time() - other.stat().st_mtime > UNUSED:
                shutil.rmtree(other, ignore_errors=True)
