"""The compiled engine where its arrays begin small and the world does not: nothing is lost as they grow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import Limits
from modelcheck.explore.compiled import engine, kernel, tables
from modelcheck.explore.compiled.layout import packed
from tests.explore.comparison import both, by_kernel

Write = Callable[..., str]


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


def test_a_world_is_not_begun_again_while_its_words_have_bits_to_spare(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two slots share a word; the 101 components of each fit into half of it."""
    narrow = too_narrow(monkeypatch)
    path = write(COUNTS.replace("SHARED", "pass").replace("sum: int = shared(0)", ""))
    assert by_kernel(both(path, n=2)).result.states == 101 * 101
    assert not narrow


ONE_COUNTS: dict[str, Any] = {"initiators": "11", "network": "fifo", "limits": Limits(max_states=1_000)}


def test_a_world_with_more_components_than_its_slots_have_room_for_begins_again_with_wider_ones(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twelve slots of five bits leave four to spare in a word, and the one process that counts needs seven."""
    narrow = too_narrow(monkeypatch)
    path = write(COUNTS.replace("SHARED", "pass").replace("sum: int = shared(0)", "").replace("@step", "@initiate"))
    assert by_kernel(both(path, ids=range(1, 13), **ONE_COUNTS)).result.states == 101
    assert 1 <= len(narrow) <= 2


def test_environments_grow_beyond_the_first_slots_too(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """With eleven processes beside it; the process that counts stays in the slot it has."""
    narrow = too_narrow(monkeypatch)
    text = COUNTS.replace("SHARED", "self.sum += 1; self.count = 0").replace("@step", "@initiate")
    path = write(text.replace("self.count < 100", "self.sum < 100"))
    assert by_kernel(both(path, ids=range(1, 12), **ONE_COUNTS)).result.states == 101
    assert 1 <= len(narrow) <= 2
    path = write(COUNTS.replace("SHARED", "self.sum = self.sum * 2 % 541 + self.count"))
    by_kernel(both(path, n=1))
    by_kernel(both(path, n=2, limits=Limits(max_states=1_000)))


def test_where_states_stand_for_their_twins_the_narrowest_slot_of_a_family_must_do(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirteen slots: twelve in the first word, of five and six bits, and one alone in the second. A turned state has another
    process in it."""
    narrow = too_narrow(monkeypatch)
    path = write(
        """
        class Model(Process):
            topology = one_way_ring
            identifiers = "none"
            specs = ()
            count: int = 0
            @step
            def jump(self):
                self.require(self.count == 0)
                self.count = self.choose(range(1, 50))
        """
    )
    found = by_kernel(both(path, n=13, limits=Limits(max_states=300))).result
    assert found.states > 300
    assert narrow


@pytest.mark.parametrize(
    "counts", [[1], [1, 1, 1, 40], [7, 5_000, 3, 90, 2], [1] * 13, [1 << 23, 1 << 30, 5, 1], [33] * 40]
)
def test_slots_lie_beside_each_other_in_their_words_and_have_room_for_what_there_is(counts: list[int]) -> None:
    taken: dict[int, int] = {}
    for count, (word, shift, mask) in zip(counts, packed(tuple(counts)), strict=True):
        assert count <= mask + 1 <= 1 << 32  # the kernel keeps masks in 32 bits
        assert (mask + 1) & mask == 0
        assert taken.get(word, 0) & mask << shift == 0
        assert (mask << shift) >> 64 == 0
        taken[word] = taken.get(word, 0) | mask << shift
    assert all(
        bits in ((1 << 64) - 1, (1 << 32) - 1) for bits in taken.values()
    )  # none is left over, but beside a single slot


def too_narrow(monkeypatch: pytest.MonkeyPatch) -> list[engine.StateLayout]:
    """Every layout that will turn out to have too little room for the numbers there are, so that its world begins again."""
    found: list[engine.StateLayout] = []
    suffices = engine.StateLayout.suffices

    def noted(layout: engine.StateLayout) -> bool:
        enough = suffices(layout)
        if not enough:
            found.append(layout)
        return enough

    monkeypatch.setattr(engine.StateLayout, "suffices", noted)
    return found


@pytest.mark.parametrize(("batch", "side"), [(64, 9), pytest.param(kernel.BATCH, 50, marks=pytest.mark.thorough)])
def test_a_state_may_have_more_successors_than_a_batch_has_room_for(
    batch: int, side: int, monkeypatch: pytest.MonkeyPatch, write: Write
) -> None:
    monkeypatch.setattr(kernel, "BATCH", batch)
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
                self.a = self.choose(range(SIDE))
                self.b = self.choose(range(SIDE))
        ends = terminates()
        """.replace("SIDE", str(side))
    )
    assert batch < side * side
    assert by_kernel(both(path, n=1)).result.states == side * side
    for most in (1, batch + 1):
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
        ("harmony_leader:SendsInTwo", {"n": 3}),
        ("itai_rodeh", {"n": 2}),
        ("chang_roberts", {"n": 3, "ids": "1,1,2", "network": "bag", "losses": 1}),
    ],
)
def test_arrays_that_begin_tiny_grow_without_losing_anything(
    monkeypatch: pytest.MonkeyPatch, model: str, options: dict[str, Any], batch: int
) -> None:
    make, make_column = engine.CompiledEngine.__init__, tables.GrowingArray.__init__

    def tiny(worker: engine.CompiledEngine, *rest: Any) -> None:
        make(worker, *rest)
        worker.capacity = 2
        for name in ("parents", "observed", "words"):
            setattr(worker, name, getattr(worker, name)[:2].copy())
        worker.edges_begin, worker.visited = worker.edges_begin[:3].copy(), worker.visited[:4].copy()
        worker.targets, worker.terminals = worker.targets[:1].copy(), worker.terminals[:1].copy()

    def tiny_column(column: tables.GrowingArray, *rest: Any, **more: Any) -> None:
        make_column(column, *rest, **{**more, "size": 1})

    monkeypatch.setattr(engine.CompiledEngine, "__init__", tiny)
    monkeypatch.setattr(tables.GrowingArray, "__init__", tiny_column)
    monkeypatch.setattr(kernel, "BATCH", batch)
    monkeypatch.setattr(engine, "SLICE", 7)
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
