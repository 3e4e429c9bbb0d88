"""Bad input, by chance: command lines, files and addresses that nobody would type, and what must be so whatever is typed.

    python -m tests.fuzz                              a minute of each kind
    python -m tests.fuzz --seconds 3600               an hour in all, shared among the kinds
    python -m tests.fuzz --seed 12345 --only files    the cases of one seed, again
    python -m tests.fuzz --case files:12345:17        one case, as a complaint names it

A kind of input is a module with a class whose `tried(dice)` makes one case, drawn from its dice alone, hands it to the program and says
what is wrong with the answer, or None. A few hundred cases of each run with the other tests (test_fuzz.py); their seed is
fixed, so that a test which fails today failed yesterday.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .command_lines import CommandLines
from .files import Files
from .kind import Complaint, Kind
from .urls import Urls

KINDS: dict[str, type[Kind]] = {"command_lines": CommandLines, "files": Files, "urls": Urls}


def complaints(name: str, seed: int, cases: range) -> Iterator[Complaint | None]:
    """Tries the numbered cases of one kind under a seed, one after another; None for each that is as it should be."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        kind = KINDS[name](Path(folder))
        for number in cases:
            wrong = kind.tried(random.Random(f"{seed} {number}"))
            yield None if wrong is None else Complaint(f"{name}:{seed}:{number}", *wrong)
