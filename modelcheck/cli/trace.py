"""`modelcheck trace`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import UsageError
from ..options import animate_option, causal_option, why_option
from .base import Command
from .drawing import animate, check_animation
from .running import check_writable, model_prints_to_stderr, print_text, write_file

if TYPE_CHECKING:
    from ..catalog import Model
    from ..check.retaking import Retraced
    from ..report.files.tracefile import Recorded, TraceFile

GONE = 1  # the model no longer does what the file says
TRACE_EXAMPLES = """
\b
Examples:
  modelcheck run chang_roberts --ids 1,1,2 --expect violation --trace run.json
  modelcheck trace run.json
  modelcheck trace run.json --why
  modelcheck trace run.json --property agreement --to mermaid
  modelcheck trace run.json --out run.svg --animate moving.svg
  modelcheck messages chang_roberts --n 3 --start simultaneous --show worst --trace worst.json
  modelcheck trace worst.json --to shiviz --out worst.log
\b
What a run can be turned into:
  text     as `modelcheck run` shows it
  svg      a space-time diagram; by the name of FILE also PNG, PDF or TikZ (.tex, .tikz)
  html     a page to step through it
  shiviz   a log with vector clocks: https://bestchai.bitbucket.io/shiviz; its first line is the regular expression that
           ShiViz is to read it with, (?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})
  itf      JSON in the Informal Trace Format of Apalache and Quint
  mermaid  a sequence diagram for Mermaid
\b
Exit codes:
   0  every step fits the model as it is now, and what was violated is violated still; or nothing was replayed
   1  the model no longer does what the file says: a step does not fit, or the property is not violated any more
   2  the command asks for what does not exist, or the file is no file of runs
  75  the model's own code is at fault, 70 a bug in modelcheck
