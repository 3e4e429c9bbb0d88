"""Running other programs, for time and memory."""

from __future__ import annotations

import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..rows import MEMORY

MEASURED = Path(__file__).parents[1] / "measured.py"
REPEATED = 5.0  # seconds: shorter searches are run three times


@dataclass(frozen=True)
class Found:
    """What a verifier says, and what it took: the median of the runs, and the most memory, in megabytes."""

    states: int
    transitions: int
    seconds: float
    runs: int
    memory: float


@dataclass(frozen=True)
class Runs:
    """The output of the last of the runs of a program, the median of their times, and the most memory."""

    output: str
    seconds: float
    count: int
    memory: float


class Stopped(Exception):
    """The search did not come to an end within its limits."""


def build(folder: Path, *commands: Sequence[str | Path]) -> float:
    """Runs the commands in the folder; how many seconds that took. Raises RuntimeError where one fails."""
    began = time.perf_counter()
    for command in commands:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
    return time.perf_counter() - began


def run(folder: Path, budget: float, *command: str) -> Runs:
    """Runs the program, a short one three times. Raises Stopped where it exceeds its time or memory."""
    seconds, memory = [], 0.0
    for _ in range(3):
        output, took, peak = _run_once(folder, budget, command)
        seconds.append(took)
        memory = max(memory, peak)
        if took > REPEATED:
            break
    return Runs(output, statistics.median(seconds), len(seconds), memory)


def _run_once(folder: Path, budget: float, command: Sequence[str]) -> tuple[str, float, float]:
    wrapped: list[str | Path] = [sys.executable, "-I", "-S", MEASURED, str(budget), str(MEMORY), *command]
    done = subprocess.run(wrapped, cwd=folder, capture_output=True, text=True)
    last = done.stderr.rstrip().splitlines()[-1].split()
    code, seconds, memory = int(last[0]), float(last[1]), float(last[2])
    if code == -signal.SIGALRM:
        raise Stopped(f"the limit of {budget:g} seconds was reached")
    if code != 0:
        reason = next(
            (line for line in (done.stdout + done.stderr).splitlines() if "memory" in line), f"exit code {code}"
        )
        raise Stopped(reason.strip())
    return done.stdout, seconds, memory
