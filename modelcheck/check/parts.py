"""One run in several parts, on as many machines: part i of k explores every k-th world, and what it knows is a file that can be joined.

A part's file is a checkpoint (checkpoint.py), with what `check` was asked for it. Which part a file is of nobody asks: that no world is in two of
them, and which are in none, is known from the worlds.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..language.process import Process
from ..reads import adopt
from ..text.typed import natural
from . import checkpoint
from .fingerprint import Fingerprint, difference, fingerprint, sources
from .memory import Memory
from .request import Asked, Circumstances, Request

MOST = 100_000  # parts


@dataclass(frozen=True)
class Part:
    """Part `number`, from 1, of so many: the orders of its worlds."""

    number: int
    of: int

    @staticmethod
    def read(text: str) -> Part:
        """'2/8'. Raises UsageError for what is no part."""
        number, slash, of = text.partition("/")
        part = Part(natural(number) or 0, natural(of) or 0)
        if not slash or not 1 <= part.number <= part.of <= MOST:
            raise UsageError(f"a part is written 2/8: the second of eight, of at most {MOST:,}; not {text!r}")
        return part

    def __contains__(self, order: object) -> bool:
        return isinstance(order, int) and (order - self.number) % self.of == 0

    def __str__(self) -> str:
        return f"part {self.number} of {self.of}"


def in_plain_data(model: str | type[Process], asked: Asked | Circumstances) -> dict[str, Any]:
    """What is asked, as it comes back from JSON: for others to read. Raises UsageError for what would not."""
    if not isinstance(model, str):
        raise UsageError("a model that others are to explore is a bundled one, or a file")
    sizes = asked.get("n")
    asked["n"] = sizes if sizes is None or isinstance(sizes, int) else list(sizes)
    try:
        found: dict[str, Any] = json.loads(json.dumps({"model": model, **asked}, default=list))
    except (TypeError, ValueError):
        raise UsageError("what is asked of others is told in numbers and texts") from None
    return found


def joined(files: Sequence[Path], request: Request) -> Memory:
    """What the runs know that wrote these files, together. Raises UsageError where one is no part of this run, or a world is in two."""
    found, made_of = Memory(), sources(request)
    now = fingerprint(request, made_of)
    for file in files:
        then, read, memory = _read(file)
        if differs := difference(then, read, now):
            raise UsageError(f"{file} is a part of another run: {differs}")
        adopt(made_of.model, read)
        try:
            found.merge(memory)
        except ValueError as error:
            raise UsageError(f"{file} does not go with the others: {error}") from None
    return found


def asked(files: Sequence[Path]) -> dict[str, Any]:
    """The arguments of `check` for the run that these files are parts of, the model among them. Raises UsageError where they are parts of
    several."""
    if not files:
        raise UsageError("which parts? Each was written by a run with --part and --checkpoint")
    for file in files:
        _read(file)
    found = {file: checkpoint.arguments(file) for file in files}
    first = found[files[0]]
    for file, other in found.items():
        if not other:
            raise UsageError(f"{file} is no part of a run: it was written without --part")
        if other != first:
            names = ", ".join(name for name in {**first, **other} if first.get(name) != other.get(name))
            raise UsageError(f"{file} and {files[0]} are parts of different runs: they were given another {names}")
    return first


def _read(file: Path) -> tuple[Fingerprint, dict[str, str], Memory]:
    found = checkpoint.read(file)
    if found is None:
        raise UsageError(f"there is no file {file}")
    return found
