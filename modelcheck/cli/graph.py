"""`modelcheck graph`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .. import completion
from ..errors import UsageError
from ..options import arguments, graph_options, limits_asked_for
from ..text.typed import is_file
from .base import Command
from .running import check_writable, found

GRAPH_EXAMPLES = """
\b
Examples:
  modelcheck graph chang_roberts --n 3
  modelcheck graph chang_roberts --ids 3,1,2 --out states.dot
  modelcheck graph bully --n 4 --crashes 1 --out bully.html
  modelcheck graph chang_roberts --n 5 --by leader,awake --out seen.graphml
  modelcheck graph chang_roberts --n 4 --full --out lts.aut
  modelcheck graph chang_roberts --n 3 --sets --out sets.svg
\b
Formats, by the suffix of FILE:
  .html              a page that lays the graph out by itself, in any browser, without a network
  .svg .png .pdf     a picture; needs Graphviz's program dot
  .dot               for Graphviz
  .graphml .json     for NetworkX, Gephi, yEd; the JSON is node-link data
  .aut               a labelled transition system, for CADP and mCRL2
  With --sets: .svg .png .pdf .dot
\b
Exit codes: 0 when the graph was written, violated properties or not; 2 where the command asks for what does not exist,
20 where a limit was reached before, 10, 70 and 75 as for `modelcheck run`.
"""


@click.command(cls=Command, epilog=GRAPH_EXAMPLES.strip())
@click.argument("model", metavar="NAME", shell_complete=completion.models)
@click.option(
    "--out",
    metavar="FILE",
    help="Where to write it, in the format of the suffix.  [default: NAME.html, with --sets NAME.svg, if there is none yet]",
)
@click.option(
    "--world", type=click.IntRange(1), metavar="K", help="World number K, in the order in which `run` explores them."
)
@click.option("--full", is_flag=True, help="A node for each state, however many there are.")
@click.option(
    "--collapse", is_flag=True, help="A node for all states that look alike to an observer, however few there are."
)
@click.option("--by", metavar="FIELDS", help="Collapse by these fields of the processes: leader,awake.")
@click.option(
    "--sets", is_flag=True, help="All states of all worlds as a decision diagram: what --engine sets of `run` works on."
)
@graph_options
def graph(
    model: str, out: str | None, world: int | None, full: bool, collapse: bool, by: str | None, sets: bool, **options: Any
) -> None:  # fmt: skip
    """Draws the states of NAME and the transitions between them.

    One world is drawn: that of the shortest counterexample, which is highlighted, or else the first. Initial and terminal
    states, those in which the leader is known and those that break a property are told apart.

    A graph with too many states to be drawn is collapsed: states that look alike in the fields that the properties read become one
    node, with how many they are. Data for other programs (.graphml, .json, .aut) is not collapsed unless that is asked for.

    With --sets the states of all worlds of a size are drawn as one set: `modelcheck help sets` says how that is read.

    NAME is a bundled model, or a file of yours: ./mine.py.
    """
    from ..graph.files import DATA, check_suffix, write_graph
    from ..graph.state_graph import state_graph
    from ..report.terminal.graph import write
    from ..report.terminal.page import Page

    if sets:
        shaped = {"--world": world is not None, "--full": full, "--collapse": collapse, "--by": by is not None}
        _draw_sets(model, out, [option for option, given in shaped.items() if given], options)
        return
    if options["engine"] == "sets":
        raise UsageError("--engine sets visits no states that could be drawn: --sets draws the diagram that it makes")
    if full and (collapse or by):
        raise UsageError(
            f"--full is a node for each state, {'--by' if by else '--collapse'} is not: leave one of them out"
        )
    file = Path(out) if out is not None else _unasked(model)
    suffix = check_suffix(str(file))
    check_writable("--out", str(file))
    fields = () if by is None else tuple(dict.fromkeys(field.strip() for field in by.split(",") if field.strip()))
    if by is not None and not fields:
        raise UsageError("--by names fields of the processes, as in --by leader,awake")
    wanted = False if full or (suffix in DATA and not collapse and not fields) else True if collapse or fields else None
    limits = limits_asked_for(options)
    drawn = found(state_graph, model, limits, world=world, collapse=wanted, by=fields, **arguments(options))
    write_graph(drawn, file)
    write(drawn, file, Page.on())


def _draw_sets(model: str, out: str | None, shaped: list[str], options: dict[str, Any]) -> None:
    """Draws the decision diagram of all states; `shaped` are the options given that say how a state graph is drawn."""
    from ..graph.files import check_suffix
    from ..graph.set_diagram import set_diagram
    from ..graph.set_dot import PICTURES, write_set_diagram
    from ..report.terminal.graph import write_sets
    from ..report.terminal.page import Page

    if shaped:
        raise UsageError(
            f"--sets draws all states of all worlds at once: leave out {', '.join(shaped)}; one world is --ids 3,1,2"
        )
    if options["engine"] not in ("auto", "sets"):
        raise UsageError(f"--sets draws what the engine of that name makes: leave out --engine {options['engine']}")
    file = Path(out) if out is not None else _unasked(model, ".svg")
    check_suffix(str(file), PICTURES)
    check_writable("--out", str(file))
    limits, asked = limits_asked_for(options), arguments(options)
    del asked["engine"]
    drawn = found(set_diagram, model, limits, **asked)
    write_set_diagram(drawn, file)
    write_sets(drawn, file, Page.on())


def _unasked(model: str, suffix: str = ".html") -> Path:
    """Where the graph goes if nobody says where: never over a file that is there already."""
    name = Path(model.rpartition(":")[0] if model.rpartition(":")[0].endswith(".py") else model).stem
    file = Path(f"{name}{suffix}")
    if is_file(file):
        raise UsageError(f"{file} is there already: to write over it, or elsewhere, name it: --out {file}")
    return file
