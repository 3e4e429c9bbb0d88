"""The colours of pictures: after M. Okabe and K. Ito (2008), which people tell apart who do not see all colours alike; darker
where words have them. Nothing is said by a colour alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

LIGHT = {
    "paper": "#ffffff", "ink": "#1b1d1f", "soft": "#5c6269", "line": "#aab0b7", "band": "#eef1f4",
    "message": "#005f9e", "detector": "#8d3a7b", "change": "#00664c", "wrong": "#b23600", "wrongband": "#fdeee5",
    "block0": "#dcebf7", "block1": "#fbe6c8", "block2": "#dff0e2", "block3": "#eadff0", "aside": "#c3c8ce",
}  # fmt: skip
DARK = {
    "paper": "#14171a", "ink": "#eef1f3", "soft": "#a6aeb6", "line": "#646d76", "band": "#1f242a",
    "message": "#74bff2", "detector": "#dd9fcd", "change": "#56cda4", "wrong": "#ff9462", "wrongband": "#38221a",
    "block0": "#17344a", "block1": "#46351a", "block2": "#1c3a27", "block3": "#35264a", "aside": "#4b535b",
}  # fmt: skip
FONTS = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"

_RULES = f"""
.spacetime text{{font-family:{FONTS};font-size:10.5px;fill:var(--ink)}}
.spacetime .paper{{fill:var(--paper)}}
.spacetime .heading{{font-size:15px;font-weight:bold}}
.spacetime .world{{font-size:11.5px;fill:var(--soft)}}
.spacetime .lane line{{stroke:var(--line);stroke-width:1.5}}
.spacetime .lane .gone{{stroke:var(--paper);stroke-width:3}}
.spacetime .lane .down{{stroke:var(--soft);stroke-width:2;stroke-dasharray:1 6;stroke-linecap:round}}
.spacetime .lane .end{{stroke:var(--wrong);stroke-width:3}}
.spacetime .lane .process{{font-size:13px;font-weight:bold;text-anchor:middle}}
.spacetime .lane .note{{fill:var(--soft);text-anchor:middle}}
.spacetime .lane .variables{{fill:var(--change)}}
.spacetime .lane rect{{fill:var(--paper);stroke:var(--line);stroke-width:1.5}}
.spacetime .concerned .process{{fill:var(--wrong)}}
.spacetime .concerned rect{{stroke:var(--wrong);stroke-width:2.5}}
.spacetime .number{{fill:var(--soft);text-anchor:end}}
.spacetime .dot{{fill:var(--ink);stroke:var(--paper);stroke-width:1.5}}
.spacetime .hollow{{fill:var(--paper);stroke:var(--ink);stroke-width:2}}
.spacetime .glyph{{fill:none;stroke:var(--ink);stroke-width:2.4;stroke-linecap:round}}
.spacetime .mark{{font-size:11px;font-weight:bold;text-anchor:middle}}
.spacetime .ring{{fill:none;stroke:var(--wrong);stroke-width:2.5}}
.spacetime .name{{font-size:12px;font-weight:bold}}
.spacetime .event .name,.spacetime .change text,.spacetime .choice,.spacetime .more,.spacetime .failure{{paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-opacity:.75;stroke-linejoin:round}}
.spacetime .violating .dot{{fill:var(--wrong)}}
.spacetime .violating .glyph,.spacetime .violating .hollow{{stroke:var(--wrong)}}
.spacetime .violating .name,.spacetime .violating .strip{{fill:var(--wrong)}}
.spacetime .change text{{fill:var(--change)}}
.spacetime .wire{{stroke:var(--change);stroke-width:1;stroke-dasharray:1 3;fill:none}}
.spacetime .written{{fill:var(--change)}}
.spacetime .onlyread{{fill:var(--paper);stroke:var(--change);stroke-width:1.5}}
.spacetime .change .lost{{fill:var(--ink);font-weight:bold}}
.spacetime .choice,.spacetime .more,.spacetime .event .read{{fill:var(--soft)}}
.spacetime .failure{{fill:var(--wrong);font-weight:bold}}
.spacetime .strip{{font-size:12px;font-weight:bold}}
.spacetime .way{{fill:none;stroke:var(--message);stroke-width:1.7}}
.spacetime .again .way{{stroke-width:1;stroke-dasharray:8 3}}
.spacetime .tip{{fill:var(--message)}}
.spacetime .open{{fill:none;stroke:var(--message);stroke-width:1.9;stroke-linecap:round}}
.spacetime .flight text{{fill:var(--message);text-anchor:middle}}
.spacetime .plate{{fill:var(--paper);fill-opacity:.93}}
.spacetime .origin-detector .way{{stroke:var(--detector);stroke-dasharray:2.5 3.5}}
.spacetime .origin-detector .tip{{fill:var(--detector)}}
.spacetime .origin-detector .open{{stroke:var(--detector)}}
.spacetime .origin-detector text{{fill:var(--detector);font-style:italic}}
.spacetime .band{{fill:var(--band)}}
.spacetime .stripband{{fill:var(--band);stroke:var(--soft);stroke-width:1;stroke-dasharray:7 4}}
.spacetime .frame{{fill:none;stroke:var(--line);stroke-width:1;stroke-dasharray:3 3}}
.spacetime .bandname{{fill:var(--soft);font-style:italic;text-anchor:end}}
.spacetime .block{{stroke:var(--line);stroke-width:1}}
.spacetime .block0{{fill:var(--block0)}}
.spacetime .block1{{fill:var(--block1);stroke-dasharray:6 3}}
.spacetime .block2{{fill:var(--block2);stroke-dasharray:2 3}}
.spacetime .block3{{fill:var(--block3);stroke-dasharray:9 3 2 3}}
.spacetime .bracket{{fill:none;stroke:var(--ink);stroke-width:2}}
.spacetime .repeats{{text-anchor:middle;font-weight:bold;font-size:11.5px}}
.spacetime .wrong .bracket{{stroke:var(--wrong);stroke-width:2.5}}
.spacetime .wrong .repeats{{fill:var(--wrong)}}
.spacetime .reason text{{fill:var(--wrong);font-size:13px;font-weight:bold}}
.spacetime .reason rect{{fill:var(--wrongband);stroke:var(--wrong);stroke-width:1.5}}
.spacetime .said text{{font-size:13px}}
.spacetime .legend text{{fill:var(--soft)}}
.spacetime .aside text{{fill:var(--aside)}}
.spacetime .aside .dot,.spacetime .aside .tip,.spacetime .aside .written{{fill:var(--aside)}}
.spacetime .aside .way,.spacetime .aside .open,.spacetime .aside .glyph,.spacetime .aside .hollow,.spacetime .aside .wire,.spacetime .aside .onlyread{{stroke:var(--aside)}}
"""


def stylesheet() -> str:
    """The style of a picture: light, dark where the reader's screen is, light again on paper."""
    return sheet("spacetime", _RULES)


def sheet(kind: str, rules: str, light: Mapping[str, str] | None = None, dark: Mapping[str, str] | None = None) -> str:
    """The style of all pictures of a kind, which is the class of their outermost element: the colours that all share, those of
    the kind itself, and its rules."""
    day, night = (
        ";".join(f"--{name}:{value}" for name, value in {**colours, **(own or {})}.items())
        for colours, own in ((LIGHT, light), (DARK, dark))
    )
    return (
        f".{kind}{{{day}}}\n@media (prefers-color-scheme:dark){{.{kind}{{{night}}}}}\n"
        f"@media print{{.{kind}{{{day}}}}}\n{rules.strip()}\n"
    )


def resolved(svg: str) -> str:
    """The same picture with its colours written out, for programs that know neither variables nor media."""
    found = re.search(r"<style>\.\w+\{(.*?)\}\n.*?@media print\{.*?\}\}\n(.*?)</style>", svg, re.DOTALL)
    if found is None:
        return svg
    values = dict(pair.split(":", 1) for pair in found[1].replace("--", "").split(";"))
    rules = re.sub(r"var\(--(\w+)\)", lambda name: values[name[1]], found[2])
    return f"{svg[: found.start()]}<style>{rules}</style>{svg[found.end() :]}"
