"""Other checkers on the same model, with the same steps: their state counts agree with ours, so their times compare."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ..rows import Case, LeftOut, PeerRow
from . import rumur, spin
from .tool import Found, Stopped

MODELS = Path(__file__).parent


class Peer(Protocol):
    """What a module of this package is."""

    NAME: str
    NEEDS: Sequence[str]  # commands

    def prepare(self, model: Path, n: int, folder: Path) -> float:
        """Generates and compiles the verifier; how long that took."""

    def search(self, n: int, folder: Path, budget: float) -> Found:
        """Runs it. Raises Stopped."""


PEERS: tuple[Peer, ...] = (spin, rumur)
PACKAGES = ("spin", "rumur", "gcc", "libc6-dev")  # of Debian


def missing(peer: Peer) -> list[str]:
    """The commands that are not installed."""
    return [command for command in peer.NEEDS if shutil.which(command) is None]


def measure(peer: Peer, case: Case, budget: float) -> PeerRow | LeftOut:
    """Searches the case's model; `case.model` and `case.network` name the files beside this one."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            before = peer.prepare(MODELS / f"{case.model}_{case.network}", case.n, Path(folder))
            found = peer.search(case.n, Path(folder), budget)
        except Stopped as stopped:
            return LeftOut(peer.NAME, case, str(stopped))
    return PeerRow(peer.NAME, case, found.states, found.transitions, found.seconds, found.runs, found.memory, before)
