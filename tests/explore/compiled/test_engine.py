"""The compiled engine finds what the reference engine finds, in every model; and where its
tables are wrong the comparison notices."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from modelcheck import Limits, check
from modelcheck.catalog import find_model, model_files
from modelcheck.errors import UsageError
from modelcheck.explore.compiled import engine, records, tables
from modelcheck.explore.limits import Meter
from modelcheck.language.messages import Down
from modelcheck.language.networks import NETWORKS
from modelcheck.properties.predicates import MonitorPredicates
from tests.explore.comparison import both, by_kernel
from tests.protocols import GROWS

Write = Callable[..., str]
FAULTS: tuple[dict[str, Any], ...] = (
    {},
    {"losses": 1},
    {"duplications": 1},
    {"crashes": 1},
    {"crashes": 1, "recoveries": 1, "losses": 1},
    {"partitions": 1, "heals": 1},
    {"partitions": 2, "crashes": 1, "recoveries": 1, "across": "held"},
)

MEANINGLESS = {"sticky": {"duplications", "crashes", "partitions"}, "newest": {"duplications"}}


# --- every model -----------------------------------------------------------------------------------------------------


def models_under_networks() -> Iterator[Any]:
    """Every model under every network, with the faults that it meets there every day: under one network of five, and a third of the
    faults, so that three models meet each fault on each network."""
    for k, model in enumerate(model_files()):
        lap = k // len(NETWORKS)
        for turn, network in enumerate(NETWORKS):
            marks = () if turn == k % len(NETWORKS) else pytest.mark.thorough
            yield pytest.param(model, network, FAULTS[lap % 3 :: 3], marks=marks, id=f"{model}-{network}")


@pytest.mark.parametrize(("model", "network", "every_day"), list(models_under_networks()))
def test_both_engines_tell_the_same_of_every_model_under_every_network_and_fault(
    model: str, network: str, every_day: tuple[dict[str, Any], ...], thorough: bool
) -> None:
    small, larger = sizes(model)
    for faults in FAULTS if thorough or network == "sticky" else every_day:
        if faults.keys() & MEANINGLESS.get(network, set()):
            continue  # refused: it has no meaning there
        both(model, n=small, network=network, limits=Limits(max_states=150), **faults)
    if thorough:
        both(model, n=larger, network=network, limits=Limits(max_states=300))


def sizes(model: str) -> tuple[int, int]:
    """The two smallest numbers of processes but 1 that the model's topology has."""

    def exists(n: int) -> bool:
        try:
            return next(find_model(model).definition.topologies[0].shapes(n), None) is not None
        except UsageError:
            return False

    return tuple(islice(filter(exists, count(2)), 2))  # type: ignore[return-value]


