"""What `confirm` and `export` have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..explore.limits import Limits
from ..options import limits_asked_for

MOST_STATES = 2_000_000  # tables are made of all states of a world at once


def limits_of_tables(options: dict[str, Any]) -> Limits:
    """Takes the options about limits out of all of them; there are fewer states than a run may have."""
    asked = options["max_states"]
    return replace(limits_asked_for(options), max_states=asked or MOST_STATES)
