"""Running the library from a command: progress, Ctrl-C, checkpoints, and files that are written."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import UsageError
from ..interrupts import INTERRUPTED
from ..options import STDOUT
from ..reads import Input
from .base import nobody_reads

if TYPE_CHECKING:
    from ..check.checker import Elsewhere
    from ..check.checkpoint import Keeping
    from ..explore.limits import Limits, Meter

Found = TypeVar("Found")


@contextlib.contextmanager
def watched(limits: Limits, describe: Callable[[Meter], str] | None = None) -> Iterator[Meter]:
    """A meter for one search, with progress on standard error; Ctrl-C ends the search."""
    from ..explore.limits import Meter
    from ..interrupts import interruptible
    from ..report.terminal.progress import progress

    with (
        model_prints_to_stderr(),
        progress(describe) as shown,
    ):  # in this order: Rich puts back the stream that it found
        meter = Meter(limits, shown)
        with interruptible(meter):
            yield meter


def found(
    function: Callable[..., Found],
    model: str,
    limits: Limits,
    *,
    describe: Callable[[Meter], str] | None = None,
    **options: Any,
) -> Found:
    """What `check` or `count_messages` finds, with progress on standard error and Ctrl-C leading to a partial one."""
    with watched(limits, describe) as meter:
        try:
            return function(model, meter=meter, **options)
        except KeyboardInterrupt:
            click.echo(f"{meter.reached or 'interrupted'} before there was anything to report", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None


def elsewhere(cluster: str | None) -> Elsewhere | None:
    """Who explores the worlds, where that is a cluster. Raises UsageError for what is no address."""
    if cluster is None:
        return None
    from ..cluster.gathering import Cluster

    return Cluster(cluster)


def keeping(file: str | None, resume: bool) -> Keeping:
    """Checkpoints in the file that was named, or else in the user's folder for what programs remember between runs."""
    from ..check.checkpoint import Keeping

    def tell(sentence: str) -> None:
        click.echo(sentence, err=True)

    if file is not None:
        return Keeping(Path(file), resume=resume, tell=tell)
    if sys.platform == "win32":
        folder = Path(click.get_app_dir("modelcheck", roaming=False))
    else:  # https://specifications.freedesktop.org/basedir-spec
        state = os.environ.get("XDG_STATE_HOME", "")
        folder = Path(state if os.path.isabs(state) else os.path.expanduser("~/.local/state")) / "modelcheck"
    return Keeping(folder / "checkpoints", named=False, resume=resume, tell=tell)


@contextlib.contextmanager
def model_prints_to_stderr() -> Iterator[None]:
    """What a model's code prints must not end up in the middle of a report, and says where it comes from; nor does it read from
    standard input unnoticed."""
    from ..desk.inside import announced

    stdin, sys.stdin = sys.stdin, Input(sys.stdin)
    try:
        with announced(stdin):
            yield
    finally:
        sys.stdin = stdin


def check_writable(option: str, file: str) -> None:
    """Refuses a file that cannot be written, before a long search rather than after it."""
    path = Path(file)
    if file == STDOUT:
        raise UsageError(f"{option} writes a file, and not to standard output")
    try:
        if "\0" in file:
            raise UsageError(f"{option} {file!r}: no file has such a name")
        if path.is_dir():
            raise UsageError(f"{option} {file}: that is a folder")
        if not path.parent.is_dir():
            raise UsageError(f"{option} {file}: there is no folder {path.parent}")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise UsageError(f"{option} {file}: it may not be written")
    except OSError as error:
        raise UsageError(f"{option} {file}: {error.strerror}") from None


def print_text(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        nobody_reads()


def write_file(option: str, file: str, text: str | bytes) -> None:
    data = text.encode("utf-8", errors="backslashreplace") if isinstance(text, str) else text
    try:
        Path(file).write_bytes(data)
    except OSError as error:
        raise UsageError(f"{option} {file}: {error.strerror}") from None
