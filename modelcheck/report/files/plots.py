"""Curves that matplotlib draws, where it is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import UsageError


def figure_to_plot() -> Any:
    """An empty figure. Raises UsageError where matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError(
            "--plot draws with matplotlib, which is not installed: pip install 'modelcheck[plot]'"
        ) from None
    made = Figure(figsize=(8, 5), layout="constrained")
    FigureCanvasAgg(made)
    return made


def check_plot(file: str) -> None:
    """Refuses what cannot be drawn before anything is counted. Raises UsageError."""
    canvas = figure_to_plot().canvas
    kinds = canvas.get_supported_filetypes()
    if Path(file).suffix[1:].lower() not in kinds:
        raise UsageError(f"--plot {file}: the name ends in what is to be drawn, one of {', '.join(sorted(kinds))}")


def save_plot(figure: Any, file: str) -> None:
    """Writes what was drawn. Raises UsageError where that cannot be done."""
    try:
        figure.savefig(file)
    except (OSError, ValueError) as error:
        raise UsageError(f"--plot {file}: {error}") from None
