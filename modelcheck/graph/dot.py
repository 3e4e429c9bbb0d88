"""A state graph as Graphviz draws it: what it looks like. Written as DOT, which Graphviz lays out.

an arrow from nowhere    an initial state        bold and red       the run of the counterexample
two borders              a terminal state        corners cut, red   a property fails
filled                   the leader is known     dashed             a fault
"""

from __future__ import annotations

import textwrap

from ..text.visible import visible
from .palette import DAY, FONT
from .state_graph import Edge, Node, StateGraph

WORDED = 32  # states: with more of them nodes are numbers, and what they are is said when they are pointed at
KEYED = 240  # states: so many are told one by one below a picture in which they are numbers
LONGEST = 46  # letters of a line in a node
KEY_LINE = 64  # letters of a line in the key
FILLER = '<TD CELLPADDING="0"></TD>' * 60  # Graphviz spreads a table that is too narrow, by as much for each column
BACKSLASH = (
    "\u29f5"  # one that only looks like it: what the true one means differs between attributes and versions of Graphviz
)
FAILING = {
    "assertions": "an assertion fails",
    "no_exceptions": "a step raises an exception",
    "every_message_is_received": "no step receives the message",
}


def dot_of(graph: StateGraph, *, heading: bool = True) -> str:
    """The graph in DOT; with a `heading` that says what it is, and a legend of the signs that occur in it.

    Where nodes are numbers, a key below says what each of them is.
    In the SVG node k of the graph is the group with the id state-k, its edge number k the one with edge-k.
    """
    lines = [
        f"digraph {quoted(graph.model)} {{",
        f"  graph [{attributes(_graph_attributes(graph, heading))}];",
        f'  node [fontname="{FONT}", fontsize=11, fontcolor="{DAY["ink"]}", color="{DAY["line"]}", shape=box,'
        f' style="rounded,filled", fillcolor="{DAY["paper"]}", margin="0.12,0.06", height=0.3, width=0.4];',
        f'  edge [fontname="{FONT}", fontsize=9, fontcolor="{DAY["faint"]}", color="{DAY["line"]}", arrowsize=0.65];',
    ]
    for node in graph.nodes:
        lines.append(f'  s{node.number} [id="state-{node.number}", {attributes(_node(graph, node))}];')
        if node.initial:
            lines.append(
                f'  start{node.number} [label="", shape=none, width=0.01, height=0.01, style="", tooltip=" "];'
            )
            lines.append(
                f'  start{node.number} -> s{node.number} [color="{DAY["ink"]}", penwidth=2.4, arrowsize=0.9, minlen=1,'
                f' weight=10, tooltip="initial"];'
            )
    for name in dict.fromkeys(edge.failure for edge in graph.edges if edge.failure):
        style = f'shape=octagon, style=filled, color="{DAY["wrong"]}", fillcolor="{DAY["wrong_fill"]}", penwidth=2'
        lines.append(f"  {name} [label={quoted(FAILING.get(name, name))}, {style}, tooltip={quoted(name)}];")
    for number, edge in enumerate(graph.edges):
        if edge.source != edge.target:  # what changes nothing is counted, and not drawn
            end = edge.failure or f"s{edge.target}"
            lines.append(f'  s{edge.source} -> {end} [id="edge-{number}", {attributes(_edge(graph, edge))}];')
    if heading and not is_worded(graph) and len(graph.nodes) <= KEYED:
        deepest = max(graph.nodes, key=lambda node: node.depth)
        lines.append(f'  key [id="key", label={_key(graph)}, shape=plain, style="", tooltip=" "];')
        lines.append(f"  {{rank=sink; key}} s{deepest.number} -> key [style=invis, weight=0];")
    return "\n".join([*lines, "}", ""])


def _graph_attributes(graph: StateGraph, heading: bool) -> dict[str, str]:
    found = {
        "bgcolor": DAY["paper"],
        "fontname": FONT,
        "fontcolor": DAY["ink"],
        "rankdir": "TB",
        "ranksep": "0.45" if is_worded(graph) else "0.35",
        "nodesep": "0.3" if is_worded(graph) else "0.2",
        "pad": "0.25",
        "tooltip": graph.model,
    }
    if heading:
        found |= {"labelloc": "t", "labeljust": "l", "label": _heading(graph)}
    return found


def is_worded(graph: StateGraph) -> bool:
    """Whether nodes say what they are; otherwise they have their numbers."""
    return graph.is_collapsed or len(graph.nodes) <= WORDED