@pytest.mark.parametrize(("turn", "model"), list(enumerate(model_files())), ids=list(model_files()))
def test_both_engines_tell_the_same_of_every_model_under_every_parameter_and_policy(
    turn: int, model: str, thorough: bool
) -> None:
    """Every day one value of its parameters, and one policy of four."""
    definition = find_model(model).definition
    values = [(name, value) for name, parameter in definition.parameters.items() for value in parameter.among]
    small, larger = sizes(model)
    for name, value in values[:10] if thorough else values[turn // 4 % 2 :][:1]:
        both(model, n=small, parameters={name: value}, limits=Limits(max_states=300))
    policies: list[dict[str, Any]] = [{"start": "simultaneous"}, {"initiators": "each"}, {"symmetry": False}]
    policies += [{"ids": "any"}] if definition.identifiers != "none" else []
    for policy in policies if thorough else policies[turn % len(policies) :][:1]:
        both(model, n=larger, limits=Limits(max_states=250), **policy)
    if definition.handles(Down):
        both(model, n=small, detector="unreliable:1", crashes=1, limits=Limits(max_states=500))


@pytest.mark.parametrize("workers", [2, 4])
def test_the_number_of_workers_changes_nothing(workers: int) -> None:
    by_kernel(both("stages", n=3, workers=workers))
    by_kernel(both("chang_roberts", n=4, network="bag", workers=workers))
    by_kernel(both("chang_roberts", n=3, ids="any", losses=1, workers=workers))
    by_kernel(both("spanning_tree", n=3, workers=workers))


# --- limits, interruptions, errors -----------------------------------------------------------------------------------


def test_a_limit_on_states_stops_both_engines_at_the_same_state() -> None:
    for most in (0, 1, 2, 17, 64, 500, 863, 864):
        both("stages", n=3, limits=Limits(max_states=most))


def test_so_does_one_that_is_reached_among_the_initial_states(write: Write) -> None:
    """Of 64 ways for three to begin 8 are different."""
    path = write(MEETS)
    for most in (1, 5, 7, 8, 9):
        both(path, ids="1,2,3", start="simultaneous", limits=Limits(max_states=most))
    assert check(path, ids="1,2,3", start="simultaneous", symmetry=False).states == 8  # by hand: 0 or 1 in each


MEETS = """
class Model(Process):
    topology = one_way_ring
    specs = ()
    number: int = 0
    begun: bool = False
    def initially(self):
        self.number = self.choose((0, 1, 2, 3))
    @initiate
    def halve(self):
        self.require(not self.begun)
        self.number, self.begun = self.number // 2, True
"""


def test_a_model_that_grows_without_end_is_stopped_by_the_limits_all_the_same(write: Write) -> None:
    path = write(GROWS)
    by_kernel(both(path, n=2, limits=Limits(max_states=700)))
    timed = check(path, n=1, engine="compiled", workers=1, limits=Limits(max_states=10**9, max_seconds=0.5))
    assert (timed.verdict, timed.stopped) == ("INCONCLUSIVE", "the limit of 0.5 seconds was reached")


def test_an_interruption_leaves_what_was_found_so_far(write: Write) -> None:
    def interrupt(meter: Meter) -> None:
        meter.interrupted = True

    found = check(write(GROWS), n=1, engine="compiled", workers=1, progress=interrupt, limits=Limits(max_states=10**9))
    assert (found.verdict, found.stopped) == ("INCONCLUSIVE", "interrupted")


BREAKS = """
class Model(Process):
    topology = one_way_ring
    specs = ()
    count: int = 0
    @step
    def tick(self):
        self.count += 1
        if self.count == 5:
            self.nothing
@always
def low(view):
    return all(p.count < 2 for p in view.processes)
"""


def test_a_step_that_breaks_a_rule_after_a_while_is_named_by_both_engines(write: Write) -> None:
    found = both(write(BREAKS), n=2).result
    assert "has no nothing" in str(found.error)


def test_a_property_that_raises_after_a_while_is_named_by_both_engines(write: Write) -> None:
    path = write(BREAKS.replace("self.nothing", "pass").replace("p.count < 2", "1 // (3 - p.count) < 5"))
    found = both(path, n=2).result
    assert "low cannot be evaluated" in str(found.error)


def test_a_step_property_that_fails_where_nothing_changes_is_left_to_the_reference_engine(write: Write) -> None:
    path = write(
        BREAKS.replace(
            "        if self.count == 5:\n            self.nothing\n", "        self.require(self.count < 3)\n"
        )
        + """
@every_step
def somebody_moves(before, after):
    return sum(p.count for p in before.processes) < sum(p.count for p in after.processes)
"""
    )
    agreement = both(path, n=2)
    assert agreement.by_kernel == 0
    assert agreement.result.property("somebody_moves").verdict == "holds"


# --- wrong tables ----------------------------------------------------------------------------------------------------


def wrong_row(column: int, change: Callable[[int], int], every: bool = False) -> Callable[[pytest.MonkeyPatch], None]:
    """Plants a wrong number in the fifth row of the outcome table, or in every row."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        append = tables.Tables._append

        def wrong(table: tables.Tables, *row_of: Any) -> None:
            append(table, *row_of)
            row = table.rows.length - 2
            if every or row == 4:
                table.rows[row][column] = change(int(table.rows[row][column]))

        monkeypatch.setattr(tables.Tables, "_append", wrong)

    return plant


def wrong_delivery(monkeypatch: pytest.MonkeyPatch) -> None:
    """One message is lost on the way."""
    fill = tables.Tables.fill_delivery

    def wrong(table: tables.Tables, family: tables.Family, number: int, message: int, in_port: int) -> None:
        fill(table, family, number, message, in_port)
        if number == 1:
            table.push[family.base + number][table.event[message][in_port]] = number

    monkeypatch.setattr(tables.Tables, "fill_delivery", wrong)


def wrong_span(monkeypatch: pytest.MonkeyPatch) -> None:
    """One outcome too few."""
    fill = tables.Tables.fill_outcomes

    def wrong(table: tables.Tables, environment: int, family: tables.Family, number: int) -> None:
        fill(table, environment, family, number)
        span = table.span[family.base + number]
        if span[1] - span[0] > 1:
            span[1] -= 1

    monkeypatch.setattr(tables.Tables, "fill_outcomes", wrong)


def wrong_packing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second slot begins within the first."""
    place = engine.StateLayout.place

    def wrong(layout: engine.StateLayout, *rest: Any) -> None:
        place(layout, *rest)
        layout.slots[records.SLOT + records.SHIFT] = 4

    monkeypatch.setattr(engine.StateLayout, "place", wrong)


def wrong_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the last process sends goes to itself."""
    make = engine.StateLayout.__init__

    def wrong(layout: engine.StateLayout, *rest: Any, **named: Any) -> None:
        make(layout, *rest, **named)
        layout.record.links.reshape(-1, layout.record.ports, 2)[layout.world.n - 1, :, 0] = layout.world.n - 1

    monkeypatch.setattr(engine.StateLayout, "__init__", wrong)


def wrong_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Properties see no difference between components."""
    monkeypatch.setattr(MonitorPredicates, "observe", lambda *_: ())


def wrong_visited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The visited set forgets every state."""
    provide = engine.CompiledEngine.provide

    def wrong(worker: engine.CompiledEngine, *rest: Any) -> None:
        worker.visited[:] = 0
        provide(worker, *rest)

    monkeypatch.setattr(engine.CompiledEngine, "provide", wrong)


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(wrong_row(records.BECOMES, lambda number: max(0, number - 1)), id="component afterwards"),
        pytest.param(wrong_row(records.FLAGS, lambda flags: flags ^ records.FAULT, every=True), id="fault"),
        pytest.param(wrong_row(records.FLAGS, lambda flags: flags | 2), id="assertion"),
        pytest.param(wrong_row(records.SENDS, lambda begin: begin + 1), id="sends"),
        wrong_delivery,
        wrong_span,
        wrong_packing,
        wrong_link,
        wrong_sight,
        wrong_visited,
    ],
)
def test_a_wrong_entry_in_the_tables_is_noticed(
    monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None]
) -> None:
    options: dict[str, Any] = {"n": 3, "ids": "1,2,2", "property": "at_most_one_leader"}
    both("chang_roberts", **options)
    plant(monkeypatch)
    with pytest.raises((AssertionError, IndexError)):
        both("chang_roberts", **options)


# --- uncompiled ------------------------------------------------------------------------------------------------------

RUNS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("chang_roberts", {"n": 2, "network": "bag"}),
    ("stages", {"n": 2}),
    ("harmony_leader", {"n": 2}),
    ("bully", {"n": 2, "crashes": 1, "recoveries": 1}),
    ("bully_partition", {"n": 2, "partitions": 1, "heals": 1}),
    ("itai_rodeh", {"n": 2, "property": "at_most_one_leader"}),
)
SCRIPT = """
import warnings
from modelcheck import check
from modelcheck.explore.compiled import kernel
from tests.explore.comparison import recorded
from tests.explore.compiled.test_engine import RUNS
assert not hasattr(kernel.search, "signatures")
warnings.simplefilter("error")
for model, options in RUNS:
    with recorded() as found:
        result = check(model, engine="compiled", workers=1, **options)
    print([f.engine for f in found], [(f.states, f.edges, f.terminals, f.transitions) for f in found])
    print(result.verdict, result.depth, [(p.name, p.verdict, p.trace) for p in result.properties])
"""


def test_the_same_functions_run_uncompiled_with_the_same_results_and_without_warnings() -> None:
    root = Path(__file__).parents[3]
    printed = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT if disabled == "1" else SCRIPT.replace("assert not", "assert")],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled, "PYTHONPATH": str(root), "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        ).stdout
        for disabled in ("1", "0")
    ]
    assert printed[0] == printed[1]
    assert "'compiled'" in printed[0]
    assert "'reference'" not in printed[0]


# --- what other threads do to the tables meanwhile -------------------------------------------------------------------


ONE_STEP = """
class Model(Process):
    topology = one_way_ring
    specs = ()
    done: bool = False

    @step
    def act(self):
        self.require(not self.done)
        self.done = True

@always
def nobody_is_done(view):
    return not any(p.done for p in view.processes)
"""


def test_components_that_another_thread_has_met_since_are_looked_at_first(
    monkeypatch: pytest.MonkeyPatch, write: Write
) -> None:
    """Whenever this thread has looked at the tables, another tabulates the steps of all components that there are."""
    arrays = engine.CompiledEngine.arrays

    def overtaken(worker: engine.CompiledEngine, layout: engine.StateLayout, keeps_targets: bool) -> Any:
        found = arrays(worker, layout, keeps_targets)
        for family in layout.families:
            for number in range(len(family.members)):
                worker.tables.fill_outcomes(0, family, number)
        return found

    monkeypatch.setattr(engine.CompiledEngine, "arrays", overtaken)
    by_kernel(both("chang_roberts", n=3, ids="1,2,2"))
    assert by_kernel(both(write(ONE_STEP), n=1)).result.verdict == "VIOLATED"


def test_no_table_leads_to_rows_that_came_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel may go on with tables that are older than what another thread has added since."""
    as_of_now, taken = tables.Tables.as_of_now, list[records.TablesRecord]()

    def kept(of: tables.Tables, slots: Any) -> records.TablesRecord:
        taken.append(as_of_now(of, slots))
        return taken[-1]

    begin = tables.GrowingArray.__init__

    def tiny(array: tables.GrowingArray, kind: Any, width: int = 1, fill: int = 0, size: int = 1) -> None:
        begin(array, kind, width, fill, min(size, 4))

    monkeypatch.setattr(tables.Tables, "as_of_now", kept)
    monkeypatch.setattr(tables.GrowingArray, "__init__", tiny)
    by_kernel(both("chang_roberts", n=3))
    by_kernel(both("chang_roberts", n=2, losses=1))
    assert len({id(found.rows) for found in taken}) > 5
    for found in taken:
        rows = len(found.rows) // records.ROW
        ends = [int(end) for _, end in found.span.reshape(-1, 2) if end != records.NONE]
        ends += [int(end) for _, end in found.pair_span[found.pair_key != 0]]
        assert max(ends, default=0) < rows


def test_rows_that_another_thread_moves_are_not_misread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever this thread has looked at the tables, another gives every family of components other rows."""
    refresh = engine.CompiledEngine._refresh

    def moved(worker: engine.CompiledEngine, *rest: Any) -> None:
        refresh(worker, *rest)
        with worker.tables.lock:
            for family in worker.tables.families.values():
                if family.room < 1 << 12:
                    worker.tables._move(family)
            worker.tables.version += 1

    monkeypatch.setattr(engine.CompiledEngine, "_refresh", moved)
    by_kernel(both("chang_roberts", n=3, ids="1,2,2"))
    by_kernel(both("stages", n=2))
    by_kernel(both("bully", n=3, crashes=1))
