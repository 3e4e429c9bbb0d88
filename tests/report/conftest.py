"""Reports drawn to text, on terminals of any width and on what is none."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from modelcheck.check.result import Result
from modelcheck.report.terminal import run as terminal
from modelcheck.report.terminal.page import Page

Draw = Callable[..., str]


@pytest.fixture
def draw(monkeypatch: pytest.MonkeyPatch) -> Draw:
    """The report of a result; without a width, as it is written to a pipe."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)

    def drawn(result: Result, width: int | None = None, *, colour: bool = False) -> str:
        stream = io.StringIO()
        system = "standard" if colour else None
        console = Console(file=stream, force_terminal=width is not None, width=width, color_system=system)  # type: ignore[arg-type]
        terminal.write(result, Page(console))
        return stream.getvalue()

    return drawn
