"""Runs that are left between two worlds."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from pathlib import Path
from typing import Any

from hypothesis import settings

from modelcheck import Limits
from modelcheck.check import checkpoint
from modelcheck.check.checker import check
from modelcheck.check.checkpoint import Keeping
from modelcheck.check.result import Result
from modelcheck.explore.limits import Meter
from tests.protocols import ENDLESS, RAISES

EXAMPLES = int(os.environ.get("RANDOM_PROTOCOLS", settings.default.max_examples // 5))

# Worlds that differ in what they show: a step that runs in systems of one process alone, another in larger ones, a property
# that nothing matters to within a world, and one that nothing matters to at all.
UNEVEN = """
class Uneven(Process):
    topology = one_way_ring
    knows = ("n",)
    alone: bool | None = None
    done: bool = False

    @step
    def by_itself(self):
        self.require(not self.done and self.n == 1)
        self.done = True

    @step
    def among_others(self):
        self.require(not self.done and self.n > 1)
        self.done = True

@always
def few(view):
    "There are few processes."
    return len([p for p in view.processes if p.alone is None]) < 9

@always
def nobody_is_alone(view):
    "Nobody is ever called alone."
    return not any(p.alone for p in view.processes if p.id == max(q.id for q in view.processes))
"""

RUNS: dict[str, dict[str, Any]] = {
    "holds": {"model": "chang_roberts", "n": [2, 3, 4]},
    "violated": {"model": "chang_roberts:StartUnguarded", "n": [1, 2, 3]},
    "gets stuck": {"model": "chang_roberts", "n": [1, 2], "losses": 1, "network": "bag", "initiators": "each"},
    "does not end": {"model": ENDLESS, "n": [1, 2, 3]},
    "starting steps": {"model": "chang_roberts", "ids": "any", "n": [2, 3], "start": "simultaneous"},
    "fails in a step": {"model": "harmony_leader", "n": 3, "ids": "any"},
    "raises at the start": {"model": RAISES.replace("= True", "= 1 // 0"), "n": [1, 2], "start": "simultaneous"},
    "raises": {"model": RAISES, "n": [1, 2, 3]},
    "with probability 1": {"model": "itai_rodeh", "n": [1, 2, 3]},
    "graphs": {"model": "spanning_tree:AsPrinted", "n": [2, 3]},
    "given graphs": {"model": "spanning_tree", "graph": "tree", "n": 4},
    "without symmetry": {"model": "dolev_klawe_rodeh", "n": 3, "symmetry": False},
    "recoveries": {"model": "bully", "n": [1, 2], "crashes": 1, "recoveries": 1, "initiators": "each"},
}


class Stops(Meter):
    """Is interrupted after so many worlds; with `hard` not between states but in the midst of something."""

    def __init__(self, after: int, hard: bool = False, limits: Limits | None = None) -> None:
        super().__init__(limits or Limits())
        self.after, self.hard = after, hard

    def stop(self, states: int | None = None) -> bool:
        if self.after <= 0:
            if self.hard and threading.current_thread() is threading.main_thread():
                raise KeyboardInterrupt
            self.interrupted = True
        return super().stop(states)

    def landed(self, states: int, transitions: int) -> None:
        super().landed(states, transitions)
        self.after -= 1


def left(
    file: Path, after: int, resume: bool = False, hard: bool = False, limits: Limits | None = None, **options: Any
) -> Result:
    """A run that is interrupted after so many worlds."""
    return check(**options, checkpoint=Keeping(file, resume=resume, haste=1000), meter=Stops(after, hard, limits))


def rewrite(file: Path, **known: Any) -> None:
    """Other content, with the checksum that belongs to it."""
    data = json.loads(file.read_text().splitlines()[1])
    data["known"] |= known
    written(file, data)


def written(file: Path, data: Any) -> None:
    """A checkpoint of this content, whatever it is."""
    body = json.dumps(data).encode()
    header = {"modelcheck checkpoint": checkpoint.FORMAT, "sha256": hashlib.sha256(body).hexdigest()}
    file.write_bytes(json.dumps(header).encode() + b"\n" + body + b"\n")
