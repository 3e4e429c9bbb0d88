"""The colours of pictures: after M. Okabe and K. Ito (2008), which people tell apart who do not see all colours alike; darker
where words have them. Nothing is said by a colour alone.
"""

from __future__ import annotations

LIGHT = {
    "paper": "#ffffff", "ink": "#1c1c1c", "soft": "#5f6368", "line": "#b9bdc3", "band": "#f2f4f6",
    "message": "#0062a3", "detector": "#8a3f79", "change": "#00694e", "wrong": "#c2410c", "wrongband": "#fdeee6",
    "block1": "#dcecf8", "block2": "#fbe9d0", "block3": "#e0f1e4", "past": "#c9ccd1",
}  # fmt: skip
DARK = {
    "paper": "#14171a", "ink": "#eceff1", "soft": "#a3abb3", "line": "#59626b", "band": "#1e2328",
    "message": "#6cbcf0", "detector": "#d99bc9", "change": "#4fcaa0", "wrong": "#ff8f5c", "wrongband": "#38211a",
    "block1": "#17344a", "block2": "#43331a", "block3": "#1c3a27", "past": "#434a51",
}  # fmt: skip

_RULES = """
.spacetime{background:var(--paper);font-family:Helvetica Neue,Helvetica,Arial,Liberation Sans,DejaVu Sans,sans-serif;font-size:10.5px}
.spacetime text{fill:var(--ink)}
.spacetime .paper{fill:var(--paper)}
.spacetime .heading{font-size:15px;font-weight:bold}
.spacetime .world{font-size:11.5px;fill:var(--soft)}
.spacetime .lane line{stroke:var(--line);stroke-width:1.5}
.spacetime .lane .down{stroke:var(--soft);stroke-dasharray:1.5 5}
.spacetime .lane .gone{stroke:var(--paper);stroke-width:3}
.spacetime .lane .process{font-size:14px;font-weight:bold;text-anchor:middle}
.spacetime .lane .note{fill:var(--soft);text-anchor:middle}
.spacetime .lane rect{fill:var(--paper);stroke:var(--line)}
.spacetime .concerned .process{fill:var(--wrong)}
.spacetime .concerned rect{stroke:var(--wrong);stroke-width:2}
.spacetime .number{fill:var(--soft);text-anchor:end}
.spacetime .event .dot{fill:var(--ink);stroke:var(--paper);stroke-width:1.5}
.spacetime .event .glyph{fill:none;stroke:var(--ink);stroke-width:2.2}
.spacetime .event .ring{fill:none;stroke:var(--wrong);stroke-width:2.5}
.spacetime .name{font-size:12px;font-weight:bold}
.spacetime .violating .dot{fill:var(--wrong)}
.spacetime .violating .name{fill:var(--wrong)}
.spacetime .change text,.spacetime .shared text{fill:var(--change)}
.spacetime .choice,.spacetime .more{fill:var(--soft)}
.spacetime .failure{fill:var(--wrong);font-weight:bold}
.spacetime .flight .way{fill:none;stroke:var(--message);stroke-width:1.6}
.spacetime .flight .tip{fill:var(--message);stroke:none}
.spacetime .flight .open{fill:none;stroke:var(--message);stroke-width:1.6}
.spacetime .flight text{fill:var(--message);text-anchor:middle}
.spacetime .flight .plate{fill:var(--paper);fill-opacity:.88}
.spacetime .fate-waiting .way,.spacetime .fate-held .way{stroke-dasharray:5 3}
.spacetime .origin-detector .way{stroke:var(--detector);stroke-dasharray:2 3}
.spacetime .origin-detector .tip{fill:var(--detector)}
.spacetime .origin-detector .open{stroke:var(--detector)}
.spacetime .origin-detector text{fill:var(--detector)}
.spacetime .band{fill:var(--band)}
.spacetime .bandname{fill:var(--soft)}
.spacetime .bracket{fill:none;stroke:var(--wrong);stroke-width:2}
.spacetime .repeats{fill:var(--wrong);text-anchor:middle;font-weight:bold}
.spacetime .reason text{fill:var(--wrong);font-size:13px;font-weight:bold}
.spacetime .reason rect{fill:var(--wrongband);stroke:var(--wrong);stroke-width:1.5}
.spacetime .said text{fill:var(--ink);font-size:13px}
.spacetime .aside text{fill:var(--past)}
.spacetime .aside .dot{fill:var(--past)}
.spacetime .aside .way,.spacetime .aside .open,.spacetime .aside .glyph{stroke:var(--past)}
.spacetime .aside .tip{fill:var(--past)}
"""


def stylesheet() -> str:
    """The style of a picture: light, dark where the reader's screen is, light again on paper."""
    light, dark = _variables(LIGHT), _variables(DARK)
    return (
        f".spacetime{{{light}}}\n@media (prefers-color-scheme:dark){{.spacetime{{{dark}}}}}\n"
        f"@media print{{.spacetime{{{light}}}}}\n{_RULES.strip()}\n"
    )


def resolved(svg: str) -> str:
    """The same picture with its colours written out, for programs that know neither variables nor media."""
    light, rules = stylesheet(), _RULES.strip()
    for name, value in LIGHT.items():
        rules = rules.replace(f"var(--{name})", value)
    return svg.replace(light, rules)


def _variables(colours: dict[str, str]) -> str:
    return ";".join(f"--{name}:{value}" for name, value in colours.items())
