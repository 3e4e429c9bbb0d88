"""The compiled engine finds what the reference engine finds, in every model, however its arrays grow; and where its
tables are wrong the comparison notices."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from modelcheck import Limits, check
from modelcheck.catalog import find_model, model_files
from modelcheck.check.claims import MonitorClaims
from modelcheck.explore import compiled, kernel, tables
from modelcheck.explore.exploration import Meter
from modelcheck.language.messages import Down
from modelcheck.language.process import NETWORKS
from tests.explore.comparison import Agreement, both

Write = Callable[..., str]
FAULTS: tuple[dict[str, Any], ...] = (
    {},
    {"losses": 1},
    {"duplications": 1},
    {"crashes": 1},
    {"crashes": 1, "recoveries": 1, "losses": 1},
)


def by_kernel(agreement: Agreement) -> Agreement:
    """The same, if no world was handed on to the reference engine."""
    assert agreement.by_kernel == len(agreement.findings) > 0
    return agreement


# --- every model -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("model", model_files())
def test_both_engines_tell_the_same_of_every_model_under_every_network_and_fault(model: str, network: str) -> None:
    for faults in FAULTS:
        if network == "sticky" and faults.keys() & {"duplications", "crashes"}:
            continue  # refused: it has no meaning there
        both(model, n=2, network=network, limits=Limits(max_states=150), **faults)
    both(model, n=3, network=network, limits=Limits(max_states=300))


@pytest.mark.parametrize("model", model_files())
def test_both_engines_tell_the_same_of_every_model_under_every_parameter_and_policy(model: str) -> None:
    definition = find_model(model).definition
    values = [(name, value) for name, parameter in definition.parameters.items() for value in parameter.among]
    for name, value in values[:10]:
        both(model, n=2, parameters={name: value}, limits=Limits(max_states=300))
    for options in ({"start": "simultaneous"}, {"initiators": "each"}, {"symmetry": False}):
        both(model, n=3, limits=Limits(max_states=250), **options)
    if definition.identifiers != "none":
        both(model, n=3, ids="any", limits=Limits(max_states=300))
    if definition.handles(Down):
        both(model, n=2, detector="unreliable:1", crashes=1, limits=Limits(max_states=500))


@pytest.mark.parametrize("workers", [2, 4])
def test_the_number_of_workers_changes_nothing(workers: int) -> None:
    by_kernel(both("stages", n=3, workers=workers))
    by_kernel(both("chang_roberts", n=4, network="bag", workers=workers))
    by_kernel(both("chang_roberts", n=3, ids="any", losses=1, workers=workers))
    by_kernel(both("spanning_tree", n=3, workers=workers))


# --- growth ----------------------------------------------------------------------------------------------------------

COUNTS = """
class Note(Message):
    v: int
class Model(Process):
    topology = one_way_ring
    networks = ("bag", "fifo")
    specs = ()
    count: int = 0
    sum: int = shared(0)
    @step
    def tick(self):
        self.require(self.count < 100)
        self.count += 1
        SHARED
    @receive(Note)
    def get(self, message):
        self.count = message.v
@always
def few(view):
    return all(p.count != 77 for p in view.processes)
ends = terminates()
"""


def test_a_world_with_more_components_than_its_slots_have_room_for_begins_again_with_wider_ones(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    widths = layouts(monkeypatch)
    path = write(COUNTS.replace("SHARED", "pass").replace("sum: int = shared(0)", ""))
    assert by_kernel(both(path, n=2)).result.states == 101 * 101
    assert len(widths) > 1
    assert widths[-1] > widths[0]


def test_environments_grow_beyond_the_first_slots_too(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    widths = layouts(monkeypatch)
    path = write(COUNTS.replace("SHARED", "self.sum = self.sum * 2 % 541 + self.count"))
    by_kernel(both(path, n=1))
    by_kernel(both(path, n=2, limits=Limits(max_states=1_000)))
    assert widths[-1] > widths[0]


def layouts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The widths, in bits, of the slots of every layout that will be made."""
    widths: list[int] = []
    make = compiled.Layout.__init__

    def made(layout: compiled.Layout, *rest: Any) -> None:
        make(layout, *rest)
        widths.append(layout.bits)

    monkeypatch.setattr(compiled.Layout, "__init__", made)
    return widths


def test_a_state_may_have_more_successors_than_a_batch_has_room_for(write: Write) -> None:
    path = write(
        """
        class Model(Process):
            topology = one_way_ring
            specs = ()
            a: int = 0
            b: int = 0
            @step
            def jump(self):
                self.require(self.a == self.b == 0)
                self.a = self.choose(range(40))
                self.b = self.choose(range(40))
        ends = terminates()
        """
    )
    assert kernel.BATCH < 40 * 40
    assert by_kernel(both(path, n=1)).result.states == 40 * 40
    for most in (1, 513):
        by_kernel(both(path, n=1, limits=Limits(max_states=most)))