"""


@click.command(cls=Command, epilog=TRACE_EXAMPLES.strip())
@click.argument("file", metavar="FILE")
@click.option("--to", "kind", metavar="KIND", help="text, svg, html, shiviz, itf or mermaid.  [default: as the name after --out ends, else text]")  # fmt: skip
@click.option("--out", "out_file", metavar="FILE", help="Write it to FILE.  [default: standard output]")
@causal_option
@why_option
@animate_option
@click.option("--property", "names", multiple=True, metavar="NAME", help="Only the run against this property; repeatable.")  # fmt: skip
@click.option("--replay/--no-replay", default=True, help="Take the run again, through the model as it is now.  [default: --replay]")  # fmt: skip
@click.option("--model", metavar="MODEL", help="Where the model is now, if not where the file says.")
@click.pass_context
def trace(
    ctx: click.Context, /, file: str, kind: str | None, out_file: str | None, names: tuple[str, ...], replay: bool,
    model: str | None, causal: bool, why: bool, animate_file: str | None,
) -> None:  # fmt: skip
    """Shows the runs in a file, or converts one.

    FILE is one that `--trace` has written. Each run is first taken again, step by step, through the model that the file names, as
    it is now: this runs the model's code. Of a file from somebody you do not trust, look at what it names as its model, or leave
    that out with --no-replay.
    """
    kind = _kind(kind, out_file)
    if causal and kind != "svg":
        raise UsageError("--causal says how a diagram is drawn: give --to svg as well")
    if out_file is not None:
        check_writable("--out", out_file)
    check_animation(animate_file)
    from ..report.files import tracefile

    if file.endswith(".py"):
        raise UsageError(
            f"{file} is a model; FILE is one in which `modelcheck run {file} --trace FILE` has kept its runs"
        )
    found = tracefile.read(Path(file))
    chosen = found.choose(names)
    if (kind != "text" or animate_file is not None) and len(chosen) > 1:
        others = ", ".join(run.found.name for run in chosen[1:])
        click.echo(f"this is the run of {chosen[0].found.name}; --property chooses another: {others}", err=True)
        chosen = chosen[:1]
    if not replay:
        _write(found, [(run, None) for run in chosen], kind, out_file, causal, why)
        _animate(found, chosen, animate_file)
        return
    retraced = _retraced(ctx, found, chosen, model)
    _write(found, retraced, kind, out_file, causal, why)
    _animate(found, chosen, animate_file)
    if any(came is not None and came.violated is False for _, came in retraced):
        ctx.exit(GONE)


def _kind(kind: str | None, out_file: str | None) -> str:
    """What to turn a run into. Raises UsageError."""
    from ..errors import nearest
    from ..report.conversions import CONVERSIONS, SUFFIXES

    suffix = Path(out_file or "").suffix.lower()
    kind = kind or SUFFIXES.get(suffix, "text")
    if kind not in ("text", *CONVERSIONS):
        raise UsageError(f"--to {kind}: there is no such kind; {nearest(kind, ('text', *CONVERSIONS))}")
    if kind == "svg" and out_file is not None:
        from ..pictures.files import check_picture

        check_picture(Path(out_file))
    return kind


def _animate(found: TraceFile, chosen: tuple[Recorded, ...], file: str | None) -> None:
    from ..report.conversions import heading, shown

    if file is not None:
        run = shown(chosen[0])
        animate(run.trace, heading(found, run), file, violated=run.violates)


# --- replay --------------------------------------------------------------------------------------------------------


def _retraced(
    ctx: click.Context, found: TraceFile, chosen: tuple[Recorded, ...], given: str | None
) -> list[tuple[Recorded, Retraced | None]]:
    """Each run with what came of taking it again. Ends the command at the first that does not fit."""
    from ..check.retaking import ChangedError, retrace

    came: list[tuple[Recorded, Retraced | None]] = []
    with model_prints_to_stderr():
        model = _model(found, given)
        for run in chosen:
            try:
                again = retrace(model, found.settings, found.spec, run.found.name, run.found.kind, run.trace)
            except ChangedError as error:
                _tell_changed(run, error, given or found.reference)
                ctx.exit(ChangedError.exit_code)
            except MemoryError as error:
                raise UsageError(f"{found.name} cannot be replayed: {error}; --no-replay leaves that out") from None
            came.append((run, again))
    return came


def _model(found: TraceFile, given: str | None) -> Model:
    from .. import catalog

    try:
        return catalog.find_model(given or found.reference)
    except UsageError as error:
        if given is not None:
            raise
        hint = "--model says where it is now, and --no-replay does without it"
        raise UsageError(f"{found.name} is a run of {found.reference}: {error}; {hint}") from None


def _tell_changed(run: Recorded, error: Exception, model: str) -> None:
    from ..check.retaking import ChangedError
    from ..report.conversions import shown
    from ..report.terminal.page import Page
    from ..report.terminal.replayed import write_changed

    assert isinstance(error, ChangedError)
    write_changed(shown(run), error, model, Page.on(sys.stderr))


# --- output --------------------------------------------------------------------------------------------------------


def _write(
    found: TraceFile,
    runs: list[tuple[Recorded, Retraced | None]],
    kind: str,
    out_file: str | None,
    causal: bool,
    why: bool,
) -> None:
    import io

    from ..report.conversions import CONVERSIONS, heading, shown, svg
    from ..report.terminal.page import Page
    from ..report.terminal.replayed import judgement, write_kept
    from ..runs.causality import all_needed

    runs = [(shown(run), came) for run, came in runs]
    if kind == "text":
        if out_file is None:
            write_kept(runs, found.model, Page.on(), why=why)
        else:
            stream = io.StringIO()
            write_kept(runs, found.model, Page.on(stream), why=why)
            write_file("--out", out_file, stream.getvalue())
        return
    ((run, came),) = runs
    title = heading(found, run)
    text = svg(run, title, causal=causal) if kind == "svg" else CONVERSIONS[kind](run, title)
    if out_file is None:
        print_text(text)
    elif kind == "svg":
        from ..pictures.files import write_picture

        write_picture(text, Path(out_file))
    else:
        write_file("--out", out_file, text)
    if causal and all_needed(run.trace):
        click.echo("every step is needed, so none is grey", err=True)
    if came is not None:
        click.echo(f"replayed: {judgement(run, came, found.model).plain}", err=True)
