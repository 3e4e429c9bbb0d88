"""Every lock-step run is an interleaving."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, assume, given, settings

from modelcheck import Limits, catalog
from modelcheck.explore import reference
from modelcheck.explore.exploration import Exploration, PlainExploration
from modelcheck.explore.limits import Meter
from modelcheck.runs.trace import values
from modelcheck.semantics import lockstep
from modelcheck.semantics.lockstep import system_for
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.worlds import Policy, Worlds
from tests.conftest import Silent
from tests.explore.random_protocols import RandomProtocol, examples, protocols


def reached(system: Any, world: Any, most: int) -> Exploration:
    found = PlainExploration(world)
    with contextlib.suppress(MemoryError):  # of messages that double with every round
        reference.explore(system, found, Silent(), Meter(Limits(max_states=most)))
    return found


def same_states_in_both(definition: Any, parameters: Any, policy: Policy, n: int, most: int) -> int:
    """How many worlds were compared; those that are too large are left out."""
    compared = 0
    free = system_for(definition, Settings("fifo", parameters))
    bound = system_for(definition, Settings("fifo", parameters, schedule="lockstep"))
    for world in Worlds(definition, definition.topologies[0], n, policy):
        everything = reached(free, world, most)
        rounds = reached(bound, world, most)
        if not (everything.complete and rounds.complete):
            continue
        compared += 1
        ends = set(everything.terminals)
        known = {repr(values(state)): number for number, state in enumerate(everything.states)}
        for number, state in enumerate(rounds.states):
            assert repr(values(state)) in known, "lock-step reaches what no interleaving does"
            if number in rounds.terminals:
                assert known[repr(values(state))] in ends
    return compared


@pytest.mark.parametrize(
    "model", ["chang_roberts", "dolev_klawe_rodeh", "stages", "itai_rodeh", "bully", "spanning_tree"]
)
def test_lock_step_reaches_no_state_that_other_interleavings_do_not(model: str) -> None:
    definition = catalog.find_model(model).definition
    parameters = tuple(definition.parameter_values({}).items())
    assert same_states_in_both(definition, parameters, Policy(definition.identifiers), 3, 10_000) > 0


@settings(max_examples=examples(15), suppress_health_check=list(HealthCheck))
@given(protocols())
def test_so_do_random_protocols(protocol: RandomProtocol) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.py"
        path.write_text(protocol.source)
        definition = catalog.find_model(str(path)).definition
    assume(not definition.shared)
    with patch.object(lockstep, "MOST_MESSAGES", 20), patch.object(lockstep, "MOST_ROUNDS", 200):
        same_states_in_both(definition, (), Policy(definition.identifiers), protocol.options["n"], 500)
