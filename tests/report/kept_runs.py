"""Runs of many kinds, each in a file as `--trace` writes it: of every network and fault, lassos, rounds, failures, starting steps."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from modelcheck import check
from modelcheck.check.counting import count_messages
from modelcheck.check.result import Result
from modelcheck.report.files import as_json
from modelcheck.report.terminal import messages as faces

HEALING = Path(__file__).parents[1] / "models/protocols/hears_again.py"
TURNS = HEALING.parent / "turns.py"
RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "equal identifiers": ("chang_roberts", {"ids": "1,1,2"}),
    "a variation": ("chang_roberts:StartUnguarded", {"n": 3, "parameters": {"elects": "min"}}),
    "a loss": ("chang_roberts", {"n": 3, "losses": 1, "property": "everyone_decides"}),
    "a set": ("chang_roberts", {"n": 3, "network": "set", "ids": "2,2,1"}),
    "a bag": ("chang_roberts", {"n": 2, "network": "bag", "duplications": 1}),
    "sticky": ("chang_roberts", {"n": 3, "network": "sticky"}),
    "simultaneous": ("dolev_klawe_rodeh", {"ids": "1,1,1", "start": "simultaneous"}),
    "an initiator": ("chang_roberts", {"ids": "1,1,2", "initiators": "1"}),
    "lockstep": ("chang_roberts", {"ids": "1,1,1", "schedule": "lockstep"}),
    "a lockstep lasso": ("itai_rodeh", {"n": 2, "schedule": "lockstep", "parameters": {"draws": 1}}),
    "a lasso": ("itai_rodeh", {"n": 2, "parameters": {"draws": 1}}),
    "turns": (str(TURNS), {"n": 2, "initiators": "1", "parameters": {"patient": "false"}}),
    "no more turns": (str(TURNS), {"n": 2, "initiators": "1", "losses": 1}),
    "draws": ("prob_as_far", {"n": 2, "losses": 1}),
    "duplicates": ("chang_roberts", {"n": 3, "duplications": 1}),
    "shared": ("harmony_leader", {"ids": "1,1"}),
    "links": ("harmony_links", {"ids": "1,1"}),
    "a crash": ("chang_roberts", {"n": 3, "crashes": 1, "property": "everyone_decides"}),
    "a suspicion": ("bully_modified", {"n": 3, "crashes": 1, "detector": "unreliable:1"}),
    "a recovery": ("bully:BelievesAll", {"n": 3, "recoveries": 1}),
    "a split": ("bully_partition:StopsWhenTold", {"n": 3, "partitions": 1}),
    "held": ("bully_partition:SplitBrain", {"n": 2, "partitions": 1, "across": "held"}),
    "healed": (str(HEALING), {"n": 2, "partitions": 1, "heals": 1, "across": "held"}),
    "stranded": ("stages", {"n": 3, "partitions": 1, "property": "nothing_in_transit"}),
    "a graph": ("mega_merger", {"n": 3, "ids": "1,1,1"}),
    "a tree": ("convergecast", {"n": 3, "duplications": 1}),
    "a mesh": ("mesh_corners", {"graph": "mesh:2x2", "ids": "1,1,1,1"}),
    "a heap": ("heap_tree", {"n": 3, "losses": 1}),
    "root": ("spanning_tree", {"n": 3, "losses": 1}),
    "complete": ("lamport_mutex_election", {"n": 2, "losses": 1}),
    "assert": ("harmony_leader", {"ids": "any", "n": 3}),
}


@cache
def result_of(name: str) -> Result:
    """The result of a run; every one of them violates something."""
    model, options = RUNS[name]
    found = check(model, engine="reference", **options)
    assert any(p.verdict == "violated" for p in found.properties), (name, found.judgement)
    return found


def kept(name: str, folder: Path) -> Path:
    """The file that `modelcheck run --trace` would write."""
    file = folder / "run.json"
    file.write_text(as_json.dumps(as_json.traces(result_of(name))))
    return file


def counted(folder: Path, **options: Any) -> Path:
    """The file that `modelcheck messages --show worst --trace` would write."""
    data = faces.traces(count_messages("chang_roberts", **options), "greatest", "worst")
    assert data is not None
    file = folder / "worst.json"
    file.write_text(as_json.dumps(data))
    return file
