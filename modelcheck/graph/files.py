"""A state graph as a file, by its suffix: pictures, and data for other tools.

.svg .png .pdf    drawn by Graphviz's program dot
.html             a page that lays the graph out by itself, in any browser
.dot              for Graphviz
.graphml .json    for NetworkX, Gephi, yEd and the like; the JSON is node-link data
.aut              a labelled transition system as CADP and mCRL2 read it (the Aldebaran format)
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import networkx as nx

from ..errors import UsageError, nearest
from ..text.visible import visible
from .dot import BACKSLASH, FAILING, counted, dot_of, plural, title, which_world
from .palette import with_style
from .state_graph import Edge, Node, StateGraph

FORMAT = 1  # of the JSON; fields are added within a format, never changed or removed
PICTURES = (".svg", ".png", ".pdf", ".html", ".dot")
DATA = (".graphml", ".json", ".aut")
MOST_LAID_OUT = 1_500  # nodes
WORKING_TIME = 300  # seconds for one layout


def check_suffix(file: str, suffixes: tuple[str, ...] = PICTURES + DATA) -> str:
    """The suffix in small letters. Raises UsageError where it is none of these."""
    suffix = Path(file).suffix.lower()
    if suffix not in suffixes:
        known = ", ".join(suffixes)
        hint = f"; {nearest(suffix, suffixes)}" if suffix and len(suffixes) > 4 else ""
        raise UsageError(f"--out {file}: the name ends in what is to be written, one of {known}{hint}")
    if suffix in (".svg", ".png", ".pdf"):
        _program(suffix)
    return suffix


def write_graph(graph: StateGraph, file: Path) -> None:
    """Writes the graph in the format of the file's suffix. Raises UsageError where that cannot be done."""
    suffix = check_suffix(str(file))
    _check_size(graph, suffix)
    writers: dict[str, Callable[[StateGraph], str | bytes]] = {
        ".svg": svg_of,
        ".png": lambda graph: _drawn(graph, "png"),
        ".pdf": lambda graph: _drawn(graph, "pdf"),
        ".html": _page,
        ".dot": dot_of,
        ".graphml": graphml_of,
        ".json": json_of,
        ".aut": aut_of,
    }
    write_content(file, writers[suffix](graph))


def write_content(file: Path, content: str | bytes) -> None:
    """Raises UsageError where that cannot be done."""
    try:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise UsageError(f"--out {file}: {error.strerror}") from None


def _check_size(graph: StateGraph, suffix: str) -> None:
    if suffix in (*PICTURES[:-1],) and len(graph.nodes) > MOST_LAID_OUT:
        raise UsageError(
            f"{plural(len(graph.nodes), 'node')} cannot be laid out so that anybody could read them: leave out --full, or write"
            " data instead, --out FILE.graphml or FILE.aut"
        )


def _page(graph: StateGraph) -> str:
    from .page import page_of

    return page_of(graph)


# --- pictures


def svg_of(graph: StateGraph) -> str:
    """The picture as a standalone SVG, for day and night. Raises UsageError where the program dot is missing."""
    return standalone(_drawn(graph, "svg"))


def standalone(svg: bytes) -> str:
    """An SVG that dot has drawn, for day and night."""
    return with_style(svg.decode()).replace(BACKSLASH, "\\")


def _drawn(graph: StateGraph, kind: str) -> bytes:
    return drawn(dot_of(graph), kind, f"{plural(len(graph.nodes), 'node')} after {WORKING_TIME} seconds: --collapse")


