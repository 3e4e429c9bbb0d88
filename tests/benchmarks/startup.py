"""What comes before the first state: importing and, on the very first run of a machine, compiling the kernel."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from .rows import Engine
from .search import ROOT


def first_and_later(engine: Engine) -> tuple[float, float]:
    """Seconds of wall time of a whole `modelcheck run` of a tiny model, with nothing compiled before and then again."""
    command = [sys.executable, "-m", "modelcheck", "run", "chang_roberts", "--n", "3", "--engine", engine]
    with tempfile.TemporaryDirectory() as cache:
        times = []
        for _ in range(2):
            began = time.perf_counter()
            subprocess.run(
                command, cwd=ROOT, env=os.environ | {"NUMBA_CACHE_DIR": cache}, check=True, capture_output=True
            )
            times.append(time.perf_counter() - began)
    return times[0], times[1]
