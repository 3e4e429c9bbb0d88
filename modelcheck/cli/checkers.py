"""`modelcheck confirm` and `modelcheck export`: other checkers."""

from __future__ import annotations

from typing import Any

import click

from .. import completion
from ..errors import UsageError
from ..options import STDOUT, arguments, confirm_options, export_options, limits_of_tables
from .base import Command
from .running import check_writable, found, print_text, write_file

CONFIRM_EXAMPLES = """
\b
Examples:
  modelcheck confirm chang_roberts --n 3
  modelcheck confirm chang_roberts --n 2..4 --network bag --with spin
  modelcheck confirm bully --n 3 --crashes 1 --with spin,rumur
  modelcheck confirm chang_roberts --n 4 --with sets,spin
  modelcheck confirm itai_rodeh --n 2 --no-symmetry --json
\b
What the search met is written as a Promela program for Spin and as a Murphi program for Rumur: local states, messages, and what a
process in a state does with a message. They search it themselves, exactly and without reduction. States, transitions,
steps that fail and states in which no step is left must be as many; and if they come to a local state or a message
that our search never met there, that is an error. It confirms the search, the symmetry and the counting; not what a step
means, which the tables say, nor properties.
\b
Exit codes:
   0  all numbers agree               2  the command asks for what does not exist, or a tool is not installed
  70  they differ: a bug             20  inconclusive: a limit was reached, or Ctrl-C
  10, 75  as for `modelcheck run`
"""


@click.command(cls=Command, epilog=CONFIRM_EXAMPLES.strip())
@click.argument("model", metavar="NAME", shell_complete=completion.models)
@click.option("--with", "tools", metavar="TOOLS", help="spin, rumur, and sets for this program's own engine of that name: spin,rumur,sets.  [default: spin and rumur, where installed]")  # fmt: skip
@confirm_options
@click.pass_context
def confirm(ctx: click.Context, /, model: str, tools: str | None, json_file: str | None, **options: Any) -> None:
    """Has the search of NAME confirmed by Spin and Rumur.

    NAME is a bundled model, or a file of yours: ./mine.py.
    """
    limits = limits_of_tables(options)
    if json_file not in (None, STDOUT):
        check_writable("--json", str(json_file))
    from ..export import confirming
    from ..report.files import as_json
    from ..report.terminal import confirmed
    from ..report.terminal.page import Page

    names = None if tools is None else [name.strip() for name in tools.split(",") if name.strip()]
    result = found(confirming.confirm, model, limits, tools=names, **arguments(options))
    if json_file == STDOUT:
        print_text(as_json.dumps(confirmed.document(result)))
    else:
        confirmed.write(result, Page.on())
        if json_file is not None:
            write_file("--json", json_file, as_json.dumps(confirmed.document(result)))
    ctx.exit(result.exit_code)


EXPORT_EXAMPLES = """
\b
Examples:
  modelcheck export chang_roberts --n 3 --to promela
  modelcheck export chang_roberts --ids 1,3,2 --to promela --out chang_roberts.pml
  modelcheck export bully --n 3 --crashes 1 --to murphi --out bully.m
  modelcheck export itai_rodeh --n 2 --to prism --out itai_rodeh.nm
  modelcheck export itai_rodeh --n 2 --to umb --out itai_rodeh.umb
\b
Languages:
  promela    for Spin
  murphi     for Rumur (and CMurphi)
  prism      for PRISM and Storm: the Markov decision process of `modelcheck expect`, in one world
  umb        the same as a Unified Markov Binary, for Storm and others: an archive, quick to read
\b
They are what a search has met: see `modelcheck confirm`, which also runs it.
"""


@click.command(cls=Command, epilog=EXPORT_EXAMPLES.strip())
@click.argument("model", metavar="NAME", shell_complete=completion.models)
@click.option("--to", "language", metavar="LANGUAGE", required=True, help="promela, murphi, prism or umb.")
@click.option("--out", "file", metavar="FILE", help="Where to write it.  [default: standard output]")
@export_options
def export(model: str, language: str, file: str | None, **options: Any) -> None:
    """Writes the tables of NAME as a program for other checkers.

    NAME is a bundled model, or a file of yours: ./mine.py.
    """
    limits = limits_of_tables(options)
    if file is not None:
        check_writable("--out", file)
    from ..export import confirming, prism, umb
    from ..report.terminal import confirmed
    from ..report.terminal.page import Page

    if language in (prism.LANGUAGE, umb.LANGUAGE):
        if language == umb.LANGUAGE and file is None:
            raise UsageError("an archive is no text: say where to write it, as in --out process.umb")
        from ..export.process import process_of

        process, title = found(process_of, model, limits, **arguments(options))
        _write(prism.program(process, title) if language == prism.LANGUAGE else umb.archive(process, title), file)
        return
    exported = found(confirming.export, model, limits, language=language, **arguments(options))
    if file is None:
        print_text(exported.text)
    else:
        write_file("--out", file, exported.text)
        confirmed.write_export(exported, file, Page.on())


def _write(text: str | bytes, file: str | None) -> None:
    if file is None:
        assert isinstance(text, str)
        print_text(text)
    else:
        write_file("--out", file, text)
        click.echo(f"wrote {file}")
