"""The command line: reads options, calls the library, prints, and turns the outcome into an exit code.

The library raises; here is where errors become messages and where the process exits.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from . import __version__
from .errors import ModelcheckError, ReplayError, SymmetryError, UsageError
from .options import STDOUT, arguments, book_options, limits_asked_for, messages_options, run_options, symmetry_options

if TYPE_CHECKING:
    from .check.checkpoint import Keeping
    from .check.result import Result
    from .explore.exploration import Limits, Meter

Found = TypeVar("Found")

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
        except (ReplayError, SymmetryError, AssertionError) as error:
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
  modelcheck run chang_roberts --n 6 --resume
  modelcheck run bully_partition --n 3 --partitions 1 --heals 1
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
    ctx: click.Context, /, model: str | None, resume: bool, checkpoint_file: str | None, trace_file: str | None,
    json_file: str | None, **options: Any,
) -> None:  # fmt: skip
    """Proves MODEL's properties or shows the shortest run against one.

    Every run is explored: every interleaving of the steps, from every assignment of identifiers.

    MODEL is a bundled model (see `modelcheck list`) or a file of yours: ./mine.py, or ./mine.py:ClassName.
    """
    if model is None:
        hint = f"; --json took {json_file!r} for its FILE: write it last" if json_file not in (None, STDOUT) else ""
        raise click.UsageError(f"which MODEL? `modelcheck list` names them{hint}", ctx)
    limits = limits_asked_for(options)
    asked = arguments(options)
    for option, file in (("--json", json_file), ("--trace", trace_file), ("--checkpoint", checkpoint_file)):
        if file is not None and file != STDOUT:
            _check_writable(option, file)

    from .check.checker import check

    result = _found(check, model, limits, checkpoint=_keeping(checkpoint_file, resume), **asked)
    _report(result, trace_file, json_file)
    ctx.exit(result.exit_code)


MESSAGES_EXAMPLES = """
\b
Examples:
  modelcheck messages chang_roberts --n 2..6 --start simultaneous
  modelcheck messages chang_roberts --n 4 --start simultaneous --show worst
  modelcheck messages spanning_tree --graph mesh:2x2 --start simultaneous
  modelcheck messages stages --n 1..4 --start simultaneous --json
\b
Formulas are the model's own: complexity = {"worst": "n(n+1)/2 + n", "exactly of Leader": "n"}. Their keys:
  best, worst        the least and the greatest number over all worlds
  mean               the mean over the assignments
  exactly            as many in every run
  at least, at most  never fewer, never more
  about              an estimate, shown and not judged
each perhaps followed by `of` a type of message, or after conditions (swallow=true, best). There are n, m (links), d (diameter),
k (initiators), numbers, + - * / ^, products written side by side, H_n, phi, lg (to base 2), floor, ceil, min, max and fib. Formulas
speak of a simultaneous start, of all processes and default parameters; elsewhere they are shown and not judged.
\b
Exit codes:
   0  every run was counted, no formula disagrees     2  the command asks for what does not exist
  12  a formula disagrees, or a message has no receiver 20  inconclusive: a limit was reached, or Ctrl-C
  14  an assertion in a step fails                   10, 70, 75  as for `modelcheck run`
"""


@cli.command(epilog=MESSAGES_EXAMPLES.strip())
@click.argument("model", metavar="NAME")
@messages_options
@click.option("--show", metavar="EXTREME", help="Print the run that attains it, for the greatest N: worst or best.")
@click.option(
    "--plot", "plot_file", metavar="FILE", help="Draw the numbers over n, with the formulas (needs matplotlib)."
)
@click.pass_context
def messages(
    ctx: click.Context, /, model: str, json_file: str | None, show: str | None, plot_file: str | None, **options: Any
) -> None:
    """Counts the messages of every run of NAME, exactly.

    For each N the least and the greatest number over every schedule (and every draw), their means over the assignments of
    identifiers, by type and in total, and whether the model's own formulas agree.

    NAME is a bundled model, or a file of yours: ./mine.py.
    """
    from .check.messages import SHOWN, count_messages

    if show is not None and show not in SHOWN:
        raise UsageError(f"--show is worst or best, not {show!r}")
    limits = limits_asked_for(options)
    asked = arguments(options)
    for option, file in (("--json", json_file), ("--plot", plot_file)):
        if file is not None and file != STDOUT:
            _check_writable(option, file)
    from .report import as_json
    from .report import messages as faces
    from .report.page import Page

    if plot_file is not None:
        faces.check_plot(plot_file)
    result = _found(count_messages, model, limits, **asked)
    if json_file == STDOUT:
        _print(as_json.dumps(faces.document(result)))
    else:
        faces.write(result, Page.on(), SHOWN[show] if show else None)
        if json_file is not None:
            _write("--json", json_file, as_json.dumps(faces.document(result)))
    if plot_file is not None and result.counts:
        faces.plot(result, plot_file)
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


SYMMETRY_EXAMPLES = """
\b
Examples:
  modelcheck symmetry chang_roberts --n 4
  modelcheck symmetry itai_rodeh
"""


@cli.command(epilog=SYMMETRY_EXAMPLES.strip())
@click.argument("model", metavar="MODEL")
@symmetry_options
@click.pass_context
def symmetry(
    ctx: click.Context, /, model: str, n: int, graph: str | None, parameters: tuple[tuple[str, str], ...]
) -> None:
    """Shows why processes that are all alike elect nobody.

    All identifiers equal, or none; all processes step at once, round after round. What one does all do, so after every round
    all are in the same state, and never does exactly one lead, unless the protocol draws: then luck decides.
    """
    from . import catalog
    from .check.symmetry import symmetric_run
    from .report.page import Page
    from .report.symmetry import write

    with _model_prints_to_stderr():
        found = symmetric_run(catalog.find_model(model), n, graph, dict(parameters))
    again = [
        model,
        *(["--graph", graph] if graph else []),
        *(word for pair in parameters for word in ("--set", "=".join(pair))),
    ]
    write(found, again, Page.on())
    ctx.exit(0 if found.complete else INTERRUPTED)


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


CLAIMS_EXAMPLES = """
\b
Examples:
  modelcheck claims harmony --n 3
  modelcheck claims garg-passive-dkr