def test_there_may_be_more_initial_states_than_the_arrays_have_room_for(write: Write) -> None:
    path = write(
        """
        class Model(Process):
            topology = one_way_ring
            specs = ()
            a: int = 0
            def initially(self):
                self.a = self.choose(range(18))
            @step
            def halve(self):
                self.a = self.a // 2
        @always
        def not_all_seven(view):
            return any(p.a != 17 for p in view.processes)
        ends = terminates()
        """
    )
    assert by_kernel(both(path, n=3, ids="1,2,3", limits=Limits(max_states=6_000))).result.states == 18**3


@pytest.mark.parametrize("network", ["fifo", "bag"])
def test_a_step_may_send_more_messages_than_the_kernel_first_has_room_to_take_back(write: Write, network: str) -> None:
    path = write(
        """
        class Note(Message):
            v: int
        class Model(Process):
            topology = one_way_ring
            specs = ()
            sent: bool = False
            @initiate
            def flood(self):
                self.require(not self.sent)
                self.sent = True
                for k in range(100):
                    self.send(NEXT, Note(k))
            @receive(Note)
            def get(self, message):
                pass
        @always
        def not_many(view):
            return len(view.in_transit(Note)) < 100
        """
    )
    by_kernel(both(path, n=1, network="fifo"))
    by_kernel(both(path, n=2, network=network, limits=Limits(max_states=40)))


@pytest.mark.parametrize("batch", [2, 3, 8])
@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("stages", {"n": 3}),
        ("bully", {"n": 3, "crashes": 1, "recoveries": 1}),
        ("harmony_leader", {"n": 3, "parameters": {"atomic_send": False}}),
        ("itai_rodeh", {"n": 2}),
        ("chang_roberts", {"n": 3, "ids": "1,1,2", "network": "bag", "losses": 1}),
    ],
)
def test_arrays_that_begin_tiny_grow_without_losing_anything(
    monkeypatch: pytest.MonkeyPatch, model: str, options: dict[str, Any], batch: int
) -> None:
    make, make_column = compiled.Worker.__init__, tables.Column.__init__

    def tiny(worker: compiled.Worker, *rest: Any) -> None:
        make(worker, *rest)
        worker.capacity = 2
        for name in ("parents", "observed", "words"):
            setattr(worker, name, getattr(worker, name)[:2].copy())
        worker.edges_begin, worker.visited = worker.edges_begin[:3].copy(), worker.visited[:4].copy()
        worker.targets, worker.terminals = worker.targets[:1].copy(), worker.terminals[:1].copy()

    def tiny_column(column: tables.Column, *rest: Any, **more: Any) -> None:
        make_column(column, *rest, **{**more, "size": 1})

    monkeypatch.setattr(compiled.Worker, "__init__", tiny)
    monkeypatch.setattr(tables.Column, "__init__", tiny_column)
    monkeypatch.setattr(kernel, "BATCH", batch)
    monkeypatch.setattr(compiled, "SLICE", 7)
    by_kernel(both(model, limits=Limits(max_states=5_000), **options))


def test_a_property_that_reads_more_in_a_later_world_is_not_judged_by_what_it_read_before(write: Write) -> None:
    """In the world 1, 2, 3 it reads `a` alone, which never changes; in 1, 3, 2 it reads `b`. By then the tables are full,
    and the kernel would go through the second world without asking for anything."""
    path = write(
        """
        class Model(Process):
            topology = one_way_ring
            specs = ()
            a: int = 0
            b: int = 0
            @step
            def move(self):
                self.require(self.b < 2)
                self.b += 1
        @always
        def low(view):
            first, second, third = sorted(view.processes, key=lambda p: p.id)
            return first.a == 0 if first.at(NEXT).id == second.id else first.b < 2
        """
    )
    assert by_kernel(both(path, n=3)).result.property("low").verdict == "violated"


def test_more_properties_than_a_mask_has_bits_are_all_judged(write: Write) -> None:
    claims = "".join(
        f"@always\ndef claim_{k}(view):\n    return all(p.count != {k} for p in view.processes)\n" for k in range(70)
    )
    path = write(
        """
class Model(Process):
    topology = one_way_ring
    specs = ()
    count: int = 0
    @step
    def tick(self):
        self.require(self.count < 65)
        self.count += 1
"""
        + claims
    )
    found = both(path, n=1).result
    assert [found.property(f"claim_{k}").verdict for k in range(70)] == ["violated"] * 66 + ["holds"] * 4


