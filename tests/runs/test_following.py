"""A schedule taken in a system again: in the one that it is of, it comes to the same."""

from __future__ import annotations

from typing import Any

import pytest

from modelcheck import check
from modelcheck.check.request import read_request
from modelcheck.runs.following import follow
from modelcheck.runs.trace import snapshot
from modelcheck.semantics.lockstep import system_for

from ..conftest import Write

ALIKE = """
class A(Message):
    pass

class B(Message):
    pass

class Alike(Process):
    topology = one_way_ring
    identifiers = "none"
    sent: bool = False

    @initiate
    def begin(self):
        self.require(not self.sent)
        self.sent = True
        for message in (A(), B(), A()):
            self.send(NEXT, message)

    @receive(A, B)
    def take(self, message):
        pass

@always
def the_last_is_there(view):
    return [type(one.message) for one in view.in_transit()] != [A, B]
"""


@pytest.mark.parametrize(
    ("model", "options", "name"),
    [
        (ALIKE, {"n": 1, "losses": 1}, "the_last_is_there"),  # of two equal messages the second is lost
        (
            "flood_min:RoundTooFew",
            {"ids": "1,2,3", "crashes": 1},
            "all_that_live_agree",
        ),  # of two messages one gets out
    ],
)
def test_what_only_the_state_tells_apart_is_taken_again(
    write: Write, model: str, options: dict[str, Any], name: str
) -> None:
    reference = write(model) if model is ALIKE else model
    trace = check(reference, **options).property(name).trace
    request = read_request(reference, **options)
    system = system_for(request.model.definition, request.settings)
    assert trace is not None
    came = follow(system, trace)
    assert not came.stopped
    assert snapshot(system, trace.world, came.states[-1]) == trace.steps[-1].state
