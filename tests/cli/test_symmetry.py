"""`modelcheck symmetry`: a run in which all do the same, as a student reads it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from modelcheck import Limits
from modelcheck.catalog import find_model
from modelcheck.explore.limits import Meter
from modelcheck.simulate.symmetric import symmetric_run

from .conftest import Type


def test_a_deterministic_protocol_is_shown_to_elect_nobody(type_in: Type) -> None:
    found = type_in("symmetry", "chang_roberts", "--n", "4")
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert lines[0].startswith("chang_roberts  one-way ring of 4, ids 1,1,1,1: all processes are alike")
    assert [line.split("  ")[1:3] for line in lines[2:5]] == [
        ["1", "every process"],
        ["2", "every process"],
        ["3", "every process"],
    ]
    assert "so           never does exactly one process lead: all lead at the end" in found.stdout
    assert "no deterministic protocol elects one of 4 processes that are alike (Angluin 1980)" in found.stdout
    assert lines[-1].endswith("modelcheck run chang_roberts --ids 1,1,1,1 --schedule lockstep")


def test_of_a_protocol_that_draws_it_says_that_luck_decides(type_in: Type) -> None:
    found = type_in("symmetry", "itai_rodeh", "--n", "2", "--set", "draws=3")
    assert found.exit_code == 0
    assert "the rounds marked * repeat for ever: after round 3 all is as it was before round 2" in found.stdout
    assert (
        "itai_rodeh draws: this is a run in which all draw the same, for ever, which has probability 0" in found.stdout
    )
    assert "as soon as two draw differently they are no longer alike" in found.stdout
    assert "modelcheck run itai_rodeh --set draws=3 --n 2 --schedule lockstep" in found.stdout


def test_a_run_that_was_given_up_is_shown_by_its_beginning_and_is_inconclusive(type_in: Type) -> None:
    found = type_in("symmetry", "itai_rodeh:UnboundedRounds", "--n", "2")
    assert found.exit_code == 20
    assert "as far as the run was followed, through 1,000 rounds" in found.stdout
    assert found.stdout.count("every process") == 14  # at first, 12 rounds, at last


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("spanning_tree",), 10, "each knows who is the root"),
        (("harmony_leader",), 2, "has shared variables"),
        (("chang_roberts", "--n", "1"), 2, "1 is not in the range"),
        (("chang_robert",), 2, "did you mean chang_roberts"),
        (("itai_rodeh", "--set", "draws=99"), 2, "draws=99 is not admissible"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_the_reason(
    words: tuple[str, ...], code: int, said: str, type_in: Type
) -> None:
    found = type_in("symmetry", *words)
    assert (found.exit_code, found.stdout) == (code, "")
    assert said in found.stderr


def test_it_ends_at_its_limit_on_time_and_says_so(type_in: Type) -> None:
    found = type_in("symmetry", "chang_roberts", "--n", "400", "--max-seconds", "0.0001")
    assert (found.exit_code, found.stdout) == (20, "")
    assert found.stderr.startswith(
        "INCONCLUSIVE  the limit of 0.0001 seconds was reached, before there was anything to show"
    )


def test_a_run_that_a_limit_cuts_short_is_shown_as_far_as_it_was_followed() -> None:
    class Stops(Meter):
        """Is interrupted when a round of the run begins, the third time."""

        rounds = 0

        def stop(self, states: int | None = None) -> bool:
            if sys._getframe(1).f_code.co_name == "_followed":
                self.rounds += 1
                self.interrupted = self.rounds == 3
            return super().stop(states)

    found = symmetric_run(find_model("chang_roberts"), 4, meter=Stops(Limits()))
    assert (found.complete, found.stopped, found.trace.length) == (False, "interrupted", 2)


def test_without_a_number_of_processes_there_are_as_many_as_the_graph_has(type_in: Type, tmp_path: Path) -> None:
    (tmp_path / "ring.edges").write_text("a b\nb c\nc d\nd a\n")
    found = type_in("symmetry", "as_far_bidirectional", "--graph", "./ring.edges")
    assert "two-way ring of 4" in found.stdout
    refused = type_in("symmetry", "as_far_bidirectional", "--graph", "./ring.edges", "--n", "3")
    assert refused.exit_code == 2
    assert "--n 3 does not fit: the graph has 4 processes" in refused.stderr
