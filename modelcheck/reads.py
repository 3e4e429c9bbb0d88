"""What a model's code reads from outside: files, folders and variables of the environment, and what cannot be read again.

A run that is resumed must see what it saw before it was left. What that is, is not guessed but noticed as it happens: by an audit
hook (PEP 578) and, for the environment, by the class of `os.environ`. Whose code it was is seen from the stack: that of every file on it, up to the
first frame of modelcheck, that is neither modelcheck's nor part of Python or of an installed package. What an installed package does whenever
Python collects garbage (`gc.callbacks`) has nothing to do with whose code that happens to interrupt.

    a file      its content as it was when it was opened, whoever then reads it (Python, C, SQLite, a memory map); one that was not there
    a module    likewise, however it is imported
    a folder    the names in it
    a variable  of the environment; where all are gone through, all but those that differ from one terminal to the next

Not noticed are a file's existence and its times, the clock, and what an extension in C does by itself: of these only what the model makes of
them can be compared (fingerprint.py).
"""

from __future__ import annotations

import gc
import hashlib
import os
import stat
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.util import source_from_cache
from pathlib import Path
from types import FrameType
from typing import IO, Any

Seen = tuple[str, Any]  # the digest of something outside, and what tells whether it was touched since

TERMINAL = frozenset(
    [
        "_",
        "COLUMNS",
        "COLORTERM",
        "DBUS_SESSION_BUS_ADDRESS",
        "DISPLAY",
        "LINES",
        "LS_COLORS",
        "OLDPWD",
        "PWD",
        "SHLVL",
        "SSH_CLIENT",
        "SSH_CONNECTION",
        "SSH_TTY",
        "STY",
        "TERM",
        "TERM_PROGRAM",
        "TERM_PROGRAM_VERSION",
        "TERM_SESSION_ID",
        "TMUX",
        "TMUX_PANE",
        "VTE_VERSION",
        "WINDOWID",
        "XDG_SESSION_ID",
    ]
)
LOADED = "modelcheck_file_"  # how the names begin of modules made of files that were asked for
LOADING, IMPORT = (
    "modelcheck.loading",
    "_Import.__call__",
)  # what makes them, and what goes on whenever one of them imports
FOLDER, FILE, VARIABLE, ENVIRONMENT, HERE = (
    "the folder ",
    "the file ",
    "the environment variable ",
    "the environment",
    "the working folder",
)
# Of these events nothing can be seen again; those that begin so as well.
BEYOND = {
    "socket.": "opens a connection",
    "subprocess.Popen": "starts a program",
    "os.system": "starts a program",
    "os.exec": "starts a program",
    "os.posix_spawn": "starts a program",
    "os.spawn": "starts a program",
    "os.startfile": "starts a program",
    "os.fork": "starts a process",
    "pty.spawn": "starts a program",
    "builtins.input": "reads standard input",
    "ctypes.dlopen": "loads a library in C",
    "winreg.": "reads the registry",
}


class Notes:
    """What the code of one file was seen to read, and what it did that cannot be seen again, in words: while it was loaded or a module was
    imported, which happens once, or since a run began."""

    def __init__(self) -> None:
        self.once: dict[str, Seen] = {}
        self.since: dict[str, Seen] = {}
        self.beyond: dict[str, bool] = {}  # whether that was once

    @property
    def seen(self) -> dict[str, Seen]:
        return {**self.since, **self.once}


_notes: dict[str, Notes] = {}  # by file
_lock = threading.Lock()
_noting = threading.local()  # `on` while a thread notes something, for that opens files itself


# --- asking ----------------------------------------------------------------------------------------------------------


