"""`modelcheck run`, and `modelcheck join` for the parts of a run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import completion
from ..options import STDOUT, arguments, join_options, limits_asked_for, run_options
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
    ctx: click.Context, /, model: str | None, cluster: str | None, resume: bool, checkpoint_file: str | None, trace_file: str | None,
    html_file: str | None, diagram_file: str | None, causal: bool, why: bool, animate_file: str | None, junit_file: str | None,
    sarif_file: str | None, lines: bool, json_file: str | None, **options: Any,
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
    asked = arguments(options)
    files = {
        "--json": json_file,
        "--html": html_file,
        "--trace": trace_file,
        "--junit": junit_file,
        "--sarif": sarif_file,
        "--checkpoint": checkpoint_file,
    }
    for option, file in files.items():
        if file is not None and file != STDOUT:
            check_writable(option, file)
    if diagram_file is not None:
        check_diagram(diagram_file)
    check_causal(causal, diagram_file)
    check_animation(animate_file)

    prepare()
    from ..check.checker import check

    kept = keeping(checkpoint_file, resume)
    result = found(check, model, limits, checkpoint=kept, elsewhere=elsewhere(cluster), **asked)
    if lines and json_file != STDOUT:
        write_lines(result)
    report(result, trace_file, json_file, why=why)
    write_page(html_file, result, model, asked)
    if junit_file is not None:
        from ..report.files.junit import junit

        write_file("--junit", junit_file, junit(result))
    if sarif_file is not None:
        from ..report.files.sarif import sarif

        write_file("--sarif", sarif_file, sarif(result))
    if diagram_file is not None:
        draw_counterexample(result, diagram_file, causal=causal)
    if animate_file is not None:
        animate_counterexample(result, animate_file)
    ctx.exit(result.exit_code)


def write_lines(result: Result) -> None:
    """A line for each violation, which no terminal breaks into two."""
    from ..report.words.places import problems

    print_text("".join(f"{line}\n" for line in problems(result, Path.cwd())))


def report(result: Result, trace_file: str | None, json_file: str | None, *, why: bool = False) -> None:
    """Prints what was found, and writes the files that were asked for."""
    from ..report.files import as_json

    if json_file == STDOUT:
        print_text(as_json.dumps(as_json.document(result)))
    else:
        from ..report.terminal import run as terminal
        from ..report.terminal.page import Page

        terminal.write(result, Page.on(), why=why)
        if json_file is not None:
            write_file("--json", json_file, as_json.dumps(as_json.document(result)))
    if trace_file is None:
        return
    if any(found.verdict == "violated" and found.trace for found in result.properties):
        write_file("--trace", trace_file, as_json.dumps(as_json.traces(result)))
    else:
        say_unwritten(result, trace_file)


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
    report(result, trace_file, json_file)
    write_page(html_file, result, model, arguments)
    ctx.exit(result.exit_code)
