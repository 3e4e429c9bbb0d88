"""Spin and Rumur count what the search counts: for every bundled model, every network, faults, and models with corners."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modelcheck import catalog
from modelcheck.count.tally import Unreduced
from modelcheck.export.confirming import Confirmation, confirm, export
from modelcheck.export.tools import TOOLS, missing

Write = Callable[..., str]

# CONFIRM=all confirms every model on both networks by both tools, which takes some minutes; otherwise each model is confirmed on one
# of them by one of these, in turn, and every other half dozen only under --thorough.
ALL = os.environ.get("CONFIRM") == "all"
TWO = """
    all_the_way alternating_steps anonymous_rounds as_far_bidirectional controlled_distance convergecast dolev_klawe_rodeh
    echo_extinction flood_max global_function hirschberg_sinclair hirschberg_sinclair_1980 flood_min hyper_elect invitation itai_rodeh
    korach_moran_zaks lamport_mutex_election mega_merger minmax_plus prob_as_far raft ring_modified stages stages_feedback
    tree_elect_min tree_elect_root uni_stages yo_yo
"""  # processes are enough where three make a verifier that takes long to compile, or to run
SMALLEST_MESH = {"graph": "mesh:2x2", "ids": "1,2,3,4", "initiators": "1"}
SMALLEST = {"mesh_corners": SMALLEST_MESH, "rows_and_columns": {"ids": "1,3,4,2", "initiators": "1"}}
TOOL_NAMES = [tool.name for tool in TOOLS]
# They send for ever, and fill every link but one that holds the newest message, which no export says; chord's fill no fifo link.
FOR_EVER = ("chord", "gossip", "omega_heartbeats", "omega_rotating", "stabilizing_leader")
MODELS = sorted(
    path.stem for path in (Path(__file__).parents[2] / "models").glob("*/*.py") if path.stem not in FOR_EVER
)
BUNDLED: list[Any] = [(model, network, tool) for model in MODELS for network in ("fifo", "bag") for tool in TOOL_NAMES]
if not ALL:
    MARKS = ((), pytest.mark.thorough, pytest.mark.thorough)
    BUNDLED = [
        pytest.param(model, ("bag", "fifo")[k % 2], ("spin", "spin", "rumur")[k % 3], marks=MARKS[k // 6 % 3])
        for k, model in enumerate(MODELS)
    ]


def confirmed(model: str, *tools: str, **asked: Any) -> Confirmation:
    """What the tools make of it, all numbers alike."""
    for tool in TOOLS:
        if tool.name in tools and missing(tool):
            pytest.skip(f"{tool.name} is not installed")
    found = confirm(model, tools=tools, **asked)
    assert found.differences == ()
    assert [answer.tool for answer in found.sizes[0].answers] == list(tools)
    return found


def test_every_bundled_model_is_among_those_that_are_confirmed() -> None:
    assert {name for name, _ in catalog.bundled()} == {*MODELS, *FOR_EVER}


@pytest.mark.parametrize(("model", "network", "tool"), BUNDLED)
def test_every_bundled_model_is_confirmed_on_fifo_links_and_on_bags(model: str, network: str, tool: str) -> None:
    asked: dict[str, Any] = SMALLEST.get(model, {"n": 2 if model in TWO.split() else 3})
    asked = {
        **asked,
        "schedule": "any",
    }  # also of what is written for lock-step: the counts are to agree, whatever holds
    confirmed(model, tool, network=network, **asked)


def test_a_protocol_that_goes_on_for_ever_is_confirmed_where_its_states_are_finitely_many() -> None:
    assert confirmed("chord", "spin", n=2).sizes[0].counts.ends == 0


@pytest.mark.parametrize("tool", TOOL_NAMES)
@pytest.mark.parametrize("network", ["set", "sticky"])
def test_sets_and_sticky_sets_of_messages_are_confirmed(network: str, tool: str) -> None:
    found = confirmed("chang_roberts", tool, n=2, network=network)
    if network == "sticky":  # a message that was received once can be received again, for ever
        assert (found.sizes[0].counts.ends, found.sizes[0].counts.still > 0) == (0, True)


@pytest.mark.parametrize("tool", TOOL_NAMES)
@pytest.mark.parametrize(
    "asked",
    [
        {"crashes": 1, "n": 2},
        {"crashes": 1, "recoveries": 1, "n": 2},
        {"crashes": 1, "detector": "unreliable", "n": 2},
    ],
    ids=str,
)
def test_crashes_recoveries_and_false_suspicions_are_confirmed(asked: dict[str, Any], tool: str) -> None:
    confirmed("bully", tool, **asked)


@pytest.mark.parametrize("tool", TOOL_NAMES)
def test_losses_and_duplications_are_confirmed(tool: str) -> None:
    confirmed("chang_roberts", tool, n=2, network="bag", losses=1, duplications=1)


@pytest.mark.needs("rumur")
def test_losses_and_duplications_on_fifo_links_are_confirmed_by_rumur_where_both_are_installed() -> None:
    found = confirm("chang_roberts", n=2, losses=1, duplications=1)
    assert [answer.tool for answer in found.sizes[0].answers] == ["rumur"]
    assert found.differences == ()


def test_a_simultaneous_start_begins_with_messages_in_the_channels() -> None:
    found = confirmed("chang_roberts", "spin", n=2, start="simultaneous")
    # by hand: Election(2) waits for p1 and Election(1) for p2. Either comes first, then the other (4 states so far); then
    # Election(2) comes home, Leader(2) goes to p1 and home (3 more), and that is the end
    assert (found.sizes[0].counts.states, found.sizes[0].counts.ends) == (7, 1)


CORNERS = '''
class Word(Message):
    """A message."""

class Corners(Process):
    topology = two_way_ring
    identifiers = "none"
    networks = ("fifo", "bag")
    said: bool = False
    got: int = 0

    def initially(self):
        self.got = self.choose([0, 1])

    @initiate
    def say(self):
        """Starts a word, or two of them."""
        self.require(not self.said)
        self.said = True
        for _ in range(self.choose([1, 2])):
            self.send(NEXT, Word())

    @step
    def idle(self):
        """Changes nothing: a step from a state to itself."""

    @receive(Word)
    def hear(self, message):
        self.require(self.said)
        assert self.got < 2, "too many"
        self.got += 1

    @receive(Word)
    def ignore(self, message):
        self.require(self.said)
'''


@pytest.mark.parametrize("tool", TOOL_NAMES)
@pytest.mark.parametrize("network", ["fifo", "bag"])
def test_choices_closed_ports_idle_steps_failing_steps_and_twin_steps_are_counted_alike(
    network: str, tool: str, write: Write
) -> None:
    found = confirmed(write(CORNERS, "corners"), tool, n=2, network=network)
    counts = found.sizes[0].counts
    assert counts.ends == 0  # for an idle step is always enabled
    assert counts.still > 0
    assert counts.failing > 0
    assert found.sizes[0].reduced is not None  # orbits were used, and come to the same


def test_a_ring_of_one_that_sends_to_itself_is_confirmed() -> None:
    assert confirmed("chang_roberts", "rumur", n=1).sizes[0].counts.states == 4  # asleep, Election, Leader, known


def test_without_symmetry_every_assignment_is_confirmed_and_is_what_symmetry_says() -> None:
    one = confirmed("chang_roberts", "rumur", n=3).sizes[0]
    every = confirmed("chang_roberts", "spin", n=3, symmetry=False).sizes[0]
    assert (one.worlds, every.worlds) == (2, 6)
    assert every.counts.states == 3 * one.counts.states  # each world stands for its three rotations
    assert every.reduced is not None
    assert every.reduced.states == every.counts.states


@pytest.mark.parametrize("language", ["promela", "murphi"])
def test_both_engines_come_to_the_same_program(language: str) -> None:
    texts = [export("stages", language, n=2, engine=engine).text for engine in ("reference", "compiled")]
    assert texts[0] == texts[1]


@pytest.mark.needs("spin")
def test_what_the_compiled_engine_finds_is_confirmed() -> None:
    confirmed("stages", "spin", n=2, engine="compiled")


def test_the_engine_of_sets_counts_as_well() -> None:
    """The numbers of Spin and Rumur, as they stand beside their models."""
    found = confirm("chang_roberts", n=(3, 4), tools=["sets"], engine="reference")
    by_sets = [size.by_sets for size in found.sizes]
    assert [one and (one.states, one.transitions) for one in by_sets] == [(56, 106), (497, 1_252)]
    assert not found.differences


@pytest.mark.parametrize("options", [{"symmetry": False}, {"crashes": 1}, {"network": "bag", "losses": 1}], ids=str)
def test_sets_count_the_same_worlds(options: dict[str, Any]) -> None:
    assert not confirm("bully", n=3, tools=["sets"], **options).differences


def test_a_number_of_sets_that_is_another_is_a_difference() -> None:
    found = confirm("chang_roberts", n=3, tools=["sets"], engine="reference")
    wrong = replace(found.sizes[0], by_sets=Unreduced(55, 106, 2))
    assert list(wrong.differences()) == ["n=3: 55 states by sets, 56 without"]
