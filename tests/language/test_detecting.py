"""Detecting: a process that keeps in mind whom the failure detector reports as down."""

from pathlib import Path

import pytest

from modelcheck import check

TEXT = '''
from modelcheck import Detecting, Up, always, because, complete, receive, recover

class Watching(Detecting):
    topology = complete
    tolerates = ("crashes", "recoveries")
    back: int = 0

    def initially(self):
        self.begin_without(max(self.id, *(self.neighbour(port) for port in self.ports)))

    @receive(Up)
    def note_recovery(self, message, port):
        assert self.suspects(port), "who comes back was suspected"
        super().note_recovery(message, port)
        self.back += 1

    @recover
    def come_back(self):
        pass

@always
def nobody_is_suspected(view):
    """Nobody is suspected."""
    found = [p for p in view.processes if p.suspected]
    return not found or because(f"{found[0]} suspects")

@always
def someone_is_suspected(view):
    """Somebody suspects somebody."""
    return any(p.suspected for p in view.processes)

@always
def nobody_forgets_over_a_crash(view):
    """Who is down keeps whom it suspects."""
    return all(p.suspected or p.back for p in view.processes if p.id < max(q.id for q in view.processes))
'''


@pytest.fixture
def model(tmp_path: Path) -> str:
    (tmp_path / "watching.py").write_text(TEXT)
    return str(tmp_path / "watching.py")


def test_a_run_may_begin_without_one_of_whom_all_others_have_been_told(model: str) -> None:
    result = check(model, n=2)
    found = result.property("nobody_is_suspected").trace
    assert found is not None
    assert found.length == 0
    assert "p1" in found.reason
    assert result.states == 1  # nobody is told of anything more


def test_whoever_recovers_is_suspected_no_longer_and_a_step_that_is_written_anew_may_call_the_old_one(
    model: str,
) -> None:
    result = check(model, n=2, recoveries=1)
    found = result.property("someone_is_suspected").trace
    assert found is not None
    assert [step.step for step in found.steps] == ["come_back", "note_recovery"]
    assert result.property("assertions").verdict == "holds"


def test_whom_it_suspects_survives_its_own_crash(model: str) -> None:
    assert check(model, n=2, crashes=1).property("nobody_forgets_over_a_crash").verdict == "holds"
