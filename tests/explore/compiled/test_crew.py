"""One world explored by several threads at once: whatever comes out is what one thread finds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import Limits, check
from modelcheck.explore.compiled import crew, engine
from tests.explore.comparison import both, by_kernel

Write = Callable[..., str]


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Levels are shared from eight states on, also before anybody is idle; the list gets the size of each piece inserted."""
    monkeypatch.setattr(crew, "PIECE", 4)
    monkeypatch.setattr(crew.Crew, "would_help", lambda _, left: left >= 2 * crew.PIECE)
    monkeypatch.setattr(engine, "SLICE", 16)
    inserted: list[int] = []
    insert = crew.SharedWorld._insert

    def noted(level: crew.SharedWorld) -> None:
        inserted.append(level._pieces[0].last - level._pieces[0].first)
        insert(level)

    monkeypatch.setattr(crew.SharedWorld, "_insert", noted)
    return inserted


@pytest.mark.parametrize("workers", [2, 4])
@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("chang_roberts", {"ids": "3,1,4,2", "network": "bag"}),
        ("stages", {"ids": "2,3,1,4", "graph": "two_way_ring"}),
        ("bully", {"n": 4}),
        ("chang_roberts", {"ids": "3,1,4,2", "duplications": 1}),  # with an environment
        pytest.param("bully", {"n": 3, "crashes": 1, "recoveries": 1}, marks=pytest.mark.thorough),
        ("harmony_leader", {"ids": "2,1,3,5,4"}),  # a shared variable
        ("itai_rodeh", {"n": 4, "limits": Limits(max_states=3_000)}),  # runs without end
        ("chang_roberts", {"ids": "1,3,2,3,1"}),  # violations
        ("dolev_klawe_rodeh", {"ids": "2,3,1", "network": "bag"}),
    ],
)
def test_threads_together_find_what_one_finds(
    small_pieces: list[int], workers: int, model: str, options: dict[str, Any]
) -> None:
    by_kernel(both(model, workers=workers, **options))
    assert small_pieces


@pytest.mark.parametrize("most", [100, 1_000, 1_001, 2_500])
def test_a_limit_on_states_stops_at_the_same_state(small_pieces: list[int], most: int) -> None:
    by_kernel(both("chang_roberts", ids="3,1,4,2", network="bag", workers=3, limits=Limits(max_states=most)))
    assert small_pieces


def test_states_with_more_successors_than_a_batch_has_room_for(small_pieces: list[int], write: Write) -> None:
    path = write(
        """
        class Model(Process):
            topology = one_way_ring
            specs = ()
            level: int = 0
            place: int = 0
            @step
            def jump(self):
                self.require(self.level < 2)
                self.place = self.choose(range(30))
                self.level += 1
        ends = terminates()
        """
    )
    by_kernel(both(path, n=2, workers=2))
    assert small_pieces


@pytest.mark.parametrize("workers", [2, 4])
def test_a_step_that_fails_deep_down_is_found_in_a_piece(small_pieces: list[int], workers: int, write: Write) -> None:
    """The last process fails after four steps of its own, in the last state of a wide level: in a piece, whoever has it."""
    path = write("""
class Counting(Process):
    topology = one_way_ring
    knows = ("everyone",)
    count: int = 0

    @step
    def up(self):
        last = self.id == max(self.everyone)
        self.require(self.count < (4 if last else 2))
        self.count += 1
        assert self.count < 4
""")
    by_kernel(both(path, ids="1,2,3,4,5,6", workers=workers))
    assert small_pieces


def test_what_a_model_does_wrong_is_told_as_by_one_thread(write: Write) -> None:
    path = write(
        """
        class Model(Process):
            topology = one_way_ring
            specs = ()
            level: int = 0
            place: int = 0
            @step
            def jump(self):
                self.require(self.level < 4)
                self.place = self.choose(range(30))
                self.level += 1
                self.place = 1 / (3 - self.level) if self.place == 7 else self.place
        ends = terminates()
        """
    )
    alone, helped = (check(path, n=1, engine="compiled", workers=workers) for workers in (1, 3))
    assert alone.exit_code == helped.exit_code != 0
    assert [p.trace and p.trace.steps for p in alone.properties] == [
        p.trace and p.trace.steps for p in helped.properties
    ]


def test_an_interrupt_in_the_middle_of_a_level_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    keep = engine.CompiledEngine.keep_terminals
    calls: list[None] = []

    def interrupted(worker: engine.CompiledEngine, more: Any) -> None:
        calls.append(None)
        if len(calls) == 5:
            raise KeyboardInterrupt
        keep(worker, more)

    monkeypatch.setattr(engine.CompiledEngine, "keep_terminals", interrupted)
    result = check("chang_roberts", ids="3,1,4,2", network="bag", engine="compiled", workers=1)
    assert result.exit_code == 20
    assert "interrupted" in (result.stopped or "")
