"""What a run by sets of states refuses, and why."""

from __future__ import annotations

from ...errors import UsageError
from ...semantics.system import System
from ..request import Circumstances


def refusal(system: System) -> str:
    """Why sets of states cannot do what is asked; empty where they can."""
    if not system.stutters:
        return "in lock-step all processes take a step together"
    return ""


def alone(others: bool, asked: Circumstances) -> None:
    """Raises UsageError where something is asked for beside it that goes world by world."""
    if others or asked.get("reduce") == "order":
        raise UsageError(
            "--engine sets explores all worlds at once and as they are: leave out --part, --resume, --checkpoint, --cluster, --reduce order, "
            "--check-symmetry and --check-reductions"
        )
