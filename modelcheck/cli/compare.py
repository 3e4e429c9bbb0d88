"""`modelcheck compare`: two runs side by side, or protocols over n."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from ..options import Assignment, Sizes, limits_asked_for, run_option
from .base import Command
from .running import check_writable, found, model_prints_to_stderr, write_file

if TYPE_CHECKING:
    from ..report.files.tracefile import Recorded, TraceFile
    from ..report.words.beside import Side

COMPARE_EXAMPLES = """
\b
Examples:
  modelcheck run chang_roberts:StartUnguarded --n 3 --expect safety --trace run.json
  modelcheck compare run.json chang_roberts
  modelcheck compare run.json chang_roberts --html compare.html
  modelcheck compare chang_roberts stages --n 2..4 --start simultaneous
\b
What is compared:
  FILE.json FILE.json   two runs that `--trace` has written
  FILE.json [MODEL]     a run, and the same schedule in another model, or under --set, as far as it goes
  MODEL MODEL ...       protocols over n: messages and states
\b
Exit codes:
   0  what was asked for was compared, whether it is the same or not
  20  protocols: a limit was reached
   2  the command asks for what does not exist
"""


@click.command(cls=Command, epilog=COMPARE_EXAMPLES.strip())
@click.argument("things", nargs=-1, required=True, metavar="A [B...]")
@click.option("--property", "name", metavar="NAME", help="The run against this property, of files with several.")
@click.option("--set", "parameters", type=Assignment(), multiple=True, metavar="KEY=VALUE", help="Follow the schedule under this value of a parameter; repeatable.")  # fmt: skip
@click.option("--html", "html_file", metavar="FILE", help="Write both runs to FILE as a page to step through them together.")  # fmt: skip
@click.option(
    "--n", "-n", type=Sizes(), metavar="N", help="Protocols: numbers of processes, such as 2..6.  [default: 2..4]"
)
@click.option("--start", metavar="WHEN", default="any", help="Protocols: initiators start at any time, or simultaneous.  [default: any]")  # fmt: skip
@click.option("--plot", "plot_file", metavar="FILE", help="Protocols: draw the messages over n (needs matplotlib).")
@run_option("max_states")
@run_option("max_seconds")
@run_option("max_memory")
@click.pass_context
def compare(
    ctx: click.Context, /, things: tuple[str, ...], name: str | None, parameters: tuple[tuple[str, str], ...], html_file: str | None,
    n: tuple[int, ...] | None, start: str, plot_file: str | None, **options: Any,
) -> None:  # fmt: skip
    """Shows two runs side by side, or protocols over n.

    A run is a file that `--trace` has written. Beside it stands another, or the same schedule in the mended protocol: each step
    is taken again there, with what is received and chosen, for as long as there is such a step. This runs the model's code.
    """
    if Path(things[0]).suffix == ".json":
        if len(things) > 2 or (len(things) == 1 and not parameters):
            raise UsageError("beside a run stands one other: a file, a model, or the same model with --set KEY=VALUE")
        if html_file is not None:
            check_writable("--html", html_file)
        _runs(things[0], things[1] if len(things) == 2 else None, name, dict(parameters), html_file)
        return
    if len(things) < 2:
        raise UsageError("protocols are compared with each other: name two or more, or a FILE.json with a run")
    ctx.exit(_protocols(things, n or (2, 3, 4), start, plot_file, options))


def _runs(first: str, second: str | None, name: str | None, parameters: dict[str, str], html_file: str | None) -> None:
    from ..report.files import tracefile
    from ..report.terminal import beside as terminal
    from ..report.terminal.page import Page
    from ..report.words.beside import compared

    document = tracefile.read(Path(first))
    run = document.choose((name,) if name else ())[0]
    one = _side("A", document, run)
    if second is not None and Path(second).suffix == ".json":
        if parameters:
            raise UsageError(
                "--set is for a schedule that is followed: leave it out, or name a model in place of the second file"
            )
        other_file = tracefile.read(Path(second))
        other = _side("B", other_file, other_file.choose((name,) if name else ())[0])
    else:
        with model_prints_to_stderr():
            other = _followed(document, run, second, parameters)
    result = compared(one, other)
    terminal.write(result, Page.on())
    if html_file is not None:
        from ..report.html import beside as html

        write_file("--html", html_file, html.document(result))


def _side(letter: str, document: TraceFile, run: Recorded) -> Side:
    from ..report.conversions import shown
    from ..report.words.beside import Side

    run = shown(run)
    ends = run.trace.reason if run.violates else run.found.claim
    trace = run.trace if run.violates else replace(run.trace, reason="")
    return Side(letter, f"{document.model}, {run.trace.world} ({document.name})", trace, ends)


def _followed(document: TraceFile, run: Recorded, reference: str | None, parameters: dict[str, str]) -> Side:
    """The same schedule in another model, or in the same under other parameters."""
    from .. import catalog
    from ..check.retaking import Run, judged
    from ..report.words.beside import Side
    from ..runs.following import follow
    from ..runs.trace import build
    from ..semantics.lockstep import system_for

    model = catalog.find_model(reference or document.reference)
    known = model.definition.parameters
    kept = {key: value for key, value in document.settings.parameters if reference is None or key in known}
    values = model.definition.parameter_values({**kept, **parameters})
    settings = replace(document.settings, parameters=tuple(values.items()))
    settings.check(model.definition)
    system = system_for(model.definition, settings)
    came = follow(system, run.trace)
    trace = build(system, run.trace.world, came.start, came.transitions, "")
    verdict = judged(system, model, document.spec, run.found.name, run.trace, Run(came.start, came.states, came.transitions)) if run.violates else None  # fmt: skip
    said = f"{run.found.name}: {verdict.because}" if verdict is not None else ""
    if verdict is not None and verdict.violated:
        trace = replace(trace, reason=verdict.because)
    ends = "; ".join(filter(None, [f"the schedule ends here: {came.stopped}" if came.stopped else "", said]))
    changed = ", ".join(f"{key}={value}" for key, value in parameters.items())
    of = f"the same schedule in {model.name}" + (f" with {changed}" if changed else "")
    return Side("B", of, trace, ends or "followed to its end")


def _protocols(
    names: tuple[str, ...], sizes: tuple[int, ...], start: str, plot_file: str | None, options: dict[str, Any]
) -> int:
    from ..check.counting import count_messages
    from ..report.files.plots import check_plot
    from ..report.terminal import beside as terminal
    from ..report.terminal.page import Page

    limits = limits_asked_for(options)
    if plot_file is not None:
        check_writable("--plot", plot_file)
        check_plot(plot_file)
    results = [found(count_messages, name, limits, n=sizes, start=start) for name in names]
    terminal.write_protocols(results, Page.on())
    if plot_file is not None and any(result.counts for result in results):
        terminal.plot_protocols(results, plot_file)
    return max((result.exit_code for result in results), default=0)
