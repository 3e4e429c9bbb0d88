"""A decision diagram of states as Graphviz draws it: a box for each node, level below level, and a line in it for each arrow that leaves it."""

from __future__ import annotations

import textwrap
from pathlib import Path

from .dot import attributes, escaped, plural, quoted, table_row
from .files import drawn, standalone, write_content
from .palette import DAY, FONT
from .set_diagram import END, SetArrow, SetDiagram

PICTURES = (".svg", ".png", ".pdf", ".dot")
LINES = 4  # members that are named at an arrow
LONGEST = 46  # letters of a line


def write_set_diagram(diagram: SetDiagram, file: Path) -> None:
    """Writes the picture in the format of the file's suffix, which is one of PICTURES. Raises UsageError where that cannot be done."""
    source, suffix = dot_of(diagram), file.suffix.lower()
    if suffix == ".dot":
        write_content(file, source)
        return
    content = drawn(source, suffix[1:], f"{plural(len(diagram.nodes), 'node')}: take fewer processes, or one world")
    write_content(file, standalone(content) if suffix == ".svg" else content)


def title(diagram: SetDiagram) -> str:
    """'chang_roberts, n=3: 56 states of 2 worlds in 23 nodes'."""
    return f"{diagram.model}, n={diagram.n}: {counted(diagram)}"


def counted(diagram: SetDiagram) -> str:
    return f"{plural(diagram.states, 'state')} of {plural(diagram.worlds, 'world')} in {plural(len(diagram.nodes), 'node')}"


def dot_of(diagram: SetDiagram) -> str:
    """The diagram in DOT. In the SVG node k is the group with the id node-k; the END is node-0."""
    lines = [
        f"digraph {quoted(diagram.model)} {{",
        f"  graph [{attributes(_graph_attributes(diagram))}];",
        f'  node [fontname="{FONT}", fontsize=10, fontcolor="{DAY["ink"]}", color="{DAY["line"]}", shape=plain];',
        f'  edge [color="{DAY["line"]}", arrowsize=0.6];',
    ]
    by_source: dict[int, list[SetArrow]] = {node.number: [] for node in diagram.nodes}
    for arrow in diagram.arrows:
        by_source[arrow.source].append(arrow)
    for node in diagram.nodes:
        label = _box(f"{node.vectors:,}", by_source[node.number])
        tip = f"node {node.number}: {plural(node.vectors, 'way')} down"
        lines.append(f'  n{node.number} [id="node-{node.number}", label={label}, tooltip={quoted(tip)}];')
    lines.append(
        f'  n{END} [id="node-{END}", label="a state", shape=box, style="rounded,filled", fillcolor="{DAY["all"]}"];'
    )
    for level, name in enumerate([*diagram.levels, ""]):
        lines.append(f"  level{level} [label={_level(name)}, group=levels];")
        if level:
            lines.append(f"  level{level - 1} -> level{level} [style=invis, weight=100];")
    for level in range(len(diagram.levels)):
        here = "".join(f" n{node.number};" for node in diagram.nodes if node.level == level)
        lines.append(f"  {{rank=same; level{level};{here}}}")
    lines.append(f"  {{rank=same; level{len(diagram.levels)}; n{END};}}")
    for number, arrows in by_source.items():
        for place, arrow in enumerate(arrows):
            tip = quoted("\n".join(arrow.members))
            lines.append(
                f"  n{number}:a{place}:e -> n{arrow.target}{':in:w' if arrow.target else ''} [edgetooltip={tip}];"
            )
    return "\n".join([*lines, "}", ""])


def _graph_attributes(diagram: SetDiagram) -> dict[str, str]:
    return {
        "bgcolor": DAY["paper"],
        "fontname": FONT,
        "fontcolor": DAY["ink"],
        "rankdir": "LR",
        "ranksep": "1.1",
        "nodesep": "0.12",
        "pad": "0.25",
        "tooltip": diagram.model,
        "labelloc": "t",
        "labeljust": "l",
        "label": _heading(diagram),
    }


def _heading(diagram: SetDiagram) -> str:
    circumstances = ", ".join((diagram.network, *map(" ".join, diagram.options)))
    if diagram.represented > diagram.worlds:
        stand = "1 world stands" if diagram.worlds == 1 else f"{diagram.worlds:,} worlds stand"
        circumstances += f"; {stand} for all {diagram.represented:,} assignments"
    said = (
        "From left to right each way is a state: in each box take a line, which says what stands at this level, and follow its arrow. "
        "The number of a box says how many ways lead on from it."
    )
    rows = [
        f'<FONT POINT-SIZE="15"><B>{escaped(title(diagram))}</B></FONT>',
        f'<FONT POINT-SIZE="11">{escaped(circumstances)}</FONT>',
        *(f'<FONT POINT-SIZE="10" COLOR="{DAY["faint"]}">{escaped(line)}</FONT>' for line in textwrap.wrap(said, 100)),
    ]
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="2" CELLPADDING="1">{"".join(map(table_row, rows))}</TABLE>>'


def _level(name: str) -> str:
    return f'<<FONT POINT-SIZE="13" COLOR="{DAY["faint"]}"><B>{escaped(name)}&#160;</B></FONT>>' if name else '""'


def _box(vectors: str, arrows: list[SetArrow]) -> str:
    """A node: how many vectors it has, and side by side the members by which one goes on along each arrow."""
    rows = "".join(
        f'<TR><TD PORT="a{place}" ALIGN="LEFT" BALIGN="LEFT" BORDER="1" SIDES="T" COLOR="{DAY["rule"]}">{_members(arrow)}</TD></TR>'
        for place, arrow in enumerate(arrows)
    )
    return (
        f'<<TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2" COLOR="{DAY["line"]}" BGCOLOR="{DAY["paper"]}">'
        f'<TR><TD PORT="in" ALIGN="LEFT" BGCOLOR="{DAY["some"]}"><B>{vectors}</B></TD></TR>{rows}</TABLE>>'
    )


def _members(arrow: SetArrow) -> str:
    shown = list(arrow.members)
    if len(shown) > LINES:
        shown = [*shown[: LINES - 1], f"+ {len(shown) - LINES + 1} more"]
    lines = (line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "\u2026" for line in shown)
    return '<BR ALIGN="LEFT"/>'.join(f'<FONT POINT-SIZE="9">{escaped(line)}&#160;</FONT>' for line in lines)
