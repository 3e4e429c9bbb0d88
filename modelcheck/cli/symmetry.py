"""`modelcheck symmetry`."""

from __future__ import annotations

from typing import Any

import click

from .. import completion
from ..interrupts import INTERRUPTED
from ..options import limits_asked_for, symmetry_options
from .base import Command
from .running import found

SYMMETRY_EXAMPLES = """
\b
Examples:
  modelcheck symmetry chang_roberts --n 4
  modelcheck symmetry itai_rodeh
"""


@click.command(cls=Command, epilog=SYMMETRY_EXAMPLES.strip())
@click.argument("model", metavar="MODEL", shell_complete=completion.models)
@symmetry_options
@click.pass_context
def symmetry(
    ctx: click.Context,
    /,
    model: str,
    n: int | None,
    graph: str | None,
    parameters: tuple[tuple[str, str], ...],
    **limits: Any,
) -> None:
    """Shows why processes that are all alike elect nobody.

    All identifiers equal, or none; all processes step at once, round after round. What one does all do, so after every round
    all are in the same state, and never does exactly one lead, unless the protocol draws: then luck decides.
    """
    from .. import catalog
    from ..explore.limits import Meter
    from ..report.terminal.page import Page
    from ..report.terminal.symmetry import write
    from ..simulate.symmetric import Symmetry, symmetric_run

    def follow(name: str, meter: Meter) -> Symmetry:
        return symmetric_run(catalog.find_model(name), n, graph, dict(parameters), meter)

    result = found(follow, model, limits_asked_for(limits))
    again = [
        model,
        *(["--graph", graph] if graph else []),
        *(word for pair in parameters for word in ("--set", "=".join(pair))),
    ]
    write(result, again, Page.on())
    ctx.exit(0 if result.complete else INTERRUPTED)
