"""The command: tries mutants side by side and prints a table. Exit code 1 if one lives, or says what is no longer so."""

from __future__ import annotations

import fnmatch
import os
import queue
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from . import MUTANTS
from .mutant import Bench, Mutant, Trial, remember

GOOD = ("killed", "hangs", "equivalent")


@click.command()
@click.argument("names", nargs=-1)
@click.option("--some", type=click.IntRange(1), help="Try only so many, chosen by chance.")
@click.option("--seed", type=int, default=0, show_default=True, help="For the choice.")
@click.option("--workers", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True)
@click.option("--limit", type=float, default=600, show_default=True, help="Seconds that the tests of one may take.")
@click.option("--list", "only_list", is_flag=True, help="Say which there are, and run nothing.")
@click.option("--remember", "remembers", is_flag=True, help="Ask the tests that noticed them first the next time.")
def main(
    names: tuple[str, ...], some: int | None, seed: int, workers: int, limit: float, only_list: bool, remembers: bool
) -> None:
    """Tries mutants: each should be killed by one of its tests. NAMES may hold * and ?."""
    chosen = [m for m in MUTANTS if not names or any(fnmatch.fnmatch(m.name, name) for name in names)]
    if some is not None:
        chosen = sorted(random.Random(seed).sample(chosen, min(some, len(chosen))), key=MUTANTS.index)
    if only_list:
        for mutant in chosen:
            print(f"{mutant.name:34} {mutant.file:40} {' '.join(mutant.tests)}")
        return
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        benches = [Bench(Path(folder) / str(k)) for k in range(min(workers, len(chosen)) or 1)]
        trials = _all_tried(chosen, benches, limit)
    if remembers:
        remember(trials)
    _print(trials, time.monotonic() - began)
    sys.exit(any(trial.fate not in GOOD for trial in trials))


def _all_tried(chosen: list[Mutant], benches: list[Bench], limit: float) -> list[Trial]:
    waiting: queue.SimpleQueue[Mutant] = queue.SimpleQueue()
    for mutant in chosen:
        waiting.put(mutant)
    trials: list[Trial] = []

    def work(bench: Bench) -> None:
        while True:
            try:
                mutant = waiting.get_nowait()
            except queue.Empty:
                return
            trial = bench.try_out(mutant, limit)
            trials.append(trial)
            print(f"{len(trials):4} of {len(chosen)}  {trial.fate:10} {mutant.name}  {trial.by}", file=sys.stderr)

    threads = [threading.Thread(target=work, args=(bench,)) for bench in benches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(trials, key=lambda trial: MUTANTS.index(trial.mutant))


def _print(trials: list[Trial], seconds: float) -> None:
    table = Table("mutant", "file", "fate", "by", "s", box=None, pad_edge=False)
    for trial in trials:
        colour = "" if trial.fate in GOOD else "bold red"
        file = trial.mutant.file.removeprefix("modelcheck/")
        table.add_row(
            trial.mutant.name, file, trial.fate, trial.by.removeprefix("tests/"), f"{trial.seconds:.0f}", style=colour
        )
    console = Console(width=None if sys.stdout.isatty() else 200)
    console.print(table)
    fates = [trial.fate for trial in trials]
    counts = ", ".join(f"{fates.count(fate)} {fate}" for fate in dict.fromkeys(fates))
    console.print(f"{len(trials)} mutants: {counts}; {seconds / 60:.1f} minutes")


if __name__ == "__main__":
    main()