\b
Exit codes: 0 where everything comes out as the book has it, 1 where something comes out otherwise,
20 where something was not reached within the limits, or after Ctrl-C.
"""


@cli.command(epilog=CLAIMS_EXAMPLES.strip())
@click.argument("source", required=False, metavar="[SOURCE]")
@book_options
@click.pass_context
def claims(ctx: click.Context, /, source: str | None, **options: Any) -> None:
    """Tests what the literature says of these protocols.

    Each claim comes out confirmed, refuted (a known error of its source, with the counterexample), or not reached within
    the limits; whatever comes out otherwise than the book has it is a surprise, and the exit code is not 0.

    SOURCE is a source (garg, effatparvar, santoro, krzyzanowski, harmony), one claim of it (garg-passive-dkr), or a file
    of your own: ./mine.toml. Without it all sources are tested, which takes minutes; --fast tests a part.
    """
    from .book.shelf import find_claims

    found = find_claims(source)
    in_full = source is not None and "-" in source and not source.endswith(".toml")
    ctx.exit(_read_book(found, in_full=in_full, **options))


EXERCISES_EXAMPLES = """
\b
Examples:
  modelcheck exercises
  modelcheck exercises harmony-25.2
"""


@cli.command(epilog=EXERCISES_EXAMPLES.strip())
@click.argument("exercise", required=False, metavar="[EXERCISE]")
@book_options
@click.pass_context
def exercises(ctx: click.Context, /, exercise: str | None, json_file: str | None, **options: Any) -> None:
    """Lists the exercises of the literature, or does one.

    The list says what to try and what to look for; an exercise that is done is explained.

    EXERCISE is one of those that `modelcheck exercises` lists, or a source (garg).
    """
    from .book.shelf import find_exercises

    found = find_exercises(exercise)
    if exercise and sum(len(claims) for _, claims in found) == 1:
        ctx.exit(_read_book(found, in_full=True, json_file=json_file, **options))
    from .report import as_json, book
    from .report.page import Page

    if json_file == STDOUT:
        _print(as_json.dumps(book.exercises_document(found)))
        return
    book.write_exercises(found, Page.on())
    if json_file is not None:
        _write("--json", json_file, as_json.dumps(book.exercises_document(found)))


def _read_book(found: Any, *, in_full: bool, n: int | None, fast: bool, json_file: str | None, **options: Any) -> int:
    """Tries the claims and prints what comes of each as soon as it is known; the exit code."""
    import time

    from .book.trying import ClaimOutcome, Reader, exit_code
    from .report import as_json, book
    from .report.page import Page

    if json_file is not None and json_file != STDOUT:
        _check_writable("--json", json_file)
    began = time.monotonic()
    page = None if json_file == STDOUT else Page.on()
    outcomes: list[ClaimOutcome] = []
    reader = Reader(limits_asked_for(options), n, fast, watch=_watched)
    stopped = False
    try:
        for number, (source, claims) in enumerate(found):
            if page and not in_full:
                if number:
                    page.blank()
                book.write_source(source, page)
            for outcome in reader.claims(claims):
                outcomes.append(outcome)
                if page:
                    (book.write_claim if in_full else book.write_row)(outcome, page)
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        stopped = True
    seconds = time.monotonic() - began
    if page and not in_full:
        book.write_sum(outcomes, seconds, page)
    if json_file is not None:
        text = as_json.dumps(book.document(outcomes, seconds))
        _print(text) if json_file == STDOUT else _write("--json", json_file, text)
    return exit_code(outcomes) or (INTERRUPTED if stopped else 0)


@contextlib.contextmanager
def _watched(limits: Limits) -> Iterator[Meter]:
    """A meter for one search, with progress on standard error; Ctrl-C ends the search."""
    from .explore.exploration import Meter
    from .interrupts import interruptible
    from .report.progress import progress

    with _model_prints_to_stderr(), progress() as shown:  # in this order: Rich puts back the stream that it found
        meter = Meter(limits, shown)
        with interruptible(meter):
            yield meter


# --- running and reporting ---------------------------------------------------------------------------------------


def _found(function: Callable[..., Found], model: str, limits: Limits, **options: Any) -> Found:
    """What `check` or `count_messages` finds, with progress on standard error and Ctrl-C leading to a partial one."""
    with _watched(limits) as meter:
        try:
            return function(model, meter=meter, **options)
        except KeyboardInterrupt:
            click.echo(f"{meter.reached or 'interrupted'} before there was anything to report", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None


def _keeping(file: str | None, resume: bool) -> Keeping:
    """Checkpoints in the file that was named, or else in the user's folder for what programs remember between runs."""
    from .check.checkpoint import Keeping

    def tell(sentence: str) -> None:
        click.echo(sentence, err=True)

    if file is not None:
        return Keeping(Path(file), resume=resume, tell=tell)
    if sys.platform == "win32":
        folder = Path(click.get_app_dir("modelcheck", roaming=False))
    else:  # https://specifications.freedesktop.org/basedir-spec
        state = os.environ.get("XDG_STATE_HOME", "")
        folder = Path(state if os.path.isabs(state) else os.path.expanduser("~/.local/state")) / "modelcheck"
    return Keeping(folder / "checkpoints", named=False, resume=resume, tell=tell)


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
