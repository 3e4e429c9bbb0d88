"""Omega by heartbeats and by a rotating coordinator, on links that hold the newest message of each type."""

from typing import Any

import pytest

from modelcheck import check


@pytest.mark.parametrize("options", [{"crashes": 1, "detector": "unreliable:1"}, {"crashes": 2}])
@pytest.mark.parametrize("model", ["omega_heartbeats", "omega_heartbeats:OnlyTheTrustedBeats", "omega_rotating"])
def test_in_the_end_all_trust_one_that_lives(model: str, options: dict[str, Any]) -> None:
    assert check(model, n=3, **options).verdict == "HOLDS"


def test_without_heartbeats_a_mistake_is_for_good() -> None:
    assert check("omega", n=3, detector="unreliable:1").verdict == "VIOLATED"
    assert check("omega_heartbeats", n=3, detector="unreliable:1").verdict == "HOLDS"


@pytest.mark.parametrize(
    ("model", "links"),
    [
        ("omega_heartbeats", 3 * 2),
        ("omega_heartbeats:OnlyTheTrustedBeats", 3 - 1),  # in the end n - 1 links are in use
        ("omega_rotating", 3 - 1),
    ],
)
def test_where_nothing_fails_each_link_in_use_holds_a_message_or_none(model: str, links: int) -> None:
    # Every process that sends may do so in every state, and every message that is there may be heard.
    result = check(model, n=3)
    senders = 3 if links == 6 else 1
    assert (result.states, result.transitions) == (2**links, 2**links * senders + links * 2 ** (links - 1))


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_time_outs_that_stay_too_short_are_not_enough(engine: str) -> None:
    # Two links that hold a message or none, and one process that may change its mind: it does so in half of the states.
    result = check("omega_heartbeats:TimesOutForEver", n=2, engine=engine)
    assert (result.states, result.transitions) == (2 * 2 * 2, 8 * 2 + 2 * 4 + 4)
    trace = result.property("one_living_process_is_trusted_by_all").trace
    assert trace is not None
    # The shortest circle that is fair: each beats, each hears, and one has suspected the other before it hears it.
    assert trace.length == 2 + 2 + 1


def test_a_coordinator_that_is_not_told_waits_for_ever() -> None:
    # 1 is suspected by 3, which enters the next round; the heartbeats of 1 keep 2 content in round 0 and do not take 3 back.
    assert check("omega_rotating:TellsNobody", n=2, detector="unreliable:1").verdict == "HOLDS"
    result = check("omega_rotating:TellsNobody", n=3, detector="unreliable:1")
    assert result.property("one_living_process_coordinates_all").verdict == "violated"


def test_a_later_round_is_never_left() -> None:
    result = check("omega_rotating:EarlierRoundsCount", n=2, detector="unreliable:1")
    assert result.property("one_living_process_coordinates_all").verdict == "violated"