# --- nodes


def _node(graph: StateGraph, node: Node) -> dict[str, str]:
    found = {
        "label": _node_label(graph, node) if is_worded(graph) else str(node.number),
        "tooltip": tooltip(graph, node),
    }
    if not is_worded(graph):
        found |= {"shape": "circle", "style": "filled", "fixedsize": "false", "margin": "0.02", "width": "0.34"}
    if node.knowing != "none":
        found["fillcolor"] = DAY[node.knowing]
    if node.terminal:
        found["peripheries"] = "2"
        found["color"] = DAY["ink"]
    if node.on_path:
        found |= {"color": DAY["wrong"], "penwidth": "2.4"}
    if node.violating:
        found |= {
            "shape": "octagon",
            "style": "filled",
            "color": DAY["wrong"],
            "fillcolor": DAY["wrong_fill"],
            "penwidth": "2.4" if node.on_path else "1.4",
            "margin": "0.02",
        }
    return found


def _node_label(graph: StateGraph, node: Node) -> str:
    lines = [
        f'<FONT COLOR="{DAY["faint"]}">{escaped(who)}&#160;</FONT>{escaped(_short(what))}&#160;'
        for who, what in node.lines
    ]
    if not lines:
        lines.append("as at the start" if graph.is_collapsed or not node.initial else "start")
    lines += [
        f'<FONT POINT-SIZE="9" COLOR="{colour}">{escaped(words)}&#160;&#160;</FONT>'
        for words, colour in _counts(graph, node)
    ]
    rows = "".join(f'<TR><TD ALIGN="LEFT">{line}</TD></TR>' for line in lines)
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1">{rows}</TABLE>>'


