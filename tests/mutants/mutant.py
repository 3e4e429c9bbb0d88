"""What a mutant is, and how one is tried: in a copy of the project, so that nothing is ever changed in the project itself."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

PROJECT = Path(__file__).parents[2]
COPIED = ("modelcheck", "models", "specs", "tests", "pyproject.toml", "README.md", "CONTRIBUTING.md", "SECURITY.md")

# Which test noticed each mutant when they were last tried (`--remember`): it is asked first. One that does not notice it any more
# costs the time of all the others, and nothing else.
KILLERS = Path(__file__).parent / "killers.txt"

Fate = Literal["killed", "hangs", "lives", "equivalent", "stale", "broken"]


@dataclass(frozen=True)
class Mutant:
    """`before` stands exactly once in `file` (a path within the project) and becomes `after`; `tests` are files, or tests within
    files as pytest names them, of which at least one should fail. With a reason in `equivalent` none can, and none should."""

    name: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]
    equivalent: str = ""

    @property
    def fits(self) -> bool:
        """Whether the place it changes is still there, once."""
        return (PROJECT / self.file).read_text().count(self.before) == 1

    def mutated(self) -> str:
        """The text of its file with the change made."""
        return (PROJECT / self.file).read_text().replace(self.before, self.after)


def remembered() -> dict[str, str]:
    """By the name of a mutant, the test that noticed it."""
    lines = KILLERS.read_text().splitlines() if KILLERS.exists() else []
    return dict(line.split(" ", 1) for line in lines)


def remember(trials: Iterable[Trial]) -> None:
    """Writes down what was found, beside what was known of other mutants."""
    found = remembered() | {trial.mutant.name: trial.by for trial in trials if trial.fate == "killed"}
    KILLERS.write_text("".join(f"{name} {test}\n" for name, test in sorted(found.items())))


@dataclass(frozen=True)
class Trial:
    """What became of a mutant: `by` is the first test that failed, or why there is no answer."""

    mutant: Mutant
    fate: Fate
    by: str
    seconds: float


class Bench:
    """A copy of the project in which one mutant after another is tried. Compiled code is kept beside the copy, so that only a
    mutant of the engine is compiled anew."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._good: set[str] = set()  # tests that pass without a change
        self._killers = remembered()
        for name in COPIED:
            source = PROJECT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.nb[ic]"))
            else:
                shutil.copy2(source, folder / name)

    def passes(self, tests: tuple[str, ...], limit: float) -> tuple[bool | None, str]:
        """Whether these tests pass in the copy as it is, and else the first that does not; None if they take longer than
        `limit` seconds."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "--tb=no", "-p", "no:cacheprovider", *tests]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "PYTHONDONTWRITEBYTECODE": "",
        }
        try:
            ran = subprocess.run(
                command,
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None, f"no answer in {limit:.0f} s"
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", ran.stdout, re.M)
        return ran.returncode == 0, failed[1] if failed else (ran.stdout + ran.stderr).strip().splitlines()[-1]

    def try_out(self, mutant: Mutant, limit: float) -> Trial:
        """Makes the change in the copy, runs the tests, and takes the change back."""
        began = time.monotonic()
        if not mutant.fits:
            return Trial(mutant, "stale", f"{mutant.file} has another text by now", 0.0)
        file = self.folder / mutant.file
        status = file.stat()
        original = file.read_bytes()
        try:
            file.write_text(mutant.mutated())
            killer = self._killers.get(mutant.name)
            passed, by = self.passes((*([killer] if killer else []), *mutant.tests), limit)
        finally:
            file.write_bytes(original)
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))  # compiled code is kept by the date of its file
        fate: Fate = "hangs" if passed is None else "lives" if passed else "killed"
        if fate == "killed" and not self._is_good(by, limit):
            fate, by = "broken", f"fails without the change too: {by}"
        if mutant.equivalent:
            fate, by = ("equivalent", mutant.equivalent) if passed else ("broken", f"no equivalent one: {by}")
        return Trial(mutant, fate, by, time.monotonic() - began)

    def _is_good(self, test: str, limit: float) -> bool:
        """Whether a test passes in the copy as it is: if not, that it fails under a change says nothing."""
        if test not in self._good and self.passes((test,), limit)[0]:
            self._good.add(test)
        return test in self._good
