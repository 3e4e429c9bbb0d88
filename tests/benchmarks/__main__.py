"""`python -m tests.benchmarks`: measures, prints, and with --write puts the tables into the guide."""

from __future__ import annotations

from pathlib import Path

import click

from . import peers, search, startup
from .rows import CORES, SERIES, Case, Engine, LeftOut
from .tables import Report, write

PAGE = Path(__file__).parents[2] / "modelcheck" / "guide" / "performance.md"


@click.command()
@click.option("--engine", type=click.Choice(["compiled", "reference"]), default="compiled", show_default=True)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=CORES,
    metavar="K",
    help="Threads of ours.  [default: one for each core]",
)
@click.option(
    "--budget",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Leave out what takes longer.",
)
@click.option("--most", type=int, default=10, show_default=True, metavar="N", help="No more processes than this.")
@click.option(
    "--model",
    "models",
    multiple=True,
    type=click.Choice(sorted({s.model for s in SERIES})),
    help="Only this model; repeatable.",
)
@click.option(
    "--peers/--no-peers", "with_peers", default=True, help="Run Spin and Rumur too, where they are installed."
)
@click.option("--write", "into_page", is_flag=True, help="Write the tables into modelcheck/guide/performance.md.")
def main(
    engine: Engine, workers: int, budget: float, most: int, models: tuple[str, ...], with_peers: bool, into_page: bool
) -> None:
    """Measures how fast the search is, one search at a time. Give it an idle machine.

    \b
    Examples:
      python -m tests.benchmarks --most 5
      python -m tests.benchmarks --model chang_roberts --budget 300
      python -m tests.benchmarks --write
    """
    report = measure(engine, workers, budget, most, models, with_peers)
    click.echo(report.markdown(), nl=False)
    if into_page:
        write(report, PAGE)


def measure(
    engine: Engine, workers: int, budget: float, most: int, models: tuple[str, ...], with_peers: bool
) -> Report:
    """Runs everything, telling on standard error what it is at."""
    report = Report(engine, workers)
    report.startup = startup.first_and_later(engine)
    installed = []
    for peer in peers.PEERS if with_peers else ():
        if commands := peers.missing(peer):
            report.missing[peer.NAME] = commands
        else:
            installed.append(peer)
    for series in SERIES:
        if models and series.model not in models:
            continue
        within = {
            "modelcheck",
            *(peer.NAME for peer in installed if series.model == "chang_roberts" and not series.ids and not series.way),
        }
        for case in series.cases(most):
            ours(report, case, engine, workers, budget, within)
            for peer in installed:
                if peer.NAME in within:
                    theirs(report, peer, case, budget, within)
    return report


def ours(report: Report, case: Case, engine: Engine, workers: int, budget: float, within: set[str]) -> None:
    """Adds our row; where it is left out, larger ones need not be tried."""
    if "modelcheck" not in within:
        return
    click.echo(f"modelcheck on {case}", err=True)
    row = search.measure(case, engine, workers, budget)
    if isinstance(row, LeftOut):
        report.left_out.append(row)
        within.discard("modelcheck")
    else:
        report.rows.append(row)


def theirs(report: Report, peer: peers.Peer, case: Case, budget: float, within: set[str]) -> None:
    """The same for a peer."""
    click.echo(f"{peer.NAME} on {case}", err=True)
    row = peers.measure(peer, case, budget)
    if isinstance(row, LeftOut):
        report.left_out.append(row)
        within.discard(peer.NAME)
    else:
        report.peers.append(row)


if __name__ == "__main__":
    main()
