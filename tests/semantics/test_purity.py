"""What changes beside a model while it runs is named, wherever it is kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from modelcheck import StepError
from modelcheck.check.result import Result

MODEL = """
{setup}

class Model(Process):
    topology = one_way_ring
    specs = ()
    x: int = 0
    @step
    def go(self):
        self.require(self.x == 0)
        self.x = 1
        {change}
"""
PLACES = {
    "a list": ("SEEN = []", "SEEN.append(1)"),
    "a dictionary": ("SEEN = {}", "SEEN['x'] = 1"),
    "a set": ("SEEN = set()", "SEEN.add(1)"),
    "a list in a tuple": ("SEEN = ([],)", "SEEN[0].append(1)"),
    "a number": ("SEEN = 0", "globals()['SEEN'] = 1"),
    "a variable that was not there": ("", "globals()['SEEN'] = 1"),
    "an attribute of a class": ("class SEEN:\n    on = False", "SEEN.on = True"),
    "an attribute of an object": ("class Box: pass\nSEEN = Box()", "SEEN.on = True"),
    "an object with slots": ("class Box:\n    __slots__ = ('on',)\nSEEN = Box()", "SEEN.on = True"),
    "the default of an argument": ("def SEEN(on=[]): on.append(1)", "SEEN()"),
    "the default of a named argument": ("def SEEN(*, on=[]): on.append(1)", "SEEN()"),
    "a closure": (
        "def made():\n    on = []\n    def keep(): on.append(1)\n    return keep\nSEEN = made()",
        "SEEN()",
    ),
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_what_a_step_changes_outside_the_state_is_named(place: str, run: Callable[..., Result]) -> None:
    """Though it makes no difference to any step, so that to take steps again would not find it out."""
    setup, change = PLACES[place]
    found = run(MODEL.format(setup=setup, change=change), n=1)
    assert isinstance(found.error, StepError)
    assert found.error.what.startswith("the model changed SEEN, which is no field")
    assert (found.verdict, found.exit_code) == ("INCONCLUSIVE", 75)


def test_what_stays_as_it_is_is_no_place_to_remember_in(run: Callable[..., Result]) -> None:
    setup = "\n".join(setup for setup, _ in PLACES.values())
    assert run(MODEL.format(setup=setup, change="pass"), n=1).verdict == "HOLDS"
