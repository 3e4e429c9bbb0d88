"""`modelcheck symmetry`."""

from __future__ import annotations

import click

from ..interrupts import INTERRUPTED
from ..options import symmetry_options
from .base import Command
from .running import model_prints_to_stderr

SYMMETRY_EXAMPLES = """
\b
Examples:
  modelcheck symmetry chang_roberts --n 4
  modelcheck symmetry itai_rodeh
"""


@click.command(cls=Command, epilog=SYMMETRY_EXAMPLES.strip())
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
    from .. import catalog
    from ..check.symmetry import symmetric_run
    from ..report.page import Page
    from ..report.symmetry import write

    with model_prints_to_stderr():
        found = symmetric_run(catalog.find_model(model), n, graph, dict(parameters))
    again = [
        model,
        *(["--graph", graph] if graph else []),
        *(word for pair in parameters for word in ("--set", "=".join(pair))),
    ]
    write(found, again, Page.on())
    ctx.exit(0 if found.complete else INTERRUPTED)