def read_by(files: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """What the code of these files has read up to now, as digests; and what of it cannot be read again, in words."""
    seen: dict[str, Seen] = {}
    beyond: dict[str, bool] = {}
    with _lock:
        for notes in filter(None, map(_notes.get, files)):
            seen.update(notes.seen)
            beyond.update(notes.beyond)
    touched = [name for name, then in seen.items() if look(name, then) != then]
    return (
        {name: digest for name, (digest, _) in sorted(seen.items())},
        [*beyond, *(f"reads {told(name)}, which has changed since it was first read" for name in touched)],
    )


def begin() -> None:
    """A run begins: what was read in earlier ones does not count, what files were loaded with does."""
    with _lock:
        for notes in _notes.values():
            notes.since.clear()
            notes.beyond = {what: once for what, once in notes.beyond.items() if once}


def forget(file: str) -> None:
    """The file is about to be loaded, perhaps again."""
    with _lock:
        _notes.pop(file, None)


def is_as_it_was_read(path: str) -> bool:
    """Whether somebody's code, or an import, was seen to open this file, and nothing has touched it since."""
    name = FILE + path
    with _lock:
        seen = [notes.seen[name] for notes in _notes.values() if name in notes.seen]
    return bool(seen) and all(look(name, then) == then for then in seen)


def adopt(file: str, digests: dict[str, str]) -> None:
    """An earlier run of the code of this file has read this, and it still is what it was."""
    with _lock:
        notes = _notes.setdefault(file, Notes())
        for name, digest in digests.items():
            seen = look(name)
            notes.since.setdefault(name, seen if seen[0] == digest else (digest, None))


def told(name: str) -> str:
    """What was read, in words."""
    return name.removeprefix(FILE).replace(FOLDER, "the names in ")


# --- looking ---------------------------------------------------------------------------------------------------------


def look(name: str, before: Seen | None = None) -> Seen:
    """What there is now under this name; the same as `before` where nothing touched it."""
    if name.startswith(FILE):
        return _file(name.removeprefix(FILE), before)
    if name.startswith(FOLDER):
        return _folder(name.removeprefix(FOLDER)), None
    if name.startswith(VARIABLE):
        return _digest(_variables().get(os.fsencode(name.removeprefix(VARIABLE)))), None
    if name == ENVIRONMENT:
        return _digest(sorted(item for item in _variables().items() if os.fsdecode(item[0]) not in TERMINAL)), None
    return _digest(os.getcwd()), None


def _file(path: str, before: Seen | None) -> Seen:
    try:
        for _ in range(10):
            now = _touched(path)
            if before is not None and before[1] == now:
                return before
            with open(path, "rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()[:32]
            if _touched(path) == now:
                return digest, now
        return f"changes all the time: {now}", None
    except OSError as error:
        return f"none: {error.strerror}", None


def _touched(path: str) -> tuple[int, ...]:
    """What tells whether a file was touched. Raises OSError for what is none."""
    about = os.stat(path)
    if not stat.S_ISREG(about.st_mode):
        raise OSError(0, "no file")
    return about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino


def _folder(path: str) -> str:
    try:
        return _digest(sorted(os.listdir(path)))
    except OSError as error:
        return f"none: {error.strerror}"


def _variables() -> dict[bytes, bytes]:
    data: dict[bytes, bytes] = os.environ._data  # type: ignore[attr-defined]
    return {os.fsencode(name): os.fsencode(value) for name, value in data.copy().items()}


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode(errors="surrogateescape")).hexdigest()[:32]


# --- noticing --------------------------------------------------------------------------------------------------------


@cache
def notice() -> None:
    """From now on it is noticed what models read. There is no way back from an audit hook; one that has nothing to note takes less than a
    microsecond."""
    sys.addaudithook(_hook)
    os.environ.__class__ = _Environment  # it stays the same object, whoever has it
    if hasattr(os, "environb"):
        os.environb.__class__ = _Environment


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    note = _note_of(event)
    if note is not None and not getattr(_noting, "on", False):
        _note(lambda readers: note(event, arguments, readers), sys._getframe(1))


def _note(noter: Callable[[Readers], Iterator[str]], frame: FrameType | None) -> None:
    """Notes what the noter says is read, for all whose code is at it."""
    _noting.on = True
    try:
        readers = Readers(frame)
        if not readers.files:
            return
        for name in noter(readers):
            for notes in readers.notes():
                if not name.startswith((FILE, FOLDER, ENVIRONMENT, HERE)):
                    notes.beyond[name] = notes.beyond.get(name, False) or readers.once
                elif name not in (seen := notes.once if readers.once else notes.since):
                    seen[name] = look(name)
    finally:
        _noting.on = False


class Readers:
    """Whose code is running: the files on the stack above the first frame of modelcheck."""

    def __init__(self, frame: FrameType | None) -> None:
        self.files: list[str] = []
        self.importing = False  # it is the machinery of imports that looks
        self.once = False  # a file is being loaded, or a module imported
        self.through = ""  # an installed package, where it is one that was called and not Python alone
        first = True
        collecting = {getattr(callback, "__code__", None) for callback in gc.callbacks}
        while frame is not None:
            name = str(frame.f_globals.get("__name__"))
            if (name == "modelcheck" or name.startswith("modelcheck.")) and name != LOADING:
                break
            code = frame.f_code  # once: an audit event
            if code in collecting and not self.files:
                break
            if name == LOADING:
                if code.co_qualname == IMPORT:
                    frame = frame.f_back
                    continue
                self.once = True
                break
            file = code.co_filename
            imports = file.startswith("<frozen importlib.")
            self.importing = self.importing or (first and imports)
            self.once = self.once or imports
            first = False
            if name.startswith(LOADED) or is_of_the_user(file):
                self.files.append(file)
            elif not self.files and not file.startswith("<") and not _is_python(file):
                self.through = file
            frame = frame.f_back

    def notes(self) -> list[Notes]:
        with _lock:
            return [_notes.setdefault(file, Notes()) for file in self.files]


@cache
def is_of_the_user(file: str) -> bool:
    """Whether this is a file of somebody's own: what is in Python or in an installed package nobody edits."""
    path = Path(file)
    if file.startswith("<") or {"site-packages", "dist-packages"} & set(path.parts):
        return False
    return not _is_python(file) and not path.resolve().is_relative_to(Path(__file__).parent)


@cache
def _is_python(file: str) -> bool:
    path = Path(file).resolve()
    return path.is_relative_to(Path(os.__file__).resolve().parent) and not {"site-packages", "dist-packages"} & set(
        path.parts
    )


@cache
def _note_of(event: str) -> Callable[[str, tuple[Any, ...], Readers], Iterator[str]] | None:
    if event in ("open", "sqlite3.connect"):
        return _opened
    if event in ("os.listdir", "os.scandir"):
        return _listed
    return _gone_beyond if event.startswith(tuple(BEYOND)) else None


def _opened(event: str, arguments: tuple[Any, ...], readers: Readers) -> Iterator[str]:
    path, _, flags = (*arguments, None, None)[:3]
    flags = flags if isinstance(flags, int) else 0
    writes = flags & (os.O_WRONLY | os.O_RDWR) == os.O_WRONLY or flags & os.O_EXCL
    if (event == "open" and writes) or path == ":memory:":
        return
    if isinstance(path, int):
        if not stat.S_ISREG(os.fstat(path).st_mode):
            yield "reads standard input" if path == 0 else "reads a pipe"
        return  # one that was opened before, and noticed
    try:
        named = os.fsdecode(path)
    except TypeError:
        return
    yield from _of_a_file(named, readers)


def _of_a_file(named: str, readers: Readers) -> Iterator[str]:
    path = os.path.abspath(named)
    if path.endswith(".pyc"):
        try:
            source = source_from_cache(path)
        except ValueError:
            source = path
        path = source if os.path.exists(source) else path
    if not is_of_the_user(path) and not os.path.basename(path).startswith("<"):
        return
    if path.startswith(("/dev/", "/proc/", "/sys/")) or (os.path.exists(path) and not os.path.isfile(path)):
        if not os.path.isdir(path) and path != os.devnull:
            yield f"reads {path}, which is no file"
        return
    if not os.path.isabs(named) and not readers.importing:
        yield HERE
    yield FILE + path


def _listed(_: str, arguments: tuple[Any, ...], readers: Readers) -> Iterator[str]:
    path = arguments[0] if arguments[0] is not None else "."
    if readers.importing or isinstance(path, int):
        return
    named = os.fsdecode(path)
    if not os.path.isabs(named):
        yield HERE
    yield FOLDER + os.path.abspath(named)


def _gone_beyond(event: str, arguments: tuple[Any, ...], readers: Readers) -> Iterator[str]:
    if event == "ctypes.dlopen" and (readers.through or arguments[0] is None):  # a package's own, which is installed
        return
    yield next(words for begin, words in BEYOND.items() if event.startswith(begin))


class _Environment(os._Environ):  # type: ignore[type-arg]
    """`os.environ`, which notes what models look at."""

    def __getitem__(self, key: Any) -> Any:
        if not getattr(_noting, "on", False):
            named = VARIABLE + (os.fsdecode(key) if isinstance(key, (str, bytes)) else "")
            _note(lambda _: iter([named]), sys._getframe(1))
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[Any]:
        if not getattr(_noting, "on", False):
            _note(lambda _: iter([ENVIRONMENT]), sys._getframe(1))
        return super().__iter__()

    def __repr__(self) -> str:
        iter(self)
        return super().__repr__()


class Input:
    """Standard input, which notes that a model reads it."""

    def __init__(self, stream: IO[str] | None) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        if not getattr(_noting, "on", False):
            _note(lambda _: iter(["reads standard input"]), sys._getframe(1))
        return getattr(self._stream, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.__getattr__("readline"), "")
