"""Slips that Python says nothing about are told, with the line, and before anything is explored."""

from __future__ import annotations

from pathlib import Path

import pytest

from modelcheck import DefinitionError, check
from modelcheck.catalog import find_model

RIGHT = '''"""The least that a step can do."""
from modelcheck import NEXT, Message, Process, always, initiate, one_way_ring, receive


class Ball(Message):
    pass


class Mine(Process):
    topology = one_way_ring
    thrown: bool = False
    got: int = 0

    @initiate
    def throw(self):
        self.require(not self.thrown)
        self.thrown = True
        self.send(NEXT, Ball())

    @receive(Ball)
    def get(self, ball):
        self.got += 1


@always
def nothing_is_lost(view):
    """As many are thrown as are there."""
    return sum(p.got for p in view.processes) <= sum(p.thrown for p in view.processes)
'''


def read(folder: Path, old: str, new: str) -> DefinitionError:
    """The error of the protocol in which something is otherwise."""
    assert old in RIGHT
    (folder / "mine.py").write_text(RIGHT.replace(old, new, 1))
    with pytest.raises(DefinitionError) as caught:
        find_model(str(folder / "mine.py"))
    return caught.value


def line(error: DefinitionError) -> tuple[int, str]:
    """The number of the line where it is, and the line."""
    place, _, text = error.where.partition("  ")
    return int(place.rsplit(":", 1)[1]), text


def test_the_protocol_without_a_slip_is_read_and_holds(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(RIGHT)
    assert check(tmp_path / "mine.py", n=2).verdict == "HOLDS"


def test_a_name_that_was_meant_to_be_a_variable_of_the_process(tmp_path: Path) -> None:
    error = read(tmp_path, "self.thrown = True", "thrown = True")
    assert error.what == "throw assigns thrown and never looks at it"
    assert error.remedy == "write self.thrown = ..."
    assert line(error) == (17, "thrown = True")


def test_so_is_one_that_is_counted_on(tmp_path: Path) -> None:
    assert read(tmp_path, "self.got += 1", "got += 1").what == "get assigns got and never looks at it"


def test_a_local_name_that_is_used_may_be_that_of_a_variable(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(RIGHT.replace("self.got += 1", "got = self.got\n        self.got = got + 1"))
    assert find_model(str(tmp_path / "mine.py")).definition.name == "Mine"


@pytest.mark.parametrize("compared", ["ball == self.id", "self.id != ball"])
def test_a_whole_message_is_no_identifier(compared: str, tmp_path: Path) -> None:
    """Python finds them different, whatever stands in the message."""
    error = read(tmp_path, "self.got += 1", f"self.got += {compared}")
    assert error.what == "get compares a whole message with an identifier"
    assert line(error) == (22, f"self.got += {compared}")


def test_two_steps_of_one_name(tmp_path: Path) -> None:
    error = read(tmp_path, "def get(", "def throw(")
    assert error.what == "there are two methods called throw"
    assert error.cause == "this one takes the place of the one in line 15, which is never run"
    assert line(error)[1] == "def throw(self, ball):"


def test_a_step_without_its_decorator(tmp_path: Path) -> None:
    error = read(tmp_path, "    @receive(Ball)\n", "")
    assert error.what == "get is no step, and nothing calls it"
    assert line(error)[1] == "def get(self, ball):"


def test_a_method_that_a_step_calls_needs_none(tmp_path: Path) -> None:
    helped = RIGHT.replace("self.got += 1", "self.count()\n\n    def count(self):\n        self.got += 1")
    (tmp_path / "mine.py").write_text(helped)
    assert find_model(str(tmp_path / "mine.py")).definition.name == "Mine"


def test_a_method_that_only_looks_needs_none_even_if_nobody_calls_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        RIGHT.replace("self.got += 1", "self.got += 1\n\n    def has(self):\n        return self.got")
    )
    assert find_model(str(tmp_path / "mine.py")).definition.name == "Mine"


def test_a_step_that_stands_inside_another(tmp_path: Path) -> None:
    error = read(
        tmp_path,
        "    @receive(Ball)\n    def get(self, ball):\n        self.got += 1",
        "        @receive(Ball)\n        def get(self, ball):\n            self.got += 1",
    )
    assert error.what == "the step get stands inside throw"
    assert line(error)[1] == "def get(self, ball):"


def test_a_property_of_states_that_takes_a_step(tmp_path: Path) -> None:
    error = read(tmp_path, "(view)", "(before, after)")
    assert error.what == "nothing_is_lost is asked of states, one by one, and takes the two of a step"
    assert error.remedy == "write @every_step above it"


def test_a_variation_may_replace_a_method_that_only_its_base_calls(tmp_path: Path) -> None:
    base = RIGHT.replace("self.got += 1", "self.count()\n\n    def count(self):\n        self.got += 1")
    (tmp_path / "mine.py").write_text(base + "\n\nclass Twice(Mine):\n    def count(self):\n        self.got += 2\n")
    assert find_model(str(tmp_path / "mine.py") + ":Twice").definition.name == "Twice"
