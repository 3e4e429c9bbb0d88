"""How results and traces look where Python itself asks them: printed, or in a notebook.

The objects know nothing of terminals and pages, which stand above them. Whoever imports this module (api.py does) tells them; what it
takes to draw them is imported when one is drawn.
"""

from __future__ import annotations

from .runs.trace import Trace


def picture(trace: Trace) -> str:
    """The space-time diagram as on paper, like the page of a result."""
    from .pictures.diagram import diagram
    from .pictures.style import resolved

    return resolved(diagram(trace))


Trace.picture = picture
