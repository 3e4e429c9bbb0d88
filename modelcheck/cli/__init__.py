"""The command line: reads options, calls the library, prints, and turns the outcome into an exit code.

The library raises; here is where errors become messages and where the process exits. A command is a file of its own (checkers.py has both that go to other checkers).
"""

from __future__ import annotations

import sys

import click

from ..version import __version__
from .base import Commands, nobody_reads
from .book import claims, exercises
from .checkers import confirm, export
from .compare import compare
from .desk.mcp import mcp
from .desk.watch import watch
from .expect import expect
from .explore import explore
from .graph import graph
from .help import show_help
from .messages import messages
from .models import list_models, new, show
from .run import join, run
from .simulate import simulate
from .symmetry import symmetry
from .teaching.exercise import exercise
from .teaching.grade import grade
from .teaching.page import page
from .trace import trace

EXAMPLES = """
\b
Examples:
  modelcheck run chang_roberts --n 5
  modelcheck run chang_roberts --ids 1,1,2 --expect violation --html report.html
  modelcheck explore chang_roberts --n 4
  modelcheck list
  modelcheck show chang_roberts
  modelcheck new mine
  modelcheck help
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


for command in (
    run, watch, join, explore, trace, compare, graph, messages, expect, simulate, list_models, show, symmetry, new, claims, exercises, exercise, grade, page,
    confirm, export, mcp, show_help,
):  # fmt: skip
    cli.add_command(command)


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
            nobody_reads()
