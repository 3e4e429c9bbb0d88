"""The colours of the stage: those of the diagrams, and one for each leader that is believed in, after Okabe and Ito (2008). Each
belief stands in words beside its colour, and the outlines differ as well.
"""

from __future__ import annotations

from pathlib import Path

from ..style import FONTS, sheet

SCRIPT = Path(__file__).with_name("stage.js")  # leads a picture from moment to moment, in a page
MOST = 8  # beliefs that have a colour of their own; more share them, in turn
_LIGHT = ("#cfe4f5", "#fbdcae", "#c9ecdd", "#f3d3e6", "#f6efae", "#d9d4f2", "#ffd2c2", "#d5dbe1")
_DARK = ("#1d4a6b", "#6b4812", "#175442", "#662f52", "#575016", "#423a75", "#70341f", "#465059")
_EDGES = ("#0072b2", "#b86f00", "#00805d", "#b04a86", "#857a00", "#6a5acd", "#c24a12", "#5c6269")
_DARK_EDGES = ("#62b4ea", "#f0ae4a", "#4fd3aa", "#e79ac9", "#d9ce4e", "#b0a5f5", "#ff9a70", "#b4bdc6")


def _named(fills: tuple[str, ...], edges: tuple[str, ...]) -> dict[str, str]:
    return {f"belief{k}": colour for k, colour in enumerate(fills)} | {f"edge{k}": c for k, c in enumerate(edges)}


_RULES = f"""
.stage text{{font-family:{FONTS};font-size:10.5px;fill:var(--ink);text-anchor:middle}}
.stage .paper{{fill:var(--paper)}}
.stage .off{{opacity:0;visibility:hidden}}
.stage .link{{fill:none;stroke:var(--line);stroke-width:1.6}}
.stage .arrow{{fill:var(--line)}}
.stage .cut{{stroke-dasharray:3 4}}
.stage .bars{{fill:none;stroke:var(--wrong);stroke-width:2.4;stroke-linecap:round}}
.stage .look circle{{fill:var(--paper);stroke:var(--soft);stroke-width:2}}
.stage .body .process{{font-size:13px;font-weight:bold}}
.stage .body .note{{fill:var(--soft)}}
.stage .look .belief{{font-weight:bold;paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}}
.stage .look.crashed circle{{stroke-dasharray:4 4;fill:var(--band);stroke:var(--soft)}}
.stage .look .cross{{stroke:var(--wrong);stroke-width:2.6;stroke-linecap:round;fill:none}}
.stage .look.leads circle{{stroke-width:5}}
.stage .body .acting{{fill:none;stroke:var(--ink);stroke-width:2.5}}
.stage .body .wrong{{fill:none;stroke:var(--wrong);stroke-width:3;stroke-dasharray:7 3}}
.stage .letter rect,.stage .letter circle{{fill:var(--paper);stroke:var(--message);stroke-width:1.5}}
.stage .letter text{{fill:var(--message)}}
.stage .letter .tip{{fill:var(--message)}}
.stage .letter.origin-detector rect,.stage .letter.origin-detector circle{{stroke:var(--detector);stroke-dasharray:2.5 2}}
.stage .letter.origin-detector text{{fill:var(--detector);font-style:italic}}
.stage .letter.origin-detector .tip{{fill:var(--detector)}}
.stage .letter .held{{fill:none;stroke:var(--ink);stroke-dasharray:4 3}}
.stage .letter .struck{{stroke:var(--wrong);stroke-width:2.6;stroke-linecap:round;fill:none}}
.stage .more{{fill:var(--message);font-weight:bold;paint-order:stroke;stroke:var(--paper);stroke-width:4px}}
.stage .shared rect{{fill:var(--band);stroke:var(--line)}}
.stage .shared text,.stage .caption text,.stage .key text{{text-anchor:start}}
.stage .shared .variable{{fill:var(--change)}}
.stage .caption text{{font-size:13px}}
.stage .caption .place{{fill:var(--soft)}}
.stage .caption .fails{{fill:var(--wrong);font-weight:bold}}
""" + "".join(
    f".stage .look.believes{k} circle,.stage .key .believes{k}{{fill:var(--belief{k});stroke:var(--edge{k})}}\n"
    for k in range(MOST)
)
_RULES += """
@media (prefers-reduced-motion:no-preference){
.stage:not(.still) .letter{transition:transform .6s ease-in-out}
.stage:not(.still) .paperwork{transition:opacity .15s}
.stage:not(.still) .paperwork.off{transition:opacity .15s .45s,visibility 0s .6s}
.stage:not(.still) .look{transition:opacity .3s}
}
"""


def stylesheet() -> str:
    """The style of a stage: light, dark where the reader's screen is, light again on paper."""
    return sheet("stage", _RULES, _named(_LIGHT, _EDGES), _named(_DARK, _DARK_EDGES))
