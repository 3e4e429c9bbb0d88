"""`modelcheck expect`: its table, its JSON, its exit codes, and the commands that lead to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Write

from .conftest import Type

COIN = """
class Coin(Process):
    topology = one_way_ring
    identifiers = "none"
    complexity = {"expected steps": "FORMULA"}
    done: bool = False
    @step
    def flip(self):
        self.require(not self.done)
        self.done = self.draw((True, False))
"""


def test_where_schedulers_make_no_difference_there_is_one_column(type_in: Type) -> None:
    """Itai and Rodeh's ring of three: 59/4 messages, as the model checker Storm computes."""
    found = type_in("expect", "itai_rodeh", "--n", "3")
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert lines[0].startswith("HOLDS  what to expect, exactly      itai_rodeh  n=3  fifo  ids none")
    assert "  expected     whoever schedules" in lines
    assert any(line.split() == ["messages", "59/4", "=", "14.75"] for line in lines)
    assert any(line.startswith("  at most      n=3: ") for line in lines)


def test_where_they_do_there_are_two(type_in: Type) -> None:
    """Three processes of Chang and Roberts send 6 to 9 messages; over both arrangements the least are 6 and 6, the greatest 8 and 9."""
    lines = type_in("expect", "chang_roberts", "--n", "3").stdout.splitlines()
    assert "  expected     over all schedulers" in lines
    (row,) = (line.split() for line in lines if line.split()[:1] == ["messages"])
    assert row == ["messages", "6", "9", "6", "to", "17/2", "=", "8.5"]


def test_a_formula_that_disagrees_says_by_how_much(type_in: Type, write: Write) -> None:
    """A fair coin is flipped twice."""
    right, wrong = (write(COIN.replace("FORMULA", formula)) for formula in ("2n", "3n"))
    agreeing, refuted = (type_in("expect", model, "--n", "1") for model in (right, wrong))
    assert (agreeing.exit_code, refuted.exit_code) == (0, 12)
    assert "expected steps  2n  agrees" in agreeing.stdout
    assert "VIOLATED: n=1: 2 is expected, 3 by the formula" in refuted.stdout


def test_json_has_the_fractions(type_in: Type) -> None:
    data = json.loads(type_in("expect", "itai_rodeh", "--n", "3", "--json").stdout)
    (size,) = data["expected_values"]
    assert size["quantities"]["messages"]["greatest"] == {
        "exact": "59/4",
        "value": 14.75,
        "bounds": None,
        "infinite": False,
    }
    chances = [entry["least"] for entry in size["messages_at_most"]]
    assert chances == sorted(chances)
    assert chances[5] == 0  # a round has at least six
    assert chances[6] == 0.375  # as often as one of three bits is the only 1


def test_an_infinite_number_is_shown_with_the_run_that_keeps_going(type_in: Type, write: Write) -> None:
    text = COIN.replace("FORMULA", "n").replace("self.done = self.draw((True, False))", "self.up = not self.up")
    model = write(text.replace("done: bool = False", "done: bool = False\n    up: bool = False"))
    found = type_in("expect", model, "--n", "1")
    assert "infinite" in found.stdout
    assert "a run that keeps going  the greatest expected number of steps is infinite" in found.stdout
    assert "after step 2 all is as it was before step 1" in found.stdout


@pytest.mark.parametrize("words", [("run", "itai_rodeh", "--n", "2"), ("messages", "itai_rodeh", "--n", "2")])
def test_what_holds_with_probability_1_points_to_what_to_expect(words: tuple[str, ...], type_in: Type) -> None:
    assert "  expect       modelcheck expect itai_rodeh --n 2" in type_in(*words).stdout.splitlines()


def test_what_holds_for_certain_does_not(type_in: Type) -> None:
    assert "modelcheck expect" not in type_in("run", "chang_roberts", "--n", "2").stdout


def test_a_limit_leaves_it_inconclusive(type_in: Type) -> None:
    found = type_in("expect", "itai_rodeh", "--n", "3", "--max-states", "20")
    assert found.exit_code == 20
    assert found.stdout.startswith("INCONCLUSIVE  what to expect")


def test_prism_is_given_the_same_process(type_in: Type, tmp_path: Path) -> None:
    """Each command of a state is a row, with probabilities that add up to 1; the rewards name rows."""
    assert type_in("export", "itai_rodeh", "--n", "2", "--to", "prism", "--out", "ring.nm").exit_code == 0
    text = (tmp_path / "ring.nm").read_text()
    lines = text.splitlines()
    assert lines[1:3] == ["mdp", "module run"]
    assert "  [r0] s=0 -> 1/2 : (s'=1) + 1/2 : (s'=2);" in lines  # who starts draws 1 or 2
    assert 'rewards "messages"' in lines
    assert "  [r0] true : 1;" in lines  # and sends what it has drawn
    assert 'label "end" = s=18;' in lines


def test_prism_is_given_one_world(type_in: Type) -> None:
    found = type_in("export", "chang_roberts", "--n", "3", "--to", "prism")
    assert found.exit_code == 2
    assert "--ids 3,1,2" in found.stderr
