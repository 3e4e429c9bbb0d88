"""`modelcheck export`."""

from __future__ import annotations

from typing import Any

import click

from ..options import arguments, export_options
from .base import Command
from .exporting import limits_of_tables
from .running import check_writable, found, print_text, write_file

EXPORT_EXAMPLES = """
\b
Examples:
  modelcheck export chang_roberts --n 3 --to promela
  modelcheck export chang_roberts --ids 1,3,2 --to promela --out chang_roberts.pml
  modelcheck export bully --n 3 --crashes 1 --to murphi --out bully.m
\b
Languages:
  promela    for Spin
  murphi     for Rumur (and CMurphi)
\b
They are what a search has met: see `modelcheck confirm`, which also runs it.
"""


@click.command(cls=Command, epilog=EXPORT_EXAMPLES.strip())
@click.argument("model", metavar="NAME")
@click.option("--to", "language", metavar="LANGUAGE", required=True, help="promela or murphi.")
@click.option("--out", "file", metavar="FILE", help="Where to write it.  [default: standard output]")
@export_options
def export(model: str, language: str, file: str | None, **options: Any) -> None:
    """Writes the tables of NAME as a program for Spin or Rumur.

    NAME is a bundled model, or a file of yours: ./mine.py.
    """
    limits = limits_of_tables(options)
    if file is not None:
        check_writable("--out", file)
    from ..export import confirming
    from ..report.terminal import confirmed
    from ..report.terminal.page import Page

    exported = found(confirming.export, model, limits, language=language, **arguments(options))
    if file is None:
        print_text(exported.text)
    else:
        write_file("--out", file, exported.text)
        confirmed.write_export(exported, file, Page.on())
