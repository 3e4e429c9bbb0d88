"""Rumur: exact as well, with a thread for each core."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import factorial
from pathlib import Path

from ..rows import CORES
from .tool import Found, build, run

NAME = "Rumur"
NEEDS: Sequence[str] = ("rumur", "gcc")


def prepare(model: Path, n: int, folder: Path) -> float:
    """Generates the verifier and compiles it, as Rumur's manual says; how long that took."""
    text = model.with_suffix(".m").read_text()
    for name, value in {"N": n, "WORLDS": factorial(n - 1)}.items():
        text = re.sub(rf"^  {name}: \d+;", f"  {name}: {value};", text, count=1, flags=re.M)
    (folder / "model.m").write_text(text)
    generate = ["rumur", "--quiet", "--deadlock-detection", "off", "--threads", str(CORES), "--output", "model.c", "model.m"]  # fmt: skip
    flags = ["-std=c11", "-O3", "-fwhole-program", "-march=native", "-mtune=native", "-mcx16"]
    return build(folder, generate, ["gcc", *flags, "-o", "model", "model.c", "-lpthread"])


def search(n: int, folder: Path, budget: float) -> Found:  # noqa: ARG001 (every peer is asked alike)
    """Runs the verifier. Raises Stopped where it did not come to an end."""
    runs = run(folder, budget, "./model")
    match = re.search(r"(\d+) states, (\d+) rules fired in", runs.output)
    if match is None or "No error found" not in runs.output:
        raise RuntimeError(f"Rumur found an error:\n{runs.output}")
    return Found(int(match[1]), int(match[2]), runs.seconds, runs.count, runs.memory)
