"""`modelcheck run`, and `modelcheck join` for the parts of a run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import completion
from ..options import STDOUT, arguments, files_asked_for, join_options, limits_asked_for, run_options
from ..witness.interpreters import prepare
from .base import Command
from .drawing import (
    animate_counterexample,
    check_animation,
    check_causal,
    check_diagram,
    draw_counterexample,
    say_unwritten,
)  # fmt: skip
from .running import check_writable, elsewhere, found, keeping, model_prints_to_stderr, print_text, write_file

if TYPE_CHECKING:
    from ..check.result import Result

RUN_EXAMPLES = """
\b
Examples:
  modelcheck run chang_roberts --n 5
  modelcheck run chang_roberts --n 2..4 --network bag
  modelcheck run chang_roberts --ids 1,1,2 --expect violation
  modelcheck run chang_roberts --n 3 --set elects=min --json
  modelcheck run chang_roberts:StartUnguarded --n 3 --expect safety
  modelcheck run chang_roberts --n 3 --property everyone_decides --losses 1 --expect stuck
  modelcheck run chang_roberts --ids 1,1,2 --expect violation --diagram run.svg
  modelcheck run chang_roberts --ids 1,1,2 --expect violation --animate moving.svg
  modelcheck run chang_roberts --ids 1,1,2 --expect violation --why
  modelcheck run chang_roberts --n 6 --resume
  modelcheck run bully_partition --n 3 --partitions 1 --heals 1
  modelcheck run chang_roberts --ids 1,1,2 --expect violation --html report.html
  modelcheck run chang_roberts --n 8 --cluster local:4
\b
Exit codes:
   0  the properties hold             2  the command asks for what does not exist
  10  an assumption is false         20  inconclusive: a limit was reached, or Ctrl-C
  11  a run gets stuck               70  a bug in modelcheck
  12  a safety property fails        75  the model's own code is at fault
  13  a liveness property fails       1  not what --expect asked for
  14  an assertion in a step fails
