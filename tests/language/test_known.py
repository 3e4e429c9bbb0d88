"""Records that many states hold are looked at once; one that is changed in place afterwards is noticed all the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from modelcheck import StepError
from modelcheck.check.result import Result
from modelcheck.language.kinds import Known, frozen
from modelcheck.language.values import Misuse


@dataclass(frozen=True)
class Note:
    text: str


@dataclass(frozen=True)
class Notes:
    of: tuple[Note, ...] = ()


def test_what_is_kept_is_known_with_all_that_is_within() -> None:
    known, inner = Known(), Note("inner")
    outer = frozen(frozenset({Notes((inner,)), Notes()}))
    assert not known.holds(outer.items())
    known.keep([outer, 3, "text", None])
    assert known.holds([*outer.items(), inner])
    assert len(known) == 3
    assert Note("inner") not in known  # an equal one is another, and may be changed by itself
    assert frozen(outer | {Notes((Note("new"),))}, known) == {*outer, Notes((Note("new"),))}


@pytest.mark.parametrize("change", [{"text": "new"}, {"text": "inner", "more": 1}, {"text": 1}], ids=str)
def test_a_record_that_is_changed_is_named_and_restored(change: dict[str, object]) -> None:
    known, inner = Known(), Note("inner")
    known.keep([(inner, Note("outer"))])
    assert known.changed() == []
    for name, value in change.items():
        object.__setattr__(inner, name, value)
    assert known.changed() == [inner]
    assert vars(inner) == {"text": "inner"}
    assert known.changed() == []


def test_what_is_not_known_is_looked_at_to_the_bottom() -> None:
    known, inner = Known(), Note("inner")
    object.__setattr__(inner, "hidden", 1)
    with pytest.raises(Misuse, match="hidden is no field"):
        frozen((frozenset({Notes((inner,))}),), known)


GLOBAL = """
@dataclass(frozen=True)
class Note:
    text: str

NOTE = Note("a")

class Two(Process):
    topology = one_way_ring
    note: Note | None = None
    done: bool = False

    @step
    def take(self):
        self.require(self.note is None and not self.done)
        self.note = NOTE

    @step
    def spoil(self):
        self.require(self.note is None and not self.done)
        self.done = True
        object.__setattr__(NOTE, "text", "b")
"""


def test_a_record_of_the_file_that_another_step_changes_is_noticed(run: Callable[..., Result]) -> None:
    """The process that changes it does not hold it, so nothing that the step was given is changed; the states of others are."""
    error = run(GLOBAL, n=2).error
    assert isinstance(error, StepError)
    assert "NOTE" in error.what
