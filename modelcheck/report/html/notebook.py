"""A result in a notebook: the verdict, the properties and the picture of the shortest counterexample, in a box of its own.

Nothing leaks into the notebook or out of it: every rule of the style names the box, and pictures are images, whose style and whose
names are theirs alone. All that a notebook shows has the colours of a printed page, whatever those of the notebook and of the
reader's screen are: this box, the picture of a run, a whole report.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path

from markupsafe import Markup, escape

from ...check.result import Result
from ...pictures.diagram import diagram
from ...pictures.style import LIGHT, resolved
from ..words import verdict_block
from ..words.lesson import lesson
from ..words.steps import told_runs
from .run import lead
from .templates import MARKS, environment, grouped, palette

# What a notebook that is not trusted leaves of a frame: the words in it.
UNTRUSTED = "the report stands here when the cell has run again, or the notebook is trusted"
FRAME = "min(80vh, 60rem)"  # how high the frame of a report is


def fragment(result: Result) -> str:
    """What Jupyter shows of a result."""
    runs = told_runs(result)
    error = None if result.error is None else lesson(result.error)
    head = verdict_block.headline(result)
    return environment().get_template("notebook.html").render(
        result=result,
        head=head,
        subject=verdict_block.undecided(result) if error else ", ".join(head.subjects) or result.model,
        lead=lead(result),
        error=error,
        error_groups=grouped(error.entries) if error else (),
        run=runs[0] if runs else None,
        more=[run.name for run in runs[1:]],
        picture=_image(resolved(diagram(runs[0].trace))) if runs else "",
        groups=grouped(verdict_block.entries(result)),
        css=Markup(_style()),
        marks=MARKS,
    )  # fmt: skip


class Document(str):
    """The text of a page, which a notebook shows as one, in a frame."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        page = re.sub(r"@media( screen and)? \(prefers-color-scheme: ?dark\)", "@media not all", self)
        page = page.replace('name="color-scheme" content="light dark"', 'name="color-scheme" content="light"')
        style = f"width:100%;height:{FRAME};border:1px solid {LIGHT['line']};background:{LIGHT['paper']}"
        title = re.search(r"<title>(.*?)</title>", self, re.DOTALL)
        return f'<iframe title="The report" style="{style}" srcdoc="{escape(page)}">{title[1] if title else ""}: {UNTRUSTED}</iframe>'


def _image(svg: str) -> str:
    """A picture as an address of its own."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _style() -> str:
    """Jupyter's own rules name a class or two beside the element: the box is named thrice, so that its rules outweigh them."""
    style = (Path(__file__).parent / "assets" / "notebook.css").read_text(encoding="utf-8").strip()
    return re.sub(r"\.modelcheck\b", ".modelcheck" * 3, f".modelcheck{{{palette(LIGHT)}}}\n{style}")
