"""The reference engine against a breadth-first search that knows nothing of protocols, on graphs written by hand."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelcheck import Limits, Process, line, shared, step
from modelcheck.check.result import Result
from modelcheck.explore import reference
from modelcheck.explore.exploration import Exploration, PlainExploration
from modelcheck.explore.limits import Meter
from modelcheck.language.definition import read
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.system import System
from modelcheck.semantics.worlds import Policy, Worlds
from tests.conftest import Silent
from tests.explore.random_protocols import examples

Graph = tuple[tuple[int, ...], ...]  # by state, where its steps lead
STATES = 6


def explored(graph: Graph, limits: Limits | None = None) -> tuple[Exploration, System]:
    """The graph as a protocol of one process, whose only variable moves along its edges."""

    @step
    def move(self: Process) -> None:
        targets = graph[self.s]
        self.require(targets)
        self.s = self.choose(targets)

    body = {"topology": line, "s": shared(0), "__annotations__": {"s": int}, "move": move, "__module__": __name__}
    system = System(read(type("Walk", (Process,), body)), Settings("fifo"))
    (world,) = Worlds(system.definition, line, 1, Policy("none"))
    found = PlainExploration(world)
    reference.explore(system, found, Silent(), Meter(limits or Limits()))
    return found, system


def breadth_first(graph: Graph) -> dict[int, int]:
    depths, queue = {0: 0}, [0]
    for state in queue:
        for target in graph[state]:
            if target not in depths:
                depths[target] = depths[state] + 1
                queue.append(target)
    return depths


GRAPHS = st.lists(
    st.lists(st.integers(0, STATES - 1), max_size=4, unique=True).map(tuple), min_size=STATES, max_size=STATES
).map(tuple)


@settings(max_examples=examples(60))
@given(GRAPHS)
def test_states_transitions_depths_ends_and_shortest_paths_are_those_of_the_graph(graph: Graph) -> None:
    found, system = explored(graph)
    depths = breadth_first(graph)
    place = [state[0].shared[0] for state in found.states]
    assert found.complete
    assert {place[k]: found.depths[k] for k in range(len(place))} == depths
    assert found.transitions == sum(len(graph[state]) for state in depths)
    assert {place[k] for k in found.terminals} == {s for s in depths if set(graph[s]) <= {s}}
    assert list(found.depths) == sorted(found.depths), "states come in the order of their depth"
    for number, state in enumerate(place):
        _, taken = found.path(system, number)
        walked = [0, *(transition.after[0].shared[0] for transition in taken if transition.after)]
        assert walked[-1] == state
        assert len(taken) == depths[state]
        assert all(there in graph[here] for here, there in itertools.pairwise(walked))
        assert [place[k] for k in found.successors(number)] == [*graph[state]], "in the order of the transitions"


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_state_whose_only_step_fails_is_no_end(run: Callable[..., Result], engine: str) -> None:
    """The run is over there, but the protocol did not end: what must be so at the end was not asked for."""
    result = run(
        """
        class Fails(Process):
            topology = one_way_ring
            specs = ()
            x: int = 0
            @step
            def first(self):
                self.require(self.x == 0)
                self.x = 1
            @step
            def then(self):
                self.require(self.x == 1)
                assert False
        @at_the_end
        def never_there(view):
            return False
        """,
        n=1,
        engine=engine,
    )
    assert (result.property("assertions").verdict, result.terminal_states) == ("violated", 0)
    assert result.property("never_there").verdict != "violated"


@pytest.mark.parametrize("most", [0, 1, 2, 3])
def test_a_limit_stops_between_states_and_leaves_the_world_incomplete(most: int) -> None:
    """A row of six: whatever was expanded was expanded entirely, and nothing beyond the limit was."""
    row = ((1,), (2,), (3,), (4,), (5,), ())
    found, _ = explored(row, Limits(max_states=most))
    assert not found.complete
    assert len(found.states) == most + 1
    assert found.transitions == len(found.targets) == most


def test_a_limit_that_is_just_enough_leaves_the_world_complete() -> None:
    found, _ = explored(((1,), (2,), ()) * 2, Limits(max_states=3))
    assert found.complete


SCRIPT = """
import sys
from modelcheck import check
result = check(sys.argv[1], n=2)
print(result.verdict, result.states, result.transitions, result.depth, result.worlds)
for found in result.properties:
    print(found.name, found.verdict, found.trace)
"""


def test_another_hash_seed_changes_nothing(write: Callable[..., str]) -> None:
    """Sets of text, of enums and of identifiers; what is chosen from them, and what is sent in their order."""
    path = write(
        """
        class Colour(enum.Enum):
            red = 1
            green = 2
            blue = 3
        class Note(Message):
            words: frozenset[str]
        class Model(Process):
            topology = two_way_ring
            networks = ("bag",)
            words: frozenset[str] = frozenset()
            colour: Colour | None = None
            @initiate
            def start(self):
                self.require(not self.words)
                self.words = frozenset({self.choose({"x", "y"}), "alpha", "beta"})
                self.colour = self.choose(set(Colour))
                for word in self.words:
                    self.send(self.ports[len(word) % 2], Note(self.words - {word}))
            @receive(Note)
            def get(self, message):
                self.words = frozenset(list(self.words | message.words)[:2])
        @always
        def few_words(view):
            return all("y" not in p.words or p.colour is not None for p in view.processes)
        """
    )
    root = Path(__file__).parents[2]
    printed = {
        subprocess.run(
            [sys.executable, *flags, "-c", SCRIPT, path],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for seed, flags in [("1", []), ("3", ["-O"])]
    }
    assert len(printed) == 1
    assert "few_words violated" in printed.pop()


def test_assertions_of_a_model_are_checked_even_where_python_was_told_to_leave_them_out(
    write: Callable[..., str],
) -> None:
    path = write(
        """
        class Model(Process):
            topology = one_way_ring
            @step
            def wrong(self):
                assert False, "never"
        """
    )
    script = "import sys; from modelcheck import check; sys.exit(check(sys.argv[1], n=1).exit_code)"
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    ended = subprocess.run([sys.executable, "-OO", "-c", script, path], env=env, check=False, timeout=60)
    assert ended.returncode == 14
