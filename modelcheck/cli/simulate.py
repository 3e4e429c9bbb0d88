"""`modelcheck simulate`."""

from __future__ import annotations

from typing import Any

import click

from .. import completion
from ..errors import UsageError
from ..options import STDOUT, SeveralSizes, animate_option, arguments, causal_option, limits_asked_for, simulate_options
from .base import Command
from .drawing import animate, check_animation, check_causal, check_diagram, draw
from .running import check_writable, found, print_text, write_file

SIMULATE_EXAMPLES = """
\b
Examples:
  modelcheck simulate as_far --n 1000 --runs 5 --start simultaneous
  modelcheck simulate chang_roberts --n 10,100 --runs 20 --seed 7
  modelcheck simulate itai_rodeh --n 50 --json
  modelcheck simulate stages --n 5 --runs 20 --show worst --diagram worst.svg
\b
Exit codes:
   0  every run ended, and nothing failed       2  the command asks for what does not exist
  11  a run ends where it should not           12  a safety property fails at an end, or a formula is refuted
  14  an assertion in a step fails             20  a limit was reached, or Ctrl-C
  70, 75  as for `modelcheck run`
"""


@click.command(cls=Command, epilog=SIMULATE_EXAMPLES.strip())
@click.argument("model", metavar="NAME", shell_complete=completion.models)
@click.option(
    "--n",
    "-n",
    type=SeveralSizes(),
    metavar="N,N..",
    help="Numbers of processes: 1000, or 10,100,1000.  [default: 100]",
)
@click.option(
    "--runs", type=click.IntRange(1), default=100, show_default=True, metavar="R", help="Random runs of each size."
)
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="SEED", help="The same seed gives the same runs."
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    metavar="K",
    help="Processes that make runs side by side.  [default: one for each core]",
)
@simulate_options
@click.option("--show", metavar="RUN", help="Print a run of the greatest N: worst, best (by messages), or its number.")
@click.option(
    "--trace",
    "runs_file",
    metavar="FILE",
    help="Write the run that --show names to FILE, as JSON; `modelcheck trace` reads it.",
)
@click.option(
    "--diagram",
    "picture_file",
    metavar="FILE",
    help="Draw the run that --show names to FILE: .svg, .png, .pdf, .tex or .tikz.",
)
@causal_option
@animate_option
@click.pass_context
def simulate(
    ctx: click.Context,
    /,
    model: str,
    cluster: str | None,
    json_file: str | None,
    show: str | None,
    runs_file: str | None,
    picture_file: str | None,
    causal: bool,
    animate_file: str | None,
    **options: Any,
) -> None:
    """Counts the messages of random runs of large systems.

    Each run has identifiers of its own, in random places, and a random schedule: of the processes that can do something each is
    as likely to be next as any other. Printed are mean, deviation and extremes, beside the model's formulas, and a histogram. A run may
    refute a property, and no number of them proves one.

    NAME is a bundled model, or a file of yours: ./mine.py.
    """  # fmt: skip
    if show is None and (runs_file or picture_file or animate_file):
        raise UsageError("--trace, --diagram and --animate are about the run that --show names: give --show 1 as well")
    for option, file in (("--json", json_file), ("--trace", runs_file)):
        if file not in (None, STDOUT):
            check_writable(option, str(file))
    check_causal(causal, picture_file)
    check_animation(animate_file)
    if picture_file is not None:
        check_diagram(picture_file)
    options["n"] = options["n"] or (None if options.get("graph") or options.get("ids") else (100,))
    limits = limits_asked_for(options)
    asked = arguments({**options, "no_symmetry": False})
    asked.pop("symmetry")

    from ..check.checker import cores
    from ..report.files import as_json
    from ..report.terminal import simulation as faces
    from ..report.terminal.page import Page
    from ..report.terminal.progress import runs as runs_done
    from ..simulate.sampling import simulate as run_at_random

    asked["workers"] = asked["workers"] or cores()
    if cluster is not None:
        from ..cluster.gathering import Cluster
        from ..cluster.sampled import SampledElsewhere

        asked["elsewhere"] = SampledElsewhere(Cluster(cluster))
    result = found(run_at_random, model, limits, describe=runs_done, **asked)
    if json_file == STDOUT:
        print_text(as_json.dumps(faces.document(result)))
    else:
        faces.write(result, Page.on(), show)
        if json_file is not None:
            write_file("--json", json_file, as_json.dumps(faces.document(result)))
    if runs_file is not None and show is not None:
        write_file("--trace", runs_file, as_json.dumps(faces.traces(result, show)))
    if (picture_file is not None or animate_file is not None) and show is not None:
        sample = result.chosen(show)
        heading = f"{result.request.model.name}: run {sample.number} of n={sample.n}"
    if animate_file is not None and show is not None:
        animate(result.run(show), heading, animate_file, violated=bool(sample.failures))
    if picture_file is not None and show is not None:
        draw(result.run(show), heading, picture_file, causal=causal, violated=bool(sample.failures))
    ctx.exit(result.exit_code)
