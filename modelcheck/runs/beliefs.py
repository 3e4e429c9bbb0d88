"""Whom each process takes for the leader, as far as its local variables say."""

from __future__ import annotations

from .trace import ProcessState

LEADER, STATUS = "leader", "status"  # the variables that every election process may have
NOBODY = ("None", "''", "False")


def believed(process: ProcessState) -> str:
    """The leader that a process names, or nothing: whoever has crashed believes in nobody."""
    leader = "" if process.crashed else dict(process.fields).get(LEADER, "")
    return "" if leader in NOBODY else leader


def leads(process: ProcessState, identifier: int | None) -> bool:
    """Whether a process takes itself for the leader."""
    if process.crashed:
        return False
    own = identifier is not None and believed(process) == str(identifier)
    return own or dict(process.fields).get(STATUS) == "leader"
