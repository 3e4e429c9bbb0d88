"""How results and traces look where Python itself asks them: printed, or in a notebook.

The objects know nothing of terminals and pages, which stand above them. Whoever imports this module (api.py does) tells them; what it
takes to draw them is imported when one is drawn.
"""

from __future__ import annotations

from .chance.result import ExpectFaces, ExpectResult
from .check.result import Faces, Result
from .runs.trace import Trace


class Drawn(Faces):
    """As the command line prints a result and writes its page, and as notebooks show it."""

    def text(self, result: Result) -> str:
        from .report.terminal import run

        return run.text(result)

    def html(self, result: Result) -> str:
        from .report.html import notebook, run

        return notebook.Document(run.document(result))

    def fragment(self, result: Result) -> str:
        from .report.html import notebook

        return notebook.fragment(result)


class DrawnExpected(ExpectFaces):
    """As the command line prints it."""

    def text(self, result: ExpectResult) -> str:
        from .report.terminal import expected

        return expected.text(result)


def picture(trace: Trace) -> str:
    """The space-time diagram as on paper, like the page of a result."""
    from .pictures.diagram import diagram
    from .pictures.style import resolved

    return resolved(diagram(trace))


Result.faces = Drawn()
ExpectResult.faces = DrawnExpected()
Trace.picture = picture
