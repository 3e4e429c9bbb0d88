"""Why a run stopped, as text for the user and as values for whoever decides by it."""

import copy
import json
import pickle

import pytest

from modelcheck import check
from modelcheck.explore.limits import Stopped
from modelcheck.report.words import commands

SENTENCES = {
    "the limit of 2,000 states was reached": Stopped("states", 2000),
    "the limit of 0.5 seconds was reached": Stopped("seconds", 0.5),
    "the limit of 4,000 MB of memory was reached": Stopped("memory", 4000),
    "interrupted": Stopped("interrupted"),
    "some array is full": Stopped("room", text="some array is full"),
    "interrupted while start was running, at a.py:3  pass": Stopped("interrupted").while_running(
        "start was running, at a.py:3  pass"
    ),
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_why_a_run_stopped_is_the_sentence_that_says_it(sentence: str) -> None:
    stopped = SENTENCES[sentence]
    assert stopped == sentence
    assert json.loads(json.dumps(stopped)) == sentence
    assert type(str(stopped)) is str


@pytest.mark.parametrize("stopped", SENTENCES.values())
def test_its_values_are_kept_by_a_copy(stopped: Stopped) -> None:
    for again in (copy.deepcopy(stopped), pickle.loads(pickle.dumps(stopped))):
        assert (again, again.kind, again.limit, again.running) == (
            stopped,
            stopped.kind,
            stopped.limit,
            stopped.running,
        )


def test_of_a_result_it_says_which_limit_to_raise() -> None:
    result = check("chang_roberts", n=4, max_states=100)
    assert result.stopped is not None
    assert (result.stopped.kind, result.stopped.limit) == ("states", 100)
    assert "--max-states 1000" in commands.raised(result)
