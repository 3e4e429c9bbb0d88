"""What is shown while a run goes on: one line on standard error, and only where a person sees it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...count.ranges import big
from ...pulse import hushed_by_rest

if TYPE_CHECKING:
    from ...explore.limits import Meter

BAR = 20  # characters
FORESEEABLE = 1_000_000  # times as much as is done: of more nobody knows how long it takes
QUIET = 0.4  # seconds before anything is shown: most runs are over by then


@contextmanager
def progress(describe: Callable[[Meter], str] | None = None) -> Iterator[Callable[[Meter], None] | None]:
    """A callback for the meter that keeps one line up to date; None where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    status = console.status("exploring")
    shown = over = False

    def hush() -> None:
        """For good: whoever looks at one step with a debugger looks at more."""
        nonlocal over
        over = True
        status.stop()

    def show(meter: Meter) -> None:
        nonlocal shown
        if over or meter.seconds() < QUIET:
            return
        if not shown:
            status.start()
            shown = True
        status.update(cut((describe or sentence)(meter), console.width - 2))  # beside the spinner and a space

    try:
        with hushed_by_rest(hush):
            yield show
    finally:
        if shown:
            status.stop()


def cut(text: str, width: int) -> str:
    """So much of it as one line holds: what runs over it would be left behind when the line is written again."""
    return text if len(text) <= width else text[: max(width - 1, 0)] + "…"


def sentence(meter: Meter) -> str:
    """'n=6: 12 of 720 assignments, 80,000 states, 9,000 a second, 12 s (about 70 s left), 130 MB'; where there is a diagram, its nodes;
    where a property is violated already, how many are."""
    seconds = meter.all_seconds()
    done, of = meter.represented, meter.to_represent
    left = f" (about {seconds * (of - done) / done:,.0f} s left)" if 0 < done < of < done * FORESEEABLE else ""
    if meter.nodes:
        rate = f"{meter.nodes / max(meter.seconds(), 0.001):,.0f} a second"
        return f"n={meter.size}: a diagram of {meter.nodes:,} nodes, {rate}, {seconds:.0f} s, {meter.memory():,} MB"
    if not meter.size:
        return f"listing the worlds, {seconds:.0f} s, {meter.memory():,} MB"
    parts = [
        f"n={meter.size}: {big(done)} of {big(of)} assignments",
        *([f"{meter.violated} violated (Ctrl-C shows the run)"] if meter.violated else []),
        f"{meter.states:,} states",
        f"{meter.states / max(seconds, 0.001):,.0f} a second",
        f"{seconds:.0f} s{left}",
        f"{meter.memory():,} MB",
    ]
    return ", ".join(parts)


def runs(meter: Meter) -> str:
    """'n=1,000: ██████████░░░░░░░░░░ 100 of 200 runs, 12 s (about 12 s left), 130 MB': of random runs."""
    return f"n={meter.size:,}: {_bar(meter, 'runs')}"


def tests(meter: Meter) -> str:
    """'██████████░░░░░░░░░░ 203 of 406 tests, 60 s (about 60 s left), 130 MB': of the book, tried elsewhere."""
    return _bar(meter, "tests")


def _bar(meter: Meter, what: str) -> str:
    done, of, seconds = meter.represented, meter.to_represent, meter.all_seconds()
    full = BAR * done // max(of, 1)
    left = f" (about {seconds * (of - done) / done:,.0f} s left)" if 0 < done < of else ""
    bar = "█" * full + "░" * (BAR - full)
    return f"{bar} {done:,} of {of:,} {what}, {seconds:.0f} s{left}, {meter.memory():,} MB"
