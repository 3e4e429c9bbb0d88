"""What runs in a process that compiles ahead (ahead.py): a small run of the kind that another process waits for."""

from __future__ import annotations

import os
import sys
import threading
from typing import Any

from .check.checker import in_passing
from .check.request import read_request
from .check.search import Search
from .explore.limits import Limits, Meter
from .semantics.lockstep import system_for

STATES = 2_000  # there may be many worlds, and all are alike
SLOTS = 12  # of the fewest bits, in a word


def main() -> None:
    threading.Thread(target=_end_with_the_other, daemon=True).start()
    compile_for(sys.argv[1])


def compile_for(kind: str) -> None:
    """Explores such worlds (engine.kind_of) with the compiled engine, few or only one, of few states."""
    fleet, words, environment, symmetric, reduced = map(int, kind.split("-"))
    n = SLOTS * (words - 1) + 1 if words > 1 else 7 if fleet else 4
    ids = "unique" if fleet else [1] * n if symmetric else list(range(1, n + 1))
    asked: dict[str, Any] = {} if symmetric else {"initiators": [1]}
    request = read_request(
        "chang_roberts",
        n=n if fleet else None,
        ids=ids,
        losses=environment,
        reduce="order" if reduced else "none",
        **asked,
    )
    system, meter = system_for(request.model.definition, request.settings), Meter(Limits(STATES))
    Search(system, request.properties, meter, "compiled", 1, in_passing(request)).run_all(request, [])


def _end_with_the_other() -> None:
    """Whoever waits has the other end of standard input."""
    sys.stdin.buffer.read()
    os._exit(1)
