"""Runs to draw: counterexamples of every sort, and random walks through bundled models, with faults and without."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from modelcheck import catalog, check
from modelcheck.language.topology import TOPOLOGIES
from modelcheck.runs import trace as traces
from modelcheck.runs.trace import Trace
from modelcheck.semantics.lockstep import system_for
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.system import Transition
from modelcheck.semantics.worlds import Policy, Worlds

VIOLATED: dict[str, tuple[str, dict[str, Any]]] = {
    "equal identifiers": ("chang_roberts", {"ids": "2,2,1", "network": "set", "property": "one_leader_wave"}),
    "a message is lost": ("chang_roberts", {"n": 3, "losses": 1, "property": "everyone_decides"}),
    "a message is duplicated": ("stages", {"n": 3, "duplications": 1, "spec": "stopping"}),
    "crash and recovery": ("bully:BelievesTheSmaller", {"n": 3, "crashes": 1, "recoveries": 1}),
    "false suspicion": ("ring_list", {"n": 3, "crashes": 1, "detector": "unreliable:1", "property": "agreement"}),
    "split": ("bully_partition:StopsWhenTold", {"n": 3, "partitions": 1}),
    "held by a cut": ("bully_partition:SplitBrain", {"n": 2, "partitions": 1, "across": "held"}),
    "rounds": ("itai_rodeh", {"n": 2, "schedule": "lockstep"}),
    "lasso": ("itai_rodeh", {"n": 2}),
    "shared variables": ("harmony_leader", {"n": 2, "ids": "1,1"}),
    "lost update": ("harmony_leader:SendsInTwo", {"n": 2, "property": "all_stop"}),
    "an assertion fails": ("harmony_leader", {"n": 3, "ids": "1,1,2", "property": "assertions"}),
    "a closed port": ("mega_merger:BlocksLinks", {"n": 3, "graph": "line", "property": "everyone_decides"}),
    "all do the same": ("chang_roberts", {"ids": "1,1,1", "schedule": "lockstep", "property": "one_leader_wave"}),
    "starting steps": ("dolev_klawe_rodeh", {"n": 3, "ids": "1,1,1", "start": "simultaneous"}),
}

WALKS: tuple[tuple[str, int, int, dict[str, Any]], ...] = (
    ("chang_roberts", 12, 80, {}),
    ("chang_roberts", 1, 5, {}),
    ("stages", 4, 40, {"losses": 2, "duplications": 2}),
    ("stages", 3, 30, {"network": "bag", "duplications": 2}),
    ("bully", 5, 50, {"crashes": 2, "recoveries": 1, "suspicions": 1}),
    ("bully", 8, 40, {"crashes": 2}),
    ("bully_partition", 4, 40, {"partitions": 2, "heals": 2, "cuts_reported": True}),
    ("bully_partition", 5, 30, {"partitions": 2, "heals": 1, "across": "held", "cuts_reported": True}),
    ("bully_partition", 3, 30, {"partitions": 1, "crashes": 1, "recoveries": 1, "cuts_reported": True}),
    ("harmony_leader", 3, 30, {}),
    ("harmony_links", 3, 20, {"network": "sticky"}),
    ("itai_rodeh", 4, 12, {"schedule": "lockstep"}),
    ("itai_rodeh_sync", 3, 6, {"schedule": "lockstep"}),
    ("hirschberg_sinclair", 6, 80, {"start": "simultaneous"}),
    ("flooding", 6, 30, {"graph": "complete"}),
    ("mega_merger", 9, 60, {"graph": "mesh"}),
    ("yo_yo", 5, 40, {"graph": "complete"}),
    ("ring_list", 4, 30, {"crashes": 1, "losses": 1}),
    ("spanning_tree", 6, 60, {"graph": "mesh"}),
    ("lamport_mutex_election", 4, 50, {}),
    ("tree_elect_root", 8, 60, {"network": "set"}),
)


@cache
def violation(name: str) -> Trace:
    """The shortest of the traces of one of the runs above."""
    model, options = VIOLATED[name]
    found = [result.trace for result in check(model, **options).properties if result.trace is not None]
    return min(found, key=lambda trace: trace.length)


@cache
def walk(number: int, seed: int) -> Trace:
    """A random run of those above."""
    return walked(*WALKS[number], seed=1000 * number + seed)


def walked(model: str, n: int, steps: int, options: dict[str, Any], *, seed: int) -> Trace:
    """A random run, by the plain semantics; it says that the last process is concerned, so that something is red."""
    definition = catalog.find_model(model).definition
    parameters = tuple(definition.parameter_values({}).items())
    topology = TOPOLOGIES[options["graph"]] if "graph" in options else definition.topologies[0]
    chosen = {name: value for name, value in options.items() if name != "graph"}
    settings = Settings(**{"network": definition.networks[0], "parameters": parameters} | chosen)
    system = system_for(definition, settings)
    world = next(iter(Worlds(definition, topology, n, Policy())))
    chance = random.Random(seed)
    start = next(iter(system.starts(world)))
    state, taken = start.state, list[Transition]()
    while len(taken) < steps:
        enabled = list(system.successors(world, state))
        if not enabled:
            break
        taken.append(chance.choice(enabled))
        after = taken[-1].after
        if after is None:
            break
        state = after
    return traces.build(system, world, start, taken, f"{world.label(n - 1)} is where it goes wrong")


def everything() -> Iterator[Trace]:
    """All of them."""
    for name in VIOLATED:
        yield violation(name)
    for number in range(len(WALKS)):
        yield walk(number, seed=1)
