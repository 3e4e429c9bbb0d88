"""A picture of ours as TikZ, for papers: the SVG read again, with the style that applies to each of its elements.

Of SVG and CSS only what our pictures are made of is understood: lines, rectangles, circles, straight paths and words; rules whose
selectors are classes within classes. One unit is a pixel, 0.75 pt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

from .style import resolved
from .svg import number

_PT = 0.75  # points in a pixel
_SVG = "{http://www.w3.org/2000/svg}"
_NOT_DRAWN = ("title", "desc", "style")
_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_", "^": r"\^{}", "~": r"\~{}",
    "\u2192": r"$\to$", "\u2026": r"\dots{}", "\u2212": "$-$", "\u00b7": r"$\cdot$", "\u00d7": r"$\times$", "<": r"$<$", ">": r"$>$", "|": r"$|$",
    "\u2260": r"$\neq$", "\u2264": r"$\leq$", "\u2265": r"$\geq$", "\u221e": r"$\infty$", "\u2013": "--", "\u2014": "---", "\u2019": "'",
}  # fmt: skip
_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}

Style = dict[str, str]
Rule = tuple[tuple[str, ...], Style]  # of an element's ancestors and itself, each the classes that it must have
Place = tuple[float, float]


def tikz(svg: str) -> str:
    """The picture as a `tikzpicture`, which needs the package tikz and nothing else."""
    root = ElementTree.fromstring(resolved(svg))
    rules = list(_rules(root.findtext(f"{_SVG}style") or ""))
    drawn = "\n".join(f"  {line}" for line in _drawn(root, rules, [], {}, (0.0, 0.0)))
    return f"\\begin{{tikzpicture}}[x={_PT}pt,y=-{_PT}pt]\n{drawn}\n\\end{{tikzpicture}}\n"


def document(svg: str) -> str:
    """The same as a document by itself, its page as large as the picture. The usual class for that is no part of LaTeX's basic installation: so it
    is done by hand, with what pdfTeX, XeTeX and LuaTeX know of the size of a page."""
    return f"{_HEAD}{tikz(svg)}{_TAIL}"


_HEAD = r"""\documentclass{article}
\usepackage{fix-cm}
\usepackage{tikz}
\ifdefined\pagewidth\let\pdfpagewidth\pagewidth\let\pdfpageheight\pageheight\fi
\newsavebox\run
\begin{document}
\savebox\run{%
"""
_TAIL = r"""}%
\hoffset=-1in \voffset=-1in
\pdfpagewidth=\wd\run \pdfpageheight=\dimexpr\ht\run+\dp\run
\shipout\box\run
\end{document}
"""


def _rules(css: str) -> Iterator[Rule]:
    for selectors, body in re.findall(r"([^{}@]+)\{([^{}]*)\}", css.split("@media")[0]):
        style = dict(pair.split(":", 1) for pair in body.split(";") if ":" in pair)
        for selector in selectors.split(","):
            yield tuple(selector.split()), style


def _drawn(element: ElementTree.Element, rules: list[Rule], above: list[set[str]], inherited: Style, at: Place) -> Iterator[str]:  # fmt: skip
    kind = element.tag.removeprefix(_SVG)
    if kind in _NOT_DRAWN:
        return
    classes = [*above, {kind, *(f".{name}" for name in element.get("class", "").split())}]
    own: Style = {"text-anchor": anchor} if (anchor := element.get("text-anchor")) else {}
    for selector, style in rules:
        if _applies(selector, classes):
            own |= style
    own |= {name: value for name in ("opacity", "stroke-width") if (value := element.get(name))}
    style = {**inherited, **own}
    moved = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
    at = (at[0] + float(moved[1]), at[1] + float(moved[2])) if moved else at
    if kind in ("g", "svg"):
        for inner in element:
            yield from _drawn(inner, rules, classes, style, at)
    elif kind == "text":
        yield _words(element, style, at)
    elif line := _shape(element, kind, style, at):
        yield line


def _applies(selector: tuple[str, ...], classes: list[set[str]]) -> bool:
    """Whether the last part of a selector is about this element, and the others about what it is in."""
    parts = [set(re.findall(r"\.[\w-]+|^\w+", part)) for part in selector]
    if not parts[-1] <= classes[-1]:
        return False
    waiting = parts[:-1]
    for names in classes[:-1]:
        if waiting and waiting[0] <= names:
            waiting = waiting[1:]
    return not waiting


def _shape(element: ElementTree.Element, kind: str, style: Style, at: Place) -> str:
    """One path; nothing where nothing of it is to be seen."""
    filled = [] if kind == "line" else _ink("fill", style.get("fill", "black"))
    options = [*filled, *_ink("draw", style.get("stroke", "none"))]
    if not options:
        return ""
    if "stroke" in style and style["stroke"] != "none":
        options.append(f"line width={_points(style.get('stroke-width', '1'))}")
        if dashes := re.findall(r"[\d.]+", style.get("stroke-dasharray", "")):
            on_off = " ".join(f"{'off' if k % 2 else 'on'} {_points(dash)}" for k, dash in enumerate(dashes))
            options.append(f"dash pattern={on_off}")
        options += ["line cap=round"] if style.get("stroke-linecap") == "round" else []
    for name, share in (("opacity", style.get("opacity")), ("fill opacity", style.get("fill-opacity"))):
        options += [f"{name}={share}"] if share and share != "1" else []

    def value(name: str) -> float:
        return float(element.get(name, "0"))

    def point(x: float, y: float) -> str:
        return f"({number(at[0] + x)},{number(at[1] + y)})"

    if kind == "line":
        way = f"{point(value('x1'), value('y1'))} -- {point(value('x2'), value('y2'))}"
    elif kind == "circle":
        way = f"{point(value('cx'), value('cy'))} circle[radius={_points(element.get('r', '0'))}]"
    elif kind == "rect":
        options += [f"rounded corners={_points(element.get('rx', '0'))}"] if value("rx") else []
        corner = point(value("x") + value("width"), value("y") + value("height"))
        way = f"{point(value('x'), value('y'))} rectangle {corner}"
    else:
        way = _along(element.get("d", ""), point)
    return f"\\path[{','.join(options)}] {way};"


def _along(d: str, point: Callable[[float, float], str]) -> str:
    pieces = []
    for piece in re.findall(r"M([^MZ]*)(Z?)", d):
        corners = [point(float(x), float(y)) for x, y in (corner.split(",") for corner in piece[0].split("L"))]
        pieces.append(" -- ".join([*corners, *(["cycle"] if piece[1] else [])]))
    return " ".join(pieces)


def _words(element: ElementTree.Element, style: Style, at: Place) -> str:
    x, y = at[0] + float(element.get("x", "0")), at[1] + float(element.get("y", "0"))
    size = float(style.get("font-size", "10.5px").removesuffix("px")) * _PT
    face = r"\sffamily" + (r"\bfseries" if style.get("font-weight") == "bold" else "")
    face += r"\itshape" if style.get("font-style") == "italic" else ""
    options = [
        f"anchor={_ANCHORS[style.get('text-anchor', 'start')]}", "inner sep=0pt",
        f"font=\\fontsize{{{number(size)}}}{{{number(size * 1.2)}}}\\selectfont{face}",
        *_ink("text", style.get("fill", "black")),
    ]  # fmt: skip
    if turned := re.match(r"rotate\((\S+)", element.get("transform", "")):
        options.append(f"rotate={number(-float(turned[1]))}")
    told = (element.text or "") + "".join(
        inner.tail or "" for inner in element
    )  # the title of a text is in it, and not shown
    words = "".join(_LATEX.get(letter, letter if letter < "\u0180" else f"[U+{ord(letter):04X}]") for letter in told)
    return f"\\node[{','.join(options)}] at ({number(x)},{number(y)}) {{{words}}};"


def _ink(name: str, colour: str) -> list[str]:
    if colour == "none":
        return []
    red, green, blue = (
        (int(colour[k : k + 2], 16) for k in (1, 3, 5)) if re.fullmatch("#[0-9a-f]{6}", colour) else (0, 0, 0)
    )
    return [f"{name}={{rgb,255:red,{red};green,{green};blue,{blue}}}"]


def _points(pixels: str) -> str:
    return f"{number(float(pixels.removesuffix('px')) * _PT)}pt"