def _key(graph: StateGraph) -> str:
    """What each numbered state is: where it differs from the usual, as in the nodes of a smaller graph."""
    count = len(graph.nodes)
    columns = 1 if count <= 40 else 2 if count <= 80 else 3
    rows = -(-count // columns)
    cells = [_key_cells(node) for node in graph.nodes]
    body = "".join(f"<TR>{''.join(cells[row::rows])}</TR>" for row in range(rows))
    said = f'<TR><TD ALIGN="LEFT" COLSPAN="{2 * columns}">{escaped("The states: what is not named has its initial value.")}</TD></TR>'
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2">{said}{body}</TABLE>>'


def _key_cells(node: Node) -> str:
    words = "; ".join(f"{who} {what}" for who, what in node.lines) or "all has its initial value"
    lines = "".join(f'{escaped(line)}&#160;&#160;<BR ALIGN="LEFT"/>' for line in textwrap.wrap(words, KEY_LINE))
    number = f'<TD ALIGN="RIGHT" VALIGN="TOP"><FONT POINT-SIZE="9"><B>{node.number}</B></FONT></TD>'
    return number + f'<TD ALIGN="LEFT" VALIGN="TOP" BALIGN="LEFT"><FONT POINT-SIZE="9">{lines}</FONT></TD>'


def _counts(graph: StateGraph, node: Node) -> list[tuple[str, str]]:
    """What a node that stands for several states says of them."""
    if not graph.is_collapsed:
        return []
    found = [(plural(node.states, "state"), DAY["ink"])]
    if node.inside:
        found.append((f"{plural(node.inside, 'transition')} inside", DAY["faint"]))
    if node.terminal and node.terminal < node.states:
        found.append((f"{node.terminal:,} terminal", DAY["ink"]))
    found += [(f"{name} fails in {count:,}", DAY["wrong"]) for name, count in node.violating if count < node.states]
    if node.path:
        found.append((f"{'step' if len(node.path) == 1 else 'steps'} {_ranges(node.path)} inside", DAY["wrong"]))
    return found


def tooltip(graph: StateGraph, node: Node) -> str:
    """All there is to say of a node, in lines."""
    head = f"state {node.number}, depth {node.depth}" if not graph.is_collapsed else plural(node.states, "state")
    signs = [*(["initial"] if node.initial else []), *(["terminal"] if node.terminal == node.states else [])]
    lines = [", ".join([head, *signs]), node.text]
    lines += [f"{name} fails" + (f" in {count:,}" if count < node.states else "") for name, count in node.violating]
    if node.inside:
        what = "within" if graph.is_collapsed else f"{'changes' if node.inside == 1 else 'change'} nothing"
        lines.append(f"{plural(node.inside, 'transition')} {what}")
    return "\n".join(lines)


# --- edges


def _edge(graph: StateGraph, edge: Edge) -> dict[str, str]:
    words = edge_words(edge)
    found = {"label": words, "tooltip": edge_tooltip(graph, edge)}
    if edge.fault:
        found["style"] = "dashed"
    if edge.path:
        found |= {
            "color": DAY["wrong"],
            "penwidth": "2.6",
            "fontcolor": DAY["wrong"],
            "arrowsize": "0.85",
            "weight": "4",
        }
    elif edge.violating or edge.failure:
        found |= {"color": DAY["wrong"], "fontcolor": DAY["wrong"], "penwidth": "1.4"}
    return found


def edge_words(edge: Edge) -> str:
    """The words beside an edge: its step, of several steps the most frequent; before them the number of the step in the
    counterexample."""
    shown = [step + (f" \u00d7{count:,}" if count > 1 else "") for step, count in edge.labels]
    if len(shown) > 2:
        rest = sum(count for _, count in edge.labels[1:])
        shown = [shown[0], f"{len(edge.labels) - 1} others \u00d7{rest:,}"]
    if edge.path:
        shown[0] = f"{_ranges(edge.path)}. {shown[0]}"
    # clear of the line that they stand beside, in a face too that is somewhat wider than the one they were measured in; spaces,
    # for Graphviz in a browser gives none that cannot be broken any width
    return "\n".join(f"{line:^{len(line) + 2 * (2 + len(line) // 8)}}" for line in shown)


def edge_tooltip(graph: StateGraph, edge: Edge) -> str:
    """All there is to say of an edge."""
    lines = [step + (f" \u00d7{count:,}" if graph.is_collapsed else "") for step, count in edge.labels]
    if edge.received:
        lines[0] += f", receives {edge.received}" if not edge.fault else ""
    lines += [f"breaks {name}" for name in edge.violating]
    return "\n".join(lines)


# --- heading and legend


def title(graph: StateGraph) -> str:
    """'chang_roberts on one_way_ring, ids 1,2,3'."""
    return f"{graph.model} on {graph.world}"


def counted(graph: StateGraph) -> str:
    """How large the graph is, and by what it was collapsed."""
    seen = f", seen by {graph.seen}" if graph.is_collapsed else ""
    return (
        f"{plural(graph.states, 'state')}{seen}; {plural(graph.transitions, 'transition')}, {graph.terminal_states:,} terminal,"
        f" depth {graph.depth}"
    )


def which_world(graph: StateGraph) -> str:
    """Which of how many worlds it is, and why this one."""
    if graph.worlds == 1:
        return "the only world"
    of = f"world {graph.order:,} of {graph.worlds:,}" if graph.worlds else f"world {graph.order:,} of more than 100,000"
    why = {"violation": ", the first with the shortest counterexample", "first": "", "asked": ""}[graph.chosen]
    return of + why


def violated(graph: StateGraph) -> str:
    """What fails, and why; nothing where nothing does."""
    found = graph.counterexample
    if found is None:
        return ""
    plural_unit = f"{found.length} {found.unit}{'' if found.length == 1 else 's'}"
    return f"{found.name} fails after {plural_unit}: {found.reason}"


def knowledge(graph: StateGraph) -> tuple[str, str]:
    """What the two fills mean."""
    if graph.knows == "leader":
        return "some know the leader", "everyone alive knows the leader"
    if graph.knows == "status":
        return "some have decided", "everyone alive has decided"
    return f"{graph.knows} changed in some", f"{graph.knows} changed in everyone alive"


def signs(graph: StateGraph) -> list[tuple[str, str]]:
    """The signs that occur in the picture, with what they mean."""
    nodes, edges = graph.nodes, [edge for edge in graph.edges if edge.source != edge.target]
    ends = {node.number for node in nodes if node.terminal}
    faulty = any(edge.fault and edge.source in ends for edge in edges)
    terminal = "terminal state, unless a fault happens" if faulty else "terminal state"
    present = [
        ("initial", "initial state", any(node.initial for node in nodes)),
        ("terminal", terminal, any(node.terminal for node in nodes)),
        ("some", knowledge(graph)[0], any(node.knowing == "some" for node in nodes)),
        ("all", knowledge(graph)[1], any(node.knowing == "all" for node in nodes)),
        ("violating", "a property fails", any(node.violating for node in nodes) or any(e.failure for e in edges)),
        ("path", "the counterexample, step by step", any(edge.path for edge in edges)),
        ("breaking", "a step that breaks a property", any(e.violating and not e.path for e in edges)),
        ("fault", "a fault", any(edge.fault for edge in edges)),
    ]
    return [(sign, words) for sign, words, occurs in present if occurs]


def _heading(graph: StateGraph) -> str:
    named = is_worded(graph) or len(graph.nodes) <= KEYED
    circumstances = [which_world(graph), ", ".join(graph.circumstances)]
    circumstances += [] if named else [f"what each of {len(graph.nodes)} states is: --out FILE.html, or .json"]
    rows = [
        table_row(f'<FONT POINT-SIZE="15"><B>{escaped(title(graph))}</B></FONT>'),
        table_row(f'<FONT POINT-SIZE="11">{escaped(counted(graph))}</FONT>'),
        table_row(f'<FONT POINT-SIZE="11" COLOR="{DAY["faint"]}">{escaped("; ".join(circumstances))}</FONT>'),
    ]
    if graph.counterexample:
        rows += [
            table_row(f'<FONT POINT-SIZE="11" COLOR="{DAY["wrong"]}"><B>{escaped(line)}</B></FONT>')
            for line in textwrap.wrap(violated(graph), 90)
        ]
    present = signs(graph)
    for k in range(0, len(present), 3):
        cells = "".join(
            f"<TD>{_sample(sign)}</TD>"
            f'<TD ALIGN="LEFT"><FONT POINT-SIZE="10" COLOR="{DAY["faint"]}">{escaped(words)}&#160;&#160;&#160;</FONT></TD>'
            for sign, words in present[k : k + 3]
        )
        rows.append(
            table_row(
                f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2"><TR>{cells}{FILLER}</TR></TABLE>'
            )
        )
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="2" CELLPADDING="1">{"".join(rows)}</TABLE>>'


def table_row(content: str) -> str:
    return f'<TR><TD ALIGN="LEFT">{content}</TD></TR>'


def _sample(sign: str) -> str:
    """A sign as it looks in the picture, small."""
    cells = {
        "some": _box(DAY["some"], DAY["line"]),
        "all": _box(DAY["all"], DAY["line"]),
        "violating": _box(DAY["wrong_fill"], DAY["wrong"], 2),
        "terminal": f'<TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1" COLOR="{DAY["ink"]}" STYLE="ROUNDED"><TR><TD>'
        + _box(DAY["paper"], DAY["ink"], width=16, height=7)
        + "</TD></TR></TABLE>",
    }
    if sign in cells:
        return cells[sign]
    colour, thick, pieces = {
        "initial": ("ink", 3, 1), "path": ("wrong", 3, 1), "breaking": ("wrong", 1, 1), "fault": ("line", 1, 3),
    }[sign]  # fmt: skip
    length = 16 // pieces - (pieces > 1)
    line = f"<TD>{_box(DAY[colour], DAY[colour], 0, length, thick, rounded=False)}</TD>" * pieces
    tip = f'<TD><FONT POINT-SIZE="8" COLOR="{DAY[colour]}">\u25b6</FONT></TD>'
    return (
        f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="{int(pieces > 1)}" CELLPADDING="0"><TR>{line}{tip}</TR></TABLE>'
    )


def _box(fill: str, line: str, border: int = 1, width: int = 22, height: int = 11, *, rounded: bool = True) -> str:
    style = 'STYLE="ROUNDED" ' if rounded else ""
    return (
        f'<TABLE BORDER="{border}" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" COLOR="{line}" BGCOLOR="{fill}"'
        f' {style}FIXEDSIZE="TRUE" WIDTH="{width}" HEIGHT="{height}"><TR><TD></TD></TR></TABLE>'
    )


# --- writing


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _ranges(numbers: tuple[int, ...]) -> str:
    """'1-3, 5', and no more than three of these."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    parts = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found]
    return ", ".join(parts[:3]) + (" \u2026" if len(parts) > 3 else "")


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "\u2026"


def attributes(values: dict[str, str]) -> str:
    """A list of attributes; a value that begins with < is a label like HTML."""
    return ", ".join(f"{name}={value if value.startswith('<') else quoted(value)}" for name, value in values.items())


def quoted(words: str) -> str:
    """A string of DOT."""
    written = {"&": "&amp;", "\\": BACKSLASH, '"': "&quot;", "\n": "\\n"}
    return '"' + "".join(written.get(letter, letter) for letter in visible(words)) + '"'


def escaped(words: str) -> str:
    """Text within a label like HTML."""
    found = (
        words.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace('"', "&quot;")
        .replace("\\", BACKSLASH)
    )
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in found)
