"""What the operating system keeps a submission from, should it get out of the language.

Limits (setrlimit, wherever there are any) end what nobody else ends, and keep a single large list from taking the machine's memory. On Linux, from 5.13 on,
Landlock shuts the process in, and whatever it starts: it reads Python, this package and what it is given, writes what it is given (the file that is graded, and compiled code), and, as far as the
kernel knows of that, connects to nobody (6.7) and sends signals to no process but its own (6.12). No rights are needed for it.

Not limited is the number of processes: the system counts those of the user, and one class's would be all that the user has.

Sources: getrlimit(2), prctl(2), https://docs.kernel.org/userspace-api/landlock.html.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

# Megabytes of addresses beyond what is there and what may be used: compiling takes some, and libraries set some aside for each of their threads, of
# which there are as many as cores.
SLACK, SLACK_OF_A_CORE = 2_000, 200
LARGEST = 50_000_000  # bytes of a file that it writes
OPEN = 256  # files at once, pipes among them

_PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 36, 38
_CREATE, _ADD, _RESTRICT = 444, 445, 446  # system calls, by the same numbers on every processor
_READ, _LIST, _RUN = 1 << 2, 1 << 3, 1 << 0
_WRITE = (1 << 1) | (1 << 14)  # to a file that is there: write, shorten
_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}  # over files, by what version of Landlock there is
_NETWORK, _SCOPES = (
    (4, 0b11),
    (6, 0b11),
)  # from which version: to listen and to connect; sockets without a file and signals
_SYSTEM = (  # also where other ways to install Python keep what it is made of
    "/usr",
    "/lib",
    "/lib64",
    "/bin",
    "/nix/store",
    "/gnu/store",
    "/home/linuxbrew/.linuxbrew",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/proc",
    "/sys/devices",
    "/dev/urandom",
    "/dev/zero",
)


def limit(cpu: int, megabytes: int) -> None:
    """From now on this process, and each that it starts, has so many seconds of a processor and may hold so much memory beyond what it has."""
    if sys.platform == "win32":
        return
    import resource

    import psutil

    addresses = (
        psutil.Process().memory_info().vms + (megabytes + SLACK + SLACK_OF_A_CORE * (os.cpu_count() or 1)) * 1_000_000
    )
    for which, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_AS, addresses),
        (resource.RLIMIT_FSIZE, LARGEST),
        (resource.RLIMIT_NOFILE, OPEN),
    ):
        hard = resource.getrlimit(which)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(OSError, ValueError):  # macOS has no limit on addresses
            resource.setrlimit(which, (least, least))


def shut_in(readable: Iterable[Path], writable: Iterable[Path]) -> bool:
    """From now on this thread, and all that comes of it, reads nothing but Python, this package and `readable`, and writes nothing but `writable`: files that
    are there, and folders with what is in them. False where the system cannot do that."""
    if sys.platform != "linux":
        return False
    system = ctypes.CDLL(None, use_errno=True)
    system.prctl(
        _PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0
    )  # what loses its parent stays below this one, where it is found and ended
    system.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)  # no program that it starts has more rights
    version = system.syscall(_CREATE, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return False
    rights = _RIGHTS.get(version, _RIGHTS[3])
    asked = (ctypes.c_uint64 * 3)(rights, *(bits if version >= since else 0 for since, bits in (_NETWORK, _SCOPES)))
    size = ctypes.c_size_t(8 if version < _NETWORK[0] else 16 if version < _SCOPES[0] else 24)
    rules = system.syscall(_CREATE, ctypes.byref(asked), size, 0)
    if rules < 0:
        return False
    try:
        for path in (*map(Path, _SYSTEM), *_python(), *readable):
            _allow(system, rules, path, (_READ | _LIST | _RUN) & rights)
        _allow(system, rules, Path(__file__).parents[2], _LIST)
        for path in (Path("/dev/null"), *writable):
            _allow(system, rules, path, (rights if path.is_dir() else _READ | _WRITE) & rights)
        return bool(system.syscall(_RESTRICT, rules, 0) == 0)
    finally:
        os.close(rules)


def _python() -> Iterable[Path]:
    """Where Python lies, and this package with what comes with it: of the folder that it lies in no more, for students' work may lie there as well."""
    package = Path(__file__).parents[1]
    yield from map(Path, (sys.prefix, sys.base_prefix, sys.exec_prefix))
    yield from (Path(one) for one in sys.path if one and Path(one) != package.parent)
    yield from (package, package.parent / "models", package.parent / "specs")


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("rights", ctypes.c_uint64), ("folder", ctypes.c_int32))


def _allow(system: ctypes.CDLL, rules: int, path: Path, rights: int) -> None:
    """What is not there needs no right."""
    with suppress(OSError):
        there = os.open(path, os.O_PATH | os.O_CLOEXEC)  # type: ignore[attr-defined, unused-ignore]
        try:
            rights &= ~_LIST if not path.is_dir() else ~0
            rule = _Beneath(rights, there)
            system.syscall(_ADD, rules, 1, ctypes.byref(rule), 0)
        finally:
            os.close(there)
