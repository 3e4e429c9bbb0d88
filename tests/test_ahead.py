"""While there is no code for the compiled engine the reference engine explores, and another process compiles."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from modelcheck import ahead, check, compiling
from modelcheck.check import search, worker
from modelcheck.explore import reference
from modelcheck.explore.compiled import engine, jit
from modelcheck.report.files import as_json


@pytest.fixture
def afresh(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Nothing was asked for before."""
    monkeypatch.setattr(ahead, "_declined", False)
    monkeypatch.setattr(ahead, "_under_way", {})
    return monkeypatch


def said(**options: Any) -> dict[str, Any]:
    """All that JSON tells but the times."""
    data = as_json.document(check("chang_roberts", workers=1, **options))
    return {name: value for name, value in data.items() if name != "seconds"}


class Compiles:
    """Somebody who compiles, and is done with a kind when asked about it so often."""

    def __init__(self, often: int) -> None:
        self.often, self.asked = often, dict[str, int]()

    def ready(self, kind: str) -> bool:
        self.asked[kind] = self.asked.get(kind, 0) + 1
        return self.asked[kind] > self.often


@pytest.fixture
def explored_plainly(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of states of the worlds that the reference engine explores to their end."""
    counts: list[int] = []
    explore: Callable[..., None] = reference.explore

    def explored(system: Any, found: Any, *others: Any) -> None:
        explore(system, found, *others)
        counts.extend([len(found.states)] if found.complete else [])

    monkeypatch.setattr(reference, "explore", explored)
    return counts


def lacking(monkeypatch: pytest.MonkeyPatch, often: int) -> Compiles:
    """No code is kept, and there is much to do from the beginning."""
    compiles = Compiles(often)
    monkeypatch.setattr(jit, "is_kept", lambda _: False)
    monkeypatch.setattr(ahead, "ready", compiles.ready)
    monkeypatch.setattr(worker, "PATIENCE", 10)
    return compiles


@pytest.mark.parametrize("options", [{"n": 5}, {"ids": "any", "n": 3}, {"n": 4, "reduce": "order"}], ids=str)
@pytest.mark.parametrize("often", [2, 9, 10**9], ids=str)
def test_whichever_engine_is_there_first_the_report_is_the_same(
    options: dict[str, Any], often: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = said(**options, engine="compiled")
    lacking(monkeypatch, often)
    assert said(**options) == found


def test_the_reference_engine_goes_on_until_there_is_code(
    monkeypatch: pytest.MonkeyPatch, explored_plainly: list[int]
) -> None:
    """Of three processes with unique identifiers there are two worlds."""
    lacking(monkeypatch, 10**9)
    check("chang_roberts", n=3, workers=1)
    states = [check("chang_roberts", ids=ids, engine="compiled").states for ids in ("1,2,3", "1,3,2")]
    assert explored_plainly == states


def test_where_there_is_code_the_reference_engine_does_not_go_on(
    monkeypatch: pytest.MonkeyPatch, explored_plainly: list[int]
) -> None:
    lacking(monkeypatch, 0)
    check("chang_roberts", n=3, workers=1)
    assert explored_plainly == []


def test_fleets_wait_for_code_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MANY", 10)  # worlds
    compiles, found = lacking(monkeypatch, 2), said(n=5, engine="reference")
    assert said(n=5) == found
    assert {kind[0] for kind in compiles.asked} == {"0", "1"}


@pytest.mark.parametrize("kind", ["0-1-0-0-0", "0-1-1-0-0", "0-1-0-1-0", "0-2-0-0-0", "1-1-0-0-0", "1-1-0-0-1"])
def test_what_is_compiled_ahead_is_what_was_asked_for(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: set[str] = set()
    monkeypatch.setattr(jit, "keep", kept.add)
    compiling.compile_for(kind)
    assert kind in kept


def test_kinds_are_told_by_the_tuples_whose_lengths_are_compiled_into_the_code() -> None:
    fields = engine.records.WorldRecord._fields
    nothing = dict.fromkeys(fields, 0)
    world = engine.records.WorldRecord(
        **nothing | {"width": (0, 0), "environment": (0,), "symmetric": (), "reduced": (0,)}
    )
    assert engine.kind_of(world) == "0-2-1-0-1"
    assert engine.kind_of(world, fleet=True) == "1-2-1-0-1"


# --- the process


def test_a_process_that_compiles_ends_when_nobody_waits_for_it_any_more() -> None:
    process = ahead._begun("0-1-0-0-0")
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(timeout=120) == 1


def test_one_compiles_at_a_time_and_whoever_fails_leaves_it_to_others(afresh: pytest.MonkeyPatch) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    def begin(_: str) -> subprocess.Popen[bytes]:
        begun.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))
        return begun[-1]

    afresh.setattr(ahead, "_begun", begin)
    assert not ahead.ready("one")
    assert not ahead.ready("another")
    assert len(begun) == 1
    begun[0].communicate()  # it finds nothing to read, which is an error
    assert ahead.ready("one")
    assert not ahead.ready("another")
    assert len(begun) == 2
    ahead._end_all()
    assert begun[1].poll() is not None


def test_where_no_process_can_be_started_code_is_compiled_when_it_is_needed(afresh: pytest.MonkeyPatch) -> None:
    afresh.setattr(sys, "executable", "")
    assert ahead.ready("0-1-0-0-0")


def test_that_there_is_code_is_known_to_other_processes(afresh: pytest.MonkeyPatch, tmp_path: Any) -> None:
    afresh.setattr(jit, "folder", lambda: tmp_path)
    afresh.setattr(jit, "_kept", set())
    assert not jit.is_kept("0-1-0-0-0")
    jit.keep("0-1-0-0-0")
    afresh.setattr(jit, "_kept", set())  # as in another process
    assert jit.is_kept("0-1-0-0-0")
    assert not jit.is_kept("0-2-0-0-0")


def test_where_code_cannot_be_kept_nobody_waits_for_it(afresh: pytest.MonkeyPatch) -> None:
    afresh.setattr(jit, "folder", lambda: None)
    afresh.setattr(jit, "_kept", set())
    assert jit.is_kept("0-1-0-0-0")
