"""Between two worlds a run can be left, and gone on with another day, in another process.

A checkpoint is the memory of a run (memory.py) and what the run was asked (fingerprint.py). The file is two lines of JSON, a header with the checksum of the other, and the other. It is replaced as a
whole or not at all, so that a run that is killed while it writes leaves the checkpoint before.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import math
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..explore.limits import Meter
from ..reads import adopt
from .fingerprint import Fingerprint, difference, fingerprint, question, sources
from .memory import Done, Memory, as_text, as_texts
from .request import Request
from .result import Kept

FORMAT = 3
INTERVAL = 10.0  # seconds from the beginning to the first checkpoint, and at least as many from one to the next


# --- the file --------------------------------------------------------------------------------------------------------


def record(
    asked: Fingerprint, read: dict[str, str], memory: Memory, arguments: Mapping[str, Any] | None = None
) -> bytes:
    """A checkpoint, as it stands in a file."""
    body = json.dumps({"asked": asked, "read": read, "known": memory.data(), "arguments": arguments}).encode()
    header = json.dumps({"modelcheck checkpoint": FORMAT, "sha256": hashlib.sha256(body).hexdigest()}).encode()
    return header + b"\n" + body + b"\n"


def write(
    file: Path, asked: Fingerprint, read: dict[str, str], memory: Memory, arguments: Mapping[str, Any] | None = None
) -> None:
    """Puts a checkpoint in the place of the one before, as a whole. Raises OSError where it cannot. `arguments` of `check` are kept with it."""
    import tempfile  # which takes a while to import

    text = record(asked, read, memory, arguments)
    file.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(number, "wb") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(name, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    with contextlib.suppress(OSError):  # some systems cannot open a folder
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def read(file: Path) -> tuple[Fingerprint, dict[str, str], Memory] | None:
    """What a file holds; None where there is none. Raises UsageError, with its name, for one that is no checkpoint."""
    try:
        if file.exists() and not file.is_file():
            raise UsageError(f"{file} is no file")
        text = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"the checkpoint {file} cannot be read: {error.strerror}") from None
    except ValueError:  # half a character, or a zero
        raise UsageError(f"{str(file)!a} is no name that a file can have") from None
    return parse(text, file)


def parse(text: bytes, file: Path) -> tuple[Fingerprint, dict[str, str], Memory]:
    """The same of the content of a file. Raises UsageError."""
    header, _, body = text.partition(b"\n")
    try:
        about = json.loads(header)
        version, checksum = about["modelcheck checkpoint"], about["sha256"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UsageError(f"{file} is no checkpoint of modelcheck, or the beginning of one is damaged") from None
    if body[-1:] != b"\n" or hashlib.sha256(body[:-1]).hexdigest() != checksum:
        raise UsageError(f"the checkpoint {file} is damaged; {START_AGAIN}")
    try:
        if version != FORMAT:
            raise ValueError(f"format {version}")
        data = json.loads(body)
        asked = {as_text(name): value for name, value in data["asked"].items()}
        for made_of in ("texts", "constants"):
            asked[made_of] = as_texts(asked[made_of])
        return asked, as_texts(data["read"]), Memory.read(data["known"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        raise UsageError(f"the checkpoint {file} was written by another version of modelcheck; {START_AGAIN}") from None


def arguments(file: Path) -> dict[str, Any]:
    """The arguments of `check` for the run that wrote this file, which can be read; nothing where they are not kept."""
    found = json.loads(file.read_bytes().partition(b"\n")[2]).get("arguments")
    return found if isinstance(found, dict) else {}


START_AGAIN = "delete it, and start again without --resume"


# --- keeping it ------------------------------------------------------------------------------------------------------


def _silently(_: str) -> None:
    pass


@dataclass(frozen=True)
class Keeping:
    """How a run keeps checkpoints: in `place`, which is a file that was `named`, or a folder with a file for every question.

    `interval` is in seconds, and writing takes at most one part in `share` of the time. What has to be verified before anything
    can be written is kept below `behind` seconds of work; where it takes longer than `haste` when a run is stopped, the user is told. `tell` takes
    sentences for the user. `arguments` of `check`, where they are given, are kept with it, and so is what is known when
    all is done.
    """

    place: Path
    named: bool = True
    resume: bool = False
    interval: float = INTERVAL
    share: int = 20
    behind: float = 0.4
    haste: float = 1.0
    arguments: Mapping[str, Any] | None = None
    tell: Callable[[str], None] = _silently


class Keeper:
    """Keeps the checkpoint of one run."""

    def __init__(self, keeping: Keeping, request: Request) -> None:
        self._keeping = keeping
        self._sources = sources(request)
        self._asked = fingerprint(request, self._sources)
        self.file = keeping.place
        if not keeping.named:
            self.file = keeping.place / f"{request.model.name.replace(':', '-')}-{question(request)}.json"
        self.worlds = 0  # that are done according to the file
        self.lock = threading.Lock()  # for whoever writes
        self._trouble = ""  # why the file was not written
        self.unverified = False  # what the worlds done rest on, when it was last to be
        self._over = False
        self._resumes = False
        self._next = time.monotonic() + keeping.interval

    def open(self) -> Memory:
        """What was known when the run was left that is to be resumed; nothing otherwise.

        Raises UsageError where the file is damaged, no checkpoint, or that of another run.
        """
        resume, tell = self._keeping.resume, self._keeping.tell
        strict = resume or self._keeping.named  # in the folder whatever is of no use is written anew
        try:
            found = read(self.file)
        except UsageError:
            if strict:
                raise
            return Memory()
        if found is None:
            if resume:
                tell(f"there is nothing to resume, so the run begins: there is no checkpoint {self.file}")
            return Memory()
        asked, read_then, memory = found
        differs = difference(asked, read_then, self._asked) or self._beyond()
        if differs and strict:
            remedy = "run it as it was begun, or start again without --resume"
            if not resume:
                remedy = "name another file, or delete it"
            raise UsageError(f"the checkpoint {self.file} is that of another run: {differs}; {remedy}")
        if differs:
            return Memory()
        self.worlds = memory.done.worlds
        if resume:
            adopt(self._sources.model, read_then)
            self._resumes = True
            tell(f"resumed: {_worlds(self.worlds)} done already")
            return memory
        tell(f"{_worlds(self.worlds)} done already, by a run that was left: --resume goes on from there")
        return Memory()

    @property
    def of_a_part(self) -> bool:
        """Whether the file is to be joined with others (parts.py)."""
        return self._keeping.arguments is not None

    @property
    def due(self) -> bool:
        return time.monotonic() >= self._next and not self._over

    def wants(self, done: Done) -> bool:
        """Whether these are more worlds than the file holds, be they of this run or of one that was left."""
        return (done.worlds > self.worlds or self.of_a_part) and not self._over

    def _beyond(self) -> str:
        """Why nobody can tell whether a later run would see what this one saw."""
        _, beyond = self._sources.read()
        return "; ".join(f"the model {what}" for what in beyond)

    def check(self) -> None:
        """Raises UsageError where what this run and those it resumes have found cannot be put together."""
        if self._resumes and (beyond := self._beyond()):
            raise UsageError(
                f"what was found before and what was found since {self.file} was resumed do not belong together: {beyond}; "
                "start again without --resume"
            )

    def write(self, memory: Memory) -> None:
        """Writes a checkpoint; where that fails, or would be of no use, the run goes on without."""
        if beyond := self._beyond():
            self._over, self._trouble = True, f"{beyond}, so nobody can tell whether a run that goes on sees the same"
            return
        try:
            write(self.file, self._asked, self._sources.read()[0], memory, self._keeping.arguments)
        except OSError as error:
            trouble = f"{self.file} cannot be written: {error.strerror}"
            if trouble != self._trouble:
                self._keeping.tell(f"the run goes on without a checkpoint, for {trouble}")
            self._trouble = trouble
        else:
            self.worlds, self._trouble = memory.done.worlds, ""

    def rest(self, began: float) -> None:
        """Until the next checkpoint, after one that was begun at this moment."""
        now = time.monotonic()
        self._next = now + max(self._keeping.interval, self._keeping.share * (now - began))

    def give_up(self, why: str) -> None:
        """Nothing that was found can be trusted."""
        self.remove()
        self._over, self._trouble = True, why

    def remove(self) -> None:
        """The run has ended: there is nothing to resume. What runs left that were killed while they wrote goes too."""
        if self.worlds:
            unfinished = self.file.parent.glob(f".{glob.escape(self.file.name)}.*")
            with contextlib.suppress(OSError):
                for file in (self.file, *unfinished):
                    file.unlink(missing_ok=True)
        self.worlds = 0

    @property
    def behind(self) -> float:
        """How many seconds it may take to verify what could be written."""
        return math.inf if self._over else self._keeping.behind

    def last(self, meter: Meter) -> Callable[[], bool]:
        """Says of the last checkpoint of a run that was stopped whether it is to be given up. It is not, so that no world is lost, unless Ctrl-C is
        typed meanwhile: after a Ctrl-C the next one raises KeyboardInterrupt. If it takes long the user is told why."""
        late, interrupted, told = time.monotonic() + self._keeping.haste, meter.interrupted, False

        def given_up() -> bool:
            nonlocal told
            if not told and time.monotonic() > late:
                again = " again" if interrupted else ""
                self._keeping.tell(
                    f"what was found is verified before it is kept for --resume; Ctrl-C{again} does without"
                )
                told = True
            return meter.interrupted and not interrupted

        return given_up

    @property
    def kept(self) -> Kept:
        named = ("--checkpoint", str(self._keeping.place)) if self._keeping.named else ()
        trouble = self._trouble or ("there was no time to verify what was found in them" if self.unverified else "")
        return Kept(str(self.file), self.worlds, (*named, "--resume"), trouble)


def _worlds(number: int) -> str:
    return f"{number:,} world is" if number == 1 else f"{number:,} worlds are"
