"""A state graph as a page of its own: it lays the graph out in the reader's browser, and needs neither Graphviz nor a network.

The layout is done by Graphviz compiled to WebAssembly (vendor/LICENSES.md), which is part of the page, as everything else is. A
content security policy in the page forbids it to ask anybody for anything.
"""

from __future__ import annotations

import html
import json
import re
from functools import cache
from importlib.resources import files

from ..pictures.words import width
from .dot import counted, dot_of, edge_tooltip, signs, title, tooltip, violated, which_world
from .palette import DAY_AND_NIGHT, style_sheet
from .state_graph import StateGraph

SAMPLE = "p1 receives Election 23, Leader"  # by which the page measures the face that it is read in
FOLDER = files("modelcheck.graph")


def page_of(graph: StateGraph) -> str:
    """The page. Deterministic: it depends on the graph and nothing else."""
    legend = "".join(
        f'<li><span class="sign {sign}" aria-hidden="true"></span>{html.escape(words)}</li>'
        for sign, words in signs(graph)
    )
    wrong = violated(graph)
    parts = {
        "TITLE": html.escape(title(graph)),
        "COUNTED": html.escape(counted(graph)),
        "WORLD": html.escape("; ".join([which_world(graph), ", ".join(graph.circumstances)])),
        "VIOLATED": f'<p class="wrong">{html.escape(wrong)}</p>' if wrong else "",
        "LEGEND": legend,
        "COLOURS": _colours(),
        "SAMPLE": SAMPLE,
        "SAMPLE_WIDTH": str(round(width(SAMPLE, 100), 1)),
        "SVG_AT_NIGHT": style_sheet(),
        "DATA": _data(graph),
        "DOT": _within_script(json.dumps(dot_of(graph, heading=False), ensure_ascii=False)),
        "GRAPHVIZ": _graphviz(),
    }
    page = (FOLDER / "graph_page.html").read_text(encoding="utf-8")
    return re.sub(r"@@([A-Z_]+)@@", lambda place: parts[place[1]], page)


@cache
def _graphviz() -> str:
    return (FOLDER / "vendor" / "viz-global.js").read_bytes().decode()


def _data(graph: StateGraph) -> str:
    """What is said of a node or an edge that is pointed at, by its id in the SVG."""
    data = {f"state-{node.number}": tooltip(graph, node) for node in graph.nodes}
    data |= {f"edge-{number}": edge_tooltip(graph, edge) for number, edge in enumerate(graph.edges)}
    return _within_script(json.dumps(data, ensure_ascii=False))


def _within_script(text: str) -> str:
    """JSON that cannot end the element it stands in."""
    return text.replace("<", "\\u003c")


def _colours() -> str:
    day = "".join(f"--{name.replace('_', '-')}:{day};" for name, (day, _) in DAY_AND_NIGHT.items())
    night = "".join(f"--{name.replace('_', '-')}:{night};" for name, (_, night) in DAY_AND_NIGHT.items())
    return f":root{{color-scheme:light dark;{day}}}@media screen and (prefers-color-scheme:dark){{:root{{{night}}}}}"
