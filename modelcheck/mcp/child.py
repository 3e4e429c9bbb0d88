"""A process of its own for each call of a tool: models are code, which may print, leave, or never come back.

From its standard input it reads one request, and writes the answer to what was its standard output; whatever else writes there while the
model runs writes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict


def main() -> None:
    request = json.load(sys.stdin)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        from ..explore.limits import Limits
        from .tools import called

        answer = called(request["tool"], request["arguments"], Limits(**request["limits"]))
        json.dump(asdict(answer), answers)
