"""`modelcheck join`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..options import STDOUT, join_options, limits_asked_for
from ..witness.interpreters import prepare
from .base import Command
from .run import report
from .running import check_writable, found, model_prints_to_stderr, write_file

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
    if html_file is not None:
        from ..report.html import run as html
        from ..report.html import state_graph

        with model_prints_to_stderr():
            graph = state_graph.states(result, model, arguments)
        write_file("--html", html_file, html.document(result, graph))
    ctx.exit(result.exit_code)
