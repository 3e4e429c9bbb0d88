"""The command line: reads options, calls the library, prints, and turns the outcome into an exit code.

The library raises; here is where errors become messages and where the process exits.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import __version__
from .errors import ModelcheckError, ReplayError, UsageError
from .options import STDOUT, run_options

if TYPE_CHECKING:
    from .check.result import Result

INTERRUPTED = 20
BUG = 70


# --- from errors to messages -------------------------------------------------------------------------------------


class Command(click.Command):
    """A command whose library errors become messages with the exit code that belongs to them."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UsageError as error:
            raise click.UsageError(str(error), ctx) from None
        except (ReplayError, AssertionError) as error:
            _bug(error)
            ctx.exit(BUG)
        except ModelcheckError as error:
            _lesson(error)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            _nobody_reads()
            ctx.exit(0)
        except Exception as error:
            _bug(error)
            ctx.exit(BUG)


class Commands(click.Group):
    command_class = Command


def _lesson(error: ModelcheckError) -> None:
    from .report.lesson import write_error
    from .report.page import Page

    write_error(error, Page.on(sys.stderr))


def _bug(error: BaseException) -> None:
    """A fault of this project, never shown as a verdict."""
    click.echo("a bug in modelcheck, not in your model: please report it with the lines below\n", err=True)
    click.echo("".join(traceback.format_exception(error)), err=True, nl=False)


def _nobody_reads() -> None:
    """Lets whatever is still buffered go nowhere, so that the interpreter does not complain at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# --- commands ----------------------------------------------------------------------------------------------------

EXAMPLES = """
\b
Examples:
  modelcheck run chang_roberts --n 5
  modelcheck list
  modelcheck show chang_roberts
  modelcheck new mine
"""


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog=EXAMPLES.strip(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)
@click.version_option(__version__, message="modelcheck %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Checks election protocols exhaustively: every interleaving, from every assignment of identifiers."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


RUN_EXAMPLES = """
\b
Examples:
  modelcheck run chang_roberts --n 5
  modelcheck run chang_roberts --n 2..4 --network bag
  modelcheck run chang_roberts --ids 1,1,2 --expect violation
  modelcheck run chang_roberts --n 3 --set guard_start=false --expect safety --json
  modelcheck run chang_roberts --n 3 --property everyone_decides --losses 1 --expect stuck
\b
Exit codes:
   0  the properties hold             2  the command asks for what does not exist
  10  an assumption is false         20  inconclusive: a limit was reached, or Ctrl-C
  11  a run gets stuck               70  a bug in modelcheck
  12  a safety property fails        75  the model's own code is at fault
  13  a liveness property fails       1  not what --expect asked for
  14  an assertion in a step fails
"""


@cli.command(epilog=RUN_EXAMPLES.strip())
@click.argument("model", required=False, metavar="MODEL")
@run_options
@click.pass_context
def run(
    ctx: click.Context, /, model: str | None, n: tuple[int, ...] | None, parameters: tuple[tuple[str, str], ...],
    properties: tuple[str, ...], no_symmetry: bool, max_states: int | None, max_seconds: float | None,
    max_memory: int | None, trace_file: str | None, json_file: str | None, **options: Any,
) -> None:  # fmt: skip
    """Proves MODEL's properties or shows the shortest run against one.

    Every run is explored: every interleaving of the steps, from every assignment of identifiers.

    MODEL is a bundled model (see `modelcheck list`) or a file of yours: ./mine.py, or ./mine.py:ClassName.
    """
    if model is None:
        hint = f"; --json took {json_file!r} for its FILE: write it last" if json_file not in (None, STDOUT) else ""
        raise click.UsageError(f"which MODEL? `modelcheck list` names them{hint}", ctx)
    for key in {key for key, _ in parameters}:
        if len({value for name, value in parameters if name == key}) > 1:
            raise click.UsageError(f"--set gives {key} two values", ctx)
    for option, file in (("--json", json_file), ("--trace", trace_file)):
        if file is not None and file != STDOUT:
            _check_writable(option, file)

    from dataclasses import replace

    from .check.request import usual_limits

    chosen = {"max_states": max_states, "max_seconds": max_seconds, "max_memory": max_memory}
    limits = replace(usual_limits(), **{name: value for name, value in chosen.items() if value is not None})  # type: ignore[arg-type]
    result = _checked(
        model, limits, n=n, parameters=dict(parameters), property=properties or None, symmetry=not no_symmetry, **options
    )  # fmt: skip
    _report(result, trace_file, json_file)
    ctx.exit(result.exit_code)


LIST_EXAMPLES = """
\b
Example:
  modelcheck list
