"""The state graph of a world: nothing is left out, nothing is made up, and what is told apart is told apart rightly."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import pytest

from modelcheck import catalog, check
from modelcheck.errors import UnfinishedError, UsageError
from modelcheck.explore.limits import Limits, Meter
from modelcheck.graph import building, one_world
from modelcheck.graph.state_graph import Edge, StateGraph, state_graph
from modelcheck.language.properties import Property
from modelcheck.properties.view import StateView
from modelcheck.pulse import beat
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.worlds import Policy
from tests.conftest import Write, explore_worlds

# one world each, so that what `check` counts is what the graph shows
ONE_WORLD: list[tuple[str, dict[str, Any]]] = [
    ("chang_roberts", {"ids": "3,1,2"}),
    ("chang_roberts", {"ids": "1,1,2"}),
    ("chang_roberts", {"ids": "2,1", "losses": 1, "duplications": 1}),
    ("chang_roberts", {"ids": "3,1,2", "start": "simultaneous"}),
    ("bully", {"n": 3, "crashes": 1}),
    ("bully", {"n": 2, "crashes": 1, "recoveries": 1}),
    ("bully_partition", {"n": 2, "partitions": 1}),
    ("heap_tree", {"n": 3}),
    ("harmony_leader", {"ids": "2,1,3"}),
    ("itai_rodeh", {"n": 2}),
    ("itai_rodeh", {"n": 3}),
    ("alternating_steps", {"ids": "1,3,2", "schedule": "lockstep"}),
]
NAMES = [f"{model} {' '.join(f'{k}={v}' for k, v in options.items())}" for model, options in ONE_WORLD]


def totals(graph: StateGraph) -> tuple[int, int, int]:
    """States, transitions and terminal states, added up over the nodes and edges."""
    between = sum(edge.transitions for edge in graph.edges if edge.source != edge.target)
    states = sum(node.states for node in graph.nodes)
    terminal = sum(node.terminal for node in graph.nodes)
    return states, between + sum(node.inside for node in graph.nodes), terminal


@pytest.mark.parametrize(("model", "options"), ONE_WORLD, ids=NAMES)
@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("collapse", [True, False])
def test_nodes_and_edges_add_up_to_what_a_run_counts(
    model: str, options: dict[str, Any], engine: Any, collapse: bool
) -> None:
    if "schedule" in options and engine == "compiled":
        pytest.skip("lock-step is the reference engine's")
    run = check(model, engine="reference", **options)
    assert run.worlds == 1
    counted = run.unreduced if run.represented == 1 else run  # where a state stands for its twins, all of them
    graph = state_graph(model, engine=engine, collapse=collapse, **options)
    expected = (counted.states, counted.transitions, counted.terminal_states)
    assert totals(graph) == (graph.states, graph.transitions, graph.terminal_states) == expected
    assert graph.depth == run.depth
    assert graph.is_collapsed is collapse


@pytest.mark.parametrize(("model", "options"), ONE_WORLD, ids=NAMES)
@pytest.mark.parametrize("collapse", [True, False])
def test_both_engines_give_the_same_graph(model: str, options: dict[str, Any], collapse: bool) -> None:
    one = state_graph(model, engine="reference", collapse=collapse, **options)
    other = state_graph(model, engine="auto" if "schedule" in options else "compiled", collapse=collapse, **options)
    assert one == other


def test_a_graph_has_the_transitions_of_the_plain_semantics() -> None:
    definition = catalog.find_model("chang_roberts").definition
    settings = Settings("fifo", tuple(definition.parameter_values({}).items()))
    (explored,) = explore_worlds(definition, 3, Policy((3, 1, 2)), settings)
    expected = Counter(
        (source, explored.number_of(taken.after), f"p{taken.process + 1} {taken.outcome.step}")
        for source, state in enumerate(explored.found.states)
        for taken in explored.system.successors(explored.world, state)
        if taken.after is not None
    )
    graph = state_graph("chang_roberts", ids="3,1,2", collapse=False, engine="compiled")
    assert Counter((edge.source, edge.target, edge.labels[0][0]) for edge in graph.edges) == expected


@pytest.mark.parametrize(("model", "options"), ONE_WORLD, ids=NAMES)
def test_a_collapsed_graph_has_a_few_dozen_nodes_at_most(model: str, options: dict[str, Any]) -> None:
    graph = state_graph(model, collapse=True, **options)
    assert 1 < len(graph.nodes) <= 30
    assert graph.seen


def test_a_graph_of_any_bundled_model_can_be_drawn() -> None:
    for name in (
        "spanning_tree",
        "tree_broadcast",
        "convergecast",
        "global_function",
        "yo_yo",
        "lamport_mutex_election",
    ):
        graph = state_graph(name, n=3)
        assert 1 < len(graph.nodes) <= 60, name


# --- what is told apart


def test_the_initial_and_the_terminal_states_are_told() -> None:
    graph = state_graph("chang_roberts", ids="3,1,2", collapse=False)
    assert [node.number for node in graph.nodes if node.initial] == [0]
    ends = {node.number for node in graph.nodes if node.terminal}
    leaving = {edge.source for edge in graph.edges if edge.source != edge.target}
    assert ends == {node.number for node in graph.nodes} - leaving


def test_a_terminal_state_that_a_fault_may_leave_is_terminal() -> None:
    graph = state_graph("bully", n=3, crashes=1, collapse=False)
    ends = {node.number for node in graph.nodes if node.terminal}
    assert any(edge.source in ends and edge.fault == "crash" for edge in graph.edges)
    assert not any(edge.source in ends and not edge.fault and edge.source != edge.target for edge in graph.edges)


def test_who_knows_the_leader_is_told() -> None:
    graph = state_graph("chang_roberts", ids="1,2,3", collapse=False)
    for node in graph.nodes:
        known = node.text.count("leader=3")
        assert node.knowing == ("all" if known == 3 else "some" if known else "none")


def test_nobody_knows_a_leader_that_is_down() -> None:
    graph = state_graph("bully", n=3, collapse=False)
    (begin,) = (node for node in graph.nodes if node.initial)
    assert "p3 (id 3): crashed" in begin.text
    assert "leader=3" in begin.text
    assert begin.knowing == "none"


def test_faults_are_told() -> None:
    graph = state_graph("chang_roberts", ids="1,2", losses=1, collapse=False)
    assert {edge.fault for edge in graph.edges} == {"", "lose"}
    assert all(edge.received for edge in graph.edges if edge.fault)


@pytest.mark.parametrize("collapse", [True, False])
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_as_many_states_violate_as_a_property_fails_in(engine: Any, collapse: bool) -> None:
    graph = state_graph("chang_roberts", ids="1,1,2", engine=engine, collapse=collapse)
    definition = catalog.find_model("chang_roberts")
    settings = Settings("fifo", tuple(definition.definition.parameter_values({}).items()))
    (explored,) = explore_worlds(definition.definition, 3, Policy((1, 1, 2)), settings)
    stated = {prop.name: prop for prop in (*catalog.find_spec("election"), *definition.properties)}

    def failing(prop: Property, numbers: Any) -> int:
        views = (StateView(explored.system, explored.world, explored.found.states[number]) for number in numbers)
        return sum(not prop.check(view) for view in views)

    states = range(len(explored.found.states))
    for name in ("leader_is_the_maximum", "agreement", "one_leader_wave"):
        expected = failing(stated[name], states)
        assert expected
        assert graph.violations[name] == expected
        assert sum(dict(node.violating).get(name, 0) for node in graph.nodes) == expected
    final = stated["decisions_are_final"]
    steps = [
        (before, taken.after)
        for before in explored.found.states
        for taken in explored.system.successors(explored.world, before)
    ]
    broken = sum(
        not final.check(*(StateView(explored.system, explored.world, state) for state in step)) for step in steps
    )
    assert graph.violations["decisions_are_final"] == broken > 0
    assert any("decisions_are_final" in edge.violating for edge in graph.edges)


def test_a_property_of_ends_is_violated_by_terminal_states_only() -> None:
    graph = state_graph("chang_roberts", ids="1,2", losses=1, collapse=False)
    violating = [node for node in graph.nodes if node.violating]
    assert violating
    assert all(node.terminal for node in violating)


# --- the counterexample


def along(graph: StateGraph) -> list[Edge]:
    """The edges of the counterexample in the order in which they are taken."""
    taken = {step: edge for edge in graph.edges for step in edge.path}
    return [taken[step] for step in sorted(taken)]


def test_the_counterexample_is_a_path_from_an_initial_to_a_violating_state() -> None:
    graph = state_graph("chang_roberts", ids="1,1,2", collapse=False)
    assert graph.counterexample is not None
    path = along(graph)
    assert len(path) == graph.counterexample.length == 3
    assert graph.nodes[path[0].source].initial
    assert all(one.target == next_.source for one, next_ in itertools.pairwise(path))
    assert graph.counterexample.name in dict(graph.nodes[path[-1].target].violating)
    on_path = {node.number for node in graph.nodes if node.on_path}
    assert on_path == {path[0].source, *(edge.target for edge in path)}


def test_collapsed_every_step_of_the_counterexample_is_on_an_edge_or_inside_a_node() -> None:
    graph = state_graph("chang_roberts:StartUnguarded", n=3, collapse=True)
    assert graph.counterexample is not None
    steps = [step for edge in graph.edges for step in edge.path] + [step for node in graph.nodes for step in node.path]
    assert sorted(steps) == list(range(1, graph.counterexample.length + 1))


def test_a_lasso_comes_back_to_where_its_loop_begins(write: Write) -> None:
    model = write("""
        class Ping(Message):
            pass

        class Endless(Process):
            topology = one_way_ring
            specs = ("termination",)
            begun: bool = False

            @initiate
            def begin(self):
                self.require(not self.begun)
                self.begun = True
                self.send(NEXT, Ping())

            @receive(Ping)
            def pass_on(self, message):
                self.send(NEXT, message)
    """)
    graph = state_graph(model, n=2, initiators="1", collapse=False)
    found = graph.counterexample
    assert found is not None
    assert found.loop is not None
    path = along(graph)
    assert path[found.loop].source == path[-1].target


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("collapse", [True, False])
def test_a_step_that_fails_leads_to_no_state_and_is_counted(write: Write, engine: Any, collapse: bool) -> None:
    model = write("""
        class Fails(Process):
            topology = one_way_ring
            specs = ()
            turns: int = 0

            @step
            def turn(self):
                self.require(self.turns < 2)
                self.turns += 1

            @step
            def fall(self):
                self.require(self.turns == 2)
                assert self.turns != 2
    """)
    graph = state_graph(model, ids="1,2", engine=engine, collapse=collapse)
    counted = check(model, ids="1,2", symmetry=False)
    assert totals(graph)[:2] == (counted.states, counted.transitions)
    failing = [edge for edge in graph.edges if edge.failure]
    assert {edge.failure for edge in failing} == {"assertions"}
    assert all(edge.target == -1 for edge in failing)
    assert [edge.path for edge in failing if edge.path] == [(3,)]


# --- which world


def test_the_world_of_the_counterexample_is_drawn(write: Write) -> None:
    """With one identifier in front of the other nobody minds; only the second world has a violation."""
    model = write("""
        class First(Process):
            topology = one_way_ring
            knows = ("position",)
            specs = ()
            done: bool = False

            @step
            def go(self):
                self.require(not self.done)
                self.done = True

        @always
        def nobody_is_second_and_least(view):
            return not any(p.done and p.position == 1 and p.id == min(q.id for q in view.processes) for p in view.processes)
    """)
    graph = state_graph(model, n=2)
    assert (graph.order, graph.worlds, graph.chosen) == (2, 2, "violation")
    assert graph.violations
    first = state_graph(model, n=2, world=1)
    assert (first.order, first.chosen, first.violations) == (1, "asked", {})


def test_where_nothing_is_violated_it_is_the_first() -> None:
    graph = state_graph("chang_roberts", n=3)
    assert (graph.order, graph.worlds, graph.looked_through, graph.chosen) == (1, 2, 2, "first")


def test_only_the_properties_that_are_named_count() -> None:
    graph = state_graph("chang_roberts", ids="1,1,2", property="agreement")
    assert set(graph.violations) == {"agreement"}
    assert graph.counterexample is not None
    assert graph.counterexample.name == "agreement"


# --- what it is collapsed by


def test_fields_can_be_named() -> None:
    graph = state_graph("chang_roberts", ids="1,2,3", by=("awake",))
    assert graph.seen == "each process's awake"
    assert len(graph.nodes) == 8  # each of three processes awake or not
    assert totals(graph)[0] == 25


def test_where_too_many_processes_differ_they_are_counted() -> None:
    graph = state_graph("chang_roberts", ids="5,4,3,2,1", by=("awake",))
    assert graph.seen == "how many processes have which awake"
    assert len(graph.nodes) == 6  # nobody to everybody


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n": (2, 3)}, "a state graph is of one size"),
        ({"n": 3, "world": 3}, "there is no world 3: they are numbered from 1 to 2"),
        ({"n": 3, "by": ("awoke",)}, "did you mean awake"),
        ({"n": 3, "engine": "fast"}, "there is no engine"),
    ],
)
def test_what_does_not_exist_is_refused_with_what_does(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        state_graph("chang_roberts", **options)


def test_a_world_that_is_not_explored_to_the_end_has_no_graph() -> None:
    with pytest.raises(UnfinishedError, match="the limit of 10 states"):
        state_graph("chang_roberts", ids="3,2,1", limits=Limits(max_states=10))


@pytest.mark.parametrize(("where", "what"), [(one_world, "islice"), (building._Builder, "graph")])
def test_a_limit_is_noticed_wherever_a_graph_is_built(where: Any, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> Any:
        meter.interrupted = True
        beat()

    meter = Meter(Limits())
    monkeypatch.setattr(where, what, interrupted)
    with pytest.raises(UnfinishedError, match="interrupted, before"):
        state_graph("chang_roberts", n=3, meter=meter)
