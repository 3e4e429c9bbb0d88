"""One search in a process of its own: `python -m tests.benchmarks.search MODEL NETWORK N IDS WAY ENGINE WORKERS BUDGET` prints JSON."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from modelcheck import Limits, check
from modelcheck.check.result import Result

from .rows import MEMORY, Case, Engine, LeftOut, Row

ROOT = Path(__file__).parents[2]
REPEATED = 5.0  # seconds: shorter searches are run three times
WARM_UP = 2_000  # states
NO_LIMIT = 10**12


def measure(case: Case, engine: Engine, workers: int, budget: float) -> Row | LeftOut:
    """Searches in a fresh process; in another one if the compiler had to work in it, for what it made is kept."""
    what = [case.model, case.network, str(case.n), case.ids, case.way]
    command = [sys.executable, "-m", __name__, *what, engine, str(workers), str(budget)]
    for _ in range(3):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
        answer = json.loads(done.stdout)
        if "left_out" in answer:
            return LeftOut("modelcheck", case, answer["left_out"])
        if "compiled" not in answer:
            return Row(case, **answer)
    raise RuntimeError("the compiler's work is not kept: is its cache a folder that can be written to?")


def search(case: Case, engine: Engine, workers: int, budget: float) -> dict[str, Any]:
    """A row as a dictionary, without its case; or why there is none.

    The first, short search imports what is needed; it is not counted.
    """
    with Watch() if engine == "compiled" else nullcontext() as watch:
        run_once(
            case if not case.way else replace(case, n=3), engine, workers, replace(limits(budget), max_states=WARM_UP)
        )
        result = run_once(case, engine, workers, limits(budget))
    if result.stopped:
        return {"left_out": result.stopped}
    if watch and watch.compilations:
        return {"compiled": len(watch.compilations)}
    memory = peak_memory()
    seconds = [result.seconds]
    if result.seconds < REPEATED:
        seconds += [run_once(case, engine, workers, limits(budget)).seconds for _ in range(2)]
    return {
        "network": result.network,
        "states": result.states,
        "transitions": result.transitions,
        "seconds": statistics.median(seconds),
        "runs": len(seconds),
        "memory": memory,
        "inserts": (watch and not case.way and machine_limit(result, watch.words, watch.places, workers)) or None,
        "nodes": sum(tally.nodes for tally in result.sizes),
    }


class Watch(ExitStack):
    """Notices what the engine does while it runs: whether anything is compiled, and the size of the latest visited set."""

    def __init__(self) -> None:
        super().__init__()
        from numba.core import event

        from modelcheck.explore.compiled import kernel

        self.words, self.places = 1, 2
        self.prepare = kernel.rehash
        self.enter_context(patch.object(kernel, "rehash", self._prepared))
        self.compilations: list[Any] = self.enter_context(event.install_recorder("numba:compile")).buffer

    def _prepared(self, width: Any, states: Any, count: Any, visited: Any) -> None:
        self.words, self.places = len(width), len(visited)
        self.prepare(width, states, count, visited)


def run_once(case: Case, engine: Engine, workers: int, limits: Limits) -> Result:
    options = {"n": case.n, "ids": case.ids or None, "network": case.network or None}
    options |= {
        "engine": "sets" if case.way == "sets" else engine,
        "reduce": "order" if case.way == "order" else "none",
    }
    return check(case.model, **options, workers=workers, limits=limits)  # type: ignore[arg-type]


def limits(budget: float) -> Limits:
    return Limits(max_states=NO_LIMIT, max_seconds=budget, max_memory=MEMORY)


def machine_limit(result: Result, words: int, places: int, workers: int) -> float:
    from .limit import Load, inserts_per_second

    load = Load(result.worlds, max(1, result.states // result.worlds), words, places)
    return inserts_per_second(load, min(workers, result.worlds))  # a world is searched by one worker


def peak_memory() -> float:
    """The largest resident memory of this process so far, in megabytes. (What getrusage says includes its parent's.)"""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6


if __name__ == "__main__":
    model, network, n, ids, way, engine, workers, budget = sys.argv[1:]
    print(json.dumps(search(Case(model, network, int(n), ids, way), engine, int(workers), float(budget))))  # type: ignore[arg-type]