def drawn(source: str, kind: str, too_much: str) -> bytes:
    """What Graphviz's program dot draws. Raises UsageError where it is missing, fails, or was not done with `too_much`."""
    program = _program(f".{kind}")
    options = ["-Gdpi=144"] if kind == "png" else []
    try:
        done = subprocess.run(
            [program, f"-T{kind}", *options],
            input=source.encode(),
            capture_output=True,
            timeout=WORKING_TIME,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise UsageError(f"dot was not done with {too_much}") from None
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise UsageError(f"dot could not draw it: {said[0] if said else f'it ended with {done.returncode}'}")
    return done.stdout


def _program(suffix: str) -> str:
    """Where dot is. Raises UsageError with what to do where it is missing."""
    found = shutil.which("dot")
    if found is None:
        raise UsageError(
            f"a {suffix} file is drawn by Graphviz's program dot, which is not installed: apt install graphviz (brew install"
            " graphviz), or write a page that needs nothing: --out graph.html"
        )
    return found


# --- data


def json_of(graph: StateGraph) -> str:
    """Node-link data: `networkx.node_link_graph(json.load(file), edges="edges")` reads it."""
    data = {
        "format": FORMAT,
        "directed": True,
        "multigraph": True,
        "graph": _of_graph(graph),
        "nodes": [{"id": node.number, **_of_node(node)} for node in graph.nodes]
        + [{"id": name, "failure": True, "label": FAILING.get(name, name)} for name in _failures(graph)],
        "edges": [
            {"source": edge.source, "target": edge.failure or edge.target, "key": number, **_of_edge(edge)}
            for number, edge in enumerate(_all_edges(graph))
        ],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def graphml_of(graph: StateGraph) -> bytes:
    """GraphML, as NetworkX writes it. Several values in one attribute are separated by semicolons."""
    written = nx.MultiDiGraph(**{name: _flat(value) for name, value in _of_graph(graph).items()})
    for node in graph.nodes:
        written.add_node(str(node.number), **{name: _flat(value) for name, value in _of_node(node).items()})
    for name in _failures(graph):
        written.add_node(name, failure=1, label=FAILING.get(name, name))
    for number, edge in enumerate(_all_edges(graph)):
        values = {name: _flat(value) for name, value in _of_edge(edge).items()}
        written.add_edge(str(edge.source), str(edge.failure or edge.target), key=number, **values)
    buffer = BytesIO()
    nx.write_graphml(written, buffer, encoding="utf-8", prettyprint=True)
    return buffer.getvalue()


def aut_of(graph: StateGraph) -> str:
    """des (initial state, number of transitions, number of states), and then a line for each transition.

    The format has one initial state and no states without a name: where a world has several, a state more leads to them by
    steps called start; a step that fails leads to a state more, one for each way to fail.
    """
    starts = [node.number for node in graph.nodes if node.initial]
    number_of = {name: len(graph.nodes) + k for k, name in enumerate(_failures(graph))}
    states = len(graph.nodes) + len(number_of)
    lines = []
    initial = starts[0] if starts else 0
    if len(starts) > 1:
        initial, states = states, states + 1
        lines += [f'({initial}, "start {k}", {start})' for k, start in enumerate(starts, 1)]
    for edge in _all_edges(graph):
        target = number_of[edge.failure] if edge.failure else edge.target
        lines.append(f'({edge.source}, "{_aut_label(graph, edge)}", {target})')
    return "\n".join([f"des ({initial}, {len(lines)}, {states})", *lines, ""])


def _aut_label(graph: StateGraph, edge: Edge) -> str:
    words = ", ".join(f"{step} x{count}" if graph.is_collapsed else step for step, count in edge.labels)
    if edge.received and edge.received not in words:
        words += f"({edge.received})"
    return visible(words).replace("\\", "/").replace('"', "'").replace("\n", " ")


def _failures(graph: StateGraph) -> list[str]:
    return list(dict.fromkeys(edge.failure for edge in graph.edges if edge.failure))


def _all_edges(graph: StateGraph) -> list[Edge]:
    """The edges; of a graph that was collapsed also one from each node to itself, for what does not leave it."""
    if not graph.is_collapsed:
        return list(graph.edges)
    inside = [Edge(node.number, node.number, (("inside", node.inside),)) for node in graph.nodes if node.inside]
    return sorted([*graph.edges, *inside], key=lambda edge: edge.source)


def _of_graph(graph: StateGraph) -> dict[str, Any]:
    found = graph.counterexample
    return {
        "model": graph.model,
        "world": str(graph.world),
        "world_number": graph.order,
        "worlds": graph.worlds,
        "title": f"{title(graph)}: {counted(graph)}; {which_world(graph)}",
        "circumstances": list(graph.circumstances),
        "seen_by": graph.seen or None,
        "states": graph.states,
        "transitions": graph.transitions,
        "terminal_states": graph.terminal_states,
        "depth": graph.depth,
        "violated": list(graph.violations),
        "counterexample": None if found is None else f"{found.name}: {found.reason}",
    }


def _of_node(node: Node) -> dict[str, Any]:
    return {
        "label": "; ".join(f"{who} {what}" for who, what in node.lines),
        "text": node.text,
        "depth": node.depth,
        "states": node.states,
        "initial": node.initial,
        "terminal": node.terminal,
        "inside": node.inside,
        "knowing": node.knowing,
        "violating": [name for name, _ in node.violating],
        "violating_states": [count for _, count in node.violating],
        "on_path": node.on_path,
        "path": list(node.path),
    }


def _of_edge(edge: Edge) -> dict[str, Any]:
    return {
        "label": ", ".join(step for step, _ in edge.labels),
        "transitions": edge.transitions,
        "process": edge.process,
        "step": edge.step,
        "received": edge.received,
        "fault": edge.fault,
        "violating": list(edge.violating),
        "path": list(edge.path),
    }


def _flat(value: Any) -> Any:
    """A value as GraphML has it: XML has no control characters, not even written as references."""
    if isinstance(value, list):
        return visible("; ".join(map(str, value)))
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, bool):
        return int(value)  # NetworkX would write True, which is none in XML
    return "" if value is None else value
