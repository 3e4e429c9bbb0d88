"""`modelcheck messages`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .. import completion
from ..errors import UsageError
from ..options import STDOUT, animate_option, arguments, causal_option, limits_asked_for, messages_options
from ..witness.interpreters import prepare
from .base import Command
from .drawing import animate_messages, check_animation, check_causal, check_diagram, draw_messages
from .running import check_writable, elsewhere, found, print_text, write_file

if TYPE_CHECKING:
    from ..check.counting import MessagesResult

MESSAGES_EXAMPLES = """
\b
Examples:
  modelcheck messages chang_roberts --n 2..6 --start simultaneous
  modelcheck messages chang_roberts --n 4 --start simultaneous --show worst --diagram worst.svg
  modelcheck messages chang_roberts --n 4 --start simultaneous --show worst --trace worst.json
  modelcheck messages spanning_tree --graph mesh:2x2 --start simultaneous
  modelcheck messages stages --n 1..4 --start simultaneous --json
  modelcheck messages chang_roberts --n 2..5 --start simultaneous --html messages.html
  modelcheck messages chang_roberts --n 2..6 --engine sets
  modelcheck messages time_slice --n 2..4
\b
Formulas are the model's own: complexity = {"worst": "n(n+1)/2 + n", "exactly of Leader": "n"}. Their keys:
  best, worst        the least and the greatest number over all worlds
  mean               the mean over the assignments
  exactly            as many in every run
  at least, at most  never fewer, never more
  about              an estimate, shown and not judged
each perhaps followed by `of` a type of message, or by `rounds`, which are counted in lock-step; perhaps after conditions
(swallow=true, best). There are n, m (links), d (diameter), k (initiators), numbers, + - * / ^, products written side by side, H_n, phi, lg (to base 2), floor, ceil, min, max and fib. Formulas
speak of a simultaneous start, of all processes and default parameters; elsewhere they are shown and not judged.
\b
Exit codes:
   0  every run was counted, no formula disagrees     2  the command asks for what does not exist
  12  a formula disagrees, or a message has no receiver 20  inconclusive: a limit was reached, or Ctrl-C
  14  an assertion in a step fails                   10, 70, 75  as for `modelcheck run`
"""


@click.command(cls=Command, epilog=MESSAGES_EXAMPLES.strip())
@click.argument("model", metavar="NAME", shell_complete=completion.models)
@messages_options
@click.option("--show", metavar="EXTREME", help="Print the run that attains it, for the greatest N: worst or best.")
@click.option("--trace", "runs_file", metavar="FILE", help="Write the run that --show names to FILE, as JSON; `modelcheck trace` reads it.")  # fmt: skip
@click.option(
    "--plot", "plot_file", metavar="FILE", help="Draw the numbers over n, with the formulas (needs matplotlib)."
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
def messages(
    ctx: click.Context, /, model: str, cluster: str | None, json_file: str | None, html_file: str | None, show: str | None,
    runs_file: str | None, plot_file: str | None, picture_file: str | None, causal: bool,
    animate_file: str | None, **options: Any,
) -> None:  # fmt: skip
    """Counts the messages of every run of NAME, exactly.

    For each N the least and the greatest number over every schedule (and every draw), their means over the assignments of
    identifiers, by type and in total, and whether the model's own formulas agree. With --engine sets no state is visited for it (`modelcheck
    help sets`); a run that --show names is then a shortest one.

    NAME is a bundled model, or a file of yours: ./mine.py.
    """
    prepare()
    from ..check.counting import SHOWN, count_messages

    if show is not None and show not in SHOWN:
        raise UsageError(f"--show is worst or best, not {show!r}")
    if runs_file is not None and show is None:
        raise UsageError("--trace writes the run that --show names: add --show worst")
    limits = limits_asked_for(options)
    asked = arguments(options)
    files = {"--json": json_file, "--html": html_file, "--trace": runs_file, "--plot": plot_file}
    for option, file in files.items():
        if file is not None and file != STDOUT:
            check_writable(option, file)
    check_causal(causal, picture_file)
    if animate_file is not None and show is None:
        raise UsageError("--animate is about the run that --show names: give --show worst or --show best as well")
    check_animation(animate_file)
    if picture_file is not None:
        if show is None:
            raise UsageError("--diagram draws the run that --show names: give --show worst or --show best as well")
        check_diagram(picture_file)
    from ..report.files import as_json
    from ..report.files.plots import check_plot
    from ..report.terminal import messages as faces
    from ..report.terminal.page import Page

    if plot_file is not None:
        check_plot(plot_file)
    result = found(count_messages, model, limits, elsewhere=elsewhere(cluster), **asked)
    if json_file == STDOUT:
        print_text(as_json.dumps(faces.document(result)))
    else:
        faces.write(result, Page.on(), SHOWN[show] if show else None)
        if json_file is not None:
            write_file("--json", json_file, as_json.dumps(faces.document(result)))
    if html_file is not None:
        from ..report.html import messages

        write_file("--html", html_file, messages.document(result))
    if runs_file is not None and show is not None:
        _keep(result, show, runs_file)
    if plot_file is not None and result.counts:
        faces.plot(result, plot_file)
    if picture_file is not None:
        draw_messages(result, SHOWN[show or "worst"], picture_file, causal=causal)
    if animate_file is not None:
        animate_messages(result, SHOWN[show or "worst"], animate_file)
    ctx.exit(result.exit_code)


def _keep(result: MessagesResult, show: str, runs_file: str) -> None:
    """Writes the run that attains an extreme, where there is one."""
    from ..check.counting import SHOWN
    from ..report.files import as_json
    from ..report.terminal import messages as faces

    data = faces.traces(result, SHOWN[show], show)
    if data is None:
        click.echo(f"there is no such run: {runs_file} was not written", err=True)
    else:
        write_file("--trace", runs_file, as_json.dumps(data))