"""


@cli.command("list", epilog=LIST_EXAMPLES.strip())
def list_models() -> None:
    """Lists the bundled models, by topology."""
    from . import catalog
    from .report.card import write_list
    from .report.page import Page

    write_list(catalog.model_files(), Page.on())


SHOW_EXAMPLES = """
\b
Example:
  modelcheck show chang_roberts
"""


@cli.command(epilog=SHOW_EXAMPLES.strip())
@click.argument("model", metavar="NAME")
def show(model: str) -> None:
    """Shows what is known of a model, and its code.

    That is: source, assumptions, parameters, steps and properties.

    NAME is a bundled model, or a file of yours: ./mine.py.
    """
    from . import catalog
    from .report.card import write_card
    from .report.page import Page

    with _model_prints_to_stderr():
        found = catalog.find_model(model)
    write_card(found, model, Page.on())


NEW_EXAMPLES = """
\b
Examples:
  modelcheck new mine
  modelcheck run ./mine.py --n 4
"""


@cli.command(epilog=NEW_EXAMPLES.strip())
@click.argument("name")
def new(name: str) -> None:
    """Writes ./NAME.py: a small correct protocol to start from."""
    from . import catalog
    from .report.page import Page
    from .report.skeleton import skeleton

    if name in catalog.model_files():
        raise UsageError(
            f"{name} is a bundled model, and `modelcheck run {name}` would run that one; choose another name"
        )
    text = skeleton(name)
    file = Path(f"{name}.py")
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise UsageError(f"there is a file {file} already, and it stays as it is; choose another name") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}") from None
    page = Page.on()
    page.line(f"wrote ./{file}")
    page.command("next", f"modelcheck run ./{file} --n 4")


# --- running and reporting ---------------------------------------------------------------------------------------


def _checked(model: str, limits: Any, **options: Any) -> Result:
    """The result, with progress on standard error and Ctrl-C leading to a partial one."""
    from .check.checker import check
    from .explore.exploration import Meter
    from .interrupts import interruptible
    from .report.progress import progress

    with _model_prints_to_stderr(), progress() as shown:  # in this order: Rich puts back the stream that it found
        meter = Meter(limits, shown)
        try:
            with interruptible(meter):
                return check(model, meter=meter, **options)
        except KeyboardInterrupt:
            click.echo(f"{meter.reached or 'interrupted'} before there was anything to report", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None


@contextlib.contextmanager
def _model_prints_to_stderr() -> Iterator[None]:
    """What a model's code prints must not end up in the middle of a report."""
    with contextlib.redirect_stdout(sys.stderr):
        yield


def _check_writable(option: str, file: str) -> None:
    """Refuses a file that cannot be written, before a long search rather than after it."""
    path = Path(file)
    if path.is_dir():
        raise UsageError(f"{option} {file}: that is a folder")
    if not path.parent.is_dir():
        raise UsageError(f"{option} {file}: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageError(f"{option} {file}: it may not be written")


def _report(result: Result, trace_file: str | None, json_file: str | None) -> None:
    from .report import as_json

    if json_file == STDOUT:
        _print(as_json.dumps(as_json.document(result)))
    else:
        from .report import terminal
        from .report.page import Page

        terminal.write(result, Page.on())
        if json_file is not None:
            _write("--json", json_file, as_json.dumps(as_json.document(result)))
    if trace_file is None:
        return
    found = as_json.traces(result)
    if found["counterexamples"]:
        _write("--trace", trace_file, as_json.dumps(found))
    else:
        click.echo(f"nothing is violated: {trace_file} was not written", err=True)


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _nobody_reads()


def _write(option: str, file: str, text: str) -> None:
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{option} {file}: {error.strerror}") from None


def main() -> None:
    """The entry point of the `modelcheck` command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        cli.main(prog_name="modelcheck")
    finally:
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            _nobody_reads()
