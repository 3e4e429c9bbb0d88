"""A result in a notebook: the verdict, the properties and the picture of the shortest counterexample, in a box of its own.

Nothing leaks into the notebook or out of it: every rule of the style names the box, and pictures are images, whose style and whose
names are theirs alone. The box has the colours of a printed page, whatever those of the notebook are.
"""

from __future__ import annotations

import base64
from pathlib import Path

from markupsafe import Markup

from ..check.result import Result
from ..pictures.diagram import diagram
from ..pictures.style import LIGHT
from . import block
from .html import lead
from .lesson import lesson
from .run import told_runs
from .sheet import MARKS, environment, grouped, palette


def fragment(result: Result) -> str:
    """What Jupyter shows of a result."""
    runs = told_runs(result)
    error = None if result.error is None else lesson(result.error)
    head = block.headline(result)
    return environment().get_template("notebook.html").render(
        result=result,
        head=head,
        subject=block.undecided(result) if error else ", ".join(head.subjects) or result.model,
        lead=lead(result),
        error=error,
        error_groups=grouped(error.entries) if error else (),
        run=runs[0] if runs else None,
        more=[run.name for run in runs[1:]],
        picture=_image(diagram(runs[0].trace)) if runs else "",
        groups=grouped(block.entries(result)),
        css=Markup(_style()),
        marks=MARKS,
    )  # fmt: skip


def _image(svg: str) -> str:
    """A picture as an address of its own."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _style() -> str:
    style = (Path(__file__).parent / "assets" / "notebook.css").read_text(encoding="utf-8").strip()
    return f".modelcheck{{{palette(LIGHT)}}}\n{style}"
