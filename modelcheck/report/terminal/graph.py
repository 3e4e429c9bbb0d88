"""What `modelcheck graph` says of the picture it has written."""

from __future__ import annotations

import shlex
from itertools import chain
from pathlib import Path

from rich.text import Text

from ...graph.dot import counted, plural, which_world
from ...graph.set_diagram import SetDiagram
from ...graph.set_dot import counted as sets_counted
from ...graph.state_graph import StateGraph
from ..words.commands import of_world
from .page import Page


def write(graph: StateGraph, file: Path, page: Page) -> None:
    """The file, what is in it, which world it is, what fails there, and the next command."""
    drawn = f"{plural(len(graph.nodes), 'node')}, {plural(len(graph.edges), 'edge')}"
    page.line(Text.assemble((f"wrote {file}", "bold"), f"  {drawn}"))
    page.entry("shows", counted(graph))
    page.entry("world", f"{graph.world}: {which_world(graph)}")
    for name, count in graph.violations.items():
        found = graph.counterexample
        drawn_run = found is not None and found.name == name
        where = "" if count is None else f", {plural(count, 'time')}"
        why = f": {found.reason.rstrip('.')}; the run to it is drawn bold" if found is not None and drawn_run else ""
        page.entry("violated", Text(f"{name}{where}{why}", style="red"))
    if not graph.violations:
        page.entry("violated", _nothing(graph))
    page.command("next", following(graph, file))


def write_sets(diagram: SetDiagram, file: Path, page: Page) -> None:
    """The same of a decision diagram: the file, what is in it, and the run that judges these states."""
    drawn = f"{plural(len(diagram.nodes), 'node')}, {plural(diagram.edges, 'edge')} drawn as {plural(len(diagram.arrows), 'arrow')}"
    page.line(Text.assemble((f"wrote {file}", "bold"), f"  {drawn}"))
    page.entry("shows", sets_counted(diagram))
    page.entry("levels", ", ".join(diagram.levels))
    options = dict(diagram.options)
    sized = "--graph" in options or options.get("--ids", "")[:1].isdigit()
    size = [] if sized else ["--n", str(diagram.n)]
    words = ["run", diagram.reference, *chain.from_iterable(diagram.options), *size, "--engine", "sets"]
    page.command("next", shlex.join(["modelcheck", *words]))


def _nothing(graph: StateGraph) -> str:
    if graph.worlds == 1:
        return "nothing"
    if graph.chosen == "asked":
        return "nothing in this world; the others were not looked at"
    if graph.looked_through == graph.worlds:
        return "nothing, in this world and in the others"
    return f"nothing in the first {plural(graph.looked_through, 'world')}; `modelcheck run` looks at all of them"


def following(graph: StateGraph, file: Path) -> str:
    """The next command worth typing: the counterexample in words, a closer look, or the whole of it checked."""
    options = [*chain.from_iterable(graph.options)]
    world = of_world(graph.world, options)
    if graph.counterexample is not None:
        words = ["run", graph.reference, *options, *world, "--property", graph.counterexample.name]
    elif graph.is_collapsed and graph.unseen:
        which = ["--world", str(graph.order)] if graph.chosen == "asked" else []
        size = ["--n", str(graph.world.n)] if "--graph" not in options else []
        words = [
            "graph",
            graph.reference,
            *options,
            *size,
            *which,
            "--by",
            ",".join(graph.unseen[:2]),
            "--out",
            str(file),
        ]
    else:
        words = ["run", graph.reference, *options, *(["--n", str(graph.world.n)] if "--graph" not in options else [])]
    return shlex.join(["modelcheck", *words])
