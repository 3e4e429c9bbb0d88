"""Other checkers, where they are installed."""

from __future__ import annotations

import pytest

from modelcheck.export.tools import TOOLS, missing

INSTALLED = {tool.name: not missing(tool) for tool in TOOLS}


@pytest.fixture(autouse=True)
def _installed(request: pytest.FixtureRequest) -> None:
    """Skips a test that is marked with a tool that is not installed: `needs("spin")`."""
    for mark in request.node.iter_markers("needs"):
        for name in mark.args:
            if not INSTALLED[name]:
                pytest.skip(f"{name} is not installed")
