"""Spin: every state stored exactly, without partial order reduction. It counts one state more than we do, the one
before the identifiers are chosen, and one transition for it and for each choice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import factorial
from pathlib import Path

from ..rows import MEMORY
from .tool import Found, Stopped, build, run

NAME = "Spin"
NEEDS: Sequence[str] = ("spin", "gcc")
DEPTH = 100_000  # no run is longer


def prepare(model: Path, n: int, folder: Path) -> float:
    """Generates the verifier and compiles it; how long that took."""
    compiler = ["gcc", "-O3", "-march=native", "-DSAFETY", "-DNOREDUCE", f"-DMEMLIM={MEMORY}", "-o", "pan", "pan.c"]
    return build(folder, ["spin", "-a", f"-DN={n}", model.with_suffix(".pml")], compiler)


def search(n: int, folder: Path, budget: float) -> Found:
    """Runs the verifier. Raises Stopped where it did not see everything."""
    runs = run(folder, budget, "./pan", f"-m{DEPTH}")
    if "Search not completed" in runs.output or "max search depth too small" in runs.output:
        raise Stopped("the search was not completed")
    if "errors: 0" not in runs.output:
        raise RuntimeError(f"Spin found an error:\n{runs.output}")
    states, transitions = (_count(runs.output, what) for what in ("states, stored", r"transitions \(="))
    return Found(states - 1, transitions - factorial(n - 1) - 1, runs.seconds, runs.count, runs.memory)


def _count(output: str, what: str) -> int:
    match = re.search(rf"([\d.e+]+) {what}", output)
    assert match, output
    return int(float(match[1]))  # of more than eight digits it prints the first eight
