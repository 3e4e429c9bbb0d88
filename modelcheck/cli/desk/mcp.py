"""`modelcheck mcp`: the tools for assistants."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from typing import Any

import click

from ...options import run_option
from ..base import Command

MCP_EXAMPLES = """
\b
Examples, for the configuration of a client:
  {"mcpServers": {"modelcheck": {"command": "modelcheck", "args": ["mcp"], "cwd": "/path/to/models"}}}
  claude mcp add modelcheck -- modelcheck mcp
\b
The code of models runs with your rights, in a process of its own for each call. Only files in the working directory are read. Each call has limits:
2,000,000 states, 60 seconds, 2,000 MB, unless the options say otherwise; a client can ask for less, and not for more.
"""


@click.command(cls=Command, epilog=MCP_EXAMPLES.strip())
@run_option("max_states")
@run_option("max_seconds")
@run_option("max_memory")
def mcp(max_states: int | None, max_seconds: float | None, max_memory: int | None) -> None:
    """Serves tools to assistants, by the Model Context Protocol.

    The tools are list, show, run, trace, explain, expect and help. Requests come on standard input, and answers go to standard output.
    """
    from ...mcp.server import LIMITS, Assistance

    given: dict[str, Any] = {"max_states": max_states, "max_seconds": max_seconds, "max_memory": max_memory}
    limits = replace(LIMITS, **{name: value for name, value in given.items() if value is not None})
    with contextlib.suppress(KeyboardInterrupt):
        Assistance(sys.stdin.buffer, sys.stdout.buffer, limits).serve()