# --- limits, interruptions, errors -----------------------------------------------------------------------------------


def test_a_limit_on_states_stops_both_engines_at_the_same_state() -> None:
    for most in (0, 1, 2, 17, 64, 500, 863, 864):
        both("stages", n=3, limits=Limits(max_states=most))


GROWS = """
class Model(Process):
    topology = one_way_ring
    specs = ()
    count: int = 0
    @step
    def tick(self):
        self.count += 1
"""


def test_a_model_that_grows_without_end_is_stopped_by_the_limits_all_the_same(write: Write) -> None:
    path = write(GROWS)
    by_kernel(both(path, n=2, limits=Limits(max_states=700)))
    timed = check(path, n=1, engine="compiled", workers=1, limits=Limits(max_states=10**9, max_seconds=0.5))
    assert (timed.verdict, timed.stopped) == ("INCONCLUSIVE", "the limit of 0.5 seconds was reached")
    assert timed.seconds < 10


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

        def wrong(table: tables.Tables, outcome: Any) -> None:
            append(table, outcome)
            row = table.rows.length - 2
            if every or row == 4:
                table.rows.array[row, column] = change(int(table.rows.array[row, column]))

        monkeypatch.setattr(tables.Tables, "_append", wrong)

    return plant


def wrong_delivery(monkeypatch: pytest.MonkeyPatch) -> None:
    """One message is lost on the way."""
    fill = tables.Tables.fill_delivery

    def wrong(table: tables.Tables, component: int, message: int, in_port: int) -> None:
        fill(table, component, message, in_port)
        if component == 3:
            table.push[component, table.event_of[message, in_port]] = component

    monkeypatch.setattr(tables.Tables, "fill_delivery", wrong)


def wrong_span(monkeypatch: pytest.MonkeyPatch) -> None:
    """One outcome too few."""
    fill = tables.Tables.fill_outcomes

    def wrong(table: tables.Tables, environment: int, component: int) -> None:
        fill(table, environment, component)
        begin, end = table.span.array[component]
        if end - begin > 1:
            table.span.array[component, 1] -= 1

    monkeypatch.setattr(tables.Tables, "fill_outcomes", wrong)


def wrong_packing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two slots overlap by one bit."""
    make = compiled.Layout.__init__

    def wrong(layout: compiled.Layout, *rest: Any) -> None:
        make(layout, *rest)
        layout.packing[1][1] -= np.uint64(1)

    monkeypatch.setattr(compiled.Layout, "__init__", wrong)


def wrong_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the last process sends goes to itself."""
    make = compiled.Layout.__init__

    def wrong(layout: compiled.Layout, *rest: Any) -> None:
        make(layout, *rest)
        layout.links[0][-1] = layout.world.n - 1

    monkeypatch.setattr(compiled.Layout, "__init__", wrong)


def wrong_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Properties see no difference between components."""
    monkeypatch.setattr(MonitorClaims, "observe", lambda *_: ())


def wrong_visited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The visited set forgets every state."""
    provide = compiled.Worker._provide

    def wrong(worker: compiled.Worker, *rest: Any) -> None:
        worker.visited[:] = 0
        provide(worker, *rest)

    monkeypatch.setattr(compiled.Worker, "_provide", wrong)


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(wrong_row(kernel.BECOMES, lambda number: max(0, number - 1)), id="component afterwards"),
        pytest.param(wrong_row(kernel.FLAGS, lambda flags: flags ^ kernel.FAULT, every=True), id="fault"),
        pytest.param(wrong_row(kernel.FLAGS, lambda flags: flags | 2), id="assertion"),
        pytest.param(wrong_row(kernel.SENDS, lambda begin: begin + 1), id="sends"),
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
    ("itai_rodeh", {"n": 2, "property": "at_most_one_leader"}),
)
SCRIPT = """
import warnings
from modelcheck import check
from modelcheck.explore import compiled, kernel
from tests.explore.comparison import recorded
from tests.explore.test_compiled import RUNS
assert not hasattr(kernel.search, "signatures")
warnings.simplefilter("error")
for model, options in RUNS:
    with recorded() as found:
        result = check(model, engine="compiled", workers=1, **options)
    print([f.engine for f in found], [(f.states, f.edges, f.terminals, f.transitions) for f in found])
    print(result.verdict, result.depth, [(p.name, p.verdict, p.trace) for p in result.properties])
"""


def test_the_same_functions_run_uncompiled_with_the_same_results_and_without_warnings() -> None:
    root = Path(__file__).parents[2]
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
