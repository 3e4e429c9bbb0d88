"""`modelcheck expect`."""

from __future__ import annotations

from typing import Any

import click

from ..options import STDOUT, arguments, expect_options, limits_asked_for
from ..witness.interpreters import prepare
from .base import Command
from .running import check_writable, found, print_text, write_file

EXPECT_EXAMPLES = """
\b
Examples:
  modelcheck expect itai_rodeh --n 2..3
  modelcheck expect anonymous_rounds --n 2..4 --set highest=2
  modelcheck expect itai_rodeh_sync --n 3..4 --schedule lockstep
  modelcheck expect herman --n 3..7 --schedule lockstep --start simultaneous --until one_token
  modelcheck expect itai_rodeh_async --n 4 --json
  modelcheck expect itai_rodeh --n 2..3 --html expected.html
\b
Formulas are the model's own, in its complexity. Their keys:
  expected messages, steps or rounds   whoever schedules, in the mean over the assignments
  least expected, greatest expected    over all schedulers and assignments
  each round                           the messages of each round, by which rounds are counted
each with `of` a type of message, or after conditions, as for `modelcheck messages`.
\b
Exit codes:
   0  no formula disagrees                            2  the command asks for what does not exist
  12  a formula disagrees, or a message has no receiver 20  inconclusive: a limit was reached, or Ctrl-C
  14  an assertion in a step fails                   10, 70, 75  as for `modelcheck run`
"""


@click.command(cls=Command, epilog=EXPECT_EXAMPLES.strip())
@click.argument("model", metavar="NAME")
@click.option("--until", metavar="PROPERTY", help="Runs go on until this holds, and not until they end.")
@click.option(
    "--plot",
    "plot_file",
    metavar="FILE",
    help="Draw how messages are distributed, for the greatest N (needs matplotlib).",
)
@expect_options
@click.pass_context
def expect(
    ctx: click.Context, /, model: str, until: str | None, json_file: str | None, html_file: str | None,
    plot_file: str | None, **options: Any,
) -> None:  # fmt: skip
    """Computes what to expect of a NAME that draws.

    Choices and interleavings belong to a scheduler, draws to chance. For each N the probability that a run ends, and ends well, and the
    expected numbers of messages, by type, of steps and of rounds: least and greatest over all schedulers, as exact fractions, each with a
    proof. See `modelcheck help chance`.

    NAME is a bundled model, or a file of yours: ./mine.py.
    """
    prepare()
    limits = limits_asked_for(options)
    asked = arguments(options)
    for option, file in (("--json", json_file), ("--html", html_file), ("--plot", plot_file)):
        if file is not None and file != STDOUT:
            check_writable(option, file)
    from ..chance.expecting import expect
    from ..report.files import as_json
    from ..report.files.plots import check_plot
    from ..report.terminal import expected as faces
    from ..report.terminal.page import Page

    if plot_file is not None:
        check_plot(plot_file)
    result = found(expect, model, limits, until=until, **asked)
    if json_file == STDOUT:
        print_text(as_json.dumps(faces.document(result)))
    else:
        faces.write(result, Page.on())
        if json_file is not None:
            write_file("--json", json_file, as_json.dumps(faces.document(result)))
    if html_file is not None:
        from ..report.html import expected

        write_file("--html", html_file, expected.document(result))
    if plot_file is not None and result.sizes:
        faces.plot(result, plot_file)
    ctx.exit(result.exit_code)
