"""The state graph in the report of a run: of the world of the shortest counterexample, or else of the first, where that is small."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from ...check.request import Asked
from ...check.result import Result
from ...errors import ModelcheckError
from ...explore.limits import Limits
from ..words.commands import of_world
from ..words.steps import told_runs
from .figure import embedded

if TYPE_CHECKING:
    from ...graph.state_graph import StateGraph

MOST = 20_000  # states of all worlds of a size, so that the graph takes no longer than a moment
SECONDS = 10.0
NODES = 80  # that can still be looked at in the middle of a page


@dataclass(frozen=True)
class StateGraphSection:
    """The picture and the command that writes it by itself; or why there is none."""

    svg: Markup | None = None
    seen: str = ""  # what tells states apart, where several are one node
    command: str = ""
    why: str = ""


def states(result: Result, model: str, asked: Mapping[str, Any]) -> StateGraphSection | None:
    """The graph for what was `asked` of `check`; None where there are no states to speak of."""
    if result.error is not None or not result.states:
        return None
    options = _options(result, asked)
    if options is None:
        return StateGraphSection(
            why=f"there are more than {MOST:,} states: `modelcheck graph` draws what an observer sees of them"
        )
    if sys.platform == "emscripten":
        return StateGraphSection(why="it is drawn where modelcheck is installed: `modelcheck graph`")
    from ...graph.files import svg_of
    from ...graph.state_graph import state_graph

    try:
        graph = state_graph(model, limits=Limits(max_states=MOST, max_seconds=SECONDS), **options)
        if len(graph.nodes) > NODES:
            return StateGraphSection(
                why=f"it has {len(graph.nodes)} nodes, too many for the middle of a page", command=_command(graph)
            )
        svg = svg_of(graph)
    except ModelcheckError as error:  # the report is complete without it
        return StateGraphSection(why=str(error))
    except KeyboardInterrupt:
        return StateGraphSection(why="interrupted")
    return StateGraphSection(_scoped(svg), graph.seen, _command(graph))


def _options(result: Result, asked: Mapping[str, Any]) -> dict[str, Any] | None:
    """The arguments of `state_graph`; of several sizes the one with a counterexample, or the greatest that is small. None where
    none is."""
    known = {*Asked.__annotations__, "engine"} - {"expect"}
    options = {name: value for name, value in asked.items() if name in known and value is not None}
    runs = told_runs(result)
    small = [tally.n for tally in result.sizes if 0 < tally.states <= MOST]
    if runs:
        small = [n for n in small if n == runs[0].trace.world.n]
        options["property"] = (runs[0].name,)
    if not small:
        return None
    if "n" in options:
        options["n"] = (small[-1],)
    return options


def _command(graph: StateGraph) -> str:
    return shlex.join(
        ["modelcheck", "graph", graph.reference, *chain.from_iterable(graph.options), *of_world(graph.world)]
    )


def _scoped(svg: str) -> Markup:
    """The picture for a page: its style is for it alone, and its identifiers are no others'."""
    found = re.sub(r"^.*?(?=<svg)", "", svg, count=1, flags=re.DOTALL)
    style = re.search(r"<style>(.*?)</style>", found, re.DOTALL)
    if style is not None:
        rules = re.sub(r"(?<=[{}])(svg|\[)", lambda part: ".states" + (" [" if part[1] == "[" else ""), style[1])
        found = found.replace(style[1], rules, 1)
    found = re.sub(
        r'^<svg width="(\d+)pt" height="(\d+)pt"', r'<svg class="states" role="img" width="\1" height="\2"', found
    )
    return embedded(found, "states")