"""


@click.command(cls=Command, epilog=RUN_EXAMPLES.strip())
@click.argument("model", required=False, metavar="MODEL", shell_complete=completion.models)
@run_options
@click.pass_context
def run(
    ctx: click.Context, /, model: str | None, cluster: str | None, resume: bool, checkpoint_file: str | None, why: bool, lines: bool,
    json_file: str | None, **options: Any,
) -> None:  # fmt: skip
    """Proves MODEL's properties or shows the shortest run against one.

    Every run is explored: every interleaving of the steps, from every assignment of identifiers.

    MODEL is a bundled model (see `modelcheck list`) or a file of yours: ./mine.py. After a colon it is a variation
    of it, or one of several protocols in the file: chang_roberts:StartUnguarded, ./mine.py:ClassName.
    """
    if model is None:
        hint = f"; --json took {json_file!r} for its FILE: write it last" if json_file not in (None, STDOUT) else ""
        raise click.UsageError(f"which MODEL? `modelcheck list` names them{hint}", ctx)
    limits = limits_asked_for(options)
    files = files_asked_for(options)
    asked = arguments(options)
    for option, file in {"--json": json_file, "--checkpoint": checkpoint_file}.items():
        if file is not None and file != STDOUT:
            check_writable(option, file)
    check_files(files)

    prepare()
    from ..check.checker import check

    kept = keeping(checkpoint_file, resume)
    result = found(check, model, limits, checkpoint=kept, elsewhere=elsewhere(cluster), **asked)
    if lines and json_file != STDOUT:
        write_lines(result)
    report(result, json_file, why=why)
    write_files(result, model, asked, files)
    ctx.exit(result.exit_code)


def check_files(files: Mapping[str, Any]) -> None:
    """Refuses files that cannot be written, before a long search rather than after it."""
    for name in ("html_file", "trace_file", "junit_file", "sarif_file"):
        if files[name] is not None:
            check_writable(f"--{name.removesuffix('_file')}", files[name])
    if files["diagram_file"] is not None:
        check_diagram(files["diagram_file"])
    check_causal(files["causal"], files["diagram_file"])
    check_animation(files["animate_file"])


def write_files(result: Result, model: str, asked: Mapping[str, Any], files: Mapping[str, Any]) -> None:
    """Writes the files that were asked for beside the report."""
    write_traces(files["trace_file"], result)
    write_page(files["html_file"], result, model, asked)
    if files["junit_file"] is not None:
        from ..report.files.junit import junit

        write_file("--junit", files["junit_file"], junit(result))
    if files["sarif_file"] is not None:
        from ..report.files.sarif import sarif

        write_file("--sarif", files["sarif_file"], sarif(result))
    if files["diagram_file"] is not None:
        draw_counterexample(result, files["diagram_file"], causal=files["causal"])
    if files["animate_file"] is not None:
        animate_counterexample(result, files["animate_file"])


def write_lines(result: Result) -> None:
    """A line for each violation, which no terminal breaks into two."""
    from ..report.words.places import problems

    print_text("".join(f"{line}\n" for line in problems(result, Path.cwd())))


def report(result: Result, json_file: str | None, *, why: bool = False) -> None:
    """Prints what was found, and writes it as JSON where that was asked for."""
    from ..report.files import as_json

    if json_file == STDOUT:
        print_text(as_json.dumps(as_json.document(result)))
        return
    from ..report.terminal import run as terminal
    from ..report.terminal.page import Page

    terminal.write(result, Page.on(), why=why)
    if json_file is not None:
        write_file("--json", json_file, as_json.dumps(as_json.document(result)))


def write_traces(file: str | None, result: Result) -> None:
    """Writes the counterexamples, where that was asked for and there are any."""
    if file is None:
        return
    from ..report.files import as_json

    if any(found.verdict == "violated" and found.trace for found in result.properties):
        write_file("--trace", file, as_json.dumps(as_json.traces(result)))
    else:
        say_unwritten(result, file)


def write_page(file: str | None, result: Result, model: str, asked: Mapping[str, Any]) -> None:
    """Writes the report as a page, where that was asked for."""
    if file is None:
        return
    from ..report.html import run as html
    from ..report.html import state_graph

    with model_prints_to_stderr():
        graph = state_graph.states(result, model, asked)
    write_file("--html", file, html.document(result, graph))


JOIN_EXAMPLES = """
\b
Examples:
  modelcheck run chang_roberts --n 4 --part 1/2 --checkpoint one.json --expect inconclusive
  modelcheck run chang_roberts --n 4 --part 2/2 --checkpoint two.json --expect inconclusive
  modelcheck join one.json two.json
\b
A part explores every K-th world, wherever it runs; what it found is a file. Nothing is explored when parts are joined: what they know is
put together, counterexamples are taken again step by step, and the report is that of one run. A part that is missing, or was left before its
end, makes it INCONCLUSIVE. The exit codes are those of `modelcheck run`.
"""


@click.command(cls=Command, epilog=JOIN_EXAMPLES.strip())
@click.argument("parts", nargs=-1, metavar="PART...")
@join_options
@click.pass_context
def join(
    ctx: click.Context, /, parts: tuple[str, ...], trace_file: str | None, html_file: str | None, json_file: str | None, **options: Any
) -> None:  # fmt: skip
    """Puts the parts of a run together, which others have explored.

    Each PART is a file that `modelcheck run --part I/K --checkpoint FILE` has written.
    """
    limits = limits_asked_for(options)
    for option, file in {"--json": json_file, "--html": html_file, "--trace": trace_file}.items():
        if file is not None and file != STDOUT:
            check_writable(option, file)
    prepare()
    from ..check.checker import check
    from ..check.parts import asked

    files = [Path(part) for part in parts]
    arguments = asked(files)
    model = arguments.pop("model")
    result = found(check, model, limits, parts=files, **arguments)
    report(result, json_file)
    write_traces(trace_file, result)
    write_page(html_file, result, model, arguments)
    ctx.exit(result.exit_code)
