"""What all kinds of bad input have in common, and what must be so of every answer of the command line."""

from __future__ import annotations

import contextlib
import os
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from click.testing import CliRunner

from modelcheck.cli import cli

EXIT_CODES = {0, 1, 2, 10, 11, 12, 13, 14, 20, 75}  # all that the guide knows but 70, which is a bug of ours
VERDICT = re.compile(r"^(HOLDS|VIOLATED|INCONCLUSIVE)\b", re.M)
Wrong = tuple[str, str]  # what was asked, what is wrong with the answer


@dataclass(frozen=True)
class Complaint:
    """A case that was not answered as it should be: its name, what was asked, what is wrong with the answer."""

    case: str
    asked: str
    wrong: str

    def __str__(self) -> str:
        return f"{self.case}\n  {self.asked}\n  {self.wrong}"


class Kind(Protocol):
    """Makes cases of one kind, in a folder of its own."""

    def __init__(self, folder: Path) -> None: ...
    def tried(self, dice: random.Random) -> Wrong | None: ...


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Works in a folder, with a home there too, so that nothing is written anywhere else."""
    before, state = os.getcwd(), os.environ.get("XDG_STATE_HOME")
    os.chdir(folder)
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    try:
        yield
    finally:
        os.chdir(before)
        if state is None:
            del os.environ["XDG_STATE_HOME"]
        else:
            os.environ["XDG_STATE_HOME"] = state


def typed(words: list[str]) -> Wrong | None:
    """Types a command line, and says what is wrong with the answer."""
    result = CliRunner().invoke(cli, words, prog_name="modelcheck")
    text = result.output
    asked = "modelcheck " + " ".join(
        word if len(word) < 80 else f"{word[:60]}...({len(word)})" for word in map(repr, words)
    )
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return asked, f"it raised {type(result.exception).__name__}: {result.exception}"
    if result.exit_code not in EXIT_CODES:
        return asked, f"exit code {result.exit_code}: {text[-600:]}"
    if "Traceback (most recent call last)" in text and result.exit_code not in (12, 14, 75):
        return asked, f"a traceback, with exit code {result.exit_code}: {text[-600:]}"
    verdicts = set(VERDICT.findall(result.stdout))
    if "--expect" not in words:
        if "HOLDS" in verdicts and result.exit_code != 0:
            return asked, f"HOLDS with exit code {result.exit_code}"
        if verdicts & {"VIOLATED", "INCONCLUSIVE"} and result.exit_code == 0 and words[0] == "run":
            return asked, f"{' and '.join(sorted(verdicts))} with exit code 0"
    return None
